"""Classes of attributes with many elements, named and shaped as in upstream's bindings."""

import operator
import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, ClassVar, Self, TypeVar, cast

from mlirbc._attributes import (
    BoolAttr,
    FloatAttr,
    IntegerAttr,
    bits_of,
    build_attribute,
    checked_item,
    number,
    width_of,
)
from mlirbc._mlirbc import Attribute, InvalidError, Type, _Elements
from mlirbc._shaped import ShapedType, damaged
from mlirbc._types import (
    ComplexType,
    F32Type,
    F64Type,
    FloatType,
    IndexType,
    IntegerType,
    build_type,
    invalid_argument,
)

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    from typing_extensions import Buffer, CapsuleType

    from mlirbc._dlpack import Exchanged

_A = TypeVar("_A", bound=Attribute)


class _Numbers(_Elements):
    """An attribute of many numbers; its buffer is the buffer of its array."""

    __slots__ = ()
    _also: ClassVar[tuple[str, ...]] = ()

    def to_numpy(self) -> "npt.NDArray[np.generic]":
        """The elements as a read-only NumPy array; `docs/reference/python.md` lists the dtypes.

        Nothing is copied where NumPy has the same layout: the array is a view of the file, and splats
        are one element with strides of zero. Raises `ImportError` when `ml_dtypes` is wanted and missing,
        and `UnsupportedError` for elements that are not numbers.

        >>> mlirbc.Attribute.parse("dense<[1, 2]> : tensor<2xi32>").to_numpy()
        array([1, 2], dtype=int32)
        >>> mlirbc.Attribute.parse("array<i8: 1, 2>").to_numpy()
        array([1, 2], dtype=int8)
        """
        return self._whole(self._array())

    def _array(self) -> "npt.NDArray[np.generic]":
        from mlirbc import arrays

        raise arrays.unsupported(f"{type(self).__name__} has no elements")

    def __array__(
        self, dtype: "npt.DTypeLike | None" = None, copy: bool | None = None
    ) -> "npt.NDArray[np.generic]":
        import numpy as np

        array = self.to_numpy()
        if dtype is not None and array.dtype != np.dtype(dtype):
            if copy is False:
                raise ValueError(f"the elements cannot be had as {dtype} without a copy")
            return array.astype(dtype)
        return array.copy() if copy else array

    def __dlpack__(
        self,
        *,
        stream: None = None,
        max_version: tuple[int, int] | None = None,
        dl_device: tuple[int, int] | None = None,
        copy: bool | None = None,
    ) -> "CapsuleType":
        """The elements as PyTorch, JAX and other libraries take them: the array of `to_numpy`, without a
        copy.

        Consumers that cannot take read-only elements get a copy. Raises `BufferError` for elements that
        DLPack does not have, e.g. of four bits.

        >>> import numpy as np
        >>> np.from_dlpack(mlirbc.attributes.DenseI32ArrayAttr.get([1, 2]))
        array([1, 2], dtype=int32)
        """
        from mlirbc._dlpack import to_dlpack

        return to_dlpack(self.to_numpy(), stream, max_version, dl_device, copy)

    def __dlpack_device__(self) -> tuple[int, int]:
        """The processor."""
        return (1, 0)


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


class DenseStringElementsAttr(_Numbers):
    """The elements of a tensor of strings.

    >>> mlirbc.Attribute.parse('dense<["a", "b"]> : tensor<2x!toy.string>').to_numpy()
    array(['a', 'b'], dtype=object)
    """

    __slots__ = ()

    @property
    def is_splat(self) -> bool:
        """Whether it has one string for all places.

        >>> mlirbc.Attribute.parse('dense<"a"> : tensor<2x!toy.string>').is_splat
        True
        """
        return self._field("isSplat") != 0

    @property
    def values(self) -> list[str]:
        """The strings; of a splat, one.

        >>> mlirbc.Attribute.parse('dense<["a", "b"]> : tensor<2x!toy.string>').values
        ['a', 'b']
        """
        return cast("list[str]", self._field("data") or [])

    def _array(self) -> "npt.NDArray[np.generic]":
        from mlirbc import arrays

        return arrays.of_strings(self.type, self.values)


