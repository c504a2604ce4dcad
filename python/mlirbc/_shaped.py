"""Classes of types with a shape, named and shaped as in upstream's bindings."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar, cast

from mlirbc._mlirbc import Attribute, ReadError, Type, _text_attribute
from mlirbc._types import (
    DYNAMIC,
    ComplexType,
    FunctionType,
    NoneType,
    TupleType,
    build_type,
    refused,
    sizes,
)

if TYPE_CHECKING:
    from mlirbc._affine import AffineMap

_Field = tuple[str, str, object]
# Builtin types that are the element type of no vector, tensor or memref.
_NO_ELEMENTS: tuple[type[Type], ...] = (FunctionType, NoneType, TupleType)


def damaged(expected: str, found: object) -> ReadError:
    """The error for elements whose bytes do not fit their type."""
    error = ReadError(f"expected {expected}, found {found}")
    error.identifier = "mlirbc.read.entry.elements"
    error.message = str(error)
    error.expected, error.found = expected, str(found)
    return error


class ShapedType(Type):
    """A type of many elements: tensors, vectors and memrefs.

    >>> isinstance(mlirbc.Type.parse("vector<4xf32>"), mlirbc.types.ShapedType)
    True
    """

    __slots__ = ()
    _also: ClassVar[tuple[str, ...]] = ()

    if TYPE_CHECKING:

        @property
        def element_type(self) -> Type:
            """The type of the elements."""
            return self._element_type

        @property
        def shape(self) -> list[int]:
            """The sizes; a dynamic one is `get_dynamic_size()`. Raises `ValueError` without a rank."""
            return self._shape

    else:
        # A property in Python would call a function for each access.
        element_type = Type._element_type
        shape = Type._shape

    @property
    def has_rank(self) -> bool:
        """Whether the number of dimensions is known.

        >>> mlirbc.Type.parse("tensor<4xf32>").has_rank, mlirbc.Type.parse("tensor<*xf32>").has_rank
        (True, False)
        """
        return self._field("shape") is not None or self.class_name == "RankedTensorType"

    @property
    def rank(self) -> int:
        """The number of dimensions. Raises `ValueError` without a rank.

        >>> mlirbc.Type.parse("tensor<2x?xf32>").rank
        2
        """
        return len(self.shape)

    @property
    def has_static_shape(self) -> bool:
        """Whether all sizes are known.

        >>> mlirbc.Type.parse("tensor<2x?xf32>").has_static_shape
        False
        """
        return self.has_rank and DYNAMIC not in self.shape

    def is_dynamic_dim(self, dim: int) -> bool:
        """Whether the size of that dimension is not known.

        >>> mlirbc.Type.parse("tensor<2x?xf32>").is_dynamic_dim(1)
        True
        """
        return self.get_dim_size(dim) == DYNAMIC

    def is_static_dim(self, dim: int) -> bool:
        """Whether the size of that dimension is known.

        >>> mlirbc.Type.parse("tensor<2x?xf32>").is_static_dim(0)
        True
        """
        return not self.is_dynamic_dim(dim)

    def get_dim_size(self, dim: int) -> int:
        """The size of that dimension. Raises `IndexError` for other numbers.

        >>> mlirbc.Type.parse("tensor<2x?xf32>").get_dim_size(0)
        2
        """
        shape = self.shape
        if not 0 <= dim < len(shape):
            raise IndexError(f"dimension {dim} is out of range for {len(shape)} dimensions")
        return shape[dim]

    @staticmethod
    def is_dynamic_size(dim_size: int) -> bool:
        """Whether a size is dynamic.

        >>> mlirbc.types.ShapedType.is_dynamic_size(-(2**63))
        True
        """
        return dim_size == DYNAMIC

    @staticmethod
    def is_static_size(dim_size: int) -> bool:
        """Whether a size is one that is known.

        >>> mlirbc.types.ShapedType.is_static_size(4)
        True
        """
        return dim_size != DYNAMIC

    def is_dynamic_stride_or_offset(self, dim_size: int) -> bool:
        """Whether a stride or an offset is dynamic.

        >>> mlirbc.Type.parse("tensor<2xf32>").is_dynamic_stride_or_offset(1)
        False
        """
        return dim_size == DYNAMIC

    def is_static_stride_or_offset(self, dim_size: int) -> bool:
        """Whether a stride or an offset is one that is known.

        >>> mlirbc.Type.parse("tensor<2xf32>").is_static_stride_or_offset(1)
        True
        """
        return dim_size != DYNAMIC

    @staticmethod
    def get_dynamic_size() -> int:
        """The number for a dynamic size.

        >>> mlirbc.types.ShapedType.get_dynamic_size()
        -9223372036854775808
        """
        return DYNAMIC

    @staticmethod
    def get_dynamic_stride_or_offset() -> int:
        """The number for a dynamic stride or offset.

        >>> mlirbc.types.ShapedType.get_dynamic_stride_or_offset()
        -9223372036854775808
        """
        return DYNAMIC


def _check_element(element_type: Type, refused_types: tuple[type[Type], ...], words: str) -> None:
    """Refuses element types that MLIR refuses in every release; types of other dialects are accepted."""
    if isinstance(element_type, refused_types):
        raise refused("type", f"expected an element type, found {element_type}", words)


class VectorType(ShapedType):
    """A vector.

    >>> mlirbc.types.VectorType.get([2, 4], mlirbc.types.F32Type.get())
    VectorType(vector<2x4xf32>)
    """

    __slots__ = ()

    @staticmethod
    def get(
        shape: Sequence[int],
        element_type: Type,
        *,
        scalable: Sequence[bool] | None = None,
        scalable_dims: Sequence[int] | None = None,
        loc: object = None,
    ) -> "VectorType":
        """The type of vectors of that shape; `scalable` has a flag for each dimension, `scalable_dims` the
        numbers of the scalable ones. Raises `InvalidError` when a size is not above zero.

        >>> mlirbc.types.VectorType.get([2, 4], mlirbc.types.F32Type.get(), scalable_dims=[1])
        VectorType(vector<2x[4]xf32>)
        """
        if scalable is not None and scalable_dims is not None:
            raise ValueError("'scalable' and 'scalable_dims' kwargs are mutually exclusive.")
        flags = list(scalable) if scalable is not None else [False] * len(shape)
        if len(flags) != len(shape):
            raise ValueError("Expected len(scalable) == len(shape).")
        for dim in scalable_dims or ():
            if not 0 <= dim < len(shape):
                raise ValueError("Scalable dimension index out of bounds.")
            flags[dim] = True
        words = "failed to verify 'elementType': VectorElementTypeInterface instance"
        _check_element(element_type, (*_NO_ELEMENTS, ComplexType, ShapedType), words)
        fields: list[_Field] = [("shape", "list", sizes(shape)), ("elementType", "type", element_type)]
        if any(flags):
            fields.append(("scalable", "list", [("bool", bool(flag)) for flag in flags]))
        return build_type(VectorType, "VectorType", *fields)

    @property
    def scalable(self) -> bool:
        """Whether any dimension is scalable.

        >>> mlirbc.Type.parse("vector<[4]xf32>").scalable
        True
        """
        return any(self.scalable_dims)

    @property
    def scalable_dims(self) -> list[bool]:
        """For each dimension whether it is scalable.

        >>> mlirbc.Type.parse("vector<2x[4]xf32>").scalable_dims
        [False, True]
        """
        flags = cast("list[bool] | None", self._field("scalable"))
        return list(flags) if flags is not None else [False] * self.rank


class RankedTensorType(ShapedType):
    """A tensor of known rank.

    >>> mlirbc.Type.parse("tensor<?x2xf32>")
    RankedTensorType(tensor<?x2xf32>)
    """

    __slots__ = ()

    @staticmethod
    def get(
        shape: Sequence[int], element_type: Type, encoding: Attribute | None = None, loc: object = None
    ) -> "RankedTensorType":
        """The type of tensors of that shape. Raises `InvalidError` when a size is below zero.

        >>> mlirbc.types.RankedTensorType.get([2, 3], mlirbc.types.F32Type.get())
        RankedTensorType(tensor<2x3xf32>)
        """
        _check_tensor_element(element_type)
        fields: list[_Field] = [("shape", "list", sizes(shape)), ("elementType", "type", element_type)]
        if encoding is not None:
            fields.append(("encoding", "attribute", encoding))
        return build_type(RankedTensorType, "RankedTensorType", *fields)

    @property
    def encoding(self) -> Attribute | None:
        """The encoding attribute; None without one.

        >>> mlirbc.Type.parse('tensor<2xf32, "sparse">').encoding
        StringAttr("sparse")
        """
        return _attribute(self, "encoding")


class UnrankedTensorType(ShapedType):
    """A tensor of unknown rank.

    >>> mlirbc.Type.parse("tensor<*xf32>")
    UnrankedTensorType(tensor<*xf32>)
    """

    __slots__ = ()

    @staticmethod
    def get(element_type: Type, loc: object = None) -> "UnrankedTensorType":
        """The type of tensors of any rank.

        >>> mlirbc.types.UnrankedTensorType.get(mlirbc.types.F32Type.get())
        UnrankedTensorType(tensor<*xf32>)
        """
        _check_tensor_element(element_type)
        return build_type(UnrankedTensorType, "UnrankedTensorType", ("elementType", "type", element_type))


class MemRefType(ShapedType):
    """A reference to memory of known rank.

    >>> mlirbc.Type.parse("memref<2x?xf32>")
    MemRefType(memref<2x?xf32>)
    """

    __slots__ = ()

    @staticmethod
    def get(
        shape: Sequence[int],
        element_type: Type,
        layout: Attribute | None = None,
        memory_space: Attribute | None = None,
        loc: object = None,
    ) -> "MemRefType":
        """The type of references to memory of that shape; without a layout, row after row.

        >>> mlirbc.types.MemRefType.get([2, 3], mlirbc.types.F32Type.get())
        MemRefType(memref<2x3xf32>)
        """
        _check_memref_element(element_type)
        if layout is None:
            dims = ", ".join(f"d{dim}" for dim in range(len(shape)))
            layout = _text_attribute("builtin", f"affine_map<({dims}) -> ({dims})>")
        fields: list[_Field] = [
            ("shape", "list", sizes(shape)),
            ("elementType", "type", element_type),
            ("layout", "attribute", layout),
        ]
        if memory_space is not None:
            fields.append(("memorySpace", "attribute", memory_space))
        return build_type(MemRefType, "MemRefType", *fields)

    @property
    def layout(self) -> Attribute:
        """How its elements lie in memory.

        >>> mlirbc.Type.parse("memref<2xf32>").layout
        AffineMapAttr(affine_map<(d0) -> (d0)>)
        """
        layout = _attribute(self, "layout")
        assert layout is not None
        return layout

    @property
    def affine_map(self) -> "AffineMap":
        """The map from indices to places in memory.

        >>> mlirbc.Type.parse("memref<2xf32>").affine_map
        AffineMap((d0) -> (d0))
        """
        from mlirbc._affine import AffineMap

        return AffineMap(self.layout)

    @property
    def memory_space(self) -> Attribute | None:
        """The memory that it refers to; None for the usual one.

        >>> mlirbc.Type.parse("memref<2xf32, 3>").memory_space
        IntegerAttr(3 : i64)
        """
        return _attribute(self, "memorySpace")

    def get_strides_and_offset(self) -> tuple[list[int], int]:
        """The strides of its dimensions and where it begins, in elements; a dynamic one is
        `get_dynamic_stride_or_offset()`.

        Raises `ValueError` for layouts without strides, and for maps other than the identity.

        >>> mlirbc.Type.parse("memref<2x3xf32>").get_strides_and_offset()
        ([3, 1], 0)
        """
        layout = self.layout
        if layout.class_name == "StridedLayoutAttr":
            fields = layout.fields
            return list(cast("list[int]", fields["strides"])), cast(int, fields["offset"])
        shape = self.shape
        dims = ", ".join(f"d{dim}" for dim in range(len(shape)))
        if str(layout) != f"affine_map<({dims}) -> ({dims})>":
            raise ValueError(f"no strides are known of the layout {layout}")
        strides, stride = [], 1
        for size in reversed(shape):
            strides.append(stride)
            stride = DYNAMIC if DYNAMIC in (size, stride) else stride * size
        return strides[::-1], 0


class UnrankedMemRefType(ShapedType):
    """A reference to memory of unknown rank.

    >>> mlirbc.Type.parse("memref<*xf32>")
    UnrankedMemRefType(memref<*xf32>)
    """

    __slots__ = ()

    @staticmethod
    def get(element_type: Type, memory_space: Attribute | None, loc: object = None) -> "UnrankedMemRefType":
        """The type of references to memory of any rank.

        >>> mlirbc.types.UnrankedMemRefType.get(mlirbc.types.F32Type.get(), None)
        UnrankedMemRefType(memref<*xf32>)
        """
        _check_memref_element(element_type)
        fields: list[_Field] = [("elementType", "type", element_type)]
        if memory_space is not None:
            fields.append(("memorySpace", "attribute", memory_space))
        return build_type(UnrankedMemRefType, "UnrankedMemRefType", *fields)

    @property
    def memory_space(self) -> Attribute | None:
        """The memory that it refers to; None for the usual one.

        >>> mlirbc.Type.parse("memref<*xf32>").memory_space is None
        True
        """
        return _attribute(self, "memorySpace")


def _attribute(shaped_type: Type, name: str) -> Attribute | None:
    attribute = shaped_type._field(name)
    assert attribute is None or isinstance(attribute, Attribute)
    return attribute


def _check_tensor_element(element_type: Type) -> None:
    words = f"invalid tensor element type: '{element_type}'"
    tensors_and_memrefs = RankedTensorType, UnrankedTensorType, MemRefType, UnrankedMemRefType
    _check_element(element_type, (*_NO_ELEMENTS, *tensors_and_memrefs), words)


def _check_memref_element(element_type: Type) -> None:
    refused_types = (*_NO_ELEMENTS, RankedTensorType, UnrankedTensorType)
    _check_element(element_type, refused_types, "invalid memref element type")
