"""`verify(ops=True)` and `mlir-opt` accept and refuse the same operations."""

import re
from pathlib import Path

import mlirbc
import pytest

from support import oracles

ROOT = Path(__file__).resolve().parents[2]


def function(body: str, arguments: str = "%a: i32, %m: memref<?xi32>, %c: i1") -> str:
    types = ", ".join(argument.split(": ")[1] for argument in arguments.split(", "))
    head = f'"func.func"() <{{function_type = ({types}) -> (), sym_name = "f"}}> ({{\n^bb0({arguments}):'
    return f"{head}\n{body}\n}}) : () -> ()"


RETURN = '"func.return"() : () -> ()'

BROKEN = {
    "operands": (
        function(f'%0 = "arith.addi"(%a) : (i32) -> i32\n{RETURN}'),
        "arith.addi: expected 2 operands (`lhs`, `rhs`), found 1",
    ),
    "results": (
        function(f'"arith.addi"(%a, %a) : (i32, i32) -> ()\n{RETURN}'),
        "arith.addi: expected 1 result (`result`), found 0",
    ),
    "variadic operands": (
        function(f'"memref.load"() : () -> i32\n{RETURN}'),
        "memref.load: expected at least 1 operand (`memref`, `indices`*), found 0",
    ),
    "types of a call": (
        function(
            '%f = "builtin.unrealized_conversion_cast"() : () -> ((i32) -> i32)\n'
            f'%0 = "func.call_indirect"(%f, %c) : ((i32) -> i32, i1) -> i32\n{RETURN}'
        ),
        "func.call_indirect: the types of `callee_operands` differ from the inputs in the type of `callee`",
    ),
    "type of an operand": (
        function(f'%0 = "memref.load"(%m, %a) : (memref<?xi32>, i32) -> i32\n{RETURN}'),
        "memref.load: operand 1 (`indices`) is not index",
    ),
    "types by the summary of a constraint": (
        function(f'%0 = "arith.addi"(%m, %m) : (memref<?xi32>, memref<?xi32>) -> memref<?xi32>\n{RETURN}'),
        "arith.addi: operand 0 (`lhs`) is not signless-integer-like",
    ),
    "same types": (
        function(f'%0 = "arith.addi"(%a, %c) : (i32, i1) -> i32\n{RETURN}'),
        "arith.addi: requires the same type for all operands and results",
    ),
    "types that match": (
        function(f'%0 = "arith.select"(%c, %a, %m) : (i1, i32, memref<?xi32>) -> i32\n{RETURN}'),
        "arith.select: requires the same type for `true_value` and `false_value`",
    ),
    "cases of an enumeration": (
        function(f'%0 = "arith.cmpi"(%a, %a) <{{predicate = 77 : i64}}> : (i32, i32) -> i1\n{RETURN}'),
        "arith.cmpi: the attribute `predicate`: 77 is not one of the values of the definition",
    ),
    "regions": (
        function(f'"scf.if"(%c) ({{ "scf.yield"() : () -> () }}) : (i1) -> ()\n{RETURN}'),
        "scf.if: expected 2 regions, found 1",
    ),
    "successors": (
        function('"cf.br"() : () -> ()'),
        "cf.br: expected 1 successor, found 0",
    ),
    "terminator of a block": (
        function('%0 = "arith.addi"(%a, %a) : (i32, i32) -> i32'),
        "arith.addi: is not a terminator, but ends region 0, block 0 of `func.func`",
    ),
    "a terminator before the end": (
        function(f"{RETURN}\n{RETURN}"),
        "func.return: is a terminator, so it must be the last operation of its block",
    ),
    "implicit terminator": (
        function(f'"scf.if"(%c) ({{ {RETURN} }}, {{}}) : (i1) -> ()\n{RETURN}'),
        "scf.if: region 0, block 0: expected the terminator `scf.yield`, found `func.return`",
    ),
    "parent": (
        '"builtin.module"() ({\n"func.return"() : () -> ()\n}) : () -> ()',
        "func.return: must be directly inside `func.func`, not `builtin.module`",
    ),
    "symbols": (
        function(RETURN) + "\n" + function(RETURN),
        "func.func: the symbol `@f` is defined twice in `builtin.module`",
    ),
    "type of an attribute": (
        function(f'%0 = "arith.constant"() <{{value = 1 : i64}}> : () -> i32\n{RETURN}'),
        "arith.constant: requires the same type for `value` and `result`",
    ),
    "a branch with a value of another type": (
        function(f'"cf.br"(%a)[^b] : (i32) -> ()\n^b(%p: i64):\n{RETURN}'),
        "cf.br: argument 0 of successor 0, block 1, is `i64`, but a value of type `i32` is passed to it",
    ),
    "a branch with too many values": (
        function(f'"cf.br"(%a, %a)[^b] : (i32, i32) -> ()\n^b(%p: i32):\n{RETURN}'),
        "cf.br: successor 0, block 1, has 1 argument, but 2 values are passed to it",
    ),
    "visibility": (
        function(RETURN).replace("sym_name", 'sym_visibility = "hidden", sym_name'),
        "func.func: `sym_visibility` must be `public`, `private` or `nested`, found `hidden`",
    ),
    "a public declaration": (
        '"func.func"() <{function_type = () -> (), sym_name = "f"}> ({}) : () -> ()',
        'func.func: is a declaration, which must not be public: `sym_visibility = "private"`',
    ),
    "results of a symbol": (
        '%0 = "t.a"() ({}) : () -> i32\n'
        '%1 = "ml_program.global"() <{sym_name = "f", type = i32}> : () -> i32',
        "ml_program.global: expected 0 results, found 1",
    ),
    "blocks": (
        function(
            '"scf.if"(%c) ({ "cf.br"()[^b] : () -> ()\n^b: "scf.yield"() : () -> () }, {}) : (i1) -> ()\n'
            + RETURN
        ),
        "scf.if: region 0 must have one block, found 2",
    ),
}


