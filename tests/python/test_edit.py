"""Edits through the package have the documented effects, and MLIR reads the results."""

import doctest
import threading
from collections.abc import Iterator
from pathlib import Path

import mlirbc
import mlirbc.edit
import pytest
from mlirbc import Location, StringAttr, Type
from mlirbc.edit import InsertionPoint, Operation

from support.oracles import OracleError, checked, emit_args, require, run_mlir_opt
from support.printing import generic

ROOT = Path(__file__).parents[2]
DATA = ROOT / "tests/data/bytecode"
EXAMPLE = ROOT / "examples/two_layers.mlirbc"


def test_the_docstrings_show_what_happens(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    finder, runner = doctest.DocTestFinder(), doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    examples = finder.find(mlirbc.edit, globs={"mlirbc": mlirbc})
    for name in mlirbc.edit.__all__:
        # The classes are defined in several files.
        kind = getattr(mlirbc.edit, name)
        if kind.__module__ != "mlirbc.edit":
            examples += finder.find(kind, f"mlirbc.edit.{name}", module=False, globs={"mlirbc": mlirbc})  # type: ignore[arg-type]
    for example in examples:
        runner.run(example)
    assert runner.tries > 20 and runner.failures == 0


def operations(module: mlirbc.edit.Module) -> Iterator[Operation]:
    pending = [module.operation]
    while pending:
        op = pending.pop()
        yield op
        inside = [inner for region in op.regions for block in region.blocks for inner in block]
        pending.extend(reversed(inside))


def test_a_module_is_built_from_nothing_and_mlir_reads_it() -> None:
    i32 = Type.parse("i32")
    edited = mlirbc.edit.Module.create(Location.file("new.py", 1, 1))
    with InsertionPoint(edited.body):
        function = Operation.create(
            "func.func",
            attributes={
                "sym_name": StringAttr.get("f"),
                "function_type": mlirbc.Attribute.parse("(i32, i32) -> i32"),
            },
            regions=1,
        )
    entry = function.regions[0].blocks.append(i32, i32)
    with InsertionPoint(entry):
        total = Operation.create("arith.addi", results=[i32], operands=list(entry.arguments))
        Operation.create("func.return", operands=[total.result])
    with InsertionPoint.at_block_begin(entry):
        first = Operation.create(
            "arith.constant", [i32], attributes={"value": mlirbc.Attribute.parse("7 : i32")}
        )
        Operation.create("test.second", operands=[first.result])
    total.operands[1] = first.result
    assert [op.name for op in entry] == ["arith.constant", "test.second", "arith.addi", "func.return"]
    data = edited.write()
    again = mlirbc.read(data)
    (read_function,) = again.body
    body = read_function.regions[0].blocks[0]
    assert [op.name for op in body] == ["arith.constant", "test.second", "arith.addi", "func.return"]
    constant, _, addition, end = body
    assert addition.operands[0] == body.arguments[0] and addition.operands[1] == constant.result
    assert end.operands[0] == addition.result
    assert again.operation.location == Location.file("new.py", 1, 1)
    # MLIR reads and writes the same module.
    require(22)
    theirs = checked(run_mlir_opt(22, emit_args(22, 6), data))
    assert generic(mlirbc.read(theirs)) == generic(again)


def test_handles_of_the_module_lead_to_their_twins() -> None:
    module = mlirbc.open(EXAMPLE)
    edited = module.edit()
    for op in module.body:
        twin = edited[op]
        assert twin.name == op.name
        assert edited[op.regions[0]] == twin.regions[0]
        assert edited[op.regions[0].blocks[0]] == twin.regions[0].blocks[0]
        assert edited[op.regions[0].blocks[0].arguments[0]].type == op.regions[0].blocks[0].arguments[0].type
    with pytest.raises(TypeError):
        mlirbc.open(EXAMPLE).edit()[module.operation]


def test_erased_handles_say_so() -> None:
    edited = mlirbc.open(EXAMPLE).edit()
    main = edited.symbol("main")
    assert main is not None
    inner = main.regions[0].blocks[0].operations[0]
    main.erase()
    assert main.is_erased and inner.is_erased and repr(main) == "<mlirbc.edit.Operation, erased>"
    for use in (lambda: main.name, lambda: inner.operands, lambda: inner.clone()):
        with pytest.raises(mlirbc.InvalidError, match="erased"):
            use()


def test_moving_cloning_and_detaching() -> None:
    edited = mlirbc.open(EXAMPLE).edit()
    dense, main = edited.body.operations
    main.move_before(dense)
    assert list(edited.body) == [main, dense]
    main.move_after(dense)
    copy = dense.clone()
    copy.attributes["sym_name"] = StringAttr.get("copy")
    assert list(edited.body) == [dense, copy, main]
    main.detach_from_parent()
    assert main.block is None and main.parent is None
    edited.body.append(main)
    again = mlirbc.read(edited.write())
    functions = [(op.name, op.attributes["sym_name"].value) for op in again.body]
    assert functions == [("func.func", name) for name in ("dense", "copy", "main")]
    with pytest.raises(mlirbc.InvalidError):
        main.move_before(main.regions[0].blocks[0].operations[0])


def test_values_and_uses() -> None:
    edited = mlirbc.open(EXAMPLE).edit()
    block = edited.symbol("dense").regions[0].blocks[0]
    first, second = block.arguments[0], block.arguments[1]
    uses = list(first.uses)
    first.replace_all_uses_with(second)
    assert list(first.uses) == [] and set(uses) <= set(second.uses)
    with pytest.raises(mlirbc.InvalidError, match="it is used by"):
        block.erase_argument(1)
    second.set_type(Type.parse("i8"))
    assert str(second.type) == "i8"


def test_verification_names_the_operation_and_can_be_left_out() -> None:
    edited = mlirbc.open(EXAMPLE).edit()
    block = edited.symbol("dense").regions[0].blocks[0]
    last = block.operations[-1]
    last.move_before(block.operations[0])
    with pytest.raises(mlirbc.InvalidError) as caught:
        edited.write()
    assert caught.value.identifier == "mlirbc.invalid.ir"
    assert caught.value.path is not None and "func.return" in caught.value.path
    assert mlirbc.read(edited.write(verify=False)).operation.name == "builtin.module"


def test_saving_over_the_file_that_is_mapped(tmp_path: Path) -> None:
    path = tmp_path / "model.mlirbc"
    path.write_bytes(EXAMPLE.read_bytes())
    module = mlirbc.open(path)
    before = str(module)
    edited = module.edit()
    edited.rename_symbol("main", "start")
    edited.resources.replace("layer0.weight", EXAMPLE, resize=True)
    edited.save(path)
    assert str(module) == before
    again = mlirbc.open(path)
    assert bytes(again.resources["layer0.weight"].value) == EXAMPLE.read_bytes()
    assert again.body.operations[1].attributes["sym_name"] == StringAttr.get("start")
    assert [file.name for file in tmp_path.iterdir()] == ["model.mlirbc"]


def test_edits_by_several_threads_wait_for_each_other() -> None:
    edited = mlirbc.open(EXAMPLE).edit()
    failures: list[BaseException] = []

    def work(number: int) -> None:
        try:
            for step in range(50):
                with InsertionPoint(edited.body):
                    Operation.create("test.op", attributes={f"test.a{number}": StringAttr.get(str(step))})
                edited.write()
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures and len(edited.body.operations) == 202


# Whether 19 and 22 read blobs aligned to more than 16 bytes is a matter of the address of their buffer.
FILES = [path for path in sorted(DATA.glob("llvm-[12][92]/v*/*.mlirbc")) if "aligned" not in path.name]


def rewritten(release: int, version: int, data: bytes) -> mlirbc.Module | None:
    """The module that MLIR reads and writes; None if it refuses the file."""
    require(release)
    try:
        return mlirbc.read(checked(run_mlir_opt(release, emit_args(release, version), data)))
    except OracleError:
        return None


def marks(op: mlirbc.Operation) -> list[mlirbc.Attribute | None]:
    """The attribute that the test sets, for each operation inside."""
    inside = [inner for region in op.regions for block in region.blocks for inner in block]
    return [
        mark for inner_op in inside for mark in (inner_op.attributes.get("mlirbc.edited"), *marks(inner_op))
    ]


@pytest.mark.parametrize("path", FILES, ids=lambda path: "/".join(path.parts[-3:]))
def test_mlir_reads_what_edits_leave(path: Path) -> None:
    release = int(path.parts[-3].removeprefix("llvm-"))
    version = int(path.parts[-2].removeprefix("v"))
    before = rewritten(release, version, path.read_bytes())
    if before is None:
        pytest.skip("the oracle does not read the file itself")
    edited = mlirbc.open(path).edit()
    marked = []
    for op in list(operations(edited))[1:]:
        op.attributes["mlirbc.edited"] = StringAttr.get(f"number {len(marked)}")
        marked.append(op)
    with_attributes = rewritten(release, version, edited.write())
    assert with_attributes is not None
    assert marks(with_attributes.operation) == [
        StringAttr.get(f"number {number}") for number in range(len(marked))
    ]
    for op in marked:
        del op.attributes["mlirbc.edited"]
    assert generic(rewritten(release, version, edited.write())) == generic(before)
