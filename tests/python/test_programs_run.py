"""Programs that JAX exported and mlirbc changed still run, with the results that the change calls for."""

import dataclasses
import os
from collections.abc import Callable
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import mlirbc
import numpy as np
import pytest
from mlirbc import _mlirbc

from support import oracles

os.environ.setdefault("XLA_FLAGS", "--xla_force_host_platform_device_count=8")
os.environ.setdefault("JAX_PLATFORMS", "cpu")
if find_spec("jax") is None and not oracles.must_be_there():
    pytest.skip("no JAX; install the dependency group `test`", allow_module_level=True)

import jax
import jax.export
from jax.sharding import NamedSharding, PartitionSpec

from artifacts.programs import models

DATA = Path(__file__).resolve().parents[1] / "data/artifacts"
NAMES = ("perceptron", "transformer", "over_mesh")
OLDER = ("0.9.0", "0.14.0", "1.0.0", "1.9.0")
RANDOM = np.random.default_rng(7)
ROWS = RANDOM.normal(size=(8, 8)).astype(np.float32)
TOKENS = RANDOM.integers(0, 32, size=(2, 6)).astype(np.int32)


@cache
def exported(name: str) -> Any:
    return jax.export.deserialize(bytearray((DATA / f"{name}.jax").read_bytes()))


def inputs(name: str) -> Any:
    if name == "over_mesh":
        return jax.device_put(ROWS, NamedSharding(models.XY, PartitionSpec("x", None)))
    return TOKENS if name == "transformer" else ROWS


def run(name: str, artifact: bytes) -> Any:
    """The result of a program whose module is this artifact."""
    changed = dataclasses.replace(exported(name), mlir_module_serialized=artifact)
    return np.asarray(jax.jit(changed.call)(inputs(name)))


def artifact_of(name: str) -> bytes:
    return bytes(exported(name).mlir_module_serialized)


@cache
def unchanged(name: str) -> Any:
    return run(name, artifact_of(name))


def converted(data: bytes, folder: Path, *words: str) -> bytes:
    before, after = folder / "before.mlirbc", folder / "after.mlirbc"
    before.write_bytes(data)
    assert _mlirbc.run_cli(["mlirbc", "convert", str(before), *words, "-o", str(after)]) == 0
    return after.read_bytes()


def constants(module: Any) -> list[Any]:
    ops: list[Any] = []
    module.walk(lambda op: ops.append(op) if op.name == "vhlo.constant_v1" else None)
    return ops


def replace_weight(data: bytes, old: np.ndarray, new: np.ndarray) -> bytes:
    """Replaces the constants that are a weight, or its transpose."""
    module = mlirbc.read(data).edit()
    count = 0
    for op in constants(module):
        value = op.attributes["value"].to_numpy()
        for before, after in ((old, new), (old.T, new.T)):
            if np.array_equal(value, before):
                elements = mlirbc.DenseElementsAttr.get(np.ascontiguousarray(after))
                op.attributes["value"] = mlirbc.Attribute.parse(f"#vhlo.tensor_v1<{elements}>")
                count += 1
    assert count > 0
    return bytes(module.write())


@pytest.mark.parametrize("name", NAMES)
def test_without_locations(name: str) -> None:
    artifact = artifact_of(name)
    stripped = bytes(mlirbc.read(artifact).write(strip_locations=True))
    assert len(stripped) < len(artifact)
    np.testing.assert_array_equal(run(name, stripped), unchanged(name))


WEIGHTS: dict[str, tuple[np.ndarray, Callable[[np.ndarray], Any]]] = {
    "perceptron": (
        models.LAYERS[0][0],
        lambda new: {"LAYERS": [(new, models.LAYERS[0][1]), models.LAYERS[1]]},
    ),
    "over_mesh": (
        models.LAYERS[0][0],
        lambda new: {"LAYERS": [(new, models.LAYERS[0][1]), models.LAYERS[1]]},
    ),
    "transformer": (models.EMBEDDING, lambda new: {"EMBEDDING": new}),
}
"""A weight of each program, and the globals of its source that have another one instead."""


@pytest.mark.parametrize("name", NAMES)
def test_with_another_weight(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    old, names = WEIGHTS[name]
    new = np.random.default_rng(8).normal(size=old.shape).astype(np.float32)
    before = unchanged(name)
    after = run(name, replace_weight(artifact_of(name), old, new))
    np.testing.assert_allclose(before, jax.jit(getattr(models, name))(inputs(name)), rtol=1e-5, atol=1e-6)
    for global_name, value in names(new).items():
        monkeypatch.setattr(models, global_name, value)
    # A new function, because JAX caches compiled code by function.
    expected = jax.jit(lambda *arguments: getattr(models, name)(*arguments))(inputs(name))
    np.testing.assert_allclose(after, expected, rtol=1e-5, atol=1e-6)
    assert not np.allclose(before, after)


@pytest.mark.parametrize("version", OLDER)
@pytest.mark.parametrize("name", NAMES)
def test_downgraded_and_upgraded(name: str, version: str, tmp_path: Path) -> None:
    native = converted(artifact_of(name), tmp_path, "--to", "stablehlo")
    older = converted(native, tmp_path, "--to", f"vhlo={version}")
    assert mlirbc.read(older).bytecode.producer == f"StableHLO_v{version}"
    newer = converted(converted(older, tmp_path, "--to", "stablehlo"), tmp_path, "--to", "vhlo=1.17.0")
    np.testing.assert_array_equal(run(name, older), unchanged(name))
    np.testing.assert_array_equal(run(name, newer), unchanged(name))
