"""`scripts/assembly make …`, `… joined …`, `scripts/assembly FOLDER …`, `scripts/pack-corpus …`."""

import sys

from assembly import compare, joined_texts, make, pack_corpus

if __name__ == "__main__":
    if sys.argv[1:2] == ["make"]:
        make.main(sys.argv[2:])
    elif sys.argv[1:2] == ["joined"]:
        joined_texts.main(sys.argv[2:])
    elif sys.argv[1:2] == ["pack"]:
        pack_corpus.main(sys.argv[2:])
    else:
        compare.main(sys.argv[1:])
