"""Programs whose constants are in an archive: IREE compiles and runs them, and its tools read the archive."""

import os
import subprocess
import sys
from pathlib import Path

import mlirbc
import pytest
from mlirbc import parameters

RUN = """
import sys
import numpy as np
import iree.compiler.tools as compiler
import iree.runtime as runtime
program, archive, arguments, output = sys.argv[1:]
binary = compiler.compile_file(program, target_backends=["vmvx"])
config = runtime.Config("local-task")
index = runtime.ParameterIndex()
index.load(archive)
provider = index.create_provider(scope="model")
modules = [
    runtime.create_hal_module(config.vm_instance, config.device),
    runtime.create_io_parameters_module(config.vm_instance, provider),
    runtime.VmModule.copy_buffer(config.vm_instance, binary),
]
context = runtime.SystemContext(vm_modules=modules, config=config)
values = np.load(arguments)
result = context.modules[list(context.modules)[-1]]["main"](*[values[name] for name in values])
np.save(output, np.asarray(result))
"""

PROGRAM = """
module @net {
  func.func public @main(%x: tensor<2x4xf32>) -> tensor<2x3xf32> {
    %w = stablehlo.constant dense<[
      [1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0], [0.5, 0.25, 0.125]
    ]> : tensor<4x3xf32> loc("dense/kernel")
    %b = stablehlo.constant dense_resource<bias> : tensor<3xf32>
    %one = stablehlo.constant dense<1.0> : tensor<2x3xf32>
    %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
      : (tensor<2x4xf32>, tensor<4x3xf32>) -> tensor<2x3xf32>
    %1 = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<3xf32>) -> tensor<2x3xf32>
    %2 = stablehlo.add %0, %1 : tensor<2x3xf32>
    %3 = stablehlo.add %2, %one : tensor<2x3xf32>
    return %3 : tensor<2x3xf32>
  }
}
{-# dialect_resources: { builtin: { bias: "0x040000000000204100002041000020C1" } } #-}
"""


def externalized(folder: Path, source: Path) -> tuple[Path, Path]:
    program, archive = folder / "small.mlirbc", folder / "net.irpa"
    options = ["--format", "irpa", "--min-size", "8", "--to", str(archive), "-o", str(program)]
    command = [sys.executable, "-m", "mlirbc", "weights", "externalize", str(source), *options]
    subprocess.run(command, check=True, capture_output=True)
    return program, archive


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "net.mlirbc"
    path.write_bytes(mlirbc.parse(PROGRAM, target="jaxlib-0.10").write())
    return path


def test_constants_become_parameters(tmp_path: Path, source: Path) -> None:
    program, archive = externalized(tmp_path, source)
    text = str(mlirbc.open(program))
    assert text.count("flow.tensor.constant") == 2
    assert '#flow.parameter.named<"model"::"dense/kernel"> : tensor<4x3xf32>' in text
    # The third constant is a splat, which stays.
    assert text.count("stablehlo.constant") == 1
    assert "bias:" not in text
    file = parameters.open(archive)
    assert {name: row.nbytes for name, row in file.items()} == {"dense/kernel": 48, "bias": 12}
    assert bytes(file["bias"].data).hex() == "0000204100002041000020c1"
    assert archive.stat().st_size % 4096 == 0


def test_iree_runs_the_program_with_the_archive(tmp_path: Path, source: Path) -> None:
    np = pytest.importorskip("numpy")
    python = os.environ.get("MLIRBC_IREE_PYTHON")
    if python is None:
        pytest.skip("MLIRBC_IREE_PYTHON names no interpreter that has iree-base-compiler")
    if subprocess.run([python, "-c", "import iree.runtime"], capture_output=True).returncode:
        pytest.skip("the interpreter of MLIRBC_IREE_PYTHON has no iree-base-runtime")
    program, archive = externalized(tmp_path, source)
    x = np.arange(8, dtype=np.float32).reshape(2, 4)
    np.savez(tmp_path / "arguments.npz", x=x)
    files = [program, archive, tmp_path / "arguments.npz", tmp_path / "result.npy"]
    subprocess.run([python, "-c", RUN, *map(str, files)], check=True, timeout=300)
    kernel = parameters.open(archive)["dense/kernel"].to_numpy().view(np.float32).reshape(4, 3)
    expected = x @ kernel + np.array([10, 10, -10], np.float32) + 1
    np.testing.assert_allclose(np.load(tmp_path / "result.npy"), expected)
