"""`Module` of upstream's bindings: an edited module that belongs to a context.

A part that is created without a place, such as `Operation.create("test.op")` outside of all blocks, is in a
`LooseModule` of its own. What is inserted in another module moves there, and its handles follow.
"""

import sys
from collections.abc import Sequence
from os import PathLike
from typing import TYPE_CHECKING, TypeVar, Unpack, cast

from mlirbc import _mlirbc, edit
from mlirbc._edited_handles import Handle, ReadHandle
from mlirbc._locations import Location
from mlirbc._mlirbc import Attribute, Type, _Editor
from mlirbc._sparse_elements import DenseResourceElementsAttr
from mlirbc._strings import StringAttr
from mlirbc.mlir import not_available
from mlirbc.mlir._context import Context, resolve_context
from mlirbc.mlir._diagnostics import parse_failure
from mlirbc.mlir._insertion import InsertionPoint
from mlirbc.mlir._location import resolve_location
from mlirbc.mlir._registry import VALUE_CASTERS

if TYPE_CHECKING:
    from mlirbc._edited_values import BlockArgument, OpResult
    from mlirbc._written import WrittenBytes
    from mlirbc.edit import _WriteKeywords
    from mlirbc.mlir._operation import Operation, OperationBase

__all__ = ["LooseModule", "Module"]

_M = TypeVar("_M", bound="Module")
_Places = dict[tuple[str, int], tuple[edit.Module, int]]

_BYTECODE = b"ML\xefR"


