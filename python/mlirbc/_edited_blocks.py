"""Blocks and regions of an edited module, and places in blocks."""

import threading
from collections.abc import Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Self, Unpack, cast

from mlirbc import _mlirbc
from mlirbc._edited_handles import Handle, HandleList, ReadHandle, _CloneOptions
from mlirbc._mlirbc import Attribute, Type, _EditedBlock, _EditedRegion

if TYPE_CHECKING:
    from mlirbc.edit import Module, Operation

__all__ = ["Block", "BlockList", "InsertionPoint", "OperationList", "Region", "SuccessorList"]


class SuccessorList(HandleList["Block"]):
    __slots__ = ()

    def __setitem__(self, place: int, block: "Block | _mlirbc.Block") -> None:
        owner = self._owner
        number, id = range(len(self))[place], owner._id_of(block)
        owner._editor.set_successor(owner._id, number, id)
        self._replace(number, id)


class BlockList(HandleList["Block"]):
    __slots__ = ()

    def append(self, *types: Type, arg_locs: Sequence[Attribute] | None = None) -> "Block":
        """A new block at the end, with arguments of these types and locations."""
        return self._add(None, types, arg_locs)

    def insert(self, place: int, *types: Type, arg_locs: Sequence[Attribute] | None = None) -> "Block":
        """A new block before the one at that place, with arguments of these types and locations."""
        return self._add(_number(place, len(self)), types, arg_locs)

    def _add(
        self, number: int | None, types: Sequence[Type], arg_locs: Sequence[Attribute] | None
    ) -> "Block":
        owner = cast("Region", self._owner)
        block = owner._home._new_block(owner, number, types, arg_locs)
        self._insert(len(self) if number is None else number, block._id)
        return block


def _number(place: int, count: int) -> int:
    """The place of a new item, as lists count it."""
    return max(place + count, 0) if place < 0 else min(place, count)


class OperationList(HandleList["Operation"]):
    """The operations of a block, listed when they are first looked at."""

    __slots__ = ()

    def append(self, op: "Operation") -> None:
        """Put an operation that is in no block at the end."""
        count = len(self)
        InsertionPoint(cast(Block, self._owner)).insert(op)
        self._insert(count, op._id)

    def insert(self, place: int, op: "Operation") -> None:
        """Put an operation that is in no block before the one at that place."""
        count, block = len(self), cast(Block, self._owner)
        # Neither end needs a list of the operations.
        number = _number(place, count)
        if number == 0:
            where = InsertionPoint._at(block, "begin")
        elif number == count:
            where = InsertionPoint(block)
        else:
            where = InsertionPoint.before(self[number])
        where.insert(op)
        self._insert(number, op._id)


class Block(_EditedBlock):
    """A block of an edited module.

    >>> edited = mlirbc.open("examples/two_layers.mlirbc").edit()
    >>> [op.name for op in edited.body]
    ['func.func', 'func.func']
    """

    __slots__ = ()

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
                index = self.block_number + 1
        return into._home._cloned_blocks("block", self, (into._id, index), options)[0]


class Region(_EditedRegion):
    """A region of an edited module.

    >>> edited = mlirbc.open("examples/two_layers.mlirbc").edit()
    >>> len(edited.operation.regions[0].blocks)
    1
    """

    __slots__ = ()

    def clone_into(
        self, into: "Region", index: int | None = None, **options: "Unpack[_CloneOptions]"
    ) -> list[Block]:
        """Copies of its blocks in another region, of this module or of another one.

        They are inserted before the block with the number `index`, or at the end. The other arguments, and
        the limits of cloning, are as for `Operation.clone`.
        """
        return into._home._cloned_blocks("region", self, (into._id, index), options)


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
