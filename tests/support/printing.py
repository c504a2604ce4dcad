"""Compares the texts of mlirbc, in generic form and by default, with the `mlir-opt` that wrote the file.

    scripts/agreement            the table of what is equal: dialect, release, version
    scripts/agreement scf gpu    the same of modules whose names begin like this

A module is one of `tests/data/bytecode`, kept, or one of `tests/data/dialects`, whose bytecode is made now.
"""

import argparse
import functools
import json
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

import mlirbc
import mlirbc.edit
from mlirbc import _mlirbc

from support import oracles

DATA = Path(__file__).resolve().parents[1] / "data"
DIALECTS = DATA / "dialects"
MODES: dict[str, list[str]] = {"plain": [], "locations": ["--mlir-print-debuginfo"]}
"""How a module is printed, and the flags that ask `mlir-opt` for it."""


@dataclass(frozen=True, slots=True)
class File:
    """Bytecode of one module, kept or to be made."""

    module: str
    release: int
    version: int
    flags: tuple[str, ...] = ()
    stored: Path | None = None
    source: Path | None = None
    read_back: bool = True


GENERIC = "--mlir-print-op-generic"
"""The flag of `mlir-opt`; mlirbc has `--generic`."""


@dataclass(frozen=True, slots=True)
class Printed:
    """The texts of both printers; the oracle's text is missing when it refused the file."""

    file: File
    mode: str
    mine: bytes
    theirs: bytes | None
    complaint: str

    @property
    def is_equal(self) -> bool:
        return self.mine == self.theirs


def print_module(path: Path, output: Path, *arguments: str) -> bytes:
    """The text that `mlirbc print` writes for a file."""
    status = _mlirbc.run_cli(["mlirbc", "print", str(path), "-o", str(output), *arguments])
    return output.read_bytes() if output.exists() else f"exit status {status}".encode()


def generic(module: mlirbc.Module | mlirbc.edit.Module) -> str:
    """The text of a module in generic form, which shows everything."""
    return module.get_asm(print_generic_op_form=True)


@functools.cache
def kept_files() -> tuple[File, ...]:
    """The files of the index."""
    files = []
    for entry in json.loads((DATA / "index.json").read_text("utf-8"))["files"]:
        release = int(entry["release"].partition(".")[0])
        stored, source = DATA / entry["file"], DATA / entry["source"]
        words = entry["command"].split()[1:-1]
        emit_args = oracles.emit_args(release, entry["version"])
        flags = tuple(word for word in words if word not in emit_args)
        files.append(
            File(source.stem, release, entry["version"], flags, stored, source, read_back=entry["read_back"])
        )
    return tuple(files)


@functools.cache
def dialect_files() -> tuple[File, ...]:
    """The files that `tests/data/dialects` asks for."""
    return tuple(file for path in sorted(DIALECTS.glob("*.mlir")) for file in _files_of(path))


def _files_of(path: Path) -> Iterator[File]:
    head: dict[str, str] = {}
    # Some hold bytes that are no text further down.
    for line in path.read_text("utf-8", "replace").splitlines():
        if not line.startswith("// "):
            break
        key, _, value = line.removeprefix("// ").partition(": ")
        head.setdefault(key, value)
    versions = {int(word) for word in head.get("versions", "0 1 2 3 4 5 6").split()}
    read_back = head.get("read-back") != "no"
    flags = tuple(head.get("flags", "").split())
    for release in map(int, head["releases"].split()):
        for version in oracles.versions(release):
            if version in versions:
                yield File(path.stem, release, version, flags, None, path, read_back)


def compare(file: File, folder: Path) -> list[Printed]:
    """Both texts in each mode; files are made in `folder`."""
    name = f"{file.module}-{file.release}-{file.version}"
    path = bytecode_file(file, folder)
    return [_compare_mode(file, path, folder / f"{name}-{mode}.mlir", mode) for mode in MODES]


