"""Symbol tables and values of `mlirbc.mlir.ir`."""

from collections.abc import Iterator
from typing import Any

import mlirbc
import pytest
from mlirbc.mlir import ir


@pytest.fixture(autouse=True)
def context() -> Iterator[ir.Context]:
    with ir.Context() as context, ir.Location.unknown():
        context.allow_unregistered_dialects = True
        yield context


def test_symbols_are_found_renamed_and_erased() -> None:
    module = ir.Module.parse("func.func private @foo()\nfunc.func private @bar()")
    table = ir.SymbolTable(module.operation)
    new = ir.Operation.parse("func.func private @foo()")
    assert table.insert(new) == ir.StringAttr.get("foo_0")
    assert table["foo_0"] == new and "bar" in table
    del table["bar"]
    assert "bar" not in table
    with pytest.raises(KeyError, match="bar"):
        _ = table["bar"]
    with pytest.raises(ValueError, match="symbol name"):
        table.insert(ir.Operation.create("test.op"))
    with pytest.raises(TypeError):
        ir.SymbolTable(new)


def test_uses_are_replaced_where_they_resolve_to_the_table() -> None:
    module = ir.Module.parse(
        """
        func.func private @f()
        "test.use"() {to = [@f, {a = @f::@g}], other = @h} : () -> ()
        module @inner { "test.use"() {to = @f} : () -> () }
        """
    )
    ir.SymbolTable.replace_all_symbol_uses("f", "new", module.operation)
    _, use, inner = module.body.operations
    assert str(use.attributes["to"]) == "[@new, {a = @new::@g}]" and str(use.attributes["other"]) == "@h"
    assert str(inner.regions[0].blocks[0].operations[0].attributes["to"]) == "@f"


def test_tables_are_walked_from_the_inside_out() -> None:
    module = ir.Module.parse("module { module @a { module @b {} } }")
    seen: list[str] = []
    outer: Any = module.body.operations[0]
    ir.SymbolTable.walk_symbol_tables(
        outer,
        False,
        lambda op, visible: seen.append(f"{op.attributes['sym_name']} {visible}"),
    )
    assert seen == ['"b" False', '"a" False']


def test_values_have_names_and_texts() -> None:
    module = ir.Module.parse(
        "func.func @f(%a: i32) -> i32 { %0 = arith.addi %a, %a : i32\n return %0 : i32 }"
    )
    block = module.body.operations[0].regions[0].blocks[0]
    result = block.operations[0].result
    assert (result.get_name(), block.arguments[0].get_name()) == ("%0", "%arg0")
    assert str(result) == "OpResult(%0 = arith.addi %arg0, %arg0 : i32)"
    assert str(block.arguments[0]) == "BlockArgument(<block argument> of type 'i32' at index: 0)"
    named = ir.Operation.create("test.op", results=[result.type], loc=ir.Location.name("apple"))
    assert named.result.get_name(use_name_loc_as_prefix=True) == "%apple"


def test_uses_are_replaced_except_by_some_operations() -> None:
    module = ir.Module.create()
    with ir.InsertionPoint(module.body):
        old, new = (ir.Operation.create("test.op", results=[ir.IndexType.get()]).result for _ in range(2))
        users = [ir.Operation.create("test.user", operands=[old, old]) for _ in range(3)]
    old.replace_all_uses_except(new, users[:2])
    assert [list(user.operands) for user in users] == [[old, old], [old, old], [new, new]]
    users[0].replace_uses_of_with(old, new)
    assert list(users[0].operands) == [new, new]


def test_values_are_cast_to_their_class() -> None:
    result = ir.Operation.create("test.op", results=[ir.IndexType.get()]).result
    assert ir.OpResult(result) == result == ir.Value(result)
    with pytest.raises(ValueError, match="Cannot cast value to BlockArgument"):
        ir.BlockArgument(result)


def test_classes_have_identifiers() -> None:
    assert ir.F32Type.static_typeid == ir.F32Type.get().typeid != ir.F64Type.static_typeid
    assert ir.MemRefType.type_name == "builtin.memref" and ir.DictAttr.attr_name == "builtin.dictionary"
    with pytest.raises(AttributeError, match="ShapedType has no typeid"):
        _ = ir.ShapedType.static_typeid
    assert ir.IntegerAttr.isinstance(ir.BoolAttr.get(True)) and not ir.IntegerAttr.isinstance(
        ir.UnitAttr.get()
    )


def test_semi_affine_expressions_are_built() -> None:
    d0, d1 = ir.AffineExpr.get_dim(0), ir.AffineExpr.get_dim(1)
    assert [str(one) for one in (2 % d0, d0 * d1, d1 * d0)] == ["2 mod d0", "d0 * d1", "d0 * d1"]


@pytest.mark.parametrize(
    ("text", "simplified"),
    [
        ("d1 + d0 - d1", "d0"),
        ("(d0 * 4 + s0) floordiv 2", "d0 * 2 + s0 floordiv 2"),
        ("(d0 * 4 + d1 * 2) floordiv 2", "d0 * 2 + d1"),
        ("d0 mod 4", "d0 mod 4"),
        ("(d0 * 8) mod 4", "0"),
        ("d0 ceildiv 3 + d0 + s0 * 2 - d0", "d0 ceildiv 3 + s0 * 2"),
        ("(d0 + s0) mod 3 + d1 * 2 + d0", "d0 * 2 + d1 * 2 + ((d0 + s0) floordiv 3) * -3 + s0"),
        ("(d0 * 6 + 3) mod 9 + 5", "d0 * 6 - ((d0 * 2 + 1) floordiv 3) * 9 + 8"),
    ],
)
def test_terms_are_collected_as_by_mlir(text: str, simplified: str) -> None:
    expr = mlirbc.AffineMap(mlirbc.Attribute.parse(f"affine_map<(d0, d1)[s0] -> ({text})>")).results[0]
    assert str(ir.AffineExpr.simplify_affine_expr(expr, 2, 1)) == simplified


def test_the_text_of_a_block_is_that_of_mlir() -> None:
    jump = '"t.j"()[^bb1] : () -> ()'
    text = (
        f'"a.b"() ({{^bb0(%a: i32): "t.y"(%a) : (i32) -> ()\n {jump}\n ^bb1: "t.k"() : () -> ()}}) : () -> ()'
    )
    first, second = ir.Module.parse(text).body.operations[0].regions[0].blocks
    assert str(first) == f'^bb0(%arg0: i32):\n  "t.y"(%arg0) : (i32) -> ()\n  {jump}\n'
    assert str(second) == '^bb1:  // pred: ^bb0\n  "t.k"() : () -> ()\n'
