"""Models that benchmarks read: the training step of a transformer as JAX exports it, and an LLVM module."""

import importlib
from pathlib import Path
from typing import Any

LAYERS = 210
"""Makes about 140,000 operations."""
HEADS, WIDTH, TOKENS, WORDS = 4, 64, 16, 1000


def write_transformer(path: Path, scale: float) -> None:
    """A step of training: the loss, its gradient, and an update of the weights with momentum."""
    jax = importlib.import_module("jax")
    numpy = importlib.import_module("jax.numpy")
    step, arguments = _training_step(jax, numpy, max(1, round(LAYERS * scale)))
    module = jax.jit(step).lower(*arguments).compiler_ir()
    with path.open("wb") as file:
        module.operation.write_bytecode(file)


def _normalized(jax: Any, x: Any, factor: Any, shift: Any) -> Any:
    mean = x.mean(-1, keepdims=True)
    variance = ((x - mean) ** 2).mean(-1, keepdims=True)
    return (x - mean) * jax.lax.rsqrt(variance + 1e-5) * factor + shift


def _attention(jax: Any, numpy: Any, x: Any, weights: dict[str, Any]) -> Any:
    batch, tokens, width = x.shape
    heads = (batch, tokens, HEADS, width // HEADS)
    query, key, value = (
        (x @ weights[name]).reshape(heads).transpose(0, 2, 1, 3) for name in ("query", "key", "value")
    )
    scores = query @ key.transpose(0, 1, 3, 2) / numpy.sqrt(width // HEADS)
    mask = numpy.tril(numpy.ones((tokens, tokens), bool))
    shares = jax.nn.softmax(numpy.where(mask, scores, -1e9), axis=-1)
    return (shares @ value).transpose(0, 2, 1, 3).reshape(x.shape) @ weights["out"]


def _layer(jax: Any, numpy: Any, x: Any, weights: dict[str, Any]) -> Any:
    before = _normalized(jax, x, weights["factor_1"], weights["shift_1"])
    x = x + _attention(jax, numpy, before, weights)
    before = _normalized(jax, x, weights["factor_2"], weights["shift_2"])
    return x + jax.nn.gelu(before @ weights["up"] + weights["up_bias"]) @ weights["down"] + weights["shift_3"]


def _weights(jax: Any, numpy: Any) -> dict[str, Any]:
    vectors = ("factor_1", "shift_1", "factor_2", "shift_2", "shift_3")
    shapes: dict[str, tuple[int, ...]] = dict.fromkeys(vectors, (WIDTH,))
    shapes |= dict.fromkeys(("query", "key", "value", "out"), (WIDTH, WIDTH))
    shapes |= {"up": (WIDTH, 4 * WIDTH), "up_bias": (4 * WIDTH,), "down": (4 * WIDTH, WIDTH)}
    return {name: jax.ShapeDtypeStruct(shape, numpy.float32) for name, shape in shapes.items()}


def _training_step(jax: Any, numpy: Any, layers: int) -> tuple[Any, tuple[Any, ...]]:
    def loss(weights: list[dict[str, Any]], words: Any, table: Any) -> Any:
        x = table[words]
        for layer in weights:
            x = _layer(jax, numpy, x, layer)
        scores = jax.nn.log_softmax(x @ table.T)
        return -numpy.take_along_axis(scores, words[..., None], -1).mean()

    def step(weights: Any, first: Any, second: Any, words: Any, table: Any) -> Any:
        value, slope = jax.value_and_grad(loss)(weights, words, table)
        for_each_weight = jax.tree.map
        first = for_each_weight(lambda old, new: 0.9 * old + 0.1 * new, first, slope)
        second = for_each_weight(lambda old, new: 0.999 * old + 0.001 * new * new, second, slope)
        updated = for_each_weight(
            lambda weight, mean, square: weight - 1e-3 * mean / (numpy.sqrt(square) + 1e-8),
            weights,
            first,
            second,
        )
        return value, updated, first, second

    weights = [_weights(jax, numpy) for _ in range(layers)]
    words = jax.ShapeDtypeStruct((2, TOKENS), numpy.int32)
    table = jax.ShapeDtypeStruct((WORDS, WIDTH), numpy.float32)
    return step, (weights, weights, weights, words, table)


def write_llvm(path: Path, scale: float) -> None:
    """Functions of a thousand operations of the dialect `llvm`, each with one property."""
    import mlirbc

    text = "".join(_llvm_function(number) for number in range(max(1, round(100 * scale))))
    path.write_bytes(mlirbc.parse(text, target="jaxlib-0.10").write())


def _llvm_function(number: int) -> str:
    flags = ("fast", "contract", "nnan, ninf", "reassoc")
    rows, last = [f"llvm.func @f{number}(%a: f32) -> f32 {{"], "%a"
    for row in range(1000):
        properties = f"fastmathFlags = #llvm.fastmath<{flags[row % len(flags)]}>"
        rows.append(f"  %v{row} = llvm.fadd {last}, %a {{{properties}}} : f32")
        last = f"%v{row}"
    return "\n".join([*rows, f"  llvm.return {last} : f32", "}\n"])
