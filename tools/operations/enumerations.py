#!/usr/bin/env python3
"""Writes `rust/mlirbc/data/operations/enumerations.tsv`, the enumerations of MLIR's Python bindings.

    mlir-tblgen-22 -gen-python-enum-bindings -bind-dialect=arith -I INCLUDE … > GENERATED/arith+1.py
    enumerations.py GENERATED/*.py

The name of a file begins with the dialect; a class that several dialects have is written for the first one.
The row of a class has the dialect, the class, `flags` and the width of its attributes or the width alone, the
name of the constraint, and the cases: the name, the value, and the text if it is another one. The other rows
have the dialect, the name of a constraint, and the text of its attributes, where `{}` stands for a case and
`{, }` for flags between commas.
"""

import argparse
import ast
import json
import re
from pathlib import Path

DATA = Path(__file__).resolve().parents[2] / "rust/mlirbc/data/operations"


def cases(node: ast.ClassDef) -> list[str]:
    # A case without a value has the number after the one before it, and the first one has 1.
    values: dict[str, int] = {}
    for item in node.body:
        if isinstance(item, ast.Assign) and isinstance(item.targets[0], ast.Name):
            is_counted = isinstance(item.value, ast.Call)
            value = max(values.values(), default=0) + 1 if is_counted else ast.literal_eval(item.value)
            values[item.targets[0].id] = value
    texts = dict(re.findall(r"if self is \w+\.(\w+):\s+return '(.*?)'", ast.unparse(node)))
    texts |= dict(re.findall(r"if \w+\.(\w+) in self:\s+\w+\.append\('(.*?)'\)", ast.unparse(node)))
    return [
        f"{name}={value}" + (f":{texts[name]}" if texts.get(name, name) != name else "")
        for name, value in values.items()
    ]


def rows(path: Path, separators: dict[str, str]) -> list[str]:
    """The rows of a file without the dialect."""
    texts: list[str] = []
    class_row: list[str] = []
    for node in ast.parse(path.read_text()).body:
        if isinstance(node, ast.ClassDef):
            is_flags = any(isinstance(base, ast.Name) and base.id == "IntFlag" for base in node.bases)
            class_row = [node.name, "flags" if is_flags else "", ", ".join(cases(node))]
        elif isinstance(node, ast.FunctionDef):
            constraint = ast.literal_eval(node.decorator_list[0].args[0])
            body = ast.unparse(node)
            if match := re.search(r"get_signless\((\d+)", body):
                name, kind, shown = class_row
                texts.append("\t".join([name, kind + match[1], constraint, shown]))
            elif match := re.search(r"parse\(f'(.*?)'", body):
                hole = f"{{{separators.get(constraint, '')}}}"
                texts.append("\t".join([constraint, re.sub(r"\{.*?\}", hole, match[1])]))
    return texts


def flag_separators() -> dict[str, str]:
    """The text between the flags of an attribute, by constraint."""
    rows = map(json.loads, (DATA / "llvm-22.jsonl").read_text().splitlines())
    enumerations = {row["constraint"]: row["enum"] for row in rows if row.get("enum")}
    return {name: enum["separator"] for name, enum in enumerations.items() if "separator" in enum}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="+", type=Path)
    separators = flag_separators()
    lines: dict[str, str] = {}
    for path in parser.parse_args().files:
        for row in rows(path, separators):
            lines.setdefault(row, path.name.split("+")[0])
    text = "\n".join(sorted(f"{dialect}\t{row}" for row, dialect in lines.items()))
    (DATA / "enumerations.tsv").write_text(text + "\n")
    print(f"{len(lines)} enumerations")


if __name__ == "__main__":
    main()
