"""Blocks and regions of an edited module, and places in blocks."""

import threading
from collections.abc import Iterator, Mapping, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Self, Unpack

from mlirbc import _mlirbc
from mlirbc._edited_handles import Handle, HandleList, ReadHandle, _CloneOptions
from mlirbc._edited_values import ArgumentList, BlockArgument, Value
from mlirbc._mlirbc import Attribute, Type

if TYPE_CHECKING:
    from mlirbc.edit import Module, Operation

__all__ = ["Block", "BlockList", "InsertionPoint", "OperationList", "Region", "SuccessorList"]


def _argument(module: "Module", id: int) -> BlockArgument:
    return module._argument(id)


class SuccessorList(HandleList["Block"]):
    def __setitem__(self, place: int, block: "Block | _mlirbc.Block") -> None:
        number, id = range(len(self._ids))[place], self._owner._id_of(block)
        self._owner._editor.set_successor(self._owner._id, number, id)
        self._ids[number] = id


class BlockList(HandleList["Block"]):
    _out_of_range = "attempt to access out of bounds block"

    def append(self, *types: Type, arg_locs: Sequence[Attribute] | None = None) -> "Block":
        """A new block at the end, with arguments of these types and locations."""
        owner = self._owner
        locations = owner._home._argument_locations(types, arg_locs)
        block = self._handle(owner._editor.add_block(owner._id, None, list(types)))
        block._set_locations(locations)
        self._ids.append(block._id)
        return block

    def insert(self, place: int, *types: Type, arg_locs: Sequence[Attribute] | None = None) -> "Block":
        """A new block before the one at that place, with arguments of these types and locations."""
        owner, count = self._owner, len(self._ids)
        locations = owner._home._argument_locations(types, arg_locs)
        number = max(place + count, 0) if place < 0 else min(place, count)
        block = self._handle(owner._editor.add_block(owner._id, number, list(types)))
        block._set_locations(locations)
        self._ids.insert(number, block._id)
        return block


class OperationList(HandleList["Operation"]):
    """The operations of a block, listed when they are first looked at."""

    __slots__ = ("_block", "_is_listed", "_is_shared")

    _out_of_range = "attempt to access out of bounds operation"

    def _part(self, ids: list[int]) -> Self:
        part = super()._part(ids)
        part._block, part._is_listed, part._is_shared = self._block, True, False
        return part

    def __init__(self, owner: "Block") -> None:
        # The function of the class, because a lambda would be one more call for each operation.
        super().__init__(owner, type(owner._home)._view, [])
        self._block = owner
        # Raises at once if the block was erased.
        owner._editor.operation_count(owner._id)
        self._is_listed = False
        self._is_shared = False

    def _all(self) -> list[int]:
        if not self._is_listed:
            self._ids = self._owner._home._operations(self._owner._id)
            self._is_listed = self._is_shared = True
        return self._ids

    def _own_ids(self) -> list[int]:
        if self._is_shared:
            self._ids, self._is_shared = list(self._ids), False
        return self._ids

    def __len__(self) -> int:
        return len(self._ids) if self._is_listed else self._owner._editor.operation_count(self._owner._id)

    def append(self, op: "Operation") -> None:
        """Put an operation that is in no block at the end."""
        InsertionPoint(self._block).insert(op)
        if self._is_listed:
            self._own_ids().append(op._id)

    def insert(self, place: int, op: "Operation") -> None:
        """Put an operation that is in no block before the one at that place."""
        count = len(self)
        # As lists do, and without listing them for either end.
        number = max(place + count, 0) if place < 0 else min(place, count)
        if number == 0:
            where = InsertionPoint._at(self._block, "begin")
        elif number == count:
            where = InsertionPoint(self._block)
        else:
            where = InsertionPoint.before(self[number])
        where.insert(op)
        if self._is_listed:
            self._own_ids().insert(place, op._id)


