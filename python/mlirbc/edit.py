"""Modules that can be changed: the names are those of upstream's bindings.

`module.edit()` lays edits over a module. The module, its handles and its file stay as they are, and so does
the speed of reading; handles of the edited module are classes of their own, which know `erase`, `clone`,
`move_before` and the like. `edited[op]` is the editable handle for a handle of the module.

>>> module = mlirbc.open("examples/two_layers.mlirbc")
>>> edited = module.edit()
>>> main = edited.symbol("main")
>>> main.attributes["example.note"] = mlirbc.StringAttr.get("checked")
>>> main.location = mlirbc.Location.file("model.py", 3, 1)
>>> again = mlirbc.read(edited.write())
>>> again.body.operations[1].attributes["example.note"]
StringAttr("checked")
"""

# One file for all handles: they make one another, and files of the package do not import one another
# in a circle.

import os
import threading
from collections.abc import Iterator, Mapping, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Literal, Self, TypeAlias, TypedDict, TypeVar, Unpack, overload

from mlirbc import _mlirbc
from mlirbc._edited import OpPropertyMap, ReadableModule, ReadableOperation
from mlirbc._edited_attributes import DeclaredProperties, DiscardableAttributes, OpAttributeMap
from mlirbc._edited_resources import Resources
from mlirbc._locations import Location
from mlirbc._mlirbc import Attribute, Type, _Editor
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
]

if TYPE_CHECKING:
    from mlirbc._mlirbc import _DialectVersion
    from mlirbc._written import WrittenBytes

    _Part: TypeAlias = "Operation | Block | Region | _mlirbc.Operation | _mlirbc.Block | _mlirbc.Region"


class _Handle:
    """A number of something in an edited module."""

    __slots__ = ("_id", "_module")

    def __init__(self, module: "Module", id: int) -> None:
        self._module = module
        self._id = id

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return self._id == other._id and self._module is other._module

    def __hash__(self) -> int:
        return hash((type(self), self._id, id(self._module)))

    @property
    def _editor(self) -> _Editor:
        return self._module._editor

    def _own(self, other: "_Handle | _Read") -> int:
        return self._module._id_of(other)


# Handles of the module that is edited.
_Read: TypeAlias = _mlirbc.Operation | _mlirbc.Block | _mlirbc.Region | _mlirbc.Value


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


class _CloneOptions(TypedDict, total=False):
    mapping: "Mapping[Value | Block | _mlirbc.Value | _mlirbc.Block, Value | Block] | None"
    rename: Mapping[str, str] | None
    drop_unsupported: bool


_H = TypeVar("_H", bound=_Handle)


class _List(Sequence[_H]):
    """Parts of an operation, a block or a region, as they were when the list was made.

    The list keeps numbers and makes handles on demand. Making a long list takes time in its length: keep it
    in a variable around a loop over its places.
    """

    __slots__ = ("_ids", "_kind", "_owner")

    def __init__(self, owner: _Handle, kind: type[_H], ids: list[int]) -> None:
        self._owner = owner
        self._kind = kind
        self._ids = ids

    def _all(self) -> list[int]:
        return self._ids

    def _handle(self, id: int) -> _H:
        return self._kind(self._owner._module, id)

    def __len__(self) -> int:
        return len(self._all())

    @overload
    def __getitem__(self, place: int) -> _H: ...
    @overload
    def __getitem__(self, place: slice) -> list[_H]: ...
    def __getitem__(self, place: int | slice) -> _H | list[_H]:
        found = self._all()[place]
        return [self._handle(id) for id in found] if isinstance(found, list) else self._handle(found)

    def __iter__(self) -> Iterator[_H]:
        return iter([self._handle(id) for id in self._all()])

    def __eq__(self, other: object) -> bool:
        return list(self) == list(other) if isinstance(other, Sequence) else NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __add__(self, other: Sequence[_H]) -> list[_H]:
        return [*self, *other]

    def __repr__(self) -> str:
        return repr(list(self))


class _Results(_List["OpResult"]):
    """The values that an operation defines."""

    @property
    def types(self) -> list[Type]:
        """Their types."""
        return [value.type for value in self]

    @property
    def owner(self) -> "Operation":
        """The operation."""
        return Operation(self._owner._module, self._owner._id)


class _Arguments(_List["BlockArgument"]):
    """The arguments of a block."""

    @property
    def types(self) -> list[Type]:
        """Their types."""
        return [value.type for value in self]


class _Operands(_List["Value"]):
    def __setitem__(self, place: int, value: "Value | _mlirbc.Value") -> None:
        number, id = range(len(self._ids))[place], self._owner._own(value)
        self._owner._editor.set_operand(self._owner._id, number, id)
        self._ids[number] = id


