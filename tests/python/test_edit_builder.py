"""Insertion points, current locations, and changes of the parts of operations."""

import threading
from pathlib import Path

import mlirbc
import mlirbc.edit
import pytest
from mlirbc import InvalidError, Location, Type
from mlirbc.edit import InsertionPoint, Operation

from support.oracles import checked, emit_args, print_args, require, run_mlir_opt

EXAMPLE = Path(__file__).parents[2] / "examples/two_layers.mlirbc"
INDEX = Type.parse("index")


def read_by_mlir(edited: mlirbc.edit.Module) -> mlirbc.Module:
    """The module as MLIR writes it again."""
    require(22)
    again = mlirbc.read(edited.write())
    theirs = mlirbc.read(checked(run_mlir_opt(22, emit_args(22, 6), edited.write())))
    assert str(theirs) == str(again)
    return theirs


def test_the_location_of_the_innermost_with_is_used() -> None:
    edited = mlirbc.edit.Module.create()
    outer, inner = Location.file("a.py", 1, 1), Location.name("inner")
    assert Location.current() is None
    with InsertionPoint(edited.body), outer:
        first = Operation.create("test.first")
        with inner:
            assert Location.current() == inner
            second = Operation.create("test.second")
            third = Operation.create("test.third", loc=outer)
            seen: list[Location | None] = []
            thread = threading.Thread(target=lambda: seen.append(Location.current()))
            thread.start()
            thread.join()
            assert seen == [None]
        fourth = Operation.create("test.fourth")
    assert Location.current() is None
    assert [op.location for op in (first, second, third, fourth)] == [outer, inner, outer, outer]
    read_by_mlir(edited)


def test_insertion_points() -> None:
    edited = mlirbc.edit.Module.create()
    body = edited.body
    last = Operation.create("test.last", ip=InsertionPoint(body))
    point = InsertionPoint.at_block_begin(body)
    assert point.block == body and point.ref_operation == last
    a = Operation.create("test.a", ip=point)
    b = Operation.create("test.b", ip=point)
    assert point.ref_operation == last
    c = Operation.create("test.c", ip=InsertionPoint.after(a))
    d = Operation.create("test.d", ip=InsertionPoint.at_block_terminator(body))
    e = Operation.create("test.e", ip=InsertionPoint.at_block_end(body))
    assert list(body) == [a, c, b, d, last, e]
    assert InsertionPoint(body).ref_operation is None
    assert InsertionPoint.after(e).ref_operation is None
    assert InsertionPoint.before(b).ref_operation == b and InsertionPoint.before(b).block == body
    with pytest.raises(ValueError, match="no terminator"):
        InsertionPoint.at_block_terminator(
            Operation.create("x.y", regions=1, ip=point).regions[0].blocks.append()
        )


def test_results_regions_and_successors() -> None:
    edited = mlirbc.edit.Module.create()
    with InsertionPoint(edited.body):
        op = Operation.create("test.op", [Type.parse("i1"), Type.parse("i2")])
        user = Operation.create("test.user", operands=[op.results[1]])
    last_result = op.results[1]
    with pytest.raises(InvalidError, match="it is used by"):
        op.set_results([])
    op.erase_result(0)
    added = op.add_result(Type.parse("f32"), 0)
    assert (
        list(op.results) == [added, last_result]
        and last_result.number == 1
        and user.operands[0] == last_result
    )
    with pytest.raises(IndexError):
        op.erase_result(2)
    region = op.add_region()
    first = region.blocks.append(INDEX)
    second = first.create_after()
    third = second.create_before(Type.parse("i8"))
    zero = region.blocks.insert(0)
    assert list(region.blocks) == [zero, first, third, second]
    assert mlirbc.edit.Block.create_at_start(region) == region.blocks[0]
    region.blocks[0].erase()
    argument = first.insert_argument(0, Type.parse("i8"), Location.name("x"))
    assert [str(value.type) for value in first.arguments] == ["i8", "index"]
    assert argument.number == 0 and first.arguments[1].number == 1
    for block in region.blocks:
        jump = Operation.create("test.jump", ip=InsertionPoint(block))
        jump.successors = [second, third]
        assert list(jump.successors) == [second, third]
    jump.successors = []
    read_by_mlir(edited)
    op.erase_region(0)
    assert len(op.regions) == 0
    read_by_mlir(edited)
    with pytest.raises(InvalidError):
        region.blocks  # noqa: B018


