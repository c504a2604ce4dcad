"""`mlirbc.open` of URLs whose servers do something else than they are asked to, and of such file objects."""

import io
import subprocess
import sys
import threading
import time
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import mlirbc
import numpy as np
import pytest
from mlirbc import _ranges

pytest.importorskip("fsspec", reason="the extra `remote` is not installed")
pytest.importorskip("aiohttp", reason="the extra `remote` is not installed")

BLOB = 1 << 20
# The largest answer of a server, so that a reader without a bound fails a test and not the machine.
MOST = 64 << 20
# The size of system buffers between a server and a reader that does not read.
BUFFERS = 16 << 20


@pytest.fixture(scope="module")
def data():
    """A module with a resource that differs from place to place."""
    edited = mlirbc.parse(
        f"func.func @f() -> tensor<{BLOB}xi8> {{\n"
        f"  %0 = arith.constant dense_resource<w> : tensor<{BLOB}xi8>\n"
        f"  return %0 : tensor<{BLOB}xi8>\n}}"
    ).edit()
    edited.resources["w"] = pattern()
    return bytes(edited.write())


def pattern():
    return (np.arange(BLOB, dtype=np.uint32) * 2654435761 >> 24).astype(np.int8)


def read(source, **options):
    """Everything of a module: blocks that two reads share, and long ranges."""
    module = mlirbc.open(source, **options)
    part = np.empty(100_000, np.int8)
    for offset in (0, 30_000, 65_500, 500_000, BLOB - 100_000):
        module.resources["w"].read_into(part, offset)
        assert np.array_equal(part, pattern()[offset : offset + 100_000]), offset
    assert np.array_equal(np.frombuffer(bytes(module.resources["w"]), np.int8), pattern())
    return module


class Handler(BaseHTTPRequestHandler):
    """Answers as the first part of the path says."""

    timeout = 20

    def do_HEAD(self):
        # fsspec asks for the size of a file so.
        self.send_response(200)
        self.send_header("Content-Length", str(len(self.server.data)))
        self.end_headers()

    def do_GET(self):
        server = self.server
        with server.lock:
            server.requests += 1
        self.data = server.data
        first, _, last = self.headers.get("Range", "bytes=0-").removeprefix("bytes=").partition("-")
        self.start, self.end = int(first), min(int(last or len(self.data)) + 1, len(self.data))
        # Later requests: fsspec asks for the size first, sometimes by this method.
        self.is_later = self.start > 0 or server.requests > 2
        getattr(self, self.path.strip("/").partition("?")[0].partition("/")[0])()

    def head(self, status, *headers):
        self.send_response(status)
        for name, value in headers:
            self.send_header(name, str(value))
        self.end_headers()

    def range_of(self, start, end, size=None):
        return ("Content-Range", f"bytes {start}-{end - 1}/{size or len(self.data)}")

    def send(self, data):
        self.wfile.write(data)
        with self.server.lock:
            self.server.sent += len(data)

    def for_ever(self):
        part = bytes(1 << 16)
        while self.server.sent < MOST and not self.server.is_stopped.is_set():
            self.send(part)

    def good(self, *headers):
        body = self.data[self.start : self.end]
        self.head(206, self.range_of(self.start, self.end), ("Content-Length", len(body)), *headers)
        self.send(body)

    def ignores(self):
        self.head(200, ("Content-Length", len(self.data)))
        self.send(self.data)

    def ignores_without_length(self):
        self.head(200)
        self.send(self.data)

    def ignores_later(self):
        self.ignores() if self.is_later else self.good()

    def endless(self):
        self.head(200)
        self.for_ever()

    def endless_range(self):
        self.head(206, self.range_of(self.start, self.end))
        self.send(self.data[self.start : self.end])
        self.for_ever()

    def huge(self):
        self.head(200, ("Content-Length", 1 << 40))
        self.for_ever()

    def stalls(self):
        self.head(200, ("Content-Length", 10**18))
        self.hangs()

    def stalls_longer(self):
        self.head(200, ("Content-Length", 10**19))
        self.hangs()

    def has_no_such_size(self):
        body = self.data[self.start : self.end]
        self.head(206, self.range_of(self.start, self.end, 10**19), ("Content-Length", len(body)))
        self.send(body)

    def less(self):
        if not self.is_later:
            return self.good()
        body = self.data[self.start : self.end - 1]
        self.head(206, self.range_of(self.start, self.end), ("Content-Length", len(body)))
        self.send(body)

    def ends_early(self):
        self.head(200, ("Content-Length", len(self.data)))
        self.send(self.data[:-1])

    def wrong_range(self):
        body = self.data[: self.end - self.start]
        self.head(206, self.range_of(0, len(body)), ("Content-Length", len(body)))
        self.send(body)

    def no_range(self):
        body = self.data[self.start : self.end]
        self.head(206, ("Content-Length", len(body)))
        self.send(body)

    def no_size(self):
        body = self.data[self.start : self.end]
        self.head(
            206, ("Content-Range", f"bytes {self.start}-{self.end - 1}/*"), ("Content-Length", len(body))
        )
        self.send(body)

    def compressed(self):
        self.good(("Content-Encoding", "gzip"))

    def etag(self):
        self.good(("ETag", f'"{self.server.requests}"'))

    def modified(self):
        seconds = self.server.requests % 60
        self.good(("Last-Modified", f"Thu, 01 Jan 2026 00:00:{seconds:02} GMT"))

    def grows(self):
        body = self.data[self.start : self.end]
        grown = len(self.data) + self.server.requests
        self.head(206, self.range_of(self.start, self.end, grown), ("Content-Length", len(body)))
        self.send(body)

    def shorter(self):
        if not self.is_later:
            return self.good()
        self.head(416, ("Content-Range", "bytes */9"))

    def hangs(self):
        self.server.is_stopped.wait(20)

    def hangs_later(self):
        self.hangs() if self.is_later else self.good()

    def hangs_in_range(self):
        body = self.data[self.start : self.end]
        self.head(206, self.range_of(self.start, self.end), ("Content-Length", len(body)))
        self.send(body[:100])
        self.hangs()

    def redirects(self):
        self.head(302, ("Location", "/good"))

    def redirects_for_ever(self):
        self.head(302, ("Location", "/redirects_for_ever"))

    def redirects_away(self):
        self.head(302, ("Location", f"{self.server.elsewhere}/good"))

    def redirects_to_file(self):
        self.head(302, ("Location", "file:///etc/passwd"))

    def empty(self):
        self.head(416, ("Content-Range", "bytes */0"))

    def missing(self):
        self.head(404)

    def forbidden(self):
        self.head(403)

    def broken(self):
        self.head(500)

    def log_message(self, *_):
        pass


class Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, data):
        super().__init__(("127.0.0.1", 0), Handler)
        self.data, self.lock, self.is_stopped = data, threading.Lock(), threading.Event()
        self.sent = self.requests = 0
        self.elsewhere = ""

    @property
    def address(self):
        return f"http://127.0.0.1:{self.server_port}"

    def handle_error(self, request, client_address):
        pass  # a reader that has enough closes the connection


@contextmanager
def serving(data):
    server = Server(data)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.is_stopped.set()
        server.shutdown()
        server.server_close()
        thread.join()


@pytest.fixture
def server(data):
    with serving(data) as server:
        yield server


def test_ranges_of_a_good_server(server):
    read(f"{server.address}/good")
    assert server.sent < 2 * len(server.data) + (64 << 10)


@pytest.mark.parametrize("size", [0, 1, (64 << 10) - 1, 64 << 10, (64 << 10) + 1])
def test_files_of_the_size_of_a_block(size):
    with serving(bytes(size)) as server:
        file = _ranges.reader(f"{server.address}/{'good' if size else 'empty'}")
        assert (file.size, file.read_at(0, size)) == (size, bytes(size))


def test_a_server_that_ignores_ranges_is_read_once(server):
    read(f"{server.address}/ignores")
    assert server.requests == 1
    with pytest.raises(mlirbc.LimitError, match=r"more than 524288 bytes") as raised:
        mlirbc.open(f"{server.address}/ignores", limits=mlirbc.Limits(max_memory=1 << 19))
    assert raised.value.identifier == "mlirbc.limit.memory"


@pytest.mark.parametrize(
    ("behaviour", "message"),
    [
        ("ignores_without_length", "ignores ranges, and does not say how long the file is"),
        ("ignores_later", "ignores ranges: it answers with the whole file"),
        ("endless", "ignores ranges, and does not say how long the file is"),
        ("endless_range", "asked for 65536 bytes, the server sends more"),
        ("less", r"asked for \d+ bytes, the server sends \d+$"),
        ("wrong_range", r"asked for bytes \d{5,} to \d+, the server sends bytes 0 to \d+$"),
        ("no_range", "the server does not say how long the file is"),
        ("no_size", "the server does not say how long the file is"),
        (
            "has_no_such_size",
            "the server says that the file has 10000000000000000000 bytes, which no file has",
        ),
        ("compressed", "the server compresses ranges"),
        ("etag", "has changed since it was opened: it has another ETag"),
        ("modified", "has changed since it was opened: it has another Last-Modified"),
        ("grows", r"has changed since it was opened: from \d+ to \d+ bytes"),
        ("shorter", "has changed since it was opened: it is shorter"),
        ("ends_early", "/ends_early: "),
        ("redirects_for_ever", "redirects more than 10 times"),
        ("redirects_to_file", "not the address of a file on a server"),
        ("broken", "the server answers 500 Internal Server Error"),
    ],
)
def test_answers_that_were_not_asked_for(server, behaviour, message):
    with pytest.raises(OSError, match=message) as raised:
        read(f"{server.address}/{behaviour}?signature=secret")
    assert str(raised.value).startswith(f"cannot read {server.address}/{behaviour}: ")
    assert "secret" not in str(raised.value)
    assert server.sent < BUFFERS


