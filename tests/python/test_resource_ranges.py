"""Parts of resources: slices and `read_into`, for every backend, and on files that are cut."""

import os
import sys
from pathlib import Path
from typing import Any, Literal

import mlirbc
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples" / "two_layers.mlirbc"
BACKENDS: list[Literal["map", "read"]] = ["map", "read"]
KEY = "layer0.weight"


def opened() -> list[mlirbc.Module]:
    return [
        *(mlirbc.open(EXAMPLE, backend=backend) for backend in BACKENDS),
        mlirbc.read(EXAMPLE.read_bytes()),
    ]


ENDS = st.none() | st.integers(-60, 60) | st.sampled_from([-sys.maxsize - 1, sys.maxsize, 10**30])


@given(ENDS, ENDS, st.sampled_from([None, 1]))
@settings(deadline=None)
def test_a_slice_is_that_of_the_bytes(start: int | None, stop: int | None, step: int | None) -> None:
    for module in opened():
        resource = module.resources[KEY]
        whole = bytes(memoryview(resource))
        part = resource[start:stop:step]
        assert part.readonly and bytes(part) == whole[start:stop]


@given(st.integers(0, 48), st.integers(0, 60))
@settings(deadline=None)
def test_a_buffer_is_filled_as_far_as_there_are_bytes(offset: int, size: int) -> None:
    for module in opened():
        resource = module.resources[KEY]
        whole = bytes(memoryview(resource))
        buffer = bytearray(b"\x55" * size)
        count = resource.read_into(buffer, offset)
        assert count == min(size, 48 - offset)
        assert bytes(buffer) == whole[offset : offset + count] + b"\x55" * (size - count)


def test_buffers_of_any_items() -> None:
    numpy = pytest.importorskip("numpy")
    ml_dtypes = pytest.importorskip("ml_dtypes")
    for module in opened():
        resource = module.resources[KEY]
        expected = numpy.frombuffer(resource, "<f4")
        for array in (numpy.zeros((4, 3), "<f4"), numpy.zeros(24, ml_dtypes.bfloat16)):
            assert resource.read_into(array) == 48
            assert array.tobytes() == expected.tobytes()
        with pytest.raises(BufferError, match="not contiguous"):
            resource.read_into(numpy.zeros((4, 6), "<f4")[:, ::2])
        assert resource.read_into(numpy.zeros((0, 3), "<f4"), 48) == 0


@pytest.mark.parametrize("backend", BACKENDS)
def test_what_cannot_be_read_is_refused(backend: Literal["map", "read"]) -> None:
    module = mlirbc.open(EXAMPLE, backend=backend)
    resource = module.resources[KEY]
    with pytest.raises(ValueError, match="step of a slice of a resource is 1"):
        resource[::2]
    with pytest.raises(ValueError, match="step of a slice"):
        resource[::-1]
    with pytest.raises(TypeError, match="by a slice"):
        resource[0]  # type: ignore[index]
    with pytest.raises(TypeError, match="not iterable"):
        iter(resource)  # type: ignore[call-overload]
    with pytest.raises(BufferError, match="read-only"):
        resource.read_into(b"1234")
    with pytest.raises(OverflowError):
        resource.read_into(bytearray(4), -1)
    for size in (0, 4):
        with pytest.raises(mlirbc.InvalidError, match="offset 49 is not within") as caught:
            resource.read_into(bytearray(size), 49)
        assert caught.value.identifier == "mlirbc.invalid.value"
    for key, complaint in (("note", "is a string"), ("trained", "is a bool")):
        for ask in (lambda r: r[0:1], lambda r: r[:0], lambda r: r.read_into(bytearray(1))):
            with pytest.raises(mlirbc.InvalidError, match=complaint):
                ask(module.resources[key])
        with pytest.raises(BufferError):
            module.resources[key].__dlpack__()


def test_parts_of_a_mapped_file_are_not_copied() -> None:
    numpy = pytest.importorskip("numpy")
    resource = mlirbc.open(EXAMPLE).resources[KEY]
    whole, part = numpy.frombuffer(resource, numpy.uint8), numpy.frombuffer(resource[8:], numpy.uint8)
    assert part.ctypes.data == whole.ctypes.data + 8


def test_a_part_outlives_its_module() -> None:
    part = mlirbc.open(EXAMPLE).resources[KEY][:4]
    assert bytes(part) == b"\0\0\x80?"


def large(path: Path, size: int) -> Path:
    edited = mlirbc.open(EXAMPLE).edit()
    edited.resources.add("large", bytes(range(256)) * (size // 256), alignment=4096)
    edited.save(path)
    return path


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="counts what the process reads")
def test_a_range_is_read_without_the_whole(tmp_path: Path) -> None:
    """`/proc` says how much was read."""
    path = large(tmp_path / "large.mlirbc", 64 << 20)

    def read() -> int:
        lines = Path("/proc/self/io").read_text().splitlines()
        return int(next(line for line in lines if line.startswith("rchar")).split()[1])

    resource = mlirbc.open(path, backend="read").resources["large"]
    before = read()
    assert bytes(resource[-256:]) == bytes(range(256))
    assert resource.read_into(bytearray(300), 10 << 20) == 300
    assert resource.size == 64 << 20
    # With the tables, and the padding before the blob.
    assert read() - before < 1 << 20


@pytest.mark.skipif(os.name != "posix", reason="only there an open file can be cut")
@pytest.mark.parametrize("backend", BACKENDS)
def test_a_file_that_is_cut(tmp_path: Path, backend: Literal["map", "read"]) -> None:
    path = large(tmp_path / "large.mlirbc", 1 << 20)
    module = mlirbc.open(path, backend=backend)
    resource = module.resources["large"]
    assert resource[:4] == b"\0\1\2\3"
    os.truncate(path, path.stat().st_size - 4096)
    buffer = bytearray(16)
    asks: list[Any] = [
        lambda: resource.read_into(buffer, (1 << 20) - 16),
        lambda: resource[-16:],
        lambda: resource.read_into(bytearray(1 << 20)),
    ]
    for ask in asks:
        with pytest.raises(mlirbc.ReadError) as caught:
            ask()
        assert caught.value.identifier == "mlirbc.read.shrunk"


def test_a_truncated_file_has_a_typed_error() -> None:
    data = EXAMPLE.read_bytes()
    for end in range(len(data) - 60, len(data)):
        try:
            module = mlirbc.read(data[:end])
            parts = [
                bytes(resource[0:4]) for resource in module.resources.values() if resource.kind == "blob"
            ]
        except mlirbc.Error as error:
            assert error.identifier.startswith("mlirbc.read")
        else:
            assert all(len(part) == 4 for part in parts)
