"""Freeze, hoist, cast and quantize, compared with NumPy, `ml_dtypes` and JAX."""

import subprocess
import sys
from pathlib import Path

import mlirbc
import numpy as np
import pytest

ROOT = Path(__file__).parents[2]
FLOATS = [
    "bf16",
    "f16",
    "f8E4M3FN",
    "f8E5M2",
    "f8E4M3",
    "f8E3M4",
    "f8E4M3FNUZ",
    "f8E5M2FNUZ",
    "f8E4M3B11FNUZ",
]
TEXT = """func.func public @main() -> tensor<{count}xf32> {{
  %0 = stablehlo.constant dense<0.0> : tensor<{count}xf32>
  %1 = stablehlo.constant dense_resource<w> : tensor<{count}xf32>
  %2 = stablehlo.add %0, %1 : tensor<{count}xf32>
  return %2 : tensor<{count}xf32>
}}
{{-# dialect_resources: {{ builtin: {{ w: "0x04000000{hex}" }} }} #-}}
"""


def interesting() -> np.ndarray:
    """Return floats around the limits of small types, ties, and numbers that are not finite."""
    random = np.random.default_rng(7)
    bits = random.integers(0, 1 << 32, 4000, dtype=np.uint32).view(np.float32)
    ties = np.arange(-2048, 2048).astype(np.float32) / np.float32(64)
    scaled = np.concatenate([ties * np.float32(2.0**power) for power in (-16, -8, 0, 5)])
    special = np.array(
        [0.0, -0.0, np.inf, -np.inf, np.nan, 448.0, 464.0, 480.0, 65504.0, 65520.0], np.float32
    )
    return np.concatenate([bits, scaled, special])


@pytest.mark.parametrize("to", FLOATS)
def test_casts_round_as_numpy_and_ml_dtypes_do(to: str) -> None:
    """Numbers, ties, overflow, signed zeros and NaNs."""
    ml_dtypes = pytest.importorskip("ml_dtypes")
    values = interesting()
    module = mlirbc.parse(TEXT.format(count=len(values), hex=values.tobytes().hex()))
    report = mlirbc.weights.cast(module, to)
    stored = [weight for weight in mlirbc.open(report.data).weights.values() if weight.kind == "constant"]
    assert len(stored) == 1
    result = stored[0].to_numpy()
    with np.errstate(all="ignore"):
        expected = values.astype(np.float16 if to == "f16" else result.dtype)
    assert expected.dtype == result.dtype and ml_dtypes is not None
    assert np.array_equal(np.isnan(expected), np.isnan(result))
    is_number = ~np.isnan(expected.astype(np.float32))
    width = f"u{expected.dtype.itemsize}"
    assert np.array_equal(expected.view(width)[is_number], result.view(width)[is_number])


def test_values_come_from_every_kind_of_file(tmp_path: Path) -> None:
    """Stored and compressed archives, single arrays, safetensors and arrays in memory give the same file."""
    value = np.arange(16, dtype=np.float32)
    expected = mlirbc.weights.freeze("examples/mlp.jax", {"args[0]['b0']": value}).data
    np.savez(tmp_path / "a.npz", b0=value)
    np.savez_compressed(tmp_path / "b.npz", b0=value)
    np.save(tmp_path / "b0.npy", value)
    for name in ("a.npz", "b.npz", "b0.npy"):
        assert mlirbc.weights.freeze("examples/mlp.jax", tmp_path / name).data == expected, name
    with pytest.raises(mlirbc.InvalidError, match="no argument for the tensor"):
        mlirbc.weights.freeze("examples/mlp.jax", {"c": value})
    np.save(tmp_path / "b0.npy", value.astype(">f4"))
    with pytest.raises(mlirbc.ReadError, match="found the dtype `>f4`, at 0x0; save it as a little-endian"):
        mlirbc.weights.freeze("examples/mlp.jax", tmp_path / "b0.npy")


def test_numpy_reads_hoisted_values(tmp_path: Path) -> None:
    """The archive has the elements, and nothing is written if the derivatives are not dropped."""
    path = tmp_path / "weights.npz"
    with pytest.raises(mlirbc.InvalidError, match="derivatives"):
        mlirbc.weights.hoist("examples/mlp.jax", path)
    assert not path.exists()
    report = mlirbc.weights.hoist("examples/mlp.jax", path, drop_derivatives=True)
    weight = mlirbc.open("examples/mlp.jax").weights[report.hoisted[0]]
    assert np.array_equal(np.load(path)[report.hoisted[0]], weight.to_numpy())


def test_integers_have_the_scales_of_their_channels() -> None:
    """NumPy computes the same integers and scales."""
    weight = mlirbc.open("examples/mlp.jax").weights["jit(mlp)/dot_general"].to_numpy()
    module = mlirbc.open(mlirbc.weights.quantize("examples/mlp.jax", axis=1).data)
    integers, scales = (stored.to_numpy() for stored in module.weights.values())
    expected = (np.abs(weight).max(0).astype(np.float64) / 127).astype(np.float32)
    assert np.array_equal(scales, expected)
    assert np.array_equal(integers, np.round(weight.astype(np.float64) / expected).astype(np.int8))


def test_jax_calls_rewritten_exports() -> None:
    """JAX gets the numbers of the original; the script runs all models."""
    for name in ("jax", "flatbuffers", "safetensors"):
        pytest.importorskip(name, reason=f"{name} is not installed")
    command = [sys.executable, str(ROOT / "scripts/weights-agreement"), "derivatives"]
    result = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    assert result.returncode == 0, result.stdout + result.stderr
    assert result.stdout.count("derivatives") > 8
