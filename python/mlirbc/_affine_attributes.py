"""Attributes that hold affine maps, integer sets and strided layouts."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar, cast

from mlirbc._attributes import build_attribute
from mlirbc._mlirbc import Attribute
from mlirbc._types import DYNAMIC, sizes

if TYPE_CHECKING:
    from mlirbc._affine import AffineMap, IntegerSet


class AffineMapAttr(Attribute):
    """An affine map.

    >>> mlirbc.Attribute.parse("affine_map<(d0, d1)[s0] -> (d1 + s0)>").n_dims
    2
    """

    __slots__ = ()
    _also: ClassVar[tuple[str, ...]] = ()

    @staticmethod
    def get(affine_map: "AffineMap") -> "AffineMapAttr":
        """The attribute for a map.

        >>> mlirbc.attributes.AffineMapAttr.get(mlirbc.affine.AffineMap.get_identity(2))
        AffineMapAttr(affine_map<(d0, d1) -> (d0, d1)>)
        """
        return AffineMapAttr(affine_map._attribute())

    @property
    def value(self) -> "AffineMap":
        """The map.

        >>> mlirbc.Attribute.parse("affine_map<(d0) -> (d0 + 1)>").value.results
        [AffineAddExpr(d0 + 1)]
        """
        from mlirbc._affine import AffineMap

        return AffineMap(self)

    @property
    def n_dims(self) -> int:
        """How many dimensions it takes.

        >>> mlirbc.Attribute.parse("affine_map<(d0) -> (d0, 0)>").n_dims
        1
        """
        return self.value.n_dims

    @property
    def n_symbols(self) -> int:
        """How many symbols it takes.

        >>> mlirbc.Attribute.parse("affine_map<(d0)[s0] -> (s0)>").n_symbols
        1
        """
        return self.value.n_symbols

    @property
    def n_inputs(self) -> int:
        """How many dimensions and symbols it takes.

        >>> mlirbc.Attribute.parse("affine_map<(d0)[s0] -> (s0)>").n_inputs
        2
        """
        return self.value.n_inputs


class IntegerSetAttr(Attribute):
    """A set of integers: where affine conditions hold.

    >>> mlirbc.Attribute.parse("affine_set<(d0)[s0] : (d0 - s0 >= 0)>").n_dims
    1
    """

    __slots__ = ()
    _also: ClassVar[tuple[str, ...]] = ()

    @staticmethod
    def get(integer_set: "IntegerSet") -> "IntegerSetAttr":
        """The attribute for a set.

        >>> only = mlirbc.affine.IntegerSet.get(1, 0, [mlirbc.affine.AffineExpr.get_dim(0)], [True])
        >>> mlirbc.attributes.IntegerSetAttr.get(only)
        IntegerSetAttr(affine_set<(d0) : (d0 == 0)>)
        """
        return IntegerSetAttr(integer_set._attribute())

    @property
    def value(self) -> "IntegerSet":
        """The set.

        >>> mlirbc.Attribute.parse("affine_set<(d0) : (d0 == 0)>").value
        IntegerSet((d0) : (d0 == 0))
        """
        from mlirbc._affine import IntegerSet

        return IntegerSet(self)

    @property
    def n_dims(self) -> int:
        """How many dimensions it is about.

        >>> mlirbc.Attribute.parse("affine_set<(d0, d1) : (d0 == 0)>").n_dims
        2
        """
        return self.value.n_dims

    @property
    def n_symbols(self) -> int:
        """How many symbols it is about.

        >>> mlirbc.Attribute.parse("affine_set<(d0, d1) : (d0 == 0)>").n_symbols
        0
        """
        return self.value.n_symbols


class StridedLayoutAttr(Attribute):
    """The strides and the offset of a memref, in elements.

    >>> layout = mlirbc.attributes.StridedLayoutAttr.get(2, [4, 1])
    >>> layout, layout.strides, layout.offset
    (StridedLayoutAttr(strided<[4, 1], offset: 2>), [4, 1], 2)
    """

    __slots__ = ()
    _also: ClassVar[tuple[str, ...]] = ()

    @staticmethod
    def get(offset: int, strides: Sequence[int], context: object = None) -> "StridedLayoutAttr":
        """The layout; a dynamic number is `ShapedType.get_dynamic_size()`.

        >>> mlirbc.attributes.StridedLayoutAttr.get(0, [mlirbc.types.ShapedType.get_dynamic_size(), 1])
        StridedLayoutAttr(strided<[?, 1]>)
        """
        fields = ("offset", "signed", offset), ("strides", "list", sizes(strides))
        return build_attribute(StridedLayoutAttr, "StridedLayoutAttr", *fields)

    @staticmethod
    def get_fully_dynamic(rank: int, context: object = None) -> "StridedLayoutAttr":
        """The layout of which nothing is known.

        >>> mlirbc.attributes.StridedLayoutAttr.get_fully_dynamic(2)
        StridedLayoutAttr(strided<[?, ?], offset: ?>)
        """
        return StridedLayoutAttr.get(DYNAMIC, [DYNAMIC] * rank)

    @property
    def offset(self) -> int:
        """Where it begins.

        >>> mlirbc.Attribute.parse("strided<[1], offset: 3>").offset
        3
        """
        return cast(int, self._field("offset"))

    @property
    def strides(self) -> list[int]:
        """How far apart neighbours of each dimension are.

        >>> mlirbc.Attribute.parse("strided<[8, 1]>").strides
        [8, 1]
        """
        return cast("list[int]", self._field("strides") or [])
