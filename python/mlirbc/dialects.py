"""Tables for the encodings of attributes and types; see `docs/reference/dialect-tables.md`.

>>> "builtin" in mlirbc.dialects.registered()
True
"""

import os
from collections.abc import Mapping
from typing import TypeAlias

from mlirbc._mlirbc import DialectTable, _register_dialect, _registered_dialects
from mlirbc._source import text_of_file

__all__ = ["register", "registered", "table"]

_Source: TypeAlias = DialectTable | str | os.PathLike[str] | Mapping[str, object]


def table(source: _Source) -> DialectTable:
    """Make a table from a TOML file, or from a mapping with the same keys.

    Raises `InvalidError` that names the line or the row which is wrong, and `TypeError` for anything but a
    path, a mapping or a table.

    >>> mlirbc.dialects.table({
    ...     "dialect": "toy",
    ...     "attribute": [{"code": 0, "name": "PairAttr", "fields": ["first: signed", "second: signed"]}],
    ... })
    <mlirbc.DialectTable of toy>
    """
    if isinstance(source, DialectTable):
        return source
    if isinstance(source, Mapping):
        import json

        return DialectTable.from_json(json.dumps(source, default=dict))
    return DialectTable.from_toml(text_of_file(source))


def register(source: _Source) -> None:
    """Use a table for all modules that are opened from now on, in place of another one for its dialect.

    Takes what `table` takes.

    >>> mlirbc.dialects.register({"dialect": "toy"})
    >>> "toy" in mlirbc.dialects.registered()
    True
    """
    _register_dialect(table(source))


def registered() -> list[str]:
    """The names of all dialects with a table, sorted.

    >>> "stablehlo" in mlirbc.dialects.registered()
    True
    """
    return _registered_dialects()
