"""Files and URLs of which only ranges are read.

Every answer of a source is compared with the request: a longer answer is an error, and a shorter one ends the
result, so that no byte is ever at a wrong offset.
"""

import io
import os
import sys
import threading
from collections import OrderedDict
from collections.abc import Callable
from typing import IO, Protocol, cast

__all__ = ["Reader", "Stream", "reader"]

# A request costs a round trip, so neighbouring small ranges share one; large ranges are read as they are.
_BLOCK = 64 << 10
_BLOCKS_KEPT = 64


class Stream(Protocol):
    """Bytes that can only be read from the beginning to the end; `open` reads them into memory to a limit."""

    def read(self, size: int, /) -> bytes: ...
    def close(self) -> None: ...


class _FileSystem(Protocol):
    def info(self, path: str) -> dict[str, object]: ...
    def cat_file(self, path: str, *, start: int, end: int) -> bytes: ...


class Reader:
    """Reads ranges through `read(start, end)`, which should return exactly these bytes.

    If `stream` is not None, it has all bytes, and ranges cannot be read.
    """

    __slots__ = ("_blocks", "_lock", "_read", "size", "stream")

    def __init__(
        self,
        size: int,
        read: Callable[[int, int], bytes],
        *,
        start: bytes = b"",
        stream: Stream | None = None,
    ) -> None:
        self.size = size
        self.stream = stream
        self._read = read
        self._blocks: OrderedDict[int, bytes] = OrderedDict()
        self._lock = threading.Lock()
        if start and len(start) == min(_BLOCK, size):
            self._blocks[0] = start

    def read_at(self, offset: int, length: int) -> bytes:
        """The bytes from `offset` on; fewer than `length` only if the file became shorter."""
        end = offset + length
        first, last = offset // _BLOCK, (max(end, offset + 1) - 1) // _BLOCK
        if last > first + 1:
            return self._range(offset, end)
        data = self._block(first)
        # After a block that is too short, the next block would be at another offset.
        if last > first and len(data) == _BLOCK:
            data += self._block(last)
        return data[offset - first * _BLOCK : end - first * _BLOCK]

    def _block(self, number: int) -> bytes:
        with self._lock:
            if (block := self._blocks.get(number)) is not None:
                self._blocks.move_to_end(number)
                return block
        start, end = number * _BLOCK, min((number + 1) * _BLOCK, self.size)
        data = self._range(start, end)
        if len(data) == end - start:
            with self._lock:
                self._blocks[number] = data
                if len(self._blocks) > _BLOCKS_KEPT:
                    self._blocks.popitem(last=False)
        return data

    def _range(self, start: int, end: int) -> bytes:
        if start >= end:
            return b""
        data = self._read(start, end)
        if len(data) > end - start:
            raise OSError(
                f"asked for {end - start} bytes from offset {start} on, the file returned {len(data)} bytes"
            )
        return data


def reader(source: object, allow_redirects: bool = False) -> Reader:
    """A reader of a URL, of a file of fsspec, or of a binary file object.

    Raises `ImportError` for a URL when fsspec is not installed, `TypeError` for a file of text, and the
    errors of the file.
    """
    if isinstance(source, str):
        try:
            from fsspec.core import url_to_fs
        except ImportError as error:
            raise ImportError("opening a URL needs fsspec: pip install 'mlirbc[remote]'") from error
        file_system, path = url_to_fs(source)
        return _of_file_system(file_system, path, allow_redirects)
    file_system, path = getattr(source, "fs", None), getattr(source, "path", None)
    # Files of fsspec read ahead, megabytes by default; their file system reads exactly the range.
    if isinstance(path, str) and hasattr(file_system, "cat_file"):
        return _of_file_system(cast(_FileSystem, file_system), path, allow_redirects)
    return _of_file(cast("IO[bytes]", source))


def _of_file_system(file_system: _FileSystem, path: str, allow_redirects: bool) -> Reader:
    # Loaded if the file system is one of its classes.
    http = sys.modules.get("fsspec.implementations.http")
    if http is not None and isinstance(file_system, http.HTTPFileSystem):
        from mlirbc._http import File

        file = File(file_system, path, _BLOCK, allow_redirects)
        return Reader(file.size, file.read, start=file.start, stream=file.body)
    size = file_system.info(path)["size"]
    if not isinstance(size, int) or not 0 <= size < 1 << 63:
        raise OSError(f"the size of {path} is not known, so ranges of it cannot be read")
    # The arguments are passed by name: the second parameter of `s3fs` is the version of the object.
    return Reader(size, lambda start, end: _bytes_of(file_system.cat_file(path, start=start, end=end)))


def _of_file(file: "IO[bytes]") -> Reader:
    if isinstance(file, io.TextIOBase):
        raise TypeError("expected a binary file; open it with mode 'rb'")
    if not file.seekable():
        return Reader(0, lambda start, end: b"", stream=_FileStream(file))
    size = _sought(file, 0, os.SEEK_END)
    lock = threading.Lock()

    def read(start: int, end: int) -> bytes:
        # Threads share the position of the file.
        with lock:
            if (place := _sought(file, start, os.SEEK_SET)) != start:
                raise OSError(f"the file went to offset {place} when it was asked to go to {start}")
            parts = []
            while start < end and (part := _read_from(file, end - start)):
                parts.append(part)
                start += len(part)
        return b"".join(parts)

    return Reader(size, read)


def _sought(file: "IO[bytes]", offset: int, whence: int) -> int:
    """The position after a seek, which some files do not return."""
    place = cast("int | None", file.seek(offset, whence))
    return file.tell() if place is None else place


def _read_from(file: "IO[bytes]", size: int) -> bytes:
    part = _bytes_of(file.read(size))
    if len(part) > size:
        raise OSError(f"asked for {size} bytes, the file returned {len(part)} bytes")
    return part


def _bytes_of(data: object) -> bytes:
    if isinstance(data, bytes):
        return data
    if isinstance(data, bytearray | memoryview):
        return bytes(data)
    if data is None:
        raise BlockingIOError(
            "the file has no bytes yet, and does not wait for them; open it as a blocking one"
        )
    raise TypeError(f"expected bytes from the file, found {type(data).__name__}")


class _FileStream:
    """A file of the caller, which stays open."""

    __slots__ = ("_file",)

    def __init__(self, file: "IO[bytes]") -> None:
        self._file = file

    def read(self, size: int, /) -> bytes:
        return _read_from(self._file, size)

    def close(self) -> None: ...
