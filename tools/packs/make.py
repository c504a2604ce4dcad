"""Makes the packs of projects from their public sources.

A pack has the definitions of the project's `.td` files at named revisions, and what `tools/packs/NAME.toml`
declares beside them. The sources are a folder with a Git repository for each project, with a work tree or
without; files of a project that publishes its `.td` files in a wheel are taken from that wheel. The headers of
a project that is part of LLVM are installed beside those of LLVM.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import io
import subprocess
import sys
import tempfile
import time
import tomllib
import zipfile
from pathlib import Path
from typing import Any, NamedTuple

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
PACKAGE = ROOT / "packages" / "mlirbc-dialects" / "mlirbc_dialects"


class Tools(NamedTuple):
    """The programs and folders that make a pack."""

    mlirbc: Path
    llvm: Path
    headers: dict[int, Path]

    @property
    def tblgen(self) -> Path:
        return self.llvm / "bin" / "llvm-tblgen"

    def includes(self, release: int | None) -> Path:
        """The headers of a release of LLVM, by default those beside `llvm-tblgen`."""
        if release is None:
            return self.llvm / "include"
        if release not in self.headers:
            raise SystemExit(
                f"the headers of LLVM {release} are missing: name them with --headers {release}=FOLDER"
            )
        return self.headers[release]


def projects() -> list[dict[str, Any]]:
    """The rows of `projects.toml`."""
    rows: list[dict[str, Any]] = tomllib.loads((HERE / "projects.toml").read_text("utf-8"))["project"]
    return rows


def export(repository: Path, revision: str, folders: list[str], target: Path) -> None:
    """Writes folders of a revision, and checks the commit that the revision stands for."""
    archive = ["git", "-C", str(repository), "archive", revision, "--", *folders]
    archived = subprocess.run(archive, capture_output=True, check=True)
    subprocess.run(["tar", "-x", "-C", str(target)], input=archived.stdout, check=True)


def commit_of(repository: Path, revision: str) -> str:
    command = ["git", "-C", str(repository), "rev-parse", f"{revision}^{{commit}}"]
    return subprocess.run(command, capture_output=True, check=True, text=True).stdout.strip()


def export_checked(repository: Path, source: dict[str, Any], folders: list[str], target: Path) -> None:
    """Writes folders of the revision of a row, if it is still the commit of the row."""
    if not repository.is_dir():
        raise SystemExit(f"{repository} is missing: clone {source['repository']} there")
    commit = commit_of(repository, source["revision"])
    if commit != source["commit"]:
        raise SystemExit(f"{source['revision']} of {repository} is {commit}, not {source['commit']}")
    export(repository, commit, folders, target)


def unpack_wheel(release: dict[str, Any], sources: Path, target: Path) -> None:
    """Writes the `.td` files of a wheel, which is downloaded unless the folder of the sources has it."""
    name = release["wheel"].replace("==", "-")
    wheels = sorted(sources.glob(f"{name}-*.whl"))
    if not wheels:
        command = [sys.executable, "-m", "pip", "download", "--no-deps", "-d", str(sources), release["wheel"]]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        wheels = sorted(sources.glob(f"{name}-*.whl"))
    wheel = wheels[0].read_bytes()
    digest = hashlib.sha256(wheel).hexdigest()
    if digest != release["sha256"]:
        raise SystemExit(f"{wheels[0]} is another file: its SHA-256 is {digest}")
    with zipfile.ZipFile(io.BytesIO(wheel)) as archive:
        archive.extractall(target, [name for name in archive.namelist() if name.endswith(".td")])


def overlay(replacements: list[dict[str, str]], headers: Path, target: Path) -> None:
    """Writes headers of LLVM with changes that a project needs, because it is built with later ones."""
    for change in replacements:
        text = (headers / change["file"]).read_text("utf-8")
        if change["old"] not in text:
            raise SystemExit(f"{change['file']} does not have `{change['old']}`")
        path = target / change["file"]
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text.replace(change["old"], change["new"]), "utf-8")


def write_empty(names: list[str], target: Path) -> None:
    """Writes empty files for includes of other projects, of which no record is used."""
    for name in names:
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        (target / name).write_text("", "utf-8")


def installed_version(tools: Tools) -> str:
    """The version of LLVM whose headers are installed."""
    command = [str(tools.llvm / "bin" / "llvm-config"), "--version"]
    return subprocess.run(command, capture_output=True, check=True, text=True).stdout.strip()


def make_release(
    project: dict[str, Any],
    release: dict[str, Any],
    sources: Path,
    tools: Tools,
    output: Path,
    older: Path | None = None,
) -> str:
    """Makes the pack of a release and of the releases of an older pack; returns the table of `mlirbc pack`."""
    with tempfile.TemporaryDirectory() as folder:
        exported, beside, changed = (Path(folder) / name for name in ("project", "beside", "changed"))
        for path in exported, beside, changed:
            path.mkdir()
        folders = release.get("td", project["td"])
        includes = release.get("includes", project.get("includes", []))
        if "package" in project:
            exported = tools.includes(None)
        elif "wheel" in release:
            unpack_wheel(release, sources, exported)
        else:
            row = {"repository": project["repository"], **release}
            export_checked(sources / project["name"], row, [*folders, *includes], exported)
        for other in project.get("beside", []):
            export_checked(sources / other["name"], other, other["folders"], beside)
        headers = tools.includes(release.get("headers", project.get("headers")))
        overlay(project.get("replace", []), headers, changed)
        write_empty(project.get("empty", []), changed)
        command = [str(tools.mlirbc), "pack", "--tblgen", str(tools.tblgen), "-o", str(output)]
        for path in folders:
            command += ["--td", str(exported / path)]
        for other in project.get("beside", []):
            for path in other.get("td", []):
                command += ["--td", str(beside / path)]
        for include in [*(exported / path for path in includes), exported, beside, changed]:
            command += ["-I", str(include)]
        command += ["-I", str(headers), "--release", release["name"], "--name", project["name"]]
        command += ["--llvm", release["llvm"]]
        for producer in release["producers"]:
            command += ["--producer", producer]
        for dialect in release.get("dialects", project.get("dialects", [])):
            command += ["--dialect", dialect]
        if older is not None:
            command += ["--add", str(older)]
        for extra in release.get("extra", project.get("extra", [])):
            command += ["--extra", str(HERE / extra)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SystemExit(f"{release['name']}: {done.stderr.strip()}")
    return done.stderr + done.stdout


def make(project: dict[str, Any], sources: Path, tools: Tools, output: Path) -> None:
    """Makes the packs of a project. Wheels and Git compress them; programs read only the header at first."""
    releases = [release for release in project["release"] if can_be_made(project, release, tools)]
    with tempfile.TemporaryDirectory() as folder:
        older: Path | None = None
        for release in releases:
            before = time.monotonic()
            plain = Path(folder) / f"{release['name']}.mlirpack"
            print(make_release(project, release, sources, tools, plain, older), end="")
            is_last = release is releases[-1]
            if project.get("together"):
                older = plain
            if is_last or not project.get("together"):
                name = project["name"] if project.get("together") else release["name"]
                write_pack(plain.read_bytes(), output / f"{name}.mlirpack")
            print(f"{time.monotonic() - before:.1f} s\n")


def can_be_made(project: dict[str, Any], release: dict[str, Any], tools: Tools) -> bool:
    """Whether the headers of a release are installed, if the project is a package of the distribution."""
    if "package" not in project or release["version"] == installed_version(tools):
        return True
    print(f"{release['name']}: not made, because {tools.llvm} is not LLVM {release['version']}\n")
    return False


def write_pack(text: bytes, path: Path) -> None:
    path.write_bytes(text)
    print(f"{path.name}: {len(text)} bytes, {len(gzip.compress(text, 9))} compressed, ", end="")


def main(words: list[str]) -> None:
    parser = argparse.ArgumentParser(prog="scripts/packs", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="PROJECT", help="all, if none is named")
    parser.add_argument("--sources", type=Path, required=True, help="the folder of the repositories")
    parser.add_argument("--llvm", type=Path, required=True, help="LLVM with `bin/llvm-tblgen` and `include`")
    parser.add_argument(
        "--headers",
        action="append",
        default=[],
        metavar="RELEASE=DIR",
        help="the headers of another release: 23=include",
    )
    parser.add_argument("--mlirbc", type=Path, default=ROOT / "target" / "release" / "mlirbc")
    parser.add_argument("-o", "--output", type=Path, default=PACKAGE, help="the folder of the packs")
    options = parser.parse_args(words)
    rows = projects()
    unknown = set(options.names) - {row["name"] for row in rows}
    if unknown:
        raise SystemExit(f"no row of projects.toml is named {', '.join(sorted(unknown))}")
    options.output.mkdir(parents=True, exist_ok=True)
    headers = {
        int(release): Path(path) for release, _, path in (one.partition("=") for one in options.headers)
    }
    tools = Tools(options.mlirbc, options.llvm, headers)
    for row in rows:
        if not options.names or row["name"] in options.names:
            make(row, options.sources, tools, options.output)


if __name__ == "__main__":
    main(sys.argv[1:])
