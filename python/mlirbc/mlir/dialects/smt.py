"""The dialect `smt`."""

from typing import TYPE_CHECKING

from mlirbc.mlir._dialect_types import DialectType, type_class
from mlirbc.mlir.dialects._generated import DialectNames
from mlirbc.mlir.extras.meta import region_op

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mlirbc._mlirbc import Attribute, Type
    from mlirbc.edit import InsertionPoint

_names = DialectNames("smt", __name__)


def __getattr__(name: str) -> object:
    return _names.get(name)


def __dir__() -> list[str]:
    return _names.all()


BoolType = type_class("BoolType", "smt", "bool", __name__)
IntType = type_class("IntType", "smt", "int", __name__)


class BitVectorType(DialectType):
    """A bit vector."""

    __slots__ = ()
    _dialect = "smt"
    _mnemonic = "bv"

    @classmethod
    def get(cls, width: int, context: object = None) -> "BitVectorType":
        """The type for a width."""
        return cls._parsed(f"<{width}>", context)

    @property
    def width(self) -> int:
        """The number of bits."""
        return int(self._parameters[0])


def bool_t() -> "Type":
    """`!smt.bool`."""
    return BoolType.get()


def int_t() -> "Type":
    """`!smt.int`."""
    return IntType.get()


def bv_t(width: int) -> "Type":
    """A bit vector."""
    return BitVectorType.get(width)


def _solver(
    inputs: "Sequence[object]" = (),
    results: "Sequence[Type]" = (),
    *,
    loc: "Attribute | None" = None,
    ip: "InsertionPoint | None" = None,
) -> object:
    return _names.builder("SolverOp")(results, inputs, loc=loc, ip=ip)


def _yield(values: list[object]) -> object:
    return _names.builder("YieldOp")(values)


solver = region_op(_solver, terminator=_yield)  # type: ignore[arg-type]
"""A decorator: the function builds the operations of a solver."""


def constant(
    value: "bool | int",
    *,
    loc: "Attribute | None" = None,
    ip: "InsertionPoint | None" = None,
) -> object:
    """Build a constant of type `!smt.bool` or `!smt.int` and return it."""
    function = "constant" if isinstance(value, bool) else "int_constant"
    return _names.generated_function(function)(value, loc=loc, ip=ip)
