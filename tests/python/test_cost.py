"""The cost of calls, counted in lengths and calls. Endless calls fail by their time limit."""

import os
import re
from pathlib import Path
from typing import Any

import mlirbc
import mlirbc.edit
import mlirbc.lazy
import numpy as np
import pytest
from mlirbc import ArrayAttr, Attribute, IntegerAttr, IntegerType, Type
from mlirbc.edit import InsertionPoint, Operation

import complexity.families  # noqa: F401 (registers them)
from complexity.build import FAMILIES, Maker

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples/two_layers.mlirbc"


def shared(levels: int) -> Attribute:
    """An array of the same array twice, and so on: as many paths as no machine can count."""
    attribute: Attribute = IntegerAttr.get(IntegerType.get_signless(8), 1)
    for _ in range(levels):
        attribute = ArrayAttr.get([attribute, attribute])
    return attribute


def test_lists_that_share_their_parts_are_looked_at_once() -> None:
    left, right = shared(60), shared(60)
    assert left == right and hash(left) == hash(right) and left != shared(61)
    assert len({left, right}) == 1


def test_numpy_does_not_look_into_lists() -> None:
    array = np.asarray(shared(60))
    assert array.shape == (2,) and array.dtype == object and array[0] == shared(59)
    assert np.array(ArrayAttr.get([])).shape == (0,)
    with pytest.raises(TypeError, match="not elements"):
        np.asarray(shared(60), dtype=np.int8)


@pytest.mark.parametrize(
    "take",
    [
        mlirbc.dialects.register,
        mlirbc.dialects.table,
        mlirbc.schemas.register,
        mlirbc.schemas.schema,
        mlirbc.layout.register,
        mlirbc.layout.table,
        mlirbc.open,
    ],
)
def test_a_number_is_no_path(take: Any) -> None:
    reader, writer = os.pipe()
    try:
        for number in (reader, writer, True):
            with pytest.raises(TypeError):
                take(number)
        # Neither was closed.
        os.fstat(reader), os.fstat(writer)
    finally:
        os.close(reader)
        os.close(writer)


def test_a_number_is_no_place_to_save(tmp_path: Path) -> None:
    module = mlirbc.open(EXAMPLE)
    for save in (module.save, module.edit().save):
        with pytest.raises(TypeError):
            save(1)  # type: ignore[arg-type]


def test_a_number_is_no_text() -> None:
    for namespace, text in [(1, 2), ("toy", 2), ("toy", 1 << 60), (1, b"a"), ("toy", [1])]:
        with pytest.raises(TypeError):
            mlirbc.OpaqueAttr.get(namespace, text)  # type: ignore[arg-type]
    assert mlirbc.OpaqueAttr.get("toy", bytearray(b"a<1>")).data == b"a<1>"


def test_attributes_set_one_by_one_leave_nothing_behind() -> None:
    edited = mlirbc.edit.Module.create()
    op, i32 = edited.operation, IntegerType.get_signless(32)
    count = 1000
    for number in range(count):
        op.attributes[f"t.a{number}"] = IntegerAttr.get(i32, number)
    assert op.attributes["t.a7"] == IntegerAttr.get(i32, 7) and len(op.attributes) == count
    with pytest.raises(KeyError):
        op.attributes["t.a"]
    for number in range(0, count, 2):
        del op.attributes[f"t.a{number}"]
    data = edited.write()
    assert len(data) < 60 * count
    assert len(mlirbc.read(data).operation.attributes) == count // 2


def test_lists_of_an_edited_block_are_what_is_there() -> None:
    edited = mlirbc.edit.Module.create()
    block = edited.body
    operations = [edited.detached(f"t.o{number}") for number in range(6)]
    block.operations.append(operations[2])
    block.operations.insert(0, operations[0])
    block.operations.insert(1, operations[1])
    block.operations.insert(9, operations[4])
    block.operations.insert(-1, operations[3])
    block.operations.insert(-9, operations[5])
    names = [f"t.o{number}" for number in (5, 0, 1, 2, 3, 4)]
    assert [op.name for op in block.operations] == names and len(block.operations) == 6
    listed = block.operations
    assert [listed[place].name for place in range(6)] == names and listed[-2:] == operations[3:5]
    older_list = block.operations
    assert older_list[0] == operations[5]
    listed.append(edited.detached("t.new"))
    assert len(listed) == 7 and len(older_list) == 6 and len(block.operations) == 7
    assert listed[6].name == block.operations[6].name == "t.new"
    for op in block.operations:
        op.erase()
    assert len(block.operations) == 0 and not list(block.operations)
    with InsertionPoint(block):
        Operation.create("t.last")
    assert [op.name for op in block.operations] == ["t.last"]
    region = edited.operation.regions[0]
    more = region.blocks.append()
    assert len(more.operations) == 0
    more.erase()
    with pytest.raises(mlirbc.Error):
        more.operations  # noqa: B018


