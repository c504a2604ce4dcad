"""Control flow, randomness, custom calls, effects, symbolic shapes, several platforms, containers."""

from __future__ import annotations

import functools
from typing import Any

import jax
import jax.numpy as jnp
from jax import export, lax

from artifacts.programs.registry import program

program(
    "control",
    "while",
    lambda x: lax.while_loop(lambda v: v[0] < 10, lambda v: (v[0] + 1, v[1] * 2), (0, x)),
    "f32[4]",
)
program("control", "fori", lambda n, x: lax.fori_loop(0, n, lambda i, v: v + i, x), "i32", "f32[4]")
program("control", "cond", lambda p, x: lax.cond(p, jnp.sin, jnp.cos, x), "b1", "f32[4]")
program(
    "control", "switch", lambda i, x: lax.switch(i, [jnp.sin, jnp.cos, lambda v: v * 2], x), "i32", "f32[4]"
)
program("control", "scan", lambda x: lax.scan(lambda c, v: (c + v, c * v), jnp.float32(0), x), "f32[8]")
program(
    "control",
    "scan_reverse",
    lambda x: lax.scan(lambda c, v: (c + v, c), 0.0, x, reverse=True, unroll=2),
    "f32[8]",
)
program("control", "map", lambda x: lax.map(jnp.sum, x), "f32[8,3]")
program(
    "control",
    "scan_gradient",
    jax.grad(lambda x: lax.scan(lambda c, v: (c * jnp.sin(v), None), jnp.float32(1), x)[0]),
    "f32[8]",
)
program(
    "control",
    "nested",
    lambda x: lax.while_loop(
        lambda v: jnp.sum(v) < 9,
        lambda v: lax.cond(v[0] > 0, lambda w: lax.fori_loop(0, 3, lambda i, u: u + i, w), lambda w: w, v),
        x,
    ),
    "f32[4]",
)
program(
    "control",
    "while_vmapped",
    jax.vmap(lambda x: lax.while_loop(lambda v: v < 9, lambda v: v * 2, x)),
    "f32[5]",
)
program(
    "control",
    "remat",
    jax.grad(lambda x: jnp.sum(jax.checkpoint(lambda v: jnp.sin(jnp.sin(v)))(x))),
    "f32[4]",
)
program(
    "control",
    "functions",
    lambda x: jax.jit(lambda v: v * 2)(jax.jit(jnp.tanh)(x)) + jax.jit(jnp.tanh)(x),
    "f32[4]",
)
program(
    "control",
    "composite",
    lambda x: lax.composite(lambda v, k: v * k, "my.scale", version=2)(x, k=3.0),
    "f32[4]",
)
program(
    "control",
    "linear_solve",
    lambda x: lax.custom_linear_solve(lambda v: 2 * v, x, lambda f, b: b / 2, symmetric=True),
    "f32[4]",
)
program(
    "control",
    "root",
    lambda x: lax.custom_root(
        lambda v: v * v - x, x, lambda f, v: v / 2, lambda f, y: y / f(jnp.ones_like(y))
    ),
    "f32",
)
program(
    "control",
    "named_scopes",
    lambda x: jax.named_scope("outer")(lambda v: jax.named_scope("in ner")(jnp.sin)(v))(x),
    "f32[4]",
)
program("control", "donated", lambda x, y: x + y, "f32[4]", "f32[4]", jit={"donate_argnums": (0,)})
program("control", "no_arguments", lambda: jnp.arange(3))
program("control", "unused_argument", lambda x, y: x, "f32[4]", "f32[4]")
program("control", "kept_argument", lambda x, y: x, "f32[4]", "f32[4]", jit={"keep_unused": True})
program("control", "same_result_twice", lambda x: (x, x), "f32[4]")
program("control", "trees", lambda x, y: {"b": x, "a": [y, (x + y,)], "n": None}, "f32[4]", "f32[4]")

for _kind in ("threefry2x32", "rbg", "unsafe_rbg"):
    program(
        "random",
        _kind,
        lambda seed, kind=_kind: jax.random.normal(jax.random.key(seed, impl=kind), (3, 4)),
        "i32",
    )
_DISTRIBUTIONS: dict[str, Any] = {
    "uniform": lambda key: jax.random.uniform(key, (3,), minval=-1.0),
    "bits": lambda key: [jax.random.bits(key, (3,), f"uint{bits}") for bits in (8, 16, 32, 64)],
    "randint": lambda key: jax.random.randint(key, (3,), 0, 10),
    "permutation": lambda key: jax.random.permutation(key, 8),
    "categorical": lambda key: jax.random.categorical(key, jnp.ones((3, 4))),
    "gamma": lambda key: jax.random.gamma(key, 2.0, (3,)),
    "poisson": lambda key: jax.random.poisson(key, 3.0, (3,)),
    "truncated_normal": lambda key: jax.random.truncated_normal(key, -1.0, 1.0, (3,)),
    "split_and_fold": lambda key: [
        jax.random.key_data(k) for k in (jax.random.split(key), jax.random.fold_in(key, 3))
    ],
}
for _name, _draw in _DISTRIBUTIONS.items():
    program("random", _name, lambda seed, draw=_draw: draw(jax.random.key(seed)), "i32")
