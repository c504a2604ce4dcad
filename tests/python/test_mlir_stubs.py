"""Stubs of dialect modules are valid, and say what a type checker needs."""

import ast
import os
import subprocess
import sys
from pathlib import Path

import mlirbc
import pytest
from mlirbc.mlir import stubs

DIALECTS = ["arith", "cf", "func", "scf", "linalg", "transform", "transform.structured", "stablehlo"]

PROGRAM = """
from mlirbc.mlir import ir
from mlirbc.mlir.dialects import arith, scf, stablehlo

def build(a: ir.Value, b: ir.Value) -> None:
    reveal_type(arith.AddIOp(a, b, overflowFlags=arith.IntegerOverflowFlags.nsw).lhs)
    reveal_type(scf.ForOp(a, a, b).induction_variable)
    reveal_type(stablehlo.multiply(a, b))
    arith.addi(a)
    arith.addi(a, b, colour=3)
"""


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_stub_has_the_names_of_the_module(dialect: str) -> None:
    tree = ast.parse(stubs.stub(dialect))
    names = {node.name for node in tree.body if isinstance(node, (ast.ClassDef, ast.FunctionDef))}
    names |= {ast.unparse(node.target) for node in tree.body if isinstance(node, ast.AnnAssign)}
    module = stubs.importlib.import_module(f"mlirbc.mlir.dialects.{dialect}")
    operations = {name for name in dir(module) if name.endswith("Op")}
    assert operations - names <= {"OpView"}


def test_a_type_checker_uses_the_stubs(tmp_path: Path) -> None:
    pytest.importorskip("mypy")
    package = Path(mlirbc.__file__).parent
    copy = tmp_path / "mlirbc"
    (copy / "mlir" / "dialects").mkdir(parents=True)
    for source, target in ((package, copy), (package / "mlir", copy / "mlir")):
        for path in source.iterdir():
            if path.name not in ("mlir", "dialects"):
                (target / path.name).symlink_to(path)
    for path in (package / "mlir/dialects").iterdir():
        (copy / "mlir/dialects" / path.name).symlink_to(path)
    for name in ("arith", "scf", "stablehlo"):
        (copy / "mlir/dialects" / f"{name}.pyi").write_text(stubs.stub(name))
    (tmp_path / "program.py").write_text(PROGRAM)
    environment = dict(os.environ, MYPYPATH=str(tmp_path))
    command = [sys.executable, "-m", "mypy", "--strict", "program.py"]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    lines = [line.partition(": ")[2] for line in done.stdout.splitlines() if line.startswith("program.py")]
    assert lines == [
        'note: Revealed type is "mlirbc._edited_values.Value"',
        'note: Revealed type is "mlirbc._edited_values.Value"',
        'note: Revealed type is "mlirbc._edited_values.OpResult"',
        'error: Missing positional argument "rhs" in call to "addi"  [call-arg]',
        'error: Unexpected keyword argument "colour" for "addi"  [call-arg]',
        'note: "addi" defined in "mlirbc.mlir.dialects.arith"',
    ]


def test_the_command_writes_files(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "mlirbc.mlir.stubs", "-o", str(tmp_path), "cf", "transform"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert [Path(line).relative_to(tmp_path).as_posix() for line in done.stdout.splitlines()] == [
        "cf.pyi",
        "transform/__init__.pyi",
    ]


def test_the_command_of_the_package_writes_files(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "mlirbc", "stubs", "-o", str(tmp_path), "cf", "acc"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["cf.pyi", "openacc.pyi"]
    assert len(done.stdout.splitlines()) == 2


def test_an_unknown_dialect_is_an_error(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "mlirbc", "stubs", "-o", str(tmp_path), "no_such_dialect"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    message = "error: stubs: mlirbc.mlir.dialects.no_such_dialect is not a dialect with definitions"
    assert (done.returncode, done.stderr.strip()) == (1, message)


def test_a_dialect_of_a_pack_has_a_stub(tmp_path: Path) -> None:
    pack = Path(__file__).parents[1] / "data/packs/toy.mlirpack"
    command = [sys.executable, "-m", "mlirbc", "stubs", "--pack", str(pack), "-o", str(tmp_path), "toy"]
    subprocess.run(command, capture_output=True, text=True, check=True)
    assert "class " in (tmp_path / "toy.pyi").read_text("utf-8")
