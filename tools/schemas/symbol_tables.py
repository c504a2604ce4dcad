#!/usr/bin/env python3
"""Lists the operations that have the `SymbolTable` trait, from the generated headers of a release.

    python symbol_tables.py include-22/usr/lib/llvm-22/include [more]

The output is the list `tables` of `rust/mlirbc/data/symbols.toml`; releases are merged.
"""

import re
import sys
from collections.abc import Iterator
from pathlib import Path

CLASS = re.compile(r"^class (\w+) : public ::mlir::Op<\1, ([^{]*)\{", re.MULTILINE)
NAME = re.compile(r'getOperationName\(\) \{\s*return ::llvm::StringLiteral\("([^"]+)"\)')
TRAIT = re.compile(r"OpTrait::SymbolTable\b")


def tables(text: str) -> Iterator[str]:
    """The names of the operations whose class is declared with the trait."""
    for declared in CLASS.finditer(text):
        if TRAIT.search(declared[2]) and (name := NAME.search(text, declared.end())):
            yield name[1]


def main(directories: list[str]) -> None:
    """Prints the operations of all headers below the directories, sorted."""
    headers = (path for directory in directories for path in Path(directory).rglob("*.h.inc"))
    operations = {name for path in headers for name in tables(path.read_text(errors="replace"))}
    print("\n".join(f'    "{name}",' for name in sorted(operations)))


if __name__ == "__main__":
    main(sys.argv[1:])