class Block(Handle):
    """A block of an edited module.

    >>> edited = mlirbc.open("examples/two_layers.mlirbc").edit()
    >>> [op.name for op in edited.body]
    ['func.func', 'func.func']
    """

    __slots__ = ()
    _kind = "block"

    @property
    def operations(self) -> OperationList:
        """Its operations."""
        return OperationList(self)

    def __iter__(self) -> "Iterator[Operation]":
        return iter(self.operations)

    @property
    def arguments(self) -> ArgumentList:
        """Its arguments."""
        return ArgumentList(self, _argument, self._editor.arguments(self._id))

    @property
    def block_number(self) -> int:
        """Its number among the blocks of its region."""
        region = self._editor.region_of(self._id)
        return 0 if region is None else self._editor.blocks(region).index(self._id)

    @property
    def successors(self) -> "tuple[Block, ...]":
        """The blocks that its last operation may go to."""
        operations = self._editor.operations(self._id)
        ids = self._editor.successors(operations[-1]) if operations else []
        return tuple(Block(self._module, id) for id in ids)

    @property
    def predecessors(self) -> "tuple[Block, ...]":
        """The blocks whose last operation may go to it, as often as it may, in the order of
        `mlirbc.Block.predecessors`; from a snapshot.
        """
        region = self.region
        if region is None:
            return ()
        return tuple(region.blocks[block.block_number] for block in self._read().predecessors)

    def _read(self) -> _mlirbc.Block:
        region = self.region
        owner = None if region is None else region.owner
        if region is None or owner is None:
            return self._home.snapshot().operations[0].block
        return owner._read().regions[region.region_number].blocks[self.block_number]

    @property
    def region(self) -> "Region | None":
        """The region that it is in."""
        region = self._editor.region_of(self._id)
        return None if region is None else Region(self._module, region)

    @property
    def owner(self) -> "Operation | None":
        """The operation that it is in; None at the top level."""
        region = self.region
        return None if region is None else region.owner

    def add_argument(self, type: Type, loc: Attribute | None = None) -> Value:
        """A new argument after the others; its location is unknown if not given."""
        return self._home._value(self._editor.add_argument(self._id, type, loc))

    def erase_argument(self, number: int) -> None:
        """Take away an argument that nothing uses."""
        self._editor.erase_argument(self._id, number)

    def insert_argument(self, index: int, type: Type, loc: Attribute | None = None) -> Value:
        """A new argument before the one with that number; its location is unknown if not given."""
        row = _mlirbc._edit_insert_argument(self._editor, self._id, index, type, loc)
        return self._module._value(row)

    def create_before(self, *arg_types: Type, arg_locs: Sequence[Attribute] | None = None) -> "Block":
        """A new block before this one, in the same region, with arguments of these types and locations.

        >>> edited = mlirbc.open("examples/two_layers.mlirbc").edit()
        >>> region = edited.symbol("dense").regions[0]
        >>> new = region.blocks[0].create_after(mlirbc.Type.parse("i32"))
        >>> region.blocks[1] == new
        True
        """
        return self._beside(0, arg_types, arg_locs)

    def create_after(self, *arg_types: Type, arg_locs: Sequence[Attribute] | None = None) -> "Block":
        """A new block after this one, in the same region, with arguments of these types and locations."""
        return self._beside(1, arg_types, arg_locs)

    def _beside(self, offset: int, types: Sequence[Type], arg_locs: Sequence[Attribute] | None) -> "Block":
        locations = self._home._argument_locations(types, arg_locs)
        number = _mlirbc._edit_block_number(self._editor, self._id) + offset
        region = self._editor.region_of(self._id)
        if region is None:
            raise ValueError("the block is in no region")
        block = Block(self._module, self._editor.add_block(region, number, list(types)))
        block._set_locations(locations)
        return block

    def _set_locations(self, locations: Sequence[Attribute] | None) -> None:
        for argument, location in zip(self.arguments, locations or (), strict=False):
            argument.set_location(location)

    @staticmethod
    def create_at_start(
        parent: "Region", arg_types: Sequence[Type] = (), arg_locs: Sequence[Attribute] | None = None
    ) -> "Block":
        """A new block before all others of a region, with arguments of these types and locations."""
        return parent.blocks.insert(0, *arg_types, arg_locs=arg_locs)

    def clone(
        self, into: "Region | None" = None, index: int | None = None, **options: "Unpack[_CloneOptions]"
    ) -> "Block":
        """A copy with everything in it, in a region of this module or of another one.

        It is inserted before the block with the number `index`, or at the end; without `into`, after this
        block. The other arguments, and the limits of cloning, are as for `Operation.clone`.

        >>> edited = mlirbc.open("examples/two_layers.mlirbc").edit()
        >>> block = edited.symbol("dense").regions[0].blocks[0]
        >>> len(block.clone().operations) == len(block.operations)
        True
        """
        if into is None:
            into = self.region
            if into is None:
                raise ValueError("the block is in no region: pass `into`")
            if index is None:
                index = _mlirbc._edit_block_number(self._editor, self._id) + 1
        return into._home._cloned_blocks("block", self, (into._id, index), options)[0]

    def append(self, op: "Operation") -> None:
        """Put an operation that is in no block at the end."""
        self._home._append(self, op)

    def append_to(self, region: "Region") -> None:
        """Move the block to the end of a region, with everything in it.

        >>> edited = mlirbc.open("examples/two_layers.mlirbc").edit()
        >>> source, target = edited.symbol("dense").regions[0], edited.symbol("main").regions[0]
        >>> source.blocks[0].append_to(target)
        >>> len(source.blocks), len(target.blocks)
        (0, 4)
        """
        self._home._move_block(self, region)

    def insert_asm(
        self,
        text: str,
        ip: "InsertionPoint | None" = None,
        *,
        values: "Mapping[str, Value | _mlirbc.Value] | None" = None,
        blocks: "Mapping[str, Block | _mlirbc.Block] | None" = None,
        file: str = "-",
    ) -> "list[Operation]":
        """Parse operations in custom or generic form, and insert them at `ip` or at the end of the block.

        The text is in the form of the module's release, as for `mlirbc.parse`. It can use the values and the
        blocks that are given by name: `%a` is `values["a"]`. In the first block of a function, or of another
        operation that is isolated from above, `%arg0`, `%arg1` and so on are the arguments of the block, as
        they are printed. `file` is the name of the file in errors, and in locations of operations without
        `loc(...)`.

        Returns the operations. Raises `InvalidError` with the line and the column if the text is invalid, a
        value is not visible at the place, or a symbol is already defined. Nothing is changed then.

        >>> edited = mlirbc.parse("func.func @f(%a: i32) -> i32 { return %a : i32 }").edit()
        >>> block = edited.symbol("f").regions[0].blocks[0]
        >>> before = mlirbc.edit.InsertionPoint.before(block.operations[0])
        >>> sum, = block.insert_asm("%0 = arith.addi %arg0, %arg0 : i32", before)
        >>> block.operations[1].operands[0] = sum.result
        >>> block.insert_asm("arith.addi %x, %z : i32", before, values={"x": sum.result})
        Traceback (most recent call last):
            ...
        mlirbc.InvalidError: `%z` is used, but it is not defined, at -:1:16; ...
        """
        if ip is None:
            ip = InsertionPoint(self)
        elif ip._module is not self._home or ip.block != self:
            raise ValueError("the insertion point is not in this block")
        named = {name: self._id_of(value) for name, value in (values or {}).items()}
        labels = {name: self._id_of(block) for name, block in (blocks or {}).items()}
        at = (ip._place, ip._beside._id)
        rows = _mlirbc._edit_insert_asm(self._editor, text, at, named, labels, file)
        inserted = [self._module._op(row) for row in rows]
        if inserted:
            ip._passed(inserted[-1])
        return inserted

    def erase(self) -> None:
        """Erase it with everything in it."""
        self._editor.erase_block(self._id)

    def __str__(self) -> str:
        arguments = ", ".join(f"{one.get_name()}: {one.type}" for one in self.arguments)
        label = f"^bb{self.block_number}" + (f"({arguments})" if arguments else "")
        text = "".join(f"{op.operation}\n".replace("\n\n", "\n") for op in self.operations)
        lines = [f"  {line}" if line else "" for line in text.split("\n")]
        return f"{label}:{self._predecessor_comment()}\n" + "\n".join(lines)

    def _predecessor_comment(self) -> str:
        number = self.block_number
        if number == 0:
            return ""
        names = [f"^bb{block.block_number}" for block in self.predecessors]
        if not names:
            return "  // no predecessors"
        return f"  // pred: {names[0]}" if len(names) == 1 else f"  // {len(names)} preds: {', '.join(names)}"

    def __repr__(self) -> str:
        try:
            return f"<mlirbc.edit.Block with {self._editor.operation_count(self._id)} operations>"
        except _mlirbc.Error:
            return "<mlirbc.edit.Block, erased>"


