"""Values of an edited module, their uses, and the lists of values in operations and blocks."""

import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Literal, Protocol

from mlirbc import _mlirbc
from mlirbc._edited_handles import Handle, HandleList
from mlirbc._locations import Location, NameLoc
from mlirbc._mlirbc import Attribute, Type

if TYPE_CHECKING:
    from mlirbc.edit import Block, Module, Operation
    from mlirbc.mlir._context import Context

__all__ = ["ArgumentList", "BlockArgument", "OpOperand", "OpResult", "OperandList", "ResultList", "Value"]


class _Scope(Protocol):
    @property
    def use_local_scope(self) -> bool: ...


def _is_argument(module: "Module", id: int | None) -> bool:
    assert id is not None
    return module._editor.definition(id).is_argument


def _view(op: "Operation") -> "Operation":
    """The view of an operation of `mlirbc.mlir`; others stay."""
    view: Operation = getattr(op, "opview", op)
    return view


class ResultList(HandleList["OpResult"]):
    """The values that an operation defines."""

    @property
    def types(self) -> list[Type]:
        """Their types."""
        return [value.type for value in self]

    @property
    def owner(self) -> "Operation":
        """The operation; in `mlirbc.mlir`, its view."""
        return _view(self._owner._home._op(self._owner._id))


class ArgumentList(HandleList["BlockArgument"]):
    """The arguments of a block."""

    @property
    def types(self) -> list[Type]:
        """Their types."""
        return [value.type for value in self]


class OperandList(HandleList["Value"]):
    def __setitem__(self, place: int, value: "Value | _mlirbc.Value") -> None:
        number, id = range(len(self._ids))[place], self._owner._id_of(value)
        self._owner._editor.set_operand(self._owner._id, number, id)
        self._ids[number] = id


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


