"""Tables and queries stay within the limits of their files, for any contents."""

import csv
import io
import os
import subprocess
import sys
from pathlib import Path

import mlirbc
import pytest

pyarrow = pytest.importorskip("pyarrow", reason="pyarrow is not installed")

ROOT = Path(__file__).parent.parent.parent
TWO_LAYERS = ROOT / "examples/two_layers.mlirbc"
KINDS = ["ops", "values", "attributes", "types", "symbols", "resources"]


def limited(module: mlirbc.Module, **limits: int) -> mlirbc.Module:
    return mlirbc.read(bytes(module.write()), limits=mlirbc.Limits(**limits))


def sharing(count: int) -> mlirbc.Module:
    """Operations that share a long name, with 15 bytes for each operation."""
    name = "n" * (15 * count)
    return mlirbc.parse(f'"t.op"() {{sym_name = "{name}"}} : () -> ()\n' * count)


def nested(depth: int) -> mlirbc.Module:
    return mlirbc.parse("module @m {\n" * depth + "}\n" * depth)


def doubled(levels: int) -> mlirbc.Module:
    """Arrays that each have the one before twice."""
    lines = ["#a0 = [0 : i8]", *(f"#a{n} = [#a{n - 1}, #a{n - 1}]" for n in range(1, levels))]
    return mlirbc.parse("\n".join([*lines, f'"t.op"() {{a = #a{levels - 1}}} : () -> ()']))


def test_a_name_that_symbols_share_is_stored_once() -> None:
    module = limited(sharing(1000), max_memory=4 << 20)
    table = pyarrow.table(module.symbols_table())
    assert table.num_rows == 1000
    assert table.nbytes < 100_000
    for column in ("path", "name", "visibility"):
        assert len(table[column].chunk(0).dictionary) == 1
    assert table["path"][999].as_py() == "@" + "n" * 15_000


def test_paths_of_nested_symbols_are_charged() -> None:
    module = nested(1000)
    assert pyarrow.table(module.symbols_table())["path"][2].as_py() == "@m::@m::@m"
    for limits, identifier in [
        ({"max_text": 1 << 20}, "mlirbc.limit.text"),
        ({"max_memory": 1 << 20}, "mlirbc.limit.memory"),
    ]:
        with pytest.raises(mlirbc.LimitError) as raised:
            limited(module, **limits).symbols_table()
        assert raised.value.identifier == identifier


def test_long_texts_are_null_and_are_not_made() -> None:
    module = limited(doubled(40), max_text=45 << 16, max_memory=16 << 20)
    rows = pyarrow.table(module.attributes_table()).to_pylist()
    short = [row["text"] for row in rows if row["text"] is not None]
    assert 20 < len(rows) - len(short) < 40
    assert max(map(len, short)) <= 1 << 16
    with pytest.raises(mlirbc.LimitError) as raised:
        limited(doubled(40), max_text=5 << 16).attributes_table()
    assert raised.value.identifier == "mlirbc.limit.text"


@pytest.mark.parametrize("kind", KINDS)
def test_each_table_asks_for_its_text(kind: str) -> None:
    module = mlirbc.open(TWO_LAYERS, limits=mlirbc.Limits(max_text=3))
    if kind == "values":
        assert len(module.values_table())
        return
    with pytest.raises(mlirbc.LimitError) as raised:
        getattr(module, f"{kind}_table")()
    assert raised.value.identifier == "mlirbc.limit.text"


@pytest.fixture
def shared_file(tmp_path: Path) -> Path:
    path = tmp_path / "shared.mlirbc"
    sharing(1000).save(path)
    return path


def test_a_query_counts_symbols_that_share_a_name(shared_file: Path) -> None:
    pytest.importorskip("duckdb", reason="duckdb is not installed")
    limits = mlirbc.Limits(max_memory=4 << 20)
    result = mlirbc.query(shared_file, "select count(*), min(length(name)) from symbols", limits=limits)
    assert result.fetchall() == [(1000, 15_000)]


