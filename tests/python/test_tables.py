"""Tables of operations, values, attributes, types, symbols and resources through Arrow's capsules."""

import csv
import gc
import json
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


def table(module, kind):
    return getattr(module, f"{kind}_table")()


def walked(module):
    operations = []
    module.walk(lambda op: operations.append(op), mlirbc.WalkOrder.PRE_ORDER)
    return operations


@pytest.fixture(scope="module")
def module():
    return mlirbc.open(TWO_LAYERS)


def test_operations_are_those_of_a_walk(module):
    rows = pyarrow.table(table(module, "ops")).to_pylist()
    operations = walked(module)
    assert [row["name"] for row in rows] == [op.name for op in operations]
    places = {op: place for place, op in enumerate(operations)}
    assert [row["parent"] for row in rows] == [
        places[op.parent] if op.parent is not None else None for op in operations
    ]
    values = pyarrow.table(table(module, "values")).to_pylist()
    types = [str(kind) for kind in module.types]
    for row, op in zip(rows, operations, strict=True):
        assert [types[kind] for kind in row["result_types"]] == [str(result.type) for result in op.results]
        assert [types[values[value]["type"]] for value in row["operands"]] == [
            str(operand.type) for operand in op.operands
        ]
        definitions = [
            (values[value]["operation"], values[value]["result_number"]) for value in row["operands"]
        ]
        assert definitions == [
            (places[operand.owner], operand.result_number)
            if isinstance(operand, mlirbc.OpResult)
            else (None, None)
            for operand in op.operands
        ]
        assert str(module.attributes[row["location"]]) == str(op.location)


def test_attributes_and_types_have_their_text(module):
    for kind, entries in (("attributes", module.attributes), ("types", module.types)):
        rows = pyarrow.table(table(module, kind)).to_pylist()
        assert [row["text"] for row in rows] == [str(entry) for entry in entries]
        assert rows[0]["class"] == f"{entries[0].dialect}.{entries[0].class_name}"


def test_the_text_of_a_large_attribute_is_null():
    numbers = ", ".join(str(n) for n in range(40_000))
    module = mlirbc.parse(f'"t.op"() {{a = dense<[{numbers}]> : tensor<40000xi32>}} : () -> ()')
    rows = pyarrow.table(module.attributes_table()).to_pylist()
    classes = {row["class"] for row in rows if row["text"] is None}
    # The dictionary with the attribute is as long.
    assert classes == {"builtin.DenseIntOrFPElementsAttr", "builtin.DictionaryAttr"}


def test_symbols_have_paths():
    module = mlirbc.parse("""
      module @outer {
        func.func private @inner()
        "unknown.table"() ({ func.func private @hidden() }) {sym_name = "odd"} : () -> ()
      }
      func.func @main() { return }
    """)
    rows = pyarrow.table(module.symbols_table()).to_pylist()
    assert [(row["path"], row["operation"], row["visibility"]) for row in rows] == [
        ("@outer", "builtin.module", "public"),
        ("@main", "func.func", "public"),
        ("@outer::@inner", "func.func", "private"),
        ("@outer::@odd", "unknown.table", "public"),
    ]


def test_symbols_of_an_artifact_have_the_names_that_are_strings_of_vhlo():
    module = mlirbc.open("examples/mlp.jax")
    rows = pyarrow.table(module.symbols_table()).to_pylist()
    functions = module.body.operations
    assert [row["path"] for row in rows] == [
        f"@{op.attributes['sym_name'].fields['value']}" for op in functions
    ]
    assert [row["name"] for row in rows] == list(mlirbc.graphs.symbols(module).nodes)


def test_resources(module):
    rows = pyarrow.table(module.resources_table()).to_pylist()
    assert {row["key"]: row["size"] for row in rows} == {
        key: resource.size for key, resource in module.resources.items()
    }
    assert [row["alignment"] for row in rows] == [
        resource.alignment for resource in module.resources.values()
    ]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("text", ["", '"t.op"() : () -> ()', "func.func private @f(i32)"])
def test_small_modules(kind, text):
    module = mlirbc.parse(text)
    arrow_table = table(module, kind)
    read = pyarrow.table(arrow_table)
    read.validate(full=True)
    assert read.num_rows == len(arrow_table) == arrow_table.num_rows
    assert read.column_names == arrow_table.column_names


@pytest.mark.parametrize(
    "file", sorted((ROOT / "tests/data/bytecode/llvm-22/v6").glob("*.mlirbc"))[:60], ids=lambda p: p.stem
)
def test_files(file):
    try:
        module = mlirbc.open(file)
        module.verify()
    except mlirbc.Error:
        pytest.skip("the file is not valid")
    for kind in KINDS:
        pyarrow.table(table(module, kind)).validate(full=True)


def test_what_is_read_outlives_the_module():
    module = mlirbc.open(TWO_LAYERS)
    read = pyarrow.table(module.ops_table())
    names = [op.name for op in walked(module)]
    del module
    gc.collect()
    assert read["name"].to_pylist() == names


def test_capsules_that_nobody_reads_are_freed(module):
    for _ in range(1000):
        module.ops_table().__arrow_c_stream__()
        module.ops_table().__arrow_c_schema__()
    reader = pyarrow.RecordBatchReader.from_stream(module.ops_table())
    del reader
    assert pyarrow.schema(module.ops_table()).names == module.ops_table().column_names


@pytest.mark.filterwarnings("ignore")
def test_polars(module):
    polars = pytest.importorskip("polars", reason="polars is not installed")
    frame = polars.DataFrame(module.ops_table())
    counts = dict(frame.group_by("name").len().iter_rows())
    assert counts == module.op_counts()


