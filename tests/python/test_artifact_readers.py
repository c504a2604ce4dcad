"""Exports that releases of JAX treat differently; `tests/data/artifacts/README.md` says how."""

import shutil
import subprocess
import sys
from pathlib import Path

import mlirbc
import pytest

DATA = Path(__file__).parents[1] / "data" / "artifacts"


def command(*arguments: object) -> subprocess.CompletedProcess[str]:
    run = [sys.executable, "-m", "mlirbc", *map(str, arguments)]
    return subprocess.run(run, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    ("name", "calling", "refusing", "reason"),
    [
        ("shape_assertions", ["0.4.30", "0.8.3", "0.9.2"], ["0.10.0", "0.12.0"], "shape_assertions"),
        ("custom_nodes", ["0.4.35", "0.6.2", "0.10.2"], ["0.4.30", "0.4.31"], "custom pytree nodes"),
        ("no_arguments", ["0.6.2", "0.7.2", "0.10.2"], [], ""),
        ("composite", ["0.10.2"], ["0.4.30"], "vhlo.composite_v2"),
    ],
)
def test_releases_that_call_an_export(
    name: str, calling: list[str], refusing: list[str], reason: str, tmp_path: Path
) -> None:
    path = DATA / f"{name}.jax"
    for version in calling:
        assert command("check", path, "--target", f"jax-{version}").returncode == 0, version
    for version in refusing:
        refused = command("check", path, "--target", f"jax-{version}")
        assert refused.returncode == 1 and reason in refused.stdout
        # The conversion has the same reason, and writes nothing.
        output = tmp_path / f"{version}.jax"
        converted = command("convert", path, "--for-jax", version, "-o", output)
        assert converted.returncode == 1 and reason in converted.stderr and not output.exists()
        with pytest.raises(mlirbc.UnsupportedError, match=reason):
            mlirbc.open_artifact(path).for_jax(version)


@pytest.mark.parametrize("version", ["0.8.1rc1", "0.4.29", "", "x"])
def test_a_release_that_is_not_known_is_an_invalid_command_line(version: str, tmp_path: Path) -> None:
    path = DATA / "no_arguments.jax"
    assert command("check", path, "--target", f"jax-{version}").returncode == 2
    assert command("convert", path, "--for-jax", version, "-o", tmp_path / "out").returncode == 2


def test_a_damaged_container_is_no_answer() -> None:
    checked = command("check", DATA / "bad_index.jax", "--target", "jax-0.10.2")
    assert checked.returncode == 3 and "expected an index below `3`, found `204`, at 0xc4" in checked.stderr


def test_locations_in_kernels_do_not_count(tmp_path: Path) -> None:
    first, second = (mlirbc.open_artifact(DATA / f"tpu_kernel{end}.jax") for end in ("", "_moved"))
    assert first.hash() == second.hash()
    assert first.hash(locations=True) != second.hash(locations=True)
    assert mlirbc.hash(first.module()) == mlirbc.hash(second.module())
    assert first.diff(second).equal and not first.diff(second, locations=True).equal
    stripped = command("strip", DATA / "tpu_kernel.jax", "-o", tmp_path / "stripped.jax")
    assert stripped.returncode == 0
    assert mlirbc.open_artifact(tmp_path / "stripped.jax").hash() == first.hash()


def test_kernels_of_all_modules_are_listed() -> None:
    shown = command("info", DATA / "tpu_derivative.jax").stdout
    paths = ["main/kernels/fwdk", "vjp/kernels/bwdk", "vjp/kernels/bwdk2"]
    assert [line.split()[0] for line in shown.splitlines() if "tpu_custom_call  bytecode" in line] == paths


def test_folders_stand_for_files_by_content_and_by_name(tmp_path: Path) -> None:
    export = DATA / "no_arguments.jax"
    (tmp_path / "crashed.jax").write_bytes(b"")
    (tmp_path / "text.mlirbc").write_text("module {}")
    (tmp_path / "llvm.bc").write_bytes(b"BC\xc0\xde0123")
    (tmp_path / "notes.txt").write_text("module {}")
    shutil.copy(export, tmp_path / "export")
    for compressed in ("gzip", "zstd"):
        packed = pytest.importorskip("compression.zstd") if compressed == "zstd" else __import__("gzip")
        (tmp_path / f"packed.{compressed}").write_bytes(packed.compress(export.read_bytes()))
        break
    done = command("verify", tmp_path)
    lines = (done.stdout + done.stderr).splitlines()
    named = {line.split(":")[0].rpartition("/")[2] for line in lines if line.startswith(str(tmp_path))}
    assert named == {"crashed.jax", "text.mlirbc", "export", "packed.gzip"}
    assert done.returncode == 3 and lines[-1] == "4 files, 1 failed"


def test_the_weights_of_a_derivative_are_mentioned(tmp_path: Path) -> None:
    path = Path(__file__).parents[2] / "examples" / "mlp.jax"
    exported = command("weights", "export", path, "-o", tmp_path / "w.safetensors")
    assert exported.returncode == 0, exported.stderr
    done = command("weights", "import", path, tmp_path / "w.safetensors", "-o", tmp_path / "out.jax")
    assert "only the module `main` is used, and `vjp` left out" in done.stderr


def test_modules_are_chosen_by_index_and_put_back() -> None:
    artifact = mlirbc.open_artifact(DATA / "tpu_derivative.jax")
    assert mlirbc.hash(artifact.module(1)) == mlirbc.hash(artifact.module("vjp"))
    for index in (-1, 2):
        with pytest.raises(mlirbc.InvalidError, match=f"an index below 2, found {index}"):
            artifact.module(index)
    assert artifact.with_modules({"vjp": artifact.module("vjp")}).write() == artifact.write()
