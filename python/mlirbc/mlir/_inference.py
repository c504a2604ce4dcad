"""Types of results that follow from operands and attributes, by traits and rules of operations."""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from mlirbc._attributes import TypeAttr
from mlirbc._mlirbc import Attribute, Type
from mlirbc._shaped import RankedTensorType, ShapedType, UnrankedTensorType, VectorType
from mlirbc._types import ComplexType, IndexType, IntegerType

if TYPE_CHECKING:
    from mlirbc.edit import Value
    from mlirbc.mlir._definitions import Definition, ValuePart

__all__ = [
    "element_or_self",
    "inferred_types",
    "register_inference",
    "shape_like",
    "truth",
    "types_of_results_unknown",
]

Rule = Callable[["Mapping[str, Sequence[Value]]", "Mapping[str, Attribute]"], "Sequence[Type]"]

_RULES: "dict[str, Rule]" = {}
_SAME_TYPES = ("SameOperandsAndResultType", "CompatibleOperandsAndResultType")


def register_inference(name: str) -> "Callable[[Rule], Rule]":
    """A decorator for the rule that gives the types of the results of an operation.

    It gets the operands by name, each a sequence of values, and the attributes by name.
    """

    def register(rule: "Rule") -> "Rule":
        _RULES[name] = rule
        return rule

    return register


def inferred_types(
    name: str,
    definition: "Definition | None",
    operands: "Sequence[Value]",
    attributes: "Mapping[str, Attribute]",
) -> "list[Type]":
    """The types of the results. Raises `ValueError` if no rule gives them."""
    if definition is None or not definition.results:
        return []
    groups = _grouped(definition, operands, attributes)
    if name.startswith(("stablehlo.", "chlo.")):
        import mlirbc.mlir._inference_stablehlo  # noqa: F401
    if (rule := _RULES.get(name)) is not None:
        return list(rule(groups, attributes))
    if operands and any(definition.has_trait(one) for one in _SAME_TYPES):
        return [operands[0].type] * len(definition.results)
    types = {part: values[0].type for part, values in groups.items() if values}
    for attribute in definition.attributes:
        value = attributes.get(attribute.key)
        if value is not None and (type_ := _type_of(value)) is not None:
            types.setdefault(attribute.name, type_)
    if definition.has_trait("FirstAttrDerivedResultType"):
        first = types.get(definition.attributes[0].name)
        return [first] * len(definition.results) if first is not None else types_of_results_unknown(name)
    _apply_traits(definition, types)
    for part in definition.results:
        if part.name not in types and part.only_type is not None:
            types[part.name] = Type.parse(part.only_type)
    try:
        return [types[part.name] for part in definition.results]
    except KeyError:
        return types_of_results_unknown(name)


def types_of_results_unknown(name: str) -> "list[Type]":
    """Raises the error for types that do not follow by a rule that is known."""
    raise ValueError(
        f"{name}: the types of the results do not follow from the operands by a rule that is known; "
        "pass them as results=[...]"
    )


def _grouped(
    definition: "Definition", operands: "Sequence[Value]", attributes: "Mapping[str, Attribute]"
) -> "dict[str, Sequence[Value]]":
    sizes = attributes.get("operandSegmentSizes")
    if sizes is not None:
        lengths: list[int] = list(sizes)  # type: ignore[call-overload]
    else:
        lengths = _lengths(definition.operands, len(operands))
    groups, start = {}, 0
    for part, length in zip(definition.operands, lengths, strict=True):
        groups[part.name] = operands[start : start + length]
        start += length
    return groups


def _lengths(parts: "tuple[ValuePart, ...]", count: int) -> list[int]:
    groups = sum(part.segment != 1 for part in parts)
    size = (count - (len(parts) - groups)) // groups if groups else 0
    return [1 if part.segment == 1 else size for part in parts]


def _type_of(attribute: Attribute) -> Type | None:
    if isinstance(attribute, TypeAttr):
        return attribute.value
    type_ = getattr(attribute, "type", None)
    return type_ if isinstance(type_, Type) else None


def _apply_traits(definition: "Definition", types: "dict[str, Type]") -> None:
    for row in definition.traits.get("AllTypesMatch", ()):
        source = next((types[part] for part in row if part in types), None)
        if source is not None:
            for part in row:
                types.setdefault(part, source)
    for row in definition.traits.get("TypesMatchWith", ()):
        source_part, part, function = (*row, "", "")[:3]
        if source_part in types and part not in types:
            computed = _computed(function, types[source_part])
            if computed is not None:
                types[part] = computed


