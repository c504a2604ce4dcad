"""SQL about the modules of files, for `mlirbc.query` and the command `mlirbc query`; DuckDB answers it."""

import argparse
import csv
import json
import logging
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Literal, TextIO

from mlirbc import _mlirbc, corpus
from mlirbc._logging import logger
from mlirbc.tables import _FileTables

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

__all__ = ["query"]

_Path = str | os.PathLike[str]

_TABLES: tuple[str, ...] = ("ops", "values", "attributes", "types", "symbols", "resources")

# DuckDB needs some memory for itself, whatever the files are.
_MEMORY_OF_DUCKDB = 256 << 20
_LEAST_MEMORY_OF_DUCKDB = 32 << 20


def query(
    paths: _Path | Iterable[_Path],
    sql: str,
    *,
    limits: _mlirbc.Limits | None = None,
    release: str | None = None,
    backend: Literal["map", "read"] = "map",
    allow_files: bool = False,
) -> "DuckDBPyConnection":
    """Answer a query about files with DuckDB; the connection has the result: `fetchall()`, `df()`, `arrow()`.

    The tables are `ops`, `values`, `attributes`, `types`, `symbols` and `resources`, with the columns of
    `Module.ops_table` and its neighbours after `file` and `row`, which counts from 0 in each file:
    `location` of an operation is the `row` of an attribute with the same `file`. Only the tables that the
    query names are made, in memory, one file after the other. `paths` are those of `mlirbc.corpus.files`;
    `limits`, `release` and `backend` are those of `mlirbc.open`.

    The query cannot read or write files, load extensions of DuckDB, or change its configuration, unless
    `allow_files`: then it may do all that DuckDB can, so the SQL must be trusted.

    The limits on text and memory apply to the tables of all files together. DuckDB itself gets `max_memory`,
    but at least 32 MiB; without it, what the tables may take and 256 MiB.

    Raises `ImportError` when DuckDB is not installed (`pip install 'mlirbc[query]'`), `ValueError` when
    there are no files, what `mlirbc.open` raises for the first file that cannot be read, with the path as
    a note, `LimitError` when a limit is exceeded, and `duckdb.Error` for the query.

    >>> sql = "select file, count(*) from ops where name like 'vhlo.%' group by file"
    >>> mlirbc.query("examples/*.mlirbc", sql).fetchall()
    [('examples/artifact.mlirbc', 4)]
    """

    def opened(path: _Path) -> _mlirbc.Module:
        return _mlirbc.open(path, limits=limits, release=release, backend=backend)

    return _answer((paths, opened), sql, limits, allow_files)[0]


def _answer(
    files: "tuple[_Path | Iterable[_Path], Callable[[_Path], _mlirbc.Module]]",
    sql: str,
    limits: _mlirbc.Limits | None,
    allow_files: bool,
) -> "tuple[DuckDBPyConnection, _mlirbc._TableAccount]":
    """The result of a query about files that a function opens, and the account that output is charged to."""
    try:
        import duckdb
    except ImportError as error:
        raise ImportError("queries need DuckDB: pip install 'mlirbc[query]'") from error
    paths, opened = files
    named = [table for table in _TABLES if re.search(rf"\b{table}\b", sql, re.IGNORECASE)]
    tables = {table: _FileTables() for table in named}
    account = _mlirbc._TableAccount(limits)
    count = 0
    for path in corpus.files([paths] if isinstance(paths, (str, os.PathLike)) else paths):
        count += 1
        try:
            with opened(path) as module:
                account.admit(module)
                for kind, table in tables.items():
                    table.add(module, kind, str(path), account)
        except (_mlirbc.Error, OSError) as error:
            error.add_note(f"in {path}")
            raise
    if not count:
        raise ValueError("expected at least one file, found none")
    connection = duckdb.connect(config=_configuration(account, limits, allow_files))
    for kind, table in tables.items():
        connection.register(kind, table)
    if not allow_files:
        connection.execute("set lock_configuration = true")
    try:
        return connection.execute(sql), account
    except duckdb.OutOfMemoryException as error:
        raise _mlirbc._query_memory_error(str(error)) from error


def _configuration(
    account: _mlirbc._TableAccount, limits: _mlirbc.Limits | None, allow_files: bool
) -> dict[str, str | bool | int | float | list[str]]:
    if limits is not None and limits.max_memory is not None:
        memory = max(limits.max_memory, _LEAST_MEMORY_OF_DUCKDB)
    else:
        memory = account.max_memory + _MEMORY_OF_DUCKDB
    # The tables are registered by name; DuckDB would also take variables of the program with such a name.
    configuration: dict[str, str | bool | int | float | list[str]] = {
        "memory_limit": f"{memory} bytes",
        "python_enable_replacements": False,
    }
    if not allow_files:
        configuration |= {
            "enable_external_access": False,
            "autoinstall_known_extensions": False,
            "autoload_known_extensions": False,
            "allow_community_extensions": False,
            # Without files, nothing that does not fit into memory is written to one.
            "temp_directory": "",
        }
    return configuration