class Region(Handle):
    """A region of an edited module.

    >>> edited = mlirbc.open("examples/two_layers.mlirbc").edit()
    >>> len(edited.operation.regions[0].blocks)
    1
    """

    __slots__ = ()
    _kind = "region"

    @property
    def blocks(self) -> BlockList:
        """Its blocks; `append` makes one."""
        return BlockList(self, Block, self._editor.blocks(self._id))

    def __iter__(self) -> Iterator[Block]:
        return iter(self.blocks)

    @property
    def owner(self) -> "Operation | None":
        """The operation that contains it; None for the top level."""
        op = self._editor.owner_of_region(self._id)
        return None if op is None else self._module._view(op)

    def clear(self) -> None:
        """Erase everything in it."""
        self._editor.clear_region(self._id)

    @property
    def region_number(self) -> int:
        """Its number among the regions of its operation."""
        owner = self.owner
        return 0 if owner is None else self._editor.regions(owner._id).index(self._id)

    def clone_into(
        self, into: "Region", index: int | None = None, **options: "Unpack[_CloneOptions]"
    ) -> list[Block]:
        """Copies of its blocks in another region, of this module or of another one.

        They are inserted before the block with the number `index`, or at the end. The other arguments, and
        the limits of cloning, are as for `Operation.clone`.
        """
        return into._home._cloned_blocks("region", self, (into._id, index), options)

    def __repr__(self) -> str:
        try:
            return f"<mlirbc.edit.Region with {len(self.blocks)} blocks>"
        except _mlirbc.Error:
            return "<mlirbc.edit.Region, erased>"


