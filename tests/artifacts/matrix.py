"""Compares `check --target jax-X` with releases of JAX on exports; see `scripts/jax-matrix`."""

import argparse
import io
import json
import re
import subprocess
import sys
import tarfile
from collections import Counter
from pathlib import Path
from typing import Final

import mlirbc

WORKER: Final = Path(__file__).parent / "jax_exports.py"
ANSWERS: Final = "answers.json"
# Sufficient of a message of JAX.
REASON: Final = 100

# By file and release of JAX: why it does not call the file, and `None` if it does.
Answers = dict[str, dict[str, str | None]]


def numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split("."))


def releases(folder: Path) -> dict[str, Path]:
    """The interpreters in virtual environments whose names are releases of JAX, the oldest first."""
    interpreters = {path.parent.parent.name: path for path in folder.glob("*/bin/python")}
    named = {name: path for name, path in interpreters.items() if re.fullmatch(r"[\d.]+", name)}
    return dict(sorted(named.items(), key=lambda item: numbers(item[0])))


def write(interpreters: dict[str, Path], folder: Path) -> None:
    for version, python in interpreters.items():
        subprocess.run([python, WORKER, "write", folder / version], check=True)


def read(version: str, python: Path, folder: Path, files: list[str]) -> dict[str, str | None]:
    """The answers of a release about files. A file that ends the process is refused; others get a new one."""
    lines = folder / f"answers-{version}.jsonl"
    lines.unlink(missing_ok=True)
    answers: dict[str, str | None] = {}
    while unanswered := [file for file in files if file not in answers]:
        command = [python, WORKER, "read", lines.absolute(), *unanswered]
        subprocess.run(command, cwd=folder, stderr=subprocess.DEVNULL, check=False)
        before = len(answers)
        for line in lines.read_text().splitlines():
            record = json.loads(line)
            answers[record["file"]] = record["error"]
        if len(answers) == before:
            raise SystemExit(f"jax {version} answers nothing: {python}")
    lines.unlink()
    return answers


def make(interpreters: dict[str, Path], folder: Path) -> None:
    if not any(folder.glob("*/*.jax")):
        write(interpreters, folder)
    files = sorted(str(path.relative_to(folder)) for path in folder.glob("*/*.jax"))
    answers: Answers = {file: {} for file in files}
    for version, python in interpreters.items():
        for file, error in read(version, python, folder, files).items():
            answers[file][version] = error
        print(f"read by {version}", file=sys.stderr)
        (folder / ANSWERS).write_text(json.dumps(answers, indent=1) + "\n")


def pack(folder: Path, archive: Path) -> None:
    """Writes the exports and the answers to one small file, the same one each time."""
    answers: Answers = json.loads((folder / ANSWERS).read_text())
    # Exports of one kind resemble one another, and are compressed together.
    names = sorted(answers, key=lambda name: (Path(name).name, numbers(Path(name).parent.name)))
    texts = {
        file: {version: error and error[:REASON] for version, error in by_version.items()}
        for file, by_version in answers.items()
    }
    with tarfile.open(archive, "w:xz", preset=9) as output:
        for name, content in [
            (ANSWERS, json.dumps(texts).encode()),
            *((name, (folder / name).read_bytes()) for name in names),
        ]:
            member = tarfile.TarInfo(name)
            member.size = len(content)
            output.addfile(member, io.BytesIO(content))


def unpack(archive: Path) -> dict[str, bytes]:
    with tarfile.open(archive) as files:
        opened = ((member.name, files.extractfile(member)) for member in files)
        return {name: content.read() for name, content in opened if content is not None}


def compare(source: Path, *, is_verbose: bool) -> list[str]:
    """Prints a table of writers and readers; returns every answer of mlirbc that is not the answer of JAX."""
    if source.is_dir():
        files = {str(path.relative_to(source)): path.read_bytes() for path in source.glob("*/*.jax")}
        files[ANSWERS] = (source / ANSWERS).read_bytes()
    else:
        files = unpack(source)
    answers: Answers = json.loads(files[ANSWERS])
    called: Counter[tuple[str, str]] = Counter()
    total: Counter[str] = Counter()
    wrong = []
    for file, of_releases in answers.items():
        artifact = mlirbc.open_artifact(files[file])
        writer = file.split("/")[0]
        total[writer] += 1
        for version, error in of_releases.items():
            reader = artifact.jax_reader(version)
            called[writer, version] += error is None
            if reader.calls != (error is None):
                wrong.append(
                    f"{file} {version}: mlirbc says {reader.reasons or 'called'}, JAX {error or 'calls it'}"
                )
            elif is_verbose and error is not None:
                print(f"{file} {version}: {reader.reasons}: {error}")
    readers = sorted({version for of_releases in answers.values() for version in of_releases}, key=numbers)
    print("writer  files " + " ".join(f"{version:>7}" for version in readers))
    for writer in sorted(total, key=numbers):
        row = " ".join(f"{called[writer, version]:>7}" for version in readers)
        print(f"{writer:7} {total[writer]:5} {row}")
    print(f"{sum(map(len, answers.values()))} answers of {len(readers)} releases of JAX, {len(wrong)} differ")
    return wrong


def main() -> None:
    parser = argparse.ArgumentParser(prog="scripts/jax-matrix", description=__doc__)
    parser.add_argument("action", choices=["make", "pack", "compare"])
    parser.add_argument(
        "folder", type=Path, help="where the exports and the answers are; `compare` takes a packed file, too"
    )
    parser.add_argument("archive", type=Path, nargs="?", help="the file that `pack` writes")
    parser.add_argument(
        "--jax", type=Path, help="a folder of virtual environments, named by their releases of JAX"
    )
    parser.add_argument("--verbose", action="store_true", help="also print reasons that agree")
    options = parser.parse_args()
    if options.action == "make":
        if options.jax is None:
            parser.error("`make` needs --jax")
        make(releases(options.jax), options.folder)
    elif options.action == "pack":
        if options.archive is None:
            parser.error("`pack` needs a file to write")
        pack(options.folder, options.archive)
    elif wrong := compare(options.folder, is_verbose=options.verbose):
        print("\n".join(wrong))
        raise SystemExit(1)


if __name__ == "__main__":
    main()
