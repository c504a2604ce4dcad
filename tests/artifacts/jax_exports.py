"""Writes and calls exports with the release of JAX that runs this file, which needs jax and flatbuffers.

``python jax_exports.py write FOLDER`` writes one export of each kind that the release can write.
``python jax_exports.py read ANSWERS FILE...`` appends for each file whether the release calls it, as JSON.
"""

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path

os.environ["JAX_PLATFORMS"] = "cpu"
os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=8"

import jax
import jax.numpy as jnp
import numpy as np
from jax import export
from jax.sharding import Mesh, NamedSharding
from jax.sharding import PartitionSpec as P

Arrays = list[np.ndarray]


class Pair:
    """A node of a tree that JAX does not know by itself."""

    def __init__(self, first: object, second: object) -> None:
        self.first, self.second = first, second


jax.tree_util.register_pytree_node(Pair, lambda p: ((p.first, p.second), None), lambda _, c: Pair(*c))
if hasattr(export, "register_pytree_node_serialization"):
    export.register_pytree_node_serialization(
        Pair,
        serialized_name="mlirbc.Pair",
        serialize_auxdata=lambda _: b"",
        deserialize_auxdata=lambda _: None,
    )

SMALL = [np.arange(8, dtype=np.float32) / 8, np.arange(8, dtype=np.float32) - 3]
WIDE = [np.arange(32, dtype=np.float32).reshape(8, 4) / 8, np.ones((8, 4), np.float32)]


def mesh(axes: dict[str, int]) -> Mesh:
    return Mesh(np.array(jax.devices()[:8]).reshape(tuple(axes.values())), tuple(axes))


def spec(array: np.ndarray) -> jax.ShapeDtypeStruct:
    return jax.ShapeDtypeStruct(array.shape, array.dtype)


def product(x: jax.Array, y: jax.Array) -> jax.Array:
    return jnp.sin(x) * y


def plain() -> bytes:
    return export.export(jax.jit(product))(*map(spec, SMALL)).serialize()


def derivative() -> bytes:
    return export.export(jax.jit(product))(*map(spec, SMALL)).serialize(vjp_order=2)


def platforms() -> bytes:
    return export.export(jax.jit(product), platforms=["cpu", "tpu"])(*map(spec, SMALL)).serialize()


def tpu_only() -> bytes:
    return export.export(jax.jit(product), platforms=["tpu"])(*map(spec, SMALL)).serialize()


def symbolic() -> bytes:
    (n,) = export.symbolic_shape("n")
    shape = jax.ShapeDtypeStruct((n,), np.float32)
    return export.export(jax.jit(product))(shape, shape).serialize()


def unused() -> bytes:
    return export.export(jax.jit(lambda x, y: jnp.cos(x)))(*map(spec, SMALL)).serialize()


def sorting() -> bytes:
    return export.export(jax.jit(lambda x, y: jnp.sort(y) + jnp.cumsum(x)))(*map(spec, SMALL)).serialize()


def linear_algebra() -> bytes:
    def solve(x: jax.Array, y: jax.Array) -> jax.Array:
        return jnp.linalg.cholesky(x @ x.T + 9 * jnp.eye(8)) @ y

    return export.export(jax.jit(solve))(*map(spec, WIDE)).serialize()


def sharded() -> bytes:
    place = NamedSharding(mesh({"x": 8}), P("x"))
    function = jax.jit(product, in_shardings=(place, place), out_shardings=place)
    return export.export(function)(*map(spec, WIDE)).serialize(vjp_order=1)


def constraint() -> bytes:
    place = NamedSharding(mesh({"x": 2, "y": 4}), P("x", "y"))

    def constrained(x: jax.Array, y: jax.Array) -> jax.Array:
        return jax.lax.with_sharding_constraint(jnp.sin(x), place) * y

    whole = NamedSharding(place.mesh, P())
    function = jax.jit(constrained, in_shardings=(whole, whole))
    return export.export(function)(*map(spec, WIDE)).serialize()


