"""Files of tensors without a program: IREE parameter archives, GGUF, safetensors and NPZ.

>>> file = mlirbc.parameters.open("tests/data/parameters/weights.safetensors")
>>> file["w"].to_numpy()
array([[0., 1., 2.],
       [3., 4., 5.]], dtype=float32)
"""

import os
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

from mlirbc._array_interface import ArrayInterface
from mlirbc._mlirbc import Blob, Limits, UnsupportedError, _ParameterFile

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

__all__ = ["Parameter", "ParameterFile", "open"]


class _ParameterRow(NamedTuple):
    """A row of `_mlirbc._ParameterFile.rows`, in the same order."""

    name: str
    kind: str
    element: str | None
    shape: list[int] | None
    size: int
    alignment: int
    metadata: bytes
    layout: tuple[bool, bool]


class Parameter(ArrayInterface):
    """A tensor of a file. Its bytes are read when they are requested.

    >>> parameter = mlirbc.parameters.open("tests/data/parameters/blocks.gguf")["blk.w"]
    >>> parameter.kind, parameter.element, parameter.shape, parameter.nbytes
    ('data', 'f32', (2, 3), 24)
    """

    __slots__ = ("_file", "_row")

    def __init__(self, file: _ParameterFile, row: _ParameterRow) -> None:
        self._file = file
        self._row = row

    @property
    def name(self) -> str:
        """The name, which is unique in the file."""
        return self._row.name

    @property
    def kind(self) -> str:
        """`data`, `splat` (a pattern that is repeated), `external` (in another file) or `deflated`."""
        return self._row.kind

    @property
    def element(self) -> str | None:
        """The type of the elements in MLIR, or a block format such as `q4_0`; None in an IREE archive."""
        return self._row.element

    @property
    def shape(self) -> tuple[int, ...]:
        """The sizes of the dimensions; of an IREE archive, which stores bytes, their number."""
        return (self._row.size,) if self._row.shape is None else tuple(self._row.shape)

    @property
    def nbytes(self) -> int:
        """The number of bytes."""
        return self._row.size

    @property
    def alignment(self) -> int:
        """The alignment that the file states, or 0."""
        return self._row.alignment

    @property
    def metadata(self) -> bytes:
        """The metadata of the tensor in an IREE archive."""
        return self._row.metadata

    @property
    def data(self) -> Blob:
        """The bytes: a view of the file, unless they are repeated or compressed.

        >>> bytes(mlirbc.parameters.open("tests/data/parameters/parameters.irpa")["blk.0.b"].data)
        b'\\x00\\x01\\x02\\x03\\x04'

        Raises `ReadError` if they are in another file outside the folder.
        """
        return self._file.data(self.name)

    def to_numpy(self) -> "npt.NDArray[np.generic]":
        """The elements as a read-only array; bytes of an IREE archive, whose `view` gives them a type.

        Raises `UnsupportedError` for block formats.

        >>> scale = mlirbc.parameters.open("tests/data/parameters/parameters.irpa")["scale"]
        >>> scale.to_numpy().view("float32")[:2]
        array([1., 1.], dtype=float32)
        """
        import numpy as np

        from mlirbc import arrays

        data = memoryview(self.data)
        if self._row.element is None:
            return np.frombuffer(data, np.uint8)
        has_elements, is_column_major = self._row.layout
        if not has_elements:
            raise UnsupportedError(
                f"elements of {self._row.element} are blocks, not numbers; `data` has their bytes"
            )
        dtype = np.dtype(bool) if self._row.element == "i1" else arrays.dtype_of(self._row.element)
        array = np.frombuffer(data, dtype)
        return array.reshape(self.shape, order="F" if is_column_major else "C")

    def __repr__(self) -> str:
        sizes = "x".join(map(str, self.shape))
        return f'<mlirbc.Parameter "{self.name}": {self.kind}, {self.element or "bytes"} {sizes}>'


class ParameterFile(Mapping[str, Parameter]):
    """The tensors of a file by name, in the order of the file.

    >>> list(mlirbc.parameters.open("tests/data/parameters/parameters.irpa"))
    ['blk.0.w', 'scale', 'blk.0.b']
    """

    __slots__ = ("_file", "_parameters")

    def __init__(self, path: str | os.PathLike[str], limits: Limits | None = None) -> None:
        self._file = _ParameterFile(path, limits)
        rows = (_ParameterRow(*row) for row in self._file.rows())
        self._parameters = {row.name: Parameter(self._file, row) for row in rows}

    @property
    def format(self) -> str:
        """The name of the format.

        >>> mlirbc.parameters.open("tests/data/parameters/blocks.gguf").format
        'GGUF file'
        """
        return self._file.format()

    def __getitem__(self, name: str) -> Parameter:
        """Raises `KeyError` for a name that no tensor has."""
        return self._parameters[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._parameters)

    def __len__(self) -> int:
        return len(self._parameters)

    def __repr__(self) -> str:
        return f"<mlirbc.ParameterFile {self.format}, {len(self)} tensors>"


def open(path: str | os.PathLike[str], *, limits: Limits | None = None) -> ParameterFile:
    """Opens a file and lists its tensors; the bytes of tensors are not read.

    Raises `ReadError` for a damaged file, `LimitError` for a file beyond `limits`, and `OSError`.

    >>> mlirbc.parameters.open("tests/data/parameters/arrays.npz")
    <mlirbc.ParameterFile archive of NumPy arrays, 1 tensors>
    """
    return ParameterFile(path, limits)