class Module(edit.Module):
    """A module in a context.

    >>> from mlirbc.mlir import ir
    >>> with ir.Context():
    ...     module = ir.Module.parse("module @empty {}")
    >>> print(module)
    module @empty {
    }
    <BLANKLINE>
    """

    __slots__ = ("__weakref__", "_context", "_searched")

    _context: Context

    def _begin(self, context: Context, editor: _Editor, base: _mlirbc.Module | None) -> None:
        self._start(editor, base)
        self._context = context
        # The number of attributes that were searched for buffers of the context.
        self._searched = 0

    @classmethod
    def _of(cls: type[_M], context: Context, editor: _Editor, base: _mlirbc.Module | None) -> _M:
        module = cls.__new__(cls)
        module._begin(context, editor, base)
        return module

    @staticmethod
    def parse(asm: str | bytes, context: Context | None = None) -> "Module":
        """The module of a text or of bytecode. Raises `MLIRError` if it is not valid."""
        context = resolve_context(context)
        try:
            return _opened(read(asm), context)
        except _mlirbc.Error as error:
            raise parse_failure(error, "module assembly", None, context) from error

    @staticmethod
    def parseFile(path: str | PathLike[str], context: Context | None = None) -> "Module":
        """The module of a file of text or of bytecode. Raises `MLIRError` if it is not valid."""
        context = resolve_context(context)
        try:
            return _opened(_read_file(path), context)
        except _mlirbc.Error as error:
            raise parse_failure(error, "module assembly", None, context) from error

    @staticmethod
    def create(loc: Attribute | None = None, **_: object) -> "Module":
        """A module without operations."""
        location = resolve_location(cast("Location | None", loc))
        module = _created(Module, location.context, location)
        module._context._modules.add(module)
        return module

    @property
    def context(self) -> Context:
        """The context that it was made in."""
        return self._context

    @property
    def operation(self) -> "Operation":
        """The operation of the module."""
        return self._op(self._editor.operation())

    def dump(self) -> None:
        """Print it to the standard error output."""
        print(self, file=sys.stderr)

    def __eq__(self, other: object) -> bool:
        return self is other

    __hash__ = object.__hash__

    def __str__(self) -> str:
        return str(self.operation)

    @property
    def _CAPIPtr(self) -> object:
        raise not_available("a capsule of a module")

    @staticmethod
    def _CAPICreate(capsule: object) -> "Module":
        raise not_available("a capsule of a module")

    def _op(self, id: int) -> "Operation":
        from mlirbc.mlir._operation import Operation

        return Operation(self, id)

    def _view(self, id: int) -> "OperationBase":
        from mlirbc.mlir._operation import Operation

        return Operation(self, id).opview

    def _value(self, id: int) -> edit.Value:
        return _cast_value(edit.Value(self, id))

    def _argument(self, id: int) -> "BlockArgument":
        return cast("BlockArgument", _cast_value(edit.BlockArgument(self, id)))

    def _result(self, id: int) -> "OpResult":
        return cast("OpResult", _cast_value(edit.OpResult(self, id)))

    def _id_of(self, handle: Handle | ReadHandle) -> int:
        if isinstance(handle, Handle) and isinstance(handle._home, LooseModule):
            self._adopt(handle._home)
        return super()._id_of(handle)

    def _admit(self, op: edit.Operation) -> None:
        home = op._home
        if home is self:
            return
        if isinstance(home, LooseModule):
            self._adopt(home)
        else:
            _check_closed(op)
            self._take(home, op._id)

    def _append(self, block: edit.Block, op: edit.Operation) -> None:
        if op._editor.block_of(op._id) is not None:
            op._editor.detach(op._id)
        InsertionPoint(block).insert(op)

    def _argument_locations(
        self, types: Sequence[Type], locations: Sequence[Attribute] | None
    ) -> Sequence[Attribute] | None:
        if types and locations is None:
            return [resolve_location()] * len(types)
        return super()._argument_locations(types, locations)

    def _add_resources(self) -> None:
        """Adds the resources for buffers of the context that an attribute refers to."""
        blobs = self._context._blobs
        if not blobs:
            return
        count = _mlirbc._EditedTables(self._editor).attribute_count()
        entries = (
            _mlirbc._EditedTables(self._editor).attribute_at(place) for place in range(self._searched, count)
        )
        keys = {entry.key for entry in entries if isinstance(entry, DenseResourceElementsAttr)}
        self._searched = count
        resources = self._editor.snapshot().resources.values() if keys else []
        present = {resource.key for resource in resources if resource.has_data}
        for key in sorted(keys & blobs.keys() - present):
            data, alignment = blobs[key]
            self._editor.add_resource(key, data, "builtin", False, alignment)

    def snapshot(self) -> _mlirbc.Module:
        """The module as one to read, with the buffers of the context that it refers to as resources."""
        self._add_resources()
        return super().snapshot()

    def write(self, **keywords: "Unpack[_WriteKeywords]") -> "WrittenBytes":
        """The module as bytecode; see `mlirbc.edit.Module.write`."""
        self._add_resources()
        return super().write(**keywords)

    def _adopt(self, source: "LooseModule") -> None:
        """Take all operations of a loose module; their blocks are chosen later."""
        if source is self:
            return
        for root in source._roots():
            self._take(source, root)

    def _take(self, source: edit.Module, op: int) -> None:
        """Move an operation that is in no block from another module; here it is in no block, either."""
        if isinstance(source, Module):
            source._add_resources()
        symbol = _hidden_symbol(source._editor, op)
        top = self._editor.top_level()
        # Parts that were created together may use one another; what leaves a module must not.
        values = _moved_values(source, self) if isinstance(source, LooseModule) else []
        copy, _ = _mlirbc._clone_part(
            self._editor, source._editor, ("operation", op), ("end", top), None, (values, []), [], False
        )
        assert copy is not None
        places: _Places = {}
        _record(places, (source._editor, op), (self, copy))
        self._editor.detach(copy)
        if symbol is not None:
            self._editor.set_attribute(copy, "sym_name", symbol)
        if not isinstance(source, LooseModule):
            source._editor.erase(op)
        source._record_moves(places)
        if isinstance(self, LooseModule):
            self._created.append(copy)


