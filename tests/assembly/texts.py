"""The texts of folders, of Git repositories and of corpora, cut into parts.

Texts are cut at `// -----`. The generic texts of a corpus are parts as they are, and cut into their
outermost operations: a build that has other forms than the release of the corpus, or lacks an operation,
reads most of these.
"""

from __future__ import annotations

import itertools
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

MODULE = b'"builtin.module"() ({\n'
MODULE_END = b"}) : () -> ()"
OPERATION = re.compile(rb'^  (?=["%])', re.MULTILINE)
SEPARATOR = re.compile(rb"// -----[^\n]*")


class TextPart(NamedTuple):
    """A part of a text; its name has the path of the text, with points, and the number of the part."""

    name: str
    text: bytes


def parts(sources: list[Path]) -> Iterator[TextPart]:
    """The parts of all sources that have more than comments; parts of one name and text are one part."""
    texts: dict[str, bytes] = {}
    for source in sources:
        for part in _parts(source):
            name = part.name if texts.get(part.name, part.text) == part.text else f"{source.name}.{part.name}"
            if name not in texts:
                texts[name] = part.text
                yield TextPart(name, part.text)


def _parts(source: Path) -> Iterator[TextPart]:
    if (source / "cases.tsv").is_file():
        yield from _operations(source)
        return
    for path, text in _texts(source):
        stem = path.removesuffix(".mlir").replace("/", ".")
        for number, part in enumerate(SEPARATOR.split(text)):
            lines = (line.strip() for line in part.splitlines())
            if any(line and not line.startswith(b"//") for line in lines):
                yield TextPart(f"{stem}.{number:03}", part)


def _operations(corpus: Path) -> Iterator[TextPart]:
    for row in (corpus / "cases.tsv").read_text("utf-8").splitlines():
        name = row.split("\t")[0]
        text = (corpus / f"{name}.generic").read_bytes()
        yield TextPart(name, text)
        operations = outermost(text)
        if len(operations) > 1:
            yield from (
                TextPart(f"{name}.{number:03}", operation) for number, operation in enumerate(operations)
            )


def outermost(text: bytes) -> list[bytes]:
    """The operations of a module in generic form, each in a module of its own; none if it has attributes."""
    before, marker, remainder = text.partition(MODULE)
    body, end, after = remainder.rpartition(MODULE_END)
    if not (marker and end) or b"{-#" in after:
        return []
    starts = [match.start() for match in OPERATION.finditer(body)]
    pieces = (body[start:stop] for start, stop in itertools.pairwise([*starts, len(body)]))
    return [b"".join((before, MODULE, piece, MODULE_END, b"\n")) for piece in pieces]


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
