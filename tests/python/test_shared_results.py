"""Operations of one shape share what was read of their attributes; entries keep their objects and results."""

import mlirbc
import pytest

TEXT = """
func.func @f(%a: tensor<2x?xf32>, %b: tensor<2x?xf32>) -> tensor<2x?xf32> {
  %0 = "t.add"(%a, %b) {side = "left"} : (tensor<2x?xf32>, tensor<2x?xf32>) -> tensor<2x?xf32>
  %1 = "t.add"(%0, %b) {side = "left"} : (tensor<2x?xf32>, tensor<2x?xf32>) -> tensor<2x?xf32>
  %2 = "t.add"(%1, %b) {side = "right", z} : (tensor<2x?xf32>, tensor<2x?xf32>) -> tensor<2x?xf32>
  %3:2 = "t.pair"(%2) : (tensor<2x?xf32>) -> (tensor<2x?xf32>, i32)
  return %3#0 : tensor<2x?xf32>
}
"""


@pytest.fixture
def block() -> mlirbc.Block:
    module = mlirbc.read(mlirbc.parse(TEXT, target="llvm-22").write())
    return module.body.operations[0].regions[0].blocks[0]


def test_maps_that_are_held_keep_their_operation(block: mlirbc.Block) -> None:
    maps = [op.attributes for op in block.operations]
    assert [dict(each) for each in maps[:3]] == [
        {"side": mlirbc.StringAttr.get("left")},
        {"side": mlirbc.StringAttr.get("left")},
        {"side": mlirbc.StringAttr.get("right"), "z": mlirbc.UnitAttr.get()},
    ]
    assert [len(each) for each in maps] == [1, 1, 2, 0, 0]
    assert [("z" in each, "side" in each, 3 in each) for each in maps[2:4]] == [
        (True, True, False),
        (False, False, False),
    ]


def test_a_loop_sees_the_attributes_of_each_operation(block: mlirbc.Block) -> None:
    assert [[name for name in op.attributes] for op in block.operations] == [
        ["side"],
        ["side"],
        ["side", "z"],
        [],
        [],
    ]
    values = [op.attributes.get("side") for op in block.operations]
    assert [str(value) for value in values] == ['"left"', '"left"', '"right"', "None", "None"]


def test_lists_belong_to_the_caller(block: mlirbc.Block) -> None:
    op = block.operations[2]
    op.attributes.items().clear()
    op.attributes.keys().clear()
    type = op.results[0].type
    assert isinstance(type, mlirbc.RankedTensorType)
    type.shape.clear()
    assert op.attributes.keys() == ["side", "z"]
    assert [name for name, _ in op.attributes.items()] == ["side", "z"]
    assert type.shape == [2, mlirbc.ShapedType.get_dynamic_size()]


def test_one_entry_is_one_object(block: mlirbc.Block) -> None:
    first, second, third = block.operations[:3]
    assert first.attributes["side"] is second.attributes["side"]
    assert first.attributes["side"] is not third.attributes["side"]
    assert first.location is first.location
    assert first.results[0].type is third.results[0].type
    module = first.module
    assert module.attributes[first.location.index or 0] is first.location
    assert str(first.location) is str(first.location)


@pytest.mark.parametrize(
    ("text", "shape", "element"),
    [
        ("tensor<2x3xf32>", [2, 3], "f32"),
        ("vector<4xi8>", [4], "i8"),
        ("memref<?xindex>", [-(2**63)], "index"),
        ("tensor<1xcomplex<f32>>", [1], "complex<f32>"),
    ],
)
def test_types_keep_their_results(text: str, shape: list[int], element: str) -> None:
    type = mlirbc.Type.parse(text)
    assert isinstance(type, mlirbc.ShapedType)
    for _ in range(2):
        assert (type.shape, str(type), str(type.element_type)) == (shape, text, element)


def test_a_type_without_a_rank_has_no_shape() -> None:
    unranked = mlirbc.Type.parse("tensor<*xf32>")
    assert isinstance(unranked, mlirbc.ShapedType)
    with pytest.raises(ValueError, match="requires that the type has a rank"):
        unranked.shape  # noqa: B018


def test_results_are_iterated_one_by_one(block: mlirbc.Block) -> None:
    pair = block.operations[3]
    values = list(pair.results)
    assert [value.result_number for value in values] == [0, 1]
    assert [str(value.type) for value in pair.results] == ["tensor<2x?xf32>", "i32"]
    assert values == [pair.results[0], pair.results[1]]


def test_owners_of_operands_are_found_from_any_neighbour(block: mlirbc.Block) -> None:
    # The loop reuses its handles, and each search begins at the last result.
    owners = [[value.owner for value in op.operands] for op in block.operations]
    places = [
        [block.operations.index(owner) if isinstance(owner, mlirbc.Operation) else None for owner in row]
        for row in owners
    ]
    assert places == [[None, None], [0, None], [1, None], [2], [3]]
    names = [
        value.owner.name for op in block for value in op.operands if isinstance(value.owner, mlirbc.Operation)
    ]
    assert names == ["t.add", "t.add", "t.add", "t.pair"]


def test_more_shapes_than_a_module_keeps() -> None:
    count = 17_000
    rows = [f'"t.op"() {{n = {number} : i32}} : () -> ()' for number in range(count)]
    module = mlirbc.read(mlirbc.parse("\n".join(rows), target="llvm-22").write())
    for _ in range(2):
        values = [op.attributes["n"] for op in module.body.operations]
        assert [value.value for value in values if isinstance(value, mlirbc.IntegerAttr)] == list(
            range(count)
        )
    last = module.body.operations[count - 1]
    assert (len(last.attributes), "n" in last.attributes, "m" in last.attributes) == (1, True, False)


def test_an_edit_shows_in_the_attributes_of_its_operation_alone(block: mlirbc.Block) -> None:
    edited = block.operations[0].module.edit()
    first, second = (edited[op] for op in block.operations[:2])
    first.attributes["added"] = mlirbc.UnitAttr.get()
    assert list(first.attributes) == ["added", "side"]
    assert list(second.attributes) == ["side"]
    second.attributes["side"] = mlirbc.StringAttr.get("both")
    assert str(second.attributes["side"]) == '"both"'
    assert str(first.attributes["side"]) == '"left"'
    assert [str(op.attributes.get("side")) for op in block.operations[:2]] == ['"left"', '"left"']
    assert first.results[0].type is block.operations[0].results[0].type
