"""The cost of programs, against the numbers that XLA's own analysis gives for the same text."""

import json
import subprocess
import sys
from pathlib import Path

import mlirbc
import pytest

CASES = json.loads((Path(__file__).parent.parent / "data" / "cost" / "xla.json").read_text())


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_counts_are_those_of_xla(case: dict[str, object]) -> None:
    report = mlirbc.tools.cost(mlirbc.parse(str(case["text"]), target="jaxlib-0.10"))
    # XLA counts the body of a loop once, and its condition too, which compares once more to end the loop.
    iterations = 20 if case["name"] == "recurrent" else 1
    assert report.total.flops == iterations * int(str(case["flops"])) + (iterations > 1)
    assert report.total.transcendentals == iterations * int(str(case["transcendentals"]))
    assert report.notes == []


def test_formulas_have_the_names_of_the_export() -> None:
    module = mlirbc.open("tests/data/cost/symbolic.jax")
    report = mlirbc.tools.cost(module)
    assert report.symbols == ["b", "s"]
    assert "b" in str(report.total.flops)
    for sizes in ({"b": 1, "s": 2}, {"b": 8, "s": 128}, {"b": 3, "s": 77}):
        at = mlirbc.tools.cost(module, dims=sizes)
        # A dot of b*s rows, 16 and 32 columns, and an addition for each element of its result.
        rows = sizes["b"] * sizes["s"]
        dots = [row.flops for row in at.names if row.name == "stablehlo.dot_general"]
        assert dots == [rows * 16 * 32 * 2]
        assert at.symbols == []


def test_a_dimension_that_the_program_lacks_is_an_error() -> None:
    with pytest.raises(mlirbc.InvalidError, match="no cost depends on a dimension `x`"):
        mlirbc.tools.cost("examples/mlp.jax", dims={"x": 3})


def test_arguments_with_a_name_are_parameters() -> None:
    # The constant has 8 * 4 elements; `params` has a bias of 16, and matrices of 8 * 16 and 16 * 4.
    assert mlirbc.tools.cost("examples/mlp.jax").total.parameters == 32
    assert mlirbc.tools.cost("examples/mlp.jax", parameters=["params"]).total.parameters == 32 + 16 + 128 + 64


def test_an_invalid_table_of_custom_calls_names_the_formula() -> None:
    with pytest.raises(mlirbc.InvalidError, match="`flops` of `x`"):
        mlirbc.tools.cost("examples/mlp.jax", custom_calls="[custom_call.x]\nflops = '2 *'")


def test_the_arrow_table_has_the_rows_of_the_report() -> None:
    arrow = pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    command = [
        sys.executable,
        "-m",
        "mlirbc",
        "cost",
        "examples/mlp.jax",
        "--by",
        "operation",
        "--format",
        "arrow",
    ]
    written = subprocess.run(command, capture_output=True, check=True).stdout
    table = arrow.ipc.open_stream(written).read_all()
    report = mlirbc.tools.cost("examples/mlp.jax")
    rows = [row for row in table.to_pylist() if row["module_path"] == "main"]
    assert [row["flops"] for row in rows] == [row.flops for row in report.operations]
    assert [row["operation"] for row in rows] == [row.name for row in report.operations]
    assert {row["file"] for row in rows} == {"examples/mlp.jax"}
