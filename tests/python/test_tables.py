"""Tables of operations, values, attributes, types, symbols and resources through Arrow's capsules."""

import gc
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
    [large] = [row for row in rows if row["text"] is None]
    assert large["class"] == "builtin.DenseIntOrFPElementsAttr"


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


def test_resources(module):
    rows = pyarrow.table(module.resources_table()).to_pylist()
    assert {row["key"]: row["size"] for row in rows} == {
        key: resource.size for key, resource in module.resources.items()
    }
    assert [row["alignment"] for row in rows] == [one.alignment for one in module.resources.values()]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("text", ["", '"t.op"() : () -> ()', "func.func private @f(i32)"])
def test_small_modules(kind, text):
    module = mlirbc.parse(text)
    made = table(module, kind)
    read = pyarrow.table(made)
    read.validate(full=True)
    assert read.num_rows == len(made) == made.num_rows
    assert read.column_names == made.column_names


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
    found = duckdb.sql("select name, count(*) from ops group by name").fetchall()
    assert dict(found) == module.op_counts()