def _parser() -> argparse.ArgumentParser:
    """The options that `mlirbc query` hands on; it has read and checked them."""
    parser = argparse.ArgumentParser(allow_abbrev=False)
    parser.add_argument("--form", default="table")
    parser.add_argument("--formulas", default="keep")
    parser.add_argument("--allow-files", action="store_true")
    parser.add_argument("--backend", default="map")
    parser.add_argument("--module")
    parser.add_argument("--release")
    for name in ("--dialects", "--schemas", "--unknown"):
        parser.add_argument(name, action="append", default=[])
    for name in ("--max-depth", "--max-memory", "--max-text", "--max-decompressed"):
        parser.add_argument(name, type=int)
    parser.add_argument("sql")
    parser.add_argument("paths", nargs="+")
    return parser


def _main(arguments: Sequence[str]) -> int:
    """What `mlirbc query` runs. Returns the exit status."""
    options = _parser().parse_args(arguments)
    notes = logging.StreamHandler()
    notes.setFormatter(logging.Formatter("note: %(message)s"))
    logger.addHandler(notes)
    limits = _mlirbc.Limits(
        max_depth=options.max_depth,
        max_memory=options.max_memory,
        max_text=options.max_text,
        max_decompressed=options.max_decompressed,
    )

    def opened(path: _Path) -> _mlirbc.Module:
        return _mlirbc.open(
            path,
            limits=limits,
            release=options.release,
            backend=options.backend,
            dialects=[_mlirbc.DialectTable.from_toml(_text(name)) for name in options.dialects],
            schemas=[_mlirbc.PropertySchema.from_json(_text(name)) for name in options.schemas],
            unknown_dialects=options.unknown,
            module=int(options.module) if options.module and options.module.isdecimal() else options.module,
        )

    try:
        found, account = _answer((options.paths, opened), options.sql, limits, options.allow_files)
        names = [column[0] for column in found.description or []]
        rows = _charged(iter(found.fetchone, None), account)
        _write(options.form, names, rows, sys.stdout, quotes_formulas=options.formulas == "quote")
        sys.stdout.flush()
    except BrokenPipeError:
        # The interpreter would complain again as it ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
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
    return 0


def _text(path: str) -> str:
    with open(path, encoding="utf-8") as file:
        return file.read()


def _charged(
    rows: Iterator[tuple[object, ...]], account: _mlirbc._TableAccount
) -> Iterator[tuple[object, ...]]:
    """The rows, each charged to the text limit before it is shown."""
    for row in rows:
        for cell in row:
            if isinstance(cell, str):
                account.spend_text(cell)
        yield row


def _described(error: Exception) -> str:
    if isinstance(error, _mlirbc.Error):
        return f"error[{error.identifier}]: {error}" + (f"; help: {error.hint}" if error.hint else "")
    return f"error[mlirbc.io]: {error}"


def _complain(line: str) -> None:
    print("\n".join(map(_printable, line.splitlines())), file=sys.stderr)


def _write(
    form: str,
    names: list[str],
    rows: Iterator[tuple[object, ...]],
    out: TextIO,
    *,
    quotes_formulas: bool,
) -> None:
    if form == "json":
        for row in rows:
            # Only ASCII, so that no terminal obeys it.
            out.write(json.dumps(dict(zip(names, row, strict=True)), default=str) + "\n")
    elif form == "csv":
        writer = csv.writer(out, lineterminator="\n")
        if quotes_formulas:
            names = [*map(_without_formula, names)]
            rows = map(_row_without_formulas, rows)
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


def _row_without_formulas(row: tuple[object, ...]) -> tuple[object, ...]:
    return tuple(_without_formula(cell) if isinstance(cell, str) else cell for cell in row)


def _without_formula(text: str) -> str:
    """The text after an apostrophe if a spreadsheet would take it for a formula."""
    return f"'{text}" if text.startswith(("=", "+", "-", "@", "\t", "\r")) else text


def _printable_row(row: tuple[object, ...]) -> list[object]:
    return [_printable(cell) if isinstance(cell, str) else cell for cell in row]


def _printable(text: str) -> str:
    """The text without what a terminal obeys."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)


if __name__ == "__main__":
    sys.exit(_main(sys.argv[1:]))
