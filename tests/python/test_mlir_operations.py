"""Modules and operations of `mlirbc.mlir.ir`."""

import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import mlirbc
import pytest
from mlirbc.mlir import ir
from mlirbc.mlir._inference import _computed

ROOT = Path(__file__).parents[2]
I32 = mlirbc.IntegerType.get_signless(32)


@pytest.fixture(autouse=True)
def context() -> Iterator[ir.Context]:
    with ir.Context() as context, ir.Location.unknown():
        context.allow_unregistered_dialects = True
        yield context


def names(block: ir.Block) -> list[str]:
    return [op.operation.name for op in block]


def test_text_and_bytecode_are_parsed(tmp_path: Path) -> None:
    path = ROOT / "examples/two_layers.mlirbc"
    of_bytes = ir.Module.parse(path.read_bytes())
    assert names(of_bytes.body) == ["func.func", "func.func"]
    text = tmp_path / "module.mlir"
    text.write_text(str(of_bytes), "utf-8")
    assert str(ir.Module.parseFile(text)) == str(ir.Module.parseFile(path))


def test_text_of_stablehlo_is_parsed_for_the_release_that_has_it() -> None:
    module = ir.Module.parse("%0 = stablehlo.constant dense<1> : tensor<i32>")
    assert "stablehlo.constant dense<1>" in str(module)


def test_an_operation_can_be_in_no_module() -> None:
    op = ir.Operation.create("test.op", results=[I32], regions=1)
    assert str(op).splitlines()[0] == '%0 = "test.op"() ({'
    assert not op.attached and op.parent is None and op.block is None


def test_handles_follow_what_is_inserted() -> None:
    op = ir.Operation.create("test.op", results=[I32], regions=1)
    block, result = op.regions[0].blocks.append(I32), op.result
    ir.InsertionPoint(block).insert(ir.Operation.create("test.inner", operands=[block.arguments[0]]))
    module = ir.Module.create()
    ir.InsertionPoint(module.body).insert(op)
    assert op == module.body.operations[0] and hash(op) == hash(module.body.operations[0])
    assert result == op.result and block == op.regions[0].blocks[0] and op.attached
    assert block.operations[0].operands[0] == block.arguments[0]
    user = ir.Operation.create("test.user", operands=[result])
    ir.InsertionPoint(module.body).insert(user)
    assert module.operation.verify()


def test_what_was_created_together_moves_together() -> None:
    first = ir.Operation.create("test.first", results=[I32])
    second = ir.Operation.create("test.second", operands=[first.result])
    module = ir.Module.create()
    module.body.append(first)
    assert not second.attached
    module.body.append(second)
    assert second.operands[0] == first.result and names(module.body) == ["test.first", "test.second"]


def test_operations_move_between_modules() -> None:
    one = ir.Module.parse("func.func private @foo()\nfunc.func private @same()")
    two = ir.Module.parse("func.func private @bar()\nfunc.func private @same()")
    foo, same = one.body.operations
    bar = two.body.operations[0]
    foo.move_before(bar)
    two.body.append(same)
    assert [mlirbc.StringAttr(op.attributes["sym_name"]).value for op in two.body] == [
        "foo",
        "bar",
        "same",
        "same",
    ]
    assert names(one.body) == [] and foo.is_before_in_block(bar)


def test_an_operation_whose_results_are_used_stays() -> None:
    module, other = ir.Module.create(), ir.Module.create()
    with ir.InsertionPoint(module.body):
        op = ir.Operation.create("test.op", results=[I32])
        ir.Operation.create("test.user", operands=[op.result])
    op.detach_from_parent()
    with pytest.raises(ValueError, match="its results are used"):
        other.body.append(op)


def test_inserting_after_a_terminator_is_an_error() -> None:
    module = ir.Module.parse("func.func @f() { return }")
    block = module.body.operations[0].regions[0].blocks[0]
    with ir.InsertionPoint(block), pytest.raises(IndexError, match="already has a terminator"):
        ir.Operation.create("test.op")
    with ir.InsertionPoint.at_block_terminator(block):
        ir.Operation.create("test.op")
    assert names(block) == ["test.op", "func.return"]
    with pytest.raises(ValueError, match="already been inserted"):
        ir.InsertionPoint(block.operations[0]).insert(block.operations[0])


def test_clones_go_where_the_insertion_point_says() -> None:
    module = ir.Module.create()
    with ir.InsertionPoint(module.body):
        op = ir.Operation.create("test.op")
        assert op.clone().operation.attached
        assert not op.clone(ip=False).operation.attached
    assert names(module.body) == ["test.op", "test.op"]


def test_attributes_of_new_operations_are_checked() -> None:
    with pytest.raises(TypeError, match="not a string"):
        ir.Operation.create("test.op", attributes={1: ir.UnitAttr.get()})  # type: ignore[dict-item]
    with pytest.raises(RuntimeError, match="invalid"):
        ir.Operation.create("test.op", attributes={"a": None})  # type: ignore[dict-item]


