"""The protocols of NumPy and DLPack, for classes with `to_numpy`."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    from typing_extensions import CapsuleType

__all__ = ["ArrayInterface"]


class ArrayInterface:
    """An object that NumPy, PyTorch, JAX and other libraries take as the array of its `to_numpy`."""

    __slots__ = ()

    def to_numpy(self) -> "npt.NDArray[np.generic]":
        """The elements as an array."""
        raise NotImplementedError

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
        >>> np.from_dlpack(mlirbc.open("examples/two_layers.mlirbc").weights["layer1.bias"])
        array([ 0.125, -0.125], dtype=float32)
        """
        from mlirbc._dlpack import to_dlpack

        return to_dlpack(self.to_numpy(), stream, max_version, dl_device, copy)

    def __dlpack_device__(self) -> tuple[int, int]:
        """The processor."""
        return (1, 0)
