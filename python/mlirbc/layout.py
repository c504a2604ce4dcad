"""Layouts of types: how to define one, and the attributes of data layouts.

`mlirbc.DataLayout` has the sizes of types at an operation; see `docs/reference/data-layout.md`.

>>> mlirbc.DataLayout.from_specs(["#dlti.dl_spec<index = 32 : i32>"]).get_type_size("index")
4
"""

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Literal, Protocol, TypeAlias

from mlirbc._mlirbc import (
    Attribute,
    DataLayout,
    DltiAttr,
    LayoutEntry,
    LayoutTable,
    Module,
    Type,
    TypeSize,
    TypeTable,
    VectorLayout,
    _register_identifiers,
    _register_layout_table,
    _register_scope,
    _register_specification,
    _register_type_layout,
    _rfc_memref_layout,
    _verify_layout,
)
from mlirbc._source import text_of_file

if TYPE_CHECKING:
    from mlirbc import edit

__all__ = [
    "RFC_MEMREF_LAYOUT",
    "DataLayout",
    "DltiAttr",
    "IdentifierRules",
    "LayoutEntry",
    "LayoutTable",
    "ScopeSpecification",
    "TypeLayout",
    "TypeSize",
    "TypeTable",
    "VectorLayout",
    "register",
    "register_identifiers",
    "register_scope",
    "register_specification",
    "register_type",
    "table",
    "verify",
]

_Entries: TypeAlias = Sequence[tuple[str | Type, Attribute]]
_Source: TypeAlias = LayoutTable | str | os.PathLike[str] | Mapping[str, object]

RFC_MEMREF_LAYOUT = _rfc_memref_layout()
"""The layout that the RFC "Data Layout Modeling" proposed for memrefs; MLIR has none.

>>> layout = mlirbc.DataLayout.from_specs([], types=mlirbc.layout.RFC_MEMREF_LAYOUT)
>>> layout.get_type_size("memref<?x?xmemref<f32>>")  # a descriptor: 3 + 2 * 2 words as wide as `index`
56
"""
MEMREF_OF_THE_RFC = RFC_MEMREF_LAYOUT
"""The name of `RFC_MEMREF_LAYOUT` before 0.2."""


class TypeLayout(Protocol):
    """What gives types of a class a layout; sizes in bits, alignments in bytes.

    `entries` are the entries of the class that are in force, as keys and values. `layout` answers questions
    about other types, e.g. of elements. An object may also have `preferred_alignment(type, layout, entries)`,
    else the ABI alignment counts; `index_bitwidth(type, layout, entries)`, else there is none;
    `verify_entries(entries)`, which raises `ValueError` for those it refuses; and
    `are_compatible(outer, inner)`, which says whether entries may be nested in others.

    >>> class Matrix:
    ...     def size_in_bits(self, type, layout, entries):
    ...         rows, columns, element = str(type)[len("!toy.matrix<"):-1].split("x", 2)
    ...         return int(rows) * int(columns) * layout.get_type_size_in_bits(element)
    ...     def abi_alignment(self, type, layout, entries):
    ...         return 16
    >>> mlirbc.DataLayout.from_specs([], types={"toy.matrix": Matrix()}).get_type_size("!toy.matrix<2x3xf32>")
    24
    """

    def size_in_bits(self, type: Type, layout: DataLayout, entries: _Entries, /) -> int | TypeSize:
        """The size of a type in bits."""
        ...

    def abi_alignment(self, type: Type, layout: DataLayout, entries: _Entries, /) -> int:
        """The alignment that the ABI requires, in bytes."""
        ...


class IdentifierRules(Protocol):
    """The rules for the identifiers of a dialect; see `register_identifiers`.

    An object may also have `verify(key, value)`, which raises `ValueError` for what it refuses.

    >>> class Innermost:
    ...     def combine(self, key, outer, inner):
    ...         return inner
    >>> mlirbc.layout.register_identifiers("toy_inner", Innermost())
    >>> specs = [f'#dlti.dl_spec<"toy_inner.level" = {level}>' for level in (1, 2)]
    >>> mlirbc.DataLayout.from_specs(specs).entries[0].value
    IntegerAttr(2 : i64)
    """

    def combine(self, key: str, outer: Attribute, inner: Attribute, /) -> Attribute:
        """The value inside a scope whose own is `inner`; raises `ValueError` for what does not combine."""
        ...


