"""Segment sizes that are not given: zeros in a file, and the only possible sizes in a new operation."""

import mlirbc
import pytest

from support import oracles
from support.assembler import Block, File, Op, Region, varints

ZEROS = {"memref.alloc": ("memref<4xi8>", 2), "acc.wait": (None, 4)}


def without_blob(version: int, release: int, op: str, result: str | None) -> bytes:
    file = File(version=version, producer=f"MLIR{oracles.FULL_VERSIONS[release]}".encode())
    module = file.op_name("builtin.module", registered=version >= 5)
    name = file.op_name(op, registered=version >= 5)
    unknown = file.attribute(varints(15))
    results = [file.type(result)] if result else []
    blob = file.property(b"\x01\x01") if version >= 5 else None
    body = Region([Block([Op(name, unknown, results=results)])])
    file.top.append(Op(module, unknown, properties=blob, regions=[body], isolated=True))
    return file.encode().data


def generic_text(module: mlirbc.Module) -> str:
    return module.get_asm(print_generic_op_form=True)


def line(text: str, op: str) -> str:
    return next(row.strip() for row in text.splitlines() if op in row)


@pytest.mark.parametrize("op", ZEROS)
@pytest.mark.parametrize("version", range(7))
@pytest.mark.parametrize("release", [19, 22])
def test_zeros_are_read_printed_and_written(release: int, version: int, op: str) -> None:
    oracles.require(release)
    result, count = ZEROS[op]
    data = without_blob(version, release, op, result)
    generic = ["--mlir-print-op-generic"]
    theirs = line(oracles.checked(oracles.run_mlir_opt(release, generic, data)).decode(), op)
    assert "operandSegmentSizes = array<i32: 0" in theirs
    module = mlirbc.read(data)
    module.verify()
    assert line(generic_text(module), op) == theirs
    expected = f"array<i32: {', '.join('0' * count)}>"
    assert str(module.body.operations[0].attributes["operandSegmentSizes"]) == expected
    assert str(module.edit().body.operations[0].attributes["operandSegmentSizes"]) == expected
    for way in ({"version": 0}, {"version": 6}, {"numbering": "canonical"}, {"target": "any"}):
        new = module.write(**way)  # type: ignore[arg-type]
        assert line(oracles.checked(oracles.run_mlir_opt(release, generic, new)).decode(), op) == theirs, way
        if "target" not in way:
            assert line(generic_text(mlirbc.read(new)), op) == theirs, way


def test_16_has_none() -> None:
    oracles.require(16)
    data = without_blob(0, 16, "memref.alloc", "memref<4xi8>")
    theirs = oracles.run_mlir_opt(16, ["--mlir-print-op-generic"], data)
    assert theirs.status != 0
    assert "requires dense i32 array attribute 'operand_segment_sizes'" in theirs.stderr
    ours = generic_text(mlirbc.read(data))
    assert line(ours, "memref.alloc") == '%0 = "memref.alloc"() : () -> memref<4xi8>'


BRANCH = """
func.func @f(%c: i1, %x: i32) {
  cf.br ^a(%x : i32)
^a(%y: i32):
  return
}
"""


@pytest.mark.parametrize("version", [4, 5, 6])
def test_a_new_operation_gets_the_only_division_or_is_refused(version: int) -> None:
    oracles.require(22)
    data = oracles.checked(oracles.run_mlir_opt(22, oracles.emit_args(22, version), BRANCH))
    edited = mlirbc.read(data).edit()
    function = edited.body.operations[0]
    entry, target = function.regions[0].blocks
    condition, number = entry.arguments
    end = entry.operations[0]
    at = mlirbc.edit.InsertionPoint.before(end)
    create = mlirbc.edit.Operation.create
    with pytest.raises(ValueError, match=r"operandSegmentSizes.*condition, trueDestOperands\*"):
        create("cf.cond_br", operands=[condition, number], successors=[target, target], ip=at)
    sizes = mlirbc.Attribute.parse("array<i32: 1, 1, 1>")
    create(
        "cf.cond_br",
        operands=[condition, number, number],
        successors=[target, target],
        attributes={"operandSegmentSizes": sizes},
        ip=at,
    )
    end.erase()
    last = mlirbc.edit.InsertionPoint.before(target.operations[0])
    alloc = create("memref.alloc", results=[mlirbc.Type.parse("memref<4xi8>")], ip=last)
    assert str(alloc.attributes["operandSegmentSizes"]) == "array<i32: 0, 0>"
    create("acc.wait", operands=[], ip=last)
    new = edited.write()
    text = oracles.checked(oracles.run_mlir_opt(22, ["--mlir-print-op-generic"], new)).decode()
    assert "operandSegmentSizes = array<i32: 1, 1, 1>" in line(text, "cf.cond_br")
    ops = [op for block in mlirbc.read(new).body.operations[0].regions[0].blocks for op in block.operations]
    sizes_by_op = {op.name: str(op.attributes.get("operandSegmentSizes")) for op in ops}
    assert sizes_by_op["cf.cond_br"] == "array<i32: 1, 1, 1>"
    assert sizes_by_op["memref.alloc"] == "array<i32: 0, 0>"


def test_sizes_have_the_name_of_16() -> None:
    oracles.require(16)
    oracles.require(22)
    text = BRANCH.replace("cf.br ^a(%x : i32)", "cf.cond_br %c, ^a(%x : i32), ^a(%x : i32)")
    data = oracles.checked(oracles.run_mlir_opt(22, oracles.emit_args(22, 6), text))
    new = mlirbc.read(data).write(target="llvm-16")
    printed = oracles.checked(oracles.run_mlir_opt(16, ["--mlir-print-op-generic"], new)).decode()
    assert "operand_segment_sizes = array<i32: 1, 1, 1>" in line(printed, "cf.cond_br")


def test_one_operand_of_a_branch_is_its_condition() -> None:
    oracles.require(22)
    text = BRANCH.replace("^a(%x : i32)", "^a").replace("^a(%y: i32):", "^a:")
    data = oracles.checked(oracles.run_mlir_opt(22, oracles.emit_args(22, 6), text))
    edited = mlirbc.read(data).edit()
    entry, target = edited.body.operations[0].regions[0].blocks
    end = entry.operations[0]
    mlirbc.edit.Operation.create(
        "cf.cond_br",
        operands=[entry.arguments[0]],
        successors=[target, target],
        ip=mlirbc.edit.InsertionPoint.before(end),
    )
    end.erase()
    new = edited.write()
    branch = mlirbc.read(new).body.operations[0].regions[0].blocks[0].operations[0]
    assert str(branch.attributes["operandSegmentSizes"]) == "array<i32: 1, 0, 0>"
    assert b"cf.cond_br" in oracles.checked(oracles.run_mlir_opt(22, [], new))
