"""Programs over meshes of eight devices: shardings, constraints, manual computations and collectives."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.sharding import AbstractMesh, AxisType, Mesh, NamedSharding, SingleDeviceSharding
from jax.sharding import PartitionSpec as P

from artifacts.programs.registry import program


def mesh(**axes: int) -> Mesh:
    devices = np.array(jax.devices()[: int(np.prod([*axes.values()]))])
    return Mesh(devices.reshape(tuple(axes.values())), tuple(axes))


XY, X, XYZ = mesh(x=2, y=4), mesh(x=8), mesh(x=2, y=2, z=2)


def _placed(
    name: str, run: Any, *arguments: str, on: Mesh = XY, ins: Any, outs: Any = None, **options: Any
) -> None:
    shardings = tuple(spec if spec is None else NamedSharding(on, spec) for spec in ins)
    results = None if outs is None else NamedSharding(on, outs)
    program(
        "sharding",
        name,
        run,
        *arguments,
        jit={"in_shardings": shardings, "out_shardings": results},
        **options,
    )


_placed("rows", lambda x: x + 1, "f32[8,16]", ins=[P("x", None)], outs=P("x"))
_placed("both_dimensions", lambda x: x.T, "f32[8,16]", ins=[P("x", "y")], outs=P("y", "x"))
_placed("two_axes_on_one", lambda x: x * 2, "f32[8,16]", ins=[P(("x", "y"), None)], outs=P(None, ("y", "x")))
_placed("replicated", lambda x: x * 2, "f32[8,16]", ins=[P()], outs=P())
_placed(
    "unconstrained",
    lambda x: lax.with_sharding_constraint(x * 2, NamedSharding(XY, P(P.UNCONSTRAINED, "y"))),
    "f32[8,16]",
    ins=[P("x")],
)
_placed(
    "constraint",
    lambda x: jnp.sin(lax.with_sharding_constraint(x * 2, NamedSharding(XY, P("y", "x")))),
    "f32[8,16]",
    ins=[P("x")],
    outs=P(),
)
_placed(
    "matmul",
    lambda x, y: x @ y,
    "f32[8,16]",
    "f32[16,32]",
    ins=[P("x", None), P(None, "y")],
    outs=P("x", "y"),
)
_placed("one_given", lambda x, y: x + y, "f32[8,16]", "f32[8,16]", ins=[P("x", None), None])
_placed("three_axes", lambda x: x * 2, "f32[8,16,2]", on=XYZ, ins=[P("x", ("z", "y"))], outs=P("y", "x", "z"))
_placed(
    "two_meshes",
    lambda x: lax.with_sharding_constraint(x * 2, NamedSharding(mesh(a=4, b=2), P("b", "a"))),
    "f32[8,16]",
    ins=[P("x")],
)
_placed(
    "while",
    lambda x: lax.fori_loop(
        0, 3, lambda i, v: lax.with_sharding_constraint(v * 2, NamedSharding(XY, P("x"))), x
    ),
    "f32[8,16]",
    ins=[P("x")],
)
_placed(
    "gradient",
    jax.grad(lambda w, x: jnp.sum(jnp.tanh(x @ w))),
    "f32[16,8]",
    "f32[32,16]",
    ins=[P(None, "y"), P("x")],
    outs=P(None, "y"),
)
_placed("symbolic", lambda x: x + 1, "f32[8*b,16]", ins=[P("x", None)], outs=P("x"))
_placed("platforms", lambda x: jnp.sort(x), "f32[8,16]", ins=[P("x", None)], platforms=["cpu", "tpu"])
_placed(
    "random", lambda x: x + jax.random.uniform(jax.random.key(0), x.shape), "f32[8,16]", ins=[P("x", None)]
)
_placed(
    "tpu_memory",
    lambda x: jax.device_put(x, NamedSharding(XY, P("x"), memory_kind="pinned_host")),
    "f32[8,16]",
    ins=[P("x")],
    platforms=["tpu"],
)
_placed(
    "sort_and_conv",
    lambda x, w: (lax.sort(x), lax.conv(x, w, (1,), "SAME")),
    "f32[8,2,16]",
    "f32[4,2,3]",
    ins=[P("x"), P()],
)
_placed("gather", lambda x, i: x[i], "f32[16,8]", "i32[8]", ins=[P("x"), P("y")])

program(
    "sharding",
    "single_device",
    lambda x: x,
    "f32[4]",
    jit={"in_shardings": SingleDeviceSharding(jax.devices()[0])},
)


def _explicit() -> None:
    explicit = jax.make_mesh((2, 4), ("x", "y"), axis_types=(AxisType.Explicit, AxisType.Explicit))

    def run(x: Any, y: Any) -> Any:
        return jax.sharding.reshard(x @ y, NamedSharding(explicit, P(None, "y")))

    ins = (NamedSharding(explicit, P("x", None)), NamedSharding(explicit, P(None, "y")))

    def inside(*arguments: Any) -> Any:
        with jax.sharding.use_abstract_mesh(explicit.abstract_mesh):
            return run(*arguments)

    program("sharding", "explicit_axes", inside, "f32[8,16]", "f32[16,32]", jit={"in_shardings": ins})
    mixed = jax.make_mesh((2, 4), ("x", "y"), axis_types=(AxisType.Explicit, AxisType.Auto))
    program(
        "sharding",
        "mixed_axes",
        lambda x: x * 2,
        "f32[8,16]",
        jit={"in_shardings": NamedSharding(mixed, P("x"))},
    )


_explicit()


def _abstract() -> None:
    on = AbstractMesh((2, 4), ("x", "y"))
    program(
        "sharding",
        "abstract_mesh",
        lambda x: x * 2,
        "f32[8,16]",
        jit={"in_shardings": NamedSharding(on, P("x"))},
        platforms=["tpu"],
    )


_abstract()


def _manual(
    name: str,
    run: Any,
    *arguments: str,
    on: Mesh = XY,
    ins: Any,
    outs: Any,
    axes: set[str] | None = None,
    **options: Any,
) -> None:
    mapped = jax.shard_map(
        run, mesh=on, in_specs=ins, out_specs=outs, check_vma=False, axis_names=axes or {*on.axis_names}
    )
    program("collective", name, mapped, *arguments, **options)


_manual("psum", lambda x: lax.psum(x, "x"), "f32[8,16]", ins=P("x", "y"), outs=P(None, "y"))
_manual("psum_two_axes", lambda x: lax.psum(x, ("x", "y")), "f32[8,16]", ins=P("x", "y"), outs=P())
_manual(
    "pmean_pmax_pmin",
    lambda x: (lax.pmean(x, "x"), lax.pmax(x, "x"), lax.pmin(x, "y")),
    "f32[8,16]",
    ins=P("x", "y"),
    outs=P(),
)
_manual(
    "psum_of_tree", lambda x, y: lax.psum((x, y), "x"), "f32[8,16]", "i32[8]", ins=(P("x"), P("x")), outs=P()
)
_manual(
    "psum_scatter",
    lambda x: lax.psum_scatter(x, "y", scatter_dimension=1, tiled=True),
    "f32[8,16]",
    ins=P("x"),
    outs=P("x", "y"),
)
_manual("psum_scatter_untiled", lambda x: lax.psum_scatter(x, "y"), "f32[4,16]", ins=P(), outs=P("y"))
_manual(
    "psum_groups",
    lambda x: lax.psum(x, "x", axis_index_groups=[[0, 1, 2, 3], [4, 5, 6, 7]]),
    "f32[8,16]",
    on=X,
    ins=P("x"),
    outs=P(),
)
_manual("all_gather", lambda x: lax.all_gather(x, "x"), "f32[8,16]", ins=P("x", "y"), outs=P(None, None, "y"))
_manual(
    "all_gather_tiled",
    lambda x: lax.all_gather(x, "x", axis=1, tiled=True),
    "f32[8,16]",
    ins=P("x"),
    outs=P(),
)
_manual(
    "all_to_all",
    lambda x: lax.all_to_all(x, "x", 1, 0),
    "f32[16,8,8]",
    on=X,
    ins=P(None, None, "x"),
    outs=P("x"),
)
_manual(
    "all_to_all_tiled",
    lambda x: lax.all_to_all(x, "y", 1, 0, tiled=True),
    "f32[8,16]",
    ins=P("y"),
    outs=P(None, "y"),
)
_manual(
    "ppermute",
    lambda x: lax.ppermute(x, "x", [(0, 1), (1, 0)]),
    "f32[8,16]",
    ins=P("x", "y"),
    outs=P("x", "y"),
)
_manual(
    "pbroadcast",
    lambda x: lax.pbroadcast(x, "x", 0),
    "f32[8,16]",
    ins=P("x", "y"),
    outs=P("x", "y"),
    platforms=["cuda"],
)
_manual(
    "axis_index",
    lambda x: x + lax.axis_index("x") + lax.axis_size("y"),
    "f32[8,16]",
    ins=P("x", "y"),
    outs=P("x", "y"),
)
_manual("some_axes_manual", lambda x: lax.psum(x, "x"), "f32[8,16]", ins=P("x"), outs=P(), axes={"x"})
_manual(
    "in_loop",
    lambda x: lax.fori_loop(0, 3, lambda i, v: lax.psum(v, "x") / 2, x),
    "f32[8,16]",
    ins=P("x", "y"),
    outs=P("x", "y"),
)
_manual("of_bfloat", lambda x: lax.psum(x, "x"), "bf16[8,16]", ins=P("x"), outs=P())
_manual(
    "ragged",
    lambda x, o, a, b, c, d: lax.ragged_all_to_all(x, o, a, b, c, d, axis_name="x"),
    "f32[64]",
    "f32[64]",
    "i32[64]",
    "i32[64]",
    "i32[64]",
    "i32[64]",
    on=X,
    ins=P("x"),
    outs=P("x"),
    calls=["ragged_all_to_all"],
)
_manual(
    "random",
    lambda x: x + jax.random.uniform(jax.random.fold_in(jax.random.key(0), lax.axis_index("x")), x.shape),
    "f32[8,16]",
    ins=P("x"),
    outs=P("x"),
)


def _checked(x: Any) -> Any:
    return lax.psum(x * lax.axis_index("y"), ("x", "y"))


program(
    "collective",
    "checked_variance",
    jax.shard_map(_checked, mesh=XY, in_specs=P("x", "y"), out_specs=P()),
    "f32[8,16]",
)
program(
    "collective",
    "gradient",
    jax.grad(
        lambda x: jnp.sum(
            jax.shard_map(lambda v: lax.psum(v * v, "x"), mesh=XY, in_specs=P("x"), out_specs=P())(x)
        )
    ),
    "f32[8,16]",
)
program(
    "collective",
    "nested",
    jax.shard_map(
        lambda x: jax.shard_map(
            lambda v: lax.psum(v, "y"), in_specs=P(None, "y"), out_specs=P(), axis_names={"y"}
        )(x),
        mesh=XY,
        in_specs=P("x"),
        out_specs=P("x"),
        axis_names={"x"},
        check_vma=False,
    ),
    "f32[8,16]",
)
program("collective", "pmap_like", jax.vmap(lambda x: lax.psum(x, "i"), axis_name="i"), "f32[8,16]")