def sentence(error: mlirbc.Error) -> str:
    """The message without the place in the text and the path."""
    match = re.fullmatch(r"(.*), at -:\d+:\d+ \(block .*", error.message)
    assert match is not None, error.message
    return match[1]


@pytest.mark.parametrize("name", BROKEN)
def test_what_breaks_a_definition_is_refused_as_by_mlir(name: str) -> None:
    text, message = BROKEN[name]
    module = mlirbc.parse(text)
    module.verify()
    with pytest.raises(mlirbc.InvalidError) as raised:
        module.verify(ops=True)
    assert sentence(raised.value) == message
    assert raised.value.path is not None and raised.value.hint is not None
    oracles.require(22)
    assert oracles.run_mlir_opt(22, [], bytes(module.write())).status != 0


def function_of(body: str) -> str:
    """In the form that every release reads."""
    return f'"func.func"() ({{\n{body}\n}}) {{function_type = (i1) -> (), sym_name = "f"}} : () -> ()'


NUMBER = '"arith.constant"() {value = 1 : i32} : () -> i32'
ADDED = "%a = " + '"arith.addi"(%b, %b) : (i32, i32) -> i32'
UNVERIFIED = {
    "before its definition": (
        f"^e(%c: i1):\n{ADDED}\n%b = {NUMBER}\n{RETURN}",
        "dominance",
        "arith.addi: operand 0 is used before `arith.constant` defines it",
    ),
    "its own result": (
        f'^e(%c: i1):\n%b = "arith.addi"(%b, %b) : (i32, i32) -> i32\n{RETURN}',
        "dominance",
        "arith.addi: operand 0 is a result of the operation itself",
    ),
    "on one of two paths": (
        '^e(%c: i1):\n"cf.cond_br"(%c)[^x, ^y] {operand_segment_sizes = array<i32: 1, 0, 0>,'
        " operandSegmentSizes = array<i32: 1, 0, 0>} : (i1) -> ()\n"
        f'^x:\n%b = {NUMBER}\n"cf.br"()[^y] : () -> ()\n^y:\n{ADDED}\n{RETURN}',
        "dominance",
        "arith.addi: operand 0 is of block 1, which does not dominate block 2 that uses it",
    ),
    "to the entry block": (
        '^e(%c: i1):\n"cf.br"(%c)[^e] : (i1) -> ()',
        "control_flow",
        "cf.br: successor 0 is the entry block of the region, which must not have predecessors",
    ),
    "in the middle of a block": (
        f'^e(%c: i1):\n"cf.br"()[^x] : () -> ()\n"cf.br"()[^x] : () -> ()\n^x:\n{RETURN}',
        "control_flow",
        "cf.br: has successors, so it must be the last operation of its block",
    ),
}


@pytest.mark.parametrize("release", [16, 19, 22])
@pytest.mark.parametrize("name", UNVERIFIED)
def test_wrong_values_and_branches_are_refused_as_by_mlir(name: str, release: int) -> None:
    body, identifier, message = UNVERIFIED[name]
    edited = mlirbc.parse("", target=f"llvm-{release}").edit()
    edited.body.insert_asm(function_of(body))
    data = bytes(edited.write(verify=False))
    with pytest.raises(mlirbc.InvalidError) as raised:
        mlirbc.read(data, release=f"llvm-{release}").verify(ops=True)
    assert raised.value.identifier == f"mlirbc.invalid.operation.{identifier}"
    assert sentence(raised.value) == message
    oracles.require(release)
    assert oracles.run_mlir_opt(release, [], data).status != 0