class ScopeSpecification(Protocol):
    """What says where an operation carries its specification; see `register_specification`.

    >>> def of_region(op, attributes, region):
    ...     return None if region is None else attributes.get(f"toy.spec{region}")
    >>> mlirbc.layout.register_specification("example.split", of_region)
    """

    def __call__(
        self, op: str, attributes: Mapping[str, Attribute], region: int | None, /
    ) -> Attribute | DltiAttr | str | None:
        """The specification of an operation, or of the region with that number; None without one."""
        ...


def table(source: _Source) -> LayoutTable:
    """Make a table from a TOML file, or from a mapping with the same keys.

    Raises `InvalidError` that names the line or the formula which is wrong.

    >>> mlirbc.layout.table({"type": [{"name": "toy.handle", "size_in_bits": 64, "abi_alignment": 8}]})
    <mlirbc.LayoutTable of toy.handle>
    """
    if isinstance(source, LayoutTable):
        return source
    if isinstance(source, Mapping):
        import json

        return LayoutTable.from_json(json.dumps(source, default=dict))
    return LayoutTable.from_toml(text_of_file(source))


def register(source: _Source) -> None:
    """Give the classes of types in a table their layout, in all `DataLayout` that are made from now on.

    Takes what `table` takes.

    >>> mlirbc.layout.register({"type": [{"name": "toy.handle", "size_in_bits": 64, "abi_alignment": 8}]})
    >>> mlirbc.DataLayout.from_specs([]).get_type_size("!llvm.struct<(i8, !toy.handle)>")
    16
    """
    _register_layout_table(table(source))


def register_type(name: str, layout: TypeLayout) -> None:
    """Give a class of types its layout, in all `DataLayout` that are made from now on.

    A class is a dialect and the name after it, e.g. `toy.matrix`, or the keyword of a builtin type. Types
    that MLIR itself has a rule for keep it.

    >>> class Token:
    ...     def size_in_bits(self, type, layout, entries):
    ...         return 12
    ...     def abi_alignment(self, type, layout, entries):
    ...         return 4
    >>> mlirbc.layout.register_type("toy.token", Token())
    >>> mlirbc.DataLayout.from_specs([]).get_type_size("!toy.token")
    2
    """
    _register_type_layout(name, layout)


def register_scope(op: str, is_scope: bool = True) -> None:
    """Say that `dlti.dl_spec` on operations of that name counts for what is inside, or that it does not.

    >>> mlirbc.layout.register_scope("toy.module")
    """
    _register_scope(op, is_scope)


def register_identifiers(dialect: str, rules: IdentifierRules) -> None:
    """Say how identifiers that start with the name of a dialect are verified and combined, in all
    `DataLayout` that are made from now on.

    Without rules nested values must be equal in MLIR, and the innermost counts with `rules="rfc"`.

    >>> class Most:
    ...     def verify(self, key, value):
    ...         if not isinstance(value, mlirbc.IntegerAttr):
    ...             raise ValueError(f"{key} is a number")
    ...     def combine(self, key, outer, inner):
    ...         return max(outer, inner, key=lambda item: item.value)
    >>> mlirbc.layout.register_identifiers("example", Most())
    >>> specs = [f'#dlti.dl_spec<"example.lanes" = {lanes}>' for lanes in (8, 4)]
    >>> mlirbc.DataLayout.from_specs(specs).entries[0].value
    IntegerAttr(8 : i64)
    """
    _register_identifiers(dialect, rules)


def register_specification(op: str, hook: ScopeSpecification) -> None:
    """Say where operations of that name carry their specification; they are scopes then, and `dlti.dl_spec`
    on them is ignored.

    `hook(op, attributes, region)` answers a specification, or None: `region` is the number of the region that
    is asked about, or None for the operation itself. It sees all attributes, properties among them.

    >>> def of_core(op, attributes, region):
    ...     width = attributes.get("example.width")
    ...     return width and f"#dlti.dl_spec<index = {width}>"
    >>> mlirbc.layout.register_specification("example.core", of_core)
    """
    _register_specification(op, hook)


def verify(
    module: "Module | edit.Module", *, strict: bool = False, rules: Literal["mlir", "rfc"] = "mlir"
) -> None:
    """Check all specifications of a module: each by itself, and against those around it. Decodes all bodies.

    Raises `InvalidError` with the first that is wrong.

    >>> mlirbc.layout.verify(mlirbc.open("examples/layout.mlirbc"))
    """
    _verify_layout(module if isinstance(module, Module) else module.snapshot(), strict, rules)
