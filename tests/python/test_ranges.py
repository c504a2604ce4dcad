"""`mlirbc.open` of file objects, buffers and URLs: which ranges are read."""

import io
import pickle
import sys
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import mlirbc
import numpy as np
import pytest

from bench import inputs

fsspec = pytest.importorskip("fsspec", reason="the extra `remote` is not installed")

TWO_LAYERS = Path(__file__).parent.parent.parent / "examples/two_layers.mlirbc"
BLOB = 1 << 24


@pytest.fixture(scope="module")
def large(tmp_path_factory):
    """A module with three resources of 16 MiB."""
    text = "\n".join(
        f"func.func @f{n}() -> tensor<{BLOB}xi8> {{\n"
        f"  %0 = arith.constant dense_resource<w{n}> : tensor<{BLOB}xi8>\n"
        f"  return %0 : tensor<{BLOB}xi8>\n}}"
        for n in range(3)
    )
    edited = mlirbc.parse(text).edit()
    for n in range(3):
        edited.resources[f"w{n}"] = np.full(BLOB, n, np.int8)
    file = tmp_path_factory.mktemp("ranges") / "large.mlirbc"
    edited.save(file)
    return file


class CountingFile(io.FileIO):
    """Counts the bytes that are read."""

    count = 0

    def read(self, size=-1):
        data = super().read(size)
        self.count += len(data)
        return data


def symbols(module):
    return [op.attributes["sym_name"].value for op in module.body.operations]


def test_a_file_object_is_read_in_ranges(large):
    with CountingFile(large) as file:
        module = mlirbc.open(file)
        assert symbols(module) == ["f0", "f1", "f2"]
        assert file.count < 200_000
        assert bytes(module.resources["w1"])[:3] == b"\x01\x01\x01"
        assert file.count < BLOB + 400_000


def test_sources_of_each_kind():
    expected = mlirbc.open(TWO_LAYERS).get_asm()
    data = TWO_LAYERS.read_bytes()
    with TWO_LAYERS.open("rb") as file, fsspec.open(str(TWO_LAYERS)).open() as opened:
        sources = [str(TWO_LAYERS), data, bytearray(data), memoryview(data), io.BytesIO(data), file, opened]
        for source in [*sources, TWO_LAYERS.as_uri()]:
            assert mlirbc.open(source).get_asm() == expected, source


def test_a_stream_that_cannot_seek_is_read_completely(monkeypatch):
    class Pipe(io.BytesIO):
        def seekable(self):
            return False

        def seek(self, *_):
            raise io.UnsupportedOperation("seek")

    assert mlirbc.open(Pipe(TWO_LAYERS.read_bytes())).bytecode.version == 6


def test_what_cannot_be_opened_is_named():
    with pytest.raises(TypeError, match="found int"):
        mlirbc.open(3)
    with pytest.raises(TypeError, match="mode 'rb'"), TWO_LAYERS.open() as file:
        mlirbc.open(file)
    with pytest.raises(ValueError, match="closed"):
        file = TWO_LAYERS.open("rb")
        file.close()
        mlirbc.open(file)
    monkeypatch = pytest.MonkeyPatch()
    with monkeypatch.context() as patch:
        patch.setitem(sys.modules, "fsspec.core", None)
        with pytest.raises(ImportError, match=r"mlirbc\[remote\]"):
            mlirbc.open("https://example.org/a.mlirbc")


def test_an_exception_of_the_file_is_raised_as_it_is():
    class Broken(io.BytesIO):
        def read(self, size=-1):
            raise ConnectionResetError("the connection is gone")

    with pytest.raises(ConnectionResetError, match="the connection is gone"):
        mlirbc.open(Broken(TWO_LAYERS.read_bytes())).verify()

    class Stopped(io.BytesIO):
        def read(self, size=-1):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        mlirbc.open(Stopped(TWO_LAYERS.read_bytes())).verify()


def test_a_file_that_becomes_shorter_is_an_error():
    class Short(io.BytesIO):
        def read(self, size=-1):
            return super().read(size)[:100]

        def seek(self, offset, whence=0):
            return super().seek(min(offset, 100) if whence == 0 else offset, whence)

    with pytest.raises((mlirbc.Error, OSError)):
        mlirbc.open(Short(TWO_LAYERS.read_bytes())).verify()


