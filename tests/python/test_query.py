"""SQL about files: the function, and the command."""

import contextlib
import csv
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import mlirbc
import pytest

pytest.importorskip("duckdb", reason="duckdb is not installed")

import duckdb

ROOT = Path(__file__).parent.parent.parent
EXAMPLES = ROOT / "examples"
ARTIFACT, TWO_LAYERS = EXAMPLES / "artifact.mlirbc", EXAMPLES / "two_layers.mlirbc"


def command(*arguments):
    # Text as bytes: newlines are compared, too.
    words = [sys.executable, "-m", "mlirbc", "query", *map(str, arguments)]
    run = subprocess.run(words, capture_output=True)
    return run.returncode, run.stdout.decode(), run.stderr.decode()


@pytest.mark.parametrize("kind", ["ops", "values", "attributes", "types", "symbols", "resources"])
def test_each_table_has_the_rows_of_all_files(kind):
    pyarrow = pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    files = [ARTIFACT, TWO_LAYERS]
    expected = [
        (str(path), number, *row.values())
        for path in files
        for number, row in enumerate(pyarrow.table(getattr(mlirbc.open(path), f"{kind}_table")()).to_pylist())
    ]
    result = mlirbc.query(files, f"select * from {kind}")
    assert result.description is not None
    assert [column[0] for column in result.description[:2]] == ["file", "row"]
    assert result.fetchall() == expected


def test_tables_are_joined_by_file_and_row():
    sql = """
      select o.file, a.text from ops o join attributes a on o.file = a.file and o.location = a.row
      where o.name = 'vhlo.add_v1'
    """
    adds = []
    mlirbc.open(ARTIFACT).walk(lambda op: adds.append(op) if op.name == "vhlo.add_v1" else None)
    assert mlirbc.query([TWO_LAYERS, ARTIFACT], sql).fetchall() == [
        (str(ARTIFACT), str(op.location)) for op in adds
    ]


def test_folders_and_patterns():
    names = "select distinct parse_filename(file) from ops order by all"
    export = ["mlp.jax", "mlp.jax (vjp)"]
    expected = [(name,) for name in ["artifact.mlirbc", "layout.mlirbc", *export, "two_layers.mlirbc"]]
    assert mlirbc.query(EXAMPLES, names).fetchall() == expected
    assert mlirbc.query([f"{EXAMPLES}/*.jax"], names).fetchall() == [(name,) for name in export]


def test_other_statements(tmp_path):
    mlirbc.query(TWO_LAYERS, f"copy ops to '{tmp_path}/ops.parquet'", allow_files=True)
    count = duckdb.sql(f"select count(*) from '{tmp_path}/ops.parquet'").fetchall()
    assert count == [(sum(mlirbc.open(TWO_LAYERS).op_counts().values()),)]
    assert mlirbc.query(TWO_LAYERS, "select 1").fetchall() == [(1,)]


def test_errors(tmp_path):
    with pytest.raises(FileNotFoundError):
        mlirbc.query("no/such/file", "select 1")
    with pytest.raises(mlirbc.InvalidError) as raised:
        mlirbc.query([TWO_LAYERS, ROOT / "README.md"], "from ops")
    assert raised.value.__notes__ == [f"in {ROOT / 'README.md'}"]
    with pytest.raises(ValueError, match="at least one file"):
        mlirbc.query(tmp_path, "from ops")
    with pytest.raises(duckdb.Error):
        mlirbc.query(TWO_LAYERS, "from nonsense")


def test_without_duckdb(monkeypatch):
    monkeypatch.setitem(sys.modules, "duckdb", None)
    with pytest.raises(ImportError, match=r"pip install 'mlirbc\[query\]'"):
        mlirbc.query(TWO_LAYERS, "select 1")


def test_the_command():
    sql = """
      select name, count(*) as uses, max(parent) as p from ops group by name order by uses desc, name limit 3
    """
    assert command(TWO_LAYERS, ARTIFACT, sql) == (
        0,
        "name            uses   p\n"
        "arith.constant     7  19\n"
        "tensor.cast        5  19\n"
        "func.return        3  19\n",
        "",
    )
    rows = mlirbc.query([TWO_LAYERS, ARTIFACT], sql).fetchall()
    status, text, _ = command(TWO_LAYERS, ARTIFACT, sql, "--json")
    assert status == 0
    assert [tuple(json.loads(line).values()) for line in text.splitlines()] == rows
    status, text, _ = command(TWO_LAYERS, ARTIFACT, sql, "--csv")
    assert status == 0
    assert [*csv.reader(text.splitlines())] == [["name", "uses", "p"], *[[*map(str, row)] for row in rows]]


