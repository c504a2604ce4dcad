"""Shapes, reductions, windows, products, gathers, sorting."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from artifacts.programs.registry import program

program("shape", "reshape", lambda x: lax.reshape(x, (8, 4)), "f32[4,8]")
program("shape", "transpose", lambda x: lax.transpose(x, (2, 0, 1)), "f32[2,3,4]")
program("shape", "broadcast", lambda x: lax.broadcast_in_dim(x, (2, 3, 4), (0, 2)), "f32[2,4]")
program("shape", "concatenate", lambda x, y: lax.concatenate([x, y, x], 1), "f32[2,3]", "f32[2,5]")
program("shape", "slice", lambda x: lax.slice(x, (1, 0), (7, 4), (2, 1)), "f32[8,4]")
program("shape", "reverse", lambda x: lax.rev(x, (0, 2)), "i32[2,3,4]")
program("shape", "pad", lambda x: lax.pad(x, np.float32(0), ((1, 2, 0), (-1, 0, 1))), "f32[3,4]")
program("shape", "iota", lambda: (lax.iota(jnp.int32, 5), lax.broadcasted_iota(jnp.float32, (2, 3), 1)))
program(
    "shape", "iota_of_types", lambda: [lax.iota(t, 4) for t in ("int8", "uint64", "bfloat16", "complex64")]
)
program(
    "shape", "dynamic_slice", lambda x, i, j: lax.dynamic_slice(x, (i, j), (2, 3)), "f32[8,8]", "i32", "i32"
)
program(
    "shape",
    "dynamic_update_slice",
    lambda x, y, i: lax.dynamic_update_slice(x, y, (i, i)),
    "f32[8,8]",
    "f32[2,2]",
    "i64",
)
program("shape", "squeeze_expand", lambda x: lax.expand_dims(lax.squeeze(x, (1,)), (0, 2)), "f32[4,1,3]")
program(
    "shape", "tile_and_stack", lambda x: (jnp.tile(x, (2, 3)), jnp.stack([x, x]), jnp.roll(x, 2)), "f32[3,4]"
)
program("shape", "split", lambda x: lax.split(x, (1, 2, 3), 1), "f32[2,6]")

for _name, _reduce in {
    "sum": jnp.sum,
    "prod": jnp.prod,
    "max": jnp.max,
    "min": jnp.min,
    "argmax": jnp.argmax,
    "argmin": jnp.argmin,
    "mean": jnp.mean,
    "var": jnp.var,
}.items():
    program("reduce", _name, lambda x, reduce=_reduce: (reduce(x, axis=1), reduce(x)), "f32[4,8]")
program("reduce", "all_any", lambda x: (jnp.all(x, axis=0), jnp.any(x)), "b1[4,8]")
program("reduce", "sum_of_bfloat", lambda x: jnp.sum(x, axis=1), "bf16[4,8]")
program(
    "reduce",
    "and_or_xor",
    lambda x: [
        lax.reduce(x, np.int32(0), f, (0,)) for f in (lax.bitwise_and, lax.bitwise_or, lax.bitwise_xor)
    ],
    "i32[4,8]",
)
program(
    "reduce",
    "two_values",
    lambda x, i: lax.reduce(
        (x, i),
        (jnp.float32(0), jnp.int32(0)),
        lambda a, b: (lax.select(a[0] > b[0], a[0], b[0]), lax.select(a[0] > b[0], a[1], b[1])),
        (1,),
    ),
    "f32[4,8]",
    "i32[4,8]",
)
program("reduce", "logsumexp", lambda x: jax.scipy.special.logsumexp(x, axis=-1), "f32[4,8]")
program("reduce", "precision", lambda x: lax.reduce_precision(jnp.sum(x), 8, 7), "f32[4,8]")

for _scan in (lax.cumsum, lax.cumprod, lax.cummax, lax.cummin, lax.cumlogsumexp):
    program(
        "cumulative",
        _scan.__name__,
        lambda x, scan=_scan: (scan(x, 0), scan(x, 1, reverse=True)),
        "f32[4,8]",
    )
program("cumulative", "associative_scan", lambda x: lax.associative_scan(jnp.add, x), "f32[8]")

program(
    "window",
    "max_pool",
    lambda x: lax.reduce_window(x, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "SAME"),
    "f32[2,8,8,3]",
)
program(
    "window",
    "dilated",
    lambda x: lax.reduce_window(
        x, 0.0, lax.add, (2, 3), (1, 2), [(1, 1), (0, 2)], base_dilation=(2, 1), window_dilation=(1, 2)
    ),
    "f32[8,9]",
)
program(
    "window",
    "two_values",
    lambda x, y: lax.reduce_window(
        (x, y), (np.float32(0), np.float32(0)), lambda a, b: (a[0] + b[0], a[1] * b[1]), (2,), (2,), "VALID"
    ),
    "f32[8]",
    "f32[8]",
)
program(
    "window",
    "max_pool_gradient",
    jax.grad(lambda x: jnp.sum(lax.reduce_window(x, -jnp.inf, lax.max, (2, 2), (2, 2), "VALID"))),
    "f32[8,8]",
)
program(
    "window",
    "min_pool_gradient",
    jax.grad(lambda x: jnp.sum(lax.reduce_window(x, jnp.inf, lax.min, (3,), (2,), "SAME"))),
    "f32[8]",
)
program(
    "window",
    "average_pool_gradient",
    jax.grad(lambda x: jnp.sum(lax.reduce_window(x, 0.0, lax.add, (2,), (2,), "VALID") ** 2)),
    "f32[8]",
)

_CONTRACT = (((1,), (0,)), ((), ()))
program("dot", "matmul", lambda x, y: x @ y, "f32[4,8]", "f32[8,3]")
program(
    "dot",
    "batch",
    lambda x, y: lax.dot_general(x, y, (((2,), (1,)), ((0,), (0,)))),
    "f32[5,4,8]",
    "f32[5,8,3]",
)
program("dot", "outer", lambda x, y: lax.dot_general(x, y, (((), ()), ((), ()))), "f32[4]", "f32[3]")
program("dot", "vector", lambda x, y: jnp.dot(x, y), "f32[4]", "f32[4]")
for _precision in ("default", "high", "highest"):
    program(
        "dot",
        f"precision_{_precision}",
        lambda x, y, p=_precision: lax.dot(x, y, precision=p),
        "f32[4,8]",
        "f32[8,3]",
    )
program(
    "dot",
    "precision_mixed",
    lambda x, y: lax.dot(x, y, precision=("high", "highest")),
    "f32[4,8]",
    "f32[8,3]",
)
for _algorithm in lax.DotAlgorithmPreset:
    if _algorithm.name != "DEFAULT":
        _types = _algorithm.supported_lhs_types
        _type = (
            {"float64": "f64", "bfloat16": "bf16", "float16": "f16"}.get(str(np.dtype(_types[0])), "f32")
            if _types
            else "f8e5m2"
        )
        program(
            "dot",
            f"algorithm_{_algorithm.name.lower()}",
            lambda x, y, a=_algorithm: lax.dot_general(x, y, _CONTRACT, precision=a),
            f"{_type}[4,8]",
            f"{_type}[8,3]",
            platforms=["cuda"],
        )
for _type in ("bf16", "i8", "u8", "c64", "i4", "f8e4m3fn"):
    program(
        "dot",
        f"types_{_type}",
        lambda x, y: lax.dot_general(
            x,
            y,
            _CONTRACT,
            preferred_element_type=jnp.complex64
            if x.dtype == jnp.complex64
            else jnp.int32
            if jnp.issubdtype(x.dtype, jnp.integer)
            else jnp.float32,
        ),
        f"{_type}[4,8]",
        f"{_type}[8,3]",
    )
program("dot", "einsum", lambda x, y: jnp.einsum("abc,dcb->ad", x, y), "f32[2,3,4]", "f32[5,4,3]")
program(
    "dot",
    "scaled_matmul",
    lambda a, b, p, q: jax.nn.scaled_matmul(a, b, p, q, preferred_element_type=jnp.float32),
    "f8e4m3fn[1,32,64]",
    "f8e4m3fn[1,16,64]",
    "f8e8m0[1,32,2]",
    "f8e8m0[1,16,2]",
    platforms=["cuda"],
    calls=["__op$block_scaled_dot"],
)
program("dot", "ragged", lambda x, y, g: lax.ragged_dot(x, y, g), "f32[8,4]", "f32[3,4,5]", "i32[3]")
program(
    "dot",
    "attention",
    lambda q, k, v: jax.nn.dot_product_attention(q, k, v, is_causal=True),
    "f32[2,4,2,8]",
    "f32[2,4,2,8]",
    "f32[2,4,2,8]",
)

program("conv", "plain", lambda x, w: lax.conv(x, w, (1, 1), "SAME"), "f32[2,3,8,8]", "f32[4,3,3,3]")
program(
    "conv",
    "nhwc",
    lambda x, w: lax.conv_general_dilated(
        x, w, (2, 1), [(1, 0), (0, 2)], dimension_numbers=("NHWC", "HWIO", "NHWC")
    ),
    "f32[2,8,8,3]",
    "f32[3,3,3,4]",
)
program(
    "conv",
    "dilated",
    lambda x, w: lax.conv_general_dilated(x, w, (1,), [(2, 1)], lhs_dilation=(2,), rhs_dilation=(3,)),
    "f32[1,2,16]",
    "f32[3,2,3]",
)
program(
    "conv",
    "groups",
    lambda x, w: lax.conv_general_dilated(x, w, (1, 1), "SAME", feature_group_count=3),
    "f32[2,3,8,8]",
    "f32[6,1,3,3]",
)
program(
    "conv",
    "batch_groups",
    lambda x, w: lax.conv_general_dilated(x, w, (1, 1), "VALID", batch_group_count=2),
    "f32[4,3,8,8]",
    "f32[6,3,3,3]",
)
program(
    "conv", "transpose", lambda x, w: lax.conv_transpose(x, w, (2, 2), "SAME"), "f32[2,8,8,3]", "f32[3,3,3,4]"
)
program(
    "conv",
    "gradient",
    jax.grad(lambda w, x: jnp.sum(lax.conv(x, w, (1, 1), "SAME") ** 2)),
    "f32[4,3,3,3]",
    "f32[2,3,8,8]",
)
program("conv", "no_space", lambda x, w: lax.conv_general_dilated(x, w, (), "VALID"), "f32[2,3]", "f32[4,3]")
program(
    "conv",
    "precision_and_type",
    lambda x, w: lax.conv_general_dilated(
        x, w, (1,), "VALID", precision="highest", preferred_element_type=jnp.float32
    ),
    "bf16[1,2,16]",
    "bf16[3,2,3]",
)
program(
    "conv",
    "integers",
    lambda x, w: lax.conv_general_dilated(x, w, (1,), "VALID", preferred_element_type=jnp.int32),
    "i8[1,2,16]",
    "i8[3,2,3]",
)

program("gather", "index", lambda x, i: x[i], "f32[8,4]", "i32[3]")
program("gather", "index_many", lambda x, i, j: x[i, :, j], "f32[8,4,5]", "i32[3]", "i32[3]")
program(
    "gather",
    "take_modes",
    lambda x, i: [jnp.take(x, i, axis=1, mode=m) for m in ("clip", "wrap", "fill")],
    "f32[8,4]",
    "i32[3]",
)
program("gather", "take_along", lambda x, i: jnp.take_along_axis(x, i, axis=1), "f32[8,4]", "i32[8,2]")
program(
    "gather",
    "batching_dimensions",
    lambda x, i: lax.gather(
        x,
        i,
        lax.GatherDimensionNumbers(
            offset_dims=(1,),
            collapsed_slice_dims=(1,),
            start_index_map=(1,),
            operand_batching_dims=(0,),
            start_indices_batching_dims=(0,),
        ),
        (1, 1, 3),
        indices_are_sorted=True,
        unique_indices=True,
        mode="promise_in_bounds",
    ),
    "f32[5,4,3]",
    "i32[5,1]",
)
program("gather", "vmapped", jax.vmap(lambda x, i: lax.dynamic_index_in_dim(x, i)), "f32[5,4]", "i32[5]")
program("gather", "gradient", jax.grad(lambda x, i: jnp.sum(x[i] ** 2)), "f32[8,4]", "i32[3]")
for _name in ("set", "add", "mul", "min", "max", "apply"):
    if _name == "apply":
        program("scatter", _name, lambda x, i: x.at[i].apply(jnp.sin), "f32[8]", "i32[3]")
    else:
        program(
            "scatter",
            _name,
            lambda x, i, v, name=_name: getattr(x.at[i], name)(v),
            "f32[8,4]",
            "i32[3]",
            "f32[3,4]",
        )
program(
    "scatter",
    "flags",
    lambda x, i, v: x.at[i].add(v, indices_are_sorted=True, unique_indices=True, mode="drop"),
    "f32[8]",
    "i32[3]",
    "f32[3]",
)
program("scatter", "vmapped", jax.vmap(lambda x, i, v: x.at[i].add(v)), "f32[5,8]", "i32[5,3]", "f32[5,3]")
program("scatter", "segment_sum", lambda x, i: jax.ops.segment_sum(x, i, 4), "f32[8,2]", "i32[8]")
program("scatter", "complex", lambda x, i, v: x.at[i].add(v), "c64[8]", "i32[3]", "c64[3]")

program("sort", "one", lambda x: lax.sort(x, dimension=0), "f32[4,8]")
program("sort", "unstable", lambda x: lax.sort(x, is_stable=False), "i32[4,8]")
program("sort", "many", lambda x, y, z: lax.sort((x, y, z), num_keys=2), "f32[8]", "i32[8]", "bf16[8]")
program("sort", "argsort", lambda x: jnp.argsort(x, descending=True), "f32[8]")
program("sort", "complex", lambda x: lax.sort(x), "c64[8]")
program(
    "sort",
    "median_unique",
    lambda x: (jnp.median(x), jnp.unique(x, size=4), jnp.searchsorted(x, x)),
    "f32[8]",
)
program("sort", "top_k", lambda x: lax.top_k(x, 3), "f32[4,8]")
program("sort", "approx_max_k", lambda x: lax.approx_max_k(x, 3), "f32[4,64]")
program("sort", "approx_min_k_tpu", lambda x: lax.approx_min_k(x, 3), "f32[4,64]", platforms=["tpu"])

for _kind, _type in {"fft": "c64", "ifft": "c64", "rfft": "f32", "irfft": "c64"}.items():
    program("fft", _kind, getattr(jnp.fft, _kind), f"{_type}[4,8]")
program("fft", "three_dimensions", lambda x: jnp.fft.fftn(x), "c128[2,4,8]")
program("fft", "double", lambda x: jnp.fft.rfft2(x), "f64[4,8]")


def _linear_algebra() -> None:
    def both(name: str, run: Any, *arguments: str) -> None:
        program("linalg", name, run, *arguments)
        program("linalg", f"{name}_everywhere", run, *arguments, platforms=["cpu", "cuda", "tpu"])

    both("cholesky", lambda x: lax.linalg.cholesky(x), "f32[4,4]")
    both("qr", lambda x: lax.linalg.qr(x), "f32[5,3]")
    both("lu", lambda x: lax.linalg.lu(x), "f32[4,4]")
    both("svd", lambda x: lax.linalg.svd(x), "f32[5,3]")
    both("eigh", lambda x: lax.linalg.eigh(x), "f32[4,4]")
    both("solve", lambda x, y: jnp.linalg.solve(x, y), "f32[4,4]", "f32[4,2]")
    both(
        "triangular",
        lambda x, y: lax.linalg.triangular_solve(x, y, left_side=True, lower=True),
        "f32[4,4]",
        "f32[4,2]",
    )
    program("linalg", "eig", lambda x: lax.linalg.eig(x), "f64[4,4]")
    program("linalg", "schur", lambda x: lax.linalg.schur(x), "f64[4,4]")
    program("linalg", "hessenberg", lambda x: lax.linalg.hessenberg(x), "f64[4,4]")
    program("linalg", "tridiagonal", lambda x: lax.linalg.tridiagonal(x, lower=True), "f64[4,4]")
    program(
        "linalg",
        "tridiagonal_solve",
        lambda a, b, c, d: lax.linalg.tridiagonal_solve(a, b, c, d),
        "f32[4]",
        "f32[4]",
        "f32[4]",
        "f32[4,1]",
    )
    program("linalg", "determinant", lambda x: (jnp.linalg.det(x), tuple(jnp.linalg.slogdet(x))), "f32[4,4]")
    program("linalg", "cholesky_complex", lambda x: lax.linalg.cholesky(x), "c128[4,4]")
    program("linalg", "batched_solve", lambda x, y: jnp.linalg.solve(x, y), "f32[b,4,4]", "f32[b,4,2]")


_linear_algebra()
