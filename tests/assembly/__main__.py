"""`scripts/assembly make …` or `scripts/assembly FOLDER …`."""

import sys

from assembly import compare, make

if __name__ == "__main__":
    if sys.argv[1:2] == ["make"]:
        make.main(sys.argv[2:])
    else:
        compare.main(sys.argv[1:])
