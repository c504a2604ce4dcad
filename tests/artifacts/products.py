"""The products of jaxlib for a module: its texts, and its bytes for older versions of VHLO.

MLIR ends its process over some modules; the parent starts another one and goes on.
"""

from __future__ import annotations

import io
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

VERSIONS = ("0.9.0", "0.14.0", "0.15.0", "1.0.0", "1.4.0", "1.9.0", "1.15.0", "1.17.0")
"""The versions that modules are serialized for: of each bytecode version, and of each kind of downgrade."""

NEWEST = VERSIONS[-1]


class Oracle:
    """jaxlib, with a context that has every dialect it brings along."""

    def __init__(self) -> None:
        from jaxlib import _jax

        from support import jaxlib_oracle

        bindings = jaxlib_oracle.find()
        if bindings is None:
            raise SystemExit("no jaxlib; install the dependency group `test`")
        self.ir, self.stablehlo, self.context = bindings.ir, bindings.stablehlo, bindings.context
        self.deserialize = _jax.mlir.deserialize_portable_artifact
        self.diagnostics: list[str] = []
        self.context.attach_diagnostic_handler(self._collect)
        self.context.enable_multithreading(False)
        # This loads the dialects of Shardy, which have no function of their own for it.
        with self.context:
            empty = self.stablehlo.serialize_portable_artifact(self.ir.Module.parse("module {}"), NEWEST)
            self.deserialize(empty, self.context)

    def _collect(self, diagnostic: Any) -> bool:
        notes = "".join(f"\n  note: {note.message[:300]}" for note in diagnostic.notes)
        self.diagnostics.append(f"{diagnostic.location}: {diagnostic.message[:2000]}{notes}")
        return True

    def why(self, error: Exception) -> str:
        """The reports since the last question."""
        lines = [*self.diagnostics, str(error)]
        self.diagnostics.clear()
        return "\n".join(lines) + "\n"

    def text(self, module: Any, *, locations: bool = False, generic: bool = True) -> bytes:
        text = io.BytesIO()
        module.operation.print(
            file=text, binary=True, print_generic_op_form=generic, enable_debug_info=locations
        )
        return text.getvalue()

    def bytecode(self, module: Any) -> bytes:
        file = io.BytesIO()
        module.operation.write_bytecode(file)
        return file.getvalue()


def all_of(oracle: Oracle, stem: Path) -> None:
    """Writes everything that jaxlib makes of `STEM.mlir`, a text, or else of `STEM.mlirbc`, an artifact."""
    artifact, text = (stem.with_name(stem.name + suffix) for suffix in (".mlirbc", ".mlir"))
    is_text = text.exists()
    data = (text if is_text else artifact).read_bytes()

    def source() -> Any:
        return oracle.ir.Module.parse(data) if is_text else oracle.deserialize(data, oracle.context)

    with oracle.context:
        try:
            native = oracle.bytecode(source())
        except Exception as error:
            _keep(stem, ".error.txt", oracle.why(error).encode())
        else:
            _keep(stem, ".native.mlirbc", native)
            try:
                # Some locations of a text are simpler once they were bytecode.
                module = oracle.ir.Module.parse(native) if is_text else source()
            except Exception as error:
                _keep(stem, ".native.error.txt", oracle.why(error).encode())
                module = source()
            _texts(oracle, stem, "stablehlo", module)
            _keep(stem, ".stablehlo.pretty.txt", oracle.text(module, generic=False))
            for version in VERSIONS:
                _serialized(oracle, stem, version, source)
        newest = stem.with_name(f"{stem.name}.v{NEWEST}.mlirbc")
        if is_text and newest.exists():
            artifact.write_bytes(newest.read_bytes())
        if artifact.exists():
            try:
                _texts(oracle, stem, "vhlo", oracle.ir.Module.parse(artifact.read_bytes()))
            except Exception as error:
                _keep(stem, ".vhlo.error.txt", oracle.why(error).encode())
            if is_text:
                _deserialized(oracle, stem)
    oracle.diagnostics.clear()


def _deserialized(oracle: Oracle, stem: Path) -> None:
    """The module of a text's artifact: it has the defaults that the text leaves out."""
    artifact = stem.with_name(stem.name + ".mlirbc").read_bytes()
    module = oracle.deserialize(artifact, oracle.context)
    _texts(oracle, stem, "deserialized", module)
    _keep(stem, ".deserialized.mlirbc", oracle.bytecode(module))


def _texts(oracle: Oracle, stem: Path, kind: str, module: Any) -> None:
    _keep(stem, f".{kind}.txt", oracle.text(module))
    _keep(stem, f".{kind}.loc.txt", oracle.text(module, locations=True))


def _serialized(oracle: Oracle, stem: Path, version: str, source: Callable[[], Any]) -> None:
    # Serializing may change the module, so that each version gets one of its own.
    try:
        data = oracle.stablehlo.serialize_portable_artifact(source(), version, allow_other_dialects=True)
    except Exception as error:
        _keep(stem, f".v{version}.error.txt", oracle.why(error).encode())
    else:
        _keep(stem, f".v{version}.mlirbc", data)


def _keep(stem: Path, suffix: str, data: bytes) -> None:
    stem.with_name(stem.name + suffix).write_bytes(data)


def make(stems: Iterable[Path]) -> Iterator[tuple[Path, str]]:
    """Makes the products of each module; yields the modules that ended jaxlib, and its last output."""
    waiting = list(stems)
    while waiting:
        names = "\n".join(map(str, waiting))
        command = [sys.executable, "-m", "artifacts.products"]
        ran = subprocess.run(command, input=names, capture_output=True, text=True, errors="replace")
        done = ran.stdout.split("\n")[:-1]
        waiting = waiting[len(done) :]
        if ran.returncode and not waiting:
            raise SystemExit(ran.stderr)
        if waiting:
            if not done and "Traceback" in ran.stderr:
                raise SystemExit(ran.stderr)
            ended, *waiting = waiting
            yield ended, f"ended with {ran.returncode}: {ran.stderr.strip()[-400:]}"


def main() -> None:
    oracle = Oracle()
    for line in sys.stdin.read().split("\n"):
        if line:
            all_of(oracle, Path(line))
            print(line, flush=True)


if __name__ == "__main__":
    main()