@pytest.mark.filterwarnings("ignore")
def test_pandas(module):
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    frame = pandas.DataFrame.from_arrow(module.ops_table())
    assert frame["name"].value_counts().to_dict() == module.op_counts()


@pytest.mark.filterwarnings("ignore")
def test_duckdb(module):
    duckdb = pytest.importorskip("duckdb", reason="duckdb is not installed")
    ops = module.ops_table()  # noqa: F841, the query names it
    counts = duckdb.sql("select name, count(*) from ops group by name").fetchall()
    assert dict(counts) == module.op_counts()


def command(*arguments):
    run = subprocess.run([sys.executable, "-m", "mlirbc", *map(str, arguments)], capture_output=True)
    assert run.returncode == 0, run.stderr.decode()
    return run.stdout


@pytest.mark.parametrize(
    "name", ["examples/two_layers.mlirbc", "examples/artifact.mlirbc", "examples/mlp.jax"]
)
def test_the_command_writes_the_table_of_operations(name, tmp_path):
    path = ROOT / name
    expected = pyarrow.table(mlirbc.open(path).ops_table())
    out = tmp_path / "ops.arrows"
    main = ("ops", path, "--module", "main")
    assert command(*main, "--format", "arrow", "-o", out) == b""
    assert command(*main, "--format", "arrow") == out.read_bytes()
    read = pyarrow.ipc.open_stream(out.read_bytes()).read_all()
    read.validate(full=True)
    assert read.schema.equals(expected.schema) and read.equals(expected)

    rows = [json.loads(line) for line in command(*main, "--format", "json").splitlines()]
    assert rows == expected.to_pylist()
    assert [*rows[0]] == expected.column_names

    lines = csv.DictReader(command(*main, "--format", "csv").decode().splitlines())
    read_back = [
        {name: text if name == "name" else json.loads(text) if text else None for name, text in line.items()}
        for line in lines
    ]
    assert read_back == expected.to_pylist()


def test_the_table_of_several_files_names_them(tmp_path):
    files = [ROOT / "examples/artifact.mlirbc", ROOT / "examples/two_layers.mlirbc"]
    expected = [
        {"file": str(path), **row}
        for path in files
        for row in pyarrow.table(mlirbc.open(path).ops_table()).to_pylist()
    ]
    read = pyarrow.ipc.open_stream(command("ops", *files, "--format", "arrow")).read_all()
    read.validate(full=True)
    assert read.to_pylist() == expected
    assert [json.loads(line) for line in command("ops", *files, "--format", "json").splitlines()] == expected
    first, *rows = command("ops", *files, "--format", "csv").decode().splitlines()
    assert first.split(",")[:2] == ["file", "name"]
    assert [line.partition(",")[0] for line in rows] == [row["file"] for row in expected]


def test_a_file_that_cannot_be_read_is_left_out_of_the_table(tmp_path):
    bad, good, out = tmp_path / "bad.mlirbc", ROOT / "examples/artifact.mlirbc", tmp_path / "ops.arrows"
    bad.write_bytes(b"MLIR")
    out.write_bytes(b"old")
    arguments = [sys.executable, "-m", "mlirbc", "ops", "--format", "arrow", "-o", str(out)]
    assert subprocess.run([*arguments, str(bad)], capture_output=True).returncode == 3
    assert subprocess.run([*arguments, str(bad), str(bad)], capture_output=True).returncode == 3
    assert out.read_bytes() == b"old"
    run = subprocess.run([*arguments, str(bad), str(good)], capture_output=True)
    assert run.returncode == 3 and run.stderr.decode().endswith("2 files, 1 failed\n")
    assert set(pyarrow.ipc.open_stream(out.read_bytes()).read_all()["file"].to_pylist()) == {str(good)}


def test_polars_and_duckdb_read_what_the_command_writes(tmp_path):
    polars = pytest.importorskip("polars", reason="polars is not installed")
    duckdb = pytest.importorskip("duckdb", reason="duckdb is not installed")
    module = mlirbc.open(TWO_LAYERS)
    command("ops", TWO_LAYERS, "--format", "arrow", "-o", tmp_path / "ops.arrows")
    frame = polars.read_ipc_stream(tmp_path / "ops.arrows")
    assert dict(frame.group_by("name").len().iter_rows()) == module.op_counts()
    for kind in ("csv", "json"):
        file = tmp_path / f"ops.{kind}"
        command("ops", TWO_LAYERS, "--format", kind, "-o", file)
        counts = duckdb.sql(f"select name, count(*) from '{file}' group by name").fetchall()
        assert dict(counts) == module.op_counts()


@pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudoterminals")
def test_arrow_is_not_written_to_a_terminal():
    import pty

    ours, theirs = pty.openpty()
    arguments = [sys.executable, "-m", "mlirbc", "ops", str(TWO_LAYERS), "--format", "arrow"]
    run = subprocess.run(arguments, stdout=theirs, stderr=subprocess.PIPE)
    os.close(theirs)
    os.close(ours)
    assert run.returncode == 2
    assert run.stderr == b"error: cannot write Arrow to a terminal; help: name a file with `-o`\n"


def test_the_command_of_the_package_says_that_it_has_no_parquet():
    words = [sys.executable, "-m", "mlirbc", "ops", TWO_LAYERS, "--format", "parquet"]
    run = subprocess.run(words, capture_output=True, text=True)
    assert (run.returncode, run.stdout) == (2, "")
    assert "this program was built without Parquet" in run.stderr
    assert "--features parquet" in run.stderr


def test_keys_of_functions_of_vhlo_have_their_names():
    module = mlirbc.open("examples/mlp.jax")
    paths = [row["path"] for row in pyarrow.table(module.symbols_table()).to_pylist()]
    assert [name for name, _ in mlirbc.tools.hash_symbols(module)] == paths