def test_attributes_that_a_definition_demands_may_come_later() -> None:
    op = ir.Operation.create("func.func", regions=1)
    with pytest.raises(ir.MLIRError):
        op.verify()
    op.attributes["sym_name"] = ir.StringAttr.get("f")
    op.attributes["function_type"] = ir.TypeAttr.get(ir.FunctionType.get([], []))
    op.attributes["sym_visibility"] = ir.StringAttr.get("private")
    assert str(op) == "func.func private @f()\n"


def test_unregistered_dialects_are_refused_by_the_verifier(context: ir.Context) -> None:
    op = ir.Operation.create("custom.op")
    assert op.verify()
    context.allow_unregistered_dialects = False
    with pytest.raises(ir.MLIRError, match="unregistered dialect"):
        op.verify()


def test_bytecode_has_the_version_that_was_asked_for(tmp_path: Path) -> None:
    module = ir.Module.parse("func.func private @f()")
    stream = io.BytesIO()
    module.operation.write_bytecode(stream, desired_version=2)
    assert mlirbc.read(stream.getvalue()).bytecode.version == 2
    function: Any = module.body.operations[0]
    function.write_bytecode(str(tmp_path / "f.mlirbc"))
    assert mlirbc.open(tmp_path / "f.mlirbc").body.operations[0].name == "func.func"


def test_structure_is_compared_without_names_and_locations() -> None:
    text = "func.func @f(%{0}: i32) -> i32 {{ return %{0} : i32 }} loc({1})"
    one = ir.Operation.parse(text.format("a", '"x"'))
    two = ir.Operation.parse(text.format("b", '"y"'))
    flags = ir.OperationEquivalenceFlags.IGNORE_LOCATIONS
    assert one.is_structurally_equivalent(two, flags)
    assert one.structural_hash(flags) == two.structural_hash(flags)
    assert not one.is_structurally_equivalent(two)
    assert not one.is_structurally_equivalent(ir.Operation.parse('"test.op"() : () -> ()'), flags)


def test_traits_come_from_the_definition() -> None:
    module = ir.Module.parse("func.func @f() { return }")
    terminator: Any = module.body.operations[0].regions[0].blocks[0].operations[0]
    assert terminator.has_trait("IsTerminator") and not module.operation.has_trait("IsTerminator")


def test_a_walk_gives_operations_and_keeps_exceptions() -> None:
    module = ir.Module.parse("func.func @f() { return }")
    seen: list[str] = []
    module.operation.walk(lambda op: seen.append(op.name))
    assert seen == ["func.return", "func.func", "builtin.module"]

    def fail(op: ir.Operation) -> None:
        raise KeyError(op.name)

    with pytest.raises(KeyError):
        module.operation.walk(fail)


def test_a_block_moves_with_its_arguments_and_branches() -> None:
    op = ir.Operation.create("test.op", regions=2)
    first, second = op.regions[0].blocks.append(), op.regions[0].blocks.append(I32)
    ir.InsertionPoint(first).insert(ir.Operation.create("test.jump", successors=[second]))
    ir.InsertionPoint(second).insert(ir.Operation.create("test.use", operands=[second.arguments[0]]))
    first.append_to(op.regions[1])
    second.append_to(op.regions[1])
    assert [len(region.blocks) for region in op.regions] == [0, 2]
    assert first.operations[0].successors[0] == second == op.regions[1].blocks[1]
    assert second.operations[0].operands[0] == second.arguments[0]


def test_arguments_get_locations() -> None:
    op = ir.Operation.create("test.op", regions=1)
    block = op.regions[0].blocks.append(I32, arg_locs=[ir.Location.name("a")])
    assert block.arguments[0].location == ir.Location.name("a")
    with pytest.raises(ValueError, match="Expected 1 locations, got: 0"):
        op.regions[0].blocks.append(I32, arg_locs=[])


def test_buffers_become_resources_of_the_modules_that_use_them() -> None:
    kind = ir.RankedTensorType.get([2], I32)
    attribute = ir.DenseResourceElementsAttr.get_from_buffer(memoryview(bytes(8)), "weight", kind)
    module = ir.Module.create()
    module.operation.attributes["test.weight"] = attribute
    assert 'weight: "0x01000000' in str(module)
    assert mlirbc.read(module.write()).resources["weight"].size == 8
    again = ir.DenseResourceElementsAttr.get_from_buffer(memoryview(bytes(8)), "weight", kind)
    assert again.key == "weight_1"


def test_modules_are_handed_to_other_bindings() -> None:
    bindings = pytest.importorskip("jaxlib.mlir.ir")
    module = ir.Module.parse("module @f {}")
    with bindings.Context() as other:
        assert "@f" in str(mlirbc.upstream.to_ir(module, other))  # type: ignore[arg-type]


