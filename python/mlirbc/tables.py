"""What a module consists of as tables for pyarrow, Polars, DuckDB and pandas, which read them without a copy.

`Module.ops_table` and its neighbours make them. They refer to each other by row: `operands` of the operations
to rows of the values, `location` and `attributes` to rows of the attributes, `type` to rows of the types.

The text of an attribute of more than 64 KiB is null. Symbols of nested symbol tables have paths such as
`@outer::@inner`; operations without a definition are not searched for symbols.

>>> import pyarrow
>>> module = mlirbc.open("examples/two_layers.mlirbc")
>>> ops = pyarrow.table(module.ops_table())
>>> ops["name"].value_counts()[0].as_py()
{'values': 'builtin.module', 'counts': 1}
"""

import functools
import struct
from array import array
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from mlirbc import _mlirbc, ops
from mlirbc._attributes import string_value

if TYPE_CHECKING:
    from typing_extensions import Buffer, CapsuleType

__all__ = ["Table"]

_NONE = 0xFFFFFFFF
# Longer attributes are mostly the data of constants, whose text is twice as long.
_LONGEST_TEXT = 1 << 16

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
        return _mlirbc._arrow_stream(self._struct())

    def _struct(self) -> "_ArrowArray":
        return ("", "+s", False, self._rows, 0, [None], self._columns, None)


def _operations(module: _mlirbc.Module) -> Table:
    columns = module.columns()
    rows = len(columns)

    def lists(name: str, offsets: "_mlirbc.Column", items: "_mlirbc.Column") -> _ArrowArray:
        item: _ArrowArray = ("item", "I", False, len(items), 0, [None, items], [], None)
        # Offsets are signed in Arrow; the file bounds them far below the difference.
        return (name, "+l", False, rows, 0, [None, offsets], [item], None)

    table: list[_ArrowArray] = []
    for name, numbers, items in columns._ops_table():
        if items is not None:
            table.append(lists(name, numbers, items))
        elif table:
            table.append(_references(name, numbers))
        else:
            table.append((name, "I", False, rows, 0, [None, numbers], [], _texts("", columns.op_names)))
    return Table(rows, table)


def _values(module: _mlirbc.Module) -> Table:
    columns = module.columns()
    offsets = memoryview(columns.result_offsets)
    types = bytes(columns.result_types) + bytes(columns.argument_types)
    results, rows = len(columns.result_types), len(types) // 4
    operation, number = array("I"), array("I")
    before = 0
    for row, end in enumerate(offsets[1:]):
        if end > before:
            operation.extend([row] * (end - before))
            number.extend(range(end - before))
        before = end
    # An argument belongs to a block, which is not a row.
    operation.extend([_NONE] * (rows - results))
    number.extend([_NONE] * (rows - results))
    return Table(
        rows,
        [
            ("type", "I", False, rows, 0, [None, types], [], None),
            _references("operation", operation),
            _references("result_number", number),
        ],
    )


def _attributes(module: _mlirbc.Module) -> Table:
    return _entries(module.attributes)


def _types(module: _mlirbc.Module) -> Table:
    return _entries(module.types)


def _entries(entries: "Iterable[_mlirbc.Attribute | _mlirbc.Type]") -> Table:
    classes: list[str] = []
    texts: list[str | None] = []
    for entry in entries:
        classes.append(f"{entry.dialect}.{entry.class_name}" if entry.class_name else entry.dialect)
        is_short = entry.payload is None or len(entry.payload) <= _LONGEST_TEXT
        texts.append(str(entry) if is_short else None)
    return Table(len(texts), [_words("class", classes), _texts("text", texts)])


def _symbols(module: _mlirbc.Module) -> Table:
    found = list(_symbols_in(module.operation, ""))
    return Table(
        len(found),
        [
            _texts("path", [path for path, _, _ in found]),
            _texts("name", [name for _, name, _ in found]),
            _words("operation", [op.name for _, _, op in found]),
            _texts("visibility", [_visibility(op) for _, _, op in found]),
        ],
    )


