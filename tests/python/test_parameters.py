"""Files of tensors: the same values as NumPy, safetensors and the samples of IREE's tools have."""

from pathlib import Path

import mlirbc
import numpy as np
import pytest
from mlirbc import parameters

DATA = Path(__file__).parent.parent / "data" / "parameters"


def test_arrays_are_those_of_numpy() -> None:
    for name in ("arrays.npz", "deflated.npz"):
        expected = np.load(DATA / name)
        file = parameters.open(DATA / name)
        assert list(file) == list(expected)
        for key, array in expected.items():
            np.testing.assert_array_equal(file[key].to_numpy(), array)
            assert file[key].to_numpy().dtype == array.dtype


def test_tensors_are_views_of_the_file() -> None:
    for name, key, offset in (("weights.safetensors", "w", 104), ("blocks.gguf", "blk.w", 160)):
        tensor = parameters.open(DATA / name)[key]
        assert tensor.data.offset == offset
        assert tensor.to_numpy().shape == (2, 3)
        assert not tensor.to_numpy().flags.owndata
        assert not tensor.to_numpy().flags.writeable


def test_archives_have_bytes_and_metadata() -> None:
    file = parameters.open(DATA / "parameters.irpa")
    assert [(row.kind, row.nbytes) for row in file.values()] == [("data", 24), ("splat", 1024), ("data", 5)]
    assert file["blk.0.w"].metadata == b"meta"
    assert file["blk.0.w"].alignment == 64
    assert (file["scale"].to_numpy().view(np.float32) == 1).all()
    assert list(parameters.open(DATA / "linked.irpa")) == ["first", "second"]


def test_external_files_outside_the_folder_are_refused(tmp_path: Path) -> None:
    (tmp_path / "secret.bin").write_bytes(b"0123456789")
    archive = tmp_path / "in" / "external.irpa"
    archive.parent.mkdir()
    (archive.parent / "weights.bin").write_bytes(b"0123456789")
    contents = (DATA / "external.irpa").read_bytes()
    archive.write_bytes(contents)
    assert bytes(parameters.open(archive)["w"].data) == b"2345"
    archive.write_bytes(contents.replace(b"weights.bin", b"../secr.bin"))
    with pytest.raises(mlirbc.ReadError, match="outside the folder"):
        _ = parameters.open(archive)["w"].data
    (archive.parent / "weights.bin").unlink()
    (archive.parent / "weights.bin").symlink_to(tmp_path / "secret.bin")
    archive.write_bytes(contents)
    with pytest.raises(mlirbc.ReadError, match="a link out of the folder"):
        _ = parameters.open(archive)["w"].data


def test_blocks_have_bytes_but_no_array(tmp_path: Path) -> None:
    contents = bytearray((DATA / "blocks.gguf").read_bytes())
    place = contents.index(b"blk.w") + 5
    # The tensor gets a row of 32 elements in a block of 18 bytes.
    contents[place : place + 24] = b"\1\0\0\0" + (32).to_bytes(8, "little") + b"\2\0\0\0" + bytes(8)
    (tmp_path / "q.gguf").write_bytes(contents)
    tensor = parameters.open(tmp_path / "q.gguf")["blk.w"]
    assert (tensor.element, tensor.shape, tensor.nbytes, len(tensor.data)) == ("q4_0", (32,), 18, 18)
    with pytest.raises(mlirbc.UnsupportedError, match="blocks"):
        tensor.to_numpy()


def test_other_files_are_refused(tmp_path: Path) -> None:
    with pytest.raises(mlirbc.ReadError, match="not a file of tensors"):
        parameters.open("examples/mlp.jax")
    with pytest.raises(FileNotFoundError):
        parameters.open(tmp_path / "missing.irpa")
