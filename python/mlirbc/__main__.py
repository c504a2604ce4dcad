"""`python -m mlirbc` and the `mlirbc` command of the wheel."""

import signal
import sys

from mlirbc._mlirbc import run_cli


def main() -> int:
    """Run the command line; Ctrl-C ends it at once, as it ends a native program."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    return run_cli(["mlirbc", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
