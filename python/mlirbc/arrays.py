"""The elements of attributes as NumPy arrays, and back; `docs/reference/python.md` lists the dtypes.

Imported when it is first needed, because NumPy is not.
"""

import math
import operator
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeAlias, cast

import numpy as np
import numpy.typing as npt

from mlirbc._dlpack import Exchanged, array_of
from mlirbc._mlirbc import (
    Attribute,
    InvalidError,
    LimitError,
    Type,
    UnsupportedError,
    _decode_floats,
    _encode_floats,
    _float_width,
)
from mlirbc._shaped import (
    RankedTensorType,
    ShapedType,
    damaged,
)
from mlirbc._types import (
    BF16Type,
    ComplexType,
    F16Type,
    F32Type,
    F64Type,
    FloatType,
    IndexType,
    IntegerType,
    invalid,
)

if TYPE_CHECKING:
    from typing_extensions import Buffer

    from mlirbc._weights import Weight

_Array: TypeAlias = npt.NDArray[np.generic]

ML_DTYPES = {
    "bf16": "bfloat16",
    "f8E5M2": "float8_e5m2",
    "f8E4M3": "float8_e4m3",
    "f8E3M4": "float8_e3m4",
    "f8E4M3FN": "float8_e4m3fn",
    "f8E5M2FNUZ": "float8_e5m2fnuz",
    "f8E4M3FNUZ": "float8_e4m3fnuz",
    "f8E4M3B11FNUZ": "float8_e4m3b11fnuz",
    "f8E8M0FNU": "float8_e8m0fnu",
    "f6E2M3FN": "float6_e2m3fn",
    "f6E3M2FN": "float6_e3m2fn",
    "f4E2M1FN": "float4_e2m1fn",
}
"""The types that NumPy does not have, with their names in the package `ml_dtypes`."""

ML_INTEGERS = {"int1": 1, "uint1": 1, "int2": 2, "uint2": 2, "int4": 4, "uint4": 4}
"""The integers of `ml_dtypes` and their widths; each takes a byte, like the elements in a file."""
ML_COMPLEX = {"complex32": "f16", "bcomplex32": "bf16"}
"""The complex numbers of `ml_dtypes`, by the type of their parts."""

NATIVE = {"f16": "<f2", "f32": "<f4", "f64": "<f8", "index": "<i8"}


def ml_dtype(text: str) -> "np.dtype[np.generic]":
    """The dtype that the package `ml_dtypes` has for a type."""
    try:
        import ml_dtypes
    except ImportError:
        raise ImportError(f"elements of {text} need the package ml_dtypes: pip install ml_dtypes") from None
    name = ML_DTYPES[text]
    if not hasattr(ml_dtypes, name):
        raise ImportError(f"elements of {text} need a newer version of the package ml_dtypes")
    dtype: np.dtype[np.generic] = np.dtype(getattr(ml_dtypes, name))
    return dtype


def unsupported(message: str) -> UnsupportedError:
    """The error for elements that are not numbers."""
    error = UnsupportedError(message)
    error.identifier = "mlirbc.unsupported.elements"
    error.message = message
    return error


def _too_large(shape: Sequence[int]) -> LimitError:
    text = "x".join(map(str, shape[:8]))
    error = LimitError(f"expected elements that fit into memory, found `{text}` of them")
    error.identifier = "mlirbc.limit.memory"
    error.message = str(error)
    return error


def static_shape(kind: Type) -> list[int]:
    """The sizes of a type whose sizes are all known."""
    if not isinstance(kind, ShapedType) or not kind.has_rank or any(size < 0 for size in kind.shape):
        raise unsupported(f"{kind} has no static shape")
    return kind.shape


# ---- from bytes to arrays ----


def to_numpy(attribute: Attribute) -> _Array:
    """The elements of an attribute that has some."""
    method: Callable[[], _Array] | None = getattr(attribute, "to_numpy", None)
    if method is None:
        raise unsupported(f"{type(attribute).__name__} has no elements")
    return method()


