#!/usr/bin/env python3
"""Writes the operation definitions of a release: one line of JSON for each constraint and operation, sorted
by name.

    definitions.py --tblgen /usr/lib/llvm-22/bin/llvm-tblgen --include /usr/lib/llvm-22/include \
        --schemas rust/mlirbc/data/releases/llvm-22.json --out rust/mlirbc/data/operations/llvm-22.jsonl

`tools/operations/README.md` explains the rows.
"""

import argparse
import json
import re
from pathlib import Path
from typing import Any

import assembly_format
import transformers
from constraints import Constraints, unqualified
from tblgen import Records, arguments, classes, code, files, run

# Interfaces and traits that say nothing about structure or text.
SILENT = re.compile(r"MemoryEffect|Speculat|Bytecode|^anonymous_")
TRAIT_KINDS = {
    "AllTypesMatch": "values",
    "AllElementTypesMatch": "values",
    "AllShapesMatch": "values",
    "AllRanksMatch": "values",
    "AllElementCountsMatch": "values",
}
DEFAULTED = {"DefaultValuedAttr": "default", "DefaultValuedOptionalAttr": "optional_default"}

SYMBOL_ATTRIBUTES = {"sym_name": "SymbolNameAttr", "sym_visibility": "StrAttr"}

# Operations that no `.td` file has, with any operands and with the maps of the property schema.
CPP_OPERATIONS = ("affine.dma_start", "affine.dma_wait")


def trait_rows(records: Records, traits: list[Any], rows: list[Any]) -> None:
    """The traits of an operation: a name, or a list that begins with the name for a trait with arguments."""
    for reference in traits or ():
        record = records.named(reference)
        if record is None:
            continue
        kinds = classes(record)
        if "TraitList" in kinds:
            trait_rows(records, record.get("traits"), rows)
            continue
        row: Any = None
        if record.get("transformer"):
            kind = "OptionalTypesMatchWith" if "OptionalTypesMatchWith" in kinds else "TypesMatchWith"
            row = [kind, record["lhs"], record["rhs"], transformers.name(record["transformer"])]
        elif kind := next((kind for kind in TRAIT_KINDS if kind in kinds), None):
            # Since 23, one of these traits has its names in the summary only.
            named = re.search(r"all of \{(.*)\}", record.get("summary") or "")
            names = named[1].split(", ") if named else []
            row = [kind, *record.get(TRAIT_KINDS[kind], names)]
        elif "HasParent" in kinds or "ParentOneOf" in kinds:
            row = ["HasParent", *re.findall(r"[\w:]+", re.sub(r"^.*?<|>.*$", "", record["trait"]))]
        elif "SingleBlockImplicitTerminator" in (record.get("trait") or ""):
            row = ["SingleBlockImplicitTerminator", re.sub(r"^.*?<|>.*$", "", record["trait"])]
        else:
            name = record.get("trait") or record.get("cppInterfaceName") or record["!name"]
            name = name.split("::")[0] if name.endswith("::Trait") else name.removesuffix("::Trait")
            if record.get("cppInterfaceName"):
                name = record["cppInterfaceName"]
            if not SILENT.search(name):
                row = name.split("::")[-1] if "<" not in name else name
        if row is not None and row not in rows:
            rows.append(row)


def unwrapped(records: Records, record: dict[str, Any]) -> dict[str, Any]:
    """The constraint inside `Arg<…>` and `Res<…>`, which only decorate."""
    while "OpVariable" in classes(record) and (inner := records.named(record.get("constraint"))):
        record = inner
    return record


def value_row(records: Records, constraints: Constraints, name: str, record: dict[str, Any]) -> list[Any]:
    """An operand or result: name, constraint, and `?` (optional), `*` (variadic) or the name of a segment
    attribute."""
    kinds = classes(record)
    marks: list[Any] = []
    if "VariadicOfVariadic" in kinds:
        marks = [["segments", record["segmentAttrName"]]]
    elif "Variadic" in kinds:
        marks = ["*"]
    elif "Optional" in kinds:
        marks = ["?"]
    while {"Variadic", "Optional", "VariadicOfVariadic"} & classes(record) and (
        inner := records.named(record["baseType"])
    ):
        record = inner
    return [name, constraints.type_row(records, record), *marks]


