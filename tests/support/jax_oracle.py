"""The oracle for JAX exports: JAX itself, on the CPU.

A missing JAX skips a test on a developer's machine and fails it where oracles must be there.
"""

import functools
import os
from dataclasses import dataclass
from typing import Any

DEVICES = 8
"""How many devices the CPU pretends to have, for programs that are sharded."""


@dataclass(frozen=True, slots=True)
class Jax:
    """The modules of JAX that tests use."""

    jax: Any
    export: Any


def require() -> Jax:
    """The oracle; skips the running test, or fails it, when there is none."""
    import pytest

    from support import oracles

    found = find()
    if found is None:
        reason = "no jax or no flatbuffers; install the dependency group `test`"
        if oracles.must_be_there():
            pytest.fail(reason)
        pytest.skip(reason)
    return found


@functools.cache
def find() -> Jax | None:
    """The oracle, or nothing when there is none."""
    # Read when JAX makes its devices.
    os.environ.setdefault("XLA_FLAGS", f"--xla_force_host_platform_device_count={DEVICES}")
    os.environ.setdefault("JAX_PLATFORMS", "cpu")
    try:
        import flatbuffers  # noqa: F401
        import jax
        from jax import export
    except ImportError:
        return None
    return Jax(jax, export)
