"""Tables and code for the encodings of attributes and types; see `docs/reference/dialect-tables.md`.

>>> "builtin" in mlirbc.dialects.registered()
True
"""

import os
import warnings
from collections.abc import Mapping
from typing import TypeAlias

from mlirbc import _mlirbc, _packs
from mlirbc._interface import BytecodeDialectInterface, DialectValue
from mlirbc._mlirbc import (
    Attribute,
    DialectBytecodeReader,
    DialectBytecodeWriter,
    DialectTable,
    Limits,
    Type,
    _load_packs,
    _register_dialect,
    _registered_dialects,
)
from mlirbc._source import text_of_file

__all__ = [
    "BytecodeDialectInterface",
    "DialectBytecodeReader",
    "DialectBytecodeWriter",
    "DialectTable",
    "DialectValue",
    "TableDialect",
    "dialect",
    "load",
    "load_installed",
    "register",
    "registered",
    "table",
]

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

    Takes the same sources as `table`.

    >>> mlirbc.dialects.register({"dialect": "toy"})
    >>> "toy" in mlirbc.dialects.registered()
    True
    """
    _register_dialect(table(source))


def load(path: str | os.PathLike[str], *, limits: Limits | None = None) -> list[str]:
    """Use a pack, or the packs of a folder, for all files and texts from now on: what `mlirbc pack` makes of
    the definitions of a project. Returns the names of the releases.

    An invalid row is skipped with a warning that has its line. Raises `InvalidError` when the file is not a
    pack, and `LimitError` beyond `limits`.

    >>> mlirbc.dialects.load("tests/data/packs/toy.mlirpack")
    ['toy-1']
    >>> mlirbc.known_releases()[-1]
    'toy-1'
    """
    releases, skipped = _load_packs(os.fspath(path), limits, False)
    for row in skipped:
        warnings.warn(row, stacklevel=2)
    return releases


def load_installed(*, limits: Limits | None = None) -> list[str]:
    """Use the packs of installed packages, which name them in the group of entry points `mlirbc.packs`:
    `circt-1 = "mlirbc_circt"` is the file `circt-1.mlirpack` in that package, and
    `circt = "mlirbc_circt:a.b"` its file `a.b`. Returns the names of the releases. The import of mlirbc has
    loaded them already; this loads those that were installed since.

    >>> mlirbc.dialects.load_installed()
    []
    """
    releases: list[str] = []
    for path in _packs.installed():
        names, skipped = _load_packs(os.fspath(path), limits, True)
        releases += names
        for row in skipped:
            warnings.warn(row, stacklevel=2)
    return releases


def registered() -> list[str]:
    """The names of all dialects with a table, sorted.

    >>> "stablehlo" in mlirbc.dialects.registered()
    True
    """
    return _registered_dialects()


class TableDialect:
    """A dialect with a table, for making its attributes and types.

    >>> mlirbc.dialects.dialect("builtin").attribute("UnitAttr")
    UnitAttr(unit)
    """

    def __init__(self, table: DialectTable) -> None:
        self.table = table
        """The table."""

    @property
    def name(self) -> str:
        """The name of the dialect."""
        return self.table.dialect

    def attribute(self, name: str, /, *arguments: object, **fields: object) -> Attribute:
        """Make an attribute: `name` is its mnemonic or its class. `arguments` are its first fields in the
        order of the table, `fields` the others. It is written in the encoding of the table.

        Raises `InvalidError` when the table has no such attribute, or a field is not valid for it.

        >>> mlirbc.dialects.dialect("builtin").attribute("StringAttr", value="text")
        StringAttr("text")
        """
        return _mlirbc._attribute_by_table(self.table, name, (list(arguments), list(fields.items())))

    def type(self, name: str, /, *arguments: object, **fields: object) -> Type:
        """Make a type, as `attribute` does.

        >>> mlirbc.dialects.dialect("builtin").type("ComplexType", mlirbc.types.F32Type.get())
        ComplexType(complex<f32>)
        """
        return _mlirbc._type_by_table(self.table, name, (list(arguments), list(fields.items())))

    def __repr__(self) -> str:
        return f"<mlirbc.dialects.TableDialect {self.name}>"


def dialect(source: _Source) -> TableDialect:
    """A dialect by its name, if it has a table, or by its table: anything that `table` takes, but the path of
    a file as an `os.PathLike`.

    Raises `ValueError` when no table has that name.

    >>> toy = mlirbc.dialects.dialect({
    ...     "dialect": "toy",
    ...     "attribute": [
    ...         {
    ...             "code": 0,
    ...             "name": "PairAttr",
    ...             "mnemonic": "pair",
    ...             "fields": ["first: signed", "second: signed"],
    ...             "asm": "<{first}, {second}>",
    ...         }
    ...     ],
    ... })
    >>> toy.attribute("pair", 1, second=-2)
    Attribute(#toy.pair<1, -2>)
    """
    if not isinstance(source, str):
        return TableDialect(table(source))
    known_table = _mlirbc._find_table(None, source)
    if known_table is None:
        raise ValueError(f"no table is known for dialect {source}")
    return TableDialect(known_table)
