"""A sample of the acceptance matrix: what mlirbc converts for a release is read there, and as what it was.

`scripts/acceptance` has all of it.
"""

import acceptance
import generic_text
import oracles
import pytest
import spelling

SAMPLE = (
    "arguments",
    "cfg",
    "dialects_common",
    "dialects_llvm",
    "func_19_22",
    "native_properties",
    "segments",
)
UNEXPECTED = ("misread",)


def sample() -> list[acceptance.Module]:
    return [module for module in acceptance.modules() if module.name in SAMPLE]


@pytest.mark.parametrize("module", sample(), ids=lambda module: f"{module.name}-{module.release}")
def test_what_is_converted_is_read_as_what_it_was(module: acceptance.Module) -> None:
    for release in oracles.RELEASES:
        oracles.require(release)
    cells = acceptance.cells(module, (0, 6), ("through", "any"), acceptance.TOOLS)
    wrong = [cell for cell in cells if cell.outcome in UNEXPECTED]
    assert not wrong, [(cell.made.version, cell.consumer, cell.way, cell.reason) for cell in wrong]
    assert any(cell.outcome == "accepted" for cell in cells)


def test_atomic_kinds_are_renumbered() -> None:
    """The numbers mean something else in newer releases, and nothing in a file says so."""
    oracles.require(19)
    oracles.require(22)
    text = """
    func.func @f(%m: memref<4xf32>, %v: f32, %i: index) {
      %0 = memref.atomic_rmw maximumf %v, %m[%i] : (f32, memref<4xf32>) -> f32
      return
    }"""
    emitted = oracles.checked(oracles.run_mlir_opt(19, oracles.emit_args(19, 6), text))
    data, complaint = acceptance.convert(emitted, "llvm-22")
    assert data is not None, complaint
    printed = oracles.checked(oracles.run_mlir_opt(22, [], data)).decode()
    assert "memref.atomic_rmw maximumf" in printed
    back, complaint = acceptance.convert(data, "llvm-19")
    assert back is not None, complaint
    assert "memref.atomic_rmw maximumf" in oracles.checked(oracles.run_mlir_opt(19, [], back)).decode()
    # No form is right for both.
    assert acceptance.convert(emitted, "any")[0] is None


def test_patterns() -> None:
    assert spelling.match("#t<{x}, {y}>", "#t<(1, 2), 3>", 0) == (13, {"x": "(1, 2)", "y": "3"})
    assert spelling.match("#t<{x}>", "#u<1>", 0) is None
    assert spelling.integers("array<i64: 1, -2>") == spelling.integers("[1, -2]") == "[1, -2]"


def test_text_with_properties_that_are_no_dictionary() -> None:
    op = generic_text.parse('"t.op"() <"text"> : () -> ()\n').operations[0]
    assert op.properties == '"text"'
