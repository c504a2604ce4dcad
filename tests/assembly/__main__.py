"""`scripts/assembly make …`, `scripts/assembly joined …` or `scripts/assembly FOLDER …`."""

import sys

from assembly import compare, joined, make

if __name__ == "__main__":
    if sys.argv[1:2] == ["make"]:
        make.main(sys.argv[2:])
    elif sys.argv[1:2] == ["joined"]:
        joined.main(sys.argv[2:])
    else:
        compare.main(sys.argv[1:])
