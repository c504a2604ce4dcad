"""The dialect `tensor`."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from mlirbc.mlir import ir
from mlirbc.mlir._op_classes import result_of
from mlirbc.mlir._opview import OpView
from mlirbc.mlir.dialects._generated import DialectNames
from mlirbc.mlir.extras.meta import region_op

if TYPE_CHECKING:
    from mlirbc._mlirbc import Attribute, Type
    from mlirbc.edit import InsertionPoint

_names = DialectNames("tensor", __name__)


def __getattr__(name: str) -> object:
    return _names.get(name)


def __dir__() -> list[str]:
    return _names.all()


class EmptyOp(OpView, extends="tensor.empty"):
    """A tensor without defined elements."""

    __slots__ = ()

    def __init__(
        self,
        sizes: "Sequence[object]",
        element_type: "Type",
        *,
        encoding: "Attribute | None" = None,
        loc: "Attribute | None" = None,
        ip: "InsertionPoint | None" = None,
    ) -> None:
        """Build a tensor of these sizes, integers or values."""
        dynamic = [size for size in sizes if not isinstance(size, int)]
        unknown = ir.ShapedType.get_dynamic_size()
        static = [size if isinstance(size, int) else unknown for size in sizes]
        self._build(ir.RankedTensorType.get(static, element_type, encoding), dynamic, loc=loc, ip=ip)


def empty(
    sizes: "Sequence[object]",
    element_type: "Type",
    *,
    encoding: "Attribute | None" = None,
    loc: "Attribute | None" = None,
    ip: "InsertionPoint | None" = None,
) -> object:
    """Build a tensor without defined elements and return it."""
    return result_of(EmptyOp(sizes, element_type, encoding=encoding, loc=loc, ip=ip))


def _generate(result: "Type", dynamic_extents: "Sequence[object]") -> OpView:
    build = _names.builder("GenerateOp")
    return build(result, dynamic_extents)


def _yield(values: list[object]) -> object:
    return _names.builder("YieldOp")(values[0])


generate = region_op(_generate, terminator=_yield)
"""A decorator: the function builds the element for its indices."""
