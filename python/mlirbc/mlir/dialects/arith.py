"""The dialect `arith`."""

from array import array
from typing import TYPE_CHECKING

from mlirbc.mlir import ir
from mlirbc.mlir._op_classes import result_of
from mlirbc.mlir._opview import OpView
from mlirbc.mlir.dialects._generated import DialectNames

if TYPE_CHECKING:
    from mlirbc._mlirbc import Attribute, Type
    from mlirbc.edit import InsertionPoint

_names = DialectNames("arith", __name__)


def __getattr__(name: str) -> object:
    return _names.get(name)


def __dir__() -> list[str]:
    return _names.all()


class ConstantOp(OpView, extends="arith.constant"):
    """A constant.

    >>> from mlirbc.mlir.dialects import arith
    >>> with ir.Context(), ir.Location.unknown():
    ...     module = ir.Module.create()
    ...     with ir.InsertionPoint(module.body):
    ...         print(arith.ConstantOp(ir.F32Type.get(), 1.5))
    %cst = arith.constant 1.500000e+00 : f32
    """

    __slots__ = ()

    def __init__(
        self,
        result: "Type",
        value: "int | float | array[int] | array[float] | Attribute",
        *,
        loc: "Attribute | None" = None,
        ip: "InsertionPoint | None" = None,
    ) -> None:
        """Build a constant of a type: a number, an array for elements, or an attribute."""
        self._build(_constant(result, value), loc=loc, ip=ip)

    @classmethod
    def create_index(
        cls, value: int, *, loc: "Attribute | None" = None, ip: "InsertionPoint | None" = None
    ) -> "ConstantOp":
        """Build a constant of type `index`."""
        return cls(ir.IndexType.get(), value, loc=loc, ip=ip)

    @property
    def type(self) -> "Type":
        """The type of the result."""
        return self.results[0].type

    @property
    def literal_value(self) -> int | float:
        """The number. Raises `ValueError` for other constants."""
        value = self.attributes["value"]
        if isinstance(value, ir.BoolAttr):
            # Upstream extends the sign of an integer of one bit.
            return -int(value.value)
        if isinstance(value, (ir.IntegerAttr, ir.FloatAttr)):
            return value.value
        raise ValueError("only integer and float constants have literal values")


def _constant(result: "Type", value: object) -> "Attribute":
    if isinstance(value, int):
        return ir.IntegerAttr.get(result, value)
    if isinstance(value, float):
        return ir.FloatAttr.get(result, value)
    if isinstance(value, array):
        return _elements(result, value)
    return value  # type: ignore[return-value]


def _elements(result: "Type", values: "array[int] | array[float]") -> "Attribute":
    width = result.element_type.width  # type: ignore[attr-defined]
    if 8 * values.itemsize != width:
        raise ValueError(f"Mismatching array element ({8 * values.itemsize}) and type ({width}) width.")
    if values.typecode in "ilq":
        return ir.DenseIntElementsAttr.get(values, type=result)
    if values.typecode in "fd":
        return ir.DenseFPElementsAttr.get(values, type=result)
    raise ValueError(f'Unsupported typecode: "{values.typecode}".')


def constant(
    result: "Type",
    value: "int | float | array[int] | array[float] | Attribute",
    *,
    loc: "Attribute | None" = None,
    ip: "InsertionPoint | None" = None,
) -> object:
    """Build a constant and return its value."""
    return result_of(ConstantOp(result, value, loc=loc, ip=ip))