class _Successors(_List["Block"]):
    def __setitem__(self, place: int, block: "Block | _mlirbc.Block") -> None:
        number, id = range(len(self._ids))[place], self._owner._own(block)
        self._owner._editor.set_successor(self._owner._id, number, id)
        self._ids[number] = id


class _Blocks(_List["Block"]):
    def append(self, *types: Type) -> "Block":
        """A new block at the end, with arguments of these types."""
        owner = self._owner
        block = Block(owner._module, owner._editor.add_block(owner._id, None, list(types)))
        self._ids.append(block._id)
        return block

    def insert(self, place: int, *types: Type) -> "Block":
        """A new block before the one at that place, with arguments of these types."""
        owner, count = self._owner, len(self._ids)
        number = max(place + count, 0) if place < 0 else min(place, count)
        block = Block(owner._module, owner._editor.add_block(owner._id, number, list(types)))
        self._ids.insert(number, block._id)
        return block


class _Operations(_List["Operation"]):
    """The operations of a block, listed when they are first looked at."""

    __slots__ = ("_block", "_is_listed", "_is_shared")

    def __init__(self, owner: "Block") -> None:
        super().__init__(owner, Operation, [])
        self._block = owner
        # Raises at once if the block was erased.
        owner._editor.operation_count(owner._id)
        self._is_listed = False
        self._is_shared = False

    def _all(self) -> list[int]:
        if not self._is_listed:
            self._ids = self._owner._module._operations(self._owner._id)
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


class OpOperand:
    """A use of a value: an operation, and the number of the operand.

    >>> edited = mlirbc.open("examples/two_layers.mlirbc").edit()
    >>> value = edited.symbol("main").regions[0].blocks[0].arguments[0]
    >>> [(use.owner.name, use.operand_number) for use in value.uses]
    [('tensor.cast', 0)]
    """

    __slots__ = ("operand_number", "owner")

    owner: "Operation"
    """The operation that uses the value."""
    operand_number: int
    """The number of the operand, counted from 0."""

    def __init__(self, owner: "Operation", operand_number: int) -> None:
        self.owner = owner
        self.operand_number = operand_number

    @property
    def value(self) -> "Value":
        """The value that is used, at this time."""
        return self.owner.operands[self.operand_number]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, OpOperand):
            return NotImplemented
        return (self.owner, self.operand_number) == (other.owner, other.operand_number)

    def __hash__(self) -> int:
        return hash((self.owner, self.operand_number))

    def __repr__(self) -> str:
        return f"<mlirbc.edit.OpOperand {self.operand_number} of {self.owner!r}>"


class Value(_Handle):
    """An `OpResult` or a `BlockArgument`.

    >>> edited = mlirbc.open("examples/two_layers.mlirbc").edit()
    >>> value = edited.symbol("main").regions[0].blocks[0].arguments[0]
    >>> value.is_argument, value.number
    (True, 0)
    """

    __slots__ = ()

    def __new__(cls, module: "Module", id: int) -> "Value":
        """Give it the class that it has."""
        if cls is Value:
            cls = BlockArgument if module._editor.definition(id).is_argument else OpResult
        return object.__new__(cls)

    @property
    def module(self) -> "Module":
        """The edited module that it belongs to."""
        return self._module

    @property
    def location(self) -> "Location":
        """Its location: an argument's own, a result's operation's."""
        owner = self.owner
        if isinstance(owner, Operation):
            return owner.location
        location = _mlirbc._edit_argument_location(self._editor, self._id)
        return Location.unknown() if location is None else location

    @property
    def type(self) -> Type:
        """Its type."""
        return self._editor.value_type(self._id)

    def set_type(self, type: Type) -> None:
        """Give it another type."""
        self._editor.set_type(self._id, type)

    @property
    def is_argument(self) -> bool:
        """Whether it is an argument of a block."""
        return self._editor.definition(self._id).is_argument

    @property
    def number(self) -> int:
        """Its place among the results or arguments."""
        return self._editor.definition(self._id).number

    @property
    def owner(self) -> "Operation | Block":
        """The operation whose result it is, or the block whose argument."""
        definition = self._editor.definition(self._id)
        kind = Block if definition.is_argument else Operation
        return kind(self._module, definition.owner)

    def set_location(self, location: Attribute) -> None:
        """Give a block argument another location."""
        self._editor.set_argument_location(self._id, location)

    @property
    def uses(self) -> Iterator[OpOperand]:
        """Its uses, the newest first, as they are now."""
        uses = self._editor.uses(self._id)
        return iter([OpOperand(Operation(self._module, use.op), use.operand_number) for use in uses])

    def uses_in_order(self, order: Literal["stored", "upstream"] = "stored") -> list[OpOperand]:
        """Its uses as they would be written (`stored`), or as MLIR 19 and 22 show them after reading what
        would be written (`upstream`); from a snapshot.
        """
        owner = self.owner
        if isinstance(owner, Operation):
            read: _mlirbc.Value = _mlirbc._edit_snapshot_op(self._editor, owner._id).results[self.number]
        else:
            read = owner._read().arguments[self.number]
        # The two modules have the same operations in the same order.
        users = {use.op for use in self._editor.uses(self._id)}
        known = {_mlirbc._edit_snapshot_op(self._editor, op): Operation(self._module, op) for op in users}
        return [OpOperand(known[use.owner], use.operand_number) for use in read.uses_in_order(order)]

    def replace_all_uses_with(self, value: "Value | _mlirbc.Value") -> None:
        """Make all its uses uses of another value."""
        self._editor.replace_all_uses_with(self._id, self._own(value))

    @property
    def use_list_order(self) -> "list[tuple[Operation, int]]":
        """The operations that use it, and as which operand, in the order of its use list.

        That is the stored order, or the last use first. It can be set to the same uses in another order,
        which the file then stores (bytecode version 3 or later); later changes of the uses drop it. Raises
        `InvalidError` when it is set to anything else than the uses of the value, each once.

        >>> edited = mlirbc.open("examples/two_layers.mlirbc").edit()
        >>> value = edited.symbol("dense").regions[0].blocks[0].arguments[0]
        >>> value.use_list_order = value.use_list_order[::-1]
        """
        order = _mlirbc._edit_use_list_order(self._editor, self._id)
        return [(Operation(self._module, op), number) for op, number in order]

    @use_list_order.setter
    def use_list_order(self, order: "Sequence[tuple[Operation, int]]") -> None:
        rows = [(self._own(op), number) for op, number in order]
        _mlirbc._edit_set_use_list_order(self._editor, self._id, rows)

    def __repr__(self) -> str:
        name = type(self).__name__
        try:
            return f"<mlirbc.edit.{name} {self.number}>"
        except _mlirbc.Error:
            return f"<mlirbc.edit.{name}, erased>"


