"""Tables of how dialects encode attributes and types; `docs/reference/dialect-tables.md` explains the keys.

>>> "builtin" in mlirbc.dialects.registered()
True
"""

import os
from collections.abc import Mapping, Sequence
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
        return DialectTable.from_toml(_toml(source))
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


def _toml(mapping: Mapping[str, object]) -> str:
    """A mapping as TOML, one line for each row, so that errors can show it."""
    lines: list[str] = []
    tables: list[str] = []
    for key, value in mapping.items():
        if isinstance(value, Mapping):
            for name, inner in value.items():
                tables.append(f"{_quoted(key)}.{_quoted(name)} = {_value(inner)}")
        elif isinstance(value, Sequence) and not isinstance(value, str) and _are_tables(value):
            lines.append(f"{_quoted(key)} = [")
            lines += [f"    {_value(row)}," for row in value]
            lines.append("]")
        else:
            lines.append(f"{_quoted(key)} = {_value(value)}")
    return "\n".join([*lines, *tables, ""])


def _are_tables(values: Sequence[object]) -> bool:
    return bool(values) and all(isinstance(value, Mapping) for value in values)


def _value(value: object) -> str:
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_quoted(key)} = {_value(item)}" for key, item in value.items()) + "}"
    if isinstance(value, Sequence) and not isinstance(value, str | bytes):
        return "[" + ", ".join(map(_value, value)) + "]"
    import json

    return json.dumps(value)


def _quoted(key: object) -> str:
    return _value(str(key))
