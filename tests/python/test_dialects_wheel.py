"""The wheel `mlirbc-dialects`: its entry points name its files, and commands use them once it is there."""

import os
import shutil
import subprocess
import sys
import tomllib
from importlib import metadata
from pathlib import Path

import mlirbc
import pytest

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "packages" / "mlirbc-dialects"
# What CIRCT 1.156.0 (the Python wheel) wrote and printed.
DESIGN = ROOT / "tests" / "data" / "packs" / "circt"


def rows() -> dict[str, str]:
    project = tomllib.loads((PACKAGE / "pyproject.toml").read_text())
    packs: dict[str, str] = project["project"]["entry-points"]["mlirbc.packs"]
    return packs


def test_entry_points_are_the_files_of_the_package() -> None:
    files = {path.name for path in (PACKAGE / "mlirbc_dialects").glob("*.mlirpack")}
    assert {f"{name}.mlirpack" for name in rows()} == files
    projects = tomllib.loads((ROOT / "tools" / "packs" / "projects.toml").read_text())
    packs = [
        name
        for project in projects["project"]
        for name in (
            [project["name"]]
            if project.get("together")
            else [release["name"] for release in project["release"]]
        )
    ]
    assert sorted(rows()) == sorted(packs)
    assert set(rows().values()) == {"mlirbc_dialects"}


def test_installed_packs_are_used_without_a_flag(tmp_path: Path) -> None:
    pytest.importorskip("pip")
    source = shutil.copytree(PACKAGE, tmp_path / "source")
    # Older ones do not read the licence, so pip fetches a newer one.
    is_new = int(metadata.version("setuptools").partition(".")[0]) >= 77
    isolation = ["--no-build-isolation"] if is_new else []
    command = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", *isolation, "-w", tmp_path, source]
    subprocess.run(command, check=True)
    (wheel,) = tmp_path.glob("mlirbc_dialects-*.whl")
    site = tmp_path / "site"
    shutil.unpack_archive(wheel, site, "zip")
    file = DESIGN / "design.mlirbc"

    def run(*arguments: str | Path, path: Path | None = None) -> str:
        folders = [str(Path(mlirbc.__file__).parents[1]), *([str(path)] if path else [])]
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(folders)}
        command = [sys.executable, "-m", "mlirbc", *map(str, arguments)]
        result = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        assert result.returncode == 0, result.stderr
        return result.stdout

    assert '"hw.module"()' in run("print", file)
    assert run("print", file, path=site) == (DESIGN / "design.mlir").read_text() + "\n"
