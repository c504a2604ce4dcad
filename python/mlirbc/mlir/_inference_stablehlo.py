"""Types of results of StableHLO and CHLO, which upstream computes in C++."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from mlirbc._attributes import IntegerAttr
from mlirbc._mlirbc import Attribute, Type
from mlirbc._shaped import RankedTensorType, ShapedType
from mlirbc._types import ComplexType, IntegerType, TupleType
from mlirbc.mlir._inference import (
    element_or_self,
    register_inference,
    shape_like,
    truth,
    types_of_results_unknown,
)

if TYPE_CHECKING:
    from mlirbc.edit import Value

__all__: list[str] = []


def _types(groups: "Mapping[str, Sequence[Value]]") -> list[Type]:
    return [value.type for values in groups.values() for value in values]


def _register(
    names: str, rule: "Callable[[list[Type], Mapping[str, Attribute]], Sequence[Type] | None]"
) -> None:
    """Register a rule, which gets the types of the operands; None stands for types that are not known."""
    for name in names.split():
        register_inference(name)(_rule(name, rule))


def _rule(
    name: str, rule: "Callable[[list[Type], Mapping[str, Attribute]], Sequence[Type] | None]"
) -> "Callable[[Mapping[str, Sequence[Value]], Mapping[str, Attribute]], Sequence[Type]]":
    def infer(
        groups: "Mapping[str, Sequence[Value]]", attributes: "Mapping[str, Attribute]"
    ) -> "Sequence[Type]":
        types = rule(_types(groups), attributes)
        return types_of_results_unknown(name) if types is None else types

    return infer


def _tensor(like: Type, shape: "Sequence[int]") -> list[Type] | None:
    """A tensor of a shape, with the elements of another one. Bounds in an encoding are not computed."""
    if not isinstance(like, RankedTensorType) or like.encoding is not None:
        return None
    return [RankedTensorType.get(shape, like.element_type)]


def _numbers(attributes: "Mapping[str, Attribute]", name: str) -> list[int]:
    return [int(one) for one in attributes[name]]  # type: ignore[attr-defined]


def _number(attributes: "Mapping[str, Attribute]", name: str) -> int:
    value = attributes[name]
    return value.value if isinstance(value, IntegerAttr) else 0


def _shape(type_: Type) -> list[int] | None:
    return list(type_.shape) if isinstance(type_, RankedTensorType) else None


_UNKNOWN = ShapedType.get_dynamic_size()


def _real(type_: Type) -> Type:
    element = element_or_self(type_)
    return shape_like(type_, element.element_type) if isinstance(element, ComplexType) else type_


def _concatenated(types: list[Type], attributes: "Mapping[str, Attribute]") -> list[Type] | None:
    shapes = [_shape(type_) for type_ in types]
    dimension = _number(attributes, "dimension")
    if not shapes or any(shape is None or dimension >= len(shape) for shape in shapes):
        return None
    ranked = [shape for shape in shapes if shape is not None]
    # A size that one operand does not know can be known by another one.
    result = [
        next((size for size in sizes if size != _UNKNOWN), _UNKNOWN) for sizes in zip(*ranked, strict=True)
    ]
    sizes = [shape[dimension] for shape in ranked]
    result[dimension] = _UNKNOWN if _UNKNOWN in sizes else sum(sizes)
    return _tensor(types[0], result)


def _transposed(types: list[Type], attributes: "Mapping[str, Attribute]") -> list[Type] | None:
    shape = _shape(types[0])
    if shape is None:
        return None
    return _tensor(types[0], [shape[place] for place in _numbers(attributes, "permutation")])


def _sliced(types: list[Type], attributes: "Mapping[str, Attribute]") -> list[Type] | None:
    starts, limits, strides = (
        _numbers(attributes, name) for name in ("start_indices", "limit_indices", "strides")
    )
    sizes = [
        (limit - start + stride - 1) // stride
        for start, limit, stride in zip(starts, limits, strides, strict=True)
    ]
    return _tensor(types[0], sizes)


def _padded(types: list[Type], attributes: "Mapping[str, Attribute]") -> list[Type] | None:
    shape = _shape(types[0])
    low, high, interior = (
        _numbers(attributes, name) for name in ("edge_padding_low", "edge_padding_high", "interior_padding")
    )
    if shape is None:
        return None
    sizes = [
        _UNKNOWN if size == _UNKNOWN else size + before + after + max(size - 1, 0) * between
        for size, before, after, between in zip(shape, low, high, interior, strict=True)
    ]
    return _tensor(types[0], sizes)


def _broadcast(types: list[Type], attributes: "Mapping[str, Attribute]") -> list[Type] | None:
    shape = _shape(types[0])
    return None if shape is None else _tensor(types[0], [*_numbers(attributes, "broadcast_sizes"), *shape])


def _component(types: list[Type], attributes: "Mapping[str, Attribute]") -> list[Type] | None:
    whole = types[0]
    return [whole.get_type(_number(attributes, "index"))] if isinstance(whole, TupleType) else None


def _scalar(element: Type) -> list[Type]:
    return [RankedTensorType.get([], element)]


def _constant(types: list[Type], attributes: "Mapping[str, Attribute]") -> list[Type]:
    return [attributes["value"].type]


def _token(types: list[Type], attributes: "Mapping[str, Attribute]") -> list[Type]:
    return [Type.parse("!stablehlo.token")]


_register(
    "stablehlo.add stablehlo.cholesky stablehlo.collective_broadcast stablehlo.collective_permute "
    "stablehlo.reverse stablehlo.batch_norm_inference stablehlo.dynamic_update_slice chlo.constant_like",
    lambda types, _: types[:1],
)
_register("stablehlo.clamp stablehlo.select stablehlo.triangular_solve", lambda types, _: types[1:2])
_register(
    "stablehlo.compare stablehlo.is_finite chlo.is_inf chlo.is_neg_inf chlo.is_pos_inf",
    lambda types, _: [truth(types[0])],
)
_register("stablehlo.abs stablehlo.real stablehlo.imag", lambda types, _: [_real(types[0])])
_register(
    "stablehlo.complex",
    lambda types, _: [shape_like(types[0], ComplexType.get(element_or_self(types[0])))],
)
_register("stablehlo.after_all stablehlo.create_token stablehlo.send stablehlo.outfeed", _token)
_register("stablehlo.constant chlo.constant", _constant)
_register("stablehlo.replica_id stablehlo.partition_id", lambda *_: _scalar(IntegerType.get_unsigned(32)))
_register("stablehlo.get_dimension_size", lambda *_: _scalar(IntegerType.get_signless(32)))
_register("stablehlo.tuple", lambda types, _: [TupleType.get_tuple(types)])
_register("stablehlo.get_tuple_element", _component)
_register("stablehlo.optimization_barrier", lambda types, _: types)
_register("stablehlo.concatenate", _concatenated)
_register("stablehlo.transpose", _transposed)
_register("stablehlo.slice", _sliced)
_register("stablehlo.pad", _padded)
_register("stablehlo.broadcast", _broadcast)
_register(
    "stablehlo.dynamic_slice",
    lambda types, attributes: _tensor(types[0], _numbers(attributes, "slice_sizes")),
)
