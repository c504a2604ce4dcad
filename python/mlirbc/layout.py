"""Layouts of types: how to define one, and the attributes of data layouts.

`mlirbc.DataLayout` has the sizes of types at an operation; see `docs/reference/data-layout.md`.

>>> mlirbc.DataLayout.from_specs(["#dlti.dl_spec<index = 32 : i32>"]).get_type_size("index")
4
"""

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple, Protocol, TypeAlias

from mlirbc._mlirbc import (
    Attribute,
    DataLayout,
    DltiAttr,
    InvalidError,
    LayoutEntry,
    LayoutTable,
    Module,
    Type,
    TypeSize,
    TypeTable,
    VectorLayout,
    _layout_size_changes,
    _printable,
    _register_identifiers,
    _register_layout_table,
    _register_scope,
    _register_specification,
    _register_type_layout,
    _rfc_memref_layout,
    _unregister_layout,
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
    "LayoutWarning",
    "ScopeSpecification",
    "SizeChange",
    "TypeLayout",
    "TypeSize",
    "TypeTable",
    "VectorLayout",
    "register",
    "register_identifiers",
    "register_scope",
    "register_specification",
    "register_type",
    "size_changes",
    "table",
    "unregister_identifiers",
    "unregister_scope",
    "unregister_specification",
    "unregister_type",
    "verify",
]

_Entries: TypeAlias = Sequence[tuple[str | Type, Attribute]]
_Source: TypeAlias = LayoutTable | str | os.PathLike[str] | Mapping[str, object]

RFC_MEMREF_LAYOUT = _rfc_memref_layout()
"""The layout that the RFC "Data Layout Modeling" proposed for memrefs; MLIR has no layout for memrefs.

>>> layout = mlirbc.DataLayout.from_specs([], types=mlirbc.layout.RFC_MEMREF_LAYOUT)
>>> layout.get_type_size("memref<?x?xmemref<f32>>")  # a descriptor: 3 + 2 * 2 words as wide as `index`
56
"""
MEMREF_OF_THE_RFC = RFC_MEMREF_LAYOUT
"""The name of `RFC_MEMREF_LAYOUT` before 0.2."""


class TypeLayout(Protocol):
    """An object that gives the types of a class a layout; sizes are in bits, alignments in bytes.

    `entries` are the entries of the class that are in force, as keys and values; with the rules of the RFC,
    entries with names follow. `layout` answers questions about other types, e.g. of elements. An object may
    also have `preferred_alignment(type, layout, entries)`, else the ABI alignment counts;
    `index_bitwidth(type, layout, entries)`, else there is none; `is_memory_reference(type)`, else it is not
    one; `verify_entries(entries)`, which raises `ValueError` for entries that it refuses; and
    `are_compatible(outer, inner)`, which says whether entries may be nested in others. The last two see the
    entries of the class only.

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

    An object may also have `verify(key, value)`, which raises `ValueError` for values that it refuses.

    >>> class Innermost:
    ...     def combine(self, key, outer, inner):
    ...         return inner
    >>> mlirbc.layout.register_identifiers("toy_inner", Innermost())
    >>> specs = [f'#dlti.dl_spec<"toy_inner.level" = {level}>' for level in (1, 2)]
    >>> mlirbc.DataLayout.from_specs(specs).entries[0].value
    IntegerAttr(2 : i64)
    """

    def combine(self, key: str, outer: Attribute, inner: Attribute, /) -> Attribute:
        """The value inside a scope whose own is `inner`; raises `ValueError` if they do not combine."""
        ...


class ScopeSpecification(Protocol):
    """A function that finds the specification of an operation; see `register_specification`.

    >>> def of_region(op, attributes, region):
    ...     return None if region is None else attributes.get(f"toy.spec{region}")
    >>> mlirbc.layout.register_specification("example.split", of_region)
    """

    def __call__(
        self, op: str, attributes: Mapping[str, Attribute], region: int | None, /
    ) -> Attribute | DltiAttr | str | None:
        """The specification of an operation, or of the region with that number; None keeps its attributes."""
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

    Takes the same sources as `table`.

    >>> mlirbc.layout.register({"type": [{"name": "toy.handle", "size_in_bits": 64, "abi_alignment": 8}]})
    >>> mlirbc.DataLayout.from_specs([]).get_type_size("!llvm.struct<(i8, !toy.handle)>")
    16
    """
    _register_layout_table(table(source))


def register_type(name: str, layout: TypeLayout) -> None:
    """Give a class of types its layout, in all `DataLayout` that are made from now on.

    A class is a dialect and the name after it, e.g. `toy.matrix`, or the keyword of a builtin type without a
    layout. Raises `InvalidError` for types that MLIR itself has a rule for, e.g. `f80`: they keep it.

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
    """Declare whether `dlti.dl_spec` on operations of that name applies to their contents.

    >>> mlirbc.layout.register_scope("toy.module")
    """
    _register_scope(op, is_scope)