def test_the_memory_of_a_query_is_limited(shared_file: Path) -> None:
    pytest.importorskip("duckdb", reason="duckdb is not installed")
    sql = "select a.name || a.name || b.row from symbols a, symbols b"
    with pytest.raises(mlirbc.LimitError) as raised:
        mlirbc.query(shared_file, sql, limits=mlirbc.Limits(max_memory=4 << 20))
    assert raised.value.identifier == "mlirbc.limit.memory"
    assert raised.value.hint is not None


def test_the_tables_of_all_files_are_limited_together(tmp_path: Path) -> None:
    pytest.importorskip("duckdb", reason="duckdb is not installed")
    for number in range(20):
        (tmp_path / f"{number}.mlirbc").write_bytes(TWO_LAYERS.read_bytes())
    limits = mlirbc.Limits(max_text=20_000)
    assert mlirbc.query(TWO_LAYERS, "select count(*) from attributes", limits=limits).fetchone()
    with pytest.raises(mlirbc.LimitError) as raised:
        mlirbc.query(tmp_path, "select count(*) from attributes", limits=limits)
    assert raised.value.identifier == "mlirbc.limit.text"


def command(*arguments: "str | Path") -> tuple[int, str, str]:
    words = [sys.executable, "-m", "mlirbc", "query", *map(str, arguments)]
    run = subprocess.run(words, capture_output=True, text=True)
    return run.returncode, run.stdout, run.stderr


@pytest.mark.parametrize(
    ("options", "identifier"),
    [(["--max-memory", "20000"], "mlirbc.limit.memory"), (["--max-text", "1000"], "mlirbc.limit.text")],
)
def test_the_command_has_limits(shared_file: Path, options: list[str], identifier: str) -> None:
    pytest.importorskip("duckdb", reason="duckdb is not installed")
    status, out, error = command(shared_file, "select count(*) from symbols", *options)
    assert (status, out) == (3, "")
    assert f"error[{identifier}]" in error


def test_the_command_charges_what_it_shows(shared_file: Path) -> None:
    pytest.importorskip("duckdb", reason="duckdb is not installed")
    arguments = [shared_file, "select name from symbols", "--csv", "--max-text", "200000"]
    status, out, error = command(*arguments)
    assert status == 3 and "error[mlirbc.limit.text]" in error
    assert len(out) <= 200_000


def measured(tmp_path: Path, *arguments: "str | Path") -> tuple[int, int, str]:
    """The status of a query, its highest memory in MiB, and its standard error."""
    words = [sys.executable, "-m", "mlirbc", "query", str(TWO_LAYERS), *map(str, arguments)]
    with open(tmp_path / "errors", "w+") as errors, open(tmp_path / "out", "w") as out:
        process = subprocess.Popen(words, stdout=out, stderr=errors)
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        errors.seek(0)
        return process.returncode, used.ru_maxrss >> 10, errors.read()


# Each takes more than 1 GB where nothing limits it.
LARGE = [
    "select repeat('a', 1000000000)",
    "select range, lpad('a', 300000000, 'b') from range(4)",
    "select format('{:>1000000000}', 'a')",
    "select range(0, 200000000)",
    "select list(range) from range(200000000)",
    "select a.range, b.range from range(4000) a, range(4000) b",
    "select range, range % 10 as a, range % 10 as b from range(3000000)",
    "select a.range, b.range from range(100000) a, range(1000) b order by all",
]


@pytest.mark.skipif(sys.platform != "linux", reason="the system limits the memory of processes on Linux")
@pytest.mark.parametrize("sql", LARGE)
def test_the_memory_of_the_command_is_limited(tmp_path: Path, sql: str) -> None:
    pytest.importorskip("duckdb", reason="duckdb is not installed")
    status, memory, errors = measured(tmp_path, sql, "--max-memory", "32M")
    assert status == 3 and errors.startswith("error[mlirbc.limit.memory]: "), errors
    # The limit applies to rows and to DuckDB, and the command needs some memory of its own.
    assert memory < measured(tmp_path, "select 1")[1] + 2 * 32 + 128
    assert errors.count("help: ") == errors.count("--max-memory") == 1