class OpResult(Value):
    """A result of an operation.

    >>> edited = mlirbc.open("examples/two_layers.mlirbc").edit()
    >>> edited.symbol("dense").regions[0].blocks[0].operations[0].result.result_number
    0
    """

    __slots__ = ()

    @property
    def owner(self) -> "Operation":
        """The operation that defines it."""
        return Operation(self._module, self._editor.definition(self._id).owner)

    @property
    def result_number(self) -> int:
        """Its number among the results of its operation, counted from 0."""
        return self.number


class BlockArgument(Value):
    """An argument of a block.

    >>> edited = mlirbc.open("examples/two_layers.mlirbc").edit()
    >>> edited.symbol("main").regions[0].blocks[0].arguments[1].arg_number
    1
    """

    __slots__ = ()

    @property
    def owner(self) -> "Block":
        """The block that it is an argument of."""
        return Block(self._module, self._editor.definition(self._id).owner)

    @property
    def arg_number(self) -> int:
        """Its number among the arguments of its block, counted from 0."""
        return self.number


class Block(_Handle):
    """A block of an edited module.

    >>> edited = mlirbc.open("examples/two_layers.mlirbc").edit()
    >>> [op.name for op in edited.body]
    ['func.func', 'func.func']
    """

    __slots__ = ()

    @property
    def operations(self) -> _Operations:
        """Its operations."""
        return _Operations(self)

    def __iter__(self) -> "Iterator[Operation]":
        return iter(self.operations)

    @property
    def arguments(self) -> _Arguments:
        """Its arguments."""
        return _Arguments(self, BlockArgument, self._editor.arguments(self._id))

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
            return self._module.snapshot().operations[0].block
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
        return Value(self._module, self._editor.add_argument(self._id, type, loc))

    def erase_argument(self, number: int) -> None:
        """Take away an argument that nothing uses."""
        self._editor.erase_argument(self._id, number)

    def insert_argument(self, index: int, type: Type, loc: Attribute | None = None) -> Value:
        """A new argument before the one with that number; its location is unknown if not given."""
        row = _mlirbc._edit_insert_argument(self._editor, self._id, index, type, loc)
        return Value(self._module, row)

    def create_before(self, *arg_types: Type) -> "Block":
        """A new block before this one, in the same region, with arguments of these types.

        >>> edited = mlirbc.open("examples/two_layers.mlirbc").edit()
        >>> region = edited.symbol("dense").regions[0]
        >>> new = region.blocks[0].create_after(mlirbc.Type.parse("i32"))
        >>> region.blocks[1] == new
        True
        """
        return self._beside(0, arg_types)

    def create_after(self, *arg_types: Type) -> "Block":
        """A new block after this one, in the same region, with arguments of these types."""
        return self._beside(1, arg_types)

    def _beside(self, offset: int, types: Sequence[Type]) -> "Block":
        number = _mlirbc._edit_block_number(self._editor, self._id) + offset
        region = self._editor.region_of(self._id)
        if region is None:
            raise ValueError("the block is in no region")
        return Block(self._module, self._editor.add_block(region, number, list(types)))

    @staticmethod
    def create_at_start(parent: "Region", arg_types: Sequence[Type] = ()) -> "Block":
        """A new block before all others of a region, with arguments of these types."""
        return parent.blocks.insert(0, *arg_types)

    def clone(
        self, into: "Region | None" = None, index: int | None = None, **options: "Unpack[_CloneOptions]"
    ) -> "Block":
        """A copy with everything in it, in a region of this module or of another one.

        It is inserted before the block with the number `index`, or at the end; without `into`, after this
        block. The other arguments, and what cannot be cloned, are those of `Operation.clone`.

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
        return into._module._cloned_blocks("block", self, (into._id, index), options)[0]

    def append(self, op: "Operation") -> None:
        """Put an operation that is in no block at the end."""
        InsertionPoint(self).insert(op)

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
        mlirbc.InvalidError: `%z` is used, but it is not defined, at -:1:16
        """
        if ip is None:
            ip = InsertionPoint(self)
        elif ip._module is not self._module or ip.block != self:
            raise ValueError("the insertion point is not in this block")
        named = {name: self._own(value) for name, value in (values or {}).items()}
        labels = {name: self._own(block) for name, block in (blocks or {}).items()}
        at = (ip._place, ip._beside._id)
        rows = _mlirbc._edit_insert_asm(self._editor, text, at, named, labels, file)
        made = [Operation(self._module, row) for row in rows]
        if made:
            ip._passed(made[-1])
        return made

    def erase(self) -> None:
        """Erase it with everything in it."""
        self._editor.erase_block(self._id)

    def __repr__(self) -> str:
        try:
            return f"<mlirbc.edit.Block with {self._editor.operation_count(self._id)} operations>"
        except _mlirbc.Error:
            return "<mlirbc.edit.Block, erased>"


