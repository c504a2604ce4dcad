"""Make the exports of this folder, and `examples/mlp.jax`: `python tests/data/containers/make_containers.py`.

This needs `jax==0.10.2` and `flatbuffers`. They depend on the release of JAX, so they were made once and
are kept. The other files are compressed by `gzip -9nc` and `zstd -19` from `examples/two_layers.mlirbc`.
"""

import os
from pathlib import Path

os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=8"

import jax
import jax.numpy as jnp
import numpy as np
from jax import export
from jax.sharding import AxisType, NamedSharding, PartitionSpec

FOLDER = Path(__file__).parent


def mlp(params, x):
    hidden = jnp.tanh(x @ params["w0"] + params["b0"])
    table = np.linspace(-1, 1, 32, dtype=np.float32).reshape(8, 4)
    return {"logits": hidden @ params["w1"] + x @ table}


def norm(x):
    return x / jnp.linalg.norm(x, axis=-1, keepdims=True)


def sharded(x):
    return jax.lax.with_sharding_constraint(x * 2, NamedSharding(MESH, PartitionSpec("x", None)))


def factor(a):
    return jax.lax.linalg.cholesky(a)


MESH = jax.make_mesh((2, 4), ("x", "y"), axis_types=(AxisType.Auto, AxisType.Auto))


def main():
    params = {"w0": jnp.ones((8, 16)), "b0": jnp.zeros(16), "w1": jnp.ones((16, 4))}
    exported = export.export(jax.jit(mlp))(params, jnp.ones((2, 8)))
    (FOLDER.parents[2] / "examples/mlp.jax").write_bytes(exported.serialize(vjp_order=1))

    (batch,) = export.symbolic_shape("batch")
    shape = jax.ShapeDtypeStruct((batch, 8), jnp.bfloat16)
    exported = export.export(jax.jit(norm), platforms=["cpu", "tpu", "cuda"])(shape)
    (FOLDER / "norm.jax").write_bytes(exported.serialize())

    shape = jax.ShapeDtypeStruct((8, 16), jnp.float32, sharding=NamedSharding(MESH, PartitionSpec("x", "y")))
    (FOLDER / "sharded.jax").write_bytes(export.export(jax.jit(sharded))(shape).serialize())

    shape = jax.ShapeDtypeStruct((4, 4), jnp.float32)
    check = export.DisabledSafetyCheck.custom_call("lapack_spotrf_ffi")
    exported = export.export(jax.jit(factor), disabled_checks=[check])(shape)
    (FOLDER / "cholesky.jax").write_bytes(exported.serialize())


main()
