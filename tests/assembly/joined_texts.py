"""Whether a text means the same by itself and among all others, whose lines the parser remembers."""

import argparse
import re
from pathlib import Path

import mlirbc

# Text that may stand outside of operations only, or that counts from the beginning of the file.
OUTSIDE = re.compile(r"^\s*[#!][\w.$-]+ *=|\{-#|distinct\[|dense_resource<", re.MULTILINE)


def texts(folder: Path) -> dict[str, str]:
    """The texts of a corpus that can be the body of a module."""
    all_texts = {path.stem: path.read_text("utf-8", "replace") for path in sorted(folder.glob("*.mlir"))}
    return {name: f"module {{\n{text}\n}}\n" for name, text in all_texts.items() if not OUTSIDE.search(text)}


def generic(operation: mlirbc.Operation) -> str:
    return operation.get_asm(print_generic_op_form=True, use_local_scope=True)


def different(bodies: dict[str, str], release: str) -> tuple[int, list[str]]:
    """The number of compared texts, and the names of texts that mean something else among the others."""
    alone = {}
    for name, text in bodies.items():
        try:
            alone[name] = generic(mlirbc.parse(text, target=release).operation)
        except mlirbc.Error:
            continue
    joined = mlirbc.parse("".join(bodies[name] for name in alone), target=release)
    pairs = zip(alone.items(), joined.body.operations, strict=True)
    return len(alone), [name for (name, text), operation in pairs if generic(operation.operation) != text]


def main(arguments: list[str]) -> None:
    parser = argparse.ArgumentParser(prog="scripts/assembly joined", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--release", required=True, help="llvm-16, llvm-19, llvm-22, or a build: iree-3.6")
    options = parser.parse_args(arguments)
    count, names = different(texts(options.folder), options.release)
    for name in names:
        print(name)
    print(f"{count - len(names)} of {count} texts mean the same among the others")
    raise SystemExit(bool(names))
