"""SQL about the modules of files, for `mlirbc.query` and the command `mlirbc query`; DuckDB answers it."""

import argparse
import contextlib
import itertools
import json
import logging
import os
import re
import signal
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from decimal import Decimal
from typing import TYPE_CHECKING, Literal, TextIO

from mlirbc import _mlirbc, corpus
from mlirbc._logging import logger
from mlirbc.artifacts import Artifact
from mlirbc.tables import _FileTables

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

__all__ = ["query"]

_Path = str | os.PathLike[str]

_TABLES: tuple[str, ...] = ("ops", "values", "attributes", "types", "symbols", "resources")

# DuckDB needs some memory for itself, independent of the files.
_MEMORY_OF_DUCKDB = 256 << 20
_LEAST_MEMORY_OF_DUCKDB = 32 << 20
# A thread of DuckDB does little work within less memory.
_MEMORY_OF_THREAD = 16 << 20
# The command may take this much beside the memory of DuckDB and of the rows that it keeps.
_MEMORY_OF_COMMAND = 128 << 20
_STACK_OF_THREAD = 8 << 20


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
    `Module.ops_table` and its neighbours after `file` and `row`, which counts from 0 in each file: `location`
    of an operation is the `row` of an attribute with the same `file`. Only the tables that the query names
    are made, in memory, one file after the other. A file with several modules has the rows of each: `file` is
    `model.jax` for the main module and `model.jax (vjp)` for another one. `paths` are as for
    `mlirbc.corpus.files`; `limits`, `release` and `backend` as for `mlirbc.open`.

    The query cannot read or write files, load extensions of DuckDB, or change its configuration, unless
    `allow_files`: then it may do all that DuckDB can, so the SQL must be trusted.

    The limits on text and memory apply to the tables of all files together. DuckDB itself gets `max_memory`,
    but at least 32 MiB; without it, the memory that the tables may take and 256 MiB. It counts the memory for
    joining, sorting and grouping rows, but not the texts and lists that a function makes of one row, as
    `repeat('a', 1000000000)` does: the command `mlirbc query` limits these, too. Results that you fetch from
    the connection are not counted.

    Raises `ImportError` when DuckDB is not installed (`pip install 'mlirbc[query]'`), `ValueError` when there
    are no files or no statement, the error of `mlirbc.open` for the first file that cannot be read, with the
    path as a note, `LimitError` when a limit is exceeded, and `duckdb.Error` for the query. DuckDB may find
    that it needs more memory only while rows are fetched: `duckdb.OutOfMemoryException`.

    >>> sql = "select file, count(*) from ops where name like 'vhlo.%' group by file"
    >>> mlirbc.query("examples/*.mlirbc", sql).fetchall()
    [('examples/artifact.mlirbc', 4)]
    """

    def opened(path: _Path) -> _mlirbc.Module:
        return _mlirbc.open(path, limits=limits, release=release, backend=backend)

    connection, _ = _connected((paths, opened), sql, limits, allow_files)
    with _memory_errors():
        return _executed(connection, sql)


class _RequestError(ValueError):
    """A query without files, or without a statement; the hint is for the command."""

    def __init__(self, message: str, hint: str) -> None:
        super().__init__(message)
        self.hint = hint


def _connected(
    files: "tuple[_Path | Iterable[_Path], Callable[[_Path], _mlirbc.Module]]",
    sql: str,
    limits: _mlirbc.Limits | None,
    allow_files: bool,
    *,
    is_chosen: bool = False,
) -> "tuple[DuckDBPyConnection, _mlirbc._TableAccount]":
    """A connection with the tables of files that a function opens, and the account of the tables.

    The function opens the chosen module, if `is_chosen`, or else the main one of all modules.
    """
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
            with opened(path) as main:
                for name, module in [(str(path), main)] if is_chosen else _modules(path, main):
                    account.admit(module)
                    for kind, table in tables.items():
                        table.add(module, kind, name, account)
        except (_mlirbc.Error, OSError) as error:
            error.add_note(f"in {path}")
            raise
    if not count:
        hint = "name a file, or a folder with bytecode files"
        raise _RequestError("expected at least one file, found none", hint)
    connection = duckdb.connect(config=_configuration(_memory_of_duckdb(account, limits), allow_files))
    for kind, table in tables.items():
        connection.register(kind, table)
    if not allow_files:
        connection.execute("set lock_configuration = true")
    return connection, account


def _modules(path: _Path, main: _mlirbc.Module) -> Iterator[tuple[str, _mlirbc.Module]]:
    """All modules of a file, with their names in the rows of the tables."""
    artifact = Artifact(main)
    for place in artifact.modules:
        name = str(path) if place.path == "main" else f"{path} ({place.path})"
        yield name, artifact.module(place.path)


def _executed(connection: "DuckDBPyConnection", sql: str) -> "DuckDBPyConnection":
    """The connection with the result of the last statement."""
    # The stubs of DuckDB do not say that there may be nothing to execute.
    executed: DuckDBPyConnection | None = connection.execute(sql)
    if executed is None:
        raise _RequestError("expected an SQL statement, found none", "ask for something, as in `from ops`")
    return executed


@contextlib.contextmanager
def _memory_errors() -> Iterator[None]:
    """Replaces an error of DuckDB or Python about memory by the one that names the limit."""
    import duckdb

    try:
        yield
    except (duckdb.OutOfMemoryException, MemoryError) as error:
        reason = str(error) or "the system refuses a block of memory"
        raise _mlirbc._query_memory_error(reason) from error


def _memory_of_duckdb(account: _mlirbc._TableAccount, limits: _mlirbc.Limits | None) -> int:
    if limits is not None and limits.max_memory is not None:
        return max(limits.max_memory, _LEAST_MEMORY_OF_DUCKDB)
    return account.max_memory + _MEMORY_OF_DUCKDB


def _configuration(memory: int, allow_files: bool) -> dict[str, str | bool | int | float | list[str]]:
    # The tables are registered by name; DuckDB would also take variables of the program with such a name.
    configuration: dict[str, str | bool | int | float | list[str]] = {
        "memory_limit": f"{memory} bytes",
        "python_enable_replacements": False,
    }
    threads = memory // _MEMORY_OF_THREAD
    if threads < (os.cpu_count() or 1):
        configuration["threads"] = threads
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
    for name in ("--dialects", "--layout", "--schemas", "--unknown"):
        parser.add_argument(name, action="append", default=[])
    for name in ("--max-depth", "--max-memory", "--max-text", "--max-decompressed"):
        parser.add_argument(name, type=int)
    parser.add_argument("sql")
    parser.add_argument("paths", nargs="+")
    return parser


def _main(arguments: Sequence[str]) -> int:
    """Runs the command `mlirbc query`. Returns the exit status."""
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
            layouts=dict(layout.split("=", 1) for layout in options.layout),
            module=int(options.module) if options.module and options.module.isdecimal() else options.module,
        )

    try:
        files = (options.paths, opened)
        connection, account = _connected(
            files, options.sql, limits, options.allow_files, is_chosen=options.module is not None
        )
        table_memory = account.memory_left if options.form == "table" else 0
        _limit_process(connection, _memory_of_duckdb(account, limits) + table_memory)
        with _memory_errors():
            executed = _executed(connection, options.sql)
            out = _ChargedOutput(sys.stdout, account)
            _write(options.form, executed, out, quotes_formulas=options.formulas == "quote")
        sys.stdout.flush()
    except BrokenPipeError:
        # The interpreter would complain again as it ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (_mlirbc.Error, OSError) as error:
        place = "".join(f"{note.removeprefix('in ')}: " for note in getattr(error, "__notes__", ())[-1:])
        _complain(f"{place}{_described(error)}")
        return 3
    except _RequestError as error:
        _complain(f"error: {error}; help: {error.hint}")
        return 2
    # DuckDB's own errors have no class that is there without it.
    except Exception as error:
        _complain(f"error: {error}")
        return 1
    return 0


def _limit_process(connection: "DuckDBPyConnection", memory: int) -> None:
    """Lets the process take only this much more memory, besides the memory that the command needs.

    DuckDB does not count the texts and lists that functions make of one row; here the system refuses them.
    """
    if sys.platform != "linux":
        return
    import resource

    row = connection.execute("select current_setting('threads')").fetchone()
    threads = int(row[0]) if row else 1
    with contextlib.suppress(OSError, ValueError), open("/proc/self/status", encoding="ascii") as status:
        used = next(int(line.split()[1]) << 10 for line in status if line.startswith("VmData:"))
        _, hard = resource.getrlimit(resource.RLIMIT_DATA)
        most = used + memory + _MEMORY_OF_COMMAND + threads * _STACK_OF_THREAD
        resource.setrlimit(resource.RLIMIT_DATA, (most if hard < 0 else min(most, hard), hard))


def _text(path: str) -> str:
    with open(path, encoding="utf-8") as file:
        return file.read()


class _ChargedOutput:
    """A file whose text is charged to the limit before it is written."""

    def __init__(self, file: TextIO, account: _mlirbc._TableAccount) -> None:
        self.account = account
        self.is_terminal = file.isatty()
        self._file = file

    def write(self, text: str) -> int:
        self.account.spend_text(text)
        return self._file.write(text)


def _described(error: Exception) -> str:
    if isinstance(error, _mlirbc.Error):
        hint = _mlirbc._query_hint(error.identifier, error.hint)
        return f"error[{error.identifier}]: {error.message}" + (f"; help: {hint}" if hint else "")
    # An error with a file name has it only in its whole text; one of the core names the file in its message.
    message = error.strerror if isinstance(error, OSError) and error.filename is None else None
    return f"error[mlirbc.io]: {message or error}"


def _complain(line: str) -> None:
    print("\n".join(map(_printable, line.splitlines())), file=sys.stderr)


def _write(form: str, executed: "DuckDBPyConnection", out: _ChargedOutput, *, quotes_formulas: bool) -> None:
    """Writes the rows as they come, except for the aligned form, which needs all rows first."""
    names = [column[0] for column in executed.description or []]
    # Row by row: a batch would have the texts of all its rows at once.
    rows: Iterator[tuple[object, ...]] = iter(executed.fetchone, None)
    if form == "json":
        for row in rows:
            # Only ASCII, so that no terminal obeys it.
            out.write(json.dumps(dict(zip(names, row, strict=True)), default=str) + "\n")
    elif form == "csv":
        rows = itertools.chain([tuple(names)], rows)
        if quotes_formulas:
            rows = map(_row_without_formulas, rows)
        for row in map(_printable_row, rows) if out.is_terminal else rows:
            out.write(_csv_line(row))
    else:
        _write_aligned(names, rows, out)


def _csv_line(row: tuple[object, ...]) -> str:
    """A line of CSV; the module `csv` does not quote a carriage return, at which readers begin a row."""
    cells = ["" if cell is None else str(cell) for cell in row]
    quoted = ['"' + cell.replace('"', '""') + '"' if _NEEDS_QUOTES.search(cell) else cell for cell in cells]
    # A line without characters is no row.
    return ('""' if quoted == [""] else ",".join(quoted)) + "\n"


_NEEDS_QUOTES = re.compile('[,"\r\n]')

# A line of printable cells has no control characters.
_BETWEEN_CELLS = "\0"


def _write_aligned(names: list[str], rows: Iterator[tuple[object, ...]], out: _ChargedOutput) -> None:
    lines = [_BETWEEN_CELLS.join(map(_printable, names))]
    widths = [len(_printable(name)) for name in names]
    has_number, has_text = [False] * len(names), [False] * len(names)
    for row in rows:
        cells = [_printable("" if cell is None else str(cell)) for cell in row]
        line = _BETWEEN_CELLS.join(cells)
        # This includes its slot in the list, which grows by at most an eighth.
        out.account.spend_memory(sys.getsizeof(line) + 9)
        lines.append(line)
        widths = [*map(max, widths, map(len, cells))]
        for column, cell in enumerate(row):
            has_number[column] |= isinstance(cell, int | float)
            has_text[column] |= not (cell is None or isinstance(cell, int | float))
    for line in lines:
        aligned = [
            cell.rjust(width) if is_number and not is_text else cell.ljust(width)
            for cell, width, is_number, is_text in zip(
                line.split(_BETWEEN_CELLS), widths, has_number, has_text, strict=True
            )
        ]
        out.write("  ".join(aligned).rstrip() + "\n")


def _row_without_formulas(row: tuple[object, ...]) -> tuple[object, ...]:
    return tuple(
        cell if cell is None or isinstance(cell, int | float | Decimal) else _without_formula(str(cell))
        for cell in row
    )


def _without_formula(text: str) -> str:
    """The text after an apostrophe if a spreadsheet would take it for a formula."""
    return f"'{text}" if _mlirbc._is_formula(text) else text


def _printable_row(row: tuple[object, ...]) -> tuple[object, ...]:
    return tuple(_printable(cell) if isinstance(cell, str) else cell for cell in row)


def _printable(text: str) -> str:
    """The text without control sequences of terminals."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)


if __name__ == "__main__":
    # DuckDB does not stop a query for an exception of Python.
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    sys.exit(_main(sys.argv[1:]))
