"""The elements of tensors and vectors, named and shaped as in upstream's bindings."""

import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, ClassVar, Self, TypeVar, cast

from mlirbc._attributes import FloatAttr, IntegerAttr, build_attribute, checked_item, number, width_of
from mlirbc._mlirbc import Attribute, Type
from mlirbc._numbers import _Numbers
from mlirbc._shaped import ShapedType, damaged
from mlirbc._types import ComplexType, FloatType, IndexType, IntegerType, build_type

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    from typing_extensions import Buffer

    from mlirbc._dlpack import Exchanged


_A = TypeVar("_A", bound=Attribute)


def storage_of(element: Type) -> int:
    """How many bytes an element takes in dense elements."""
    if isinstance(element, ComplexType):
        return 2 * storage_of(element.element_type)
    return (width_of(element) + 7) // 8


class DenseElementsAttr(_Numbers):
    """The elements of a tensor or a vector.

    >>> dense = mlirbc.Attribute.parse("dense<[[1, 2], [3, 4]]> : tensor<2x2xi8>")
    >>> dense.type, len(dense), dense.is_splat
    (RankedTensorType(tensor<2x2xi8>), 4, False)
    >>> dense.to_numpy().tolist()
    [[1, 2], [3, 4]]
    """

    __slots__ = ()
    _also: ClassVar[tuple[str, ...]] = (
        "DenseIntElementsAttr",
        "DenseFPElementsAttr",
        "DenseStringElementsAttr",
    )

    @classmethod
    def get(
        cls,
        array: "Buffer | Exchanged | Sequence[Attribute]",
        signless: bool | Type = True,
        type: Type | None = None,
        shape: Sequence[int] | None = None,
        context: object = None,
    ) -> Self:
        """The elements of an array, a buffer or an object with `__dlpack__`, or of a list of attributes.

        `type` is the type of the elements, or of the whole attribute. By default it follows from the dtype of
        the array; integers become signless unless `signless` is false. One element fills any `shape`. Raises
        `ValueError` when type, shape and elements do not fit each other.

        >>> import numpy as np
        >>> mlirbc.attributes.DenseElementsAttr.get(np.array([[1, 2]], dtype=np.int32))
        DenseIntElementsAttr(dense<[[1, 2]]> : tensor<1x2xi32>)
        >>> mlirbc.attributes.DenseElementsAttr.get(np.array(0.5, dtype=np.float32), shape=[8])
        DenseFPElementsAttr(dense<5.000000e-01> : tensor<8xf32>)
        """
        if isinstance(signless, Type):
            # For lists of attributes, upstream's second argument is the type.
            type, signless = signless, True
        if isinstance(array, list | tuple):
            if not array:
                raise ValueError("Attributes list must be non-empty")
            return _from_attributes(cls, [checked_item(item) for item in array], type)
        from mlirbc import arrays

        kind, data = arrays.from_array(array, signless, type, shape)
        return build_attribute(
            cls, "DenseIntOrFPElementsAttr", ("type", "type", kind), ("data", "blob", data)
        )

    @classmethod
    def get_splat(cls, shaped_type: Type, element_attr: Attribute) -> Self:
        """A splat of one element. Raises `ValueError` when the element is of another type.

        >>> kind = mlirbc.Type.parse("tensor<4x4xi8>")
        >>> one = mlirbc.attributes.IntegerAttr.get(kind.element_type, 1)
        >>> mlirbc.attributes.DenseElementsAttr.get_splat(kind, one)
        DenseIntElementsAttr(dense<1> : tensor<4x4xi8>)
        """
        if not isinstance(shaped_type, ShapedType) or not shaped_type.has_static_shape:
            raise ValueError(
                f"Expected a static ShapedType for the shaped_type parameter: Type({shaped_type})"
            )
        if shaped_type.element_type != element_attr.type:
            raise ValueError(
                "Shaped element type and attribute type must be equal: "
                f"shaped=Type({shaped_type}), element=Attribute({element_attr})"
            )
        return _from_attributes(cls, [element_attr], shaped_type)

    @property
    def element_type(self) -> Type:
        """The type of the elements.

        >>> mlirbc.Attribute.parse("dense<1> : tensor<2xi8>").element_type
        IntegerType(i8)
        """
        return self._shaped_type().element_type

    @property
    def shape(self) -> list[int]:
        """The sizes of the dimensions.

        >>> mlirbc.Attribute.parse("dense<1> : tensor<2x3xi8>").shape
        [2, 3]
        """
        return self._shaped_type().shape

    def _shaped_type(self) -> ShapedType:
        kind = self.type
        if not isinstance(kind, ShapedType) or not kind.has_rank:
            raise damaged("a type with a shape", kind)
        return kind

    @property
    def raw_data(self) -> memoryview:
        """The bytes of the elements as the file has them, little-endian: one element of a splat, `i1` packed.

        >>> bytes(mlirbc.Attribute.parse("dense<[1, 2]> : tensor<2xi8>").raw_data)
        b'\\x01\\x02'
        """
        return cast(memoryview, self._field("data"))

    @property
    def is_splat(self) -> bool:
        """Whether it has one element for all places.

        >>> mlirbc.Attribute.parse("dense<7> : tensor<2xi8>").is_splat
        True
        """
        count, data, element = len(self), self.raw_data, self.element_type
        if count == 0:
            return False
        if is_bit(element):
            return self._whole(count == 1 or (len(data) == 1 and data[0] in (0, 0xFF)))
        return len(data) == storage_of(element)

    def get_splat_value(self) -> Attribute:
        """The element for all places. Raises `ValueError` when there are several.

        >>> mlirbc.Attribute.parse("dense<7> : tensor<2xi8>").get_splat_value()
        IntegerAttr(7 : i8)
        """
        if not self.is_splat:
            raise ValueError("get_splat_value called on a non-splat attribute")
        element = self.element_type
        if isinstance(element, FloatType):
            return FloatAttr.get(element, next(self._at([0])))
        if isinstance(element, IntegerType | IndexType):
            value = IntegerAttr.get(element, int(next(self._at([0]))))
            return value.maybe_downcast()
        raise ValueError(f"there is no attribute for an element of {element}")

    def _at(self, places: Iterable[int]) -> Iterator[float]:
        element, data, count = self.element_type, self.raw_data, len(self)
        width = storage_of(element)
        step = 0 if len(data) == width else width
        sizes = (count, (count + 7) // 8, 1) if is_bit(element) else (width * count, width)
        if len(data) not in sizes:
            raise damaged(f"{count} elements of {element}, or one for all", f"{len(data)} bytes")
        for place in places:
            if is_bit(element):
                yield self._whole(number(element, int(bit_at(data, count, place))))
            else:
                start = place * step
                yield self._whole(number(element, int.from_bytes(data[start : start + width], "little")))

    def __len__(self) -> int:
        count = 1
        for size in self.shape:
            if size < 0:
                raise damaged("a type whose sizes are all known", self.type)
            count *= size
        if count > sys.maxsize:
            raise damaged(f"at most {sys.maxsize} elements", count)
        return count

    def __repr__(self) -> str:
        if len(self.raw_data) > 1 << 16 and not self.is_splat:
            return f"{type(self).__name__}(dense<__elided__> : {self.type})"
        return super().__repr__()

    def _array(self) -> "npt.NDArray[np.generic]":
        from mlirbc import arrays

        return arrays.of_dense(self.type, self.raw_data)


def is_bit(element: Type) -> bool:
    """Whether elements of that type are packed."""
    return isinstance(element, IntegerType) and element.width == 1


def bit_at(data: memoryview, count: int, place: int) -> bool:
    """A packed element, by the rules of every release: see `arrays.unpack_bits`."""
    if len(data) == 1 and (count == 1 or data[0] in (0, 0xFF)):
        return data[0] != 0
    if len(data) == (count + 7) // 8:
        return bool(data[place // 8] >> place % 8 & 1)
    return data[place] != 0


def _from_attributes(cls: type[_A], items: Sequence[Attribute], kind: Type | None) -> _A:
    if kind is None:
        shape = [("signed", len(items))]
        kind = build_type(
            ShapedType, "RankedTensorType", ("shape", "list", shape), ("elementType", "type", items[0].type)
        )
    if not isinstance(kind, ShapedType) or not kind.has_static_shape:
        raise ValueError(f"Expected a static ShapedType for the shaped_type parameter: {kind}")
    element = kind.element_type
    if any(item.type != element for item in items):
        raise ValueError(f"All attributes must be of the same type and match the type parameter: {element}")
    width = storage_of(element)
    numbers = (cast(int, item._field("value")) for item in items)
    data = b"".join(bits.to_bytes(width, "little") for bits in numbers)
    if is_bit(element) and len(items) == 1:
        data = b"\xff" if data != b"\0" else b"\0"
    fields = ("type", "type", kind), ("data", "blob", data)
    return build_attribute(cls, "DenseIntOrFPElementsAttr", *fields)


class DenseIntElementsAttr(DenseElementsAttr):
    """The elements of a tensor or a vector of integers.

    >>> mlirbc.Attribute.parse("dense<[1, -1]> : tensor<2xi8>")[1]
    -1
    """

    __slots__ = ()
    _also = ()

    def __getitem__(self, index: int, /) -> int:
        return int(_item(self, index))

    def __iter__(self) -> Iterator[int]:
        return map(int, self._at(range(len(self))))


class DenseFPElementsAttr(DenseElementsAttr):
    """The elements of a tensor or a vector of floats.

    >>> list(mlirbc.Attribute.parse("dense<[0.5, 1.5]> : tensor<2xf32>"))
    [0.5, 1.5]
    """

    __slots__ = ()
    _also = ()

    def __getitem__(self, index: int, /) -> float:
        return _item(self, index)

    def __iter__(self) -> Iterator[float]:
        return self._at(range(len(self)))


def _item(dense: DenseElementsAttr, index: int) -> float:
    count = len(dense)
    if not 0 <= index < count:
        raise IndexError("attempt to access out of bounds element")
    return next(dense._at([index]))