def of_array(element: Type, data: memoryview, count: int) -> _Array:
    """The elements of an array attribute."""
    return _elements(str(element), data, count, is_packed=False)


def of_strings(kind: Type, values: Sequence[str]) -> _Array:
    """The elements of dense strings."""
    strings = np.empty(len(values), dtype=object)
    strings[:] = values
    return _shaped(strings, static_shape(kind))


def of_dense(kind: Type, data: memoryview) -> _Array:
    """The elements of a dense attribute."""
    shape = static_shape(kind)
    return _from_bytes(_element(kind), shape, data)


def of_resource(kind: Type, data: memoryview) -> _Array:
    """The elements of a resource."""
    shape = static_shape(kind)
    return _from_resource(_element(kind), shape, data)


def of_vhlo(kind: Type, data: memoryview) -> _Array:
    """The elements of a tensor of VHLO."""
    return _from_bytes(*_vhlo(kind), data)


def _element(kind: Type) -> str:
    return str(cast(ShapedType, kind).element_type)


def _from_bytes(element: str, shape: Sequence[int], data: memoryview) -> _Array:
    return _shaped(_elements(element, data, math.prod(shape), is_packed=True), shape)


def _from_resource(element: str, shape: Sequence[int], data: memoryview) -> _Array:
    """Resources have no splats, and booleans in bytes or packed."""
    count = math.prod(shape)
    elements = _elements(element, data, count, is_packed=len(data) != count)
    if len(elements) != count:
        raise damaged(f"{count} elements of {element}", f"{len(data)} bytes")
    return _shaped(elements, shape)


def _shaped(elements: _Array, shape: Sequence[int]) -> _Array:
    """The elements in rows and columns; one for all places has strides of zero."""
    count = math.prod(shape)
    if len(shape) > _MOST_DIMENSIONS:
        raise unsupported(f"NumPy has no arrays of {len(shape)} dimensions")
    if len(elements) == 1 and count != 1:
        try:
            shaped = np.broadcast_to(elements, shape) if shape and count else elements[:0].reshape(shape)
        except ValueError:
            raise _too_large(shape) from None
    elif len(elements) != count:
        raise damaged(f"{count} elements, or one for all", len(elements))
    else:
        shaped = elements.reshape(tuple(shape))
    shaped.flags.writeable = False
    return shaped


_MOST_DIMENSIONS = 64 if int(np.__version__.partition(".")[0]) >= 2 else 32


def _numbers(data: memoryview, dtype: "npt.DTypeLike") -> _Array:
    """All bytes as numbers of that dtype."""
    number_type = np.dtype(dtype)
    if len(data) % number_type.itemsize:
        raise damaged(f"elements of {number_type.itemsize} bytes", f"{len(data)} bytes")
    return np.frombuffer(data, number_type)


def _rows(data: memoryview, width: int) -> _Array:
    """All bytes as rows of `width` bytes."""
    if len(data) % width:
        raise damaged(f"elements of {width} bytes", f"{len(data)} bytes")
    return np.frombuffer(data, np.uint8).reshape(-1, width)


def _elements(element: str, data: memoryview, count: int, *, is_packed: bool) -> _Array:
    """`count` elements, or one of a splat, as a flat array."""
    if element in ("i1", "si1", "ui1") and is_packed:
        return unpack_bits(data, count)
    if element == "i1":
        return np.frombuffer(data, np.uint8).astype(np.bool_)
    if element.startswith("complex<"):
        return _complex(element[8:-1], data)
    if element in ML_DTYPES:
        return _numbers(data, ml_dtype(element))
    if element in NATIVE:
        return _numbers(data, NATIVE[element])
    if _float_width(element) is not None:
        return _wide_floats(element, data)
    kind, width = integer(element)
    return _integers(kind == "u", width, data, count)


def integer(element: str) -> tuple[str, int]:
    """The sign of an integer type, `i` or `u`, and its width."""
    digits = element.lstrip("siu")
    if not digits.isdecimal():
        raise unsupported(f"elements of {element} are not numbers")
    return ("u" if element.startswith("u") else "i"), int(digits)


