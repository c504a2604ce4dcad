"""`mlirbc.open` of file objects, buffers and URLs: which ranges are read."""

import io
import pickle
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import mlirbc
import numpy as np
import pytest

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


@pytest.fixture
def server(large):
    """An HTTP server with ranges; `server.sent` counts the bytes of the answers."""

    class Handler(BaseHTTPRequestHandler):
        def do_HEAD(self):
            self.answer(body=False)

        def do_GET(self):
            self.answer(body=True)

        def answer(self, body):
            size = large.stat().st_size
            start, end = 0, size
            if given := self.headers.get("Range"):
                first, _, last = given.removeprefix("bytes=").partition("-")
                start, end = int(first), int(last) + 1 if last else size
                self.send_response(206)
                self.send_header("Content-Range", f"bytes {start}-{end - 1}/{size}")
            else:
                self.send_response(200)
            self.send_header("Accept-Ranges", "bytes")
            self.send_header("Content-Length", str(end - start))
            self.end_headers()
            if body:
                with large.open("rb") as file:
                    file.seek(start)
                    self.wfile.write(file.read(end - start))
                self.server.sent += end - start
                self.server.requests += 1

        def log_message(self, *_):
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.sent = server.requests = 0
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def test_a_url_is_read_in_ranges(server, large):
    pytest.importorskip("aiohttp", reason="the extra `remote` is not installed")
    module = mlirbc.open(f"http://127.0.0.1:{server.server_port}/large.mlirbc")
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