ACCEPTED = {
    "any order in a module": "%0 = arith.addi %1, %1 : i32\n%1 = arith.constant 1 : i32",
    "any order in an unknown operation": '"t.a"() ({\n"t.b"(%0) : (i32) -> ()\n'
    '%0 = "t.c"() : () -> i32\n}) : () -> ()',
    "any order in a block without a path to it": "func.func @f() {\n  return\n^b:\n"
    "  %0 = arith.addi %1, %1 : i32\n  %1 = arith.constant 1 : i32\n  return\n}",
    "a loop": "func.func @f() {\n  cf.br ^b\n^b:\n  cf.br ^b\n}",
    "a result in its own region, in a module": '%0 = "t.a"() ({\n"t.b"(%0) : (i32) -> ()\n}) : () -> i32',
    "a public declaration of LLVM": "llvm.func @f()",
    "a symbol of an unknown operation": '"t.a"() ({\nfunc.func @f() {\n  return\n}\n}) : () -> ()',
}


@pytest.mark.parametrize("release", [16, 19, 22])
@pytest.mark.parametrize("name", ACCEPTED)
def test_what_only_looks_wrong_is_accepted(name: str, release: int) -> None:
    oracles.require(release)
    output = oracles.run_mlir_opt(
        release, ["--allow-unregistered-dialect", "--emit-bytecode"], ACCEPTED[name]
    )
    checks = mlirbc.read(oracles.checked(output)).verify(ops=True).operations
    assert checks is not None and checks.count > 0


def test_a_symbol_of_16_may_be_in_any_operation() -> None:
    inner = "scf.execute_region {\n    memref.global @g : memref<2xf32>\n    scf.yield\n  }"
    text = f"func.func @f() {{\n  {inner}\n  return\n}}"
    for release, is_fine in ((16, True), (19, False)):
        module = mlirbc.parse(text, target=f"llvm-{release}")
        if is_fine:
            module.verify(ops=True)
        else:
            with pytest.raises(mlirbc.InvalidError, match="around it is not a symbol table"):
                module.verify(ops=True)
        oracles.require(release)
        assert (oracles.run_mlir_opt(release, [], text).status == 0) == is_fine


@pytest.mark.parametrize("release", [16, 19, 22])
def test_what_mlir_accepts_is_accepted(release: int) -> None:
    """Every kept file of the release; `mlir-opt` wrote them."""
    operations = unknown = 0
    for path in sorted((ROOT / f"tests/data/bytecode/llvm-{release}").rglob("*.mlirbc")):
        checks = mlirbc.open(path).verify(ops=True).operations
        assert checks is not None
        operations += checks.count
        unknown += checks.without_definition
    assert operations > 1000 and operations - unknown > 100


def test_an_attribute_has_to_be_there() -> None:
    """Where there are properties, the reader requires it already."""
    text = '"builtin.module"() ({\n%0 = "arith.constant"() : () -> i32\n}) : () -> ()'
    module = mlirbc.parse(text, target="llvm-16")
    with pytest.raises(mlirbc.InvalidError, match=r"arith.constant: requires the attribute `value`"):
        module.verify(ops=True)
    wrong = mlirbc.parse(text.replace('constant"()', 'constant"() {value = unit}'), target="llvm-16")
    with pytest.raises(
        mlirbc.InvalidError, match="the attribute `value` is a UnitAttr, expected a TypedAttr"
    ):
        wrong.verify(ops=True)
    oracles.require(16)
    for broken in (module, wrong):
        assert oracles.run_mlir_opt(16, [], bytes(broken.write())).status != 0


def test_operations_without_a_definition_are_counted() -> None:
    module = mlirbc.parse('"t.unknown"() : () -> ()')
    checks = module.verify(ops=True).operations
    assert checks is not None and (checks.count, checks.without_definition) == (2, 1)
    assert module.verify().operations is None


def test_operands_have_the_names_of_the_definition() -> None:
    module = mlirbc.parse(function(f'%0 = "arith.addi"(%a, %a) : (i32, i32) -> i32\n{RETURN}'))
    edited = module.edit()
    for root in (module, edited):
        addi, last = root.body.operations[0].regions[0].blocks[0].operations
        assert addi.operand("lhs") == addi.operands[0]
        assert {name: len(values) for name, values in addi.operand_groups.items()} == {"lhs": 1, "rhs": 1}
        assert list(addi.result_groups) == ["result"] and last.operand_groups == {"operands": []}
        assert list(root.body.operations[0].region_groups) == ["body"]
        with pytest.raises(KeyError, match=r"arith.addi has no operand `x`; it has `lhs`, `rhs`"):
            addi.operand("x")


def test_an_operation_is_described() -> None:
    new = mlirbc.ops.describe("arith.addi")
    assert new.release == "llvm-23"
    assert list(new.changes) == ["llvm-16", "llvm-19", "llvm-22", "llvm-23"]
    assert [part.name for part in new.attributes] == ["overflowFlags"]
    assert not mlirbc.ops.describe("arith.addi", release="llvm-16").attributes
    with pytest.raises(
        KeyError, match=r"no release has an operation `arith.adi`; did you mean `arith.addi`\?"
    ):
        mlirbc.ops.describe("arith.adi")
    with pytest.raises(KeyError, match=r"llvm-16 has no operation `arith.frobnicate`"):
        mlirbc.ops.describe("arith.frobnicate", release="llvm-16")