program("random", "rng_uniform", lambda a, b: lax.rng_uniform(a, b, (3,)), "f32", "f32")
for _algorithm in ("RNG_DEFAULT", "RNG_THREE_FRY", "RNG_PHILOX"):
    program(
        "random",
        _algorithm.lower(),
        lambda k, a=_algorithm: lax.rng_bit_generator(k, (5,), algorithm=lax.RandomAlgorithm[a]),
        "u32[4]" if _algorithm != "RNG_THREE_FRY" else "u64[2]",
    )
program(
    "random",
    "threefry_on_cuda",
    lambda seed: jax.random.bits(jax.random.key(seed), (4,)),
    "i32",
    platforms=["cuda"],
    calls=["cu_threefry2x32_ffi"],
)


def _called(name: str, *, effect: bool = False, **attributes: Any) -> Any:
    def run(x: Any) -> Any:
        call = jax.ffi.ffi_call(name, jax.ShapeDtypeStruct(x.shape, x.dtype), has_side_effect=effect)
        return call(x, **attributes)

    return run


import numpy as np  # noqa: E402

program("calls", "ffi", _called("my_call"), "f32[4]", calls=["my_call"])
program("calls", "ffi_effect", _called("my_call", effect=True), "f32[4]", calls=["my_call"])
program(
    "calls",
    "ffi_attributes",
    _called("my_call", a=np.int32(1), b=np.float32(2.5), c="text", d=True, e=np.arange(3)),
    "f32[4]",
    calls=["my_call"],
)
program(
    "calls",
    "ffi_layouts",
    lambda x: jax.ffi.ffi_call(
        "my_call", jax.ShapeDtypeStruct((3, 4), jnp.float32), input_layouts=[(0, 1)], output_layouts=(0, 1)
    )(x),
    "f32[4,3]",
    calls=["my_call"],
)
program(
    "calls",
    "ffi_aliases",
    lambda x: jax.ffi.ffi_call(
        "my_call", jax.ShapeDtypeStruct((3,), jnp.float32), input_output_aliases={0: 0}
    )(x),
    "f32[3]",
    calls=["my_call"],
)
program(
    "calls",
    "ffi_many_results",
    lambda x: jax.ffi.ffi_call(
        "my_call", (jax.ShapeDtypeStruct((3,), jnp.float32), jax.ShapeDtypeStruct((), jnp.int32))
    )(x),
    "f32[3]",
    calls=["my_call"],
)
program(
    "calls",
    "ffi_old_convention",
    lambda x: jax.ffi.ffi_call(
        "my_call",
        jax.ShapeDtypeStruct((3,), jnp.float32),
        custom_call_api_version=2,
        legacy_backend_config='some "config"\x00\xff',
    )(x),
    "f32[3]",
    calls=["my_call"],
)
program(
    "calls",
    "ffi_batched",
    jax.vmap(
        lambda x: jax.ffi.ffi_call(
            "my_call", jax.ShapeDtypeStruct((), jnp.float32), vmap_method="sequential"
        )(x)
    ),
    "f32[3]",
    calls=["my_call"],
)

program("symbolic", "one", lambda x: jnp.sin(x) + 1, "f32[b]")
program("symbolic", "two", lambda x, y: x @ y, "f32[a,b]", "f32[b,c]")
program(
    "symbolic",
    "arithmetic",
    lambda x: (x.reshape((-1,)), jnp.concatenate([x, x]), x[1:]),
    "f32[b,2*b]",
    constraints=["b >= 2"],
)
program("symbolic", "division", lambda x: x.reshape((4, -1)), "f32[4*n]")
program(
    "symbolic", "broadcast_iota", lambda x: jnp.arange(x.shape[0]) + jnp.zeros(x.shape, jnp.int32), "f32[b]"
)
program(
    "symbolic",
    "constraints",
    lambda x, y: x[: y.shape[0]],
    "f32[a]",
    "f32[b]",
    constraints=["a >= b", "mod(a, 2) == 0"],
)
program("symbolic", "dimension_as_value", lambda x: x * x.shape[0], "f32[b]")
program("symbolic", "max_min", lambda x, y: x[: jax.core.min_dim(x.shape[0], y.shape[0])], "f32[a]", "f32[b]")
program("symbolic", "gather", lambda x, i: x[i], "f32[b,4]", "i32[c]")
program(
    "symbolic",
    "dynamic_slice",
    lambda x, i: lax.dynamic_slice_in_dim(x, i, x.shape[0] - 1),
    "f32[b]",
    "i32",
    constraints=["b >= 2"],
)
program("symbolic", "pad", lambda x: jnp.pad(x, (1, x.shape[0])), "f32[b]")
program(
    "symbolic",
    "conv",
    lambda x, w: lax.conv(x, w, (1,), "SAME"),
    "f32[b,2,w]",
    "f32[3,2,3]",
    constraints=["w >= 4"],
)
program(
    "symbolic",
    "reduce_window",
    lambda x: lax.reduce_window(x, 0.0, lax.add, (2,), (1,), "VALID"),
    "f32[b]",
    constraints=["b >= 2"],
)
program("symbolic", "cumsum", lambda x: jnp.cumsum(x), "f32[b]")
program(
    "symbolic", "top_k_and_sort", lambda x: (lax.sort(x), lax.top_k(x, 2)), "f32[b]", constraints=["b >= 2"]
)
program("symbolic", "random", lambda x: jax.random.uniform(jax.random.key(0), x.shape), "f32[b]")
program("symbolic", "scan", lambda x: lax.scan(lambda c, v: (c + v, c), 0.0, x), "f32[b]")
program("symbolic", "cholesky", lambda x: lax.linalg.cholesky(x), "f32[b,4,4]")
program("symbolic", "gradient", jax.grad(lambda x: jnp.mean(x**2)), "f32[b,3]")

