"""Files that a sender with all dialects writes, and a receiver without any.

`mlir-minimal-opt` of 22 has no dialect but the builtin one; it stands for the receiver. `mlir-opt` stands
for the sender.
"""

import subprocess
from pathlib import Path

import mlirbc
import pytest

from support import oracles

ALLOW = ["--allow-unregistered-dialect"]


def minimal_opt() -> Path:
    """The receiver that knows nothing but the builtin dialect."""
    binary = oracles.require(22).with_name("mlir-minimal-opt")
    if not binary.exists():
        if oracles.must_be_there():
            pytest.fail(f"no {binary}")
        pytest.skip(f"no {binary}")
    return binary


def receive(data: bytes, *args: str) -> oracles.Output:
    done = subprocess.run(
        [minimal_opt(), *args, "-"], input=data, capture_output=True, check=False, timeout=60
    )
    return oracles.Output(done.returncode, done.stdout, done.stderr.decode("utf-8", "replace"))


def sent(text: str, version: int = 6) -> bytes:
    oracles.require(22)
    return oracles.checked(oracles.run_mlir_opt(22, oracles.emit_args(22, version), text))


def dialects_of(module: mlirbc.Module) -> list[str]:
    return [dialect.name for dialect in module.dialects if dialect.name != "builtin"]


def first(module: mlirbc.Module) -> mlirbc.Operation:
    return module.body.operations[0]


def assert_kept(data: bytes, unknown: list[str]) -> mlirbc.Module:
    """Reads it without decoders, and gives the same bytes again, also through the editor."""
    module = mlirbc.read(data, unknown_dialects=unknown)
    for op in module.operations:
        op.walk(lambda inner: mlirbc.WalkResult.ADVANCE)
    assert module.write() == data
    assert module.edit().write() == data
    assert mlirbc.fallback.plan_write(module).mode == mlirbc.fallback.WriteMode.VERBATIM
    return module
