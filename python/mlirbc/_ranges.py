"""Files and URLs of which only ranges are read."""

import io
import os
import threading
from collections import OrderedDict
from collections.abc import Callable
from typing import IO, Protocol, cast

__all__ = ["Reader", "reader"]

# A request costs a round trip, so neighbouring small ranges share one; large ranges are read as they are.
_BLOCK = 64 << 10
_BLOCKS_KEPT = 64


class _FileSystem(Protocol):
    def info(self, path: str) -> dict[str, object]: ...
    def cat_file(self, path: str, *, start: int, end: int) -> bytes: ...


class Reader:
    """Reads ranges through `read(start, end)`, which must return exactly these bytes."""

    __slots__ = ("_blocks", "_lock", "_read", "size")

    def __init__(self, size: int, read: Callable[[int, int], bytes]) -> None:
        self.size = size
        self._read = read
        self._blocks: OrderedDict[int, bytes] = OrderedDict()
        self._lock = threading.Lock()

    def read_at(self, offset: int, length: int) -> bytes:
        """The bytes from `offset` on; fewer than `length` only if the file became shorter."""
        end = offset + length
        first, last = offset // _BLOCK, (max(end, offset + 1) - 1) // _BLOCK
        if last > first + 1:
            return self._read(offset, end)
        data = b"".join(self._block(number) for number in range(first, last + 1))
        return data[offset - first * _BLOCK : end - first * _BLOCK]

    def _block(self, number: int) -> bytes:
        with self._lock:
            if (kept := self._blocks.get(number)) is not None:
                self._blocks.move_to_end(number)
                return kept
        data = self._read(number * _BLOCK, min((number + 1) * _BLOCK, self.size))
        with self._lock:
            self._blocks[number] = data
            if len(self._blocks) > _BLOCKS_KEPT:
                self._blocks.popitem(last=False)
        return data


def reader(source: object) -> Reader:
    """A reader of a URL, of a file of fsspec, or of a binary file object that can seek.

    Raises `ImportError` for a URL when fsspec is not installed, `TypeError` for a file of text, and what the
    file raises.
    """
    if isinstance(source, str):
        try:
            from fsspec.core import url_to_fs
        except ImportError as error:
            raise ImportError("opening a URL needs fsspec: pip install 'mlirbc[remote]'") from error
        file_system, path = url_to_fs(source)
        return _of_file_system(file_system, path)
    file_system, path = getattr(source, "fs", None), getattr(source, "path", None)
    # The files of fsspec read ahead, megabytes by default; their file system reads what it is asked for.
    if isinstance(path, str) and hasattr(file_system, "cat_file"):
        return _of_file_system(cast(_FileSystem, file_system), path)
    return _of_file(cast("IO[bytes]", source))


def _of_file_system(file_system: _FileSystem, path: str) -> Reader:
    size = file_system.info(path)["size"]
    if not isinstance(size, int):
        raise OSError(f"the size of {path} is not known, so ranges of it cannot be read")
    # By name: the second parameter of `s3fs` is the version of the object.
    return Reader(size, lambda start, end: file_system.cat_file(path, start=start, end=end))


def _of_file(file: "IO[bytes]") -> Reader:
    if isinstance(file, io.TextIOBase):
        raise TypeError("expected a binary file; open it with mode 'rb'")
    if not file.seekable():
        data = file.read()
        return Reader(len(data), lambda start, end: data[start:end])
    size = file.seek(0, os.SEEK_END)
    lock = threading.Lock()

    def read(start: int, end: int) -> bytes:
        # Threads share the position of the file.
        with lock:
            file.seek(start)
            parts = []
            while start < end and (part := file.read(end - start)):
                parts.append(part)
                start += len(part)
        return b"".join(parts)

    return Reader(size, read)
