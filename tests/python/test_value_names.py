"""Names of values, as jaxlib's MLIR gives them."""

from pathlib import Path

import mlirbc
import pytest

from support import jaxlib_oracle

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "tests" / "data" / "bytecode" / "llvm-22" / "v6"
# Files of dialects that jaxlib has, or of unregistered ones, with names of operations in some.
FILES = [
    "arguments", "cfg", "deep", "graph", "isolation", "regions", "results", "scopes", "segments", "symbols",
    "uses_blocks", "uses_many_results",
]  # fmt: skip


def names(op, *local_scope):
    """The names of all arguments and results in an operation, in the order of the text."""
    for region in op.regions:
        for block in region.blocks:
            yield from (argument.get_name(*local_scope) for argument in block.arguments)
            for inner in block.operations:
                yield from (result.get_name(*local_scope) for result in inner.results)
                yield from names(inner, *local_scope)


@pytest.mark.parametrize("file", [*FILES, ROOT / "examples" / "two_layers.mlirbc"])
@pytest.mark.parametrize("local_scope", [False, True])
def test_names_are_those_of_mlir(file, local_scope):
    oracle = jaxlib_oracle.require()
    path = file if isinstance(file, Path) else FOLDER / f"{file}.mlirbc"
    # jaxlib has other layouts of properties than LLVM 22, so both read text.
    text = mlirbc.open(path).operation.get_asm(print_generic_op_form=True)
    ours = list(names(mlirbc.parse(text, target="jaxlib-0.10").operation, local_scope))
    with oracle.context:
        theirs = list(names(oracle.ir.Module.parse(text).operation, local_scope))
    assert ours == theirs
    assert ours


def test_a_result_of_a_top_level_operation_has_a_name():
    module = mlirbc.parse('%0:2 = "t.a"() : () -> (i8, i8)\n"t.b"() : () -> ()', target="llvm-22")
    [top, _] = module.body.operations
    assert [result.get_name() for result in top.results] == ["%0#0", "%0#1"]


def test_names_in_generic_form_of_an_unknown_release():
    module = mlirbc.open(ROOT / "tests" / "data" / "hostile" / "properties.where_none_are.mlirbc")
    assert list(names(module.operation)) == ["%0#0", "%0#1", "%arg0"]
    assert '"t.used"(%0#0, %arg0)' in str(module)