class Region(_Handle):
    """A region of an edited module.

    >>> edited = mlirbc.open("examples/two_layers.mlirbc").edit()
    >>> len(edited.operation.regions[0].blocks)
    1
    """

    __slots__ = ()

    @property
    def blocks(self) -> _Blocks:
        """Its blocks; `append` makes one."""
        return _Blocks(self, Block, self._editor.blocks(self._id))

    def __iter__(self) -> Iterator[Block]:
        return iter(self.blocks)

    @property
    def owner(self) -> "Operation | None":
        """The operation that has it; None for the top level."""
        op = self._editor.owner_of_region(self._id)
        return None if op is None else Operation(self._module, op)

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
        what cannot be cloned, are those of `Operation.clone`.
        """
        return into._module._cloned_blocks("region", self, (into._id, index), options)

    def __repr__(self) -> str:
        try:
            return f"<mlirbc.edit.Region with {len(self.blocks)} blocks>"
        except _mlirbc.Error:
            return "<mlirbc.edit.Region, erased>"


class Operation(_Handle, ReadableOperation):
    """An operation of an edited module. Once it is erased, using it raises `InvalidError`.

    >>> edited = mlirbc.open("examples/two_layers.mlirbc").edit()
    >>> copy = edited.symbol("main").clone()
    >>> copy.attributes["sym_name"] = mlirbc.StringAttr.get("second")
    >>> [op.attributes["sym_name"].value for op in edited.body]
    ['dense', 'main', 'second']
    """

    __slots__ = ()

    @staticmethod
    def create(
        name: str,
        results: Sequence[Type] = (),
        operands: "Sequence[Value | _mlirbc.Value]" = (),
        attributes: Mapping[str, Attribute] | None = None,
        successors: "Sequence[Block | _mlirbc.Block]" = (),
        regions: int = 0,
        loc: Attribute | None = None,
        ip: "InsertionPoint | None" = None,
        verify: bool = True,
    ) -> "Operation":
        """Make an operation at `ip`, or where the `with InsertionPoint(...)` around says.

        Without `loc` its location is that of the `with Location...` around, or unknown. Properties are among
        the attributes. `Module.detached` makes one that is in no block.

        Raises `InvalidError` if the release of the module defines the operation with other numbers of
        operands, results, regions or successors, or with attributes that are missing here, and if it has the
        dialect, but not the operation. Types are not checked. `verify=False` leaves the check out.

        >>> edited = mlirbc.edit.Module.create()
        >>> with mlirbc.edit.InsertionPoint(edited.body):
        ...     mlirbc.edit.Operation.create("func.return", regions=1)
        Traceback (most recent call last):
            ...
        mlirbc.InvalidError: func.return: expected 0 regions, found 1; `mlirbc explain NAME` shows the definition; `verify=False` (`NewOperation::is_unchecked`) creates the operation as it is
        """
        place = ip or InsertionPoint.current()
        if place is None:
            raise ValueError("no insertion point: pass ip=, or use `with InsertionPoint(block):`")
        loc = loc or Location.current()
        op = place._module.detached(
            name, results, operands, attributes, successors, regions, loc, verify=verify
        )
        try:
            place.insert(op)
        except BaseException:
            op.erase()
            raise
        return op

    @property
    def name(self) -> str:
        """Its full name."""
        return self._editor.name(self._id)

    @property
    def property_state(self) -> str:
        """How it has its properties: `none`, `merged`, `attribute`, `opaque` or `decoded`."""
        return _mlirbc._edit_property_state(self._editor, self._id)

    @property
    def is_registered(self) -> bool | None:
        """Whether its writer knew it; None below version 5. It can be set.

        Properties of known layout become one dictionary, and a dictionary becomes properties.
        """
        return _mlirbc._edit_is_registered(self._editor, self._id)

    @is_registered.setter
    def is_registered(self, is_registered: bool) -> None:
        _mlirbc._edit_set_registered(self._editor, self._id, is_registered)

    @property
    def property_blob(self) -> bytes | None:
        """The bytes of its properties; None when it has none. They are replaced as a whole.

        The numbers in them are those of this module. What the layout of the operation does not take is
        refused with
        `ReadError`.
        """
        return _mlirbc._edit_property_blob(self._editor, self._id)

    @property_blob.setter
    def property_blob(self, data: bytes | None) -> None:
        _mlirbc._edit_set_property_blob(self._editor, self._id, data)

    @property
    def declared_properties(self) -> "DeclaredProperties":
        """Its properties by name, if its dialect declares them in a table or has hooks for them; they can be
        set and deleted. Those of other operations are among the attributes, and this is empty.

        Setting raises `InvalidError` for values that the table or the hooks do not accept. A new operation
        has no properties before `declared_properties.replace({...})`.
        """
        return DeclaredProperties(self)

    @property
    def attributes(self) -> OpAttributeMap:
        """Its attributes by name; they can be set and deleted."""
        return OpAttributeMap(self)

    @property
    def discardable_attributes(self) -> OpAttributeMap:
        """Its attributes by name that are not properties; they can be set and deleted."""
        return DiscardableAttributes(self)

    @property
    def operation(self) -> "Operation":
        """Itself, as upstream's views have it."""
        return self

    def is_before_in_block(self, other: "Operation | _mlirbc.Operation") -> bool:
        """Whether it precedes `other`. Raises `ValueError` when they are in different blocks."""
        block, number = self._editor.block_of(self._id), self._own(other)
        if block is None or block != self._editor.block_of(number):
            raise ValueError("the operations are in different blocks")
        ids = self._module._operations(block)
        return ids.index(self._id) < ids.index(number)

    @property
    def location(self) -> "Location":
        """Where it comes from; can be set."""
        return self._editor.location(self._id)

    @location.setter
    def location(self, location: Attribute) -> None:
        self._editor.set_location(self._id, location)

    @property
    def operands(self) -> _Operands:
        """What it uses; items can be set."""
        return _Operands(self, Value, self._editor.operands(self._id))

    @operands.setter
    def operands(self, values: "Sequence[Value | _mlirbc.Value]") -> None:
        self._editor.set_operands(self._id, [self._own(value) for value in values])

    @property
    def results(self) -> _Results:
        """Its results."""
        return _Results(self, OpResult, self._editor.results(self._id))

    @property
    def result(self) -> OpResult:
        """Its only result. Raises `ValueError` when it has none or several."""
        results = self.results
        if len(results) != 1:
            raise ValueError(f"{self.name} has {len(results)} results")
        return results[0]

    @property
    def successors(self) -> _Successors:
        """Its successor blocks; items can be set."""
        return _Successors(self, Block, self._editor.successors(self._id))

    @successors.setter
    def successors(self, blocks: Sequence[Block]) -> None:
        _mlirbc._edit_set_successors(self._editor, self._id, [self._own(block) for block in blocks])

    @property
    def regions(self) -> "_List[Region]":
        """Its regions."""
        return _List(self, Region, self._editor.regions(self._id))

    def set_results(self, types: Sequence[Type]) -> "list[Value]":
        """Give its results these types; results are added or removed at the end.

        Raises `InvalidError` when a result that would be removed is used.

        >>> edited = mlirbc.edit.Module.create()
        >>> op = edited.detached("test.op", results=[mlirbc.Type.parse("i1")])
        >>> first = op.result
        >>> op.set_results([mlirbc.Type.parse("i32"), mlirbc.Type.parse("f32")])[0] == first
        True
        """
        rows = _mlirbc._edit_set_results(self._editor, self._id, list(types))
        return [Value(self._module, row) for row in rows]

    def add_result(self, type: Type, index: int | None = None) -> Value:
        """A new result before the one with that number, or at the end."""
        return Value(self._module, _mlirbc._edit_add_result(self._editor, self._id, index, type))

    def erase_result(self, index: int) -> None:
        """Take away a result. Raises `InvalidError` when it is used."""
        _mlirbc._edit_erase_result(self._editor, self._id, index)

    def add_region(self, index: int | None = None) -> Region:
        """A new region without blocks, before the one with that number or at the end."""
        return Region(self._module, _mlirbc._edit_add_region(self._editor, self._id, index))

    def erase_region(self, index: int) -> None:
        """Take away a region with everything in it.

        Raises `InvalidError` when one of its values is used elsewhere.
        """
        _mlirbc._edit_erase_region(self._editor, self._id, index)

    def set_operand_group(self, name: str, values: Sequence[Value]) -> None:
        """Replace the operands of one group, and update the segment sizes of the operation.

        Raises `InvalidError` when the operation has no such group, or the group cannot have as many.
        """
        rows = [self._own(value) for value in values]
        _mlirbc._edit_set_operand_group(self._editor, self._id, name, rows)

    @property
    def parent(self) -> "Operation | None":
        """The operation around it."""
        op = self._editor.parent(self._id)
        return None if op is None else Operation(self._module, op)

    @property
    def block(self) -> Block | None:
        """The block it is in; None when it is in none."""
        block = self._editor.block_of(self._id)
        return None if block is None else Block(self._module, block)

    @property
    def is_erased(self) -> bool:
        """Whether it was erased."""
        return self._editor.is_erased(self._id)

    def erase(self) -> None:
        """Erase it and everything inside it. Raises `InvalidError` when a result is still used."""
        self._editor.erase(self._id)

    def detach_from_parent(self) -> "Operation":
        """Take it out of its block; it can be put elsewhere."""
        self._editor.detach(self._id)
        return self

    def move_before(self, other: "Operation | _mlirbc.Operation") -> None:
        """Move it in front of another operation, in whatever block that is."""
        self._editor.move_before(self._id, self._own(other))

    def move_after(self, other: "Operation | _mlirbc.Operation") -> None:
        """Move it after another operation, in any block."""
        self._editor.move_after(self._id, self._own(other))

    def clone(
        self,
        ip: "InsertionPoint | None" = None,
        *,
        into: "Module | None" = None,
        **options: "Unpack[_CloneOptions]",
    ) -> "Operation":
        """A copy with everything inside it, at `ip`; without one, after this operation.

        `into` is another edited module, at the end of whose body the copy is inserted without `ip`.
        Attributes, types, properties, use-list orders and resources come along; a resource gets the key
        `key_1` and so on if the module has other content under its key. What depends on the version or the
        release is translated. `Module.clone` does the same for a handle of a module that is only read.

        `mapping` has values and blocks from outside of the copy, and what replaces them; within a module
        they are kept without it. `rename` has new names of symbols that the copy defines, and references
        inside it follow. `drop_unsupported` leaves out what the other version or release cannot represent.

        Raises `InvalidError` when an operand is not mapped or not visible at `ip`, or the symbol exists;
        `UnsupportedError` when the version, the release or the dialect version of the other module cannot
        represent the operation, or its encoding is unknown. Nothing is changed then.

        >>> source = mlirbc.open("examples/two_layers.mlirbc").edit()
        >>> target = mlirbc.edit.Module.create()
        >>> copy = source.symbol("dense").clone(into=target, rename={"dense": "layer"})
        >>> target.symbol("layer") == copy
        True
        """
        if into is None and ip is not None:
            into = ip._module
        if options or (into is not None and into is not self._module):
            if ip is None and into in (None, self._module) and self.block is not None:
                ip = InsertionPoint.after(self)
            return (into or self._module)._cloned(self, ip, options)
        copy = Operation(self._module, self._editor.clone(self._id))
        if ip is None and self.block is not None:
            ip = InsertionPoint.after(self)
        if ip is not None:
            ip.insert(copy)
        return copy

    def __repr__(self) -> str:
        if self.is_erased:
            return "<mlirbc.edit.Operation, erased>"
        return _mlirbc._printable(f"<mlirbc.edit.Operation {self.name}>")


