"""Edited modules are read by the same names as other modules, and with the same answers."""

import contextlib
import io
import random
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import mlirbc
import pytest
from mlirbc import StringAttr, WalkOrder, WalkResult, edit

from support import oracles

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples/two_layers.mlirbc"
FILES = sorted((ROOT / "tests/data/bytecode/llvm-22").rglob("*.mlirbc"))

# Names that only one of two classes has, and why.
READ_ONLY = {
    "Module": {
        "close": "edits have no file of their own, the module that they belong to has one",
        "closed": "edits have no file of their own, the module that they belong to has one",
        "container": "what is edited is one module of a file; the module that it belongs to says which",
        "edit": "it is edited already",
        "parse": "a text becomes a module to read, which can then be edited",
        **dict.fromkeys(
            [f"{kind}_table" for kind in ("ops", "values", "attributes", "types", "symbols", "resources")],
            "tables are those of a file; `snapshot` makes one",
        ),
    },
    "Operation": {
        "offset": "what is edited may not be in a file",
        "property_readings": "builds have several layouts for the bytes of a file; an edit keeps the bytes",
    },
}
EDIT_ONLY = {
    "Module": {
        "__getitem__": "finds the editable handle",
        "context": "only modules of mlirbc.mlir have one",
        "checkpoint": "records the changes so far",
        "clone": "changes",
        "clone_blocks": "changes",
        "create": "makes a new module",
        "detached": "makes an operation",
        "is_changed": "a module that was read has no changes",
        "rename_symbol": "changes",
        "rollback": "changes",
        "snapshot": "a module that was read is its own snapshot",
        "symbol": "finds an operation to change",
        "transaction": "undoes changes",
    },
    "Operation": {
        "add_region": "changes",
        "add_result": "changes",
        "clone": "changes",
        "create": "makes an operation",
        "declared_properties": "can be set; `properties` reads them",
        "detach_from_parent": "changes",
        "erase": "changes",
        "erase_region": "changes",
        "erase_result": "changes",
        "is_erased": "what was read cannot be erased",
        "move_after": "changes",
        "move_before": "changes",
        "set_operand_group": "changes",
        "set_results": "changes",
    },
    "Block": {
        "add_argument": "changes",
        "append": "changes",
        "append_to": "changes",
        "clone": "changes",
        "create_after": "makes a block",
        "create_at_start": "makes a block",
        "create_before": "makes a block",
        "erase": "changes",
        "erase_argument": "changes",
        "insert_asm": "changes",
        "insert_argument": "changes",
    },
    "Region": {"clear": "changes", "clone_into": "changes"},
    "Value": {
        "is_argument": "the older way to tell the classes apart",
        "number": "the older name of result_number and arg_number",
        "context": "only modules of mlirbc.mlir have one",
        "dump": "prints the text, which a value that was read does not have",
        "maybe_downcast": "casts values of mlirbc.mlir",
        "replace_all_uses_except": "changes",
        "replace_all_uses_with": "changes",
        "set_location": "changes",
        "set_type": "changes",
        "use_list_order": "can be set; a value that was read has uses_in_order",
    },
    "Resources": {"add": "changes", "remove": "changes", "replace": "changes"},
    "OpAttributeMap": {},
    "OpPropertyMap": {},
    "OpOperand": {},
}
EDIT_ONLY["OpResult"] = EDIT_ONLY["BlockArgument"] = EDIT_ONLY["Value"]


def public(kind: type) -> set[str]:
    """Public names, and methods for operators and functions of the language."""
    protocols = {"__contains__", "__getitem__", "__iter__", "__len__", "__enter__", "__exit__"}
    return {name for name in dir(kind) if not name.startswith("_") or name in protocols}


@pytest.mark.parametrize("name", EDIT_ONLY)
def test_both_classes_have_the_same_names(name: str) -> None:
    read, edited = public(getattr(mlirbc, name)), public(getattr(edit, name))
    only_read, only_edited = READ_ONLY.get(name, {}), EDIT_ONLY[name]
    assert read - edited == set(only_read)
    assert edited - read - set(only_edited) == set(), "a new name needs a reason, or a counterpart"


def test_lists_have_the_same_names() -> None:
    module = mlirbc.open(EXAMPLE)
    edited = module.edit()
    for op, counterpart in ((module.operation, edited.operation), (module.body.operations[1],) * 2):
        for find in (
            lambda op: op.results,
            lambda op: op.operands,
            lambda op: op.successors,
            lambda op: op.regions,
            lambda op: op.regions[0].blocks,
            lambda op: op.regions[0].blocks[0].arguments,
            lambda op: op.regions[0].blocks[0].operations,
        ):
            assert public(type(find(op))) - public(type(find(counterpart))) == set()


