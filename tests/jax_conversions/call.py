"""Calls exports with this JAX: `python call.py FOLDER NAME...` prints a line of JSON for each.

Needs nothing but JAX, so that the interpreters of old releases can run it. The folder has NAME.jax and
NAME.npz, as `programs` writes them.
"""

import os

os.environ["JAX_PLATFORMS"] = "cpu"
os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=8"

import json
import sys
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
from jax import export
from jax.sharding import Mesh, NamedSharding
from jax.sharding import PartitionSpec as P


def numbered(values, prefix):
    names = [name for name in values.files if name.startswith(prefix)]
    names.sort(key=lambda name: int(name.removeprefix(prefix).removesuffix("key")))
    return [
        jax.random.wrap_key_data(values[name]) if name.endswith("key") else values[name] for name in names
    ]


def placed(exported, arguments):
    if exported.nr_devices == 1:
        return arguments
    mesh = Mesh(np.array(jax.devices()).reshape(4, 2), ("rows", "cols"))
    shardings = exported.in_shardings_jax(mesh)
    whole = NamedSharding(mesh, P())
    return [
        jax.device_put(value, sharding or whole) for value, sharding in zip(arguments, shardings, strict=True)
    ]


def difference(results, expected):
    results = jax.tree.leaves(results)
    assert len(results) == len(expected), (len(results), len(expected))
    most = 0.0
    for result, value in zip(results, expected, strict=True):
        if jnp.issubdtype(result.dtype, jax.dtypes.prng_key):
            result, value = jax.random.key_data(result), jax.random.key_data(value)
        result, value = np.asarray(result, np.float64), np.asarray(value, np.float64)
        assert result.shape == value.shape, (result.shape, value.shape)
        most = max(most, float(np.max(np.abs(result - value), initial=0)))
    return most


def called(path):
    values = np.load(path.with_suffix(".npz"))
    exported = export.deserialize(bytearray(path.read_bytes()))
    arguments = numbered(values, "in")
    expected = numbered(values, "out")
    record = {"shardings": sum(sharding is not None for sharding in exported.in_shardings_hlo)}
    record["difference"] = difference(exported.call(*placed(exported, arguments)), expected)
    if gradients := numbered(values, "vjp"):
        derivative = exported.vjp()
        ones = [np.ones_like(value) for value in expected]
        arguments = [*arguments, *ones]
        record["vjp"] = difference(derivative.call(*placed(derivative, arguments)), gradients)
    if second := numbered(values, "second"):
        derivative = derivative.vjp()
        arguments = [*arguments, *(np.ones_like(value) for value in gradients)]
        record["second"] = difference(derivative.call(*placed(derivative, arguments)), second)
    return record


def main():
    folder = Path(sys.argv[1])
    for name in sys.argv[2:]:
        record = {"name": name, "jax": jax.__version__}
        try:
            record |= called(folder / f"{name}.jax")
        except Exception as error:
            record["error"] = f"{type(error).__name__}: {error}"[:300]
        print(json.dumps(record), flush=True)


if __name__ == "__main__":
    main()