def test_a_table_has_nothing_that_a_terminal_obeys():
    status, text, _ = command(ARTIFACT, "select chr(27) || '[2J' as a, null as b")
    assert (status, text) == (0, "a        b\n\\x1b[2J\n")


@pytest.mark.parametrize("form", [[], ["--csv"], ["--json"]])
def test_nothing_is_written_to_a_terminal_that_it_obeys(form):
    pty = pytest.importorskip("pty")
    main, terminal = pty.openpty()
    try:
        sql = "select chr(27) || '[2J' as a"
        words = [sys.executable, "-m", "mlirbc", "query", str(ARTIFACT), sql, *form]
        assert subprocess.run(words, stdout=terminal).returncode == 0
        shown = os.read(main, 10_000)
    finally:
        os.close(main)
        os.close(terminal)
    assert b"[2J" in shown and b"\x1b" not in shown


def test_an_interrupt_ends_the_query_without_a_traceback():
    slow = "select count(*) from range(100000000) a, range(100000) b where hash(a.range) + b.range = 7"
    words = [sys.executable, "-m", "mlirbc", "query", str(ARTIFACT), slow]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(words, start_new_session=True, **pipes) as run:
        # The terminal sends the signal to the command and to the process of DuckDB. On a busy machine, the
        # query may not run yet.
        for _ in range(10):
            time.sleep(3)
            os.killpg(run.pid, signal.SIGINT)
            with contextlib.suppress(subprocess.TimeoutExpired):
                run.wait(timeout=3)
                break
        else:
            os.killpg(run.pid, signal.SIGKILL)
        shown = run.communicate()
    assert (run.returncode, shown) == (-signal.SIGINT, (b"", b""))


@pytest.mark.parametrize("planted", ["duckdb.py", "mlirbc.py"])
def test_the_current_folder_is_not_imported_from(tmp_path, planted):
    (tmp_path / planted).write_text("raise SystemExit('imported from the current folder')")
    words = [sys.executable, "-P", "-m", "mlirbc", "query", str(ARTIFACT), "select 1 as a"]
    run = subprocess.run(words, capture_output=True, cwd=tmp_path)
    assert (run.returncode, run.stdout, run.stderr) == (0, b"a\n1\n", b"")


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (["no/such/file", "from ops"], 3, "no/such/file: error[mlirbc.io]: "),
        (["README.md", "from ops"], 3, "README.md: error[mlirbc.invalid.assembly.syntax]: expected"),
        (["examples", "from nonsense"], 1, "error: Catalog Error"),
        (["tests/cli", "from ops"], 2, "error: expected at least one file, found none; help: "),
        (["examples"], 2, "error: the following required arguments were not provided"),
        (["examples", "from ops", "--json", "--csv"], 2, "error: the argument '--json' cannot be used with"),
    ],
)
def test_errors_of_the_command(arguments, status, message, monkeypatch):
    monkeypatch.chdir(ROOT)
    output = command(*arguments)
    assert output[:2] == (status, "") and output[2].startswith(message), output[2]


def test_a_reader_that_stops_early():
    sql = "select * from range(1000000)"
    words = [sys.executable, "-m", "mlirbc", "query", str(ARTIFACT), sql, "--csv"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None and process.stderr is not None
        assert process.stdout.readline() == b"range\n"
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 0


def test_every_module_of_an_export_has_rows_of_its_own():
    mlp = EXAMPLES / "mlp.jax"
    sql = "select file, count(*) from ops where name = 'vhlo.dot_general_v2' group by file order by file"
    assert mlirbc.query(mlp, sql).fetchall() == [(str(mlp), 3), (f"{mlp} (vjp)", 6)]
    joined = "select count(*) from ops a join ops b on a.file = b.file and a.parent = b.row"
    expected = sum(len(module.ops_table()) - 1 for module in mlirbc.open_artifact(mlp))
    assert mlirbc.query(mlp, joined).fetchall() == [(expected,)]
    assert command("--csv", "--module", "vjp", mlp, sql)[1].splitlines()[1:] == [f"{mlp},6"]
