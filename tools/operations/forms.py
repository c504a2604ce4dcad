"""Writes the operations that a build defines in another way than the newest definitions of its project.

    python3 tools/operations/definitions.py … --dialect … --out BUILD.jsonl      # of the source of the build
    python3 tools/operations/forms.py BUILD.jsonl rust/mlirbc/data/operations/iree-3.8.jsonl \\
        rust/mlirbc/data/operations/iree-3.13.jsonl rust/mlirbc/data/operations/stablehlo-1.20.jsonl \\
        rust/mlirbc/data/operations/llvm-23.jsonl

Kept are operations whose text may differ: with other operands, results, attributes, regions, successors
or format, or other traits that say something about types; and the constraints that these name and the
others do not define in the same way. `LLVM` has operations of LLVM whose form in a build is none of a
release; `probe_forms.py` shows what it prints.
"""

import argparse
import copy
import json
import pathlib
from typing import Any

Row = dict[str, Any]
Rows = dict[tuple[str, str], Row]
ABOUT_TEXT = ("operands", "results", "attributes", "properties", "regions", "successors", "format")
TRAITS_OF_TYPES = (
    "AttrSized",
    "SameOperands",
    "AllTypes",
    "TypesMatch",
    "InferType",
    "FirstAttrDerived",
    "Same",
)

FUNCTIONAL = ["operands", "attr-dict", "`:", ["functional-type", "operands", "results"]]
NAN_MODE = {"attributes": {"nan_mode": ["StrAttr", {"default": '"PROPAGATE"'}]}, "format": FUNCTIONAL}
FUSE = {
    "attributes": {"apply_cleanup": ["BoolAttr", {"default": "false"}]},
    "format": [
        *("$target", ["group", ["$tile_sizes"], 0], ["group", ["`interchange", "$tile_interchange"], 1]),
        *(["group", ["`apply_cleanup", "`=", "$apply_cleanup"], 2], "attr-dict", "`:"),
        ["functional-type", "operands", "results"],
    ],
}
NAN_OPERATIONS = ("argmax", "clamp", "max_pool2d", "maximum", "minimum", "reduce_max", "reduce_min")
# By build: the release whose row of an operation is changed, and the changes.
LLVM: dict[str, dict[str, tuple[str, Row]]] = {
    "iree-3.6": {f"tosa.{name}": ("llvm-22", NAN_MODE) for name in NAN_OPERATIONS},
    "iree-3.8": {"transform.structured.fuse": ("llvm-19", FUSE)},
}


def of_llvm(build: str, folder: pathlib.Path) -> Rows:
    """The operations of LLVM that a build has in a form of its own."""
    rows: Rows = {}
    for name, (release, changes) in LLVM.get(build, {}).items():
        row = copy.deepcopy(rows_of(folder / f"{release}.jsonl")["op", name])
        attributes = {attribute[0]: attribute for attribute in row.get("attributes", ())}
        attributes |= {name: [name, *definition] for name, definition in changes["attributes"].items()}
        row |= {"attributes": list(attributes.values()), "format": changes["format"]}
        rows["op", name] = row
    return rows


def rows_of(path: pathlib.Path) -> Rows:
    """The rows of a file, by their kinds and names."""
    rows = (json.loads(line) for line in path.read_text("utf-8").splitlines()[1:])
    return {next(iter(row.items())): row for row in rows}


def about_text(row: Row | None) -> list[Any]:
    """The parts of a row that decide how the operation is written."""
    if row is None:
        return []
    names = (json.dumps(trait) for trait in row.get("traits", ()))
    traits = sorted(name for name in names if name.lstrip('["').startswith(TRAITS_OF_TYPES))
    return [*(row.get(key) for key in ABOUT_TEXT), traits]


def constraints_of(row: Row) -> set[str]:
    """The names of constraints in a row of an operation."""
    parts = [part for key in ("operands", "results", "attributes", "properties") for part in row.get(key, ())]
    return {part[1] for part in parts}


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("build", type=pathlib.Path, help="all definitions of the build")
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument(
        "others",
        nargs="+",
        type=pathlib.Path,
        help="the definitions of the project, and of everything that it includes",
    )
    options = parser.parse_args()
    build = rows_of(options.build)
    defined: Rows = {}
    for path in reversed(options.others):
        defined |= rows_of(path)
    changed = {
        key: row
        for key, row in build.items()
        if key[0] == "op" and about_text(row) != about_text(defined.get(key))
    }
    changed |= of_llvm(options.out.stem, options.out.parent)
    names = {("constraint", name) for row in changed.values() for name in constraints_of(row)}
    changed |= {key: build[key] for key in names if key in build and build[key] != defined.get(key)}
    head = json.dumps({"format": "mlirbc-operations/1", "release": options.out.stem})
    order = sorted(changed, key=lambda key: (key[0] == "op", key[1].encode()))
    lines = (json.dumps(changed[key], separators=(",", ":"), ensure_ascii=False) for key in order)
    options.out.write_text("\n".join([head, *lines]) + "\n", "utf-8")
    print(f"{len(changed)} rows")


if __name__ == "__main__":
    main()