class Files(ThreadingHTTPServer):
    """A server of the files in a folder, by HTTP with ranges, and as S3 answers for `/bucket/key`.

    `sent` counts the bytes of the files in the answers.
    """

    def __init__(self, folder):
        self.folder = folder
        self.sent = self.requests = 0
        super().__init__(("127.0.0.1", 0), Handler)

    @property
    def address(self):
        return f"http://127.0.0.1:{self.server_port}"

    def counted(self):
        """The bytes that were sent since the last call."""
        sent, self.sent = self.sent, 0
        return sent


class Handler(BaseHTTPRequestHandler):
    def do_HEAD(self):
        self.answer(body=False)

    def do_GET(self):
        self.answer(body=True)

    def answer(self, body):
        path = self.server.folder / self.path.partition("?")[0].rsplit("/", 1)[-1]
        size = path.stat().st_size
        start, end = 0, size
        if byte_range := self.headers.get("Range"):
            first, _, last = byte_range.removeprefix("bytes=").partition("-")
            start, end = int(first), int(last) + 1 if last else size
            self.send_response(206)
            self.send_header("Content-Range", f"bytes {start}-{end - 1}/{size}")
        else:
            self.send_response(200)
        self.send_header("Accept-Ranges", "bytes")
        self.send_header("Content-Length", str(end - start))
        self.send_header("ETag", '"1"')
        self.send_header("Last-Modified", "Thu, 01 Jan 2026 00:00:00 GMT")
        self.end_headers()
        if body:
            with path.open("rb") as file:
                file.seek(start)
                self.wfile.write(file.read(end - start))
            self.server.sent += end - start
            self.server.requests += 1

    def log_message(self, *_):
        pass


@contextmanager
def serving(folder):
    with Files(folder) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()


@pytest.fixture
def server(large):
    with serving(large.parent) as server:
        yield server


@pytest.fixture(scope="module")
def ten_gigabytes(tmp_path_factory):
    """A module of 10 GiB with 1,000 symbols and 160 weights, as holes in the file."""
    path = tmp_path_factory.mktemp("holes") / "weights.mlirbc"
    inputs.write_resources(path, blobs=160, size=64 << 20, symbols=1000)
    yield path
    path.unlink()


@pytest.mark.parametrize("protocol", ["http", "s3"])
def test_ten_gigabytes_are_not_read_for_their_symbols(ten_gigabytes, protocol):
    size = ten_gigabytes.stat().st_size
    assert size > 10 << 30
    with serving(ten_gigabytes.parent) as server:
        if protocol == "http":
            pytest.importorskip("aiohttp", reason="the extra `remote` is not installed")
            source = f"{server.address}/{ten_gigabytes.name}"
        else:
            s3fs = pytest.importorskip("s3fs", reason="s3fs is not installed")
            storage = s3fs.S3FileSystem(anon=True, endpoint_url=server.address, skip_instance_cache=True)
            source = storage.open(f"bucket/{ten_gigabytes.name}")
        module = mlirbc.open(source)
        opened = server.counted()
        assert symbols(module) == [f"f{number}" for number in range(1000)]
        listed = server.counted()
        assert len(module.weights) == 160
        weights = server.counted()
        # Blocks of 64 KiB: the blocks of the tables, and one with the header of each weight.
        assert opened + listed < 256 << 10
        assert opened + listed + weights < size // 500
        assert module.weights["weight_7"].to_numpy()[:9].tolist() == [7] + [0] * 8
        read = server.counted()
        assert 64 << 20 <= read <= (64 << 20) + (256 << 10)
    print(f"{protocol}: opened {opened}, symbols {listed}, weights {weights}, one weight {read} of {size}")


def test_a_url_is_read_in_ranges(server, large):
    pytest.importorskip("aiohttp", reason="the extra `remote` is not installed")
    module = mlirbc.open(f"{server.address}/large.mlirbc")
    assert symbols(module) == ["f0", "f1", "f2"]
    # Less than one percent of the file.
    assert server.sent < large.stat().st_size // 100
    assert server.requests < 8
    part = np.empty(10, np.int8)
    module.resources["w2"].read_into(part, 1000)
    assert part.tolist() == [2] * 10
    assert server.sent < large.stat().st_size // 100
    assert bytes(module.resources["w1"]) == b"\x01" * BLOB
    assert server.sent < BLOB + large.stat().st_size // 100
    # Pickled as its URL.
    assert symbols(pickle.loads(pickle.dumps(module))) == ["f0", "f1", "f2"]
