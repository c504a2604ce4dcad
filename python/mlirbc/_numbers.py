"""The base of the attributes with many elements."""

from typing import TYPE_CHECKING, ClassVar

from mlirbc._array_interface import ArrayInterface
from mlirbc._mlirbc import _Elements

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


class _Numbers(ArrayInterface, _Elements):
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
