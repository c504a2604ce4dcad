"""Attributes that some releases read from the dictionary of an operation and others as a property."""

import io

import jaxlib_oracle
import mlirbc
import oracles
import pytest

KERNELS = """
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @step(%a: memref<4xf32>) kernel { gpu.return }
    gpu.func @plain(%a: memref<4xf32>) { gpu.return }
  }
}
"""


def kernels(data: bytes) -> list[bool]:
    """For each `gpu.func`, whether it is a kernel in the place where its release looks for that."""
    release = mlirbc.read(data).release.name or ""
    is_property = release.startswith(("jaxlib", "iree"))
    functions = mlirbc.read(data).body.operations[0].regions[0].blocks[0].operations
    found = []
    for op in functions:
        if op.name == "gpu.func":
            assert op.attributes["sym_name"].value in ("step", "plain")
            assert is_property == ("kernel" in op.properties) or op.attributes["sym_name"].value == "plain"
            found.append(
                "kernel" in op.properties if is_property else "gpu.kernel" in op.discardable_attributes
            )
    return found


@pytest.mark.parametrize("release", [16, 19, 22])
def test_a_kernel_of_a_release_is_one_for_a_newer_build(release: int) -> None:
    oracles.require(release)
    jaxlib = jaxlib_oracle.require()
    version = 0 if release == 16 else 6
    args = oracles.emit_args(release, version)
    data = oracles.checked(oracles.run_mlir_opt(release, args, KERNELS))
    assert kernels(data) == [True, False]
    for target in ("jaxlib-0.10", "iree-3.13"):
        new = mlirbc.read(data).write(target=target)
        assert kernels(new) == [True, False], target
    text = jaxlib.print(mlirbc.read(data).write(target="jaxlib-0.10")).decode()
    functions = [line for line in text.splitlines() if '"gpu.func"' in line]
    assert [", kernel" in line for line in functions] == [True, False]
    assert "gpu.kernel" not in text


@pytest.mark.parametrize("release", [16, 19, 22])
def test_a_kernel_of_a_newer_build_is_one_for_a_release(release: int) -> None:
    oracles.require(release)
    jaxlib = jaxlib_oracle.require()
    with jaxlib.context:
        file = io.BytesIO()
        jaxlib.ir.Module.parse(KERNELS).operation.write_bytecode(file)
    data = file.getvalue()
    assert kernels(data) == [True, False]
    new = mlirbc.read(data).write(target=f"llvm-{release}")
    assert kernels(new) == [True, False]
    text = oracles.checked(oracles.run_mlir_opt(release, [], new)).decode()
    functions = [line for line in text.splitlines() if "gpu.func" in line]
    assert [" kernel" in line for line in functions] == [True, False]
    with pytest.raises(mlirbc.UnsupportedError, match="kernel"):
        mlirbc.read(data).write(target="any")


def test_sizes_that_16_reads_from_the_dictionary() -> None:
    oracles.require(16)
    oracles.require(22)
    text = KERNELS.replace(" kernel {", " kernel attributes {gpu.known_block_size = array<i32: 8, 1, 1>} {")
    data = oracles.checked(oracles.run_mlir_opt(16, oracles.emit_args(16, 0), text))
    new = mlirbc.read(data).write(target="llvm-22")
    function = mlirbc.read(new).body.operations[0].regions[0].blocks[0].operations[0]
    assert str(function.properties["known_block_size"]) == "array<i32: 8, 1, 1>"
    assert b"known_block_size = array<i32: 8, 1, 1>" in oracles.checked(oracles.run_mlir_opt(22, [], new))
    back = oracles.checked(oracles.run_mlir_opt(16, [], mlirbc.read(new).write(target="llvm-16")))
    assert b"gpu.known_block_size = array<i32: 8, 1, 1>" in back
