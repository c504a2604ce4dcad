"""Writes the operations of a build of the main branch that are defined as in the release after it.

    python3 tools/operations/between_releases.py --before rust/mlirbc/data/operations/llvm-22.jsonl \\
        --after rust/mlirbc/data/operations/llvm-23.jsonl --schemas rust/mlirbc/data/releases/jaxlib-0.10.json \\
        --out rust/mlirbc/data/operations/jaxlib-0.10.jsonl

What both releases define alike needs no row. Of the other operations, the property schema of the build tells whether it
has the attributes and the groups of operands of the release before it, or of the one after it. Where it has both and the
formats differ, the operation has no row.
"""

import argparse
import copy
import json
import pathlib
from typing import Any

Row = dict[str, Any]

FASTMATH = ["fastmath", "Arith_FastMathAttr", {"default": "#arith.fastmath<none>"}]
# Attributes that neither release has.
MORE: dict[str, list[Any]] = {"vector.contract": [FASTMATH]}
# Attributes of the later form that the build refuses: it was asked for the earlier class.
EARLIER: dict[str, dict[str, str]] = {"llvm.func": {"function_entry_count": "I64Attr"}}


def rows(path: pathlib.Path) -> tuple[dict[str, Row], dict[str, Row]]:
    """The operations and the constraints of a release by name."""
    lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()[1:]]
    operations = {row["op"]: row for row in lines if "op" in row}
    return operations, {row["constraint"]: row for row in lines if "constraint" in row}


def layout(row: Row) -> tuple[list[str], list[str]]:
    """The names of the inherent attributes, and the groups of operands with their marks, if there are several."""
    attributes = [field[0] for part in ("attributes", "properties") for field in row.get(part, ())]
    marks = [field[2] if len(field) > 2 else "" for field in row.get("operands", ())]
    # A group of groups counts as one group.
    marks = ["*" if isinstance(mark, list) else mark for mark in marks]
    operands = [field[0] + mark for field, mark in zip(row.get("operands", ()), marks, strict=True)]
    has_groups = "AttrSizedOperandSegments" in row.get("traits", ())
    return sorted(attributes), operands if has_groups else []


def layout_of_build(schema: Row) -> tuple[list[str], list[str]]:
    """The layout of the property schema of a build."""
    names = [field["name"] for field in schema.get("properties", ()) if field["kind"] != "segment_sizes"]
    return sorted(name for name in names if name not in ("sym_name", "sym_visibility")), schema.get(
        "operands", []
    )


def without_symbols(layout: tuple[list[str], list[str]]) -> tuple[list[str], list[str]]:
    """A layout without the names of symbols, which are inherent in some builds only."""
    return [name for name in layout[0] if name not in ("sym_name", "sym_visibility")], layout[1]


def constraints_of(row: Row) -> list[str]:
    return [
        entry[1]
        for part in ("operands", "results", "attributes", "properties")
        for entry in row.get(part, ())
    ]


def resolved(row: Row | None, constraints: dict[str, Row]) -> list[Any]:
    """An operation with its constraints."""
    return [row, *(constraints.get(name) for name in constraints_of(row or {}))]


def has_other_cases(row: Row, before: dict[str, Row], after: dict[str, Row]) -> bool:
    """Whether an enumeration of an operation lost a case, or gave it another number or text."""

    def cases(constraints: dict[str, Row], name: str) -> list[Any]:
        enum_cases: list[Any] = constraints.get(name, {}).get("enum", {}).get("cases", [])
        return enum_cases

    names = constraints_of(row)
    return any(
        case not in cases(after, name) for name in names if name in after for case in cases(before, name)
    )


def text(row: Row) -> str:
    """The format with numbers instead of the names of operands."""
    format = json.dumps(row.get("format"))
    for place, (name, *_) in enumerate(row.get("operands", ())):
        format = format.replace(f'"${name}"', f'"${place}"')
    return format


def between(candidates: list[tuple[Row, dict[str, Row]]], schema: Row) -> list[tuple[Row, dict[str, Row]]]:
    """The later of two rows, with the attributes of either row that the build has."""
    (later, constraints), (earlier, _) = candidates
    expected_names, operands = layout_of_build(schema)
    attributes = {
        attribute[0]: attribute for row in (earlier, later) for attribute in row.get("attributes", ())
    }
    if (
        "properties" in later
        or operands != without_symbols(layout(later))[1]
        or not attributes.keys() >= set(expected_names)
    ):
        return []
    symbols = ("sym_name", "sym_visibility")
    later["attributes"] = [
        attribute for name, attribute in attributes.items() if name in expected_names or name in symbols
    ]
    return [(later, constraints)]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    for name in ("before", "after", "schemas", "out"):
        parser.add_argument(f"--{name}", type=pathlib.Path, required=True)
    options = parser.parse_args()
    (before, of_before), (after, of_after) = (rows(path) for path in (options.before, options.after))
    schemas = json.loads(options.schemas.read_text("utf-8"))
    releases = [(after, of_after), (before, of_before)]
    operations: dict[str, Row] = {}
    constraints: dict[str, Row] = {}
    for name in sorted(set(before) | set(after)):
        schema = schemas["ops"].get(name)
        if schema is None or resolved(before.get(name), of_before) == resolved(after.get(name), of_after):
            continue
        if name in before and name in after and has_other_cases(before[name], of_before, of_after):
            continue
        more = MORE.get(name, [])
        candidates = [
            (copy.deepcopy(rows[name]), release_constraints)
            for rows, release_constraints in releases
            if name in rows
        ]
        for row, _ in candidates:
            row["attributes"] = row.get("attributes", []) + more
        fitting = [
            candidate
            for candidate in candidates
            if without_symbols(layout(candidate[0])) == layout_of_build(schema)
        ]
        if len(candidates) == 2 and not fitting and text(candidates[0][0]) == text(candidates[1][0]):
            fitting = between(candidates, schema)
        if not fitting or any(text(row) != text(fitting[0][0]) for row, _ in fitting):
            continue
        row, release_constraints = fitting[0]
        for attribute in row.get("attributes", ()):
            attribute[1] = EARLIER.get(name, {}).get(attribute[0], attribute[1])
        operations[name] = {key: value for key, value in row.items() if value != []}
        for part in ("operands", "results", "attributes", "properties"):
            for _, constraint, *_ in row.get(part, ()):
                if constraint in release_constraints:
                    constraints[constraint] = release_constraints[constraint]
    lines = [json.dumps({"format": "mlirbc-operations/1", "release": schemas["release"]})]
    for kind in (constraints, operations):
        lines += [
            json.dumps(kind[name], separators=(",", ":"), ensure_ascii=False)
            for name in sorted(kind, key=str.encode)
        ]
    options.out.write_text("\n".join(lines) + "\n", "utf-8")
    print(f"{len(operations)} operations, {len(constraints)} constraints")


if __name__ == "__main__":
    main()