def test_groups_of_operands() -> None:
    edited = mlirbc.edit.Module.create()
    with InsertionPoint(edited.body):
        function = Operation.create(
            "func.func",
            attributes={
                "sym_name": mlirbc.StringAttr.get("f"),
                "function_type": mlirbc.Attribute.parse("(index, index) -> ()"),
            },
            regions=1,
        )
    entry = function.regions[0].blocks.append(INDEX, INDEX)
    a, b = entry.arguments
    with InsertionPoint(entry):
        alloc = Operation.create("memref.alloc", [Type.parse("memref<?x?xf32>")])
        Operation.create("func.return")
    alloc.set_operand_group("dynamicSizes", [a, b])
    assert alloc.attributes["operandSegmentSizes"] == mlirbc.Attribute.parse("array<i32: 2, 0>")
    assert alloc.operand_groups == {"dynamicSizes": [a, b], "symbolOperands": []}
    read_by_mlir(edited)
    with pytest.raises(InvalidError, match="no operand group `sizes`"):
        alloc.set_operand_group("sizes", [a])
    with pytest.raises(InvalidError, match="no named operand groups"):
        function.set_operand_group("sizes", [a])


def test_registration() -> None:
    edited = mlirbc.open(EXAMPLE).edit()
    dense = edited.symbol("dense")
    assert dense is not None
    before = dict(dense.attributes)
    dense.is_registered = False
    assert dense.is_registered is False and dense.property_state == "attribute"
    dense.is_registered = True
    assert dict(dense.attributes) == before
    edited.verify(symbols=True)


def test_use_list_orders() -> None:
    edited = mlirbc.edit.Module.create()
    with InsertionPoint(edited.body):
        source = Operation.create("test.source", [INDEX])
        users = [Operation.create("test.user", operands=[source.result] * 2) for _ in range(3)]
    order = [(users[1], 0), (users[0], 1), (users[2], 1), (users[0], 0), (users[2], 0), (users[1], 1)]
    source.result.use_list_order = order
    assert source.result.use_list_order == order
    for wrong in (order[:-1], [*order[:-1], order[0]], [*order, (users[0], 2)], [(source, 0)]):
        with pytest.raises(InvalidError):
            source.result.use_list_order = wrong
    theirs = read_by_mlir(edited)
    again = mlirbc.read(edited.write())
    value = again.body.operations[0].result
    numbers = [again.body.operations.index(use.owner) - 1 for use in value.uses]
    assert numbers == [1, 0, 2, 0, 2, 1]
    mlirs = theirs.body.operations[0].result
    assert [use.operand_number for use in mlirs.uses] == [use.operand_number for use in value.uses]


SCALABLE = """
"builtin.module"() ({ "test.op"() {one = vector<2x[4]xi32>, two = tensor<1xi8>} : () -> () }) : () -> ()
"""


@pytest.mark.parametrize("source", ["llvm-16", "llvm-19", "llvm-22"])
@pytest.mark.parametrize(("target", "version"), [("llvm-16", 0), ("llvm-19", 0), ("llvm-22", 6)])
def test_a_scalable_vector_of_another_release_is_read_by_that_of_the_module(
    source: str, target: str, version: int
) -> None:
    value = mlirbc.parse(SCALABLE, target=source).body.operations[0].attributes["one"]
    text = SCALABLE.replace("one", "other").replace("vector<2x[4]xi32>", "1 : i8")
    edited = mlirbc.parse(text, target=target, bytecode_version=version).edit()
    edited.body.operations[0].attributes["one"] = value
    release = int(target.removeprefix("llvm-"))
    require(release)
    assert b"one = vector<2x[4]xi32>" in checked(run_mlir_opt(release, print_args(release), edited.write()))


@pytest.mark.parametrize("source", ["llvm-16", "llvm-19", "llvm-22"])
@pytest.mark.parametrize("target", ["llvm-16", "llvm-19", "llvm-22"])
def test_several_scalable_dimensions_are_spelled_as_the_target_spells_them(source: str, target: str) -> None:
    def spelled(name: str) -> str:
        return "vector<[4x4]xi32>" if name == "llvm-16" else "vector<[4]x[4]xi32>"

    text = SCALABLE.replace("vector<2x[4]xi32>", spelled(source))
    converted = mlirbc.parse(text, target=source, bytecode_version=0).write(target=target, version=0)
    release = int(target.removeprefix("llvm-"))
    require(release)
    printed = checked(run_mlir_opt(release, print_args(release), converted))
    assert f"one = {spelled(target)}".encode() in printed