class InsertionPoint:
    """Where operations go: at the end of a block, or before an operation.

    In a `with` it holds for `Operation.create`.

    >>> edited = mlirbc.edit.Module.create()
    >>> with mlirbc.edit.InsertionPoint(edited.body):
    ...     op = mlirbc.edit.Operation.create("test.op")
    >>> [op.name for op in edited.body]
    ['test.op']
    """

    __slots__ = ("_beside", "_module", "_place")

    _open = threading.local()

    def __init__(self, beside: Block | Operation) -> None:
        _edited(beside)
        self._module: Module = beside._module
        self._beside: Block | Operation = beside
        self._place = "before" if isinstance(beside, Operation) else "end"

    @classmethod
    def _at(cls, beside: Block | Operation, place: str) -> "InsertionPoint":
        point = cls(beside)
        point._place = place
        return point

    @staticmethod
    def at_block_begin(block: Block) -> "InsertionPoint":
        """Before all operations of the block."""
        return InsertionPoint._at(block, "begin")

    @staticmethod
    def at_block_end(block: Block) -> "InsertionPoint":
        """After all operations of the block."""
        return InsertionPoint._at(block, "end")

    @staticmethod
    def at_block_terminator(block: Block) -> "InsertionPoint":
        """In front of the last operation of the block."""
        operations = block.operations
        if not operations:
            raise ValueError("the block has no terminator")
        return InsertionPoint._at(operations[-1], "before")

    @staticmethod
    def before(op: Operation) -> "InsertionPoint":
        """Before an operation."""
        return InsertionPoint._at(op, "before")

    @staticmethod
    def after(op: Operation) -> "InsertionPoint":
        """After an operation."""
        return InsertionPoint._at(op, "after")

    @property
    def block(self) -> Block:
        """The block that it is in."""
        block = self._beside if isinstance(self._beside, Block) else self._beside.block
        if block is None:
            raise ValueError("the operation is in no block")
        return block

    @property
    def ref_operation(self) -> Operation | None:
        """The operation before which the next one is inserted; None at the end of the block."""
        if self._place == "before" and isinstance(self._beside, Operation):
            return self._beside
        if self._place == "end":
            return None
        operations = list(self.block.operations)
        place = 0
        if isinstance(self._beside, Operation):
            place = operations.index(self._beside) + 1
        return operations[place] if place < len(operations) else None

    @staticmethod
    def current() -> "InsertionPoint | None":
        """That of the innermost `with` in this thread."""
        stack = getattr(InsertionPoint._open, "stack", None)
        return stack[-1] if stack else None

    def insert(self, op: Operation) -> None:
        """Put an operation that is in no block there."""
        if op._module is not self._module:
            raise TypeError("the handle belongs to another module")
        self._module._editor.insert(op._id, self._place, self._beside._id)
        self._passed(op)

    def _passed(self, op: Operation) -> None:
        if self._place in ("begin", "after"):
            # The next one goes after this one.
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


