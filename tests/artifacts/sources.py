"""Where modules come from: JAX's own programs and old exports, and the tests of StableHLO and of Shardy."""

from __future__ import annotations

import ast
import importlib.util
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

SEPARATOR = re.compile(rb"^// -----.*$", re.MULTILINE)

NOT_TEXT_OF_IR = re.compile(r"/interpret/|/math/|CMakeLists|/conversions/")
"""Tests that are programs for an interpreter, and tests by the hundred that differ in a function's name."""


def programs(folder: Path, only: str) -> Iterator[tuple[str, str]]:
    """Exports the programs below `folder`; yields the names of programs that JAX refuses, and why."""
    import artifacts.programs.arrays
    import artifacts.programs.control
    import artifacts.programs.elementwise
    import artifacts.programs.models
    import artifacts.programs.sharded  # noqa: F401 (all of them register programs)
    from artifacts.programs.registry import PROGRAMS, exported

    folder.mkdir(parents=True, exist_ok=True)
    for name, program in PROGRAMS.items():
        if only not in name:
            continue
        options = dict(program.options)
        vjp = options.pop("vjp", 0)
        try:
            export = exported(program._replace(options=options))
            (folder / f"{name}.mlirbc").write_bytes(export.mlir_module_serialized)
            (folder / f"{name}.jax").write_bytes(export.serialize(vjp_order=vjp))
        except Exception as error:
            yield name, f"{type(error).__name__}: {error}"


def old_exports(folder: Path, source: Path | None) -> None:
    """The exports that JAX keeps to test that it still reads them."""
    if source is None:
        spec = importlib.util.find_spec("jax._src.internal_test_util.export_back_compat_test_data")
        assert spec is not None
        assert spec.origin is not None
        source = Path(spec.origin).parent
    folder.mkdir(parents=True, exist_ok=True)
    for path in sorted(source.rglob("*.py")):
        number = 0
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if not isinstance(node, ast.keyword) or node.arg != "mlir_module_serialized":
                continue
            if isinstance(node.value, ast.Constant) and isinstance(node.value.value, bytes):
                (folder / f"{path.stem}.{number}.mlirbc").write_bytes(node.value.value)
                number += 1


def tests_of(repository: Path, folder: Path, below: str) -> None:
    """The test texts of a repository's newest commit, one file per piece, and its old artifacts."""
    folder.mkdir(parents=True, exist_ok=True)
    listed = _git(repository, "ls-tree", "-r", "-z", "--name-only", "HEAD", below).decode()
    for path in filter(None, listed.split("\0")):
        name = path.removeprefix(below).strip("/").replace("/", ".")
        if path.endswith(".mlir.bc"):
            stem = folder / name.removesuffix(".mlir.bc")
            stem.with_name(f"{stem.name}.kept.mlirbc").write_bytes(_git(repository, "show", f"HEAD:{path}"))
        elif path.endswith(".mlir") and not NOT_TEXT_OF_IR.search(path):
            pieces = SEPARATOR.split(_git(repository, "show", f"HEAD:{path}"))
            for number, piece in enumerate(pieces):
                written = [line for line in piece.splitlines() if line and not line.startswith(b"//")]
                if written and (b"expected-error" not in piece):
                    (folder / f"{name.removesuffix('.mlir')}.{number:03}.mlir").write_bytes(piece)


def _git(repository: Path, *words: str) -> bytes:
    return subprocess.run(["git", "-C", str(repository), *words], capture_output=True, check=True).stdout
