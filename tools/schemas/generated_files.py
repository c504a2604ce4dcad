"""Compares mlirbc with a build on generated files of the build.

For each operation of the schema the build makes one with a value in every field that has a sample, and one with
the required fields only. It writes both as bytecode and prints them. What mlirbc prints must show the same
properties; and the build must read from what mlirbc writes canonically what it reads from its own file.

    generated_files.py jaxlib-0.12               in an environment with the build
"""

import argparse
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

import builds
import isolated_calls
import mlirbc
import samples
import text
from from_build import _mnemonic as mnemonic
from registered_dialects import DATA, kind_of
from release_differences import expanded
from schema import ATTRIBUTES, Field, Release, load, properties

_BUILTIN = {
    "AffineMapAttr": "affine_map<(d0) -> (d0)>",
    "ArrayAttr": "[]",
    "Attribute": "unit",
    "BoolAttr": "true",
    "DictionaryAttr": "{a}",
    "FlatSymbolRefAttr": "@a",
    "FloatAttr": "1.000000e+00 : f32",
    "IntegerSetAttr": "affine_set<(d0) : (d0 >= 0)>",
    "StringAttr": '"a"',
    "SymbolRefAttr": "@a::@b",
    "TypeAttr": "i32",
    "TypedAttr": "1 : i32",
    "UnitAttr": "unit",
    "DenseBoolArrayAttr": "array<i1: true>",
    "DenseI8ArrayAttr": "array<i8: 1>",
    "DenseI16ArrayAttr": "array<i16: 1>",
    "DenseI32ArrayAttr": "array<i32: 1>",
    "DenseI64ArrayAttr": "array<i64: 1>",
    "DenseF32ArrayAttr": "array<f32: 1.0>",
    "DenseF64ArrayAttr": "array<f64: 1.0>",
}
_ELEMENTS = "dense<1> : tensor<1xi64>"


class Values:
    """Samples for the fields of a schema."""

    def __init__(self, schema: Release, build: builds.Build) -> None:
        self._classes = schema["attribute_classes"]
        dialects = {name.partition(".")[0] for name in schema["ops"]}
        texts = samples.samples(build, dialects)
        self._named = {mnemonic(item): item for item in reversed(texts)}

    def value(self, field: Field) -> str | None:
        """A value that the field takes; nothing if none is known."""
        if field["kind"] == "segment_sizes":
            return f"array<i32: {', '.join('0' for _ in range(field['count']))}>"
        if field["kind"] not in ATTRIBUTES:
            return None
        name = next((item for item in field.get("one_of", ()) if item in _BUILTIN), field["class"])
        if name == "FloatAttr" and field.get("value_type", "f32") != "f32":
            return f"1.000000e+00 : {field['value_type']}"
        facts = self._classes.get(name, {})
        if name == "IntegerAttr" or facts.get("base") == "IntegerAttr":
            kind = field.get("value_type", facts.get("value_type", "i64"))
            return (
                "true" if kind == "i1" else f"1 : {kind if kind[-1].isdigit() or kind == 'index' else 'i64'}"
            )
        if "Elements" in name:
            return _ELEMENTS
        return _BUILTIN.get(name) or self._named.get(facts.get("name", ""))


def sources(name: str, fields: Sequence[Field], values: Values) -> Iterable[dict[str, str]]:
    """The attributes of the operations to make: all that have a sample, and the required ones."""
    values_by_name = {field["name"]: values.value(field) for field in fields}
    required = {field["name"] for field in fields if field["kind"] in ("attr", "segment_sizes")}
    if all(values_by_name[name] for name in required):
        yield {name: value for name, value in values_by_name.items() if value}
        yield {name: value for name, value in values_by_name.items() if value and name in required}


def outcome(
    build: builds.Build, operation: str, attributes: dict[str, str], schema: mlirbc.PropertySchema
) -> str:
    """The outcome for one operation."""
    file = build.bytecode(operation, attributes)
    expected = build.read(operation, file)
    if expected.shown is None:
        return "not shown by the build"
    module = mlirbc.read(file, release=schema.release, schemas=[schema])
    shown = text.shown(module.get_asm(print_generic_op_form=True, use_local_scope=True), operation)
    if shown != expected.shown:
        return f"printed otherwise: {shown} instead of {expected.shown}"
    rewritten = build.read(operation, bytes(module.write(numbering="canonical")))
    if rewritten.shown != expected.shown:
        return f"read back otherwise: {rewritten.shown or rewritten.complaint} instead of {expected.shown}"
    return "same"


def main(arguments: list[str] | None = None) -> int:
    """Print how many operations came out the same, and each that did not."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("release")
    parser.add_argument("--data", type=Path, default=DATA)
    options = parser.parse_args(arguments)
    folder = options.data / "releases"
    schema = expanded(dict(load(folder / f"{options.release}.json")), folder)
    build = builds.BUILDS[kind_of(options.release)]()
    values = Values(schema, build)
    loaded = mlirbc.schemas.schema(schema)
    jobs = [
        (name, attributes)
        for name, op in schema["ops"].items()
        if properties(op)
        for attributes in sources(name, properties(op), values)
    ]
    counts: Counter[str] = Counter()
    for (name, attributes), result in isolated_calls.results_of(
        jobs, lambda job: outcome(build, job[0], job[1], loaded)
    ):
        answer = result or "the build crashed"
        counts[answer.partition(":")[0]] += 1
        if ":" in answer:
            print(f"{name} {attributes}: {answer}", file=sys.stderr)
    with_properties = sum(1 for op in schema["ops"].values() if properties(op))
    tried = len({name for name, _ in jobs})
    row = ", ".join(f"{count} {kind}" for kind, count in counts.most_common())
    print(f"{options.release}: {tried} of {with_properties} operations with properties; {row}")
    return int(any(kind.startswith(("printed", "read")) for kind in counts))


if __name__ == "__main__":
    sys.exit(main())
