"""Finds attributes that one release reads from the dictionary of an operation and another one as a property.

For each operation that two releases have, a property that only one of them has is compared with the names
that the other one reads from dictionaries: those that functions of its headers return
(`getKernelFuncAttrName`, the helpers of `discardableAttrs`), or, of a build without headers, the strings of
its library. Names are compared without dialect, case and underscores, so that what is printed has to be
looked at: `--known` leaves out the rows that are in `translation/releases.toml` already.

    python moved_attributes.py --release llvm-22=include-22 --release iree-3.13=libIREECompiler.so
"""

import argparse
import json
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

DATA = Path(__file__).resolve().parents[2] / "rust/mlirbc/data"
_RETURNED = re.compile(rb'return\s+(?:(?:::)?(?:llvm::)?StringLiteral\()?"([a-z_]\w*\.[\w.]+)"')
_STRING = re.compile(rb"(?<![\w.$-])([a-z_]\w*\.[a-z_][\w.]*)(?=\0)")


@dataclass(frozen=True)
class Release:
    """A release: the properties of its operations, and the dotted names that are not operations."""

    name: str
    properties: dict[str, set[str]]
    dotted: set[str]


@dataclass(frozen=True, order=True)
class Move:
    """A property of an operation, and the attribute of the dictionary that may be the same."""

    op: str
    property: str
    attribute: str


def bare(name: str) -> str:
    """A name without the parts that releases change."""
    last = name.rpartition(".")[2].lower().replace("_", "")
    return last.removesuffix("attr")


def properties(release: str) -> dict[str, set[str]]:
    """By operation; of 16 the names of its attributes."""
    names = DATA / f"attributes-{release.partition('-')[2]}.txt"
    if names.exists():
        rows = (line.split() for line in names.read_text().splitlines() if not line.startswith("#"))
        return {op: set(attributes) for op, *attributes in rows}
    ops = json.loads((DATA / f"releases/{release}.json").read_text())["ops"]
    return {op: {field["name"] for field in row.get("properties", ())} for op, row in ops.items()}


def dotted(source: Path) -> set[str]:
    """The names in headers or in a library."""
    if source.is_dir():
        files = (file for suffix in ("h", "inc") for file in sorted(source.rglob(f"*.{suffix}")))
        matches = (match for file in files for match in _RETURNED.findall(file.read_bytes()))
    else:
        matches = iter(_STRING.findall(source.read_bytes()))
    return {name.decode() for name in matches}


def moves(reader: Release, owner: Release) -> Iterator[Move]:
    """Properties of `owner` that `reader` may read from dictionaries."""
    by_bare: dict[str, set[str]] = {}
    for name in reader.dotted:
        by_bare.setdefault(bare(name), set()).add(name)
    for op in sorted(reader.properties.keys() & owner.properties.keys()):
        for name in sorted(owner.properties[op] - reader.properties[op]):
            for attribute in sorted(by_bare.get(bare(name), ())):
                # Attributes of a dialect are read on its operations, or on operations that all dialects use.
                if attribute.partition(".")[0] in {op.partition(".")[0], *OF_FUNCTIONS.get(op, ())}:
                    yield Move(op, name, attribute)


OF_FUNCTIONS = {
    "func.func": ("llvm", "gpu", "nvvm", "rocdl", "spirv"),
    "llvm.func": ("llvm", "gpu", "nvvm", "rocdl"),
    "gpu.func": ("llvm", "nvvm", "rocdl", "spirv"),
    "gpu.module": ("llvm", "nvvm", "rocdl", "spirv"),
}


def translated() -> set[tuple[str, str, str]]:
    """Rows of the translation that lead from a dotted name to another one, both ways."""
    rows = tomllib.loads((DATA / "translation" / "releases.toml").read_text())["property"]
    pairs = {(row["op"], row.get("before", ""), row["after"]) for row in rows}
    return pairs | {(op, after, before) for op, before, after in pairs}


def main() -> None:
    """Prints the candidates."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--release", action="append", required=True, metavar="NAME=HEADERS_OR_LIBRARY")
    parser.add_argument("--known", action="store_true", help="leave out what is translated already")
    args = parser.parse_args()
    releases = []
    for argument in args.release:
        name, _, source = argument.partition("=")
        ops = properties(name)
        releases.append(Release(name, ops, dotted(Path(source)) - ops.keys()))
    done = translated() if args.known else set()
    for reader in releases:
        for owner in releases:
            for move in moves(reader, owner):
                if (move.op, move.attribute, move.property) not in done:
                    attribute, subject = move.attribute, f"{reader.name} {move.op}"
                    print(f"{subject} {{{attribute}}} is <{{{move.property}}}> in {owner.name}")


if __name__ == "__main__":
    main()
