"""Files of IREE print as IREE prints them.

`tests/data/iree` has bytecode that `iree-opt` wrote, and what it prints of that; `support.iree_corpus`
compares more files where IREE is installed.
"""

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
    mine = mlirbc.open(path).operation.get_asm().strip().splitlines()
    if path.stem != "properties":
        assert mine == theirs
        return
    # Formats of operations of LLVM that changed after release 22.
    others = [own for own, their in zip(mine, theirs, strict=True) if own != their]
    assert all('= "' in line or line.strip().startswith('"') for line in others)
    assert len(others) <= 7
    assert "  util.global private @q <inlining_policy = #util.inline.never> : i32" in mine


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