def operation_row(
    records: Records, constraints: Constraints, record: dict[str, Any], schema: dict[str, Any]
) -> dict[str, Any]:
    row: dict[str, Any] = {}
    operands, attributes, properties = [], [], []
    defaults = {
        field["name"]: field["default"] for field in schema.get("properties", ()) if "default" in field
    }
    for value, name in arguments(record["arguments"]):
        argument = unwrapped(records, records.named(value) or {})
        kinds = classes(argument)
        if "TypeConstraint" in kinds:
            operands.append(value_row(records, constraints, name, argument))
        elif "Property" in kinds or "PropConstraint" in kinds:
            properties.append(
                [
                    name,
                    constraints.property_row(records, argument),
                    *([defaults[name]] if name in defaults else []),
                ]
            )
        else:
            marks: dict[str, Any] = {}
            if "OptionalAttr" in kinds or argument.get("isOptional"):
                marks["optional"] = True
            for kind, field in DEFAULTED.items():
                if kind in kinds:
                    marks[field] = defaults.get(name) or ["code", code(argument["defaultValue"])]
            inner = argument
            while {"OptionalAttr", *DEFAULTED} & classes(inner) and (
                nested := records.named(inner.get("baseAttr"))
            ):
                inner = nested
            attributes.append([name, constraints.attribute_row(records, inner), *([marks] if marks else [])])
    # Since LLVM 23, the interface of symbols gives these to operations whose definitions do not name them.
    declared = {row[0] for row in attributes}
    for field in schema.get("properties", ()):
        if field["name"] in SYMBOL_ATTRIBUTES and field["name"] not in declared:
            marks = {"optional": True} if field["kind"].startswith("optional") else None
            row_of = [field["name"], SYMBOL_ATTRIBUTES[field["name"]]]
            attributes.append([*row_of, marks] if marks else row_of)
    results = [
        value_row(records, constraints, name, unwrapped(records, records.named(value) or {}))
        for value, name in arguments(record["results"])
    ]
    traits: list[Any] = []
    trait_rows(records, record.get("traits"), traits)
    if record.get("summary"):
        row["summary"] = record["summary"].strip()
    for key, rows in (
        ("operands", operands),
        ("results", results),
        ("attributes", attributes),
        ("properties", properties),
    ):
        if rows:
            row[key] = rows
    for key, variadic in (("regions", "VariadicRegion"), ("successors", "VariadicSuccessor")):
        parts = []
        for value, name in arguments(record.get(key)):
            part = records.named(value)
            marks = ["*"] if variadic in classes(part) else []
            constraint = (
                part["!name"]
                if part and not part["!name"].startswith("anonymous")
                else (part or {}).get("summary", "")
            )
            parts.append([name, constraint, *marks])
        if parts:
            row[key] = parts
    if traits:
        row["traits"] = traits
    if record.get("assemblyFormat"):
        row["format"] = assembly_format.parse(record["assemblyFormat"])
    elif record.get("hasCustomAssemblyFormat"):
        row["format"] = "custom"
    return row


def resolve_operation_names(
    operations: dict[str, dict[str, Any]], cpp_names: dict[str, str], namespaces: dict[str, str]
) -> None:
    """Replaces C++ classes in traits by operation names."""
    for name, row in operations.items():
        dialect = name.split(".")[0]
        for trait in row.get("traits", ()):
            if isinstance(trait, list) and trait[0] in ("HasParent", "SingleBlockImplicitTerminator"):
                for index, cpp_class in enumerate(trait[1:], 1):
                    short = unqualified(cpp_class)
                    # Names of IREE leave out its outer namespace.
                    spellings = (short, f"{namespaces[dialect]}::{short}", f"iree_compiler::{short}")
                    matches = (cpp_names[name] for name in spellings if name in cpp_names)
                    trait[index] = next(matches, cpp_class)


def cpp_class_name(record: dict[str, Any]) -> str:
    """The C++ class of an operation, as `mlir::tblgen::Operator` derives it from the name of the record."""
    prefix, separator, class_name = record["!name"].partition("_")
    return class_name if separator and prefix else record["!name"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tblgen", required=True, help="path of llvm-tblgen")
    parser.add_argument("--include", required=True, action="append", type=Path, help="folder for includes")
    parser.add_argument(
        "--folder",
        action="append",
        type=Path,
        help="folder whose .td files are read, else the first one for includes",
    )
    parser.add_argument(
        "--dialect", action="append", help="a dialect that is written, or the start of names in it, else all"
    )
    parser.add_argument("--schemas", required=True, type=Path, help="property schemas of the release")
    parser.add_argument("--out", required=True, type=Path)
    options = parser.parse_args()

    schemas = json.loads(options.schemas.read_text())
    constraints, operations = Constraints(), {}
    cpp_names: dict[str, str] = {}
    namespaces: dict[str, str] = {}
    runs = []
    for file in [file for folder in options.folder or options.include[:1] for file in files(folder)]:
        records = run(options.tblgen, file, options.include)
        if records is not None:
            constraints.note_classes(records)
            runs.append(records)
    for records in runs:
        for record in records.instances("Op"):
            dialect = records.named(record["opDialect"])
            if not record.get("opName") or dialect is None:
                continue
            name = f"{dialect['name']}.{record['opName']}".removeprefix(".")
            namespaces[dialect["name"]] = unqualified(dialect["cppNamespace"])
            cpp_names.setdefault(f"{unqualified(dialect['cppNamespace'])}::{cpp_class_name(record)}", name)
            if options.dialect and not any(name.startswith(f"{start}.") for start in options.dialect):
                continue
            # Extensions of a dialect that the build does not register.
            if options.dialect and name not in schemas["ops"]:
                continue
            if name not in operations:
                operations[name] = operation_row(records, constraints, record, schemas["ops"].get(name, {}))
    if not options.dialect:
        for name in CPP_OPERATIONS:
            maps = [[field["name"], "AffineMapAttr"] for field in schemas["ops"][name].get("properties", ())]
            row = {"operands": [["operands", "AnyType", "*"]]} | ({"attributes": maps} if maps else {})
            operations[name] = {**row, "format": "custom"}
    resolve_operation_names(operations, cpp_names, namespaces)

    with options.out.open("w") as stream:
        header = {"format": "mlirbc-operations/1", "release": schemas["release"]}
        stream.write(json.dumps(header) + "\n")
        for kind, rows in (("constraint", constraints.rows), ("op", operations)):
            for name in sorted(rows, key=str.encode):
                stream.write(json.dumps({kind: name, **rows[name]}, separators=(",", ":")) + "\n")
    print(
        f"{len(operations)} operations, {len(constraints.rows)} constraints, {options.out.stat().st_size} bytes"  # noqa: E501
    )


if __name__ == "__main__":
    main()