def _symbols_in(table: _mlirbc.Operation, path: str) -> Iterator[tuple[str, str, _mlirbc.Operation]]:
    is_table = functools.cache(_is_symbol_table)
    stack = [(table, path)]
    while stack:
        table, path = stack.pop()
        nested = []
        for region in table.regions:
            for block in region.blocks:
                for op in block.operations:
                    name = string_value(op.attributes.get("sym_name"))
                    inner = path
                    if name is not None:
                        inner = f"{path}::@{name}" if path else f"@{name}"
                        yield inner, name, op
                    if is_table(op.name):
                        nested.append((op, inner))
        stack.extend(reversed(nested))


def _is_symbol_table(name: str) -> bool:
    try:
        return "SymbolTable" in ops.describe(name).traits
    except KeyError:
        return False


def _visibility(op: _mlirbc.Operation) -> str:
    return string_value(op.attributes.get("sym_visibility")) or "public"


def _resources(module: _mlirbc.Module) -> Table:
    found = list(module.resources.values())
    numbers = [(one.size, one.alignment, one.offset) for one in found]
    return Table(
        len(found),
        [
            _words("group", [one.group for one in found]),
            _texts("key", [one.key for one in found]),
            _words("kind", [one.kind for one in found]),
            _integers("size", [size for size, _, _ in numbers]),
            _integers("alignment", [alignment for _, alignment, _ in numbers]),
            _integers("offset", [offset for _, _, offset in numbers]),
        ],
    )


def _references(name: str, numbers: "Buffer") -> _ArrowArray:
    """A column of 32-bit numbers, null where they are `_NONE`."""
    data = memoryview(numbers).cast("B")
    bitmap, nulls = _validity(bytes(data))
    return (name, "I", True, len(data) // 4, nulls, [bitmap, numbers], [], None)


def _validity(data: bytes) -> tuple[bytes | None, int]:
    """A bit for each 32-bit number that is not `_NONE`; None if all are others."""
    none = struct.pack("=I", _NONE)
    bitmap, nulls = None, 0
    place = data.find(none)
    while place >= 0:
        # Between two numbers, the bytes may look like one.
        if place % 4:
            place = data.find(none, place + 1)
            continue
        bitmap = bitmap or bytearray(b"\xff" * ((len(data) // 4 + 7) // 8))
        bitmap[place // 32] &= ~(1 << (place // 4 % 8))
        nulls += 1
        place = data.find(none, place + 4)
    return (bytes(bitmap) if bitmap is not None else None), nulls


def _texts(name: str, texts: "Sequence[str | None]") -> _ArrowArray:
    """A column of text, with offsets of 64 bits."""
    encoded = [b"" if text is None else text.encode("utf-8", "backslashreplace") for text in texts]
    offsets = array("q", [0])
    end = 0
    for text in encoded:
        end += len(text)
        offsets.append(end)
    bitmap, nulls = _bits([text is not None for text in texts])
    return (name, "U", nulls > 0, len(texts), nulls, [bitmap, offsets, b"".join(encoded)], [], None)


def _words(name: str, words: Sequence[str]) -> _ArrowArray:
    """A column of text of which many are equal."""
    numbers: dict[str, int] = {}
    rows = array("I", [numbers.setdefault(word, len(numbers)) for word in words])
    return (name, "I", False, len(words), 0, [None, rows], [], _texts("", list(numbers)))


def _integers(name: str, numbers: "Sequence[int | None]") -> _ArrowArray:
    bitmap, nulls = _bits([number is not None for number in numbers])
    data = array("Q", [number or 0 for number in numbers])
    return (name, "L", True, len(numbers), nulls, [bitmap, data], [], None)


def _bits(flags: list[bool]) -> tuple[bytes | None, int]:
    nulls = flags.count(False)
    if not nulls:
        return None, 0
    bitmap = bytearray((len(flags) + 7) // 8)
    for place, flag in enumerate(flags):
        bitmap[place // 8] |= flag << (place % 8)
    return bytes(bitmap), nulls
