"""The questions about types that programs take from upstream's emitter of structured operations."""

from mlirbc import BF16Type, ComplexType, F16Type, F32Type, F64Type, IndexType, IntegerType, Type

__all__: list[str] = []


def _is_floating_point_type(type: Type) -> bool:
    """Whether a type is one of the floats that the language calculates with."""
    return isinstance(type, F64Type | F32Type | F16Type | BF16Type)


def _is_integer_type(type: Type) -> bool:
    return isinstance(type, IntegerType)


def _is_index_type(type: Type) -> bool:
    return isinstance(type, IndexType)


def _is_complex_type(type: Type) -> bool:
    return isinstance(type, ComplexType)


def _is_bool_type(type: Type) -> bool:
    return isinstance(type, IntegerType) and type.width == 1
