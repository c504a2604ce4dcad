"""Attributes that are lists of numbers, such as `array<i32: 1, 2>`."""

import operator
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, ClassVar, Self, cast

from mlirbc._attributes import BoolAttr, FloatAttr, IntegerAttr, bits_of, build_attribute, number, width_of
from mlirbc._mlirbc import InvalidError, Type
from mlirbc._numbers import _Numbers
from mlirbc._types import F32Type, F64Type, FloatType, IntegerType, invalid_argument

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


class DenseArrayAttr(_Numbers):
    """A list of numbers of one type; each of the usual ones has a class of its own.

    >>> mlirbc.Attribute.parse("array<i32: 1, 2>")
    DenseI32ArrayAttr(array<i32: 1, 2>)
    """

    __slots__ = ()
    _element: ClassVar[str] = ""

    @classmethod
    def get(cls, values: Sequence[float], context: object = None) -> Self:
        """The list of these. Raises `InvalidError` when one does not fit.

        >>> mlirbc.attributes.DenseI64ArrayAttr.get([1, -1])
        DenseI64ArrayAttr(array<i64: 1, -1>)
        >>> mlirbc.attributes.DenseF32ArrayAttr.get([0.5])
        DenseF32ArrayAttr(array<f32: 5.000000e-01>)
        """
        if not cls._element:
            raise TypeError("DenseArrayAttr has no type of elements; use a class such as DenseI32ArrayAttr")
        element = _element_type(cls._element)
        width = (width_of(element) + 7) // 8
        data = b"".join(_array_bits(element, value).to_bytes(width, "little") for value in values)
        return build_attribute(
            cls,
            "DenseArrayAttr",
            ("elementType", "type", element),
            ("size", "unsigned", len(values)),
            ("data", "blob", data),
        )

    @property
    def element_type(self) -> Type:
        """The type of the numbers.

        >>> mlirbc.attributes.DenseI8ArrayAttr.get([1]).element_type
        IntegerType(i8)
        """
        return cast(Type, self._field("elementType"))

    @property
    def raw_data(self) -> memoryview:
        """The bytes of the numbers, little-endian, as the file has them.

        >>> bytes(mlirbc.attributes.DenseI16ArrayAttr.get([1]).raw_data)
        b'\\x01\\x00'
        """
        return cast(memoryview, self._field("data"))

    def _values(self) -> list[float]:
        element, data = self.element_type, self.raw_data
        width = (width_of(element) + 7) // 8
        places = range(0, len(data), width) if width else ()
        values = [number(element, int.from_bytes(data[place : place + width], "little")) for place in places]
        return self._whole(values)

    def __len__(self) -> int:
        return cast(int, self._field("size"))

    def __getitem__(self, index: int, /) -> float:
        # Indexing in a loop reads the numbers only once.
        return self._kept(DenseArrayAttr._values)[index]

    def __iter__(self) -> Iterator[float]:
        return iter(self._values())

    def __add__(self, other: Sequence[float], /) -> Self:
        return self.get([*self, *other])

    def _array(self) -> "npt.NDArray[np.generic]":
        from mlirbc import arrays

        return arrays.of_array(self.element_type, self.raw_data, len(self))


def _array_bits(element: Type, value: object) -> int:
    """The bits of an item: a number, or an attribute with one. Only `i1` takes every truth value."""
    if isinstance(value, IntegerAttr | FloatAttr | BoolAttr):
        value = value.value
    is_float = isinstance(element, FloatType)
    try:
        if element._field("widthAndSign") == 1 << 2:
            return bits_of(element, bool(value))
        number = float(cast(float, value)) if is_float else operator.index(cast(int, value))
        return bits_of(element, number)
    except (TypeError, InvalidError) as error:
        raise invalid_argument(f"get(): incompatible function arguments: {error}") from None


def _element_type(text: str) -> Type:
    if text[0] == "i":
        return IntegerType.get_signless(int(text[1:]))
    return F32Type.get() if text == "f32" else F64Type.get()


class DenseBoolArrayAttr(DenseArrayAttr):
    """A list of truth values.

    >>> list(mlirbc.attributes.DenseBoolArrayAttr.get([True, False]))
    [True, False]
    """

    __slots__ = ()
    _element = "i1"

    if TYPE_CHECKING:

        @classmethod
        def get(cls, values: Sequence[bool], context: object = None) -> Self: ...  # type: ignore[override]
        def __getitem__(self, index: int, /) -> bool: ...
        def __iter__(self) -> Iterator[bool]: ...


class DenseI8ArrayAttr(DenseArrayAttr):
    """A list of integers of 8 bits.

    >>> list(mlirbc.attributes.DenseI8ArrayAttr.get([1, -1]))
    [1, -1]
    """

    __slots__ = ()
    _element = "i8"

    if TYPE_CHECKING:

        @classmethod
        def get(cls, values: Sequence[int], context: object = None) -> Self: ...  # type: ignore[override]
        def __getitem__(self, index: int, /) -> int: ...
        def __iter__(self) -> Iterator[int]: ...


class DenseI16ArrayAttr(DenseArrayAttr):
    """A list of integers of 16 bits.

    >>> list(mlirbc.attributes.DenseI16ArrayAttr.get([1, -1]))
    [1, -1]
    """

    __slots__ = ()
    _element = "i16"

    if TYPE_CHECKING:

        @classmethod
        def get(cls, values: Sequence[int], context: object = None) -> Self: ...  # type: ignore[override]
        def __getitem__(self, index: int, /) -> int: ...
        def __iter__(self) -> Iterator[int]: ...


class DenseI32ArrayAttr(DenseArrayAttr):
    """A list of integers of 32 bits.

    >>> list(mlirbc.attributes.DenseI32ArrayAttr.get([1, -1]))
    [1, -1]
    """

    __slots__ = ()
    _element = "i32"

    if TYPE_CHECKING:

        @classmethod
        def get(cls, values: Sequence[int], context: object = None) -> Self: ...  # type: ignore[override]
        def __getitem__(self, index: int, /) -> int: ...
        def __iter__(self) -> Iterator[int]: ...


class DenseI64ArrayAttr(DenseArrayAttr):
    """A list of integers of 64 bits.

    >>> list(mlirbc.attributes.DenseI64ArrayAttr.get([1, -1]))
    [1, -1]
    """

    __slots__ = ()
    _element = "i64"

    if TYPE_CHECKING:

        @classmethod
        def get(cls, values: Sequence[int], context: object = None) -> Self: ...  # type: ignore[override]
        def __getitem__(self, index: int, /) -> int: ...
        def __iter__(self) -> Iterator[int]: ...


class DenseF32ArrayAttr(DenseArrayAttr):
    """A list of floats of single precision.

    >>> list(mlirbc.attributes.DenseF32ArrayAttr.get([0.5, 1.0]))
    [0.5, 1.0]
    """

    __slots__ = ()
    _element = "f32"

    if TYPE_CHECKING:

        @classmethod
        def get(cls, values: Sequence[float], context: object = None) -> Self: ...
        def __getitem__(self, index: int, /) -> float: ...
        def __iter__(self) -> Iterator[float]: ...


class DenseF64ArrayAttr(DenseArrayAttr):
    """A list of floats of double precision.

    >>> list(mlirbc.attributes.DenseF64ArrayAttr.get([0.5, 1.0]))
    [0.5, 1.0]
    """

    __slots__ = ()
    _element = "f64"

    if TYPE_CHECKING:

        @classmethod
        def get(cls, values: Sequence[float], context: object = None) -> Self: ...
        def __getitem__(self, index: int, /) -> float: ...
        def __iter__(self) -> Iterator[float]: ...