def _computed(function: str, type_: Type) -> Type | None:
    """The type that a function gives: one by name, or the text or the tree of a declaration in a pack."""
    if (compute := _COMPUTED.get(function)) is not None:
        return compute(type_)
    text = str(type_)
    if "{:body}" in function:
        return Type.parse(function.replace("{:body}", text[text.find("<") :] if "<" in text else "", 1))
    if "{}" in function:
        return Type.parse(function.replace("{}", text, 1))
    return _evaluated(json.loads(function), type_) if function.startswith("[") else None


def _evaluated(tree: object, type_: Type) -> Type | None:
    """The type that a tree of an expression gives; `None` for classes and conditions."""
    match tree:
        case "self":
            return type_
        case ["type", str(text)]:
            return Type.parse(text)
        case ["param", str(name), inner]:
            source = _evaluated(inner, type_)
            return None if source is None else _parameter(source, name)
        case [str(name), inner] if name in _COMPUTED:
            source = _evaluated(inner, type_)
            return None if source is None else _COMPUTED[name](source)
    return None


# ---- the functions of `TypesMatchWith` ----


def shape_like(type_: Type, element: Type) -> Type:
    """A type of the same shape with other elements."""
    if isinstance(type_, VectorType):
        return VectorType.get(type_.shape, element, scalable=list(type_.scalable_dims))
    if isinstance(type_, RankedTensorType):
        return RankedTensorType.get(type_.shape, element, type_.encoding)
    if isinstance(type_, UnrankedTensorType):
        return UnrankedTensorType.get(element)
    return element


def truth(type_: Type) -> Type:
    return shape_like(type_, IntegerType.get_signless(1))


def _element(type_: Type) -> Type | None:
    if isinstance(type_, (ShapedType, ComplexType)):
        return type_.element_type
    return None


def element_or_self(type_: Type) -> Type:
    return type_.element_type if isinstance(type_, ShapedType) else type_


def _vector(type_: Type, change: Callable[[list[int]], list[int]]) -> Type | None:
    if not isinstance(type_, VectorType):
        return None
    shape = change(list(type_.shape))
    scalable = list(type_.scalable_dims)[len(type_.shape) - len(shape) :]
    return VectorType.get(shape, type_.element_type, scalable=scalable)


def _parameter(type_: Type, *names: str) -> Type | None:
    fields = type_.fields
    for name in names:
        if isinstance(inferred := fields.get(name), Type):
            return inferred
    return None


def _inner(type_: Type) -> Type | None:
    """The first type among the parameters of a type."""
    return next((value for value in type_.fields.values() if isinstance(value, Type)), None)


def _tensor_of_memref(type_: Type) -> Type | None:
    shape = getattr(type_, "shape", None)
    if shape is None:
        return UnrankedTensorType.get(type_.element_type)  # type: ignore[attr-defined]
    return RankedTensorType.get(shape, type_.element_type)  # type: ignore[attr-defined]