def unpack_bits(data: memoryview, count: int) -> _Array:
    """Elements of one bit: packed from the lowest bit on, or one byte each, or one for all.

    A single byte `ff` or `00` is one for all places, and any byte that is not zero is a single true.
    """
    raw = np.frombuffer(data, np.uint8)
    if count and len(raw) == 1 and (count == 1 or raw[0] in (0, 0xFF)):
        return np.not_equal(raw, 0)
    if len(raw) == (count + 7) // 8:
        return np.unpackbits(raw, count=count, bitorder="little").view(np.bool_)
    return np.not_equal(raw, 0)


def _integers(is_unsigned: bool, width: int, data: memoryview, count: int) -> _Array:
    storage = (width + 7) // 8
    if storage == 0:
        return np.zeros(min(count, 1), np.int8)
    if width in (8, 16, 32, 64):
        return _numbers(data, f"<{'u' if is_unsigned else 'i'}{storage}")
    rows = _rows(data, storage)
    if width > 64:
        numbers = np.empty(len(rows), dtype=object)
        for place, row in enumerate(rows):
            number = int.from_bytes(row.tobytes(), "little")
            numbers[place] = number - (1 << width) if not is_unsigned and number >> (width - 1) else number
        return numbers
    size = next(size for size in (1, 2, 4, 8) if 8 * size >= width)
    padded = np.zeros((len(rows), size), np.uint8)
    padded[:, :storage] = rows
    numbers = padded.reshape(-1).view(f"<u{size}")
    if is_unsigned:
        return numbers
    unused = 8 * size - width
    signed: _Array = (numbers << np.array(unused, numbers.dtype)).view(f"<i{size}") >> unused
    return signed


