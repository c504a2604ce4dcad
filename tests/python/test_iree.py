"""Files of IREE print as IREE prints them, and IREE's texts are parsed.

`tests/data/iree` has bytecode that `iree-opt` wrote, and what it prints of that; `support.iree_corpus`
compares more files where IREE is installed.
"""

import os
import re
import subprocess
from pathlib import Path

import mlirbc
import pytest

DATA = Path(__file__).resolve().parents[1] / "data/iree"


def printed(module: mlirbc.Module) -> list[str]:
    return module.operation.get_asm(print_generic_op_form=True).strip().splitlines()


@pytest.mark.parametrize("path", sorted(DATA.glob("*.mlirbc")), ids=lambda path: path.stem)
def test_aliases_are_named_as_in_iree(path: Path) -> None:
    theirs = path.with_suffix(".generic.mlir").read_text("utf-8").strip().splitlines()
    assert printed(mlirbc.open(path)) == theirs


@pytest.mark.filterwarnings("ignore::mlirbc.OmissionWarning")
@pytest.mark.parametrize("path", sorted(DATA.glob("*.mlirbc")), ids=lambda path: path.stem)
def test_custom_text_is_that_of_iree_or_generic(path: Path) -> None:
    theirs = path.with_suffix(".custom.mlir").read_text("utf-8").strip().splitlines()
    mine = mlirbc.open(path, release="iree-3.13").operation.get_asm().strip().splitlines()
    without_release = mlirbc.open(path).operation.get_asm().strip().splitlines()
    # Builds of LLVM 24 have some operations in several forms, which are printed in generic form.
    pairs = zip(mine, without_release, strict=True)
    assert all(line == plain_line or '"' in plain_line for line, plain_line in pairs)
    if path.stem != "properties":
        assert mine == theirs
        return
    # Formats of operations of LLVM that changed after release 22.
    differing = [line for line, their in zip(mine, theirs, strict=True) if line != their]
    assert all('= "' in line or line.strip().startswith('"') for line in differing)
    assert len(differing) <= 7
    assert "  util.global private @q <inlining_policy = #util.inline.never> : i32" in mine


# The formats in `properties` belong to dialects of LLVM that changed after release 22.
PARSED = [path for path in sorted(DATA.glob("*.custom.mlir")) if not path.name.startswith("properties")]


@pytest.mark.parametrize("path", PARSED, ids=lambda path: path.name)
def test_custom_text_becomes_the_module_that_iree_printed(path: Path) -> None:
    module = mlirbc.parse(path.read_text("utf-8"), target="iree-3.13")
    generic = path.with_name(path.name.replace(".custom.", ".generic."))
    assert printed(module) == generic.read_text("utf-8").strip().splitlines()


@pytest.mark.parametrize("path", [DATA / "forms.mlir", DATA / "debug.mlir"], ids=lambda path: path.stem)
def test_a_text_becomes_the_bytes_that_iree_writes(path: Path) -> None:
    module = mlirbc.parse(path.read_text("utf-8"), target="iree-3.13", file=path.name)
    assert bytes(module.write(numbering="canonical")) == path.with_suffix(".mlirbc").read_bytes()


@pytest.mark.parametrize("path", PARSED, ids=lambda path: path.name)
def test_bytes_are_those_of_the_installed_iree(path: Path, tmp_path: Path) -> None:
    python = os.environ.get("MLIRBC_IREE_PYTHON")
    if python is None:
        pytest.skip("MLIRBC_IREE_PYTHON names no interpreter that has iree-base-compiler")
    opt = Path(python).with_name("iree-opt")
    command = [opt, "--allow-unregistered-dialect", "--emit-bytecode", path, "-o", tmp_path / "theirs"]
    subprocess.run(command, check=True, capture_output=True, timeout=300)
    module = mlirbc.parse(path.read_text("utf-8"), target="iree-3.13", file=str(path))
    assert bytes(module.write(numbering="canonical")) == (tmp_path / "theirs").read_bytes()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("util.func private @f(i32) -> %a", "a result is tied to a value that is not an operand"),
        ("util.func private @f(%a: i32) -> (%a as)", "expected a type"),
        (
            "util.func private @f(%a: tensor<?xf32>) { %0 = flow.dispatch @e(%a) : (tensor<?xf32>) -> i32 }",
            "`{` and the dynamic dimensions of the type",
        ),
        (
            "util.func private @f(%a: tensor<?xf32>, %i: index) "
            "{ %0 = flow.dispatch @e(%a) : (tensor<?xf32>{%i, %i}) -> i32 }",
            "another number of dynamic dimensions",
        ),
        ("util.global private @g <unknown = 1> : i32", "expected"),
        ("util.global private @g", "`:` and a type, or `=` and a value"),
        ("flow.executable private @e { flow.executable.export @f workgroups() -> index {} }", "expected `(`"),
        ("vm.module @m { vm.import @f(%a : i32 ...) -> }", "expected"),
    ],
)
def test_invalid_texts_are_refused_with_a_reason(text: str, message: str) -> None:
    with pytest.raises(mlirbc.Error, match=re.escape(message)):
        mlirbc.parse(text, target="iree-3.13")


@pytest.mark.parametrize("path", sorted(DATA.glob("*.mlirbc")), ids=lambda path: path.stem)
def test_files_of_iree_are_written_with_the_same_bytes(path: Path) -> None:
    module = mlirbc.open(path)
    assert module.verify()
    assert bytes(module.write(numbering="canonical")) == path.read_bytes()


@pytest.mark.parametrize(
    ("text", "alias"),
    [
        ('#hal.device.target<"a b", {ordinal = 2 : index}>', "#device_target_a_b_2_"),
        ('#hal.device.target<"hip7">', "#device_target_hip7"),
        ('#hal.executable.target<"rocm">', None),
        ("#util.composite<x>", None),
        ("#iree_codegen.translation_info<pipeline = None>", "#translation2"),
        ("#iree_codegen.root_op<set = 0>", None),
    ],
)
def test_the_parameters_are_part_of_a_name(text: str, alias: str | None) -> None:
    edited = mlirbc.open(DATA / "aliases.mlirbc").edit()
    for name in list(edited.operation.attributes):
        del edited.operation.attributes[name]
    edited.operation.attributes["t.value"] = mlirbc.Attribute.parse(text)
    lines = printed(mlirbc.read(bytes(edited.write())))
    assert (f"{alias} = {text}" in lines) == (alias is not None)
    assert f"}}) {{t.value = {alias or text}}} : () -> ()" in lines
