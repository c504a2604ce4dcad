"""Forms of IREE, and of the LLVM that it is built with, are parsed and printed as IREE does.

IREE wrote the bytecode and the text, with the commands in `iree.mlir`.
"""

from pathlib import Path

import mlirbc
import pytest

DATA = Path(__file__).parents[1] / "data" / "assembly"


def test_the_bytes_are_those_of_iree() -> None:
    text = (DATA / "iree.mlir").read_text("utf-8")
    assert (
        mlirbc.parse(text, target="iree-3.13", file="iree.mlir").write()
        == (DATA / "iree.mlirbc").read_bytes()
    )


@pytest.mark.filterwarnings("ignore::mlirbc.OmissionWarning")
def test_the_text_is_that_of_iree() -> None:
    expected = (DATA / "iree.txt").read_text("utf-8")
    # Builds of LLVM 24 have some of the operations in several forms.
    module = mlirbc.open(DATA / "iree.mlirbc", release="iree-3.13")
    assert str(module).rstrip("\n").splitlines() == expected.rstrip("\n").splitlines()


def test_lossless_text_has_the_same_bytes() -> None:
    module = mlirbc.open(DATA / "iree.mlirbc")
    printed = module.operation.get_asm(lossless=True, enable_debug_info=True)
    again = mlirbc.parse(printed, target="iree-3.13")
    assert again.write(numbering="canonical") == module.write(numbering="canonical")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            """util.func @f(%k: !util.buffer, %o: i64, %n: index, %r: !stream.resource<transient>) {
              %b = stream.cmd.parameter.scatter {
                %r[%n for %n] : !stream.resource<transient>{%n} -> %k::%k[%o],
                %r[%n for %n] : !stream.resource<transient>{%n} -> %k[%o]
              } => !stream.timepoint
              util.return
            }""",
            "different scopes or resources",
        ),
        (
            """util.func @f(%l: !util.list<?>, %i: index) {
              %0 = util.list.get %l[%i] : !util.list<?>
              util.return
            }""",
            "no type of its elements",
        ),
    ],
)
def test_mistakes_are_reported(text: str, message: str) -> None:
    with pytest.raises(mlirbc.InvalidError, match=message):
        mlirbc.parse(text, target="iree-3.13")


@pytest.mark.parametrize("depth", [9, 200, 20_000])
def test_attributes_in_attributes_are_limited(depth: int) -> None:
    """Each level was parsed by a parser of its own on the stack of the machine."""
    text = '"t.a"() {x = ' + "#gpu.x<{a = " * depth + "1" + "}>" * depth + "} : () -> ()"
    with pytest.raises(mlirbc.InvalidError, match="nested more than `8` levels deep"):
        mlirbc.parse(text, target="llvm-22")