_COMPUTED: "dict[str, Callable[[Type], Type | None]]" = {
    "same": lambda type_: type_,
    "i1_same_shape": truth,
    "element": _element,
    "element_or_self": element_or_self,
    "tensor_of_memref": _tensor_of_memref,
    "drop_first_dim": lambda type_: _vector(type_, lambda shape: shape[1:]),
    "halve_last_dim": lambda type_: _vector(type_, lambda shape: [*shape[:-1], shape[-1] // 2]),
    "double_last_dim": lambda type_: _vector(type_, lambda shape: [*shape[:-1], shape[-1] * 2]),
    "pointee": lambda type_: _parameter(type_, "pointee", "pointeeType"),
    "range": lambda type_: _parameter(type_, "rangeType", "range"),
    "value": lambda type_: _parameter(type_, "valueType", "value") or _element(type_) or _inner(type_),
}


# ---- rules of operations ----


def _first(groups: "Mapping[str, Sequence[Value]]", *names: str) -> Type:
    for name in names:
        if groups.get(name):
            return groups[name][0].type
    return next(values[0].type for values in groups.values() if values)


def _size_or_index(
    groups: "Mapping[str, Sequence[Value]]", attributes: "Mapping[str, Attribute]"
) -> "list[Type]":
    """`!shape.size` if an operand is of a type of the dialect, else `index`."""
    types = [value.type for values in groups.values() for value in values]
    is_checked = any(str(type_).startswith("!shape.") for type_ in types)
    return [Type.parse("!shape.size") if is_checked else IndexType.get()]


for _name in ("add", "mul", "div", "rank", "num_elements", "dim", "get_extent"):
    register_inference(f"shape.{_name}")(_size_or_index)


@register_inference("shape.const_shape")
def _const_shape(
    groups: "Mapping[str, Sequence[Value]]", attributes: "Mapping[str, Attribute]"
) -> "list[Type]":
    size = attributes["shape"].type.shape[0]  # type: ignore[attr-defined]
    return [RankedTensorType.get([size], IndexType.get())]


@register_inference("shape.shape_of")
def _shape_of(groups: "Mapping[str, Sequence[Value]]", attributes: "Mapping[str, Attribute]") -> "list[Type]":
    source = _first(groups)
    if not isinstance(source, ShapedType):
        return [Type.parse("!shape.shape")]
    size = source.rank if source.has_rank else ShapedType.get_dynamic_size()
    return [RankedTensorType.get([size], IndexType.get())]


def _operand_type(
    groups: "Mapping[str, Sequence[Value]]", attributes: "Mapping[str, Attribute]"
) -> "list[Type]":
    """The type of the first operand."""
    return [_first(groups)]


for _name in ("shape.max", "shape.min", "shape.meet", "vector.insert"):
    register_inference(_name)(_operand_type)


@register_inference("memref.distinct_objects")
def _operand_types(
    groups: "Mapping[str, Sequence[Value]]", attributes: "Mapping[str, Attribute]"
) -> "list[Type]":
    return [value.type for values in groups.values() for value in values]


@register_inference("vector.extract")
def _extracted(
    groups: "Mapping[str, Sequence[Value]]", attributes: "Mapping[str, Attribute]"
) -> "list[Type]":
    source = _first(groups, "source", "vector")
    position = len(list(attributes["static_position"]))  # type: ignore[call-overload]
    if not isinstance(source, VectorType):
        return types_of_results_unknown("vector.extract")
    if position == source.rank:
        return [source.element_type]
    inferred = _vector(source, lambda shape: shape[position:])
    return [inferred] if inferred is not None else types_of_results_unknown("vector.extract")


@register_inference("vector.shuffle")
def _shuffled(groups: "Mapping[str, Sequence[Value]]", attributes: "Mapping[str, Attribute]") -> "list[Type]":
    source = _first(groups)
    count = len(list(attributes["mask"]))  # type: ignore[call-overload]
    inferred = _vector(source, lambda shape: [count, *shape[1:]])
    return [inferred] if inferred is not None else types_of_results_unknown("vector.shuffle")


@register_inference("vector.to_elements")
def _all_elements(
    groups: "Mapping[str, Sequence[Value]]", attributes: "Mapping[str, Attribute]"
) -> "list[Type]":
    source = _first(groups)
    if not isinstance(source, VectorType):
        return types_of_results_unknown("vector.to_elements")
    count = 1
    for size in source.shape:
        count *= size
    return [source.element_type] * count


@register_inference("vector.multi_reduction")
def _reduced(groups: "Mapping[str, Sequence[Value]]", attributes: "Mapping[str, Attribute]") -> "list[Type]":
    source = _first(groups, "source")
    removed = {int(one) for one in attributes["reduction_dims"]}  # type: ignore[attr-defined]
    if not isinstance(source, VectorType):
        return types_of_results_unknown("vector.multi_reduction")
    places = [place for place in range(source.rank) if place not in removed]
    if not places:
        return [source.element_type]
    scalable = list(source.scalable_dims)
    shape = [source.shape[place] for place in places]
    return [VectorType.get(shape, source.element_type, scalable=[scalable[place] for place in places])]


@register_inference("amdgpu.fat_raw_buffer_cast")
def _fat_buffer(
    groups: "Mapping[str, Sequence[Value]]", attributes: "Mapping[str, Attribute]"
) -> "list[Type]":
    from mlirbc._shaped import MemRefType

    source = _first(groups)
    if not isinstance(source, MemRefType):
        return types_of_results_unknown("amdgpu.fat_raw_buffer_cast")
    space = Attribute.parse("#amdgpu.address_space<fat_raw_buffer>")
    layout = source.layout
    is_plain = layout is None or not hasattr(layout, "offset")
    return [MemRefType.get(source.shape, source.element_type, None if is_plain else layout, space)]


def _sparse_element(
    groups: "Mapping[str, Sequence[Value]]", attributes: "Mapping[str, Attribute]"
) -> "list[Type]":
    from mlirbc._shaped import MemRefType

    return [MemRefType.get([ShapedType.get_dynamic_size()], _first(groups).element_type)]  # type: ignore[attr-defined]


register_inference("sparse_tensor.values")(_sparse_element)
