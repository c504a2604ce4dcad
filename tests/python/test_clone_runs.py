"""A function that was cloned with its weights between StableHLO artifacts is run by XLA."""

import importlib.util
from pathlib import Path
from types import ModuleType

import mlirbc
import numpy as np
import pytest

ROOT = Path(__file__).parents[2]

LIBRARY = """
module @library {
  func.func public @dense(%x: tensor<2x3xf32>) -> tensor<2x2xf32> {
    %w = stablehlo.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xf32>
    %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
      : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>
    return %0 : tensor<2x2xf32>
  }
}
"""
MODEL = """
module @model {
  func.func public @main() -> tensor<2x3xf32> {
    %x = stablehlo.constant dense<[[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]> : tensor<2x3xf32>
    %0 = stablehlo.add %x, %x : tensor<2x3xf32>
    return %0 : tensor<2x3xf32>
  }
}
"""


def _example() -> ModuleType:
    spec = importlib.util.spec_from_file_location("clone_function", ROOT / "examples/clone_function.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_a_cloned_function_runs_with_its_weights(tmp_path: Path) -> None:
    client = pytest.importorskip("jaxlib.xla_client", reason="jaxlib runs the program")
    from jaxlib import _jax

    paths = {}
    for name, text in (("library", LIBRARY), ("model", MODEL)):
        paths[name] = tmp_path / f"{name}.mlirbc"
        paths[name].write_bytes(_jax.mlir.serialize_portable_artifact(text, "1.9.0"))
    library, model = mlirbc.open(paths["library"]), mlirbc.open(paths["model"])
    edited = _example().clone_function(library, "dense", model)
    assert edited.verify(symbols=True).unchecked == ()
    report = edited.save(tmp_path / "out.mlirbc")
    assert report.losses == ()

    backend = client.make_cpu_client()
    program = (tmp_path / "out.mlirbc").read_bytes()
    device = backend.local_devices()[0]
    devices = client.DeviceList((device,))
    executable = backend.compile_and_load(program, devices, client.CompileOptions())
    (result,) = executable.execute([])
    x = np.arange(6, dtype=np.float32).reshape(2, 3)
    weights = np.array([[1, 2], [3, 4], [5, 6]], np.float32)
    np.testing.assert_array_equal(np.asarray(result), (x + x) @ weights)