class DenseResourceElementsAttr(_Numbers):
    """The elements of a tensor or a vector that lie in a resource beside the IR.

    >>> module = mlirbc.open("examples/two_layers.mlirbc")
    >>> weights = [a for a in module.attributes if isinstance(a, mlirbc.attributes.DenseResourceElementsAttr)]
    >>> weights[0].key, weights[0].to_numpy().shape
    ('layer0.weight', (4, 3))
    """

    __slots__ = ()

    @staticmethod
    def get_from_buffer(
        array: "Buffer",
        name: str,
        type: Type,
        alignment: int | None = None,
        is_mutable: bool = False,
        context: object = None,
    ) -> "DenseResourceElementsAttr":
        """The attribute for the bytes of a buffer. Modules that use the attribute get the resource; the
        context keeps the buffer.

        `name` is the key of the resource; `_1` and so on is added if the context has another one.

        >>> from mlirbc.mlir import ir
        >>> with ir.Context() as context:
        ...     weight = ir.DenseResourceElementsAttr.get_from_buffer(
        ...         memoryview(bytes(8)), "weight", ir.Type.parse("tensor<2xf32>"))
        >>> weight
        DenseResourceElementsAttr(dense_resource<weight> : tensor<2xf32>)
        """
        from mlirbc.mlir._context import resolve_context

        alignment = alignment or max(memoryview(array).itemsize, 1)
        key = resolve_context(context)._add_blob(name, array, alignment)
        attribute = Attribute.parse(f"dense_resource<{_spelled_key(key)}> : {type}")
        return DenseResourceElementsAttr(attribute)

    @property
    def key(self) -> str:
        """The key of the resource.

        >>> mlirbc.open("examples/two_layers.mlirbc").attributes[8].dialect
        'builtin'
        """
        return cast(str, self._field("handle"))

    @property
    def raw_data(self) -> memoryview:
        """The bytes of the resource. Raises `KeyError` when the file does not have them.

        >>> module = mlirbc.open("examples/two_layers.mlirbc")
        >>> from mlirbc.attributes import DenseResourceElementsAttr
        >>> weights = [a for a in module.attributes if isinstance(a, DenseResourceElementsAttr)]
        >>> weights[0].raw_data.nbytes
        48
        """
        data = self._resource(self.key)
        if data is None:
            raise KeyError(self.key)
        return data

    def _array(self) -> "npt.NDArray[np.generic]":
        from mlirbc import arrays

        return arrays.of_resource(self.type, self.raw_data)


def _spelled_key(key: str) -> str:
    """A key as the text of an attribute has it: quoted unless it is a name."""
    if key.replace(".", "_").replace("$", "_").isidentifier() and key.isascii():
        return key
    escaped = "".join(
        f"\\{byte:02X}" if byte in b'"\\' or not 32 <= byte < 127 else chr(byte) for byte in key.encode()
    )
    return f'"{escaped}"'


class SparseElementsAttr(_Numbers):
    """The elements of a tensor most of which are zero.

    >>> sparse = mlirbc.Attribute.parse("sparse<[[0], [2]], [1, 5]> : tensor<4xi8>")
    >>> sparse.to_dense()
    array([1, 0, 5, 0], dtype=int8)
    """

    __slots__ = ()

    @property
    def indices(self) -> Attribute:
        """The indices of the stored elements, one row each.

        >>> mlirbc.Attribute.parse("sparse<[[0], [2]], [1, 5]> : tensor<4xi8>").indices
        DenseIntElementsAttr(dense<[[0], [2]]> : tensor<2x1xi64>)
        """
        return cast(Attribute, self._field("indices"))

    @property
    def values(self) -> Attribute:
        """The stored elements.

        >>> mlirbc.Attribute.parse("sparse<[[0], [2]], [1, 5]> : tensor<4xi8>").values
        DenseIntElementsAttr(dense<[1, 5]> : tensor<2xi8>)
        """
        return cast(Attribute, self._field("values"))

    def to_dense(self) -> "npt.NDArray[np.generic]":
        """All elements; elements that are not stored are zero.

        >>> mlirbc.Attribute.parse("sparse<[[1]], [7]> : tensor<2xi8>").to_dense().tolist()
        [0, 7]
        """
        return self.to_numpy()

    def _array(self) -> "npt.NDArray[np.generic]":
        from mlirbc import arrays

        arrays.static_shape(self.type)
        values, indices = self.values, self.indices
        if isinstance(values, SparseElementsAttr) or isinstance(indices, SparseElementsAttr):
            raise arrays.unsupported(
                "expected dense values and indices of sparse elements, found sparse ones"
            )
        return arrays.of_sparse(self.type, arrays.to_numpy(values), arrays.to_numpy(indices))


class TensorV1Attr(_Numbers):
    """The elements of a tensor in the dialect of StableHLO's portable artifacts.

    >>> issubclass(mlirbc.attributes.TensorV1Attr, mlirbc.Attribute)
    True
    """

    __slots__ = ()

    @property
    def raw_data(self) -> memoryview:
        """The bytes of the elements, little-endian: one element of a splat, booleans packed.

        >>> isinstance(mlirbc.attributes.TensorV1Attr.raw_data, property)
        True
        """
        return cast(memoryview, self._field("data"))

    def _array(self) -> "npt.NDArray[np.generic]":
        from mlirbc import arrays

        return arrays.of_vhlo(self.type, self.raw_data)
