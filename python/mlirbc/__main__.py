"""`python -m mlirbc` and the `mlirbc` command of the wheel."""

import signal
import sys
import warnings
from importlib import metadata

from mlirbc._mlirbc import run_cli


def main() -> int:
    """Run the command line; Ctrl-C ends it at once, as it ends a native program."""
    # A background job ignores it, and goes on doing so.
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    load_installed_packs()
    return run_cli(["mlirbc", *sys.argv[1:]])


def load_installed_packs() -> None:
    """Use the packs of installed packages; one that cannot be read is passed over with a warning."""
    if not metadata.entry_points(group="mlirbc.packs"):
        return
    from mlirbc import Error, dialects

    try:
        dialects.load_installed()
    except (Error, OSError) as error:
        warnings.warn(f"the packs of installed packages are not used: {error}", stacklevel=2)


if __name__ == "__main__":
    sys.exit(main())