def register_identifiers(dialect: str, rules: IdentifierRules) -> None:
    """Say how identifiers that start with the name of a dialect are verified and combined, in all
    `DataLayout` that are made from now on.

    Without rules nested values must be equal in MLIR, and the innermost counts with `rules="rfc"`.

    >>> class Most:
    ...     def verify(self, key, value):
    ...         if not isinstance(value, mlirbc.attributes.IntegerAttr):
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
    """Say where operations of that name carry their specification; they are scopes then.

    `hook(op, attributes, region)` answers a specification, which replaces the `dlti.dl_spec` that the
    operation may have, or None, which leaves that in force. It sees all attributes, properties among them.
    `region` is the number of the region in scope: 0 for an operation with one region, and None for the
    operation itself if it has several or none.

    >>> def of_core(op, attributes, region):
    ...     width = attributes.get("example.width")
    ...     return width and f"#dlti.dl_spec<index = {width}>"
    >>> mlirbc.layout.register_specification("example.core", of_core)
    """
    _register_specification(op, hook)


def unregister_type(name: str) -> bool:
    """Forget the layout of a class of types, in all `DataLayout` that are made from now on.

    Returns whether there was one, as the other functions of this kind do.

    >>> mlirbc.layout.register({"type": [{"name": "toy.gone", "size_in_bits": 64, "abi_alignment": 8}]})
    >>> mlirbc.layout.unregister_type("toy.gone"), mlirbc.layout.unregister_type("toy.gone")
    (True, False)
    """
    return _unregister_layout("type", name)


def unregister_scope(op: str) -> bool:
    """Undo `register_scope` for operations of that name; returns whether it was called for them.

    >>> mlirbc.layout.register_scope("toy.gone")
    >>> mlirbc.layout.unregister_scope("toy.gone")
    True
    """
    return _unregister_layout("scope", op)


def unregister_identifiers(dialect: str) -> bool:
    """Forget the rules for the identifiers of a dialect; whether there were any.

    >>> mlirbc.layout.unregister_identifiers("toy_gone")
    False
    """
    return _unregister_layout("identifiers", dialect)


def unregister_specification(op: str) -> bool:
    """Forget the hook of operations of that name; whether there was one.

    >>> mlirbc.layout.register_specification("toy.gone", lambda op, attributes, region: None)
    >>> mlirbc.layout.unregister_specification("toy.gone")
    True
    """
    return _unregister_layout("specification", op)


def verify(
    module: "Module | edit.Module",
    *,
    strict: bool = False,
    types: Mapping[str, TypeLayout] | LayoutTable | None = None,
    rules: Literal["mlir", "rfc"] = "mlir",
    specifications: Mapping[str, ScopeSpecification] | None = None,
    identifiers: Mapping[str, IdentifierRules] | None = None,
    scopes: Mapping[str, bool] | None = None,
) -> None:
    """Check all specifications of a module: each by itself, and against the specifications around it. Decodes
    all bodies.

    The arguments are as for `DataLayout`. Raises `InvalidError` for the first wrong specification.

    >>> mlirbc.layout.verify(mlirbc.open("examples/layout.mlirbc"))
    """
    read = module if isinstance(module, Module) else module.snapshot()
    _verify_layout(read, strict, types, rules, specifications, identifiers, scopes)


class LayoutWarning(UserWarning):
    """A copy in another module has types of another size there.

    >>> issubclass(mlirbc.layout.LayoutWarning, UserWarning)
    True
    """


class SizeChange(NamedTuple):
    """A type and its sizes in bits, before and after; None where it has no layout.

    >>> mlirbc.layout.SizeChange(mlirbc.types.IndexType.get(), 32, 64).after
    64
    """

    type: Type
    before: int | TypeSize | None
    after: int | TypeSize | None


def size_changes(
    original: "edit.Operation | Sequence[edit.Block]", copy: "edit.Operation | Sequence[edit.Block]"
) -> list[SizeChange]:
    """The types whose size is another one in a copy, because the layout where it is differs.

    These are types of results and block arguments, and types that are attributes. Both are operations, or
    blocks of one region, of edited modules.

    >>> specs = [mlirbc.Attribute.parse(f"#dlti.dl_spec<index = {width} : i32>") for width in (32, 64)]
    >>> source, target = mlirbc.edit.Module.create(), mlirbc.edit.Module.create()
    >>> for module, spec in zip((source, target), specs):
    ...     module.operation.attributes["dlti.dl_spec"] = spec
    >>> op = source.detached("toy.op", results=[mlirbc.types.IndexType.get()])
    >>> source.body.append(op)
    >>> import warnings
    >>> with warnings.catch_warnings(action="ignore"):
    ...     copy = op.clone(into=target)
    >>> mlirbc.layout.size_changes(op, copy)
    [SizeChange(type=IndexType(index), before=32, after=64)]
    """
    (source, before), (target, after) = _part(original), _part(copy)
    if source is None or target is None:
        return []
    changes, omitted = _layout_size_changes(target._editor, source._editor, (before, after))
    if omitted:
        raise ValueError(f"{omitted} nested scopes cannot be compared at once: compare their operations")
    return [SizeChange(*row) for row in changes]


_Part: TypeAlias = tuple[int | None, list[int]]


def _part(part: "edit.Operation | Sequence[edit.Block]") -> "tuple[edit.Module | None, _Part]":
    if isinstance(part, Sequence):
        return (part[0]._module if part else None), (None, [block._id for block in part])
    return part._module, (part._id, [])


_SHOWN = 5


def _warn_of_size_changes(source: "edit.Module", target: "edit.Module", parts: tuple[_Part, _Part]) -> None:
    """Warn the caller of a clone if types have another size in the copy."""
    import warnings

    try:
        changes, omitted = _layout_size_changes(target._editor, source._editor, parts)
    except InvalidError as error:
        warnings.warn(f"the data layout of the copy is invalid: {error}", LayoutWarning, stacklevel=5)
        return
    if not changes and not omitted:
        return
    texts = [
        f"{changed_type} from {_bits(before)} to {_bits(after)}"
        for changed_type, before, after in changes[:_SHOWN]
    ]
    if len(changes) > _SHOWN:
        texts.append(f"{len(changes) - _SHOWN} more")
    if omitted:
        texts.append(f"{omitted} nested scopes are not compared")
    message = f"the copy has another data layout, in which sizes change: {', '.join(texts)}"
    warnings.warn(_printable(message), LayoutWarning, stacklevel=5)


def _bits(size: int | TypeSize | None) -> str:
    return "no layout" if size is None else f"{size} bits"