def pairs(module: mlirbc.Module, edited: edit.Module) -> Iterator[tuple[mlirbc.Operation, edit.Operation]]:
    ours: list[edit.Operation] = []
    theirs: list[mlirbc.Operation] = []
    edited.walk(lambda op: ours.append(op), WalkOrder.PRE_ORDER)
    module.walk(lambda op: theirs.append(op), WalkOrder.PRE_ORDER)
    assert len(ours) == len(theirs)
    return zip(theirs, ours, strict=True)


def texts(values: Mapping[str, Any]) -> dict[str, str]:
    """By name; distinct attributes of two modules are never equal."""
    return {name: str(value) for name, value in values.items()}


def compare(module: mlirbc.Module, edited: edit.Module) -> None:
    """Everything that can be asked of operations, blocks and values, and the text."""
    numbers: dict[Any, int] = {}
    for number, (op, ours) in enumerate(pairs(module, edited)):
        numbers[op], numbers[ours] = number, number
        assert ours.name == op.name and ours.path == op.path
        assert str(ours.location) == str(op.location)
        assert ours.property_state == op.property_state and ours.is_opaque == op.is_opaque
        assert ours.is_registered == op.is_registered
        # Values that are not attributes can be set as attributes, so they are among them.
        actual = texts({name: value for name, value in ours.attributes.items() if name in op.attributes})
        assert actual == texts(op.attributes), op.path
        assert set(ours.attributes) - set(op.attributes) <= set(op.properties)
        assert list(ours.properties) == list(op.properties)
        assert texts(ours.properties) == texts(op.properties)
        assert ours.properties.opaque == op.properties.opaque
        assert texts(ours.discardable_attributes) == texts(op.discardable_attributes)
        assert str(ours.attribute_dictionary) == str(op.attribute_dictionary)
        assert {k: len(v) for k, v in ours.operand_groups.items()} == {
            k: len(v) for k, v in op.operand_groups.items()
        }
        assert list(ours.result_groups) == list(op.result_groups)
        assert ours.results.types == op.results.types
        for result, editable in zip(op.results, ours.results, strict=True):
            assert isinstance(editable, edit.OpResult)
            assert editable.result_number == result.result_number and editable.owner == ours
            assert str(editable.location) == str(result.location)
        for operand, own_use in zip(op.op_operands, ours.op_operands, strict=True):
            assert own_use.operand_number == operand.operand_number and own_use.owner == ours
            assert own_use.value == ours.operands[own_use.operand_number]
        for region, own_region in zip(op.regions, ours.regions, strict=True):
            assert own_region.region_number == region.region_number
            for block, own_block in zip(region.blocks, own_region.blocks, strict=True):
                assert own_block.block_number == block.block_number
                for argument, own_argument in zip(block.arguments, own_block.arguments, strict=True):
                    assert isinstance(own_argument, edit.BlockArgument)
                    assert own_argument.arg_number == argument.arg_number
                    assert str(own_argument.location) == str(argument.location)
                for name in ("successors", "predecessors"):
                    actual = [neighbour.block_number for neighbour in getattr(own_block, name)]
                    assert actual == [neighbour.block_number for neighbour in getattr(block, name)]
    for op, ours in pairs(module, edited):
        for result, editable in zip(op.results, ours.results, strict=True):
            expected = {(numbers[use.owner], use.operand_number) for use in result.uses}
            assert {(numbers[use.owner], use.operand_number) for use in editable.uses} == expected
    assert str(edited) == str(module)
    assert edited.op_counts() == module.op_counts()
    assert edited.resources.keys() == module.resources.keys()
    for name in edited.resources:
        assert (
            edited.resources[name].value is None or edited.resources[name].size == module.resources[name].size
        )


@pytest.mark.parametrize("path", FILES[::6], ids=lambda path: path.stem)
def test_an_unchanged_module_reads_the_same(path: Path) -> None:
    module = mlirbc.open(path)
    if len(module.operations) != 1:
        pytest.skip("several top-level operations")
    compare(module, module.edit())


def change(edited: edit.Module, chance: random.Random) -> None:
    ops: list[edit.Operation] = []
    edited.walk(lambda op: ops.append(op))
    for op in chance.sample(ops, min(5, len(ops))):
        kind = chance.randrange(3)
        with contextlib.suppress(mlirbc.Error):
            if kind == 0:
                op.attributes["x.note"] = StringAttr.get(f"n{chance.randrange(9)}")
            elif kind == 1:
                op.location = mlirbc.Location.file("f", chance.randrange(99), 1)
            elif op.block is not None and op.block.operations[-1] != op and not op.successors:
                op.clone(edit.InsertionPoint.before(op))


