"""Ranges of a file on an HTTP server, requested through the session of fsspec.

fsspec returns whatever a server sends: the whole file for a range, more bytes than requested, a part of
another file. Here every answer is compared with the request before its bytes are used, no more bytes are read
than requested, and redirects to another host are refused unless they are allowed.
"""

import asyncio
import re
from collections.abc import Coroutine, Mapping
from typing import Protocol, TypeVar, cast
from urllib.parse import urljoin, urlsplit

__all__ = ["Body", "File"]

# Seconds without a byte after which a server is given up; the session has a limit on the whole request, too.
SILENCE = 60.0
# Redirects within the host.
_MOST_REDIRECTS = 10
_REDIRECTS = (301, 302, 303, 307, 308)
# The size of the largest file that systems can have.
LONGEST = (1 << 63) - 1
# Python refuses to read numbers of more digits.
_LENGTH = re.compile(r"[0-9]{1,4000}")
_CONTENT_RANGE = re.compile(r"bytes\s+(?:(\d{1,20})-(\d{1,20})|\*)/(\d{1,20}|\*)", re.IGNORECASE)
_STEP = 1 << 20
_DEFAULT_PORTS = {"http": 80, "https": 443}

_Value = TypeVar("_Value")


class _Stream(Protocol):
    async def read(self, size: int) -> bytes: ...


class _Response(Protocol):
    status: int
    reason: str | None
    headers: Mapping[str, str]
    content: _Stream
    url: object

    def close(self) -> None: ...


class _Timeout(Protocol):
    total: float | None
    connect: float | None
    sock_connect: float | None
    sock_read: float | None


class _Session(Protocol):
    timeout: _Timeout

    async def get(self, url: object, **options: object) -> _Response: ...


class _FileSystem(Protocol):
    loop: asyncio.AbstractEventLoop
    kwargs: dict[str, object]

    async def set_session(self) -> _Session: ...
    def encode_url(self, url: str) -> object: ...


class Body:
    """The body of an answer, which is read once from its beginning."""

    __slots__ = ("_file", "_left", "_response")

    def __init__(self, file: "File", response: _Response, size: int) -> None:
        self._file, self._response, self._left = file, response, size

    def read(self, size: int) -> bytes:
        """At most `size` bytes; none at the end."""
        size = min(size, self._left, _STEP)
        if size == 0:
            return b""
        data = self._file.finished(self._file.some_of(self._response, size))
        if not data:
            raise self._file.refused(f"the server sent {self._left} bytes less than it said")
        self._left -= len(data)
        return data

    def close(self) -> None:
        """Lets go of the connection."""
        self._file.file_system.loop.call_soon_threadsafe(self._response.close)


