"""Operations whose regions are Python functions."""

import inspect
from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING

from mlirbc.mlir import ir
from mlirbc.mlir._op_classes import result_of

if TYPE_CHECKING:
    from mlirbc.edit import Region
    from mlirbc.mlir._opview import OpView

__all__ = ["op_region_builder", "region_op"]


def op_region_builder(
    op: "OpView",
    op_region: "Region",
    terminator: "Callable[[list[object]], object] | None" = None,
) -> "Callable[[Callable[..., object]], object]":
    """A decorator that builds a region of an operation by a function.

    An empty region gets a block; the annotations of the parameters are the types of its arguments. With
    `terminator`, it is called with what the function returns.
    """

    def build(function: "Callable[..., object]") -> object:
        if len(op_region.blocks) == 0:
            op_region.blocks.append(*_argument_types(function))
        block = op_region.blocks[0]
        with ir.InsertionPoint(block):
            results = function(*block.arguments)
        if terminator is not None:
            last = op_region.blocks[len(op_region.blocks) - 1]
            with ir.InsertionPoint(last):
                terminator(_listed(results))
        return result_of(op)

    return build


def _argument_types(function: "Callable[..., object]") -> "list[ir.Type]":
    signature = inspect.signature(function, eval_str=True)
    types = [parameter.annotation for parameter in signature.parameters.values()]
    if not all(isinstance(one, ir.Type) for one in types):
        raise ValueError(
            f"for body_builder={function!r} either missing a type annotation or type annotation isn't a mlir "
            f"type: {signature}"
        )
    return types


def _listed(results: object) -> list[object]:
    if results is None:
        return []
    return list(results) if isinstance(results, (list, tuple)) else [results]


def region_op(
    op_constructor: "Callable[..., OpView]",
    terminator: "Callable[[list[object]], object] | None" = None,
) -> "Callable[..., object]":
    """A decorator that makes an operation of a function, which builds the first region.

    Without arguments for the operation, parentheses can be left out. The name of the function then stands
    for the result, the results, or the operation.
    """

    def decorate(*arguments: object, **keywords: object) -> "Callable[[Callable[..., object]], object]":
        op = op_constructor(*arguments, **keywords)
        return op_region_builder(op, op.regions[0], terminator)

    @wraps(decorate)
    def decorate_or_build(*arguments: object, **keywords: object) -> object:
        if len(arguments) == 1 and not keywords and inspect.isfunction(arguments[0]):
            return decorate()(arguments[0])
        return decorate(*arguments, **keywords)

    return decorate_or_build
