"""The dialect `memref`."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeAlias, cast

from mlirbc.mlir import ir
from mlirbc.mlir._opview import OpView
from mlirbc.mlir.dialects._generated import DialectNames
from mlirbc.mlir.dialects._ods_common import dispatch_mixed_values

if TYPE_CHECKING:
    from mlirbc._mlirbc import Attribute
    from mlirbc.edit import InsertionPoint, Value

Mixed: TypeAlias = "Sequence[object]"
"""Integers and values."""

_names = DialectNames("memref", __name__)


def __getattr__(name: str) -> object:
    return _names.get(name)


def __dir__() -> list[str]:
    return _names.all()


def _is_constant_int_like(value: object) -> bool:
    is_value = isinstance(value, ir.Value) and isinstance(value.type, (ir.IntegerType, ir.IndexType))
    return is_value and not value.is_argument and value.owner.name == "arith.constant"  # type: ignore[attr-defined]


def _is_static_int_like(value: object) -> bool:
    if isinstance(value, int):
        return value != ir.ShapedType.get_dynamic_size()
    return _is_constant_int_like(value)


def _literal(value: object) -> object:
    """The integer of a constant; other values stay."""
    if not _is_constant_int_like(value):
        return value
    return int(value.owner.attributes["value"])  # type: ignore[attr-defined]


def _infer_memref_subview_result_type(
    source_memref_type: "ir.MemRefType", offsets: Mixed, static_sizes: Mixed, static_strides: Mixed
) -> "tuple[list[object], list[object], list[object], ir.MemRefType]":
    """The offsets, sizes and strides with constants as integers, and the type of the subview."""
    source_strides, source_offset = source_memref_type.get_strides_and_offset()
    if not all(_is_static_int_like(one) for one in [*static_sizes, *static_strides, *source_strides]):
        raise ValueError("Only inferring from python or mlir integer constant is supported.")
    offsets = [_literal(one) for one in offsets]
    sizes = [_literal(one) for one in static_sizes]
    strides = [_literal(one) for one in static_strides]
    layout = _layout(offsets, sizes, strides, list(source_strides), source_offset)
    result = ir.MemRefType.get(
        sizes,  # type: ignore[arg-type]
        source_memref_type.element_type,
        layout,
        source_memref_type.memory_space,
    )
    return offsets, sizes, strides, result


def _layout(
    offsets: "Sequence[object]",
    sizes: "Sequence[object]",
    strides: "Sequence[object]",
    source_strides: "list[int]",
    source_offset: int,
) -> "Attribute | None":
    """The layout of a subview; None for the layout without gaps."""
    offset = ir.ShapedType.get_dynamic_size()
    if all(_is_static_int_like(one) for one in [*offsets, source_offset]):
        offset = source_offset
        for one, stride in zip(offsets, source_strides, strict=True):
            offset += cast(int, one) * stride
    target = [source * cast(int, stride) for source, stride in zip(source_strides, strides, strict=True)]
    contiguous = [1]
    for size in reversed(sizes[1:]):
        contiguous.insert(0, contiguous[0] * cast(int, size))
    if target == contiguous and offset == 0:
        return None
    return ir.StridedLayoutAttr.get(offset, target)


_generated_subview = _names.generated_function("subview")


def subview(
    source: "Value",
    offsets: "Mixed | None",
    sizes: "Mixed | None",
    strides: "Mixed | None",
    *,
    result_type: "ir.MemRefType | None" = None,
    loc: "Attribute | None" = None,
    ip: "InsertionPoint | None" = None,
) -> object:
    """Build a view of a part of a buffer and return it.

    The type of the result follows if all sizes and strides are known. Raises `ValueError` without
    `result_type` otherwise.
    """
    offsets, sizes, strides = (list(one or ()) for one in (offsets, sizes, strides))
    if result_type is None:
        source_strides, _ = source.type.get_strides_and_offset()  # type: ignore[attr-defined]
        if not all(_is_static_int_like(one) for one in [*sizes, *strides, *source_strides]):
            raise ValueError("mixed static/dynamic offset/sizes/strides requires explicit result type.")
        offsets, sizes, strides, result_type = _infer_memref_subview_result_type(
            source.type,  # type: ignore[arg-type]
            offsets,
            sizes,
            strides,
        )
    dynamic, _, static = zip(*(dispatch_mixed_values(one) for one in (offsets, sizes, strides)), strict=True)
    build = _generated_subview
    return build(result_type, source, *dynamic, *static, loc=loc, ip=ip)


class LoadOp(OpView, extends="memref.load"):
    """A load from a buffer."""

    __slots__ = ()
