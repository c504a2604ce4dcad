"""Makes the packs of projects from their public sources.

A pack has the definitions of the project's `.td` files at named revisions, and what `tools/packs/NAME.toml`
declares beside them. The sources are a folder with a Git repository for each project, with a work tree or
without. The headers of a project that is part of LLVM are installed beside those of LLVM.
"""

from __future__ import annotations

import argparse
import gzip
import subprocess
import sys
import tempfile
import time
import tomllib
from pathlib import Path
from typing import Any, NamedTuple

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
PACKAGE = ROOT / "packages" / "mlirbc-dialects" / "mlirbc_dialects"


class Tools(NamedTuple):
    """The programs and folders that make a pack."""

    mlirbc: Path
    llvm: Path

    @property
    def tblgen(self) -> Path:
        return self.llvm / "bin" / "llvm-tblgen"

    @property
    def includes(self) -> Path:
        return self.llvm / "include"


def projects() -> list[dict[str, Any]]:
    """The rows of `projects.toml`."""
    rows: list[dict[str, Any]] = tomllib.loads((HERE / "projects.toml").read_text("utf-8"))["project"]
    return rows


def export(repository: Path, revision: str, folders: list[str], target: Path) -> None:
    """Writes folders of a revision, and checks the commit that the revision stands for."""
    archive = ["git", "-C", str(repository), "archive", revision, "--", *folders]
    made = subprocess.run(archive, capture_output=True, check=True)
    subprocess.run(["tar", "-x", "-C", str(target)], input=made.stdout, check=True)


def commit_of(repository: Path, revision: str) -> str:
    command = ["git", "-C", str(repository), "rev-parse", f"{revision}^{{commit}}"]
    return subprocess.run(command, capture_output=True, check=True, text=True).stdout.strip()


def export_release(release: dict[str, Any], repository: Path, folders: list[str], target: Path) -> None:
    """Writes folders of the revision of a release, which has to be the commit of the row."""
    commit = commit_of(repository, release["revision"])
    if commit != release["commit"]:
        raise SystemExit(f"{release['revision']} of {repository} is {commit}, not {release['commit']}")
    export(repository, commit, folders, target)


def installed_version(tools: Tools) -> str:
    """The version of LLVM whose headers are installed."""
    command = [str(tools.llvm / "bin" / "llvm-config"), "--version"]
    return subprocess.run(command, capture_output=True, check=True, text=True).stdout.strip()


def make_release(
    project: dict[str, Any], release: dict[str, Any], repository: Path | None, tools: Tools, output: Path
) -> str:
    """Makes the pack of one release; returns the table that `mlirbc pack` ends with."""
    with tempfile.TemporaryDirectory() as folder:
        sources = Path(folder) if repository else tools.includes
        folders = release.get("td", project["td"])
        includes = release.get("includes", project.get("includes", []))
        if repository:
            export_release(release, repository, [*folders, *includes], sources)
        command = [str(tools.mlirbc), "pack", "--tblgen", str(tools.tblgen), "-o", str(output)]
        for path in folders:
            command += ["--td", str(sources / path)]
        for path in includes:
            command += ["-I", str(sources / path)]
        command += ["-I", str(tools.includes), "--release", release["name"], "--name", project["name"]]
        command += ["--llvm", release["llvm"]]
        for producer in release["producers"]:
            command += ["--producer", producer]
        for dialect in release.get("dialects", project.get("dialects", [])):
            command += ["--dialect", dialect]
        for extra in release.get("extra", project.get("extra", [])):
            command += ["--extra", str(HERE / extra)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SystemExit(f"{release['name']}: {done.stderr.strip()}")
    return done.stderr + done.stdout


def make(project: dict[str, Any], sources: Path, tools: Tools, output: Path) -> None:
    """Makes the packs of a project, compressed in the same bytes each time."""
    repository = None if "package" in project else sources / project["name"]
    if repository and not repository.is_dir():
        raise SystemExit(f"{repository} is missing: clone {project['repository']} there")
    for release in project["release"]:
        if repository is None and release["version"] != installed_version(tools):
            print(f"{release['name']}: not made, because {tools.llvm} is not LLVM {release['version']}\n")
            continue
        before = time.monotonic()
        with tempfile.TemporaryDirectory() as folder:
            plain = Path(folder) / "made.mlirpack"
            table = make_release(project, release, repository, tools, plain)
            text = plain.read_bytes()
        packed = gzip.compress(text, 9, mtime=0)
        path = output / f"{release['name']}.mlirpack"
        path.write_bytes(packed)
        print(table, end="")
        seconds = time.monotonic() - before
        print(f"{path.name}: {len(text)} bytes, {len(packed)} compressed, {seconds:.1f} s\n")


def main(words: list[str]) -> None:
    parser = argparse.ArgumentParser(prog="scripts/packs", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="PROJECT", help="all, if none is named")
    parser.add_argument("--sources", type=Path, required=True, help="the folder of the repositories")
    parser.add_argument("--llvm", type=Path, required=True, help="LLVM with `bin/llvm-tblgen` and `include`")
    parser.add_argument("--mlirbc", type=Path, default=ROOT / "target" / "release" / "mlirbc")
    parser.add_argument("-o", "--output", type=Path, default=PACKAGE, help="the folder of the packs")
    options = parser.parse_args(words)
    rows = projects()
    unknown = set(options.names) - {row["name"] for row in rows}
    if unknown:
        raise SystemExit(f"no row of projects.toml is named {', '.join(sorted(unknown))}")
    options.output.mkdir(parents=True, exist_ok=True)
    for row in rows:
        if not options.names or row["name"] in options.names:
            make(row, options.sources, Tools(options.mlirbc, options.llvm), options.output)


if __name__ == "__main__":
    main(sys.argv[1:])