class InsertionPoint:
    """Where operations go: at the end of a block, or before an operation.

    In a `with` it holds for `Operation.create`.

    >>> edited = mlirbc.edit.Module.create()
    >>> with mlirbc.edit.InsertionPoint(edited.body):
    ...     op = mlirbc.edit.Operation.create("test.op")
    >>> [op.name for op in edited.body]
    ['test.op']
    """

    __slots__ = ("_beside", "_place")

    _open = threading.local()

    def __init__(self, beside: "Block | Operation") -> None:
        check_edited(beside)
        self._beside: Block | Operation = beside
        self._place = "end" if isinstance(beside, Block) else "before"

    @property
    def _module(self) -> "Module":
        return self._beside._home

    @classmethod
    def _at(cls, beside: "Block | Operation", place: str) -> Self:
        point = cls(beside)
        point._place = place
        return point

    @classmethod
    def at_block_begin(cls, block: Block) -> Self:
        """Before all operations of the block."""
        return cls._at(block, "begin")

    @classmethod
    def at_block_end(cls, block: Block) -> Self:
        """After all operations of the block."""
        return cls._at(block, "end")

    @classmethod
    def at_block_terminator(cls, block: Block) -> Self:
        """In front of the last operation of the block."""
        operations = block.operations
        if not operations:
            raise ValueError("the block has no terminator")
        return cls._at(operations[-1], "before")

    @classmethod
    def before(cls, op: "Operation") -> Self:
        """Before an operation."""
        return cls._at(op, "before")

    @classmethod
    def after(cls, op: "Operation") -> Self:
        """After an operation."""
        return cls._at(op, "after")

    @property
    def block(self) -> Block:
        """The block that it is in."""
        block = self._beside if isinstance(self._beside, Block) else self._beside.block
        if block is None:
            raise ValueError("the operation is in no block")
        return block

    @property
    def ref_operation(self) -> "Operation | None":
        """The operation before which the next one is inserted; None at the end of the block."""
        if self._place == "before" and not isinstance(self._beside, Block):
            return self._beside
        if self._place == "end":
            return None
        operations = list(self.block.operations)
        place = 0
        if not isinstance(self._beside, Block):
            place = operations.index(self._beside) + 1
        return operations[place] if place < len(operations) else None

    @staticmethod
    def current() -> "InsertionPoint | None":
        """The insertion point of the innermost `with` in this thread."""
        stack = getattr(InsertionPoint._open, "stack", None)
        return stack[-1] if stack else None

    def insert(self, op: "Operation") -> None:
        """Put an operation that is in no block there."""
        self._module._admit(op)
        self._module._editor.insert(op._row, self._place, self._beside._row)
        self._passed(op)

    def _passed(self, op: "Operation") -> None:
        if self._place in ("begin", "after"):
            # The next operation goes after this one.
            self._place, self._beside = "after", op

    def __enter__(self) -> Self:
        stack = getattr(InsertionPoint._open, "stack", None)
        if stack is None:
            stack = InsertionPoint._open.stack = []
        stack.append(self)
        return self

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc_value: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        InsertionPoint._open.stack.pop()


def check_edited(handle: object) -> None:
    if not isinstance(handle, Handle):
        # The module may have been edited several times: nothing says which of these is meant.
        hint = "; `edited[handle]` is the editable one" if isinstance(handle, ReadHandle) else ""
        raise TypeError(f"expected a handle of an edited module, found {type(handle).__name__}{hint}")
