#!/usr/bin/env python3
"""Writes `rust/mlirbc/data/operations/bindings.tsv`, the names that MLIR's Python bindings have.

    mlir-tblgen-22 -gen-python-op-bindings -bind-dialect=arith -I INCLUDE … > GENERATED/arith.py
    bindings.py GENERATED/*.py SITE_PACKAGES/jaxlib/mlir/dialects/_*_ops_gen.py …

Reads classes that `mlir-tblgen` generated; the first file with an operation counts. A row has the operation,
the class if it is not the mnemonic in camel case with `Op`, and the required operands and attributes in their
order if operands and attributes alternate: definitions list operands before attributes.
"""

import argparse
import ast
import json
import re
from pathlib import Path

DATA = Path(__file__).resolve().parents[2] / "rust/mlirbc/data/operations"

# The order of preference of `bindings.rs`.
RELEASES = ("llvm-22", "stablehlo-1.20", "jaxlib-0.10", "iree-3.13", "llvm-23")


def default_class(operation: str) -> str:
    mnemonic = operation.split(".", 1)[1]
    return "".join(part[:1].upper() + part[1:] for part in re.split(r"[_.]", mnemonic)) + "Op"


def generated_classes(path: Path) -> dict[str, tuple[str, list[str]]]:
    """The class and the positional arguments of the constructor, by operation."""
    rows = {}
    for node in ast.parse(path.read_text()).body:
        if not isinstance(node, ast.ClassDef) or node.name.endswith("Adaptor"):
            continue
        name, arguments = None, []
        for item in node.body:
            if isinstance(item, ast.Assign) and ast.unparse(item.targets[0]) == "OPERATION_NAME":
                name = ast.literal_eval(item.value)
            elif isinstance(item, ast.FunctionDef) and item.name == "__init__":
                arguments = [argument.arg for argument in item.args.args[1:]]
        if name is not None:
            rows[name] = (node.name, arguments)
    return rows


def definitions() -> dict[str, list[str]]:
    """The names of operands and attributes by operation, in the release that the bindings present."""
    rows: dict[str, list[str]] = {}
    for release in RELEASES:
        for line in (DATA / f"{release}.jsonl").read_text().splitlines():
            row = json.loads(line)
            if "op" in row:
                parts = [*row.get("operands", ()), *row.get("attributes", ()), *row.get("properties", ())]
                rows.setdefault(row["op"], [part[0] for part in parts])
    return rows


def order(arguments: list[str], names: list[str]) -> list[str]:
    """The required operands and attributes, if their order differs from the definition."""
    required = [name for argument in arguments for name in names if argument in (name, f"{name}_")]
    return [] if required == [name for name in names if name in required] else required


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="+", type=Path)
    options = parser.parse_args()
    parts = definitions()
    classes: dict[str, tuple[str, list[str]]] = {}
    for path in options.files:
        for name, row in generated_classes(path).items():
            classes.setdefault(name, row)
    lines = []
    for name, (class_name, arguments) in sorted(classes.items()):
        if "." not in name or name not in parts:
            continue
        shown = "" if class_name == default_class(name) else class_name
        required = " ".join(order(arguments, parts[name]))
        if shown or required:
            lines.append(f"{name}\t{shown}\t{required}".rstrip("\t"))
    (DATA / "bindings.tsv").write_text("\n".join(lines) + "\n")
    print(f"{len(classes)} operations, {len(lines)} rows")


if __name__ == "__main__":
    main()