def test_a_loop_over_places_lists_a_block_once() -> None:
    edited = mlirbc.open(EXAMPLE).edit()
    body = edited.symbol("main").regions[0].blocks[0]
    before = edited._editor.listings
    names = [body.operations[place].name for place in range(len(body.operations))]
    assert names and names == [op.name for op in body.operations]
    assert edited._editor.listings == before + 1
    body.operations[-1].detach_from_parent()
    assert len(body.operations) == len(names) - 1
    assert len(list(body.operations)) == len(names) - 1 and edited._editor.listings == before + 2


def test_a_lazy_reader_keeps_the_order_of_the_file() -> None:
    edited = mlirbc.edit.Module.create()
    for number in range(8):
        edited.body.operations.append(function(edited, f"f{number}"))
    reader = mlirbc.lazy.LazyReader(mlirbc.read(edited.write()))
    reader.read_top_level(lambda op: op.name == "builtin.module")
    order = [op.attributes["sym_name"].value for op in reader.pending]
    assert order == [f"f{number}" for number in range(8)]
    for op in reader.pending[2:6:2]:
        assert reader.is_pending(op)
        reader.materialize(op)
        assert not reader.is_pending(op)
        with pytest.raises(ValueError, match="not pending"):
            reader.materialize(op)
    assert [op.attributes["sym_name"].value for op in reader.pending] == ["f0", "f1", "f3", "f5", "f6", "f7"]
    assert repr(reader) == "<mlirbc.lazy.LazyReader, 6 pending>"
    asked_names: list[str] = []

    def keep(op: mlirbc.Operation) -> bool:
        asked_names.append(op.attributes["sym_name"].value)
        return len(asked_names) % 2 == 0

    finalized = reader.finalize(keep)
    assert asked_names == ["f0", "f1", "f3", "f5", "f6", "f7"] and not reader.pending
    assert [op.attributes["sym_name"].value for op in finalized.body] == ["f1", "f2", "f4", "f5", "f7"]


def function(edited: mlirbc.edit.Module, name: str) -> Operation:
    return edited.detached(
        "func.func",
        attributes={
            "sym_name": mlirbc.StringAttr.get(name),
            "function_type": Attribute.parse("() -> ()"),
            "sym_visibility": mlirbc.StringAttr.get("private"),
        },
        regions=1,
    )


def test_an_error_about_a_large_type_is_short() -> None:
    layout = mlirbc.DataLayout.from_specs([])
    kind: Type = IntegerType.get_signless(8)
    for _ in range(60):
        kind = mlirbc.TupleType.get_tuple([kind, kind])
    with pytest.raises(mlirbc.Error) as caught:
        layout.get_type_size(kind)
    assert len(str(caught.value)) < 400


def test_repr_shows_the_beginning_of_a_long_text() -> None:
    wide = ArrayAttr.get([IntegerAttr.get(IntegerType.get_signless(32), number) for number in range(5000)])
    long = mlirbc.StringAttr.get("\N{SNOWMAN}" * 5000)
    deep: Attribute = wide
    for _ in range(500):
        deep = ArrayAttr.get([deep])
    kind: Type = IntegerType.get_signless(8)
    for _ in range(60):
        kind = mlirbc.TupleType.get_tuple([kind, kind])
    for thing in (wide, long, deep, shared(60), kind, long.get_named("name")):
        shown = repr(thing)
        assert 100 < len(shown) < 400 and shown.endswith("\N{HORIZONTAL ELLIPSIS})"), shown
        assert "TOO LONG" not in shown
    assert repr(wide).startswith("ArrayAttr([0 : i32, 1 : i32, 2 : i32")
    assert len(str(wide)) > 5000 and repr(ArrayAttr.get([])) == "ArrayAttr([])"


def test_items_of_an_attribute_are_made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    i32 = IntegerType.get_signless(32)
    numbers = [IntegerAttr.get(i32, number) for number in range(20)]
    array = ArrayAttr.get(numbers)
    names = mlirbc.DictAttr.get({f"k{number:02}": numbers[number] for number in range(20)})
    dense = mlirbc.DenseI32ArrayAttr.get(list(range(20)))
    calls: list[str] = []

    def counting(real: Any) -> Any:
        def call(value: Any) -> Any:
            calls.append(real.__name__)
            return real(value)

        return call

    for kind, method in (
        (ArrayAttr, "_items"),
        (mlirbc.DictAttr, "items"),
        (mlirbc._dense_arrays.DenseArrayAttr, "_values"),
    ):
        monkeypatch.setattr(kind, method, counting(getattr(kind, method)))
    for number in range(20):
        assert array[number] == numbers[number] == array[number - 20] and dense[number] == number
        name = f"k{number:02}"
        assert names[name] == numbers[number] and names[number].name == name and name in names
    assert array[3:5] == numbers[3:5] and "k" not in names and 3 not in names and [] not in names
    assert sorted(calls) == ["_items", "_values", "items"]
    with pytest.raises(IndexError):
        array[20]
    with pytest.raises(KeyError):
        names["k"]


