"""The oracles for VHLO, StableHLO, CHLO, MHLO and Shardy, and for JAX exports: jaxlib's MLIR, and JAX.

A missing one skips a test on a developer's machine and fails it where oracles must be there. MLIR ends its
process over some values that no writer makes; `Worker` has a process to lose, this file run as a program.
"""

import functools
import io
import os
import struct
import subprocess
import sys
from types import ModuleType
from typing import IO, Any, NamedTuple, TypeVar

Oracle = TypeVar("Oracle")

DEVICES = 8
"""How many devices the CPU pretends to have, for programs that are sharded."""


class Jaxlib(NamedTuple):
    """A context with all dialects, and the parts of the bindings that tests need."""

    ir: ModuleType
    stablehlo: ModuleType
    context: Any

    def print(self, data: bytes | str, *, locations: bool = False) -> bytes:
        """The text of a module, as `mlir-opt --mlir-print-op-generic` would print it."""
        with self.context:
            module = self.ir.Module.parse(data)
            text = io.BytesIO()
            # Strings may hold bytes that are no text, so bytes are asked for.
            module.operation.print(
                file=text, binary=True, print_generic_op_form=True, enable_debug_info=locations
            )
        return text.getvalue()

    def write(self, data: bytes | str) -> bytes:
        """The module as bytecode of the newest version."""
        with self.context:
            module = self.ir.Module.parse(data)
            file = io.BytesIO()
            module.operation.write_bytecode(file)
        return file.getvalue()

    @staticmethod
    def export_portable(data: bytes, version: str) -> bytes:
        """The portable artifact of a StableHLO module as `jax.export` writes it."""
        from jaxlib import _jax

        return bytes(_jax.mlir.serialize_portable_artifact(data, version, True))


class Jax(NamedTuple):
    """The modules of JAX that tests use, on the CPU."""

    jax: ModuleType
    export: ModuleType


def require() -> Jaxlib:
    """MLIR; skips the running test, or fails it, when there is none."""
    return _required(find(), "jaxlib")


def require_jax() -> Jax:
    """JAX; skips the running test, or fails it, when there is none."""
    return _required(find_jax(), "jax or no flatbuffers")


def _required(oracle: Oracle | None, name: str) -> Oracle:
    import pytest

    from support import oracles

    if oracle is None:
        reason = f"no {name}; install the dependency group `test`"
        if oracles.must_be_there():
            pytest.fail(reason)
        pytest.skip(reason)
    return oracle


@functools.cache
def find_jax() -> Jax | None:
    """JAX, or nothing when there is none."""
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


@functools.cache
def find() -> Jaxlib | None:
    """The oracle, or nothing when there is none."""
    try:
        from jaxlib.mlir import ir
        from jaxlib.mlir._mlir_libs import _jax_mlir_ext, _sdy, _sdyMpmd
        from jaxlib.mlir.dialects import chlo, mhlo, stablehlo
    except ImportError:
        return None
    context = ir.Context()
    stablehlo.register_dialect(context)
    chlo.register_dialect(context)
    mhlo.register_mhlo_dialect(context)
    _sdy.register_dialect(context)
    _sdyMpmd.register_dialect(context)
    registry = ir.DialectRegistry()
    _jax_mlir_ext.register_dialects(registry)
    context.append_dialect_registry(registry)
    context.load_all_available_dialects()
    context.allow_unregistered_dialects = True
    return Jaxlib(ir, stablehlo, context)


class Worker:
    """The oracle in a process of its own."""

    def __init__(self) -> None:
        self.process: subprocess.Popen[bytes] | None = None

    def read_and_write(self, data: bytes) -> tuple[bytes, bytes] | None:
        """The text of a module, and its bytecode anew; nothing when the oracle refuses it or ends over it."""
        if self.process is None:
            command = [sys.executable, __file__]
            pipe, null = subprocess.PIPE, subprocess.DEVNULL
            self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=null)
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        send(self.process.stdin, data)
        answer = [receive(self.process.stdout) for _ in range(2)]
        if None in answer:
            self.close()
            return None
        text, written = answer
        return (text, written) if text and written else None

    def close(self) -> None:
        """Ends the process; the next question starts another one."""
        if self.process is not None:
            self.process.kill()
            self.process.communicate()
            self.process = None


def send(file: IO[bytes], data: bytes) -> None:
    file.write(struct.pack("<Q", len(data)) + data)
    file.flush()


def receive(file: IO[bytes]) -> bytes | None:
    """The bytes that were sent; nothing at the end of the file."""
    head = file.read(8)
    return file.read(*struct.unpack("<Q", head)) if len(head) == 8 else None


def serve() -> None:
    oracle = find()
    assert oracle is not None
    while (data := receive(sys.stdin.buffer)) is not None:
        try:
            answer = [oracle.print(data), oracle.write(data)]
        except oracle.ir.MLIRError:
            # Both are never empty otherwise.
            answer = [b"", b""]
        for part in answer:
            send(sys.stdout.buffer, part)


if __name__ == "__main__":
    serve()
