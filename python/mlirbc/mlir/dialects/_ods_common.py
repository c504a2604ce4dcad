"""Functions that generated bindings and programs that extend them use."""

from collections.abc import Sequence
from types import SimpleNamespace
from typing import TypeAlias

from mlirbc._attributes import ArrayAttr, IntegerAttr
from mlirbc._mlirbc import Attribute
from mlirbc._shaped import ShapedType
from mlirbc.edit import Operation, Value
from mlirbc.mlir import _registry
from mlirbc.mlir._globals import GLOBALS
from mlirbc.mlir._op_classes import result_of as get_op_result_or_op_results
from mlirbc.mlir._opview import OpView
from mlirbc.mlir._opview import result_or_value as get_op_result_or_value
from mlirbc.mlir._opview import results_or_values as get_op_results_or_values

__all__ = [
    "MixedValues",
    "ResultValueT",
    "ResultValueTypeTuple",
    "VariadicResultValueT",
    "equally_sized_accessor",
    "get_default_loc_context",
    "get_op_result_or_op_results",
    "get_op_result_or_value",
    "get_op_results_or_values",
    "segmented_accessor",
]

ResultValueTypeTuple = (Operation, OpView, Value)
"""The classes of what stands for a value."""
ResultValueT: TypeAlias = Operation | OpView | Value
"""A value, or an operation with one result."""
VariadicResultValueT: TypeAlias = ResultValueT | Sequence[ResultValueT]
"""Values, or an operation."""
MixedValues: TypeAlias = Sequence[int | IntegerAttr | ResultValueT] | ArrayAttr | ResultValueT
"""Integers, of which some are known."""


def segmented_accessor(elements: Sequence[object], raw_segments: Attribute, idx: int) -> Sequence[object]:
    """The elements of a group, whose sizes are in an attribute."""
    sizes: list[int] = list(raw_segments)  # type: ignore[call-overload]
    start = sum(sizes[:idx])
    return elements[start : start + sizes[idx]]


def equally_sized_accessor(
    elements: Sequence[object],
    n_simple: int,
    n_variadic: int,
    n_preceding_simple: int,
    n_preceding_variadic: int,
) -> tuple[int, int]:
    """The place and the size of a group, if all groups with several elements have the same size."""
    size, rest = divmod(len(elements) - n_simple, n_variadic)
    assert rest == 0
    return n_preceding_simple + n_preceding_variadic * size, size


def get_default_loc_context(location: object = None) -> object:
    """The context of a location, or of the current one."""
    from mlirbc.mlir import ir

    location = ir.Location.current if location is None else location
    return getattr(location, "context", None)


def dispatch_mixed_values(
    values: object,
) -> "tuple[list[object], object, object]":
    """Values that are not known, a handle that stands for all values, and integers that are known.

    Integers that are not known are `ShapedType.get_dynamic_size()` among the known ones.
    """
    from mlirbc._dense_arrays import DenseI64ArrayAttr

    if isinstance(values, ArrayAttr):
        return [], None, values
    if isinstance(values, ResultValueTypeTuple):
        return [], values, None
    dynamic: list[object] = []
    static: list[int] = []
    for value in values or ():  # type: ignore[attr-defined]
        static.append(_known(value, dynamic))
    return dynamic, None, DenseI64ArrayAttr.get(static)


def dispatch_dynamic_index_list(
    indices: "Sequence[object] | ArrayAttr",
) -> "tuple[list[object], list[int], list[bool]]":
    """Values that are not known, integers that are known, and whether each index is scalable.

    A scalable index is a list with one item.
    """
    dynamic: list[object] = []
    static: list[int] = []
    scalable: list[bool] = []
    for index in indices:
        is_scalable = not isinstance(index, (int, IntegerAttr, *ResultValueTypeTuple))
        scalable.append(is_scalable)
        static.append(_known(index[0] if is_scalable else index, dynamic))  # type: ignore[index]
    return dynamic, static, scalable


def _known(value: object, dynamic: list[object]) -> int:
    if isinstance(value, int):
        return value
    if isinstance(value, IntegerAttr):
        return value.value
    dynamic.append(value)
    return ShapedType.get_dynamic_size()


_dispatch_mixed_values = dispatch_mixed_values
_dispatch_dynamic_index_list = dispatch_dynamic_index_list


class _Extension(SimpleNamespace):
    """The names that programs take from upstream's extension module."""

    register_dialect = staticmethod(_registry.register_dialect)
    register_operation = staticmethod(_registry.register_operation)
    globals = GLOBALS

    @property
    def ir(self) -> object:
        """The module `ir`."""
        from mlirbc.mlir import ir

        return ir


_cext = _Extension()
