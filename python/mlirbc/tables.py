"""The contents of a module as tables for pyarrow, Polars, DuckDB and pandas, which read them without a copy.

`Module.ops_table` and its neighbours make them. They refer to each other by row: `operands` of the operations
to rows of the values, `location` and `attributes` to rows of the attributes, `type` to rows of the types.

Texts that rows may share (`name`, `class`, `path`, `operation`, `visibility`, `group`, `key` and `kind`) are
columns of indices into a dictionary of texts, so that a text is stored once. Other libraries show them as
text, or as a categorical type.

A text of an attribute or a type of more than 64 KiB is null. Symbols of nested symbol tables have paths such
as `@outer::@inner`; operations without a definition are not searched for symbols.

A table raises `LimitError` before it takes more than the limits of its module allow: `max_text` for its
distinct texts, and `max_memory`, if that is set, for rows and texts together.

>>> import pyarrow
>>> module = mlirbc.open("examples/two_layers.mlirbc")
>>> ops = pyarrow.table(module.ops_table())
>>> ops["name"].value_counts()[0].as_py()
{'values': 'builtin.module', 'counts': 1}
"""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from mlirbc import _mlirbc

if TYPE_CHECKING:
    from typing_extensions import Buffer, CapsuleType

__all__ = ["Table"]

# Name, format, nullable, length, nulls, buffers, children, dictionary: see `_arrow_stream`.
_ArrowArray = tuple[
    str, str, bool, int, int, "Sequence[Buffer | None]", "Sequence[_ArrowArray]", "_ArrowArray | None"
]


class Table:
    """Columns of equal length. Anything that takes Arrow streams takes it: `pyarrow.table(table)`.

    >>> import pyarrow
    >>> pyarrow.table(mlirbc.open("examples/two_layers.mlirbc").resources_table()).num_rows
    6
    """

    __slots__ = ("_columns", "_rows")

    def __init__(self, rows: int, columns: "Iterable[_ArrowArray]") -> None:
        self._rows = rows
        self._columns = list(columns)

    @property
    def num_rows(self) -> int:
        """The number of rows.

        >>> mlirbc.open("examples/two_layers.mlirbc").ops_table().num_rows
        34
        """
        return self._rows

    @property
    def column_names(self) -> list[str]:
        """The names of the columns.

        >>> mlirbc.open("examples/two_layers.mlirbc").symbols_table().column_names
        ['path', 'name', 'operation', 'visibility']
        """
        return [column[0] for column in self._columns]

    def __len__(self) -> int:
        return self._rows

    def __repr__(self) -> str:
        return f"<mlirbc.tables.Table of {self._rows} rows: {', '.join(self.column_names)}>"

    def __arrow_c_schema__(self) -> "CapsuleType":
        """The capsule of the schema."""
        return _mlirbc._arrow_schema(self._struct())

    def __arrow_c_stream__(self, requested_schema: object = None) -> "CapsuleType":
        """The capsule of a stream with one batch; a requested schema is left to the consumer to cast to."""
        return _mlirbc._arrow_stream([self._struct()])

    def _struct(self) -> "_ArrowArray":
        return ("", "+s", False, self._rows, 0, [None], self._columns, None)


def _table(module: _mlirbc.Module, kind: str) -> Table:
    return Table(*_mlirbc._table(module, kind))


class _FileTables:
    """A table of several files as one Arrow stream, with a batch for each file."""

    __slots__ = ("_batches",)

    def __init__(self) -> None:
        self._batches: list[_ArrowArray] = []

    def add(self, module: _mlirbc.Module, kind: str, file: str, account: _mlirbc._TableAccount) -> None:
        """Add the rows of a file, with the columns `file` and `row` before the others."""
        self._batches.append(Table(*_mlirbc._table(module, kind, file, account))._struct())

    def __arrow_c_schema__(self) -> "CapsuleType":
        return _mlirbc._arrow_schema(self._batches[0])

    def __arrow_c_stream__(self, requested_schema: object = None) -> "CapsuleType":
        return _mlirbc._arrow_stream(self._batches)
