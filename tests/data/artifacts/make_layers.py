"""Writes `layers.jax`, `layers_renamed.jax` and `layers_trained.jax`.

They hold a model whose parts have names, with weights as constants, as flax writes them. The second one
has another function, the third one other weights.
"""

from collections.abc import Callable
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
from jax import export

HERE = Path(__file__).parent


def parameters(seed: int) -> dict[str, jax.Array]:
    draws = np.random.default_rng(seed)
    shapes = {"kernel": (3, 3, 2, 4), "w0": (16, 8), "b0": (8,), "w1": (8, 5), "b1": (5,)}
    return {name: jnp.asarray(draws.standard_normal(shape, np.float32)) for name, shape in shapes.items()}


def model(p: dict[str, jax.Array], x: jax.Array) -> jax.Array:
    with jax.named_scope("Conv_0"):
        x = jax.lax.conv_general_dilated(
            x, p["kernel"], (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC")
        )
    x = jax.lax.reduce_window(x, -jnp.inf, jax.lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")
    x = x.reshape(x.shape[0], -1)
    with jax.named_scope("Dense_0"):
        x = jnp.maximum(x @ p["w0"] + p["b0"], 0)
    with jax.named_scope("Dense_1"):
        x = x @ p["w1"] + p["b1"]
    return jnp.transpose(x)


def write(name: str, function: Callable[[jax.Array], jax.Array]) -> None:
    exported = export.export(jax.jit(function))(jax.ShapeDtypeStruct((2, 4, 4, 2), jnp.float32))
    (HERE / name).write_bytes(exported.serialize())
    if name == "layers.jax":
        (HERE / "layers.mlir").write_text(str(exported.mlir_module()))


def predict(x: jax.Array) -> jax.Array:
    return model(parameters(0), x)


write("layers.jax", lambda x: model(parameters(0), x))
write("layers_renamed.jax", predict)
write("layers_trained.jax", lambda x: model(parameters(1), x))
