"""Modules within other files: JAX exports and compressed files, against JAX and the standard library."""

import gzip
import io
import zipfile
from pathlib import Path
from typing import Any

import mlirbc
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support import jaxlib_oracle
from support.sampling import examples

DATA = Path("tests/data/containers")
MLP = Path("examples/mlp.jax")
EXPORTS = {"mlp": MLP} | {name: DATA / f"{name}.jax" for name in ("norm", "sharded", "cholesky")}
EXAMPLE = Path("examples/two_layers.mlirbc").read_bytes()


def deserialized(jax: jaxlib_oracle.Jax, data: bytes) -> Any:
    return jax.export.deserialize(bytearray(data))


@pytest.mark.parametrize("name", EXPORTS)
def test_an_export_says_what_jax_says(name: str) -> None:
    jax = jaxlib_oracle.require_jax()
    path = EXPORTS[name]
    theirs = deserialized(jax, path.read_bytes())
    module = mlirbc.open(path)
    assert module.container is not None
    ours = module.container.exported
    assert ours is not None
    for field in ("fun_name", "platforms", "nr_devices", "calling_convention_version", "module_kept_var_idx"):
        assert getattr(ours, field) == getattr(theirs, field), field
    assert ours.uses_global_constants == theirs.uses_global_constants
    for avals, shardings, expected in (
        (ours.in_avals, ours.in_shardings, theirs.in_avals),
        (ours.out_avals, ours.out_shardings, theirs.out_avals),
    ):
        assert [aval.dtype for aval in avals] == [aval.dtype.name for aval in expected]
        shapes = [tuple(map(str, aval.shape)) for aval in avals]
        assert shapes == [tuple(map(str, aval.shape)) for aval in expected]
        for sharding, aval in zip(shardings, expected, strict=True):
            if sharding is not None:
                axes = aval.sharding.mesh.shape
                assert {axis.name: axis.size for axis in sharding.mesh} == dict(axes)
    for paths, tree, start in (
        (ours.in_paths, theirs.in_tree, ""),
        (ours.out_paths, theirs.out_tree, "result"),
    ):
        leaves = jax.jax.tree_util.tree_unflatten(tree, range(tree.num_leaves))
        named = jax.jax.tree_util.tree_flatten_with_path(leaves)[0]
        expected_paths = [start + jax.jax.tree_util.keystr(path) for path, _ in named]
        if not start:
            names = {"[0]": "args", "[1]": "kwargs"}
            expected_paths = [names[path[:3]] + path[3:] for path in expected_paths]
        assert list(paths) == expected_paths
    assert module.write() == theirs.mlir_module_serialized


def test_a_changed_export_runs_in_jax() -> None:
    jax = jaxlib_oracle.require_jax()
    module = mlirbc.open(MLP)
    assert module.container is not None
    inputs = (
        {"w0": np.full((8, 16), 0.5, "f"), "b0": np.ones(16, "f"), "w1": np.ones((16, 4), "f")},
        np.arange(16, dtype="f").reshape(2, 8),
    )
    before = deserialized(jax, MLP.read_bytes())
    expected = before.call(*inputs)["logits"]
    stripped = module.container.with_module(module.write(strip_locations=True))
    assert len(stripped) < MLP.stat().st_size - 400
    longer = module.container.with_module(
        module.write(producer="StableHLO_v1.15.0" + " " * 500, numbering="canonical")
    )
    for data in (stripped, longer):
        after = deserialized(jax, data)
        np.testing.assert_array_equal(after.call(*inputs)["logits"], expected)
        # The derivative is in the same file, and was not touched.
        assert after.vjp().mlir_module_serialized == before.vjp().mlir_module_serialized
        assert b"make_containers" not in bytes(after.mlir_module_serialized) or data is longer
    # The old module in the new container gives the bytes that JAX wrote.
    changed = mlirbc.read(stripped).container
    assert changed is not None
    assert changed.with_module(module.write()) == MLP.read_bytes()
    derivative = mlirbc.open(MLP, module=1)
    assert derivative.container is not None
    data = derivative.container.with_module(derivative.write(strip_locations=True))
    after = deserialized(jax, data)
    assert after.mlir_module_serialized == before.mlir_module_serialized
    loss = lambda call: jax.jax.grad(lambda x: call(inputs[0], x)["logits"].sum())(inputs[1])  # noqa: E731
    np.testing.assert_array_equal(loss(after.call), loss(before.call))