def _edited(handle: object) -> None:
    if not isinstance(handle, _Handle):
        # The module may have been edited several times: nothing says which of these is meant.
        hint = "; `edited[handle]` is the editable one" if isinstance(handle, _Read) else ""
        raise TypeError(f"expected a handle of an edited module, found {type(handle).__name__}{hint}")


class Module(ReadableModule):
    """A module with edits of its own; `mlirbc.Module.edit` makes one.

    >>> edited = mlirbc.edit.Module.create()
    >>> edited.operation
    <mlirbc.edit.Operation builtin.module>
    >>> mlirbc.read(edited.write()).operation.name
    'builtin.module'
    """

    __slots__ = ("_base", "_before_fallback", "_checkpoints", "_editor", "_listed", "_source")

    def __init__(self, module: _mlirbc.Module) -> None:
        self._editor = _Editor(module)
        self._base: _mlirbc.Module | None = module
        self._listed: tuple[int, int, list[int]] | None = None
        self._checkpoints: list[Checkpoint] = []
        self._source: tuple[_mlirbc.Module, Module] | None = None
        # The state before operations were converted to fallback operations, and the revision after that.
        self._before_fallback: tuple[Checkpoint, int] | None = None

    @staticmethod
    def create(loc: Attribute | None = None, *, release: str = "llvm-22", version: int = 6) -> "Module":
        """A new module without operations, in the form that `release` reads and writes."""
        module = Module.__new__(Module)
        module._editor = _Editor.create_module(release, version, loc)
        module._listed = None
        module._base = None
        module._checkpoints = []
        module._source = None
        module._before_fallback = None
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
        """Undo what was edited inside if an exception leaves the block. Nothing is saved by itself."""
        checkpoint = self._checkpoints.pop()
        if exc_type is not None:
            self.rollback(checkpoint)

    def checkpoint(self) -> "Checkpoint":
        """Record the current state, for `rollback`.

        It takes time and memory in proportion to what was edited so far, not to the file.

        >>> edited = mlirbc.open("examples/two_layers.mlirbc").edit()
        >>> before = edited.checkpoint()
        >>> edited.symbol("main").erase()
        >>> edited.rollback(before)
        >>> edited.symbol("main").name, edited.is_changed
        ('func.func', False)
        """
        return Checkpoint(self, _mlirbc._edit_checkpoint(self._editor))

    def rollback(self, checkpoint: "Checkpoint") -> None:
        """Undo everything since a checkpoint, resources and tables included.

        Handles from before stay valid; using one of something that was created since raises `InvalidError`.
        The checkpoint can be used again, later ones cannot.
        """
        if checkpoint._module is not self:
            raise TypeError("the checkpoint belongs to another module")
        _mlirbc._edit_rollback(self._editor, checkpoint._state)
        self._listed = None

    def transaction(self) -> "Transaction":
        """For `with`: what is edited inside is undone if an exception leaves the block.

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
        """The edits of a module that is only read; for the same module again, the same ones."""
        if self._source is None or self._source[0] is not module:
            self._source = (module, Module(module))
        return self._source[1]

    def _part(self, part: "_Part") -> "tuple[Module, int]":
        if isinstance(part, _Handle):
            return part._module, part._id
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
        new = Operation(self, copy)
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
            handle = old if isinstance(old, _Handle) else source[old]
            if handle._module is not source:
                raise TypeError("the handle that is mapped belongs to another module")
            if isinstance(handle, Value) is not isinstance(new, Value):
                raise TypeError("a value is mapped to a value, and a block to a block")
            (values if isinstance(handle, Value) else blocks).append((handle._id, new._id))
        return _mlirbc._edit_clone(
            self._editor,
            source._editor,
            part,
            at,
            into,
            (values, blocks),
            list((options.get("rename") or {}).items()),
            options.get("drop_unsupported", False),
        )

    def _operations(self, block: int) -> list[int]:
        """The operations of a block; asked for again while nothing moved, the same list."""
        moves = self._editor.moves
        if self._listed is None or self._listed[:2] != (block, moves):
            self._listed = (block, moves, self._editor.operations(block))
        return self._listed[2]

    @property
    def operation(self) -> Operation:
        """The top-level operation."""
        return Operation(self, self._editor.operation())

    @property
    def body(self) -> Block:
        """The block of the top-level operation."""
        return self.operation.regions[0].blocks[0]

    @property
    def is_changed(self) -> bool:
        """Whether it differs from the file."""
        return self._editor.is_changed

    @property
    def resources(self) -> Resources:
        """Its resources, which can be replaced, added or removed."""
        return Resources(self)

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
            return Operation(self, self._editor.op(handle))
        if isinstance(handle, _mlirbc.Block):
            return Block(self, self._editor.block(handle))
        if isinstance(handle, _mlirbc.Region):
            return Region(self, self._editor.region(handle))
        if isinstance(handle, _mlirbc.Value):
            return Value(self, self._editor.value(handle))
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
        return Operation(self, op)

    def symbol(self, name: str, scope: Operation | _mlirbc.Operation | None = None) -> Operation | None:
        """The operation that defines a symbol; None when there is none.

        The name is looked for in the symbol table of the top-level operation, then as a path such as
        `kernels::step`, then among all nested symbol tables; with `scope`, a symbol table, in that one alone.

        Raises `InvalidError` when several nested symbol tables have the name, and when `scope` is not a
        symbol table. Each call goes through the whole module: for many symbols, go through `body.operations`
        once.
        """
        op = self._editor.symbol(name, self._scope(scope))
        return None if op is None else Operation(self, op)

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

    def _operand(self, op: int, number: int) -> OpOperand:
        return OpOperand(Operation(self, op), number)

    def _value(self, id: int) -> Value:
        return Value(self, id)

    def _block(self, id: int) -> Block:
        return Block(self, id)

    def _id_of(self, handle: _Handle | _Read) -> int:
        """The number of a handle of this module, or of the module that it edits."""
        if isinstance(handle, _Handle):
            if handle._module is not self:
                raise TypeError("the handle belongs to another module")
            return handle._id
        return self[handle]._id

    def verify(self, *, symbols: bool = False, ops: bool = False) -> _mlirbc.Verification:
        """Verify what was edited; with `symbols`, that all references of the module resolve; then check
        everything as `mlirbc.Module.verify` does, with `ops` also operations, in a snapshot.

        Raises `InvalidError`, which names the operation, or what `mlirbc.Module.verify` raises. Writing
        verifies what was edited by itself, without `symbols`.
        """
        self._editor.verify(symbols)
        return self.snapshot().verify(ops=ops)

    def write(self, **keywords: Unpack[_WriteKeywords]) -> "WrittenBytes":
        """The module with its edits as bytecode; keywords as of `mlirbc.Module.write`, and `verify`."""
        return self._editor.write(**keywords)

    def save(self, path: str | os.PathLike[str], **keywords: Unpack[_WriteKeywords]) -> _mlirbc.WriteReport:
        """Write the module with its edits to a file, in one step; the keywords are those of `write`.

        Whatever fails, the old file stays whole, also when it is the one that the module was read from.
        """
        return self._editor.save(path, **keywords)

    def __repr__(self) -> str:
        return f"<mlirbc.edit.Module, {'changed' if self.is_changed else 'unchanged'}>"