def _complex(part: str, data: memoryview) -> _Array:
    if part in ("f32", "f64"):
        return _numbers(data, "<c8" if part == "f32" else "<c16")
    parts = _elements(part, data, 2 * len(data), is_packed=False)
    if len(parts) % 2:
        raise damaged("two numbers for each element", len(parts))
    if _float_width(part) is not None and parts.dtype != np.longdouble:
        wide = parts.astype(np.float64 if part in ("f80", "f128") else np.float32)
        return wide.view(np.complex128 if wide.dtype == np.float64 else np.complex64)
    if parts.dtype == np.longdouble:
        return parts.view(np.clongdouble)
    pair = np.dtype([("real", parts.dtype), ("imag", parts.dtype)])
    if parts.dtype == object:
        pairs = np.empty(len(parts) // 2, pair)
        pairs["real"], pairs["imag"] = parts[::2], parts[1::2]
        return pairs
    return parts.view(pair)


_MANTISSA = {"f80": 63, "f128": 112}


def _is_longdouble(element: str) -> bool:
    return np.finfo(np.longdouble).nmant == _MANTISSA.get(element) and sys.byteorder == "little"


def _wide_floats(element: str, data: memoryview) -> _Array:
    """`tf32` as float32; `f80` and `f128` as `longdouble` where that is the same, else float64, rounded."""
    storage = ((_float_width(element) or 0) + 7) // 8
    rows = _rows(data, storage)
    if element == "tf32":
        padded = np.zeros((len(rows), 4), np.uint8)
        padded[:, :3] = rows
        return (padded.reshape(-1).view("<u4") << np.uint32(13)).view("<f4")
    if _is_longdouble(element):
        padded = np.zeros((len(rows), np.dtype(np.longdouble).itemsize), np.uint8)
        padded[:, :storage] = rows
        return padded.reshape(-1).view(np.longdouble)
    return np.frombuffer(_decode_floats(element, rows.tobytes()), np.float64)


def of_sparse(kind: Type, values: _Array, indices: _Array) -> _Array:
    """The elements of a sparse attribute, from its values and its indices."""
    shape = static_shape(kind)
    if len(shape) > _MOST_DIMENSIONS:
        raise unsupported(f"NumPy has no arrays of {len(shape)} dimensions")
    try:
        dense = np.full(shape, "", object) if values.dtype == object else np.zeros(shape, values.dtype)
    except (MemoryError, ValueError):
        raise _too_large(shape) from None
    rows = _index_rows(indices, shape)
    if values.ndim != 1 or len(values) != len(rows):
        raise damaged("one row of indices for each value", f"{len(rows)} rows and {values.shape} values")
    if len(rows):
        dense[tuple(rows.T)] = values
    dense.flags.writeable = False
    return dense


def _index_rows(indices: _Array, shape: Sequence[int]) -> _Array:
    """The indices of one value each, as `SparseElementsAttr::verify` in MLIR wants them."""
    if indices.dtype.kind not in "iu":
        raise damaged("indices that are integers", indices.dtype)
    if indices.ndim == 1 and len(shape) == 1:
        indices = indices.reshape(-1, 1)
    if indices.ndim != 2 or indices.shape[1] != len(shape):
        raise damaged(
            f"an index for each of the {len(shape)} dimensions", f"indices of shape {indices.shape}"
        )
    integers = cast("npt.NDArray[np.integer]", indices)
    for dimension, size in enumerate(shape):
        column = integers[:, dimension]
        outside = column[(column < 0) | (column >= size)]
        if len(outside):
            expected = f"an index from 0 to below the size `{size}` of dimension `{dimension}`"
            raise damaged(expected, f"`{outside[0]}`")
    return indices


VHLO = {
    "BooleanV1Type": "i1",
    "IndexV1Type": "index",
    "FloatBF16V1Type": "bf16",
    "FloatTF32V1Type": "tf32",
}


def _vhlo(kind: Type) -> tuple[str, list[int]]:
    """The element type of a tensor type of VHLO as the builtin dialect would call it, and its shape."""
    fields = kind.fields
    shape = cast("list[int] | None", fields.get("shape"))
    if shape is None or any(size < 0 for size in shape):
        raise unsupported(f"{kind} has no static shape")
    return _vhlo_element(cast(Type, fields["elementType"])), shape


def _vhlo_element(kind: Type) -> str:
    name = kind.class_name or ""
    if name in VHLO:
        return VHLO[name]
    if name == "ComplexV1Type":
        return f"complex<{_vhlo_element(cast(Type, kind.fields['elementType']))}>"
    stem = name.removesuffix("V1Type")
    if stem.startswith("IntegerSI"):
        return f"i{stem[9:]}"
    if stem.startswith("IntegerUI"):
        return f"ui{stem[9:]}"
    if stem.startswith("FloatF") and stem[6:].isalnum():
        return f"f{stem[6:]}"
    raise unsupported(f"elements of {kind} are not numbers")


def dtype_of(element: str) -> "np.dtype[np.generic]":
    """The dtype of arrays of such elements."""
    return _elements(element, memoryview(b""), 0, is_packed=False).dtype


# ---- from arrays to bytes ----


def of_weight(weight: "Weight", array: "Buffer | Exchanged | Sequence[object] | _Array") -> bytes:
    """The bytes of an array with the dtype and the shape of a weight, one-bit elements in bytes."""
    values = array_of(array)
    dtype = weight.dtype
    # Integers of `ml_dtypes` have a byte each, as the array of the weight.
    is_same = values.dtype == dtype or (values.dtype.name in ML_INTEGERS and dtype.itemsize == 1)
    if not is_same or values.shape != weight.shape:
        error = InvalidError(
            f"the weight {weight.name!r} is {dtype} {weight.shape}, not {values.dtype} {values.shape}"
        )
        error.identifier, error.message = "mlirbc.invalid.weights", str(error)
        raise error
    if weight.type is None:
        return values.tobytes()
    flat = np.ascontiguousarray(values).reshape(-1)
    kind = weight.type
    if isinstance(kind, ShapedType):
        return _bytes(flat, kind.element_type)
    return _bytes(flat, Type.parse(_vhlo(kind)[0]))


def from_array(
    array: "Buffer | Exchanged | Sequence[object] | _Array",
    signless: bool,
    kind: Type | None,
    shape: Sequence[int] | None,
) -> tuple[Type, bytes]:
    """The type and the bytes of dense elements with the elements of an array."""
    values = array_of(array)
    element = kind
    if isinstance(kind, ShapedType):
        if not kind.has_static_shape:
            raise ValueError(
                f"Only a static ShapedType is supported when explicitly specifying the type: {kind}"
            )
        if shape is not None and list(shape) != kind.shape:
            raise ValueError("Shape can only be specified explicitly when the type is not a shaped type.")
        element, shape = kind.element_type, kind.shape
    elif kind is not None and isinstance(kind, ComplexType | FloatType | IntegerType | IndexType):
        element = kind
    elif kind is not None:
        raise ValueError(f"expected a shaped or numeric type, found {kind}")
    if element is None:
        element = _type_of(values.dtype, signless)
    shape = list(values.shape) if shape is None else list(shape)
    count = math.prod(shape)
    is_packed = str(element) in ("i1", "si1", "ui1") and values.dtype == np.uint8
    if is_packed and values.size == (count + 7) // 8:
        data = values.tobytes()
        if count and values.size == 1 and not isinstance(kind, ShapedType) and count % 8:
            data = bytes([data[0] & ((1 << count % 8) - 1)])
        unpacked = np.unpackbits(np.frombuffer(data, np.uint8), count=count, bitorder="little")
        data = unpacked.tobytes() if count > 1 else bytes([0xFF * int(unpacked[0])]) if count else b""
        return _whole(kind, element, shape), _packed(unpacked) if count > 1 else data
    if is_packed and values.size == 1 and values.flat[0] in (0, 0xFF):
        # A byte of equal bits stands for all elements.
        return _whole(kind, element, shape), values.tobytes() if count else b""
    if values.size != count and values.size != 1:
        raise ValueError(f"{values.size} elements do not fit the shape {shape}")
    data = _bytes(np.ascontiguousarray(values).reshape(-1), element)
    if str(element) in ("i1", "si1", "ui1"):
        flags = np.frombuffer(data, np.uint8)
        data = bytes([0xFF * int(flags[0])]) if len(flags) == 1 and count else _packed(flags)
    if count == 0:
        data = b""
    return _whole(kind, element, shape), data


def _packed(flags: _Array) -> bytes:
    """Flags as bits; equal ones as one byte."""
    if len(flags) and (flags == flags[0]).all():
        return bytes([0xFF * int(flags[0] != 0)])
    return np.packbits(flags != 0, bitorder="little").tobytes()


def _whole(kind: Type | None, element: Type, shape: Sequence[int]) -> Type:
    return kind if isinstance(kind, ShapedType) else RankedTensorType.get(shape, element)


def _type_of(dtype: "np.dtype[np.generic]", signless: bool) -> Type:
    """The type for a dtype."""
    match dtype.kind:
        case "b":
            return IntegerType.get_signless(1)
        case "i" | "u" if signless:
            return IntegerType.get_signless(8 * dtype.itemsize)
        case "i":
            return IntegerType.get_signed(8 * dtype.itemsize)
        case "u":
            return IntegerType.get_unsigned(8 * dtype.itemsize)
        case "f" if dtype.itemsize in (2, 4, 8) and dtype.type.__module__ == "numpy":
            return {2: F16Type, 4: F32Type, 8: F64Type}[dtype.itemsize].get()
        case "c" if dtype.itemsize in (8, 16):
            return ComplexType.get((F32Type if dtype.itemsize == 8 else F64Type).get())
    for text, name in ML_DTYPES.items():
        if dtype.name == name:
            return BF16Type.get() if text == "bf16" else Type.parse(text)
    if dtype.name in ML_INTEGERS:
        signed = IntegerType.get_unsigned if dtype.name[0] == "u" else IntegerType.get_signed
        return (IntegerType.get_signless if signless else signed)(ML_INTEGERS[dtype.name])
    if dtype.name in ML_COMPLEX:
        return ComplexType.get(Type.parse(ML_COMPLEX[dtype.name]))
    raise ValueError(f"unimplemented array format conversion from format: {dtype}; pass `type`")


def _bytes(values: _Array, element: Type) -> bytes:
    """The elements as they are stored, one-bit ones in bytes."""
    text = str(element)
    if isinstance(element, ComplexType):
        return _complex_bytes(values, element.element_type)
    if isinstance(element, FloatType):
        return _float_bytes(values, text)
    if isinstance(element, IntegerType | IndexType):
        sign, width = ("i", 64) if text == "index" else integer(text)
        is_signless = isinstance(element, IndexType) or element.is_signless
        return _integer_bytes(values, sign == "u", is_signless, width)
    raise ValueError(f"expected a numeric element type, found {text}")


def _integer_bytes(values: _Array, is_unsigned: bool, is_signless: bool, width: int) -> bytes:
    if values.dtype.name in ML_INTEGERS:
        values = values.astype(np.uint8 if values.dtype.name[0] == "u" else np.int8)
    elif values.dtype.kind in "MmV" and values.dtype.itemsize * 8 == width:
        # As upstream: with an explicit type, the bits themselves.
        values = values.view(f"u{values.dtype.itemsize}")
    elif values.dtype.kind not in "biuO":
        raise ValueError(f"elements of {values.dtype} are not integers")
    storage = (width + 7) // 8
    is_same_size = width in (8, 16, 32, 64) and values.dtype.kind in "iu" and values.dtype.itemsize == storage
    if is_same_size and (is_signless or (values.dtype.kind == "u") == is_unsigned):
        return values.astype(values.dtype.newbyteorder("<"), copy=False).tobytes()
    low = 0 if is_unsigned else -(1 << max(width - 1, 0))
    high = (1 << (width if is_unsigned or is_signless else max(width - 1, 0))) - 1
    try:
        numbers = [operator.index(value) for value in values.tolist()]
    except TypeError as error:
        raise ValueError(f"elements are not integers: {error}") from None
    for number in numbers:
        if not (low if width else 0) <= number <= high:
            raise invalid(f"expected integers of {width} bits, found `{number}`")
    mask = (1 << width) - 1
    return b"".join((number & mask).to_bytes(storage, "little") for number in numbers)


def _float_bytes(values: _Array, text: str) -> bytes:
    storage = ((_float_width(text) or 0) + 7) // 8
    if values.dtype.kind == "u" and values.dtype.itemsize == storage:
        # As upstream: the bits themselves.
        return values.astype(values.dtype.newbyteorder("<"), copy=False).tobytes()
    if text in NATIVE:
        return values.astype(NATIVE[text], copy=False).tobytes()
    if text in ML_DTYPES:
        return values.astype(ml_dtype(text), copy=False).tobytes()
    if values.dtype == np.longdouble and _is_longdouble(text):
        rows = np.ascontiguousarray(values).view(np.uint8).reshape(len(values), -1)
        return rows[:, :storage].tobytes()
    return _encode_floats(text, [float(value) for value in values])


def _complex_bytes(values: _Array, part: Type) -> bytes:
    text = str(part)
    if values.dtype.names == ("real", "imag"):
        pairs = cast("npt.NDArray[np.void]", values)
        parts = np.stack([pairs["real"], pairs["imag"]], axis=-1).reshape(-1)
    else:
        if values.dtype.kind != "c":
            values = values.astype(np.complex128)
        parts = np.stack([np.real(values), np.imag(values)], axis=-1).reshape(-1)
        if isinstance(part, IntegerType):
            parts = parts.astype(np.int64)
    if isinstance(part, FloatType):
        return _float_bytes(parts, text)
    return _bytes(parts, part)


__all__ = ["from_array", "to_numpy"]