def compare_custom(file: File, path: Path, folder: Path) -> list[Printed]:
    """The texts without an option for the form.

    Where an operation is in generic form instead, the text says the same: `mlir-opt` prints it as the file.
    """
    all_printed = []
    for mode in MODES:
        text = folder / f"custom-{mode}.mlir"
        printed = _compare_mode(file, path, text, mode, is_generic=False)
        if not printed.is_equal and printed.theirs is not None:
            text.write_bytes(printed.mine)
            args = ["--allow-unregistered-dialect", *MODES[mode]]
            again = oracles.run_mlir_opt(file.release, args, Path(text.name), cwd=folder)
            printed = replace(printed, mine=again.stdout if again.status == 0 else again.stderr.encode())
        all_printed.append(printed)
    return all_printed


def bytecode_file(file: File, folder: Path) -> Path:
    """The bytecode of a module."""
    if file.stored is not None:
        return file.stored
    assert file.source is not None
    path = folder / f"{file.module}-{file.release}-{file.version}.mlirbc"
    args = [*oracles.emit_args(file.release, file.version), *file.flags]
    # Locations hold the name as it is given, so it is given without a folder.
    output = oracles.run_mlir_opt(file.release, args, Path(file.source.name), cwd=file.source.parent)
    path.write_bytes(oracles.checked(output))
    return path


def _compare_mode(file: File, path: Path, text: Path, mode: str, *, is_generic: bool = True) -> Printed:
    words = [*(["--generic"] if is_generic else []), *(["--locations"] if mode == "locations" else [])]
    mine = print_module(path, text, *words)
    text.unlink(missing_ok=True)
    args = ["--allow-unregistered-dialect", *([GENERIC] if is_generic else []), *MODES[mode]]
    if file.read_back:
        output = oracles.run_mlir_opt(file.release, args, path)
    else:
        # The source stands for the parts that `mlir-opt` cannot read from the file again.
        assert file.source is not None
        args += [flag for flag in file.flags if flag != "--elide-resource-data-from-bytecode"]
        output = oracles.run_mlir_opt(file.release, args, Path(file.source.name), cwd=file.source.parent)
    theirs = output.stdout if output.status == 0 else None
    return Printed(file, mode, mine, theirs, output.stderr.strip()[:500])


def compare_all(files: list[File], folder: Path) -> list[Printed]:
    """The texts of all files, compared two at a time: the oracle is a process of its own."""
    with ThreadPoolExecutor(2) as pool:
        return [printed for some in pool.map(lambda file: compare(file, folder), files) for printed in some]


def dialect_of(file: File) -> str:
    """The row of the table: kept modules are of many dialects."""
    return "(kept files)" if file.stored is not None else file.module.partition("_")[0]


def table(printed: list[Printed]) -> str:
    """Markdown: how many files of a dialect are printed the same, of how many."""
    equal: Counter[tuple[str, int, int]] = Counter()
    total: Counter[tuple[str, int, int]] = Counter()
    for text in printed:
        key = (dialect_of(text.file), text.file.release, text.file.version)
        total[key] += 1
        equal[key] += text.is_equal
    columns = sorted({(release, version) for _, release, version in total})
    lines = [
        "| dialect | " + " | ".join(f"{release} v{version}" for release, version in columns) + " |",
        "|---" * (len(columns) + 1) + "|",
    ]
    for dialect in sorted({key[0] for key in total}):
        keys = [(dialect, *column) for column in columns]
        cells = [f"{equal[key]}/{total[key]}" if total[key] else "" for key in keys]
        lines.append(f"| {dialect} | " + " | ".join(cells) + " |")
    lines += ["", f"{sum(equal.values())} of {sum(total.values())} texts are equal."]
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument(
        "modules", nargs="*", help="beginnings of the names of modules; all of them by default"
    )
    parser.add_argument("--release", type=int, action="append", help="only of this release")
    parser.add_argument("--list", action="store_true", help="name what is different")
    arguments = parser.parse_args()
    files = [
        file
        for file in (*kept_files(), *dialect_files())
        if not arguments.modules or file.module.startswith(tuple(arguments.modules))
        if not arguments.release or file.release in arguments.release
    ]
    with tempfile.TemporaryDirectory() as folder:
        printed = compare_all(files, Path(folder))
    print(table(printed))
    if arguments.list:
        for item in printed:
            if not item.is_equal:
                file = item.file
                print(f"{file.module} {file.release} v{file.version} {item.mode} {item.complaint}")
    return 0 if all(item.is_equal for item in printed) else 1


if __name__ == "__main__":
    sys.exit(main())
