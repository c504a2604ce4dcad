"""Finds the `mlir-opt` of each release the tests compare with, and runs it.

Set `MLIRBC_MLIR_OPT_16`, `_19` or `_22` to use a binary of your own. Otherwise the Debian layout is tried,
then the search path. A missing oracle skips a test on a developer's machine and fails it where it must be
there: in CI, or with `MLIRBC_REQUIRE_ORACLES=1`.
"""

import functools
import os
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

RELEASES: tuple[int, ...] = (16, 19, 22)
"""Major releases of LLVM whose tools the data was made with."""

FULL_VERSIONS: dict[int, str] = {16: "16.0.6", 19: "19.1.7", 22: "22.1.8"}
"""The version that `mlir-opt --version` prints for each release."""


@dataclass(frozen=True, slots=True)
class Output:
    """The results of a run."""

    status: int
    stdout: bytes
    stderr: str


class OracleError(RuntimeError):
    """The oracle refused its input."""


def versions(release: int) -> tuple[int, ...]:
    """Bytecode versions that release can be asked to write."""
    return (0,) if release == 16 else tuple(range(7))


@functools.cache
def find(release: int) -> Path | None:
    """The `mlir-opt` of that release; nothing when the machine lacks it."""
    override = os.environ.get(f"MLIRBC_MLIR_OPT_{release}")
    if override is not None:
        return Path(override)
    candidates = [f"/usr/lib/llvm-{release}/bin/mlir-opt", f"mlir-opt-{release}", "mlir-opt"]
    for candidate in candidates:
        path = shutil.which(candidate)
        if path is not None and _is_release(path, release):
            return Path(path)
    return None


def _is_release(binary: str, release: int) -> bool:
    answer = subprocess.run([binary, "--version"], capture_output=True, text=True, check=False, timeout=60)
    return f"LLVM version {release}." in answer.stdout


def must_be_there() -> bool:
    """Whether a missing oracle is an error rather than a reason to skip."""
    required = (os.environ.get(name, "") for name in ("CI", "MLIRBC_REQUIRE_ORACLES"))
    return any(value.lower() not in ("", "0", "false") for value in required)


def require(release: int) -> Path:
    """The `mlir-opt` of that release; skips the running test, or fails it, when there is none."""
    import pytest

    binary = find(release)
    if binary is not None:
        return binary
    reason = f"no mlir-opt of LLVM {release}; install it or set MLIRBC_MLIR_OPT_{release}"
    if must_be_there():
        pytest.fail(reason)
    pytest.skip(reason)


def run_mlir_opt(
    release: int,
    args: Sequence[str],
    input: bytes | str | Path,
    *,
    cwd: Path | None = None,
    timeout: float = 120,
) -> Output:
    """Runs `mlir-opt` on bytes or text (through standard input) or on a file (named as it is given)."""
    binary = find(release)
    if binary is None:
        raise OracleError(f"no mlir-opt of LLVM {release}")
    command = [str(binary), *args]
    data = b""
    if isinstance(input, Path):
        command.append(str(input))
    else:
        command.append("-")
        data = input.encode("utf-8", "surrogateescape") if isinstance(input, str) else input
    done = subprocess.run(command, input=data, capture_output=True, cwd=cwd, check=False, timeout=timeout)
    return Output(done.returncode, done.stdout, done.stderr.decode("utf-8", "replace"))


def checked(output: Output) -> bytes:
    """Standard output of a run that worked; raises with the oracle's own words otherwise."""
    if output.status != 0:
        raise OracleError(f"mlir-opt ended with status {output.status}: {output.stderr.strip()[:2000]}")
    return output.stdout


def emit_args(release: int, version: int) -> list[str]:
    """Flags that make `mlir-opt` write bytecode of that version; 16 has one version and no flag for it."""
    args = ["--allow-unregistered-dialect", "--emit-bytecode"]
    if release != 16:
        args.append(f"--emit-bytecode-version={version}")
    return args


def print_args(release: int) -> list[str]:
    """Flags for the text that `generic_text` reads, with locations, users and, from 19, unique names."""
    args = [
        "--allow-unregistered-dialect",
        "--mlir-print-op-generic",
        "--mlir-print-local-scope",
        "--mlir-print-debuginfo",
        "--mlir-print-value-users",
    ]
    if release != 16:
        args.append("--mlir-print-unique-ssa-ids")
    return args
