"""Writes the modules of this folder: `python make_modules.py FOLDER`, with jax 0.10.2, then 0.6.2.

Each program is exported twice. `NAME.dialect.mlirbc` (jax 0.10.2) and `NAME.strings.mlirbc` (jax 0.6.2) have
shardings of Shardy; `NAME.hlo.mlirbc` and `NAME.hlo-0.6.mlirbc` are the same programs with Shardy turned off.
"""

import os
import sys
from pathlib import Path

os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=8"
import jax
import jax.numpy as jnp
import numpy as np
from jax import export
from jax.sharding import Mesh, NamedSharding
from jax.sharding import PartitionSpec as P

jax.config.update("jax_traceback_in_locations_limit", 0)
jax.config.update("jax_hlo_source_file_canonicalization_regex", ".*/")
IS_OLD = jax.__version__ == "0.6.2"
DEVICES = np.array(jax.devices())
PLANE = Mesh(DEVICES.reshape(4, 2), ("rows", "cols"))
# In the order of their names: JAX sorts manual axes where values enter or leave a computation.
CUBE = Mesh(DEVICES.reshape(2, 2, 2), ("a", "m", "z"))
FLAT = Mesh(DEVICES.reshape(8, 1), ("many", "one"))
PROGRAMS = {}


def array(argument):
    if argument == "key":
        return jax.ShapeDtypeStruct((), jax.random.key(0).dtype)
    return jax.ShapeDtypeStruct((8, 8), jnp.float32, sharding=argument)


def program(*arguments, out=None, old=False):
    def define(function):
        if old or not IS_OLD:
            arrays = [array(argument) for argument in arguments]
            PROGRAMS[function.__name__] = (function, arrays, out)
        return function

    return define


def on(mesh, *spec):
    return NamedSharding(mesh, P(*spec))


@program(on(PLANE, "rows"), on(PLANE, None, "cols"), out=on(PLANE, ("cols", "rows")), old=True)
def product(x, y):
    return jnp.tanh(x @ y)


@program(on(PLANE, "rows"), old=True)
def constraint(x):
    return jax.lax.with_sharding_constraint(x + 1, on(PLANE, None, "cols")) * 2


@program(on(PLANE, "rows"), old=True)
def open_dimension(x):
    return jax.lax.with_sharding_constraint(x + 1, on(PLANE, P.UNCONSTRAINED, "cols")) * 2


@program("key", old=True)
def random_key(key):
    return jax.random.key_data(key) + 1


@program(on(PLANE, "rows"))
def manual(x):
    def body(y):
        return jax.lax.psum(y * 2, "rows")

    return jax.shard_map(body, mesh=PLANE, in_specs=P("rows", "cols"), out_specs=P(None, "cols"))(x)


@program(on(CUBE, "z"))
def partly_manual(x):
    def body(y):
        return jax.lax.with_sharding_constraint(y * 2, P(None, "m"))

    axes = {"a", "z"}
    return jax.shard_map(body, mesh=CUBE, in_specs=P("z", "a"), out_specs=P("z", "a"), axis_names=axes)(x) + 1


@program(on(CUBE, "z"))
def nested(x):
    def inner(z):
        return z * 3

    specs = {"in_specs": P(None, "m"), "out_specs": P(None, "m"), "axis_names": {"m"}}

    def outer(y):
        return jax.shard_map(inner, **specs)(y) + 1

    axes = {"a", "z"}
    return jax.shard_map(outer, mesh=CUBE, in_specs=P("z", "a"), out_specs=P("z", "a"), axis_names=axes)(x)


@program(on(CUBE, "z"))
def calls_inside(x):
    def body(y):
        return jax.jit(lambda z: jnp.tanh(z) * 2)(y) + 1

    return jax.shard_map(body, mesh=CUBE, in_specs=P("a"), out_specs=P("a"), axis_names={"a"})(x)


@program(on(FLAT, "one", "many"))
def one_device(x):
    def body(y):
        return y * 2

    return jax.shard_map(body, mesh=FLAT, in_specs=P("one"), out_specs=P("one"), axis_names={"one"})(x)


@program(None, None)
def several(x, y):
    def body(a, b):
        return (a @ b, jax.lax.psum(a, "cols"), jax.lax.all_gather(b, "rows"))

    specs = {"in_specs": (P("rows", "cols"), P("cols")), "out_specs": (P(("rows", "cols")), P("rows"), P())}
    return jax.shard_map(body, mesh=PLANE, **specs, check_vma=False)(x, y)


def main():
    folder = Path(sys.argv[1])
    endings = ["hlo-0.6", "strings"] if IS_OLD else ["hlo", "dialect"]
    for has_shardy, ending in enumerate(endings):
        jax.config.update("jax_use_shardy_partitioner", bool(has_shardy))
        for name, (function, arrays, out) in PROGRAMS.items():
            jitted = jax.jit(function, out_shardings=out) if out else jax.jit(function)
            exported = export.export(jitted)(*arrays)
            (folder / f"{name}.{ending}.mlirbc").write_bytes(exported.mlir_module_serialized)


if __name__ == "__main__":
    main()
