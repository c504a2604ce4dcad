"""Questions about a file: what every byte of it is, and what takes how many of them.

>>> mlirbc.tools.dump("examples/two_layers.mlirbc", at=4)[-1].name
'bytecode version'
"""

import json
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple

from mlirbc import _mlirbc

if TYPE_CHECKING:
    from typing_extensions import Buffer

__all__ = ["DumpRow", "SizeReport", "SizeRow", "dump", "size"]


class DumpRow(NamedTuple):
    """A group of fields, a field, or a fault; see `mlirbc.dump`.

    >>> mlirbc.dump("examples/two_layers.mlirbc", at=4)[-1]
    DumpRow(kind='field', depth=1, offset=4, size=1, name='bytecode version', value='6', data=b'\\r')
    """

    kind: Literal["group", "field", "fault"]
    depth: int
    """The number of groups that it is in."""
    offset: int
    size: int
    """Of a field, in bytes; 0 for groups, whose fields follow, and for faults."""
    name: str
    """Of a field, that in the format or the table of a dialect; of a fault, the identifier of the error."""
    value: str
    """The decoded value as text; of a fault, the message."""
    data: bytes
    """The first 8 bytes; of a fault, those from 8 before its offset to 8 after."""


def dump(
    source: "str | os.PathLike[str] | Buffer",
    *,
    section: str | None = None,
    at: int | None = None,
    depth: int | None = None,
    limits: _mlirbc.Limits | None = None,
    release: str | None = None,
    module: int | str | None = None,
) -> list[DumpRow]:
    """All fields of a file, or of bytes, in the order of the bytes: each byte is in one of them.

    Only those of a section, with the byte at an offset, or down to a depth if given. Damaged files have
    faults, and what cannot be decoded because of them is a field. The other keywords are those of
    `mlirbc.open`. Raises `ReadError` when it is not bytecode at all, and `InvalidError` for an offset that
    the file does not have.

    >>> for row in mlirbc.dump("examples/two_layers.mlirbc", at=4)[1:]:
    ...     print(row.kind, row.name, row.value)
    field bytecode version 6
    >>> mlirbc.dump("examples/two_layers.mlirbc", depth=1)[-1].name
    'section Properties'
    """
    rows = _mlirbc._dump(source, section, at, depth, limits, release, module)
    return [DumpRow(*row) for row in rows]


@dataclass(frozen=True, slots=True)
class SizeRow:
    """One thing that takes bytes: `inclusive` is what the file loses with it.

    >>> mlirbc.tools.size(mlirbc.open("examples/two_layers.mlirbc")).symbols[0]
    SizeRow(name='main', count=1, size=122, inclusive=593)
    """

    name: str
    count: int
    size: int
    inclusive: int


@dataclass(frozen=True, slots=True)
class SizeReport:
    """What the bytes of a module are spent on; see `size`.

    >>> report = mlirbc.tools.size(mlirbc.open("examples/two_layers.mlirbc"))
    >>> report.size == sum(row.size for row in report.sections)
    True
    """

    size: int
    sections: list[SizeRow]
    """The header and the sections, in file order; the other lists begin with the largest."""
    dialects: list[SizeRow]
    operations: list[SizeRow]
    """By name; inclusive with the operations in them."""
    symbols: list[SizeRow]
    """The operations in the top-level operation; inclusive with what nothing else uses."""
    kinds: list[SizeRow]
    """Attributes and types by class."""
    strings: list[SizeRow]
    resources: list[SizeRow]
    duplicates: list[SizeRow]
    """The first of several equal resources or attributes; `inclusive` is the size of the others."""


def size(module: _mlirbc.Module, *, duplicates: bool = False) -> SizeReport:
    """Count the bytes of a module by section, dialect, operation, symbol, attribute, string and resource.

    Blobs are not read, except to find duplicates, and then only those with the size of another one.

    >>> mlirbc.tools.size(mlirbc.open("examples/two_layers.mlirbc")).operations[0].name
    'builtin.module'
    """
    report = json.loads(_mlirbc._size(module, duplicates))
    lists = {name: [SizeRow(**row) for row in rows] for name, rows in report.items() if name != "size"}
    return SizeReport(size=report["size"], **lists)
