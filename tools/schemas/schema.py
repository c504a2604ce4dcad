"""The contents of the release files, and their layout as text. README.md explains the keys."""

import argparse
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Literal, TypedDict, cast

FORMAT = "mlirbc-properties/1"

Kind = Literal[
    "attr",
    "optional_attr",
    "segment_sizes",
    "int",
    "enum",
    "bool",
    "string",
    "array",
    "optional",
]

ATTRIBUTES: tuple[Kind, ...] = ("attr", "optional_attr")
SEGMENTS = ("operandSegmentSizes", "resultSegmentSizes")


class Flags(TypedDict):
    """How a set of flags is spelled: prefix, names joined with a comma and a blank, suffix."""

    prefix: str
    suffix: str
    flags: dict[str, str]
    none: str


Field = TypedDict(
    "Field",
    {
        "name": str,
        "property": str,
        "kind": Kind,
        "class": str,
        "value_type": str,
        "element": str,
        "element_value_type": str,
        "one_of": list[str],
        "count": int,
        "v5_index": int,
        "old_name": str,
        "bits": int,
        "signed": bool,
        "inner": "Field",
        "as": str,
        "text": Flags,
        "default": str | Literal[True],
        "in_dictionary": bool,
    },
    total=False,
)


class AttributeClass(TypedDict, total=False):
    """The name of a dialect attribute, or the builtin class and value type that an enumeration is."""

    name: str
    base: str
    value_type: str


class Op(TypedDict, total=False):
    """An operation; one without properties is empty."""

    properties: list[Field]
    operands: list[str]
    results: list[str]
    custom: bool
    since: str
    until: str


class Unmodelled(TypedDict):
    """An operation whose encoding is not known, and why."""

    op: str
    reason: str


class Release(TypedDict, total=False):
    """A release file."""

    format: str
    release: str
    version: str
    producers: list[str]
    like: str
    without: list[str]
    unmodelled: list[Unmodelled]
    attribute_classes: dict[str, AttributeClass]
    ops: dict[str, Op]


class NotUnderstood(Exception):
    """Something that would have to be guessed."""


def load(path: Path) -> Release:
    """Read a release file."""
    return cast(Release, json.loads(path.read_text(encoding="utf-8")))


def save(release: Release, path: Path) -> None:
    """Write a release file, one operation a line."""
    path.write_text("".join(_lines(release)), encoding="utf-8")


def properties(op: Op) -> list[Field]:
    """The fields of an operation, in the order of version 6."""
    return op.get("properties", [])


def classes_of(field: Field) -> Iterator[str]:
    """Every attribute class that a field names."""
    if field["kind"] in ATTRIBUTES:
        yield field["class"]
        if "element" in field:
            yield field["element"]
        yield from field.get("one_of", ())


def keep_used_classes(release: Release) -> None:
    """Drop the classes that no field names."""
    used = {name for op in release["ops"].values() for field in properties(op) for name in classes_of(field)}
    classes = release["attribute_classes"]
    release["attribute_classes"] = {name: classes[name] for name in sorted(classes) if name in used}


def release_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options that say which release is described, and where to."""
    parser.add_argument("--release", required=True, help="name that users choose it by")
    parser.add_argument("--version", required=True, help="exact version, for the record")
    parser.add_argument("--producer", action="append", required=True, help="how its producer strings begin")
    parser.add_argument("--out", required=True, type=Path)


def described(
    options: argparse.Namespace,
    ops: dict[str, Op],
    unmodelled: list[Unmodelled],
    classes: dict[str, AttributeClass],
) -> Release:
    """The description of the release that the options name, with the classes that its fields need."""
    release: Release = {
        "format": FORMAT,
        "release": options.release,
        "version": options.version,
        "producers": options.producer,
        "unmodelled": unmodelled,
        "attribute_classes": classes,
        "ops": ops,
    }
    keep_used_classes(release)
    return release


def _lines(release: Release) -> Iterator[str]:
    yield "{\n"
    for key in ("format", "release", "version", "producers"):
        yield f" {_json(key)}: {_json(release[key])},\n"
    if "like" in release:
        yield f' "like": {_json(release["like"])},\n "without": [\n'
        yield from _commas(f"  {_json(name)}" for name in release["without"])
        yield " ],\n"
    yield ' "unmodelled": [\n'
    yield from _commas(f"  {_json(entry)}" for entry in sorted(release["unmodelled"], key=lambda e: e["op"]))
    yield ' ],\n "attribute_classes": {\n'
    yield from _commas(_entries(release["attribute_classes"]))
    yield ' },\n "ops": {\n'
    yield from _commas(_entries(release["ops"]))
    yield " }\n}\n"


def _entries(table: Mapping[str, object]) -> Iterator[str]:
    return (f"  {_json(key)}: {_json(table[key])}" for key in sorted(table))


def _commas(lines: Iterator[str]) -> Iterator[str]:
    line = next(lines, None)
    for following in lines:
        yield f"{line},\n"
        line = following
    if line is not None:
        yield f"{line}\n"


def _json(value: object) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)
