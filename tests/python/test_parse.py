"""Modules are parsed from their text."""

import mlirbc
import pytest

TEXT = """
func.func @f(%a: i32) -> i32 {
  %0 = arith.addi %a, %a : i32
  return %0 : i32
}
"""


def test_a_text_becomes_a_module() -> None:
    module = mlirbc.parse(TEXT)
    assert [op.name for op in module.body] == ["func.func"]
    [function] = module.body
    assert [op.name for op in function.regions[0].blocks[0].operations] == ["arith.addi", "func.return"]


def test_the_target_decides_the_release() -> None:
    assert "19" in str(mlirbc.parse(TEXT, target="llvm-19").release.name)
    assert [op.name for op in mlirbc.Module.parse(TEXT, target="llvm-19").body] == ["func.func"]


def test_bytes_need_not_be_utf8() -> None:
    module = mlirbc.parse(b'"test.op"() {a = "\xff"} : () -> ()')
    [op] = module.body
    assert op.attributes["a"].value == "\udcff"  # as `os.fsdecode` does
    with pytest.raises(TypeError):
        mlirbc.parse(1)  # type: ignore[arg-type]


def test_an_error_has_its_place() -> None:
    with pytest.raises(mlirbc.InvalidError, match=r"llvm-22 has no operation `arith.adid`, at a.mlir:1:6"):
        mlirbc.parse("%0 = arith.adid %1, %1 : i32", file="a.mlir")


def test_the_first_error_has_the_others() -> None:
    text = "%0 = arith.adid %a, %a : i32\n%1 = arith.addi %0 : i32\nfunc.func private @f(indx)"
    with pytest.raises(mlirbc.Error) as raised:
        mlirbc.parse(text)
    error = raised.value
    assert error.hint == "did you mean `arith.addi`?"
    assert [other.identifier for other in error.errors] == [
        "mlirbc.invalid.assembly.syntax",
        "mlirbc.invalid.assembly.syntax",
    ]
    assert [other.hint for other in error.errors] == [None, "did you mean `index`?"]
    assert all(other.errors == () for other in error.errors)
