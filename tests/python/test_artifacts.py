"""Files with all their modules; JAX reads the written files."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import mlirbc
import numpy as np
import pytest

from support import jaxlib_oracle

ROOT = Path(__file__).parents[2]
MLP = ROOT / "examples" / "mlp.jax"
DATA = ROOT / "tests" / "data" / "containers"


def for_another_platform() -> bytes:
    return MLP.read_bytes().replace(b"cpu\0", b"tpu\0")


def test_a_stripped_export_runs_in_jax_with_its_derivative() -> None:
    jax = jaxlib_oracle.require_jax()
    inputs = (
        {"w0": np.full((8, 16), 0.5, "f"), "b0": np.ones(16, "f"), "w1": np.ones((16, 4), "f")},
        np.arange(16, dtype="f").reshape(2, 8),
    )

    def read(data: bytes) -> Any:
        return jax.jax.export.deserialize(bytearray(data))

    before = read(MLP.read_bytes())
    artifact = mlirbc.open_artifact(MLP)
    stripped = artifact.write(strip_locations=True)
    assert len(stripped) < MLP.stat().st_size - 1000
    assert b".py" not in stripped
    after = read(stripped)
    np.testing.assert_array_equal(after.call(*inputs)["logits"], before.call(*inputs)["logits"])

    def loss(call: Callable[..., Any]) -> object:
        return jax.jax.grad(lambda x: call(inputs[0], x)["logits"].sum())(inputs[1])

    np.testing.assert_array_equal(loss(after.call), loss(before.call))
    assert (after.fun_name, after.in_avals) == (before.fun_name, before.in_avals)


def test_keys_and_differences_cover_the_container() -> None:
    for_cpu, for_tpu = mlirbc.open_artifact(MLP), mlirbc.open_artifact(for_another_platform())
    assert for_cpu.hash() != for_tpu.hash()
    assert mlirbc.hash(for_cpu.module()) == mlirbc.hash(for_tpu.module())
    difference = for_cpu.diff(for_tpu)
    assert not difference.equal
    assert [(change.module, change.field, change.before, change.after) for change in difference.fields] == [
        ("main", "platforms", "cpu", "tpu"),
        ("vjp", "platforms", "cpu", "tpu"),
    ]
    assert for_cpu.diff(for_cpu).equal


def test_modules_have_paths(tmp_path: Path) -> None:
    artifact = mlirbc.open_artifact(DATA / "old.jax")
    assert [module.path for module in artifact.modules] == ["main", "vjp", "vjp/vjp"]
    assert [module.container.module for module in artifact if module.container] == [0, 1, 2]
    assert list(artifact.verify()) == ["main", "vjp", "vjp/vjp"]
    with pytest.raises(mlirbc.InvalidError):
        artifact.module("vjp/vjp/vjp")
    artifact.save(tmp_path / "same.jax")
    assert (tmp_path / "same.jax").read_bytes() == (DATA / "old.jax").read_bytes()


def test_a_damaged_derivative_is_an_error() -> None:
    place = mlirbc.open_artifact(MLP).modules[1]
    damaged = bytearray(MLP.read_bytes())
    damaged[place.offset] = 0
    mlirbc.read(damaged).verify()
    with pytest.raises(mlirbc.Error, match="module `vjp`"):
        mlirbc.open_artifact(bytes(damaged)).verify()


def test_saving_keeps_the_container(tmp_path: Path) -> None:
    path = tmp_path / "saved.jax"
    mlirbc.open(MLP).save(path, strip_locations=True)
    assert [module.path for module in mlirbc.open_artifact(path).modules] == ["main", "vjp"]
    mlirbc.open(MLP).save(path, strip_locations=True, bare=True)
    assert path.read_bytes().startswith(b"ML\xefR")
    edited = mlirbc.open(MLP).edit()
    edited.save(path)
    assert path.read_bytes() == MLP.read_bytes()
    edited.save(path, bare=True)
    assert path.read_bytes() == mlirbc.open(MLP).write()


def test_a_release_of_jax_calls_an_export() -> None:
    artifact = mlirbc.open_artifact(DATA / "key.jax")
    assert artifact.jax_reader("0.8.3").calls
    reader = artifact.jax_reader("0.6.2")
    assert not reader.calls
    assert any("sdy" in reason for reason in reader.reasons)
    with pytest.raises(ValueError, match="not a JAX export"):
        mlirbc.open_artifact(ROOT / "examples" / "two_layers.mlirbc").jax_reader("0.8.3")


def test_folders_are_read_by_content(tmp_path: Path) -> None:
    (tmp_path / "export.bin").write_bytes(MLP.read_bytes())
    (tmp_path / "text.bin").write_text("no export at all")
    # The name announces an export, so the file is listed, and reading it reports the fault.
    (tmp_path / "text.jax").write_text("no export at all")
    assert [path.name for path in mlirbc.corpus.files([tmp_path])] == ["export.bin", "text.jax"]
    assert [path.name for path in mlirbc.corpus.files([tmp_path], suffixes=(".jax",))] == ["text.jax"]


def test_exports_of_jax_are_written_as_jax_writes_them() -> None:
    jax = jaxlib_oracle.require_jax().jax
    export, jnp = jax.export, jax.numpy

    def exported(function: Callable[..., Any], *arguments: Any, order: int = 0, **keywords: Any) -> bytes:
        return bytes(export.export(jax.jit(function), **keywords)(*arguments).serialize(vjp_order=order))

    vector = jax.ShapeDtypeStruct((4,), np.float32)
    symbolic = jax.ShapeDtypeStruct(export.symbolic_shape("a, 2*b"), np.float32)
    exports = [
        exported(lambda x: x + 1, vector),
        exported(lambda x: jnp.sin(x).sum(), vector, order=2),
        exported(
            lambda x, y: {"sum": x["a"] + y, "none": None}, {"a": vector, "b": (vector, [])}, vector, order=1
        ),
        exported(lambda x: x * 2, vector, platforms=["cpu", "tpu", "cuda"]),
        exported(lambda x: x.sum(axis=1), symbolic, order=1),
        exported(lambda x, unused: x.astype(jnp.bfloat16), vector, vector),
        exported(
            lambda key: jax.random.uniform(key, (3,)), jax.ShapeDtypeStruct((), jax.random.key(0).dtype)
        ),
    ]
    for data in exports:
        main = mlirbc.read(data)
        assert main.container is not None
        for index in range(len(main.container.modules)):
            module = mlirbc.read(data, module=index)
            assert module.container is not None
            # The fields are written again around the same module.
            assert module.container.with_module(module.write()) == data
        stripped = mlirbc.open_artifact(data).write(strip_locations=True)
        assert len(stripped) < len(data)
        before, after = (export.deserialize(bytearray(bytes_)) for bytes_ in (data, stripped))
        assert (after.in_tree, str(after.out_avals), after.has_vjp()) == (
            before.in_tree,
            str(before.out_avals),
            before.has_vjp(),
        )


def test_kernels_are_modules_of_the_artifact() -> None:
    artifact = mlirbc.open_artifact(DATA / "tpu_kernel_derivative.jax")
    assert [(kernel.path, kernel.host, len(kernel.data)) for kernel in artifact.nested] == [
        ("main/kernels/forward_kernel", "tpu_custom_call", 1043),
        ("vjp/kernels/backward_kernel", "tpu_custom_call", 1014),
    ]
    kernel = artifact.module("vjp/kernels/backward_kernel")
    comments = [line for line in artifact.get_asm("vjp").splitlines() if "// |" in line]
    assert [line.removeprefix("    // | ") for line in comments] == kernel.get_asm().splitlines()
    with pytest.raises(mlirbc.InvalidError, match="vjp/kernels/backward_kernel"):
        artifact.module("vjp/kernels/other")
    assert mlirbc.open_artifact(MLP).nested == ()
    without_kernels = mlirbc.open_artifact(MLP).get_asm("vjp")
    assert without_kernels.splitlines() == mlirbc.open(MLP, module="vjp").get_asm().splitlines()


def test_a_difference_of_a_kernel_has_its_path() -> None:
    data = (DATA / "mosaic_gpu.jax").read_bytes()
    before = mlirbc.open_artifact(data)
    after = mlirbc.open_artifact(data.replace(b"global_scratch", b"global_scratcX"))
    assert before.diff(after).changed == ("main", "main/kernels/scale_gpu")


@pytest.mark.parametrize(
    "name", ["tpu_kernel.jax", "tpu_kernel_derivative.jax", "mosaic_gpu.jax", "triton.jax"]
)
def test_a_stripped_kernel_is_read_by_jax(name: str) -> None:
    jax = jaxlib_oracle.require_jax()
    artifact = mlirbc.open_artifact(DATA / name)
    assert any(b".py" in kernel.data for kernel in artifact.nested)
    stripped = artifact.write(strip_locations=True)
    again = mlirbc.open_artifact(stripped)
    assert [kernel.path for kernel in again.nested] == [kernel.path for kernel in artifact.nested]
    assert not any(b".py" in kernel.data for kernel in again.nested)
    assert all(kernel.hash_matches is not False for kernel in again.nested)

    def text(data: bytes) -> str:
        return str(jax.jax.export.deserialize(bytearray(data)).mlir_module())

    assert len(text(stripped)) < len(text((DATA / name).read_bytes()))


def test_modules_are_replaced_by_path() -> None:
    artifact = mlirbc.open_artifact(DATA / "mosaic_gpu.jax")
    (kernel,) = artifact.nested
    assert (kernel.path, kernel.version) == ("main/kernels/scale_gpu", ("stable_mosaic_gpu.version", 2))
    same = artifact.with_modules({kernel.path: kernel.data})
    assert same.write() == (DATA / "mosaic_gpu.jax").read_bytes()
    new = artifact.module(kernel.path).write(strip_locations=True)
    changed = artifact.with_modules({kernel.path: new})
    assert [(nested.data, nested.hash_matches) for nested in changed.nested] == [(new, True)]
    with pytest.raises(mlirbc.InvalidError, match="scale_gpu"):
        artifact.with_modules({"main/kernels/other": new})
    with pytest.raises(mlirbc.ReadError, match="scale_gpu"):
        artifact.with_modules({kernel.path: b"no module"})


def test_users_extend_the_table_of_hosts(tmp_path: Path) -> None:
    table = tmp_path / "hosts.toml"
    table.write_text('[[host]]\noperation = "builtin.module"\nattribute = "toy.body"\nencoding = "raw"\n')
    module = mlirbc.parse('module attributes {toy.body = "ML\\EFR"} {}').write()
    assert mlirbc.open_artifact(module).nested == ()
    (nested,) = mlirbc.open_artifact(module, hosts=[table]).nested
    assert (nested.path, nested.data) == ("main/kernels/0", b"ML\xefR")
    table.write_text("[[host]]\n")
    with pytest.raises(mlirbc.InvalidError, match="in line 1"):
        mlirbc.open_artifact(module, hosts=[table])
