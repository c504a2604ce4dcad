"""Questions about a file: what every byte of it is.

>>> mlirbc.tools.dump("examples/two_layers.mlirbc", at=4)[-1].name
'bytecode version'
"""

import os
from typing import TYPE_CHECKING, Literal, NamedTuple

from mlirbc import _mlirbc

if TYPE_CHECKING:
    from typing_extensions import Buffer

__all__ = ["DumpRow", "dump"]


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
