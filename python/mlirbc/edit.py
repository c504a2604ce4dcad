"""Modules that can be changed, with the names of upstream's bindings.

`module.edit()` lays edits over a module. The module, its handles and its file stay as they are, and so does
the speed of reading; handles of the edited module are classes of their own, which know `erase`, `clone`,
`move_before` and the like. `edited[op]` is the editable handle for a handle of the module.

>>> module = mlirbc.open("examples/two_layers.mlirbc")
>>> edited = module.edit()
>>> main = edited.symbol("main")
>>> main.attributes["example.note"] = mlirbc.attributes.StringAttr.get("checked")
>>> main.location = mlirbc.Location.file("model.py", 3, 1)
>>> again = mlirbc.read(edited.write())
>>> again.body.operations[1].attributes["example.note"]
StringAttr("checked")
"""

import os
from collections.abc import Iterable, Mapping, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Literal, Self, TypeAlias, TypedDict, Unpack, overload

from mlirbc import _mlirbc
from mlirbc._edited_attributes import DeclaredProperties, OpAttributeMap, OpPropertyMap
from mlirbc._edited_blocks import Block, InsertionPoint, Region
from mlirbc._edited_handles import Handle, ReadHandle, _CloneOptions
from mlirbc._edited_operations import Operation
from mlirbc._edited_resources import Resources
from mlirbc._edited_values import BlockArgument, OpOperand, OpResult, Value
from mlirbc._edited_weights import Weights
from mlirbc._mlirbc import Attribute, Type, _EditedModule, _Editor
from mlirbc._transaction import Checkpoint, Transaction

__all__ = [
    "Block",
    "BlockArgument",
    "Checkpoint",
    "DeclaredProperties",
    "InsertionPoint",
    "Module",
    "OpAttributeMap",
    "OpOperand",
    "OpPropertyMap",
    "OpResult",
    "Operation",
    "Region",
    "Resources",
    "Transaction",
    "Value",
    "Weights",
]

if TYPE_CHECKING:
    from mlirbc._interface import BytecodeDialectInterface
    from mlirbc._mlirbc import _DialectVersion, _Table
    from mlirbc._written import WrittenBytes
    from mlirbc.mlir._context import Context

    _Dialect: TypeAlias = _Table | BytecodeDialectInterface
    _Part: TypeAlias = "Operation | Block | Region | _mlirbc.Operation | _mlirbc.Block | _mlirbc.Region"


class _WriteKeywords(TypedDict, total=False):
    numbering: Literal["preserve", "canonical", "strictest"] | None
    version: int | None
    target: str | None
    producer: str | bytes | None
    drop_unsupported: bool
    strip_locations: bool
    strip_resources: bool
    dialect_versions: Mapping[str, "_DialectVersion"] | None
    allow_newer_versions: bool
    verify: bool
    purge: bool


