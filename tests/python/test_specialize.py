"""Static shapes for symbolic exports: JAX calls the result, with the numbers of the symbolic export."""

from pathlib import Path
from typing import Any

import mlirbc
import pytest

DATA = Path(__file__).parent.parent / "data"


def functions() -> "dict[str, tuple[Any, list[str], dict[str, int]]]":
    """Functions with symbolic shapes: name, function, types of arguments, sizes."""
    jax = pytest.importorskip("jax", reason="JAX is not installed")
    jnp = jax.numpy

    def mlp(x: Any, w: Any, b: Any) -> Any:
        return jax.nn.relu(x @ w + b).mean(axis=0)

    def attention(q: Any, k: Any, v: Any) -> Any:
        scores = jnp.einsum("bqd,bkd->bqk", q, k) / jnp.sqrt(q.shape[-1])
        return jnp.einsum("bqk,bkd->bqd", jax.nn.softmax(scores), v)

    def shapes(x: Any) -> Any:
        flat = x.reshape(-1)
        return flat[: x.shape[0] // 2 + 1], jnp.arange(x.shape[0]), jnp.tile(x, (2, 1)), x.sum() / x.shape[0]

    def loop(x: Any) -> Any:
        return jax.lax.fori_loop(0, x.shape[0], lambda i, c: c + x[i], jnp.zeros(x.shape[1]))

    def convolution(x: Any, k: Any) -> Any:
        y = jax.lax.conv_general_dilated(x, k, (2, 2), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))
        return jax.lax.reduce_window(y, -jnp.inf, jax.lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")

    def gather(x: Any, i: Any) -> Any:
        return jnp.take(x, i, axis=0), jnp.sort(x, axis=0), x.at[i].add(1.0)

    return {
        "mlp": (mlp, ["b, 8", "8, 4", "4"], {"b": 5}),
        "attention": (attention, ["b, s, 16", "b, s, 16", "b, s, 16"], {"b": 2, "s": 7}),
        "shapes": (shapes, ["b, 6"], {"b": 5}),
        "loop": (loop, ["b, 3"], {"b": 4}),
        "convolution": (convolution, ["b, 12, 12, 3", "3, 3, 3, 5"], {"b": 3}),
        "multiple": (lambda x: x * 2, ["8*b, 4"], {"b": 2}),
        "gather": (gather, ["b, 4", "n"], {"b": 6, "n": 3}),
    }


NAMES = ["mlp", "attention", "shapes", "loop", "convolution", "multiple", "gather"]


def concrete(text: str, sizes: dict[str, int]) -> tuple[int, ...]:
    return tuple(eval(part, {}, dict(sizes)) for part in text.split(","))


@pytest.mark.parametrize("name", NAMES)
def test_jax_calls_the_result_with_equal_numbers(name: str) -> None:
    jax = pytest.importorskip("jax", reason="JAX is not installed")
    export = pytest.importorskip("jax.export")
    np = pytest.importorskip("numpy")
    function, types, sizes = functions()[name]
    scope = export.SymbolicScope()
    is_index = [name == "gather" and text == "n" for text in types]
    arguments = [
        jax.ShapeDtypeStruct(export.symbolic_shape(text, scope=scope), "int32" if index else "float32")
        for text, index in zip(types, is_index, strict=True)
    ]
    exported = export.export(jax.jit(function))(*arguments)
    written = exported.serialize(vjp_order=0 if name in ("gather", "loop") else 1)
    artifact = mlirbc.open_artifact(bytes(written)).specialize(sizes)
    for index in range(len(artifact.modules)):
        text = str(artifact.module(index))
        assert "?" not in text.replace("/?", "")
        assert "dynamic_" not in text.replace("dynamic_slice", "").replace("dynamic_update_slice", "")
    static = export.deserialize(bytearray(artifact.write()))
    assert not static.uses_global_constants
    random = np.random.default_rng(0)
    values = [
        random.integers(0, 6, concrete(text, sizes)).astype("int32")
        if index
        else random.standard_normal(concrete(text, sizes)).astype("float32")
        for text, index in zip(types, is_index, strict=True)
    ]
    expected, found = jax.tree.leaves(exported.call(*values)), jax.tree.leaves(static.call(*values))
    assert [value.shape for value in expected] == [aval.shape for aval in static.out_avals]
    for left, right in zip(expected, found, strict=True):
        # XLA fuses a static program in another way.
        np.testing.assert_allclose(left, right, rtol=1e-5, atol=1e-6)
    if static.has_vjp():
        cotangents = [
            random.standard_normal(aval.shape).astype("float32")
            if aval.dtype.kind == "f"
            else np.zeros(aval.shape, jax.dtypes.float0)
            for aval in static.out_avals
        ]
        expected, found = exported.vjp().call(*values, *cotangents), static.vjp().call(*values, *cotangents)
        for left, right in zip(jax.tree.leaves(expected), jax.tree.leaves(found), strict=True):
            np.testing.assert_allclose(left, right, rtol=1e-5, atol=1e-5)
    with pytest.raises(ValueError, match="mismatch"):
        static.call(*(np.concatenate([value, value]) for value in values))


def test_the_sample_is_called_with_equal_numbers() -> None:
    export = pytest.importorskip("jax.export", reason="JAX is not installed")
    np = pytest.importorskip("numpy")
    written = (DATA / "containers" / "symbolic.jax").read_bytes()
    artifact = mlirbc.open_artifact(written).specialize(
        inputs={"0": "tensor<4x8xf32>", "1": "tensor<3x8xf32>"}
    )
    symbolic, static = export.deserialize(bytearray(written)), export.deserialize(bytearray(artifact.write()))
    random = np.random.default_rng(1)
    x, y, g = (random.standard_normal(shape).astype("float32") for shape in ((4, 8), (3, 8), (7, 4)))
    np.testing.assert_array_equal(symbolic.call(x, y), static.call(x, y))
    for left, right in zip(symbolic.vjp().call(x, y, g), static.vjp().call(x, y, g), strict=True):
        np.testing.assert_array_equal(left, right)


def test_an_operation_that_is_not_refined_is_named() -> None:
    jax = pytest.importorskip("jax", reason="JAX is not installed")
    export = pytest.importorskip("jax.export")
    argument = jax.ShapeDtypeStruct(export.symbolic_shape("b, 4"), "float32")
    exported = export.export(jax.jit(lambda x: jax.numpy.cumsum(x, axis=0)))(argument)
    artifact = mlirbc.open_artifact(bytes(exported.serialize()))
    with pytest.raises(mlirbc.UnsupportedError, match=r"custom call `stablehlo\.dynamic_reduce_window`"):
        artifact.specialize({"b": 4})


def test_missing_sizes_and_assertions_are_errors() -> None:
    artifact = mlirbc.open_artifact(DATA / "containers" / "symbolic.jax")
    with pytest.raises(mlirbc.InvalidError, match="no size for the dimension `b`"):
        artifact.specialize({"a": 4})
    with pytest.raises(mlirbc.InvalidError, match="to be greater or equal to 0, but found -1"):
        artifact.specialize({"a": 1, "b": 3})
    with pytest.raises(mlirbc.InvalidError, match="two sizes"):
        artifact.specialize({"a": 5, "b": 3}, {"0": "tensor<4x8xf32>"})


def test_platforms_remain_arguments() -> None:
    artifact = mlirbc.open_artifact(DATA / "containers" / "norm.jax").specialize({"batch": 4})
    assert artifact.container is not None
    assert artifact.container.exported is not None
    assert artifact.container.exported.uses_global_constants
    assert "?" not in str(artifact.module(0)).replace("/?", "")
