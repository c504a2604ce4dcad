"""Installs builds from PyPI into folders of a cache, with interpreters that their packages have files for."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

VERSIONS = tuple(f"3.{minor}" for minor in range(15, 8, -1))
NO_FILES = "No matching distribution found"
BESIDE = {
    "nvidia-cutlass-dsl": ("nvidia-cutlass-dsl-libs-base", "nvidia-cutlass-dsl-libs-cu12"),
}
"""The packages that have the libraries of another one, with the same version."""


class Build(NamedTuple):
    """A package of PyPI and its version."""

    package: str
    version: str

    @property
    def name(self) -> str:
        return f"{self.package}-{self.version}"

    @property
    def requirements(self) -> list[str]:
        return [f"{name}=={self.version}" for name in (self.package, *BESIDE.get(self.package, ()))]


class Installed(NamedTuple):
    """A build in a folder, and the interpreter that runs it."""

    build: Build
    site: Path
    python: Path


class Unavailable(Exception):
    """A build cannot be installed on this machine."""


def builds(words: list[str]) -> list[Build]:
    """The builds that requirements, and files with a requirement on each line, name."""
    requirements = []
    for word in words:
        path = Path(word)
        requirements += path.read_text().splitlines() if path.is_file() else [word]
    all_builds = []
    for requirement in requirements:
        text = requirement.partition("#")[0].strip()
        if not text:
            continue
        package, mark, version = text.partition("==")
        if not mark:
            raise SystemExit(f"expected PACKAGE==VERSION or a file, found `{text}`")
        all_builds.append(Build(package.strip(), version.strip()))
    return all_builds


def interpreters() -> dict[str, Path]:
    """The interpreters of this machine and in MLIRBC_PYTHONS by version, newest first."""
    by_version: dict[str, Path] = {}
    for path in _candidates():
        answer = subprocess.run(
            [path, "-c", "import sys; print('%d.%d' % sys.version_info[:2])"],
            capture_output=True,
            text=True,
            check=False,
        )
        if answer.returncode == 0:
            by_version.setdefault(answer.stdout.strip(), path)
    return {version: by_version[version] for version in VERSIONS if version in by_version}


def _candidates() -> Iterator[Path]:
    for name in filter(None, os.environ.get("MLIRBC_PYTHONS", "").split(":")):
        yield Path(name)
    for version in VERSIONS:
        if path := shutil.which(f"python{version}"):
            yield Path(path)
        yield from sorted(Path.home().glob(f".pyenv/versions/{version}.*/bin/python"))


def install(build: Build, cache: Path) -> Installed:
    """Installs a build, unless the cache has it."""
    site = cache / "sites" / build.name
    record = site / "interpreter.json"
    if record.exists():
        return Installed(build, site, Path(json.loads(record.read_text())))
    missing: list[str] = []
    for python in interpreters().values():
        shutil.rmtree(site, ignore_errors=True)
        done = _pip(python, ["--target", str(site), *build.requirements])
        if done.returncode == 0:
            record.write_text(json.dumps(str(python)))
            return Installed(build, site, python)
        missing.append(done.stderr.strip())
        if NO_FILES not in done.stderr:
            raise Unavailable(f"pip cannot install {build.name}: {missing[-1]}")
    raise Unavailable(_needed(build, cache, missing))


def _needed(build: Build, cache: Path, missing: list[str]) -> str:
    """Says which interpreters a package has files for."""
    python = next(iter(interpreters().values()))
    accepted = []
    for version in VERSIONS:
        selection = ["--dry-run", "--target", str(cache / "none"), "--python-version", version]
        if _pip(python, [*selection, *build.requirements]).returncode == 0:
            accepted.append(version)
    if not accepted:
        return f"PyPI has no files of {build.name} for this machine: {missing[-1] if missing else ''}"
    versions = re.sub(r", ([\d.]+)$", r" or \1", ", ".join(reversed(accepted)))
    return f"{build.name} needs CPython {versions}: install one, or name it in MLIRBC_PYTHONS"


def _pip(python: Path, words: list[str]) -> subprocess.CompletedProcess[str]:
    options = [
        "--quiet",
        "--no-deps",
        "--no-compile",
        "--only-binary",
        ":all:",
        "--root-user-action",
        "ignore",
    ]
    command = [str(python), "-m", "pip", "install", *options, *words]
    return subprocess.run(command, capture_output=True, text=True, check=False)