def test_what_is_kept_for_a_handle_is_of_its_entry() -> None:
    edited = mlirbc.edit.Module.create()
    i32 = IntegerType.get_signless(32)
    for number in range(50):
        value = ArrayAttr.get([IntegerAttr.get(i32, number), IntegerAttr.get(i32, 7)])
        edited.body.operations.append(edited.detached("t.o", attributes={"a": value}))
    module = mlirbc.read(edited.write())
    # Handles that a loop drops are used again.
    assert [op.attributes["a"][0].value for op in module.body] == list(range(50))
    assert [entry[0].value for entry in module.attributes if isinstance(entry, ArrayAttr)] == list(range(50))


def test_resources_are_found_by_key_and_group() -> None:
    edited = mlirbc.edit.Module.create()
    count = 50
    for number in range(count):
        edited.resources.add(f"same{number:02}", f"{number}", group=f"g{number % 2}", is_external=True)
    edited.resources.add("other", True, group="g0", is_external=True)
    # The keys become one key that many strings of the file are.
    resources = mlirbc.read(re.sub(rb"same\d\d", b"same00", edited.write())).resources
    assert len(resources) == count + 1 and len(resources.get_all("same00")) == count
    groups = [resources[group, "same00"] for group in ("g0", "g1")]
    assert [resource.group for resource in groups] == ["g0", "g1"] and resources["same00"] in groups
    odd = resources.get_all("same00", "g1")
    assert sorted(int(str(resource.value)) for resource in odd) == list(range(1, count, 2))
    assert ("g1", "other") not in resources and ("g0", "other") in resources
    assert ("g2", "same00") not in resources and resources.get("nothing") is None
    keys = resources.keys()
    assert keys == [key for key, _ in resources.items()] and keys.count("same00") == count


def test_a_large_dictionary_of_many_operations_is_listed_once() -> None:
    module = mlirbc.read(FAMILIES["dictionary.shared.v6"].build(200))
    operations = [op for op in module.body.operations if len(op.attributes) > 100]
    assert len(operations) > 100
    names = list(operations[0].attributes)
    assert names == sorted(set(names))
    for op in operations[:3]:
        attributes = op.attributes
        assert list(attributes) == names
        assert [attributes[name] for name in names] == [attributes[at].attr for at in range(len(names))]
        assert "no such name" not in attributes and attributes.get("") is None
        assert dict(attributes.items()) == dict(op.discardable_attributes.items())


def test_a_large_dictionary_of_operations_with_attributes_of_their_own() -> None:
    """Attributes of an operation are found among attributes that it shares with others, in any order of
    names.
    """
    maker = Maker(4)
    five, i32 = maker.integer(5), maker.i32()
    shared = maker.dictionary(
        [(f"{k}{number:03}", five) for k in "kz" for number in range(50)] + [("value", five)]
    )
    ops = [maker.op("arith.constant", attributes=shared, results=[i32]) for _ in range(3)]
    module = mlirbc.read(maker.module(ops))
    for op in [op for op in module.body.operations if op.name == "arith.constant"]:
        attributes, properties, discardable = op.attributes, op.properties, op.discardable_attributes
        names = list(attributes)
        assert (
            list(properties) == ["value"] and "value" not in discardable and discardable.get("value") is None
        )
        assert (
            names == sorted({*properties, *discardable})
            and len(attributes) == len(names) == len(discardable) + 1
        )
        assert attributes["value"] == properties["value"] == attributes[names.index("value")].attr
        assert [name for name, _ in discardable.items()] == [name for name in names if name != "value"]
        assert attributes[-1].name == names[-1] and attributes.values()[0] == discardable[names[0]]
        with pytest.raises(IndexError):
            attributes[len(names)]


def test_operations_that_are_edited_alike_share_their_dictionary() -> None:
    module = mlirbc.read(FAMILIES["dictionary.shared.v6"].build(200))
    edited = module.edit()
    unit = mlirbc.UnitAttr.get()
    for op in module.body.operations:
        edited[op].attributes["new"] = unit
    written = edited.write()
    assert len(written) < 2 * len(module.write())
    changed, before = mlirbc.read(written).body.operations, module.body.operations
    assert len(changed) == len(before) > 100
    for op, old in zip(changed, before, strict=True):
        assert len(op.attributes) == len(old.attributes) + 1 and op.attributes["new"] == unit
    assert dict(changed[0].attributes.items()) == {**dict(before[0].attributes.items()), "new": unit}


