"""What every reader of texts makes of one, and how it refuses one."""

from __future__ import annotations

from typing import NamedTuple


class Refused(Exception):
    """MLIR refuses an input, or ends its process over it."""


class Products(NamedTuple):
    """What MLIR makes of a text; `file`, and the number of `lines` before it, are those of its locations."""

    bytecode: bytes
    custom: bytes
    generic: bytes
    file: str
    lines: int


def first_line(text: str) -> str:
    """The first line of a message that has an error, or its first line."""
    lines = [line for line in text.splitlines() if "error" in line.lower()] or text.splitlines() or [""]
    return lines[0][:300]