@pytest.mark.parametrize("path", FILES[::9], ids=lambda path: path.stem)
def test_a_changed_module_reads_as_what_is_written(path: Path) -> None:
    chance = random.Random(path.stem)
    edited = mlirbc.open(path).edit()
    if len(edited.operations) != 1:
        pytest.skip("several top-level operations")
    change(edited, chance)
    try:
        data = edited.write()
    except mlirbc.InvalidError:
        pytest.skip("the changes are invalid")
    compare(mlirbc.read(data, release=edited.release.name), edited)


def test_a_snapshot_is_kept_until_something_changes() -> None:
    edited = mlirbc.open(EXAMPLE).edit()
    before = edited.snapshot()
    main = edited.symbol("main")
    assert main is not None
    str(main), main.properties, main.operands, main.property_state, edited.columns()
    assert edited.snapshot() is before
    main.attributes["x.a"] = mlirbc.UnitAttr.get()
    assert edited.snapshot() is not before
    assert "x.a" not in str(before) and "x.a" in str(edited)


def test_an_operation_in_no_block_has_a_text() -> None:
    edited = mlirbc.open(EXAMPLE).edit()
    main = edited.symbol("main")
    assert main is not None
    block = main.regions[0].blocks[0]
    op = edited.detached("t.op", [mlirbc.F32Type.get()], [block.arguments[0]], regions=1)
    assert str(op).startswith('%0 = "t.op"(%arg0) ({')
    inner = edited.detached("t.inner", (), [op.result, block.arguments[1]])
    op.regions[0].blocks.append().append(inner)
    assert str(inner) == '"t.inner"(%0, %arg1) : (f32, i1) -> ()'
    assert inner.path == "block 0, op 0 (t.op) > region 0, block 0, op 0 (t.inner)"
    assert op.verify() and edited.verify()
    # Without it the module may be out of scope in places; its own text is there all the same.
    branch = block.operations[-1]
    # Its form with names of parts needs successors in blocks; without them it is generic.
    expected = branch.get_asm(print_generic_op_form=True).split("]")[1]
    branch.detach_from_parent()
    assert branch.get_asm(print_generic_op_form=True).split("]")[1] == expected
    assert str(branch)
    erased = edited.symbol("dense")
    assert erased is not None
    erased.erase()
    assert repr(erased) == "<mlirbc.edit.Operation, erased>"
    with pytest.raises(mlirbc.InvalidError, match="was erased"):
        str(erased)


def test_representations_never_raise() -> None:
    edited = mlirbc.open(EXAMPLE).edit()
    dense = edited.symbol("dense")
    assert dense is not None
    block = dense.regions[0].blocks[0]
    inner = block.operations[0]
    things = [dense, dense.regions[0], block, block.arguments[0], inner.result, inner.attributes]
    things += [
        next(iter(inner.result.uses)),
        dense.regions,
        dense.results,
        edited,
        edited.resources,
        inner.properties,
    ]
    assert all(repr(thing) for thing in things)
    dense.erase()
    assert all(repr(thing) for thing in things)


def test_a_walk_may_erase_and_stop() -> None:
    edited = mlirbc.open(EXAMPLE).edit()
    names: list[str] = []

    def visit(op: edit.Operation) -> WalkResult | None:
        names.append(op.name)
        if op.name == "func.func":
            op.erase()
        return None

    assert edited.walk(visit, WalkOrder.PRE_ORDER) is WalkResult.ADVANCE
    assert names == ["builtin.module", "func.func", "func.func"]
    edited = mlirbc.open(EXAMPLE).edit()
    assert edited.walk(lambda op: WalkResult.INTERRUPT) is WalkResult.INTERRUPT
    skipped: list[str] = []
    edited.walk(lambda op: skipped.append(op.name) or WalkResult.SKIP, WalkOrder.PRE_ORDER)
    assert skipped == ["builtin.module"]
    with pytest.raises(TypeError, match="expected a WalkResult"):
        edited.walk(lambda op: 1)  # type: ignore[arg-type, return-value]
    with pytest.raises(TypeError, match="walk_order"):
        edited.walk(lambda op: None, 3)  # type: ignore[arg-type]


def test_one_operation_can_be_verified() -> None:
    edited = mlirbc.open(EXAMPLE).edit()
    main, dense = edited.symbol("main"), edited.symbol("dense")
    assert main is not None and dense is not None
    ops = main.regions[0].blocks[0].operations
    ops[-1].move_before(ops[0])
    assert dense.verify()
    with pytest.raises(mlirbc.InvalidError, match="does not dominate this use") as caught:
        main.verify()
    assert caught.value.path == "func.func @main > cf.cond_br"
    with pytest.raises(mlirbc.InvalidError):
        edited.verify()
    assert "cf.cond_br" in str(main)  # invalid IR has a text
    for op in mlirbc.open(EXAMPLE).body:
        assert op.verify()


