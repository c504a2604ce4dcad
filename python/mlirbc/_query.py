"""SQL about the modules of files, for `mlirbc.query` and the command `mlirbc query`; DuckDB answers it."""

import csv
import json
import logging
import os
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, TextIO

from mlirbc import _mlirbc, corpus
from mlirbc._logging import logger

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

__all__ = ["query"]

_Path = str | os.PathLike[str]

_TABLES = ("ops", "values", "attributes", "types", "symbols", "resources")


def query(
    paths: _Path | Iterable[_Path],
    sql: str,
    *,
    limits: _mlirbc.Limits | None = None,
    release: str | None = None,
) -> "DuckDBPyConnection":
    """Answer a query about files with DuckDB; the connection has the result: `fetchall()`, `df()`, `arrow()`.

    The tables are `ops`, `values`, `attributes`, `types`, `symbols` and `resources`, with the columns of
    `Module.ops_table` and its neighbours after `file` and `row`, which counts from 0 in each file:
    `location` of an operation is the `row` of an attribute with the same `file`. Only the tables that the
    query names are made, in memory, one file after the other. `paths` are those of `mlirbc.corpus.files`;
    `limits` and `release` are those of `mlirbc.open`.

    Raises `ImportError` when DuckDB is not installed (`pip install 'mlirbc[query]'`), `ValueError` when
    there are no files, what `mlirbc.open` raises for the first file that cannot be read, with the path as
    a note, and `duckdb.Error` for the query.

    >>> sql = "select file, count(*) from ops where name like 'vhlo.%' group by file"
    >>> mlirbc.query("examples/*.mlirbc", sql).fetchall()
    [('examples/artifact.mlirbc', 4)]
    """
    try:
        import duckdb
    except ImportError as error:
        raise ImportError("queries need DuckDB: pip install 'mlirbc[query]'") from error
    given = [paths] if isinstance(paths, (str, os.PathLike)) else paths
    connection = duckdb.connect()
    named = [table for table in _TABLES if re.search(rf"\b{table}\b", sql, re.IGNORECASE)]
    made = False
    for path in corpus.files(given):
        try:
            with _mlirbc.open(path, limits=limits, release=release) as module:
                for table in named:
                    connection.register("one", getattr(module, f"{table}_table")())
                    verb = f'insert into "{table}"' if made else f'create table "{table}" as'
                    row = "(row_number() over () - 1)::uinteger as row"
                    rows = f"select ?::varchar as file, {row}, * from one"
                    connection.execute(f"{verb} {rows}", [str(path)])
                    connection.unregister("one")
        except (_mlirbc.Error, OSError) as error:
            error.add_note(f"in {path}")
            raise
        made = True
    if not made:
        raise ValueError("expected at least one file, found none")
    return connection.execute(sql)


def _main(arguments: Sequence[str]) -> int:
    """What `mlirbc query` runs: the form of the output, the query, and the files. Returns the exit status."""
    form, sql, *paths = arguments
    notes = logging.StreamHandler()
    notes.setFormatter(logging.Formatter("note: %(message)s"))
    logger.addHandler(notes)
    try:
        found = query(paths, sql)
    except (_mlirbc.Error, OSError) as error:
        place = "".join(f"{note.removeprefix('in ')}: " for note in getattr(error, "__notes__", ())[-1:])
        _complain(f"{place}{_described(error)}")
        return 3
    except ValueError as error:
        _complain(f"error: {error}; help: name a file, or a folder with bytecode files")
        return 2
    # DuckDB's own errors have no class that is there without it.
    except Exception as error:
        _complain(f"error: {error}")
        return 1
    try:
        names = [column[0] for column in found.description or []]
        _write(form, names, iter(found.fetchone, None), sys.stdout)
        sys.stdout.flush()
    except BrokenPipeError:
        # The interpreter would complain again as it ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


def _described(error: Exception) -> str:
    if isinstance(error, _mlirbc.Error):
        return f"error[{error.identifier}]: {error}" + (f"; help: {error.hint}" if error.hint else "")
    return f"error[mlirbc.io]: {error}"


def _complain(line: str) -> None:
    print("\n".join(map(_printable, line.splitlines())), file=sys.stderr)


def _write(form: str, names: list[str], rows: Iterator[tuple[object, ...]], out: TextIO) -> None:
    if form == "json":
        for row in rows:
            # Only ASCII, so that no terminal obeys it.
            out.write(json.dumps(dict(zip(names, row, strict=True)), default=str) + "\n")
    elif form == "csv":
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(names)
        writer.writerows(map(_printable_row, rows) if out.isatty() else rows)
    else:
        _write_aligned(names, list(rows), out)


def _write_aligned(names: list[str], rows: list[tuple[object, ...]], out: TextIO) -> None:
    cells = [names, *([_printable("" if cell is None else str(cell)) for cell in row] for row in rows)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    is_number = [
        any(isinstance(cell, int | float) for cell in column)
        and all(cell is None or isinstance(cell, int | float) for cell in column)
        for column in zip(*rows, strict=True)
    ] or [False] * len(names)
    for row in cells:
        aligned = [
            cell.rjust(width) if right else cell.ljust(width)
            for cell, width, right in zip(row, widths, is_number, strict=True)
        ]
        out.write("  ".join(aligned).rstrip() + "\n")


def _printable_row(row: tuple[object, ...]) -> list[object]:
    return [_printable(cell) if isinstance(cell, str) else cell for cell in row]


def _printable(text: str) -> str:
    """The text without what a terminal obeys."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)


if __name__ == "__main__":
    sys.exit(_main(sys.argv[1:]))