class Module(_EditedModule):
    """A module with edits of its own; `mlirbc.Module.edit` makes one.

    >>> edited = mlirbc.edit.Module.create()
    >>> edited.operation
    <mlirbc.edit.Operation builtin.module>
    >>> mlirbc.read(edited.write()).operation.name
    'builtin.module'
    """

    __slots__ = ("_base", "_before_fallback", "_checkpoints", "_editor", "_moved", "_source")

    def __init__(self, module: _mlirbc.Module) -> None:
        self._start(_Editor(module), module)

    def _start(self, editor: _Editor, base: _mlirbc.Module | None) -> None:
        self._editor = editor
        # Handles of other modules are made by methods, which subclasses override.
        editor.is_plain = type(self) is Module
        self._base = base
        self._checkpoints: list[Checkpoint] = []
        self._source: tuple[_mlirbc.Module, Module] | None = None
        # The state before operations were converted to fallback operations, and the revision after that.
        self._before_fallback: tuple[Checkpoint, int] | None = None
        # The new places of what was moved to other modules, by the kind of the handle and the old number.
        self._moved: dict[tuple[str, int], tuple[Module, int]] | None = None

    @staticmethod
    def create(
        loc: Attribute | None = None,
        *,
        release: str = "llvm-22",
        version: int = 6,
        dialects: Iterable["_Dialect"] | None = None,
    ) -> "Module":
        """A new module without operations, in the form that `release` reads and writes.

        `dialects` are tables and interfaces for this module alone, as of `mlirbc.open`.
        """
        module = Module.__new__(Module)
        module._start(_Editor.create_module(release, version, loc, dialects), None)
        return module

    def __enter__(self) -> Self:
        self._checkpoints.append(self.checkpoint())
        return self

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc_value: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Undo the edits inside if an exception leaves the block. Nothing is saved automatically."""
        checkpoint = self._checkpoints.pop()
        if exc_type is not None:
            self.rollback(checkpoint)

    def checkpoint(self) -> "Checkpoint":
        """Record the current state, for `rollback`.

        It takes time and memory in proportion to the edits so far, not to the file.

        >>> edited = mlirbc.open("examples/two_layers.mlirbc").edit()
        >>> before = edited.checkpoint()
        >>> edited.symbol("main").erase()
        >>> edited.rollback(before)
        >>> edited.symbol("main").name, edited.is_changed
        ('func.func', False)
        """
        return Checkpoint(self, self._editor.checkpoint())

    def rollback(self, checkpoint: "Checkpoint") -> None:
        """Undo everything since a checkpoint, resources and tables included.

        Handles from before stay valid; using one of something that was created since raises `InvalidError`.
        The checkpoint can be used again, later ones cannot.
        """
        if checkpoint._module is not self:
            raise TypeError("the checkpoint belongs to another module")
        self._editor.rollback(checkpoint._state)
        if self._moved is not None:
            # What was moved within the module is back in its place.
            self._moved = {key: place for key, place in self._moved.items() if place[0] is not self}

    def transaction(self) -> "Transaction":
        """A context manager that undoes the edits inside `with` if an exception leaves the block.

        >>> edited = mlirbc.open("examples/two_layers.mlirbc").edit()
        >>> try:
        ...     with edited.transaction():
        ...         edited.symbol("main").erase()
        ...         edited.symbol("dense").attributes["no name"]
        ... except KeyError:
        ...     print(edited.is_changed)
        False
        """
        return Transaction(self)

    def clone(
        self,
        op: "Operation | _mlirbc.Operation",
        ip: "InsertionPoint | None" = None,
        **options: "Unpack[_CloneOptions]",
    ) -> Operation:
        """A copy of an operation of any module, edited or only read, at `ip` or at the end of the body.

        The other arguments, and what cannot be cloned, are those of `Operation.clone`.

        >>> edited = mlirbc.edit.Module.create()
        >>> module = mlirbc.open("examples/two_layers.mlirbc")
        >>> edited.clone(module.body.operations[0])
        <mlirbc.edit.Operation func.func>
        """
        return self._cloned(op, ip, options)

    def clone_blocks(
        self,
        part: "Block | Region | _mlirbc.Block | _mlirbc.Region",
        into: Region,
        index: int | None = None,
        **options: "Unpack[_CloneOptions]",
    ) -> list[Block]:
        """Copies of a block, or of the blocks of a region, of any module, in a region of this one.

        They are inserted before the block with the number `index`, or at the end. The other arguments, and
        what cannot be cloned, are those of `Operation.clone`.
        """
        kind = "block" if isinstance(part, (Block, _mlirbc.Block)) else "region"
        return self._cloned_blocks(kind, part, (into._id, index), options, into)

    def _read_by(self, module: _mlirbc.Module) -> "Module":
        """The edits of a module that is only read; further calls for the module return the same edits."""
        if self._source is None or self._source[0] is not module:
            self._source = (module, Module(module))
        return self._source[1]

    def _part(self, part: "_Part") -> "tuple[Module, int]":
        if isinstance(part, Handle):
            return part._home, part._row
        module = _mlirbc._module_of(part)
        source = self if module is self._base else self._read_by(module)
        return source, source[part]._id

    def _cloned(
        self,
        op: "Operation | _mlirbc.Operation",
        ip: "InsertionPoint | None",
        options: "_CloneOptions",
    ) -> Operation:
        if ip is not None and ip._module is not self:
            raise TypeError("the insertion point belongs to another module")
        source, row = self._part(op)
        if ip is None:
            ip = InsertionPoint(self.body)
        at = (ip._place, ip._beside._id)
        copy, _ = self._clone(source, ("operation", row), at, None, options)
        if copy is None:
            raise TypeError("expected an operation")
        new = self._view(copy)
        ip._passed(new)
        return new

    def _cloned_blocks(
        self,
        kind: str,
        part: "_Part",
        into: tuple[int, int | None],
        options: "_CloneOptions",
        region: Region | None = None,
    ) -> list[Block]:
        if region is not None and region._module is not self:
            raise TypeError("the region belongs to another module")
        source, row = self._part(part)
        _, blocks = self._clone(source, (kind, row), None, into, options)
        return [Block(self, block) for block in blocks]

    def _clone(
        self,
        source: "Module",
        part: tuple[str, int],
        at: tuple[str, int] | None,
        into: tuple[int, int | None] | None,
        options: "_CloneOptions",
    ) -> tuple[int | None, list[int]]:
        values: list[tuple[int, int]] = []
        blocks: list[tuple[int, int]] = []
        for old, new in (options.get("mapping") or {}).items():
            if new._module is not self:
                raise TypeError("the handle that something is mapped to belongs to another module")
            handle = old if isinstance(old, Handle) else source[old]
            if handle._module is not source:
                raise TypeError("the handle that is mapped belongs to another module")
            if isinstance(handle, Value) is not isinstance(new, Value):
                raise TypeError("a value is mapped to a value, and a block to a block")
            (values if isinstance(handle, Value) else blocks).append((handle._id, new._id))
        copy, copies = _mlirbc._clone_part(
            self._editor,
            source._editor,
            part,
            at,
            into,
            (values, blocks),
            list((options.get("rename") or {}).items()),
            options.get("drop_unsupported", False),
        )
        if source is not self:
            from mlirbc.layout import _warn_of_size_changes

            kind, row = part
            original = source._editor.blocks(row) if kind == "region" else [row]
            before = (row, []) if kind == "operation" else (None, original)
            _warn_of_size_changes(source, self, (before, (copy, copies)))
        return copy, copies

    @property
    def context(self) -> "Context":
        """The context of the module, as `mlirbc.mlir.ir` has them; otherwise the current one.

        >>> from mlirbc.mlir import ir
        >>> with ir.Context() as context:
        ...     mlirbc.edit.Module.create().context is context
        True
        """
        from mlirbc.mlir._context import context_of_value

        return context_of_value()

    @property
    def is_changed(self) -> bool:
        """Whether it differs from the file."""
        return self._editor.is_changed

    @overload
    def __getitem__(self, handle: _mlirbc.Operation) -> Operation: ...
    @overload
    def __getitem__(self, handle: _mlirbc.Block) -> Block: ...
    @overload
    def __getitem__(self, handle: _mlirbc.Region) -> Region: ...
    @overload
    def __getitem__(self, handle: _mlirbc.Value) -> Value: ...
    def __getitem__(
        self, handle: _mlirbc.Operation | _mlirbc.Block | _mlirbc.Region | _mlirbc.Value
    ) -> Operation | Block | Region | Value:
        """The editable handle for an operation, a block, a region or a value of the module."""
        if isinstance(handle, _mlirbc.Operation):
            return self._view(self._editor.op(handle))
        if isinstance(handle, _mlirbc.Block):
            return Block(self, self._editor.block(handle))
        if isinstance(handle, _mlirbc.Region):
            return Region(self, self._editor.region(handle))
        if isinstance(handle, _mlirbc.Value):
            return self._value(self._editor.value(handle))
        raise TypeError(f"expected a handle of the module, found {type(handle).__name__}")

    def detached(
        self,
        name: str,
        results: Sequence[Type] = (),
        operands: Sequence[Value | _mlirbc.Value] = (),
        attributes: Mapping[str, Attribute] | None = None,
        successors: Sequence[Block | _mlirbc.Block] = (),
        regions: int = 0,
        loc: Attribute | None = None,
        *,
        verify: bool = True,
    ) -> Operation:
        """Make an operation that is in no block yet; `verify` as of `Operation.create`."""
        op = self._editor.create(
            name,
            [self._id_of(value) for value in operands],
            list(results),
            list((attributes or {}).items()),
            [self._id_of(block) for block in successors],
            regions,
            loc,
            verify,
        )
        return self._op(op)

    def symbol(self, name: str, scope: Operation | _mlirbc.Operation | None = None) -> Operation | None:
        """The operation that defines a symbol; None when there is none.

        The name is looked for in the symbol table of the top-level operation, then as a path such as
        `kernels::step`, then among all nested symbol tables; with `scope`, a symbol table, in that one alone.

        Raises `InvalidError` when several nested symbol tables have the name, and when `scope` is not a
        symbol table. Each call goes through the whole module: for many symbols, go through `body.operations`
        once.
        """
        op = self._editor.symbol(name, self._scope(scope))
        return None if op is None else self._view(op)

    def rename_symbol(self, old: str, new: str, scope: Operation | _mlirbc.Operation | None = None) -> None:
        """Give a symbol, found as `symbol` does, another name in its definition and in all references to it.

        References are resolved in the nearest symbol table, as in MLIR; the same name elsewhere stays. See
        docs/explanation/editing.md. Raises `InvalidError` when the symbol does not exist or the new name is
        taken, and `UnsupportedError` when bytes of unknown layout may refer to the symbol.
        Each call goes through the symbol tables, and through every body that may refer to the symbol.

        >>> edited = mlirbc.open("examples/two_layers.mlirbc").edit()
        >>> edited.rename_symbol("dense", "layer")
        >>> edited.verify(symbols=True)
        <mlirbc.Verification for llvm-22, 1 not checked, 0 broken entries>
        """
        self._editor.rename_symbol(old, new, self._scope(scope))

    def _scope(self, scope: Operation | _mlirbc.Operation | None) -> int | None:
        return None if scope is None else self._id_of(scope)

    def _op(self, id: int) -> Operation:
        return Operation(self, id)

    def _admit(self, op: Operation) -> None:
        """Prepare an operation for its insertion in this module."""
        if op._home is not self:
            raise TypeError("the handle belongs to another module")

    def _append(self, block: Block, op: Operation) -> None:
        InsertionPoint(block).insert(op)

    def _argument_locations(
        self, types: Sequence[Type], locations: Sequence[Attribute] | None
    ) -> Sequence[Attribute] | None:
        """The locations of the arguments of a new block; None for unknown ones."""
        if locations is not None and len(locations) != len(types):
            raise ValueError(f"Expected {len(types)} locations, got: {len(locations)}")
        return locations

    def _new_block(
        self,
        region: Region,
        number: int | None,
        types: Sequence[Type],
        arg_locs: Sequence[Attribute] | None,
    ) -> Block:
        """A new block of a region, before the block with that number or at the end."""
        locations = self._argument_locations(types, arg_locs)
        block = Block(self, self._editor.add_block(region._id, number, list(types)))
        for argument, location in zip(block.arguments, locations or (), strict=False):
            argument.set_location(location)
        return block

    def _record_moves(self, places: "dict[tuple[str, int], tuple[Module, int]]") -> None:
        """Record the new places of what was moved; handles look there from now on."""
        self._moved = {**(self._moved or {}), **places}
        self._editor.has_moved_parts = True

    def _follow(self, kind: str, id: int) -> "tuple[Module, int]":
        """The module in which an item is now, and its number there."""
        steps: list[tuple[Module, int]] = []
        module = self
        while module._moved is not None and (place := module._moved.get((kind, id))) is not None:
            steps.append((module, id))
            module, id = place
        # The next handle of the item needs one step.
        for former, number in steps[:-1]:
            if former._moved is not None:
                former._moved[kind, number] = module, id
        return module, id

    def _move_block(self, block: Block, region: Region) -> None:
        if region._home is not self:
            raise TypeError("the region belongs to another module")
        old = block.arguments
        new_block = region.blocks.append(*old.types, arg_locs=[argument.location for argument in old])
        places: dict[tuple[str, int], tuple[Module, int]] = {("block", block._id): (self, new_block._id)}
        for argument, new in zip(old, new_block.arguments, strict=True):
            argument.replace_all_uses_with(new)
            places["value", argument._id] = self, new._id
        for sibling in block.region or ():
            self._redirect(sibling, block._id, new_block._id)
        for id in self._editor.operations(block._id):
            self._editor.detach(id)
            self._editor.insert(id, "end", new_block._id)
        self._editor.erase_block(block._id)
        self._record_moves(places)

    def _redirect(self, block: Block, old: int, new: int) -> None:
        """Let the operations of a block branch to another block."""
        for op in self._editor.operations(block._id):
            for number, successor in enumerate(self._editor.successors(op)):
                if successor == old:
                    self._editor.set_successor(op, number, new)

    def _view(self, id: int) -> Operation:
        """The operation where upstream's bindings give a view of its class."""
        return self._op(id)

    def _operand(self, op: int, number: int) -> OpOperand:
        return OpOperand(self._view(op), number)

    def _value(self, id: int) -> Value:
        return Value(self, id)

    def _argument(self, id: int) -> BlockArgument:
        return BlockArgument(self, id)  # pyright: ignore[reportReturnType]

    def _result(self, id: int) -> OpResult:
        return OpResult(self, id)  # pyright: ignore[reportReturnType]

    def _block(self, id: int) -> Block:
        return Block(self, id)

    def _id_of(self, handle: Handle | ReadHandle) -> int:
        """The number of a handle of this module, or of the module that it edits."""
        if isinstance(handle, Handle):
            if handle._home is not self:
                raise TypeError("the handle belongs to another module")
            return handle._row
        return self[handle]._id

    def verify(self, *, symbols: bool = False, ops: bool = False) -> _mlirbc.Verification:
        """Verify the edits; with `symbols`, that all references of the module resolve; then check everything
        as `mlirbc.Module.verify` does, with `ops` also operations, in a snapshot.

        Raises `InvalidError`, which names the operation, or the errors of `mlirbc.Module.verify`. Writing
        verifies the edits automatically, without `symbols`.
        """
        self._editor.verify(symbols)
        return self.snapshot().verify(ops=ops)

    def write(self, **keywords: Unpack[_WriteKeywords]) -> "WrittenBytes":
        """The module with its edits as bytecode; keywords as of `mlirbc.Module.write`, `verify` and `purge`.

        By default the file keeps its numbering, and removed entries stay in its tables. With `purge`
        everything is numbered as by MLIR's writer, and the file has only entries that the module uses. Raises
        `UnsupportedError` then if something of unknown layout may refer to a removed entry.

        >>> edited = mlirbc.open("examples/two_layers.mlirbc").edit()
        >>> del edited.symbol("main").attributes["example.entry"]
        >>> b"example.entry" in bytes(edited.write()), b"example.entry" in bytes(edited.write(purge=True))
        (True, False)
        """
        return self._editor.write(**keywords)

    def save(
        self, path: str | os.PathLike[str], *, bare: bool = False, **keywords: Unpack[_WriteKeywords]
    ) -> _mlirbc.WriteReport:
        """Write the module with its edits to a file, in one step; the keywords are as for `write`.

        Whatever fails, the old file stays whole, also when it is the one that the module was read from. A
        module of a JAX export is written in its container, with the other modules as they are; with `bare`,
        alone.
        """
        return self._editor.save(path, bare=bare, **keywords)

    def __repr__(self) -> str:
        return f"<mlirbc.edit.Module, {'changed' if self.is_changed else 'unchanged'}>"
