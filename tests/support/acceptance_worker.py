"""Reads, prints and writes modules with the MLIR of a Python package: the far end of `acceptance.Package`."""

import importlib.util
import io
import struct
import sys
from collections.abc import Callable
from typing import IO, Any


def send(file: IO[bytes], *parts: bytes) -> None:
    """Writes a message of some parts."""
    file.write(struct.pack("<I", len(parts)))
    for part in parts:
        file.write(struct.pack("<Q", len(part)) + part)
    file.flush()


def receive(file: IO[bytes]) -> list[bytes]:
    """Reads a message; `EOFError` at the end."""

    def exactly(count: int) -> bytes:
        data = file.read(count)
        if len(data) != count:
            raise EOFError
        return data

    (count,) = struct.unpack("<I", exactly(4))
    return [exactly(struct.unpack("<Q", exactly(8))[0]) for _ in range(count)]


def jaxlib() -> tuple[Any, Callable[[], Any]]:
    from jaxlib.mlir import ir
    from jaxlib.mlir.dialects import chlo, stablehlo

    # The second is the name before jaxlib 0.8.
    names = ("_jax_mlir_ext", "register_jax_dialects")
    name = next(name for name in names if importlib.util.find_spec(f"jaxlib.mlir._mlir_libs.{name}"))
    extension = importlib.import_module(f"jaxlib.mlir._mlir_libs.{name}")

    def context() -> Any:
        context = ir.Context()
        stablehlo.register_dialect(context)
        chlo.register_dialect(context)
        registry = ir.DialectRegistry()
        extension.register_dialects(registry)
        context.append_dialect_registry(registry)
        context.load_all_available_dialects()
        return context

    return ir, context


def iree() -> tuple[Any, Callable[[], Any]]:
    from iree.compiler import ir

    return ir, ir.Context


def circt() -> tuple[Any, Callable[[], Any]]:
    import circt as package
    from circt import ir

    def context() -> Any:
        context = ir.Context()
        package.register_dialects(context)
        return context

    return ir, context


def main() -> None:
    ir, make = {"jaxlib": jaxlib, "iree": iree, "circt": circt}[sys.argv[1]]()
    source, sink = sys.stdin.buffer, sys.stdout.buffer
    while True:
        try:
            what, data = receive(source)
        except EOFError:
            return
        file = io.BytesIO()
        # Resources of one module get other keys in the context of another that has them too.
        context = make()
        context.allow_unregistered_dialects = what not in (b"write registered", b"print registered")
        try:
            with context:
                # Strings may hold bytes that are no text, so bytes are given and asked for.
                op = ir.Module.parse(data).operation
                if not what.startswith(b"print"):
                    op.write_bytecode(file)
                else:
                    op.print(
                        file=file,
                        binary=True,
                        print_generic_op_form=True,
                        enable_debug_info=True,
                        use_local_scope=True,
                    )
            send(sink, b"ok", file.getvalue())
        except Exception as error:
            send(sink, b"error", str(error).encode("utf-8", "replace"))


if __name__ == "__main__":
    main()