@pytest.mark.parametrize("form", ["--csv", "--json"])
def test_rows_are_written_as_they_come(tmp_path: Path, form: str) -> None:
    pytest.importorskip("duckdb", reason="duckdb is not installed")
    sql = "select range, range % 10 as a from range(1000000)"
    status, memory, errors = measured(tmp_path, sql, "--max-memory", "32M", "--max-text", "1G", form)
    assert (status, errors) == (0, "")
    with open(tmp_path / "out") as out:
        assert sum(1 for _ in out) == 1_000_000 + (form == "--csv")
    assert memory < measured(tmp_path, "select 1")[1] + 100


@pytest.mark.parametrize("form", [[], ["--csv"], ["--json"]])
def test_all_that_the_command_writes_is_charged(form: list[str]) -> None:
    pytest.importorskip("duckdb", reason="duckdb is not installed")
    # A wide cell of one row widens every row.
    for sql in (
        "select range from range(10000)",
        "select case range when 0 then repeat('a', 1000) end, 1 from range(100)",
    ):
        status, out, errors = command(TWO_LAYERS, sql, "--max-text", "20000", *form)
        is_short = bool(form) and "repeat" in sql
        assert (status == 0) == is_short, errors
        assert len(out) <= 20_000
        if not is_short:
            hint = "; help: raise `--max-text` if you trust the file\n"
            assert errors.startswith("error[mlirbc.limit.text]: the text limit is 20000 bytes")
            assert errors.endswith(hint) and errors.count("--max-text") == 1 and "elide" not in errors


@pytest.mark.parametrize("sql", ["", " ", ";", "/* nothing */"])
def test_a_query_has_a_statement(sql: str) -> None:
    pytest.importorskip("duckdb", reason="duckdb is not installed")
    with pytest.raises(ValueError, match="expected an SQL statement, found none"):
        mlirbc.query(TWO_LAYERS, sql)
    status, out, errors = command(TWO_LAYERS, sql)
    assert (status, out) == (2, "")
    assert (
        errors == "error: expected an SQL statement, found none; help: ask for something, as in `from ops`\n"
    )


def test_names_of_columns_are_escaped_too() -> None:
    pytest.importorskip("duckdb", reason="duckdb is not installed")
    assert command(TWO_LAYERS, 'select 1 as "\x1b[2J"')[1] == "\\x1b[2J\n      1\n"


def test_hints_of_tables_name_no_arguments_of_printing() -> None:
    limits = mlirbc.Limits(max_text=100)
    module = mlirbc.open(TWO_LAYERS, limits=limits)
    for render, expected in [(module.attributes_table, False), (module.operation.get_asm, True)]:
        with pytest.raises(mlirbc.LimitError) as raised:
            render()
        assert raised.value.identifier == "mlirbc.limit.text"
        assert ("large_elements_limit=" in str(raised.value.hint)) == expected
        assert "elide" not in str(raised.value.hint)


def test_the_command_passes_how_files_are_read(tmp_path: Path) -> None:
    pytest.importorskip("duckdb", reason="duckdb is not installed")
    sql = "select count(*) as n from ops"
    for options in (
        ["--backend", "read"],
        ["--module", "0"],
        ["--release", "llvm-22"],
        ["--unknown", "func"],
    ):
        assert command(TWO_LAYERS, sql, *options) == (0, "n\n34\n".replace("n\n", " n\n", 1), "")
    assert command(TWO_LAYERS, sql, "--module", "1")[0] == 3


REFUSED = [
    "copy ops to '{folder}/out.parquet'",
    "select * from read_text('{file}')",
    "select * from read_csv('{file}')",
    "select * from glob('{folder}/*')",
    "attach '{folder}/new.db'",
    "export database '{folder}/all'",
    "install httpfs",
    "load httpfs",
    "set enable_external_access = true",
    "set lock_configuration = false",
    "set memory_limit = '1TB'",
]


@pytest.mark.parametrize("statement", REFUSED)
def test_a_query_has_no_files_and_no_extensions(tmp_path: Path, statement: str) -> None:
    duckdb = pytest.importorskip("duckdb", reason="duckdb is not installed")
    (tmp_path / "secret.csv").write_text("a,b\n1,2\n")
    sql = statement.format(folder=tmp_path, file=tmp_path / "secret.csv")
    with pytest.raises(duckdb.Error):
        mlirbc.query(TWO_LAYERS, sql)
    assert os.listdir(tmp_path) == ["secret.csv"]
    # The connection that a query returns is no way around it.
    with pytest.raises(duckdb.Error):
        mlirbc.query(TWO_LAYERS, "select 1").execute(sql)
    assert os.listdir(tmp_path) == ["secret.csv"]
    status, out, error = command(TWO_LAYERS, sql)
    assert (status, out) == (1, "") and error.startswith("error: ")


