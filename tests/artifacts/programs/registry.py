"""The programs by name, and how one is exported."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
from jax import export

TYPES = {
    "bf16": "bfloat16",
    "f4e2m1": "float4_e2m1fn",
    "f8e3m4": "float8_e3m4",
    "f8e4m3": "float8_e4m3",
    "f8e4m3b11fnuz": "float8_e4m3b11fnuz",
    "f8e4m3fn": "float8_e4m3fn",
    "f8e4m3fnuz": "float8_e4m3fnuz",
    "f8e5m2": "float8_e5m2",
    "f8e5m2fnuz": "float8_e5m2fnuz",
    "f8e8m0": "float8_e8m0fnu",
    "f16": "float16",
    "f32": "float32",
    "f64": "float64",
    "c64": "complex64",
    "c128": "complex128",
    "b1": "bool",
    **{f"i{bits}": f"int{bits}" for bits in (2, 4, 8, 16, 32, 64)},
    **{f"u{bits}": f"uint{bits}" for bits in (2, 4, 8, 16, 32, 64)},
}
"""JAX's name of each element type, by a short one."""

FLOATS = ("bf16", "f16", "f32", "f64")
SMALL_FLOATS = tuple(name for name in TYPES if name.startswith(("f4", "f8")))
INTEGERS = tuple(name for name in TYPES if name[0] in "iu")
COMPLEX = ("c64", "c128")


class Program(NamedTuple):
    family: str
    name: str
    run: Callable[..., Any]
    arguments: tuple[Any, ...]
    jit: dict[str, Any]
    options: dict[str, Any]


PROGRAMS: dict[str, Program] = {}


def program(
    family: str,
    name: str,
    run: Callable[..., Any],
    *arguments: str,
    jit: dict[str, Any] | None = None,
    **options: Any,
) -> None:
    """Adds a program whose arguments are written as `f32[4,8]`; dimensions may be symbolic."""
    key = f"{family}.{name}"
    assert key not in PROGRAMS, key
    PROGRAMS[key] = Program(family, name, run, arguments, jit or {}, options)


def specification(written: str, scope: Any) -> jax.ShapeDtypeStruct:
    match = re.fullmatch(r"(\w+)(?:\[(.*)\])?", written)
    assert match is not None, written
    shape = export.symbolic_shape(match[2] or "", scope=scope)
    return jax.ShapeDtypeStruct(shape, jnp.dtype(TYPES[match[1]]))


def exported(entry: Program) -> export.Exported:
    options = dict(entry.options)
    scope = export.SymbolicScope(options.pop("constraints", ()))
    checks = [export.DisabledSafetyCheck.custom_call(name) for name in options.pop("calls", ())]
    jit = dict(entry.jit)
    with jax.enable_x64(True):
        arguments = [specification(written, scope) for written in entry.arguments]
        called = entry.run if options.pop("is_jitted", False) else jax.jit(named(entry), **jit)
        return export.export(called, disabled_checks=checks, **options)(*arguments)


def named(entry: Program) -> Callable[..., Any]:
    """The function by the name of its program, which is the name of the module."""

    def run(*arguments: Any) -> Any:
        return entry.run(*arguments)

    run.__name__ = run.__qualname__ = re.sub(r"\W", "_", entry.name)
    return run


def size(shape: tuple[int, ...]) -> int:
    return math.prod(shape)