def test_a_long_string_that_stands_often_is_one_object() -> None:
    module = mlirbc.read(FAMILIES["dense_strings.one_long_often"].build(200))
    (strings,) = [
        attribute for attribute in module.attributes if isinstance(attribute, mlirbc.DenseStringElementsAttr)
    ]
    values = strings.values
    assert len(values) > 100 and len(values[0]) > 64
    assert all(value is values[0] for value in values)
    assert all(value is values[0] for value in strings.to_numpy()) or strings.to_numpy()[0] == values[0]


def test_long_names_are_made_when_they_are_asked_for() -> None:
    module = mlirbc.read(FAMILIES["dialects.long_name_many_ops.v6"].build(2000))
    names = module.op_names
    assert names[1].dialect is names[2].dialect
    assert names[1].name.startswith(names[1].dialect + ".") and names[1].name is not names[1].name
    assert mlirbc.open(EXAMPLE).op_names[0].name == "builtin.module"


def nested(depth: int) -> mlirbc.edit.Module:
    """Modules in modules, with a function in each."""
    edited = mlirbc.edit.Module.create()
    outer = edited.operation
    for number in range(depth):
        inner = edited.detached("builtin.module", regions=1)
        inner.regions[0].blocks.append()
        outer.regions[0].blocks[0].operations.append(inner)
        outer.regions[0].blocks[0].operations.append(function(edited, f"f{number}"))
        outer = inner
    return edited


class Counting(dict[Any, Any]):
    """Counts how often something is looked up."""

    lookups = 0

    def __getitem__(self, key: Any) -> Any:
        self.lookups += 1
        return super().__getitem__(key)


@pytest.mark.parametrize("end", [0, -1])
@pytest.mark.parametrize("is_flat", [True, False])
def test_a_lazy_reader_takes_constant_steps_for_an_operation(is_flat: bool, end: int) -> None:
    counts = []
    for size in (50, 200):
        edited = mlirbc.edit.Module.create() if is_flat else nested(size)
        for number in range(size if is_flat else 0):
            edited.body.operations.append(function(edited, f"f{number}"))
        reader = mlirbc.lazy.LazyReader(mlirbc.read(edited.write()))
        after, before = Counting({None: None}), Counting({None: None})
        reader._after, reader._before = after, before
        questions = 0

        def want(op: mlirbc.Operation) -> bool:
            nonlocal questions
            questions += 1
            return False

        reader.read_top_level()
        while reader.pending:
            reader.materialize(reader.pending[end], want)
        assert questions == size * (1 if is_flat else 2)
        counts.append(after.lookups + before.lookups)
    assert counts[1] <= 5 * counts[0] and counts[1] <= 2000


def test_what_is_loaded_at_once_is_upgraded_once() -> None:
    edited = nested(20)
    mlirbc.versions.set_dialect_version(edited, "func", (1,))
    module = mlirbc.read(edited.write())
    roots: list[str] = []
    codec = mlirbc.versions.DialectCodec("func", upgrade=lambda root, version: roots.append(root.name))
    reader = mlirbc.lazy.LazyReader(module, codecs=[codec])
    reader.read_top_level(lambda op: True)
    assert not reader.pending and roots == ["builtin.module"]
    # The operation that is loaded has a single upgrade, though operations in it are wanted, too.
    reader, roots[:] = mlirbc.lazy.LazyReader(module, codecs=[codec]), []
    reader.read_top_level()
    reader.materialize(reader.pending[0], lambda op: True)
    assert not reader.pending and roots == ["builtin.module"]


def test_pending_operations_are_a_sequence() -> None:
    edited = mlirbc.edit.Module.create()
    for number in range(5):
        edited.body.operations.append(function(edited, f"f{number}"))
    reader = mlirbc.lazy.LazyReader(mlirbc.read(edited.write()))
    top = reader.read_top_level(lambda op: op.name == "builtin.module")
    pending, listed = reader.pending, list(reader.pending)
    assert len(pending) == 5 and pending == listed and pending != listed[1:] and pending != 5
    assert [pending[place] for place in range(-5, 5)] == listed * 2
    assert pending[1:4:2] == listed[1:4:2] and list(reversed(pending)) == listed[::-1]
    assert listed[2] in pending and top not in pending and None not in pending
    for place in (5, -6):
        with pytest.raises(IndexError, match="out of range"):
            pending[place]
    # A loop visits the operations that were pending when it began; the view shows the current ones.
    for op in pending:
        reader.materialize(op)
    assert not pending and not reader.pending and repr(pending) == "<mlirbc.lazy.Pending of 0 operations>"
