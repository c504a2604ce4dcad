"""Exchange of elements by DLPack, the protocol of NumPy, PyTorch, JAX, TVM and others.

NumPy makes and takes the structures. It has no DLPack type for the dtypes of `ml_dtypes`: their elements
travel as integers of the same size, and the type is set in the structure, whose layout the standard fixes.
"""

import ctypes
from typing import TYPE_CHECKING, Protocol, cast

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from typing_extensions import Buffer, CapsuleType

_Array = npt.NDArray[np.generic]

# The type codes of `DLDataTypeCode` in `dlpack.h` for types of whole bytes that NumPy lacks.
_CODES = {
    "bfloat16": 4,
    "float8_e3m4": 7,
    "float8_e4m3": 8,
    "float8_e4m3b11fnuz": 9,
    "float8_e4m3fn": 10,
    "float8_e4m3fnuz": 11,
    "float8_e5m2": 12,
    "float8_e5m2fnuz": 13,
    "float8_e8m0fnu": 14,
}
_NAMES = {code: name for name, code in _CODES.items()}
_UNSIGNED = 1
_ON_THE_HOST = (1, 3, 11, 13)
"""Device types whose memory the processor reads: its own, pinned, managed."""


class Exchanged(Protocol):
    """An object that hands out its elements by DLPack."""

    def __dlpack__(self) -> "CapsuleType": ...
    def __dlpack_device__(self) -> tuple[int, int]: ...


class _Exporter(Protocol):
    """An object whose `__dlpack__` takes the arguments of version 1 of the standard, e.g. a NumPy array."""

    def __dlpack__(self, **arguments: object) -> "CapsuleType": ...


class _Tensor(ctypes.Structure):
    _fields_ = (
        ("data", ctypes.c_void_p),
        ("device_type", ctypes.c_int32),
        ("device_id", ctypes.c_int32),
        ("ndim", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
    )


class _Versioned(ctypes.Structure):
    _fields_ = (
        ("major", ctypes.c_uint32),
        ("minor", ctypes.c_uint32),
        ("context", ctypes.c_void_p),
        ("deleter", ctypes.c_void_p),
        ("flags", ctypes.c_uint64),
        ("tensor", _Tensor),
    )


_is_capsule = ctypes.pythonapi.PyCapsule_IsValid
_is_capsule.argtypes, _is_capsule.restype = (ctypes.py_object, ctypes.c_char_p), ctypes.c_int
_pointer = ctypes.pythonapi.PyCapsule_GetPointer
_pointer.argtypes, _pointer.restype = (ctypes.py_object, ctypes.c_char_p), ctypes.c_void_p


def _tensor(capsule: "CapsuleType") -> _Tensor:
    """The structure in a capsule; up to the dtype it is the same in both versions of the standard."""
    if _is_capsule(capsule, b"dltensor_versioned"):
        return cast(_Tensor, _Versioned.from_address(_pointer(capsule, b"dltensor_versioned")).tensor)
    if _is_capsule(capsule, b"dltensor"):
        return _Tensor.from_address(_pointer(capsule, b"dltensor"))
    raise BufferError("expected a DLPack capsule that no one has used")


# ---- out ----


def to_dlpack(
    array: _Array,
    stream: None,
    max_version: tuple[int, int] | None,
    dl_device: tuple[int, int] | None,
    copy: bool | None,
) -> "CapsuleType":
    """A capsule of an array that cannot be written to.

    Before version 1 the standard could not say so: then the capsule is of a copy.
    """
    name = array.dtype.name
    if name in _CODES:
        array = array.view(f"u{array.dtype.itemsize}")
    elif array.dtype.kind == "V":
        message = (
            f"DLPack has no elements of {name} in bytes of their own; "
            "unpack them, e.g. with numpy.asarray(attribute, dtype=numpy.float32)"
        )
        raise BufferError(message)
    if array.dtype.kind == "O":
        raise BufferError("DLPack has neither strings nor integers of more than 64 bits")
    is_old = max_version is None or max_version[0] < 1
    if copy is not True and is_old:
        if copy is False:
            raise BufferError("without a copy the elements cannot be written to: pass max_version=(1, 0)")
        copy = True
    if copy:
        array = array.copy()
    export = cast(_Exporter, array).__dlpack__
    if is_old:
        capsule = export(stream=stream)
    else:
        capsule = export(stream=stream, max_version=max_version, dl_device=dl_device)
    if name in _CODES:
        _tensor(capsule).code = _CODES[name]
    return capsule


def bytes_to_dlpack(
    owner: "Buffer",
    stream: None,
    max_version: tuple[int, int] | None,
    dl_device: tuple[int, int] | None,
    copy: bool | None,
) -> "CapsuleType":
    """A capsule of bytes."""
    return to_dlpack(np.frombuffer(memoryview(owner), np.uint8), stream, max_version, dl_device, copy)


# ---- in ----


class _AsNumpyTakesIt:
    """Hands out the elements of another object; elements of types from `ml_dtypes` become integers."""

    def __init__(self, owner: Exchanged) -> None:
        self.owner = owner
        self.name: str | None = None

    def __dlpack_device__(self) -> tuple[int, int]:
        return self.owner.__dlpack_device__()

    def __dlpack__(self, **arguments: object) -> "CapsuleType":
        capsule = cast(_Exporter, self.owner).__dlpack__(**arguments)
        tensor = _tensor(capsule)
        if tensor.lanes != 1 or tensor.bits < 8:
            packed = f"elements of {tensor.bits} bits" if tensor.bits < 8 else "vectors as elements"
            raise BufferError(f"{packed} cannot be taken by DLPack; unpack them into bytes or larger numbers")
        self.name = _NAMES.get(tensor.code)
        if self.name is not None:
            tensor.code = _UNSIGNED
        return capsule


def from_dlpack(owner: Exchanged) -> _Array:
    """The elements of an object as an array, without a copy. Raises `BufferError` when that cannot be."""
    device = owner.__dlpack_device__()[0]
    if device not in _ON_THE_HOST:
        raise BufferError(f"the elements are on a device of type {device}; copy them to the host first")
    exchanged = _AsNumpyTakesIt(owner)
    try:
        array: _Array = np.from_dlpack(exchanged)
    except RuntimeError as error:
        raise BufferError(str(error)) from error
    if exchanged.name is None:
        return array
    try:
        import ml_dtypes
    except ImportError:
        message = f"elements of {exchanged.name} need the package ml_dtypes: pip install ml_dtypes"
        raise ImportError(message) from None
    return array.view(np.dtype(getattr(ml_dtypes, exchanged.name)))


def array_of(value: object) -> _Array:
    """The elements of a buffer, an array, a sequence, or an object that hands them out by DLPack."""
    exchanges = hasattr(value, "__dlpack__") and hasattr(value, "__dlpack_device__")
    if exchanges and not (hasattr(value, "__array__") or _is_buffer(value)):
        return from_dlpack(cast(Exchanged, value))
    try:
        return np.asarray(value)
    except TypeError:
        # PyTorch refuses `__array__` for types that NumPy lacks.
        if not exchanges:
            raise
        return from_dlpack(cast(Exchanged, value))


def _is_buffer(value: object) -> bool:
    try:
        memoryview(cast("Buffer", value)).release()
    except (TypeError, BufferError):
        return False
    return True
