"""Rebuilds `bytecode/`, `index.json` and the table in `README.md` from `mlir/` with the three `mlir-opt`.

    PYTHONPATH=tests python tests/data/make.py            write everything anew
    PYTHONPATH=tests python tests/data/make.py --check    build into a temporary folder and say what differs

Each text module starts with comments that say what to do with it:

    // releases: 16 19 22    the releases that accept it
    // flags: --cse          more flags for mlir-opt
    // read-back: no         mlir-opt cannot be relied on to read its own file again
    // covers: ...           what it is there for (also its line in the README)

The command runs inside `mlir/`, so that locations hold the bare file name. The index keeps it word for word.
"""

import argparse
import hashlib
import json
import shutil
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from support import oracles

HERE = Path(__file__).resolve().parent
SOURCES = HERE / "mlir"


@dataclass(frozen=True, slots=True)
class Source:
    """A text module and the facts in its head."""

    name: str
    releases: tuple[int, ...]
    flags: tuple[str, ...]
    read_back: bool
    covers: str


@dataclass(frozen=True, slots=True)
class Job:
    """A file to build."""

    source: Source
    release: int
    version: int

    @property
    def file(self) -> str:
        return f"bytecode/llvm-{self.release}/v{self.version}/{self.source.name}.mlirbc"

    @property
    def args(self) -> list[str]:
        return [*oracles.emit_args(self.release, self.version), *self.source.flags]


def read_source(path: Path) -> Source:
    head: dict[str, str] = {}
    for line in path.read_text("utf-8").splitlines():
        if not line.startswith("// "):
            break
        key, _, value = line.removeprefix("// ").partition(": ")
        head[key] = value
    return Source(
        path.stem,
        tuple(int(word) for word in head["releases"].split()),
        tuple(head.get("flags", "").split()),
        head.get("read-back") != "no",
        head["covers"],
    )


def sources() -> list[Source]:
    return [read_source(path) for path in sorted(SOURCES.glob("*.mlir"))]


def jobs() -> list[Job]:
    return [
        Job(source, release, version)
        for source in sources()
        for release in source.releases
        for version in oracles.versions(release)
    ]


def build(job: Job, folder: Path) -> dict[str, Any]:
    """Writes one file and returns its entry of the index."""
    output = oracles.run_mlir_opt(job.release, job.args, Path(f"{job.source.name}.mlir"), cwd=SOURCES)
    data = oracles.checked(output)
    path = folder / job.file
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    if job.source.read_back:
        oracles.checked(oracles.run_mlir_opt(job.release, oracles.print_args(job.release), data))
    return {
        "file": job.file,
        "source": f"mlir/{job.source.name}.mlir",
        "release": oracles.FULL_VERSIONS[job.release],
        "version": job.version,
        "size": len(data),
        "sha256": hashlib.sha256(data).hexdigest(),
        "command": " ".join(["mlir-opt", *job.args, f"{job.source.name}.mlir"]),
        "read_back": job.source.read_back,
    }


def build_all(folder: Path) -> list[dict[str, Any]]:
    with ThreadPoolExecutor(2) as pool:
        entries = list(pool.map(lambda job: build(job, folder), jobs()))
    return sorted(entries, key=lambda entry: str(entry["file"]))


def index_text(entries: list[dict[str, Any]]) -> str:
    """A line for each file, so that a change of one file changes one line."""
    lines = ",\n".join("    " + json.dumps(entry) for entry in entries)
    return '{\n  "files": [\n' + lines + "\n  ]\n}\n"


def readme_text() -> str:
    """The README with the list of modules, everything after its last heading, made anew."""
    introduction, heading, _ = (HERE / "README.md").read_text("utf-8").partition("## Modules\n")
    rows = [f"| `{s.name}` | {' '.join(map(str, s.releases))} | {s.covers} |" for s in sources()]
    table = "\n".join(["| module | releases | covers |", "|---|---|---|", *rows])
    return f"{introduction}{heading}\n{table}\n"


def binaries(folder: Path) -> dict[str, bytes]:
    paths = folder.glob("bytecode/**/*.mlirbc")
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


def check(folder: Path, texts: dict[str, str]) -> int:
    """Compares the files that were built in `folder` with the files in the tree."""
    built, stored = binaries(folder), binaries(HERE)
    differences = [f"missing: {name}" for name in sorted(built.keys() - stored.keys())]
    differences += [f"nothing makes: {name}" for name in sorted(stored.keys() - built.keys())]
    shared = sorted(built.keys() & stored.keys())
    differences += [f"differs: {name}" for name in shared if built[name] != stored[name]]
    for name, text in texts.items():
        if not (HERE / name).exists() or (HERE / name).read_text("utf-8") != text:
            differences.append(f"differs: {name}")
    print("\n".join([*differences, f"{len(built)} files built, {len(differences)} differences"]))
    return 1 if differences else 0


def write(folder: Path, texts: dict[str, str]) -> int:
    """Puts the files that were built in `folder` in the place of the files in the tree."""
    shutil.rmtree(HERE / "bytecode", ignore_errors=True)
    shutil.copytree(folder / "bytecode", HERE / "bytecode")
    for name, text in texts.items():
        (HERE / name).write_text(text, "utf-8")
    return 0


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--check", action="store_true", help="compare with what is there, write nothing")
    arguments = parser.parse_args()
    for release, full in oracles.FULL_VERSIONS.items():
        if oracles.find(release) is None:
            print(f"no mlir-opt of LLVM {full}; install it or set MLIRBC_MLIR_OPT_{release}", file=sys.stderr)
            return 2
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        entries = build_all(folder)
        print(f"{len(entries)} files, {sum(int(entry['size']) for entry in entries)} bytes")
        texts = {"index.json": index_text(entries), "README.md": readme_text()}
        return (check if arguments.check else write)(folder, texts)


if __name__ == "__main__":
    sys.exit(main())
