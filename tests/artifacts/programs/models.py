"""Three models, with weights inside: a perceptron, a transformer, and a perceptron over a mesh."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.sharding import NamedSharding
from jax.sharding import PartitionSpec as P

from artifacts.programs.registry import program
from artifacts.programs.sharded import XY


def _weights(*shape: int, seed: int = 0) -> Any:
    return np.random.default_rng(seed).normal(scale=shape[0] ** -0.5, size=shape).astype(np.float32)


LAYERS = [(_weights(8, 16, seed=1), _weights(16, seed=2)), (_weights(16, 4, seed=3), _weights(4, seed=4))]


def perceptron(x: Any) -> Any:
    (w1, b1), (w2, b2) = LAYERS
    with jax.named_scope("hidden"):
        x = jnp.tanh(x @ w1 + b1)
    return jax.nn.softmax(x @ w2 + b2)


def attention(x: Any, wq: Any, wk: Any, wv: Any, wo: Any) -> Any:
    length, width = x.shape[-2:]
    q, k, v = (jnp.reshape(x @ w, (*x.shape[:-1], 2, width // 2)) for w in (wq, wk, wv))
    scores = jnp.einsum("bqhd,bkhd->bhqk", q, k) / (width // 2) ** 0.5
    mask = jnp.tril(jnp.ones((length, length), bool))
    weights = jax.nn.softmax(jnp.where(mask, scores, -jnp.inf))
    return jnp.einsum("bhqk,bkhd->bqhd", weights, v).reshape(x.shape) @ wo


def _normal(x: Any) -> Any:
    return (x - jnp.mean(x, -1, keepdims=True)) * lax.rsqrt(jnp.var(x, -1, keepdims=True) + 1e-5)


BLOCKS = jax.tree.map(
    lambda *leaves: np.stack(leaves),
    *[
        {
            "attention": tuple(_weights(16, 16, seed=10 * i + j) for j in range(4)),
            "up": _weights(16, 32, seed=10 * i + 5),
            "down": _weights(32, 16, seed=10 * i + 6),
        }
        for i in range(1, 3)
    ],
)
EMBEDDING = _weights(32, 16, seed=99)


def transformer(tokens: Any) -> Any:
    def block(x: Any, weights: Any) -> Any:
        x = x + attention(_normal(x), *weights["attention"])
        return x + jax.nn.gelu(_normal(x) @ weights["up"]) @ weights["down"], None

    x = jnp.asarray(EMBEDDING)[tokens]
    x, _ = lax.scan(block, x, BLOCKS)
    return _normal(x) @ EMBEDDING.T


def over_mesh(x: Any) -> Any:
    (w1, b1), (w2, b2) = LAYERS
    x = lax.with_sharding_constraint(jnp.tanh(x @ w1 + b1), NamedSharding(XY, P("x", "y")))
    total = jax.shard_map(lambda v: lax.psum(v, "y"), mesh=XY, in_specs=P("x", "y"), out_specs=P("x"))(
        x @ w2 + b2
    )
    return total


program("model", "perceptron", perceptron, "f32[b,8]", vjp=1)
program("model", "transformer", transformer, "i32[2,6]", vjp=1)
program(
    "model",
    "over_mesh",
    over_mesh,
    "f32[8,8]",
    jit={"in_shardings": NamedSharding(XY, P("x", None)), "out_shardings": NamedSharding(XY, P("x", None))},
    vjp=1,
)
program("gradient", "second_order", lambda x: jnp.sum(jnp.sin(x) * x), "f32[4]", vjp=2)
program("gradient", "of_symbolic", lambda x: jnp.sum(x * x), "f32[b]", vjp=1)
program("gradient", "of_integers", lambda i, x: x[i], "i32[3]", "f32[8]", vjp=1)