def test_files_are_allowed_on_request(tmp_path: Path) -> None:
    duckdb = pytest.importorskip("duckdb", reason="duckdb is not installed")
    mlirbc.query(TWO_LAYERS, f"copy ops to '{tmp_path}/ops.parquet'", allow_files=True)
    assert duckdb.sql(f"select count(*) from '{tmp_path}/ops.parquet'").fetchall() == [(34,)]
    assert command(TWO_LAYERS, f"copy ops to '{tmp_path}/ops.csv'", "--allow-files")[0] == 0
    assert (tmp_path / "ops.csv").exists()


def test_a_query_does_not_see_the_variables_of_the_program() -> None:
    duckdb = pytest.importorskip("duckdb", reason="duckdb is not installed")
    secret = pyarrow.table({"a": [1]})
    assert secret.num_rows == 1
    with pytest.raises(duckdb.Error):
        mlirbc.query(TWO_LAYERS, "from secret")


def test_formulas_are_quoted_on_request(tmp_path: Path) -> None:
    pytest.importorskip("duckdb", reason="duckdb is not installed")
    sql = "select '=1+1' as \"@a\", '-x' as b, 'a=b' as c, -1 as d"
    assert command(TWO_LAYERS, sql, "--csv")[1] == "@a,b,c,d\n=1+1,-x,a=b,-1\n"
    assert command(TWO_LAYERS, sql, "--csv", "--quote-formulas")[1] == "'@a,b,c,d\n'=1+1,'-x,a=b,-1\n"
    for start in [
        "=",
        "+",
        "-",
        "@",
        "\t",
        "\r",
        "\n",
        " =",
        "\t=",
        "\n\r=",
        "\u00a0=",
        "\ufeff=",
        "\uff1d",
        "\uff0b",
        "\uff0d",
        "\uff20",
    ]:
        sql = f"select '{start}x' as a, [1] as b, 1.5::decimal as c, -1.5 as d, interval (-1) day as e"
        words = [sys.executable, "-m", "mlirbc", "query", str(TWO_LAYERS), sql, "--csv", "--quote-formulas"]
        # As bytes, in which carriage returns stay.
        shown = io.StringIO(subprocess.run(words, capture_output=True).stdout.decode(), newline="")
        [_, [text, items, *numbers, time]] = csv.reader(shown)
        assert (text, items, numbers) == (f"'{start}x", "[1]", ["1.500", "-1.5"])
        assert time.startswith("'-1 day")
    for text in ["a=b", " a", "1", ""]:
        sql = f"select '{text}' as a, 1 as b"
        assert f"{text},1\n" in command(TWO_LAYERS, sql, "--csv", "--quote-formulas")[1]
    path = tmp_path / "=formula.mlirbc"
    path.write_bytes(TWO_LAYERS.read_bytes())
    words = [sys.executable, "-m", "mlirbc", "ops", "=formula.mlirbc", "=formula.mlirbc", "--format", "csv"]
    for options, start in ((["--quote-formulas"], "'=f"), ([], "=f")):
        run = subprocess.run([*words, *options], capture_output=True, text=True, cwd=tmp_path)
        assert run.returncode == 0
        assert run.stdout.splitlines()[1].startswith(start)
    if os.name == "posix":
        path.rename(tmp_path / "\n=formula.mlirbc")
        words = [
            sys.executable,
            "-m",
            "mlirbc",
            "ops",
            "\n=formula.mlirbc",
            "\n=formula.mlirbc",
            "--format",
            "csv",
        ]
        run = subprocess.run([*words, "--quote-formulas"], capture_output=True, text=True, cwd=tmp_path)
        assert (run.returncode, run.stdout.splitlines()[1]) == (0, "\"'")
