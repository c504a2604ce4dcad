"""The dialect `linalg`: structured operations.

The functions of named operations take inputs, and outputs as `outs`; they fill the region.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from mlirbc import _mlirbc
from mlirbc.mlir import ir
from mlirbc.mlir._op_classes import result_of
from mlirbc.mlir._opview import OpView, result_or_value
from mlirbc.mlir._registry import register_attribute_builder
from mlirbc.mlir.dialects._generated import DialectNames
from mlirbc.mlir.dialects._ods_common import dispatch_mixed_values
from mlirbc.mlir.dialects.linalg._dimensions import (
    ContractionDimensions as ContractionDimensions,
)
from mlirbc.mlir.dialects.linalg._dimensions import (
    get_indexing_maps as get_indexing_maps,
)
from mlirbc.mlir.dialects.linalg._dimensions import (
    infer_contraction_dimensions as infer_contraction_dimensions,
)
from mlirbc.mlir.dialects.linalg._dimensions import (
    infer_contraction_dimensions_from_maps as infer_contraction_dimensions_from_maps,
)
from mlirbc.mlir.dialects.linalg._dimensions import (
    isa_contraction_op as isa_contraction_op,
)
from mlirbc.mlir.dialects.linalg._regions import fill_builtin_region
from mlirbc.mlir.extras.meta import region_op

if TYPE_CHECKING:
    from mlirbc._mlirbc import Attribute, Type
    from mlirbc.edit import InsertionPoint, Value


_names = DialectNames("linalg", __name__)


def __getattr__(name: str) -> object:
    operation = f"linalg.{name}"
    if name in _SHADOWED or not _is_structured(operation):
        return _names.get(name)
    return partial(_structured, operation)


def __dir__() -> list[str]:
    return _names.all()


# Operations with functions of their own, or without the general form.
_SHADOWED = frozenset(("generic", "index", "yield_", "map", "reduce", "softmax"))


def _is_structured(operation: str) -> bool:
    """Whether an operation has groups of inputs and outputs."""
    definition = _mlirbc._binding_definition(operation)
    return definition is not None and [row[0] for row in definition[1][0]] == ["inputs", "outputs"]


def _structured(
    operation: str,
    *ins: object,
    outs: "Sequence[object]",
    loc: "Attribute | None" = None,
    ip: "InsertionPoint | None" = None,
    **attributes: object,
) -> object:
    """Build a named operation and return its result, or the operation."""
    return result_of(_build(operation, ins, outs, loc, ip, attributes))


def _build(
    operation: str,
    ins: "Sequence[object]",
    outs: "Sequence[object]",
    loc: "Attribute | None",
    ip: "InsertionPoint | None",
    attributes: "dict[str, object]",
) -> OpView:
    inputs = [result_or_value(value) for value in ins]
    outputs = [result_or_value(value) for value in outs]
    build: Callable[..., OpView] = _names.class_of(operation)
    operation_view = build(_tensors(outputs), inputs, outputs, loc=loc, ip=ip, **attributes)  # pyright: ignore[reportCallIssue]
    fill_builtin_region(operation_view.operation)
    return operation_view


def _tensors(outputs: "Sequence[Value]") -> "list[Type]":
    """The types of the results: the types of outputs that are tensors."""
    return [value.type for value in outputs if isinstance(value.type, ir.RankedTensorType)]


def _only(outs: "Sequence[object]") -> "Value":
    if len(outs) != 1:
        raise ValueError(f"outs={outs!r} must have length 1.")
    return result_or_value(outs[0])


def transpose(input: object, *, outs: "Sequence[object]", permutation: "Sequence[int] | Attribute") -> OpView:
    """Build a permutation of dimensions."""
    init = _only(outs)
    operation_view = _names.builder("TransposeOp")(_tensors([init]), input, init, permutation=permutation)
    fill_builtin_region(operation_view.operation)
    return operation_view


def broadcast(input: object, *, outs: "Sequence[object]", dimensions: "Sequence[int] | Attribute") -> OpView:
    """Build a repetition along dimensions."""
    init = _only(outs)
    operation_view = _names.builder("BroadcastOp")(_tensors([init]), input, init, dimensions=dimensions)
    fill_builtin_region(operation_view.operation)
    return operation_view


@register_attribute_builder("IteratorTypeArrayAttr")
def _iterator_types(values: "Sequence[object]", context: object = None) -> "Attribute":
    return ir.ArrayAttr.get(
        [
            one if isinstance(one, ir.Attribute) else ir.Attribute.parse(f"#linalg.iterator_type<{one}>")
            for one in values
        ]
    )


def _generic(
    inputs: "Sequence[object]",
    outputs: "Sequence[object]",
    indexing_maps: object,
    iterator_types: object,
    *,
    doc: "str | Attribute | None" = None,
    library_call: "str | Attribute | None" = None,
    loc: "Attribute | None" = None,
    ip: "InsertionPoint | None" = None,
) -> OpView:
    ins = [result_or_value(value) for value in inputs]
    outs = [result_or_value(value) for value in outputs]
    operation_view = _names.builder("GenericOp")(
        _tensors(outs),
        ins,
        outs,
        indexing_maps,
        iterator_types,
        doc=doc,
        library_call=library_call,
        loc=loc,
        ip=ip,
    )
    operation_view.regions[0].blocks.append(*(_element(value) for value in (*ins, *outs)))
    return operation_view


def _element(value: "Value") -> "Type":
    type_ = value.type
    return type_.element_type if isinstance(type_, ir.ShapedType) else type_


def _yield(values: list[object]) -> object:
    return _names.builder("YieldOp")(values)


def _lazy(name: str) -> "Callable[..., OpView]":
    def build(*arguments: object, **keywords: object) -> OpView:
        return _names.get(name)(*arguments, **keywords)  # type: ignore[operator, no-any-return]

    return build


generic = region_op(_generic, terminator=_yield)
"""A decorator: the function computes the elements of the outputs."""
reduce = region_op(_lazy("ReduceOp"), terminator=_yield)
"""A decorator: the function combines two elements."""
map = region_op(_lazy("MapOp"), terminator=_yield)
"""A decorator: the function computes an element."""


class ElementwiseOp(OpView, extends="linalg.elementwise"):
    """An operation on elements."""

    __slots__ = ()

    def __init__(
        self,
        result_tensors: "Sequence[Type]",
        inputs: "Sequence[object]",
        outputs: "Sequence[object]",
        kind: object,
        *,
        indexing_maps: object = None,
        loc: "Attribute | None" = None,
        ip: "InsertionPoint | None" = None,
    ) -> None:
        """Build it; without maps, all operands have the same shape."""
        if indexing_maps is None:
            output = result_or_value(outputs[0])
            rank = output.type.rank  # type: ignore[attr-defined]
            indexing_maps = [ir.AffineMap.get_identity(rank)] * (len(inputs) + 1)
        self._build(result_tensors, inputs, outputs, kind, indexing_maps=indexing_maps, loc=loc, ip=ip)


def elementwise(
    *ins: object,
    outs: "Sequence[object]",
    kind: object,
    indexing_maps: object = None,
) -> object:
    """Build an operation on elements and return its result."""
    init = _only(outs)
    operation_view = ElementwiseOp(
        _tensors([init]),
        [result_or_value(value) for value in ins],
        [init],
        kind,
        indexing_maps=indexing_maps,
    )
    fill_builtin_region(operation_view.operation)
    return result_of(operation_view)


def pack(
    source: object,
    dest: object,
    inner_dims_pos: object,
    inner_tiles: object,
    *,
    padding_value: object = None,
    outer_dims_perm: object = None,
    loc: "Attribute | None" = None,
    ip: "InsertionPoint | None" = None,
) -> object:
    """Build a packing into tiles and return its result."""
    options = {"padding_value": padding_value, "outer_dims_perm": outer_dims_perm, "loc": loc, "ip": ip}
    return _with_tiles("PackOp", source, dest, inner_dims_pos, inner_tiles, options)


def unpack(
    source: object,
    dest: object,
    inner_dims_pos: object,
    inner_tiles: object,
    *,
    outer_dims_perm: object = None,
    loc: "Attribute | None" = None,
    ip: "InsertionPoint | None" = None,
) -> object:
    """Build the reverse of a packing and return its result."""
    options = {"outer_dims_perm": outer_dims_perm, "loc": loc, "ip": ip}
    return _with_tiles("UnPackOp", source, dest, inner_dims_pos, inner_tiles, options)


def _with_tiles(
    name: str,
    source: object,
    dest: object,
    inner_dims_pos: object,
    inner_tiles: object,
    options: "dict[str, object]",
) -> object:
    dynamic, _, static = dispatch_mixed_values(inner_tiles)
    target = result_or_value(dest)
    return result_of(
        _names.builder(name)(
            source=source,
            dest=target,
            inner_dims_pos=inner_dims_pos,
            inner_tiles=dynamic,
            static_inner_tiles=static,
            results=_tensors([target]),
            **options,
        )
    )