def test_a_file_is_the_same_in_every_compression(tmp_path: Path) -> None:
    for name in ("two_layers.mlirbc.gz", "two_layers.mlirbc.zst"):
        module = mlirbc.open(DATA / name)
        assert module.write() == EXAMPLE
        assert module.container is not None
        assert module.container.with_module(EXAMPLE) == EXAMPLE
    path = tmp_path / "mlp.jax.gz"
    path.write_bytes(gzip.compress(MLP.read_bytes()))
    container = mlirbc.open(path).container
    assert container is not None
    assert (container.kind, container.compression, len(container.modules)) == ("jax.export", "gzip", 2)


def test_offsets_count_from_the_module() -> None:
    whole = MLP.read_bytes()
    module = mlirbc.read(whole)
    assert module.container is not None
    place = module.container.modules[0]
    section = module.bytecode.sections[0]
    damaged = bytearray(whole)
    damaged[place.offset + section.header_offset] = 0x7F
    with pytest.raises(mlirbc.ReadError) as raised:
        mlirbc.read(damaged)
    assert raised.value.offset == section.header_offset
    assert f"at {section.header_offset:#x} of the module at {place.offset:#x}" in str(raised.value)


def test_modules_are_chosen() -> None:
    assert mlirbc.open(MLP, module=1).container == mlirbc.open(MLP, module="fun_vjp_jax").container
    assert mlirbc.open(MLP, module=1).container == mlirbc.open(MLP, module="vjp").container
    for module in (2, "vjp/vjp"):
        with pytest.raises(mlirbc.InvalidError) as raised:
            mlirbc.open(MLP, module=module)
        assert raised.value.identifier == "mlirbc.invalid.module"


def test_decompression_is_limited() -> None:
    bomb = gzip.compress(bytes(1 << 22))
    with pytest.raises(mlirbc.LimitError) as raised:
        mlirbc.read(bomb, limits=mlirbc.Limits(max_decompressed=1 << 20))
    assert raised.value.identifier == "mlirbc.limit.decompressed"


def npz() -> bytes:
    file = io.BytesIO()
    np.savez(file, weight=np.ones(3))
    return file.getvalue()


def archive(name: str) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as written:
        written.writestr(name, b"x")
    return file.getvalue()


@pytest.mark.parametrize(
    ("data", "identifier", "word"),
    [
        (b"", "mlirbc.read.empty", "empty"),
        (b"module {}", "mlirbc.read.text", "mlirbc assemble"),
        (b"\x08\x01\x12\x00", "mlirbc.read.other_format", "XlaCallModule"),
        (b"\x08\x01\x12\x80\x01", "mlirbc.read.protobuf", "at 0x3"),
        ((DATA / "module.hlo.pb").read_bytes(), "mlirbc.read.other_format", "HLO"),
        ((DATA / "parameters.irpa").read_bytes(), "mlirbc.read.other_format", ".irpa"),
        (b"\x7fELF\x02\x01\x01\x00", "mlirbc.read.other_format", "ELF"),
        (b"\x40\0\0\0\0\0\0\0" + b'{"w":{"dtype":"F32"', "mlirbc.read.other_format", "safetensors"),
        (npz(), "mlirbc.read.other_format", ".npz"),
        (archive("module.fb"), "mlirbc.read.other_format", ".vmfb"),
        (b"\x20\0\0\0IREE" + bytes(8), "mlirbc.read.other_format", ".vmfb"),
        (gzip.compress(b"module {}", mtime=0), "mlirbc.read.text", "text"),
        (gzip.compress(gzip.compress(EXAMPLE, mtime=0), mtime=0), "mlirbc.read.archive", "gzip"),
        (gzip.compress(EXAMPLE, mtime=0)[:-9], "mlirbc.read.compressed", "gzip"),
    ],
)
def test_other_files_are_named(data: bytes, identifier: str, word: str) -> None:
    with pytest.raises(mlirbc.ReadError) as raised:
        mlirbc.read(data)
    assert raised.value.identifier == identifier
    assert word in str(raised.value)


