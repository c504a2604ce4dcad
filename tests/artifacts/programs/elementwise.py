"""Element by element: arithmetic, comparisons, conversions, all element types."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
from jax import lax

from artifacts.programs.registry import COMPLEX, FLOATS, INTEGERS, SMALL_FLOATS, TYPES, program

KEPT = [name for name in TYPES if name not in ("i2", "u2")]
"""Types that an exported file of JAX can name; other types reach the module alone."""

UNARY_FLOAT = [
    "abs",
    "acos",
    "acosh",
    "asin",
    "asinh",
    "atan",
    "atanh",
    "bessel_i0e",
    "bessel_i1e",
    "cbrt",
    "ceil",
    "cos",
    "cosh",
    "digamma",
    "erf",
    "erfc",
    "erf_inv",
    "exp",
    "exp2",
    "expm1",
    "floor",
    "is_finite",
    "lgamma",
    "log",
    "log1p",
    "logistic",
    "neg",
    "round",
    "rsqrt",
    "sign",
    "sin",
    "sinh",
    "sqrt",
    "square",
    "tan",
    "tanh",
]
BINARY_FLOAT = [
    "add",
    "atan2",
    "div",
    "max",
    "min",
    "mul",
    "nextafter",
    "pow",
    "rem",
    "sub",
    "igamma",
    "igammac",
]
BINARY_INTEGER = ["add", "div", "max", "min", "mul", "rem", "sub"]
BINARY_BITS = [
    "bitwise_and",
    "bitwise_or",
    "bitwise_xor",
    "shift_left",
    "shift_right_arithmetic",
    "shift_right_logical",
]
UNARY_INTEGER = ["abs", "bitwise_not", "clz", "population_count", "neg", "sign"]
COMPARISONS = ["eq", "ne", "lt", "le", "gt", "ge"]

for _name in UNARY_FLOAT:
    program("unary", _name, getattr(lax, _name), "f32[4,8]")
for _name in BINARY_FLOAT:
    program("binary", _name, getattr(lax, _name), "f32[4,8]", "f32[4,8]")


def _all_of(names: list[str], *values: Any) -> list[Any]:
    return [getattr(lax, name)(*values) for name in names]


for _type in FLOATS:
    program(
        "types", f"float_{_type}", lambda x, y: _all_of(BINARY_FLOAT[:6], x, y), f"{_type}[3]", f"{_type}[3]"
    )
for _type in INTEGERS:
    program(
        "types",
        f"integer_{_type}",
        lambda x, y: [*_all_of(BINARY_INTEGER, x, y), *_all_of(BINARY_BITS, x, y), x + jnp.ones_like(x)],
        f"{_type}[5]",
        f"{_type}[5]",
    )
    if _type[0] == "i" and _type not in ("i2", "i4"):
        program("types", f"unary_{_type}", lambda x: _all_of(UNARY_INTEGER, x), f"{_type}[5]")
for _type in SMALL_FLOATS:
    program(
        "types",
        f"small_{_type}",
        lambda x: (x.astype(jnp.float32) * 2, jnp.full((3,), 1.5, x.dtype), x == x, lax.neg(x)),
        f"{_type}[3]",
    )
for _type in COMPLEX:
    program(
        "types",
        f"complex_{_type}",
        lambda x, y: (
            x * y + lax.conj(x),
            lax.real(x),
            lax.imag(y),
            lax.abs(x),
            lax.exp(x),
            jnp.sqrt(y),
            x / 1j,
        ),
        f"{_type}[3]",
        f"{_type}[3]",
    )
program("types", "boolean", lambda x, y: (x & y, x | y, ~x, x ^ y, jnp.where(x, 1, 2)), "b1[4]", "b1[4]")
program(
    "types", "constants", lambda x: [jnp.asarray([0, 1, 1, 0], TYPES[name]) for name in KEPT] + [x], "f32"
)
program("types", "splats", lambda x: [jnp.full((2, 3), 1, TYPES[name]) for name in KEPT] + [x], "f32")
program("types", "casts", lambda x: [x.astype(TYPES[name]) for name in KEPT], "f32[3]")
program("types", "casts_of_integer", lambda x: [x.astype(TYPES[name]) for name in KEPT], "i8[3]")
program(
    "types",
    "numbers",
    lambda x: x + jnp.asarray([jnp.nan, jnp.inf, -jnp.inf, -0.0, 1e-45, 3.4028235e38], jnp.float32),
    "f32[6]",
)
program("types", "large_constant", lambda x: x + jnp.arange(1000, dtype=jnp.float32), "f32[1000]")
program("types", "empty", lambda x: (x + 1, jnp.zeros((0, 3)), jnp.asarray([], jnp.int32)), "f32[0,4]")

for _name in COMPARISONS:
    program(
        "compare",
        _name,
        lambda x, y, i, j, name=_name: (getattr(lax, name)(x, y), getattr(lax, name)(i, j)),
        "f32[4]",
        "f32[4]",
        "i32[4]",
        "i32[4]",
    )
program(
    "compare",
    "unsigned_and_bool",
    lambda x, y, p, q: (x < y, p == q, p != q),
    "u8[3]",
    "u8[3]",
    "b1[3]",
    "b1[3]",
)
program("compare", "complex", lambda x, y: (x == y, x != y), "c64[3]", "c64[3]")
program("compare", "total_order", lambda x: lax.sort(x), "f32[7]")
program(
    "compare",
    "select_n",
    lambda p, x, y: lax.select_n(p, x, y),
    "i32[4]",
    "f32[4]",
    "f32[4]",
    platforms=["cpu"],
)
program("compare", "select_scalar", lambda p, x, y: lax.select(p, x, y), "b1", "f32[4]", "f32[4]")
program("compare", "clamp", lambda lo, x, hi: lax.clamp(lo, x, hi), "f32", "f32[4]", "f32")
program("compare", "nan_to_num", jnp.nan_to_num, "f32[4]")

program("convert", "bitcast_same", lambda x: lax.bitcast_convert_type(x, jnp.int32), "f32[4]")
program("convert", "bitcast_narrower", lambda x: lax.bitcast_convert_type(x, jnp.uint8), "f32[4]")
program("convert", "bitcast_wider", lambda x: lax.bitcast_convert_type(x, jnp.float64), "u8[4,8]")
program("convert", "bitcast_int4", lambda x: lax.bitcast_convert_type(x, jnp.int8), "i4[4,2]")
program("convert", "reduce_precision", lambda x: lax.reduce_precision(x, 5, 10), "f32[4]")
program("convert", "complex_parts", lambda x, y: lax.complex(x, y), "f32[4]", "f32[4]")
program(
    "convert",
    "stochastic",
    lambda x, r: jax.lax.convert_element_type(x + r, jnp.bfloat16),
    "f32[4]",
    "f32[4]",
)
program("convert", "int_pow", lambda x: (lax.integer_pow(x, 3), lax.integer_pow(x, -2)), "f32[4]")
program("convert", "barrier", lambda x, y: lax.optimization_barrier((x, y)), "f32[4]", "i32[2]")
program("convert", "accuracy", lambda x: lax.exp(x, accuracy=lax.AccuracyMode.HIGHEST), "f32[4]")
program(
    "convert",
    "accuracy_tolerance",
    lambda x: lax.log(x, accuracy=lax.Tolerance(atol=1e-5, rtol=1e-6, ulps=2)),
    "f32[4]",
)
program("convert", "gelu", lambda x: (jax.nn.gelu(x), jax.nn.softmax(x), jax.nn.silu(x)), "f32[4,8]")
program("convert", "polygamma_zeta", lambda x, y: (lax.polygamma(x, y), lax.zeta(x, y)), "f32[4]", "f32[4]")
program("convert", "regularized_beta", lambda a, b, x: lax.betainc(a, b, x), "f32[4]", "f32[4]", "f32[4]")
program("convert", "random_gamma_grad", lambda a, x: lax.random_gamma_grad(a, x), "f32[4]", "f32[4]")
program("convert", "custom_jvp", lambda x: jax.nn.relu(x) + jax.nn.relu6(x), "f32[4]")
