"""The products of a reader of texts, and its refusals."""

from __future__ import annotations

from typing import NamedTuple


class Refused(Exception):
    """MLIR refuses an input, or ends its process over it."""


class Products(NamedTuple):
    """The products of MLIR for a text; locations have its `file`, and count the `lines` before it."""

    bytecode: bytes
    custom: bytes
    generic: bytes
    file: str
    lines: int


def first_line(text: str) -> str:
    """The first line of a message that has an error, or its first line."""
    lines = [line for line in text.splitlines() if "error" in line.lower()] or text.splitlines() or [""]
    return lines[0][:300]
