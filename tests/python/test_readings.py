"""Properties with several readings: both are shown, and the caller selects one."""

import pickle
from pathlib import Path

import mlirbc
import pytest

PATH = Path(__file__).parents[2] / "tests/data/between/iree-3.6_async_transfer.mlirbc"


def transfers(module: mlirbc.Module) -> list[mlirbc.Operation]:
    matching: list[mlirbc.Operation] = []

    def visit(op: mlirbc.Operation) -> mlirbc.WalkResult:
        if op.name == "stream.async.transfer":
            matching.append(op)
        return mlirbc.WalkResult.ADVANCE

    module.operation.walk(visit)
    return matching


def test_both_readings_are_kept() -> None:
    for op in transfers(mlirbc.open(PATH)):
        assert op.property_state == "opaque" and not op.properties
        (older, first), (newer, second) = op.property_readings
        assert "iree-3.4" in older and "iree-3.8" in newer
        assert set(first) == {"result_affinity", "source_affinity"}
        assert set(second) == {"source_affinity", "target_affinity"}
        assert first["result_affinity"] == second["source_affinity"]


def test_the_caller_selects_a_layout() -> None:
    module = mlirbc.open(PATH, layouts={"stream.async.transfer": "iree-3.4"})
    for op in transfers(module):
        assert op.property_readings == [] and op.property_state == "decoded"
        # As IREE 3.6 prints it.
        assert "result_affinity" in op.properties
    assert module.write(numbering="canonical") == PATH.read_bytes()
    again = pickle.loads(pickle.dumps(module))
    assert all("result_affinity" in op.properties for op in transfers(again))


def test_a_release_without_the_operation_is_refused() -> None:
    with pytest.raises(mlirbc.InvalidError, match=r"llvm-22 has no operation `stream\.async\.transfer`"):
        mlirbc.open(PATH, layouts={"stream.async.transfer": "llvm-22"})
    with pytest.raises(mlirbc.InvalidError, match="unknown release `iree-9`"):
        mlirbc.read(PATH.read_bytes(), layouts={"stream.async.transfer": "iree-9"})