def test_handles_for_reading_are_operands() -> None:
    module = mlirbc.open(EXAMPLE)
    edited = module.edit()
    read = module.body.operations[1]
    value = read.regions[0].blocks[0].arguments[0]
    op = edited.detached("t.use", operands=[value])
    edited[read.regions[0].blocks[0]].operations.insert(0, op)
    assert op.operands[0] == edited[value]
    op.operands = [value, value]
    op.operands[1] = read.regions[0].blocks[0].arguments[1]
    assert [operand.number for operand in op.operands] == [0, 1]
    assert edited.symbol("main", scope=module.operation) == edited[read]
    edited[module.body.operations[0]].move_after(read)
    assert edited[read].is_before_in_block(module.body.operations[0])
    edited[value].replace_all_uses_with(read.regions[0].blocks[0].arguments[1])
    assert not list(edited[value].uses)
    with pytest.raises(TypeError, match=r"`edited\[handle\]` is the editable one"):
        edit.InsertionPoint(module.body)  # type: ignore[arg-type]
    second_module = mlirbc.open(EXAMPLE)
    with pytest.raises(TypeError, match="belongs to another module"):
        op.operands[0] = second_module.body.operations[1].regions[0].blocks[0].arguments[0]


def test_resources_are_a_mapping() -> None:
    edited = mlirbc.open(EXAMPLE).edit()
    keys = edited.resources.keys()
    assert list(edited.resources) == keys and len(edited.resources) == len(keys)
    edited.resources["note"] = "other"
    edited.resources.add("extra", True, group="notes", is_external=True)
    assert edited.resources["note"].value == "other" and edited.resources["notes", "extra"].value is True
    assert "nothing" not in edited.resources and edited.resources.get("nothing") is None
    assert [key for key, _ in edited.resources.items()] == edited.resources.keys()
    assert [resource.value for resource in edited.resources.get_all("note")] == ["other"]
    with pytest.raises(KeyError):
        edited.resources["nothing"]


def test_printing_to_a_file_is_the_text() -> None:
    edited = mlirbc.open(EXAMPLE).edit()
    edited.rename_symbol("main", "start")
    file, raw = io.StringIO(), io.BytesIO()
    edited.print(file=file)
    edited.operation.print(file=raw, binary=True)
    assert file.getvalue() == str(edited) and raw.getvalue().decode() in str(edited)
    assert edited.get_asm(binary=True).decode() == edited.get_asm()


# MLIR does not print the locations of the loop's arguments.
@pytest.mark.filterwarnings("ignore::mlirbc.OmissionWarning")
@pytest.mark.parametrize("seed", range(4))
def test_the_text_is_that_of_mlir(seed: int, tmp_path: Path) -> None:
    oracles.require(22)
    edited = mlirbc.open(EXAMPLE).edit()
    change(edited, random.Random(seed))
    edited.rename_symbol("main", f"start{seed}")
    for generic in (False, True):
        arguments = ["--allow-unregistered-dialect", *(["--mlir-print-op-generic"] if generic else [])]
        expected = oracles.checked(oracles.run_mlir_opt(22, arguments, edited.write()))
        assert edited.get_asm(print_generic_op_form=generic).strip() == expected.decode().strip()
        arguments.append("--mlir-print-debuginfo")
        located = oracles.checked(oracles.run_mlir_opt(22, arguments, edited.write()))
        text = edited.get_asm(print_generic_op_form=generic, enable_debug_info=True)
        assert text.strip() == located.decode().strip()


def test_a_misspelled_keyword_fails() -> None:
    edited = mlirbc.open(EXAMPLE).edit()
    for module in (mlirbc.open(EXAMPLE), edited):
        for ask in (module.write, module.get_asm, module.print, module.walk, module.verify):
            with pytest.raises(TypeError):
                ask(numberring="canonical")  # type: ignore[operator, call-arg]


def test_type_checkers_find_a_misspelled_keyword(tmp_path: Path) -> None:
    pytest.importorskip("mypy")
    good = ["write(numbering='canonical')", "save('x', target='llvm-19')", "get_asm(skip_regions=True)"]
    bad = ["write(numberring='canonical')", "save('x', targets='llvm-19')", "get_asm(skip_region=True)"]
    modules = ["mlirbc.read(b'')", "mlirbc.read(b'').edit()"]
    calls = [f"{module}.{call}\n" for module in modules for call in good + bad]
    (tmp_path / "calls.py").write_text("import mlirbc\n" + "".join(calls))
    command = [sys.executable, "-m", "mypy", "--strict", "calls.py"]
    output = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=False).stdout
    lines = {int(line.split(":")[1]) for line in output.splitlines() if ": error:" in line}
    assert lines == {5, 6, 7, 11, 12, 13}, output