class Value(Handle):
    """An `OpResult` or a `BlockArgument`.

    >>> edited = mlirbc.open("examples/two_layers.mlirbc").edit()
    >>> value = edited.symbol("main").regions[0].blocks[0].arguments[0]
    >>> value.is_argument, value.number
    (True, 0)
    """

    __slots__ = ()
    _kind = "value"

    def __new__(cls, module: "Module | Value", id: int | None = None, **named: object) -> "Value":
        """Create a handle of the class that fits the value, or cast a value to exactly this class.

        `named` has the arguments of initializers of classes that extend this one.
        """
        if cls is Value and not isinstance(module, Value):
            cls = BlockArgument if _is_argument(module, id) else OpResult
        return object.__new__(cls)

    def __init__(self, module: "Module | Value", id: int | None = None) -> None:
        if isinstance(module, Value):
            value = module
            self._check_cast(value)
            module, id = value._home, value._row
        assert id is not None
        # Loops make many values, so the constructor of the base is not called.
        self._module, self._id = module, id

    def _check_cast(self, value: "Value") -> None:
        if not isinstance(self, (BlockArgument, OpResult)):
            return
        target = BlockArgument if isinstance(self, BlockArgument) else OpResult
        if value.is_argument is not (target is BlockArgument):
            raise ValueError(f"Cannot cast value to {target.__name__} (from {value})")

    @property
    def module(self) -> "Module":
        """The edited module that it belongs to."""
        return self._home

    @property
    def location(self) -> "Location":
        """Its location: an argument's own, a result's operation's."""
        definition = self._editor.definition(self._id)
        if not definition.is_argument:
            return self._editor.location(definition.owner)
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
        if definition.is_argument:
            return self._module._block(definition.owner)
        return _view(self._module._op(definition.owner))

    def set_location(self, location: Attribute) -> None:
        """Give a block argument another location."""
        self._editor.set_argument_location(self._id, location)

    @property
    def uses(self) -> Iterator[OpOperand]:
        """Its uses, the newest first, as they are now."""
        uses = self._editor.uses(self._id)
        return iter([OpOperand(self._module._view(use.op), use.operand_number) for use in uses])

    def uses_in_order(self, order: Literal["stored", "upstream"] = "stored") -> list[OpOperand]:
        """Its uses as they would be written (`stored`), or as MLIR 19 and 22 show them after reading the
        written file (`upstream`); from a snapshot.
        """
        read = self._read()
        # The two modules have the same operations in the same order.
        users = {use.op for use in self._editor.uses(self._id)}
        handles = {_mlirbc._edit_snapshot_op(self._editor, op): self._module._op(op) for op in users}
        return [OpOperand(handles[use.owner], use.operand_number) for use in read.uses_in_order(order)]

    def replace_all_uses_except(self, value: "Value", exceptions: "Operation | Sequence[Operation]") -> None:
        """Make its uses uses of another value, but not those by these operations.

        >>> edited = mlirbc.open("examples/two_layers.mlirbc").edit()
        >>> dense = edited.symbol("dense").regions[0].blocks[0]
        >>> user = next(dense.arguments[0].uses).owner
        >>> dense.arguments[0].replace_all_uses_except(dense.arguments[1], user)
        >>> {use.owner == user for use in dense.arguments[0].uses}
        {True}
        """
        users = exceptions if isinstance(exceptions, Sequence) else [exceptions]
        rows, replacement = {self._id_of(op) for op in users}, self._id_of(value)
        for use in self._editor.uses(self._id):
            if use.op not in rows:
                self._editor.set_operand(use.op, use.operand_number, replacement)

    def get_name(
        self,
        use_local_scope: bool = False,
        use_name_loc_as_prefix: bool = False,
        *,
        state: "_Scope | None" = None,
    ) -> str:
        """The name in the text, such as `%0`, of the module or, with `use_local_scope`, of the operation
        around that is isolated from above; from a snapshot. With `use_name_loc_as_prefix`, a value with a
        named location has this name.

        >>> edited = mlirbc.open("examples/two_layers.mlirbc").edit()
        >>> edited.symbol("main").regions[0].blocks[0].arguments[0].get_name(True)
        '%arg0'
        """
        if use_name_loc_as_prefix and isinstance(self.location, NameLoc):
            return f"%{self.location.name_str}"
        return self._read().get_name(use_local_scope or (state is not None and state.use_local_scope))

    def _read(self) -> _mlirbc.Value:
        definition = self._editor.definition(self._id)
        if definition.is_argument:
            return self._home._block(definition.owner)._read().arguments[definition.number]
        return _mlirbc._edit_snapshot_op(self._editor, definition.owner).results[definition.number]

    def replace_all_uses_with(self, value: "Value | _mlirbc.Value") -> None:
        """Make all its uses uses of another value."""
        self._editor.replace_all_uses_with(self._id, self._id_of(value))

    @property
    def context(self) -> "Context":
        """The context of its module, as `mlirbc.mlir.ir` has them; otherwise the current one.

        >>> from mlirbc.mlir import ir
        >>> context = ir.Context()
        >>> with context, ir.Location.unknown():
        ...     value = ir.Operation.create("test.op", results=[ir.IndexType.get()]).result
        >>> value.context is context
        True
        """
        return self._home.context

    def dump(self) -> None:
        """Print the text to the standard error output."""
        print(self, file=sys.stderr)

    def maybe_downcast(self) -> "Value":
        """The handle of the class that is registered for its type; see `mlirbc.mlir.ir`."""
        return self._home._value(self._row)

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
        return [(self._module._op(op), number) for op, number in order]

    @use_list_order.setter
    def use_list_order(self, order: "Sequence[tuple[Operation, int]]") -> None:
        rows = [(self._id_of(op), number) for op, number in order]
        _mlirbc._edit_set_use_list_order(self._editor, self._id, rows)

    def __str__(self) -> str:
        exact = BlockArgument(self) if self.is_argument else OpResult(self)
        return f"Value{str(exact).removeprefix(type(exact).__name__)}"

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

    def __new__(cls, module: "Module | Value", id: int | None = None) -> "OpResult":
        """Make the handle of a value of this class."""
        return object.__new__(cls)

    @property
    def owner(self) -> "Operation":
        """The operation that defines it; in `mlirbc.mlir`, its view."""
        return _view(self._home._op(self._editor.definition(self._id).owner))

    def __str__(self) -> str:
        text = str(_mlirbc._edit_snapshot_op(self._editor, self._editor.definition(self._id).owner))
        return f"OpResult({text})"

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

    def __new__(cls, module: "Module | Value", id: int | None = None) -> "BlockArgument":
        """Make the handle of a value of this class."""
        return object.__new__(cls)

    @property
    def owner(self) -> "Block":
        """The block that it is an argument of."""
        return self._home._block(self._editor.definition(self._id).owner)

    def __str__(self) -> str:
        return f"BlockArgument(<block argument> of type '{self.type}' at index: {self.number})"

    @property
    def arg_number(self) -> int:
        """Its number among the arguments of its block, counted from 0."""
        return self.number
