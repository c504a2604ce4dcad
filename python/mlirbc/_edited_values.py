"""Values of an edited module, their uses, and the lists of values in operations and blocks."""

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from mlirbc import _mlirbc
from mlirbc._edited_handles import HandleList
from mlirbc._mlirbc import Type, _EditedOperand, _EditedValue

if TYPE_CHECKING:
    from mlirbc.edit import Block, Module, Operation
    from mlirbc.mlir._context import Context

__all__ = ["ArgumentList", "BlockArgument", "OpOperand", "OpResult", "OperandList", "ResultList", "Value"]


def _is_argument(module: "Module", id: int | None) -> bool:
    assert id is not None
    return module._editor.definition(id).is_argument


def _view(op: "Operation") -> "Operation":
    """The view of an operation of `mlirbc.mlir`; others stay."""
    view: Operation = getattr(op, "opview", op)
    return view


class ResultList(HandleList["OpResult"]):
    """The values that an operation defines."""

    __slots__ = ()

    @property
    def types(self) -> list[Type]:
        """Their types."""
        return self._types()

    @property
    def owner(self) -> "Operation":
        """The operation; in `mlirbc.mlir`, its view."""
        return _view(cast("Operation", self._owner))


class ArgumentList(HandleList["BlockArgument"]):
    """The arguments of a block."""

    __slots__ = ()

    @property
    def types(self) -> list[Type]:
        """Their types."""
        return self._types()


class OperandList(HandleList["Value"]):
    __slots__ = ()

    def __setitem__(self, place: int, value: "Value | _mlirbc.Value") -> None:
        owner = self._owner
        number, id = range(len(self))[place], owner._id_of(value)
        owner._editor.set_operand(owner._id, number, id)
        self._replace(number, id)


class OpOperand(_EditedOperand):
    """A use of a value: an operation, and the number of the operand.

    >>> edited = mlirbc.open("examples/two_layers.mlirbc").edit()
    >>> value = edited.symbol("main").regions[0].blocks[0].arguments[0]
    >>> [(use.owner.name, use.operand_number) for use in value.uses]
    [('tensor.cast', 0)]
    """

    __slots__ = ()


class Value(_EditedValue):
    """An `OpResult` or a `BlockArgument`.

    >>> edited = mlirbc.open("examples/two_layers.mlirbc").edit()
    >>> value = edited.symbol("main").regions[0].blocks[0].arguments[0]
    >>> value.is_argument, value.number
    (True, 0)
    """

    __slots__ = ()

    def __new__(cls, module: "Module | Value", id: int | None = None, **named: object) -> "Value":
        """Create a handle of the class that fits the value, or cast a value to exactly this class.

        `named` has the arguments of initializers of classes that extend this one.
        """
        if cls is Value and not isinstance(module, Value):
            cls = BlockArgument if _is_argument(module, id) else OpResult
        return super().__new__(cls)  # pyright: ignore[reportArgumentType]

    def __init__(self, module: "Module | Value", id: int | None = None) -> None:
        if isinstance(module, Value):
            value = module
            self._check_cast(value)
            module, id = value._home, value._row
        assert id is not None
        self._set_target(module, id)

    def _check_cast(self, value: "Value") -> None:
        if not isinstance(self, (BlockArgument, OpResult)):
            return
        target = BlockArgument if isinstance(self, BlockArgument) else OpResult
        if value.is_argument is not (target is BlockArgument):
            raise ValueError(f"Cannot cast value to {target.__name__} (from {value})")

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
        self._replace_uses_except(value, users)

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

    if TYPE_CHECKING:

        @property
        def owner(self) -> Operation: ...

    def __str__(self) -> str:
        text = str(self._home._op(self._editor.definition(self._id).owner)._read())
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

    if TYPE_CHECKING:

        @property
        def owner(self) -> Block: ...

    def __str__(self) -> str:
        return f"BlockArgument(<block argument> of type '{self.type}' at index: {self.number})"

    @property
    def arg_number(self) -> int:
        """Its number among the arguments of its block, counted from 0."""
        return self.number
