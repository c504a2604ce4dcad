"""The base of the attributes with many elements."""

from typing import TYPE_CHECKING, ClassVar

from mlirbc._mlirbc import _Elements

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    from typing_extensions import CapsuleType


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
        >>> np.from_dlpack(mlirbc.DenseI32ArrayAttr.get([1, 2]))
        array([1, 2], dtype=int32)
        """
        from mlirbc._dlpack import to_dlpack

        return to_dlpack(self.to_numpy(), stream, max_version, dl_device, copy)

    def __dlpack_device__(self) -> tuple[int, int]:
        """The processor."""
        return (1, 0)