def manual() -> bytes:
    over = mesh({"x": 8})
    if hasattr(jax, "shard_map"):
        shard_map: Callable[..., object] = jax.shard_map
    else:
        from jax.experimental.shard_map import shard_map
    function = shard_map(
        lambda x, y: x * jax.lax.psum(y, "x"), mesh=over, in_specs=(P("x"), P("x")), out_specs=P("x")
    )
    place = NamedSharding(over, P("x"))
    return export.export(jax.jit(function, in_shardings=(place, place)))(*map(spec, WIDE)).serialize()


def float8() -> bytes:
    def rounded(x: jax.Array, y: jax.Array) -> jax.Array:
        return x.astype(jnp.float32) * y

    first = jax.ShapeDtypeStruct((8,), jnp.float8_e4m3fn)
    return export.export(jax.jit(rounded))(first, spec(SMALL[1])).serialize()


def float8_ieee() -> bytes:
    def rounded(x: jax.Array, y: jax.Array) -> jax.Array:
        return x.astype(jnp.float32) * y

    first = jax.ShapeDtypeStruct((8,), jnp.float8_e4m3)
    return export.export(jax.jit(rounded))(first, spec(SMALL[1])).serialize()


def key_argument() -> bytes:
    key = jax.eval_shape(lambda: jax.random.key(3))
    return export.export(jax.jit(lambda key: jax.random.uniform(key, (8,))))(key).serialize()


def key_result() -> bytes:
    return export.export(jax.jit(lambda x, y: jax.random.fold_in(jax.random.key(3), 5)))(
        *map(spec, SMALL)
    ).serialize()


def key_inside() -> bytes:
    def noisy(x: jax.Array, y: jax.Array) -> jax.Array:
        return x + jax.random.uniform(jax.random.key(3), (8,))

    return export.export(jax.jit(noisy))(*map(spec, SMALL)).serialize()


def tree() -> bytes:
    function = jax.jit(lambda pair: {"sum": pair.first + pair.second})
    return export.export(function)(Pair(*map(spec, SMALL))).serialize()


def loop() -> bytes:
    def repeated(x: jax.Array, y: jax.Array) -> jax.Array:
        return jax.lax.fori_loop(0, 3, lambda _, z: z * y + x, x)

    return export.export(jax.jit(repeated))(*map(spec, SMALL)).serialize()


KINDS = [
    plain,
    derivative,
    platforms,
    tpu_only,
    symbolic,
    unused,
    sorting,
    linear_algebra,
    sharded,
    constraint,
    manual,
]
KINDS += [float8, float8_ieee, key_argument, key_result, key_inside, tree, loop]