def test_a_folder_is_an_error_of_the_system(tmp_path: Path) -> None:
    with pytest.raises(IsADirectoryError):
        mlirbc.open(tmp_path)


@settings(max_examples=examples(150), deadline=None)
@given(
    name=st.sampled_from(sorted(EXPORTS)),
    producers=st.lists(st.integers(0, 3000), min_size=1, max_size=4),
    choices=st.lists(st.integers(0, 1), min_size=4, max_size=4),
    compressed=st.booleans(),
)
def test_containers_of_the_own_writer_are_read(
    name: str, producers: list[int], choices: list[int], compressed: bool
) -> None:
    """Modules of any size take the place of those in an export, one after the other."""
    data = EXPORTS[name].read_bytes()
    first = mlirbc.read(data).container
    assert first is not None
    expected: dict[int, bytes] = {}
    for size, choice in zip(producers, choices, strict=False):
        index = choice % len(first.modules)
        opened = mlirbc.read(data, module=index)
        assert opened.container is not None
        expected[index] = mlirbc.read(EXAMPLE).write(producer=b"p" * size, numbering="canonical")
        data = opened.container.with_module(expected[index])
    if compressed:
        data = gzip.compress(data)
    for index in range(len(first.modules)):
        again = mlirbc.read(data, module=index)
        assert again.container is not None
        if index == 0:
            assert again.container.exported == first.exported
        if index in expected:
            assert again.write() == expected[index]


@settings(max_examples=examples(300), deadline=None)
@given(
    path=st.sampled_from([*EXPORTS.values(), *sorted(DATA.glob("two_layers.*"))]),
    changes=st.lists(st.tuples(st.floats(0, 1, exclude_max=True), st.integers(0, 255)), max_size=5),
    length=st.floats(0, 1),
)
def test_a_damaged_container_ends_in_a_typed_error(
    path: Path, changes: list[tuple[float, int]], length: float
) -> None:
    data = bytearray(path.read_bytes())
    for place, value in changes:
        data[int(place * len(data))] = value
    data = data[: max(1, int(length * len(data)))]
    try:
        module = mlirbc.read(data, limits=mlirbc.Limits(max_memory=1 << 22, max_decompressed=1 << 22))
        assert module.container is None or repr(module.container)
        module.verify()
        module.model_summary()
    except (mlirbc.ReadError, mlirbc.UnsupportedError, mlirbc.LimitError) as error:
        assert error.identifier.startswith("mlirbc.")


def test_modules_of_a_saved_model_are_stripped_in_it(tmp_path: Path) -> None:
    artifact = mlirbc.open_artifact(DATA / "saved_model.pb")
    paths = ["__inference_serve_14/XlaCallModule", "__inference_helper_11/XlaCallModule"]
    assert [module.path for module in artifact.modules] == paths
    assert artifact.write() == (DATA / "saved_model.pb").read_bytes()
    # TensorFlow loaded the file of this size, and computed the same.
    stripped = artifact.write(strip_locations=True)
    assert len(stripped) == 13_495
    again = mlirbc.open_artifact(stripped)
    assert artifact.diff(again).equal
    assert again.hash() == artifact.hash()
    (tmp_path / "saved_model.pb").write_bytes(stripped)
    (tmp_path / "fingerprint.pb").write_bytes(b"\x08\x01")
    assert [path.name for path in mlirbc.corpus.files([tmp_path])] == ["saved_model.pb"]