class File:
    """A file on a server: how long it is and its first bytes, or its body if the server knows no ranges."""

    def __init__(self, file_system: object, url: str, first: int, allow_redirects: bool) -> None:
        self.file_system = cast(_FileSystem, file_system)
        self.size = 0
        self.start = b""
        """The bytes that came with the first answer."""
        self.body: Body | None = None
        """The whole file, if the server does not answer with ranges."""
        self._url = url
        self._allow_redirects = allow_redirects
        self._identity: Mapping[str, str] = {}
        self.finished(self._opened(first))

    def read(self, start: int, end: int) -> bytes:
        """Exactly these bytes of the file, whose range must not be empty and not end after the file."""
        return self.finished(self._range(start, end))

    def refused(self, why: str) -> OSError:
        """An error with the address of the file, without a password and without possible signatures."""
        parts = urlsplit(self._url)
        host = parts.netloc.rpartition("@")[2]
        return OSError(f"cannot read {_printable(f'{parts.scheme}://{host}{parts.path}')}: {why}")

    def finished(self, work: Coroutine[object, object, _Value]) -> _Value:
        """The result of a piece of work in the thread of fsspec."""
        from fsspec.asyn import sync

        # Returned and not raised: fsspec would replace a timeout by one that says nothing.
        outcome: object = sync(self.file_system.loop, self._outcome, work)
        value, error = cast("tuple[_Value | None, OSError | None]", outcome)
        if error is not None:
            raise error
        return cast(_Value, value)

    async def _outcome(
        self, work: Coroutine[object, object, _Value]
    ) -> "tuple[_Value | None, OSError | None]":
        import aiohttp

        try:
            return await work, None
        # This comes before `OSError`, its base class since Python 3.11.
        except TimeoutError:
            return None, TimeoutError(str(self.refused("the server does not answer in time")))
        except OSError as error:
            return None, error
        except (aiohttp.ClientError, ValueError) as error:
            return None, self.refused(f"{type(error).__name__}: {_printable(str(error))}")

    async def _opened(self, first: int) -> None:
        response = await self._answer(0, first)
        try:
            if response.status == 416 and _content_range(response) == (None, 0):
                return
            if response.status == 200:
                length = response.headers.get("Content-Length", "")
                if not _LENGTH.fullmatch(length):
                    raise self.refused("the server ignores ranges, and does not say how long the file is")
                # No limit is as large as that.
                self.size = min(int(length), LONGEST)
                self.body = Body(self, response, self.size)
                return
            self._check_status(response)
            place, size = _content_range(response)
            if size is None:
                raise self.refused("the server does not say how long the file is")
            if size > LONGEST:
                raise self.refused(f"the server says that the file has {size} bytes, which no file has")
            self.size = size
            self._identity = response.headers
            self.start = await self._checked(response, place, 0, min(first, size))
        finally:
            if self.body is None:
                response.close()

    async def _range(self, start: int, end: int) -> bytes:
        response = await self._answer(start, end)
        try:
            if response.status == 200:
                raise self.refused("the server ignores ranges: it answers with the whole file")
            if response.status == 416:
                raise self.refused("the file has changed since it was opened: it is shorter")
            self._check_status(response)
            place, size = _content_range(response)
            self._check_identity(response, size)
            return await self._checked(response, place, start, end)
        finally:
            response.close()

    async def _answer(self, start: int, end: int) -> _Response:
        import aiohttp

        session = await self.file_system.set_session()
        options = dict(self.file_system.kwargs)
        extra_headers = cast(Mapping[str, str], options.pop("headers", None) or {})
        headers = {**extra_headers, "Range": f"bytes={start}-{end - 1}", "Accept-Encoding": "identity"}
        if "timeout" not in options:
            session_timeout = session.timeout
            options["timeout"] = aiohttp.ClientTimeout(
                total=session_timeout.total,
                connect=session_timeout.connect,
                sock_connect=session_timeout.sock_connect or SILENCE,
                sock_read=session_timeout.sock_read or SILENCE,
            )
        options.update(headers=headers, allow_redirects=self._allow_redirects)
        url = self.file_system.encode_url(self._url)
        for _ in range(_MOST_REDIRECTS + 1):
            response = await session.get(url, **options)
            if self._allow_redirects or response.status not in _REDIRECTS:
                return response
            response.close()
            url = self._redirected(response)
        raise self.refused(f"the server redirects more than {_MOST_REDIRECTS} times")

    def _redirected(self, response: _Response) -> object:
        """The target of a redirect, which must be the host that was asked."""
        target = urljoin(str(response.url), response.headers.get("Location", ""))
        before, after = _origin(self._url), _origin(target)
        # A server may insist on encryption.
        secure = ("https", before[1], 443) if before[2] == 80 else before
        if after not in (before, secure):
            host = _printable(f"{after[0]}://{after[1]}:{after[2]}")
            raise self.refused(
                f"the server redirects to another host, {host}; allow redirects (`allow_redirects=True`, "
                "or `--allow-redirects`) if you trust it"
            )
        return self.file_system.encode_url(target)

    def _check_status(self, response: _Response) -> None:
        if response.status == 404:
            raise FileNotFoundError(str(self.refused("the server does not have it (404)")))
        if response.status in (401, 403):
            raise PermissionError(str(self.refused(f"the server does not allow it ({response.status})")))
        if response.status != 206:
            reason = _printable(response.reason or "")
            raise self.refused(f"the server answers {response.status} {reason}".rstrip())

    def _check_identity(self, response: _Response, size: "int | None") -> None:
        if size is not None and size != self.size:
            raise self.refused(f"the file has changed since it was opened: from {self.size} to {size} bytes")
        for name in ("ETag", "Last-Modified"):
            before, current = self._identity.get(name), response.headers.get(name)
            if before is not None and current is not None:
                if before != current:
                    raise self.refused(f"the file has changed since it was opened: it has another {name}")
                return

    async def _checked(
        self, response: _Response, place: "tuple[int, int] | None", start: int, end: int
    ) -> bytes:
        """The body of an answer, which must be these bytes of the file."""
        if place != (start, end):
            sent = f"{place[0]} to {place[1]}" if place else "of an unknown range"
            raise self.refused(f"asked for bytes {start} to {end}, the server sends bytes {sent}")
        if response.headers.get("Content-Encoding", "identity").lower() != "identity":
            raise self.refused("the server compresses ranges although it was asked not to")
        expected_size = end - start
        data = bytearray()
        # With one byte more, which tells an answer of the right length from one that does not end.
        while part := await response.content.read(min(expected_size + 1 - len(data), _STEP)):
            data += part
            if len(data) > expected_size:
                raise self.refused(f"asked for {expected_size} bytes, the server sends more")
        if len(data) < expected_size:
            raise self.refused(f"asked for {expected_size} bytes, the server sends {len(data)}")
        return bytes(data)

    async def some_of(self, response: _Response, size: int) -> bytes:
        """At most `size` bytes of an answer."""
        return await response.content.read(size)


def _content_range(response: _Response) -> "tuple[tuple[int, int] | None, int | None]":
    """The range of an answer, with an exclusive end, and the size of the file; None where the header lacks
    it.
    """
    match = _CONTENT_RANGE.fullmatch(response.headers.get("Content-Range", "").strip())
    if match is None:
        return None, None
    first, last, size = match.groups()
    place = None if first is None else (int(first), int(last) + 1)
    return place, None if size == "*" else int(size)


def _origin(url: str) -> "tuple[str, str, int]":
    parts = urlsplit(url)
    if parts.scheme not in _DEFAULT_PORTS or parts.hostname is None:
        raise ValueError(f"not the address of a file on a server: {url!r}")
    return parts.scheme, parts.hostname.lower(), parts.port or _DEFAULT_PORTS[parts.scheme]


def _printable(text: str) -> str:
    """The text without control sequences of terminals, because servers choose it."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text[:500])