def solved(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    return np.linalg.cholesky(x @ x.T + 9 * np.eye(8)) @ y


def repeat(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    result = x
    for _ in range(3):
        result = result * y + x
    return result


# By kind: the arguments, and NumPy's computation; `None` where the result depends on JAX's random numbers.
EXPECTED: dict[str, tuple[Arrays, Callable[..., np.ndarray] | None]] = {
    **dict.fromkeys(["plain", "derivative", "platforms", "symbolic"], (SMALL, lambda x, y: np.sin(x) * y)),
    "unused": (SMALL, lambda x, _: np.cos(x)),
    "sorting": (SMALL, lambda x, y: np.sort(y) + np.cumsum(x)),
    "linear_algebra": (WIDE, solved),
    **dict.fromkeys(["sharded", "constraint"], (WIDE, lambda x, y: np.sin(x) * y)),
    "manual": (WIDE, lambda x, y: x * y.reshape(8, 1, 4).sum(0)),
    **dict.fromkeys(["float8", "float8_ieee"], (SMALL, lambda x, y: x * y)),
    "key_argument": ([], None),
    "key_result": (SMALL, None),
    "key_inside": (SMALL, None),
    "tree": (SMALL, lambda x, y: x + y),
    "loop": (SMALL, repeat),
}


def random_numbers(kind: str, arrays: Arrays) -> Arrays:
    """The acceptable results: the release that wrote the export decided how to generate random numbers."""
    compute = {
        "key_argument": lambda: jax.random.uniform(jax.random.key(3), (8,)),
        "key_result": lambda: jax.random.key_data(jax.random.fold_in(jax.random.key(3), 5)),
        "key_inside": lambda: arrays[0] + jax.random.uniform(jax.random.key(3), (8,)),
    }[kind]
    before = jax.config.jax_threefry_partitionable
    numbers = []
    for is_partitionable in (False, True):
        jax.config.update("jax_threefry_partitionable", is_partitionable)
        numbers.append(np.asarray(compute(), np.float64))
    jax.config.update("jax_threefry_partitionable", before)
    return numbers


def call(kind: str, content: bytes) -> str | None:
    """Returns why the numbers are wrong; raises the errors of JAX."""
    exported = export.deserialize(bytearray(content))
    if "cpu" not in exported.platforms:
        # Nothing runs it here; lowering reads the module.
        jax.jit(exported.call).trace(*SMALL).lower(lowering_platforms=tuple(exported.platforms))
        return None
    arrays, compute = EXPECTED[kind]
    arguments: list[object] = list(arrays)
    if exported.nr_devices > 1:
        over = mesh({"x": 2, "y": 4} if kind == "constraint" else {"x": 8})
        part = P() if kind == "constraint" else P("x")
        arguments = [jax.device_put(array, NamedSharding(over, part)) for array in arrays]
    if kind.startswith("float8"):
        arguments[0] = jnp.asarray(arrays[0]).astype(exported.in_avals[0].dtype)
    if kind == "key_argument":
        arguments = [jax.random.key(3)]
    if kind == "tree":
        arguments = [Pair(*arguments)]
    result = jax.jit(exported.call)(*arguments)
    result = result["sum"] if kind == "tree" else result
    if kind == "key_result":
        result = jax.random.key_data(result)
    expected = [compute(*arrays)] if compute is not None else random_numbers(kind, arrays)
    if not any(np.allclose(np.asarray(result, np.float64), numbers, atol=1e-4) for numbers in expected):
        return f"{np.asarray(result)} instead of {expected}"
    if kind in ("derivative", "sharded"):
        slope = jax.jit(jax.grad(lambda *a: exported.call(*a).sum()))(*arguments)
        if not np.allclose(slope, np.cos(arrays[0]) * arrays[1], atol=1e-4):
            return "the derivative is wrong"
    if kind == "derivative":
        second = jax.jit(jax.grad(lambda x, y: jax.grad(lambda z: exported.call(z, y).sum())(x).sum()))(
            *arguments
        )
        if not np.allclose(second, -np.sin(arrays[0]) * arrays[1], atol=1e-4):
            return "the second derivative is wrong"
    return None


def write(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for kind in KINDS:
        try:
            content = kind()
        except Exception as error:  # Old releases cannot write every kind.
            print(f"{jax.__version__} {kind.__name__}: {type(error).__name__}: {str(error)[:120]}")
        else:
            (folder / f"{kind.__name__}.jax").write_bytes(content)


def read(answers: Path, files: list[Path]) -> None:
    # JAX registers LAPACK when it lowers a function that calls it; exports with such calls crash before that.
    jnp.linalg.cholesky(jnp.eye(2))
    with answers.open("a") as output:
        for file in files:
            # A release that ends here, by a signal, has answered.
            print(json.dumps({"file": str(file), "error": "the process ended"}), file=output, flush=True)
            try:
                error = call(file.stem, file.read_bytes())
            except Exception as raised:
                error = f"{type(raised).__name__}: {raised}"[:400]
            print(json.dumps({"file": str(file), "error": error}), file=output, flush=True)


if __name__ == "__main__":
    if sys.argv[1] == "write":
        write(Path(sys.argv[2]))
    else:
        read(Path(sys.argv[2]), [Path(file) for file in sys.argv[3:]])
