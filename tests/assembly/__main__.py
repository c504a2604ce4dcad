"""`scripts/assembly make …`, `scripts/assembly joined …` or `scripts/assembly FOLDER …`."""

import sys

from assembly import compare, joined_texts, make

if __name__ == "__main__":
    if sys.argv[1:2] == ["make"]:
        make.main(sys.argv[2:])
    elif sys.argv[1:2] == ["joined"]:
        joined_texts.main(sys.argv[2:])
    else:
        compare.main(sys.argv[1:])
