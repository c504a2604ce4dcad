"""The operations that a difference or a message is about, and files that show it."""

from __future__ import annotations

import collections
import difflib
import json
import re
from pathlib import Path

GENERIC = re.compile(r'^[-+] *(?:%[^=]*= )?"([^"]+)"\(')
CUSTOM = re.compile(r"^[-+] *(?:%[^=]*= )?([A-Za-z_][\w$]*\.[\w.$]+)")
QUOTED = re.compile(r"['\"`]([A-Za-z_][\w$]*\.[\w.$]+)['\"`]")
UNQUOTED = re.compile(r"(?:^|[ :])([a-z_]\w*\.[a-z][\w.]*)(?= op\b|:)", re.MULTILINE)
NUMBERS = re.compile(r"\d+")
KEPT = 2
"""The number of examples of a kind."""


def lines(before: bytes, after: bytes) -> list[str]:
    """The lines that differ."""
    first, second = (text.decode("utf-8", "backslashreplace").rstrip("\n") for text in (before, after))
    changed = difflib.unified_diff(
        first.split("\n"), second.split("\n"), "producer", "mlirbc", lineterm="", n=0
    )
    return list(changed)[2:]


def operations(difference: list[str]) -> list[str]:
    """The operations in the lines that differ, or the beginnings of these lines if there is none."""
    shown = [line for line in difference if not line.startswith("@@")]
    names = {match[1] for line in shown if (match := GENERIC.match(line) or CUSTOM.match(line))}
    return sorted(names) or sorted({NUMBERS.sub("N", line[:24]) for line in shown[:2]})


def mentioned(message: str) -> list[str]:
    """The operations that a message names, or its first line without numbers."""
    names = {name for pattern in (QUOTED, UNQUOTED) for name in pattern.findall(message)}
    names = {name for name in names if not name.endswith((".mlir", ".mlirbc"))}
    first = next((line for line in message.splitlines() if "rror: " in line), message.partition("\n")[0])
    return sorted(names) or [NUMBERS.sub("N", first)[:100]]


class Examples:
    """A folder with the files of a few cases of each kind of difference."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.counts: collections.Counter[tuple[str, str]] = collections.Counter()

    def keep(self, kind: str, names: list[str], case: str, size: int, files: dict[str, bytes]) -> None:
        """Keeps the files of a case if it shows an operation that few cases have shown so."""
        if all(self.counts[kind, name] >= KEPT for name in names):
            return
        self.counts.update((kind, name) for name in names)
        folder = self.folder / kind / case
        folder.mkdir(parents=True, exist_ok=True)
        for name, data in files.items():
            (folder / name).write_bytes(data)
        (folder / "operations.json").write_text(json.dumps({"operations": names, "size": size}))