program("platforms", "two", lambda x: jnp.sin(x), "f32[4]", platforms=["cpu", "tpu"])
program(
    "platforms",
    "four",
    lambda x: jnp.linalg.cholesky(x),
    "f32[4,4]",
    platforms=["cpu", "cuda", "rocm", "tpu"],
)
program(
    "platforms",
    "dependent",
    lambda x: lax.platform_dependent(x, cpu=jnp.sin, tpu=jnp.cos, default=jnp.tan),
    "f32[4]",
    platforms=["cpu", "tpu", "cuda"],
)
program("platforms", "tpu_only", lambda x: jnp.sort(x), "f32[4]", platforms=["tpu"])
program("platforms", "symbolic", lambda x: jnp.sin(x), "f32[b]", platforms=["cpu", "tpu"])
program("platforms", "oldest_convention", lambda x: jnp.sin(x), "f32[4]")


class _Effect(jax._src.effects.Effect):
    __str__ = lambda self: "ordered"  # noqa: E731

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Effect)

    def __hash__(self) -> int:
        return 1


def _ordered() -> Any:
    from jax._src import core, effects
    from jax._src.interpreters import mlir

    effects.ordered_effects.add_type(_Effect)
    effects.lowerable_effects.add_type(_Effect)
    effects.control_flow_allowed_effects.add_type(_Effect)
    primitive = core.Primitive("touch")
    primitive.def_effectful_abstract_eval(lambda x: (x, {_Effect()}))

    def lower(ctx: Any, x: Any) -> Any:
        tokens = ctx.tokens_in
        token = tokens.get(_Effect())
        ctx.set_tokens_out(mlir.TokenSet({_Effect(): token}))
        return [x]

    mlir.register_lowering(primitive, lower)
    return primitive.bind


try:
    _touch = _ordered()
except Exception:  # an interior of JAX that moved
    pass
else:
    program("effects", "ordered", lambda x: _touch(_touch(x) + 1), "f32[4]")
    program("effects", "ordered_symbolic", lambda x: _touch(x), "f32[b]")
    program("effects", "ordered_in_loop", lambda x: lax.fori_loop(0, 3, lambda i, v: _touch(v), x), "f32[4]")

_quantized = functools.partial(jax.nn.one_hot, num_classes=4)
program("various", "one_hot", _quantized, "i32[3]")
program("various", "interpolate", lambda x: jax.image.resize(x, (7, 9), "bilinear"), "f32[3,4]")
program("various", "polyfit", lambda x, y: jnp.polyfit(x, y, 2), "f32[8]", "f32[8]")
program("various", "histogram", lambda x: jnp.histogram(x, 4), "f32[8]")
program("various", "jvp", lambda x, t: jax.jvp(jnp.sin, (x,), (t,)), "f32[4]", "f32[4]")
program("various", "hessian", jax.hessian(lambda x: jnp.sum(x**3)), "f32[3]")
program(
    "various",
    "erf_special",
    lambda x: (jax.scipy.special.gammaln(x), jax.scipy.special.ndtri(x), jax.scipy.special.i0(x)),
    "f32[4]",
)
program("various", "packed_int4", lambda x, w: x @ (w.astype(jnp.bfloat16) * 0.5), "bf16[4,8]", "i4[8,3]")
program(
    "various",
    "fake_quantized",
    lambda x: (jnp.clip(jnp.round(x / 0.1), -128, 127).astype(jnp.int8), 0.1),
    "f32[4]",
)
program("various", "int2_weights", lambda x, w: x @ w.astype(jnp.float32), "f32[4,8]", "i2[8,3]")


def _again(x: Any) -> Any:
    inner = export.export(jax.jit(lambda v: jnp.sin(v)))(jax.ShapeDtypeStruct((4,), jnp.float32))
    return inner.call(inner.call(x))


program("various", "exported_in_exported", _again, "f32[4]")
