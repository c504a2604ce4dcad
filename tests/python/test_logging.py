"""Records for the logger `mlirbc`."""

import logging
import subprocess
import sys
from pathlib import Path

import mlirbc
import pytest

EXAMPLE = Path(__file__).parent.parent.parent / "examples/two_layers.mlirbc"


@pytest.fixture
def records(caplog):
    caplog.set_level(logging.DEBUG, "mlirbc")
    return lambda: [(record.name, record.getMessage()) for record in caplog.records]


def test_opening(records):
    size = EXAMPLE.stat().st_size
    mlirbc.open(EXAMPLE)
    mlirbc.read(EXAMPLE.read_bytes()).decode_all(threads=1)
    details = f'{size} bytes, bytecode version 6, producer "MLIR22.1.8"'
    assert records() == [
        ("mlirbc", f"opened {EXAMPLE}: {details}"),
        ("mlirbc", f"opened a buffer: {details}"),
        ("mlirbc", "decoding all bodies, on 1 threads"),
    ]


def test_a_record_is_of_the_line_that_opens(caplog):
    caplog.set_level(logging.DEBUG, "mlirbc")
    mlirbc.open(EXAMPLE)
    assert caplog.records[0].funcName == "test_a_record_is_of_the_line_that_opens"


def test_saving(records, tmp_path):
    module = mlirbc.open(EXAMPLE)
    module.save(tmp_path / "a")
    edited = module.edit()
    edited.rename_symbol("main", "start")
    edited.save(tmp_path / "b")
    with pytest.raises(OSError):
        module.save(tmp_path / "no" / "folder")
    assert [text for _, text in records()[1:]] == [
        f"saved {tmp_path / name}: {(tmp_path / name).stat().st_size} bytes" for name in "ab"
    ]


def test_workers(records):
    [result] = mlirbc.corpus.scan([EXAMPLE], mlirbc.Module.op_counts, workers=1)
    assert result.error is None
    [(name, text)] = [record for record in records() if "process" in record[1]]
    assert name == "mlirbc.corpus" and text.startswith("started process ")


def test_nothing_is_written_and_nothing_imported_unless_asked_for():
    code = f"""
import sys, mlirbc
mlirbc.open({str(EXAMPLE)!r})
assert "logging" not in sys.modules
import logging
mlirbc.open({str(EXAMPLE)!r})
assert any(isinstance(one, logging.NullHandler) for one in logging.getLogger("mlirbc").handlers)
logging.getLogger("mlirbc").warning("not shown")
"""
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (run.returncode, run.stdout, run.stderr) == (0, "", "")