def test_what_is_announced_is_compared_with_the_limit(server):
    with pytest.raises(mlirbc.LimitError):
        mlirbc.open(f"{server.address}/huge", limits=mlirbc.Limits(max_memory=1 << 20))
    assert server.sent < BUFFERS


@pytest.mark.parametrize("behaviour", ["stalls", "stalls_longer"])
@pytest.mark.parametrize("limits", [None, mlirbc.Limits(max_memory=1 << 20)])
def test_a_length_above_the_limit_is_not_waited_for(server, behaviour, limits):
    begin = time.monotonic()
    with pytest.raises(mlirbc.LimitError, match=r"more than \d+ bytes, the limit") as raised:
        mlirbc.open(f"{server.address}/{behaviour}", limits=limits)
    assert raised.value.identifier == "mlirbc.limit.memory"
    assert time.monotonic() - begin < 10


@pytest.mark.parametrize("size", [-1, 1 << 63, 1 << 70, "9"])
def test_a_size_that_no_file_has(size):
    class Storage:
        def info(self, path):
            return {"size": size}

        def cat_file(self, path, *, start, end):
            return bytes(end - start)

    class File:
        fs, path = Storage(), "x"

    with pytest.raises(OSError, match="the size of x is not known"):
        mlirbc.open(File())


@pytest.mark.parametrize("behaviour", ["hangs", "hangs_later", "hangs_in_range"])
def test_a_server_that_does_not_answer_is_given_up(server, behaviour, monkeypatch):
    from mlirbc import _http

    monkeypatch.setattr(_http, "SILENCE", 0.5)
    begin = time.monotonic()
    with pytest.raises(TimeoutError, match="does not answer in time"):
        read(f"{server.address}/{behaviour}")
    assert time.monotonic() - begin < 10


def test_the_class_says_what_the_status_says(server):
    with pytest.raises(FileNotFoundError):
        mlirbc.open(f"{server.address}/missing")
    with pytest.raises(PermissionError):
        mlirbc.open(f"{server.address}/forbidden")


def test_redirects_to_another_host_are_refused(server, data):
    read(f"{server.address}/redirects")
    with serving(data) as other_host:
        server.elsewhere = other_host.address
        with pytest.raises(
            OSError, match=rf"to another host, {other_host.address}; allow redirects .`allow_redirects=True`"
        ):
            mlirbc.open(f"{server.address}/redirects_away")
        assert other_host.requests == 0
        read(f"{server.address}/redirects_away", allow_redirects=True)
        assert other_host.requests > 0


def command(*arguments):
    run = [sys.executable, "-m", "mlirbc", *map(str, arguments)]
    return subprocess.run(run, capture_output=True, text=True, check=False)


def test_commands_read_urls(server, data, tmp_path):
    path = tmp_path / "local.mlirbc"
    path.write_bytes(data)
    url = f"{server.address}/good?key=*"
    for arguments in (["verify"], ["hash"], ["weights"], ["resources", "--json"], ["ops", "--count"]):
        local, remote = command(*arguments, path), command(*arguments, url)
        assert (remote.returncode, local.returncode) == (0, 0), remote.stderr
        assert remote.stdout.replace(url, str(path)) == local.stdout
    assert command("diff", path, url).returncode == 0
    copy = tmp_path / "copy.mlirbc"
    assert command("convert", url, "-o", copy).returncode == 0
    assert read(copy).resources["w"]
    several = command("verify", path, url)
    assert several.returncode == 0 and several.stderr == "2 files, 0 failed\n"


def test_commands_say_why_a_url_is_not_read(server, data):
    missing = command("info", f"{server.address}/missing")
    assert missing.returncode == 3
    assert f"cannot open `{server.address}/missing`: FileNotFoundError" in missing.stderr
    with serving(data) as other_host:
        server.elsewhere = other_host.address
        url = f"{server.address}/redirects_away"
        refused = command("info", url)
        assert refused.returncode == 3 and "--allow-redirects" in refused.stderr and other_host.requests == 0
        assert command("info", url, "--allow-redirects").returncode == 0


