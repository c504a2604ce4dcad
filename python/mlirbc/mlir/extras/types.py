"""Types by short names.

>>> from mlirbc.mlir.extras import types as T
>>> T.memref(10, T.f32()), T.tensor(T.i8())
(MemRefType(memref<10xf32>), UnrankedTensorType(tensor<*xi8>))
"""

import builtins
from collections.abc import Callable, Sequence

from mlirbc import _types
from mlirbc._affine_attributes import StridedLayoutAttr
from mlirbc._mlirbc import Attribute, Type
from mlirbc._shaped import (
    MemRefType,
    RankedTensorType,
    UnrankedMemRefType,
    UnrankedTensorType,
    VectorType,
)
from mlirbc._strings import StringAttr
from mlirbc._types import ComplexType, FunctionType, IndexType, IntegerType, NoneType, OpaqueType, TupleType


def index() -> Type:
    """`index`."""
    return IndexType.get()


def i(width: int) -> Type:
    """A signless integer."""
    return IntegerType.get_signless(width)


def si(width: int) -> Type:
    """A signed integer."""
    return IntegerType.get_signed(width)


def ui(width: int) -> Type:
    """An unsigned integer."""
    return IntegerType.get_unsigned(width)


def _integer(make: Callable[[int], Type], prefix: str, width: int) -> Callable[[], Type]:
    def integer() -> Type:
        return make(width)

    integer.__name__ = integer.__qualname__ = f"{prefix}{width}"
    integer.__doc__ = f"`{prefix}{width}`."
    return integer


def bool() -> Type:
    """`i1`."""
    return i(1)


i8, i16, i32, i64 = (_integer(i, "i", width) for width in (8, 16, 32, 64))
si8, si16, si32, si64 = (_integer(si, "si", width) for width in (8, 16, 32, 64))
ui8, ui16, ui32, ui64 = (_integer(ui, "ui", width) for width in (8, 16, 32, 64))


def _float(name: str) -> Callable[[], Type]:
    def get() -> Type:
        type_: Type = getattr(_types, name).get()
        return type_

    get.__doc__ = f"The type of the class `{name}`."
    return get


f16 = _float("F16Type")
f32 = _float("F32Type")
tf32 = _float("FloatTF32Type")
f64 = _float("F64Type")
bf16 = _float("BF16Type")
f8E5M2 = _float("Float8E5M2Type")
f8E4M3 = _float("Float8E4M3Type")
f8E4M3FN = _float("Float8E4M3FNType")
f8E4M3B11FNUZ = _float("Float8E4M3B11FNUZType")
f8E3M4 = _float("Float8E3M4Type")
f4E2M1FN = _float("Float4E2M1FNType")
f6E2M3FN = _float("Float6E2M3FNType")
f6E3M2FN = _float("Float6E3M2FNType")
f8E8M0FNU = _float("Float8E8M0FNUType")


def none() -> Type:
    """`none`."""
    return NoneType.get()


def complex(type: Type) -> Type:
    """A complex number."""
    return ComplexType.get(type)


def opaque(dialect_namespace: str, type_data: str) -> Type:
    """A type of a dialect as text."""
    return OpaqueType.get(dialect_namespace, type_data)


def _shaped(shape: "Sequence[int | Type]", element_type: Type | None) -> "builtins.tuple[list[int], Type]":
    *sizes, last = [*shape, element_type] if element_type is not None else [*shape] or [0]
    if not isinstance(last, Type) or any(isinstance(size, Type) for size in sizes):
        raise ValueError(
            "Either element_type must be provided explicitly XOR last arg to tensor type constructor must "
            "be the element type."
        )
    return sizes, last  # type: ignore[return-value]


def vector(
    *shape: "int | Type",
    element_type: Type | None = None,
    scalable: "list[builtins.bool] | None" = None,
    scalable_dims: list[int] | None = None,
) -> Type:
    """A vector: the sizes, then the type of the elements."""
    sizes, element = _shaped(shape, element_type)
    return VectorType.get(sizes, element, scalable=scalable, scalable_dims=scalable_dims)


def tensor(
    *shape: "int | Type", element_type: Type | None = None, encoding: "str | Attribute | None" = None
) -> Type:
    """A tensor: the sizes, then the type of the elements; without sizes, an unranked one."""
    sizes, element = _shaped(shape, element_type)
    attribute = StringAttr.get(encoding) if isinstance(encoding, str) else encoding
    if sizes:
        return RankedTensorType.get(sizes, element, attribute)
    if encoding is not None:
        raise ValueError("UnrankedTensorType does not support encoding.")
    return UnrankedTensorType.get(element)


def memref(
    *shape: "int | Type",
    element_type: Type | None = None,
    memory_space: int | None = None,
    layout: StridedLayoutAttr | None = None,
) -> Type:
    """A buffer: the sizes, then the type of the elements; without sizes, an unranked one."""
    sizes, element = _shaped(shape, element_type)
    space = None if memory_space is None else Attribute.parse(str(memory_space))
    if sizes:
        return MemRefType.get(sizes, element, layout, space)
    return UnrankedMemRefType.get(element, space)


def tuple(*elements: Type) -> Type:
    """A tuple."""
    return TupleType.get_tuple(elements)


def function(*, inputs: Sequence[Type], results: Sequence[Type]) -> Type:
    """A function."""
    return FunctionType.get(inputs, results)