class LooseModule(Module):
    """The operations that were created together outside of all modules."""

    __slots__ = ("_created",)

    _created: list[int]

    def _begin(self, context: Context, editor: _Editor, base: _mlirbc.Module | None) -> None:
        super()._begin(context, editor, base)
        self._created = []

    def _roots(self) -> list[int]:
        """The operations that are in no block, in the order of their creation."""
        moved = self._moved or {}
        editor = self._editor
        created = [op for op in dict.fromkeys(self._created) if ("operation", op) not in moved]
        return [op for op in created if not editor.is_erased(op) and editor.block_of(op) is None]


def loose_module(context: Context) -> LooseModule:
    """A new module for operations that are created outside of all modules."""
    return _created(LooseModule, context, None)


def read(asm: str | bytes, file: str = "-") -> _mlirbc.Module:
    """The module of a text or of bytecode."""
    if isinstance(asm, bytes | bytearray | memoryview) and bytes(asm[:4]) == _BYTECODE:
        return _mlirbc.read(asm)
    return _mlirbc.parse(asm, file=file)


def _read_file(path: str | PathLike[str]) -> _mlirbc.Module:
    with open(path, "rb") as file:
        beginning = file.read(4)
        if beginning != _BYTECODE:
            return _mlirbc.parse(beginning + file.read(), file=str(path))
    return _mlirbc.open(path)


def _opened(base: _mlirbc.Module, context: Context) -> Module:
    module = Module._of(context, _Editor(base), base)
    context._modules.add(module)
    return module


def _created(cls: type[_M], context: Context, location: Attribute | None) -> _M:
    return cls._of(context, _Editor.create_module(context.release, 6, location, None), None)


def _cast_value(value: edit.Value) -> edit.Value:
    """The value as the caster that is registered for its type makes it."""
    if not VALUE_CASTERS:
        return value
    caster = VALUE_CASTERS.get(value.type.typeid)
    return value if caster is None else cast(edit.Value, caster(value))


_hidden = 0


def _hidden_symbol(editor: _Editor, op: int) -> Attribute | None:
    """Hides the symbol of an operation that moves: the module may have a symbol with the same name."""
    global _hidden
    symbol = editor.attribute(op, "sym_name")
    if not isinstance(symbol, StringAttr):
        return None
    _hidden += 1
    editor.set_attribute(op, "sym_name", StringAttr.get(f"__moved_{_hidden}"))
    return symbol


def _moved_values(source: edit.Module, target: edit.Module) -> list[tuple[int, int]]:
    """The values that moved from one module to the other before."""
    moved = source._moved or {}
    return [(id, new) for (kind, id), (home, new) in moved.items() if kind == "value" and home is target]


def _check_closed(op: edit.Operation) -> None:
    """Refuses to move an operation whose results are used in the module that it leaves."""
    editor = op._editor
    if any(editor.uses(result) for result in editor.results(op._id)):
        name = editor.name(op._id)
        raise ValueError(f"cannot move `{name}` to another module: its results are used in this one")


def _record(places: _Places, old: tuple[_Editor, int], new: tuple[edit.Module, int]) -> None:
    """Lists the new places of an operation and everything in it."""
    source, (target, _) = old[0], new
    editor = target._editor
    stack = [(old[1], new[1])]
    while stack:
        op, copy = stack.pop()
        places["operation", op] = target, copy
        for value, other in zip(source.results(op), editor.results(copy), strict=True):
            places["value", value] = target, other
        for region, other in zip(source.regions(op), editor.regions(copy), strict=True):
            places["region", region] = target, other
            for block, twin in zip(source.blocks(region), editor.blocks(other), strict=True):
                places["block", block] = target, twin
                arguments = zip(source.arguments(block), editor.arguments(twin), strict=True)
                places.update({("value", value): (target, own) for value, own in arguments})
                stack += zip(source.operations(block), editor.operations(twin), strict=True)