def test_operations_are_found_by_their_class() -> None:
    from mlirbc.mlir.dialects import func as generated

    func: Any = generated
    module = ir.Module.parse("func.func @f() { return }")
    (returned,) = ir.get_ops_of_type(module, func.ReturnOp)
    parent = ir.get_parent_of_type(returned, func.FuncOp)
    assert isinstance(parent, func.FuncOp) and ir.get_parent_of_type(parent, func.FuncOp) is None
    assert returned.has_trait(ir.IsTerminatorTrait)


def test_a_text_of_several_operations_is_not_one_operation() -> None:
    with pytest.raises(ir.MLIRError, match="single top-level operation, found: 2"):
        ir.Operation.parse('"test.a"() : () -> ()\n"test.b"() : () -> ()')
    assert ir.Operation.parse("module @m {}").operation.name == "builtin.module"


def test_types_of_results_are_inferred() -> None:
    values = ir.Operation.create("test.op", results=[I32, I32]).results
    assert ir.Operation.create("arith.addi", operands=list(values), infer_type=True).result.type == I32


def test_a_nested_module_is_written_with_its_locations() -> None:
    module = ir.Module.parse('module { module @inner { "test.op"() : () -> () loc("here") } }')
    stream, inner = io.BytesIO(), module.body.operations[0]
    inner.operation.write_bytecode(stream)  # type: ignore[attr-defined]
    read = mlirbc.read(stream.getvalue())
    assert str(read.operation.attributes["sym_name"]) == '"inner"'
    assert read.body.operations[0].location == mlirbc.Location.name("here")


def test_modules_are_for_the_release_of_the_registered_dialect(context: ir.Context) -> None:
    from mlirbc.mlir.dialects import stablehlo

    builders: Any = stablehlo
    builders.register_dialect(context)
    kind = ir.RankedTensorType.get([2], ir.F32Type.get())
    module = ir.Module.create()
    with ir.InsertionPoint(module.body):
        value = ir.Operation.create("test.op", results=[kind]).result
        builders.AddOp(value, value)
    assert "stablehlo.add %0, %0 : tensor<2xf32>" in str(module)
    context.release = "llvm-22"
    assert (ir.Module.create().release.name or "") == "llvm-22"


def test_an_operation_in_a_block_is_verified_in_place() -> None:
    text = """
    func.func @f(%source: memref<10x10xi32>) {
      %part = memref.subview %source[0, 0] [2, 2] [1, 1]
        : memref<10x10xi32> to memref<2x2xi32, strided<[10, 1]>>
      %three = arith.constant 3 : i32
      %six = arith.addi %three, %three : i32
      return
    }"""
    module = ir.Module.parse(text)
    operations = list(module.body.operations[0].regions[0].blocks[0])
    assert [op.operation.verify() for op in operations] == [True] * 4
    with ir.InsertionPoint(operations[3]):
        incomplete = ir.Operation.create("arith.constant", results=[I32])
    assert operations[2].operation.verify()
    with pytest.raises(ir.MLIRError, match="requires the attribute `value`"):
        incomplete.verify()


def test_a_class_extends_values() -> None:
    class Named(ir.Value):
        def __init__(self, value: ir.Value, *, name: str) -> None:
            super().__init__(value)
            self.name = name

    module = ir.Module.parse("func.func @f(%a: i32) { %c = arith.constant 1 : i32\n return }")
    block = module.body.operations[0].regions[0].blocks[0]
    for value in (block.arguments[0], block.operations[0].result):
        named = Named(value, name="x")
        assert (named.name, named == value, str(ir.Value(named)).startswith("Value(")) == ("x", True, True)
    with pytest.raises(ValueError, match="Cannot cast value to OpResult"):
        ir.OpResult(block.arguments[0])


def test_classes_can_be_subscripted() -> None:
    assert ir.IntegerType[32].__origin__ is ir.IntegerType  # type: ignore[type-arg, misc]


def test_names_of_upstreams_private_modules() -> None:
    from mlirbc.mlir._mlir_libs import _mlir, get_dialect_registry

    assert _mlir.ir is ir
    ir.Context().append_dialect_registry(get_dialect_registry())
    assert ir._denseI64ArrayAttr([1, 2], None) == ir.DenseI64ArrayAttr.get([1, 2])
    with pytest.raises(AttributeError, match="no_such"):
        _ = ir.no_such


def test_types_follow_from_declarations_of_packs() -> None:
    mlirbc.dialects.load(ROOT / "tests/data/packs/toy.mlirpack")
    box, inner = mlirbc.Type.parse("!toy.box<i32>"), mlirbc.Type.parse("i32")
    for function, source, expected in [
        ("value", box, inner),
        ("value", mlirbc.Type.parse("tensor<2xi32>"), inner),
        ("!toy.box<{}>", inner, box),
        ("!toy.box{:body}", box, box),
        ('["param", "element", "self"]', box, inner),
        ('["element_or_self", ["param", "element", "self"]]', box, inner),
        ('["type", "i32"]', box, inner),
        ('["param", "size", "self"]', box, None),
    ]:
        assert _computed(function, source) == expected, function