@pytest.mark.parametrize("source", ["llvm-16", "llvm-19"])
def test_several_scalable_dimensions_have_no_text_that_all_releases_read(source: str) -> None:
    spelled = "vector<[4x4]xi32>" if source == "llvm-16" else "vector<[4]x[4]xi32>"
    text = SCALABLE.replace("vector<2x[4]xi32>", spelled)
    module = mlirbc.parse(text, target=source, bytecode_version=0)
    with pytest.raises(mlirbc.UnsupportedError, match=r"vector<\[4"):
        module.write(target="any")


def test_scalable_dimensions_before_others_are_refused_for_llvm_16() -> None:
    edited = mlirbc.parse(SCALABLE, target="llvm-16", bytecode_version=0).edit()
    value = mlirbc.TypeAttr.get(mlirbc.Type.parse("vector<[2]x4xi32>"))
    with pytest.raises(mlirbc.UnsupportedError, match=r"has no builtin type `vector<\[2\]x4xi32>`"):
        edited.body.operations[0].attributes["one"] = value


def test_a_builtin_type_that_the_release_lacks_is_refused() -> None:
    edited = mlirbc.open("examples/two_layers.mlirbc").edit()
    token = mlirbc.TypeAttr.get(mlirbc.Type.parse("token"))
    with pytest.raises(
        mlirbc.UnsupportedError, match="llvm-22, the release of the module, has no builtin type `token`"
    ):
        edited.operation.attributes["t.token"] = token
    assert not edited.is_changed


I32 = Type.parse("i32")


@pytest.mark.parametrize(
    ("keywords", "message"),
    [
        ({"name": "arith.addi", "results": [I32]}, "expected 2 operands (`lhs`, `rhs`), found 0"),
        ({"name": "arith.constant", "results": [I32]}, "requires the attribute `value`"),
        ({"name": "cf.br"}, "expected 1 successor, found 0"),
        ({"name": "func.return", "results": [I32]}, "expected 0 results, found 1"),
        ({"name": "builtin.module"}, "expected 1 region, found 0"),
        (
            {"name": "memref.load", "results": [I32]},
            "expected at least 1 operand (`memref`, `indices`*), found 0",
        ),
    ],
)
def test_new_operations_have_what_their_definition_says(keywords: dict[str, object], message: str) -> None:
    edited = mlirbc.edit.Module.create()
    with InsertionPoint(edited.body):
        with pytest.raises(InvalidError) as caught:
            Operation.create(**keywords)  # type: ignore[arg-type]
        assert caught.value.identifier == "mlirbc.invalid.definition"
        assert caught.value.message == f"{keywords['name']}: {message}"
        assert not edited.body.operations
        # Properties without a required attribute have no encoding.
        if keywords["name"] not in ("memref.load", "arith.constant"):
            Operation.create(**keywords, verify=False)  # type: ignore[arg-type]
            assert len(edited.body.operations) == 1
        # A discardable attribute may have any name.
        zero = mlirbc.Attribute.parse("0 : i32")
        op = Operation.create("arith.constant", [I32], attributes={"value": zero, "valeu": zero})
        assert set(op.attributes) == {"value", "valeu"}


def test_the_sizes_of_groups_fit_the_number_of_values() -> None:
    edited = mlirbc.edit.Module.create()
    sizes = mlirbc.Attribute.parse("array<i32: 1, 1>")
    memref = Type.parse("memref<?xi32>")
    with InsertionPoint(edited.body):
        index = Operation.create(
            "arith.constant", [INDEX], attributes={"value": mlirbc.Attribute.parse("0 : index")}
        )
        with pytest.raises(InvalidError, match="add up to 2, but it has 1 operands"):
            Operation.create(
                "memref.alloc", [memref], [index.result], attributes={"operandSegmentSizes": sizes}
            )


def test_names_of_known_dialects_have_to_exist_in_the_release() -> None:
    edited = mlirbc.edit.Module.create(release="llvm-16")
    with pytest.raises(InvalidError, match=r"llvm-16 has no operation `arith.adid`") as caught:
        edited.detached("arith.adid")
    assert (caught.value.hint or "").startswith("did you mean `arith.addi`?")
    assert edited.detached("arith.adid", verify=False).name == "arith.adid"
    # Nothing is known of other dialects, and of dialects that the release does not have.
    for name in ("test.anything", "ub.poison"):
        assert edited.detached(name).name == name
