"""Writes exports of this JAX with arguments and results: `python -m jax_conversions.programs FOLDER`.

Each program NAME gives NAME.jax and NAME.npz. Arrays `in0`, `in1` ... are arguments, and a name that ends
with `key` stands for a key by its data. Arrays `out0` ... are results, `vjp0` ... those of the derivative for
cotangents of ones, and `second0` ... those of the second derivative.
"""

import os

os.environ["JAX_PLATFORMS"] = "cpu"
os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=8"

import sys
from functools import partial
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
from jax import export
from jax.sharding import Mesh, NamedSharding
from jax.sharding import PartitionSpec as P


def mlp(x, w):
    return jax.nn.softmax(jnp.tanh(x @ w) + jnp.sin(x[:, :4]))


def arrays(*shapes):
    draws = np.random.default_rng(7)
    return [draws.normal(size=shape).astype(np.float32) for shape in shapes]


def mesh():
    return Mesh(np.array(jax.devices()).reshape(4, 2), ("rows", "cols"))


def sharded(*specs):
    return jax.jit(mlp, in_shardings=[NamedSharding(mesh(), spec) for spec in specs])


def constrained(x, w):
    y = jax.lax.with_sharding_constraint(x @ w, NamedSharding(mesh(), P("rows", "cols")))
    return jnp.tanh(y)


def mapped(x):
    shard_map = getattr(jax, "shard_map", None)
    if shard_map is None:
        from jax.experimental.shard_map import shard_map
    inner = shard_map(
        lambda part: part * 2 + jax.lax.axis_index("rows").astype(part.dtype),
        mesh=mesh(),
        in_specs=P("rows", "cols"),
        out_specs=P("rows", "cols"),
    )
    return inner(x)


def programs():
    """Name, function, arguments, the derivatives to export, and keywords of `jax.export.export`."""
    x, w = arrays((8, 4), (4, 4))
    key = jax.random.key(3)
    yield "plain", jax.jit(mlp), (x, w), 0, {}
    yield "derivatives", jax.jit(mlp), (x, w), 2, {}
    yield "unused", jax.jit(lambda a, b, c: {"sum": a + c, "first": (a[0],)}), (x, w, x), 0, {}
    yield "platforms", jax.jit(mlp), (x, w), 1, {"platforms": ("cpu", "cuda", "tpu")}
    yield "symbolic", jax.jit(lambda a: (a * 2).sum(0)), (x,), 1, {"shape": "b, 4"}
    # Releases round in different ways, so the numbers have few digits.
    small = np.clip(np.round(x * 4) / 4, -3, 3)
    yield "small_float", jax.jit(lambda a: a.astype(jnp.float8_e4m3fn).astype(jnp.float32)), (small,), 0, {}
    yield "sharded", sharded(P("rows"), P(None, "cols")), (x, w), 0, {}
    yield "sharded_derivative", sharded(P(("rows", "cols")), P("cols")), (x, w), 1, {}
    yield "constraint", jax.jit(constrained), (x, w), 1, {}
    yield "shard_map", jax.jit(mapped), (x,), 1, {}
    yield "key_in", jax.jit(lambda k, a: jax.random.normal(k, (4,)) + a), (key, np.float32(2)), 0, {}
    yield "key_out", jax.jit(lambda k: jax.random.split(k, 3)[1:]), (key,), 0, {}


def pullback(function, *values):
    """The derivative of a function, of its arguments and a cotangent."""
    return jax.vjp(function, *values[:-1])[1](values[-1])


def is_key(value):
    return isinstance(value, jax.Array) and jnp.issubdtype(value.dtype, jax.dtypes.prng_key)


def stored(prefix, values):
    array_by_name = {}
    for number, value in enumerate(values):
        name, data = f"{prefix}{number}", value
        if is_key(value):
            name, data = f"{name}key", jax.random.key_data(value)
        array_by_name[name] = np.asarray(data)
    return array_by_name


def main():
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for name, function, arguments, order, keywords in programs():
        types = arguments
        if shape := keywords.get("shape"):
            types = tuple(
                jax.ShapeDtypeStruct(export.symbolic_shape(shape), argument.dtype) for argument in arguments
            )
        platforms = {"platforms": keywords["platforms"]} if "platforms" in keywords else {}
        exported = export.export(function, **platforms)(*types)
        (folder / f"{name}.jax").write_bytes(exported.serialize(vjp_order=order))
        results = jax.tree.leaves(function(*arguments))
        values = {**stored("in", arguments), **stored("out", results)}
        if order:
            _, derivative = jax.vjp(function, *arguments)
            ones = jax.tree.map(jnp.ones_like, function(*arguments))
            values |= stored("vjp", derivative(ones))
        if order > 1:
            gradients, second = jax.vjp(partial(pullback, function), *arguments, ones)
            values |= stored("second", second(jax.tree.map(jnp.ones_like, gradients)))
        np.savez(folder / f"{name}.npz", **values)
        print(name, jax.__version__)


if __name__ == "__main__":
    main()
