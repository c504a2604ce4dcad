"""The texts of folders and of Git repositories, cut into parts at `// -----`."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

SEPARATOR = re.compile(rb"// -----[^\n]*")


class Part(NamedTuple):
    """A part of a text; its name has the path of the text, with points, and the number of the part."""

    name: str
    text: bytes


def parts(sources: list[Path]) -> Iterator[Part]:
    """The parts of all sources that have more than comments."""
    for source in sources:
        for path, text in _texts(source):
            stem = path.removesuffix(".mlir").replace("/", ".")
            for number, part in enumerate(SEPARATOR.split(text)):
                lines = (line.strip() for line in part.splitlines())
                if any(line and not line.startswith(b"//") for line in lines):
                    yield Part(f"{stem}.{number:03}", part)


def _texts(source: Path) -> Iterator[tuple[str, bytes]]:
    if source.is_file():
        yield source.name, source.read_bytes()
    elif (source / "HEAD").is_file() or (source / ".git").exists():
        yield from _committed(source)
    else:
        for path in sorted(source.rglob("*.mlir")):
            if path.is_file():
                yield str(path.relative_to(source)), path.read_bytes()


def _committed(repository: Path) -> Iterator[tuple[str, bytes]]:
    """The texts of the newest commit of a repository, which may have no work tree."""
    git = ["git", "-C", str(repository)]
    listed = subprocess.run([*git, "ls-tree", "-r", "-z", "HEAD"], capture_output=True, check=True).stdout
    for row in filter(None, listed.decode().split("\0")):
        entry, path = row.split("\t", 1)
        mode, _, blob = entry.split()
        if path.endswith(".mlir") and mode != "120000":
            shown = subprocess.run([*git, "cat-file", "blob", blob], capture_output=True, check=False)
            if shown.returncode == 0:
                yield path, shown.stdout
