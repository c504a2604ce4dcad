"""Extract symbols with everything that they need, merge modules into one, and split a module.

>>> module = mlirbc.open("examples/two_layers.mlirbc")
>>> mlirbc.extract(module, ["dense"]).symbols
['@dense']
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypedDict

from mlirbc import _mlirbc

__all__ = ["Extracted", "Merged", "Missing", "ModulePart", "Need", "Renamed", "extract", "merge", "split"]


class _PartRow(TypedDict):
    file: str
    symbols: list[str]
    operations: list[int]
    declares: list[dict[str, str]]
    includes: list[dict[str, str]]
    missing: list[dict[str, str]]


@dataclass(frozen=True, slots=True)
class Missing:
    """A reference to a symbol that the module does not have.

    >>> text = "func.func @f() { func.call @g() : () -> () return }"
    >>> mlirbc.extract(mlirbc.parse(text), ["f"]).missing
    [Missing(symbol='@f', name='@g')]
    """

    symbol: str
    """The symbol that refers to it; empty for the operation around all symbols."""
    name: str


@dataclass(frozen=True, slots=True)
class Extracted:
    """Some of the symbols of a module; see `extract`.

    >>> mlirbc.extract(mlirbc.open("examples/two_layers.mlirbc"), ["main"], declarations=True).declared
    ['@dense']
    """

    module: _mlirbc.Module
    symbols: list[str]
    """Symbols with their definitions, in the order of the module."""
    declared: list[str]
    missing: list[Missing]
    left_out: int
    """The number of operations without a symbol that are not in the new module."""
    unknown: list[str]
    """Symbols with bytes of unknown layout, which may refer to symbols that were left out."""


@dataclass(frozen=True, slots=True)
class Renamed:
    """A symbol or a resource that has another name in a merged module.

    >>> mlirbc.symbols.Renamed(1, "helper", "helper_0").new
    'helper_0'
    """

    module: int
    """The number of the module that it comes from."""
    name: str
    new: str


@dataclass(frozen=True, slots=True)
class Merged:
    """Several modules as one; see `merge`.

    >>> module = mlirbc.open("examples/two_layers.mlirbc")
    >>> mlirbc.merge([module, module]).shared
    ['@dense', '@main']
    """

    module: _mlirbc.Module
    renamed: list[Renamed]
    """Symbols with new names."""
    resources: list[Renamed]
    """Resources with new keys."""
    shared: list[str]
    """Symbols that are equal in several modules, and are there once."""
    linked: list[str]
    """Symbols that some modules declare and another one defines."""


@dataclass(frozen=True, slots=True)
class Need:
    """A symbol that a part needs, and the file with its definition.

    >>> mlirbc.symbols.Need("@dense", "0-dense.mlirbc").symbol
    '@dense'
    """

    symbol: str
    file: str


@dataclass(frozen=True, slots=True)
class ModulePart:
    """A module that `split` makes.

    >>> for part in mlirbc.split(mlirbc.open("examples/two_layers.mlirbc")):
    ...     print(part.file, [need.symbol for need in part.declares])
    0-dense.mlirbc []
    1-main.mlirbc ['@dense']
    """

    module: _mlirbc.Module
    file: str
    """A name for its file that every file system accepts."""
    symbols: list[str]
    operations: list[int]
    """The numbers of its operations in the module that was split. They come first in the part."""
    declares: list[Need]
    includes: list[Need]
    """Symbols that it contains as well because their operations have no declarations."""
    missing: list[Missing]


def extract(module: _mlirbc.Module, names: Sequence[str], *, declarations: bool = False) -> Extracted:
    """Make a module of some symbols, `main` or `kernels::step`, and everything that they refer to.

    The operations around the symbols keep their attributes, such as data layouts; resources come along if
    they are used. With `declarations`, other functions are declared instead of brought along.

    Raises `InvalidError` for a symbol that the module does not have, and `ReadError` for a malformed module.

    >>> made = mlirbc.extract(mlirbc.open("examples/two_layers.mlirbc"), ["main"])
    >>> [op.attributes["sym_name"].value for op in made.module.body.operations]
    ['dense', 'main']
    """
    names = [names] if isinstance(names, str) else list(names)
    extracted, text = _mlirbc._extract(module, names, declarations)
    record = json.loads(text)
    return Extracted(
        extracted,
        record["symbols"],
        record["declared"],
        [_missing(row) for row in record["missing"]],
        record["left_out"],
        record["unknown"],
    )


def merge(modules: "Iterable[_mlirbc.Module | ModulePart]", *, rename: bool = False) -> Merged:
    """Make one module of several, in the bytecode version and the release of the first one.

    Equal symbols are there once, declarations refer to definitions in other modules, and private symbols and
    resources with the same name get new ones; so do public symbols with `rename`. The parts of `split` give
    the module that was split.

    Raises `InvalidError` if attributes of the modules differ, if two public symbols have one name, or if a
    declaration has another type than the definition, and `UnsupportedError` if the first module cannot
    represent something of another one.

    >>> texts = (f"func.func private @f() {{ {op} return }}" for op in ("", '"t.x"() : () -> ()'))
    >>> mlirbc.merge([mlirbc.parse(text) for text in texts]).renamed
    [Renamed(module=1, name='f', new='f_0')]
    >>> module = mlirbc.open("examples/two_layers.mlirbc")
    >>> mlirbc.hash(mlirbc.merge(mlirbc.split(module)).module) == mlirbc.hash(module)
    True
    """
    all_ = list(modules)
    order: list[tuple[int, int]] | None = None
    parts = [part for part in all_ if isinstance(part, ModulePart)]
    if parts and len(parts) == len(all_):
        numbered = [
            (number, (at, place))
            for at, part in enumerate(parts)
            for place, number in enumerate(part.operations)
        ]
        order = [place for _, place in sorted(numbered)]
    merged, text = _mlirbc._merge(
        [source.module if isinstance(source, ModulePart) else source for source in all_], rename, order
    )
    record = json.loads(text)
    renamed, resources = ([Renamed(**row) for row in record[key]] for key in ("renamed", "resources"))
    return Merged(merged, renamed, resources, record["shared"], record["linked"])


def split(module: _mlirbc.Module) -> list[ModulePart]:
    """Make a module for each symbol of the top-level operation, with declarations of the symbols that it
    refers to.

    Operations without a symbol are in a part of their own, and external resources in the first one.

    Raises `UnsupportedError` or `InvalidError` if something has an unknown layout: it cannot be copied.

    >>> len(mlirbc.split(mlirbc.open("examples/two_layers.mlirbc")))
    2
    """
    parts, text = _mlirbc._split(module)
    return [_part(part, row) for part, row in zip(parts, json.loads(text), strict=True)]


def _missing(row: dict[str, str]) -> Missing:
    return Missing(row["from"], row["name"])


def _part(module: _mlirbc.Module, row: _PartRow) -> ModulePart:
    declares, includes = ([Need(**need) for need in needs] for needs in (row["declares"], row["includes"]))
    missing = [_missing(reference) for reference in row["missing"]]
    return ModulePart(module, row["file"], row["symbols"], row["operations"], declares, includes, missing)
