"""`python -m mlirbc` and the `mlirbc` command of the wheel."""

# `signal` would import `enum`, which takes longer than the rest of the start.
import _signal as signal  # type: ignore[import-not-found]
import sys

from mlirbc._mlirbc import run_cli


def main() -> int:
    """Run the command line; Ctrl-C ends it at once, as it ends a native program."""
    # A background job ignores it, and goes on doing so.
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    return run_cli(["mlirbc", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