def test_only_encryption_of_the_same_host_is_no_other_host():
    from types import SimpleNamespace

    from mlirbc._http import File

    def redirected(before, after):
        file = object.__new__(File)
        file._url, file.file_system = before, SimpleNamespace(encode_url=str)
        return file._redirected(SimpleNamespace(url=before, headers={"Location": after}))

    assert redirected("http://a.org/x", "https://A.org/y") == "https://A.org/y"
    assert redirected("http://a.org/x/", "y") == "http://a.org/x/y"
    for before, after in [
        ("https://a.org/x", "http://a.org/x"),
        ("http://a.org/x", "https://a.org:444/x"),
        ("http://a.org:80/x", "http://a.org:8080/x"),
        ("http://a.org/x", "http://a.org.evil.org/x"),
        ("http://a.org/x", "http://a.org@evil.org/x"),
        ("http://a.org/x", "//evil.org/x"),
    ]:
        with pytest.raises(OSError, match="to another host"):
            redirected(before, after)


class Wrong(io.BytesIO):
    """A file whose reads return other bytes than asked for."""

    def __init__(self, data, wrong):
        super().__init__(data)
        self.wrong = wrong

    def read(self, size=-1):
        return self.wrong(super().read(size))


def test_file_objects_that_return_less_at_a_time(data):
    class Slow(io.BytesIO):
        def read(self, size=-1):
            return super().read(min(size, 1000))

    read(Slow(data))


@pytest.mark.parametrize(
    ("wrong", "error", "message"),
    [
        (lambda part: part + b"x", OSError, r"asked for \d+ bytes, the file returned \d+ bytes"),
        (lambda part: None, OSError, "does not wait"),
        (lambda part: "text", TypeError, "expected bytes from the file, found str"),
        (lambda part: b"", mlirbc.Error, "became shorter"),
    ],
)
def test_file_objects_that_return_something_else(data, wrong, error, message):
    with pytest.raises(error, match=message):
        read(Wrong(data, wrong))


def test_a_file_object_that_goes_elsewhere(data):
    class Elsewhere(io.BytesIO):
        def seek(self, offset, whence=0):
            return super().seek(offset + (whence == 0 and offset > 0), whence)

    with pytest.raises(OSError, match="the file went to offset"):
        read(Elsewhere(data))


def test_blocks_that_are_too_short_are_not_kept():
    """A block that ends early must not move the ones after it."""
    content = bytes(range(256)) * 1024
    is_cut = True

    def cut(start, end):
        return content[start : end - (1 if is_cut and start == 0 else 0)]

    reader = _ranges.Reader(len(content), cut)
    assert len(reader.read_at(65_000, 1000)) < 1000
    is_cut = False
    assert reader.read_at(65_000, 1000) == content[65_000:66_000]

    long = _ranges.Reader(len(content), lambda start, end: content[start : end + 1])
    with pytest.raises(OSError, match="asked for 65536 bytes from offset 0 on, the file returned 65537"):
        long.read_at(0, 10)


def test_a_file_system_that_returns_something_else(data):
    class Storage:
        def __init__(self, more):
            self.more = more

        def info(self, path):
            return {"size": len(data)}

        def cat_file(self, path, *, start, end):
            return data[start : end + self.more]

    class Opened:
        path = "bucket/key"

        def __init__(self, more):
            self.fs = Storage(more)

    read(Opened(0))
    with pytest.raises(OSError, match="the file returned"):
        read(Opened(1))
    with pytest.raises(mlirbc.Error, match="became shorter"):
        read(Opened(-1))


class Endless(io.RawIOBase):
    """A stream without end that counts the bytes that are read."""

    count = 0

    def readable(self):
        return True

    def read(self, size=-1):
        assert self.count < MOST
        size = MOST if size < 0 else size
        self.count += size
        return bytes(size)


def test_a_stream_without_end_is_read_to_the_limit():
    stream = Endless()
    with pytest.raises(mlirbc.LimitError, match="more than 1000000 bytes") as raised:
        mlirbc.open(stream, limits=mlirbc.Limits(max_memory=1_000_000))
    assert raised.value.identifier == "mlirbc.limit.memory"
    assert stream.count == 1_000_001
    assert not stream.closed


def test_what_a_stream_raises_is_raised():
    class Broken(io.RawIOBase):
        def read(self, size=-1):
            raise ConnectionResetError("the connection is gone")

    with pytest.raises(ConnectionResetError, match="the connection is gone"):
        mlirbc.open(Broken())
