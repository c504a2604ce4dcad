"""Prints a bytecode file with jaxlib, in generic form: a reader for `mlirbc diff-test`.

Run as a program with the name of the file; it exits with status 1 and the message if jaxlib rejects it.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from support import jaxlib_oracle


def main(name: str) -> int:
    """Print one file."""
    oracle = jaxlib_oracle.find()
    if oracle is None:
        sys.exit("this Python cannot import jaxlib")
    try:
        text = oracle.print(Path(name).read_bytes())
    except (oracle.ir.MLIRError, ValueError) as error:
        # The first line says that it cannot be parsed, the other lines say why.
        print(error, file=sys.stderr)
        return 1
    sys.stdout.buffer.write(text)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
