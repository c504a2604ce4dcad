"""`Block.insert_asm` adds the operations of a text to a module."""

import re
from pathlib import Path

import mlirbc
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from mlirbc.edit import InsertionPoint, Module

from support import oracles
from support.sampling import examples

BYTECODE = Path(__file__).parents[1] / "data" / "bytecode"
FILES = sorted(BYTECODE.glob("**/*.mlirbc"))

FUNCTION = """
func.func @f(%arg0: i32, %arg1: memref<?xi32>) -> i32 {
  %0 = arith.addi %arg0, %arg0 : i32
  cf.br ^next
^next:
  return %0 : i32
}
"""


def function(text: str = FUNCTION, target: str = "llvm-22") -> tuple[Module, mlirbc.edit.Block]:
    edited = mlirbc.parse(text, target=target).edit()
    op = edited.symbol("f")
    assert op is not None
    return edited, op.regions[0].blocks[0]


def names(block: mlirbc.edit.Block) -> list[str]:
    return [op.name for op in block.operations]


def test_the_arguments_of_a_function_have_their_printed_names() -> None:
    _, block = function()
    (op,) = block.insert_asm("%0 = memref.dim %arg1, %c : memref<?xi32>", values={"c": constant(block)})
    assert op.operands == [block.arguments[1], block.operations[0].result]
    assert op == block.operations[-1]


def constant(block: mlirbc.edit.Block) -> mlirbc.edit.Value:
    (op,) = block.insert_asm("arith.constant 0 : index", InsertionPoint.at_block_begin(block))
    return op.result


def test_several_operations_stay_in_order_at_a_place() -> None:
    _, block = function()
    ip = InsertionPoint.after(block.operations[0])
    inserted = block.insert_asm("%x = arith.constant 1 : i32\n%y = arith.addi %x, %arg0 : i32", ip)
    block.insert_asm("arith.constant 2 : i32", ip)
    assert names(block) == ["arith.addi", "arith.constant", "arith.addi", "arith.constant", "cf.br"]
    assert inserted[1].operands == [inserted[0].result, block.arguments[0]]


def test_regions_successors_attributes_aliases_and_locations() -> None:
    edited, block = function()
    assert block.region is not None
    block.operations[-1].erase()
    text = """
      #map = affine_map<(d0) -> (d0 + 1)>
      %c = arith.constant {note = #map} true loc("here")
      scf.if %c { func.call @g() : () -> () }
      cf.cond_br %c, ^a, ^b
    """
    next_block = block.region.blocks[1]
    inserted = block.insert_asm(text, blocks={"a": next_block, "b": next_block}, file="patch.mlir")
    assert str(inserted[0].attributes["note"]) == "affine_map<(d0) -> (d0 + 1)>"
    assert str(inserted[0].location) == 'loc("here")'
    assert str(inserted[1].location) == 'loc("patch.mlir":4:7)'
    assert [op.name for op in inserted[1].regions[0].blocks[0]] == ["func.call", "scf.yield"]
    assert list(inserted[2].successors) == [next_block, next_block]
    edited.body.insert_asm("func.func private @g()")
    edited.verify(symbols=True, ops=True)


def test_operations_without_prefix_are_those_of_the_operation_around() -> None:
    edited, block = function()
    block.operations[-1].erase()
    block.insert_asm("return %arg0 : i32")
    assert block.operations[-1].name == "func.return"
    edited.body.insert_asm('module @m { module { "t.a"() : () -> () } }')
    assert edited.body.operations[-1].name == "builtin.module"


def test_resources_come_with_the_text() -> None:
    edited, block = function()
    text = """
      "t.weights"() {value = dense_resource<w> : tensor<2xi8>} : () -> ()
      {-# dialect_resources: { builtin: { w: "0x010000000708" } } #-}
    """
    block.insert_asm(text, InsertionPoint.at_block_begin(block))
    again = mlirbc.read(edited.write())
    assert bytes(again.resources["w"]) == b"\x07\x08"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("arith.addi %arg0, %z : i32", "`%z` is used, but it is not defined, at -:1:19"),
        ("\n  arith.addi %x, %x : f32", "`%x` is used with type `f32`, but its type is `i32`, at -:2:14"),
        ("%x = arith.constant 1 : i32", "`%x` is already the name of a value around the text, at -:1:1"),
        ('"t.a"() : () -> ()\narith.adid %x, %x : i32', "llvm-22 has no operation `arith.adid`, at -:2:1"),
        ("cf.br ^nowhere", "block `^nowhere` is used, but it is not defined in its region, at -:1:7"),
        ("}", "expected an operation"),
        ('"t.a"() ({', "an operation, or `}` at the end of a region"),
    ],
)
def test_errors_have_a_place_and_change_nothing(text: str, message: str) -> None:
    edited, block = function()
    x = block.operations[0].result
    before = edited.write(numbering="preserve")
    with pytest.raises(mlirbc.InvalidError, match=re.escape(message)) as caught:
        block.insert_asm(text, values={"x": x})
    assert caught.value.identifier is not None
    assert edited.write(numbering="preserve") == before


def test_values_have_to_be_visible_at_the_place() -> None:
    edited, block = function()
    value = block.operations[0].result
    start = InsertionPoint.at_block_begin(block)
    message = "`%x` does not dominate the place where the text is inserted, at -:2:1"
    with pytest.raises(mlirbc.InvalidError, match=message):
        block.insert_asm("\narith.addi %x, %x : i32", start, values={"x": value})
    with pytest.raises(mlirbc.InvalidError, match="`%x` is not visible where the text is inserted"):
        edited.body.insert_asm('"t.use"(%x) : (i32) -> ()', values={"x": value})
    with pytest.raises(mlirbc.InvalidError, match="not a valid name of a value"):
        block.insert_asm('"t.a"() : () -> ()', values={"a b": value})


def test_symbols_are_defined_once() -> None:
    edited, _ = function()
    with pytest.raises(mlirbc.InvalidError, match=r"the symbol `@f` is already defined by .*, at -:1:1"):
        edited.body.insert_asm("func.func private @f()")
    with pytest.raises(
        mlirbc.InvalidError, match=r"`@g` is already defined by an operation before it, at -:2:1"
    ):
        edited.body.insert_asm("func.func private @g()\nfunc.func private @g()")
    assert len(edited.body.operations) == 1


def test_the_insertion_point_is_in_the_block() -> None:
    edited, block = function()
    with pytest.raises(ValueError, match="not in this block"):
        block.insert_asm('"t.a"() : () -> ()', InsertionPoint(edited.body))


def test_the_text_is_in_the_form_of_the_release_of_the_module() -> None:
    _, block = function("func.func @f() { return }", "llvm-16")
    with pytest.raises(mlirbc.InvalidError, match=r"llvm-16 has no operation `arith.mulsi_extendedx`"):
        block.insert_asm("arith.mulsi_extendedx %a, %a : i32")
    # Releases before 17 have no properties.
    with pytest.raises(mlirbc.InvalidError, match="no properties"):
        block.insert_asm('"t.a"() <{a = 1 : i32}> : () -> ()')


def copies(module: mlirbc.Module, generic: bool) -> list[mlirbc.Module]:
    """The operation of a module inside an empty one: cloned, and inserted as text."""
    assert module.release is not None
    release, version = module.release.nearest, module.bytecode.version
    cloned, inserted = (Module.create(release=release, version=version) for _ in range(2))
    cloned.clone(module.operation)
    text = module.operation.get_asm(
        print_generic_op_form=generic, lossless=not generic, enable_debug_info=generic, use_local_scope=True
    )
    inserted.body.insert_asm(text)
    for edited in (cloned, inserted):
        # The text of an operation does not have the resources of the file.
        for key in list(edited.resources):
            edited.resources.remove(key)
    options = {"numbering": "canonical", "strip_locations": not generic}
    return [mlirbc.read(edited.write(**options), release=release) for edited in (cloned, inserted)]  # type: ignore[arg-type]


# Generic text has neither the orders of uses, nor which of two attributes with the same text is meant.
OTHER_BYTES = ("uses_", "test_dialect_properties", "types_floats_19")


@pytest.mark.parametrize("generic", [True, False], ids=["generic", "custom"])
@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(BYTECODE)))
def test_printed_operations_are_inserted_as_clones(path: Path, generic: bool) -> None:
    module = mlirbc.open(path)
    try:
        cloned, inserted = copies(module, generic)
    except mlirbc.UnsupportedError as error:
        assert error.identifier == "mlirbc.unsupported.property.opaque"
        pytest.skip(str(error))
    texts = [copy.operation.get_asm(print_generic_op_form=True) for copy in (cloned, inserted)]
    assert texts[0] == texts[1]
    if not path.name.startswith(OTHER_BYTES):
        assert cloned.write() == inserted.write()


noise = st.binary(max_size=64)
rows = st.sampled_from(sorted(row for row, _ in mlirbc._mlirbc._rows()))


@settings(deadline=None, max_examples=examples(300), suppress_health_check=list(HealthCheck))
@given(rows, noise)
def test_texts_are_inserted_as_they_are_parsed(row: str, noise: bytes) -> None:
    module = mlirbc.read(mlirbc._mlirbc._generate(row, noise))
    if module.release is None or module.release.nearest is None:
        return
    release, version = module.release.nearest, module.bytecode.version
    text = module.operation.get_asm(print_generic_op_form=True, enable_debug_info=True)
    inserted, cloned = (Module.create(release=release, version=version) for _ in range(2))
    try:
        parsed = mlirbc.parse(text, target=release, bytecode_version=version)
    except mlirbc.Error as error:
        # Noise makes names and attributes that have no text.
        with pytest.raises(mlirbc.Error) as caught:
            inserted.body.insert_asm(text)
        assert str(caught.value) == str(error)
        return
    try:
        cloned.clone(parsed.operation)
    except mlirbc.UnsupportedError:
        return
    inserted.body.insert_asm(text)
    texts = [
        mlirbc.read(edited.write(), release=release).operation.get_asm(print_generic_op_form=True)
        for edited in (cloned, inserted)
    ]
    assert texts[0] == texts[1]


CASES = {
    "arithmetic": (
        "  return %0 : i32\n}",
        "%1 = arith.muli %0, %arg0 : i32\n  %2 = arith.cmpi slt, %1, %0 : i32\n",
    ),
    "a loop": (
        "  return %0 : i32\n}",
        "%c0 = arith.constant 0 : index\n  %c8 = arith.constant 8 : index\n  %1 = scf.for %i = %c0 "
        "to %c8 step %c8 iter_args(%x = %0) -> (i32) {\n %2 = arith.addi %x, %arg0 : i32\n "
        "scf.yield %2 : i32\n }\n",
    ),
    "memory": (
        "  return %0 : i32\n}",
        "%m = memref.alloc() : memref<4xf32>\n memref.dealloc %m : memref<4xf32>\n",
    ),
    "generic form": ("  return %0 : i32\n}", '"t.op"(%0) {a = [1, 2]} : (i32) -> ()\n'),
}


@pytest.mark.parametrize("release", [16, 19, 22])
@pytest.mark.parametrize("name", sorted(CASES))
def test_the_module_is_that_of_the_whole_text(release: int, name: str) -> None:
    oracles.require(release)
    before, new = CASES[name]
    text = FUNCTION.replace("^next:\n", "").replace("  cf.br ^next\n", "").strip()
    assert text.endswith(before)
    edited, block = function(text, f"llvm-{release}")
    ip = InsertionPoint.before(block.operations[-1])
    block.insert_asm(new, ip, values={"0": block.operations[0].result})
    whole = text.removesuffix(before) + new + before
    flags = ["--allow-unregistered-dialect", "--emit-bytecode"]
    expected = mlirbc.read(
        oracles.checked(oracles.run_mlir_opt(release, flags, whole)), release=f"llvm-{release}"
    )
    edited_module = mlirbc.read(edited.write(), release=f"llvm-{release}")
    assert edited_module.write(numbering="canonical", strip_locations=True, producer="p") == expected.write(
        numbering="canonical", strip_locations=True, producer="p"
    )


def test_a_use_before_its_definition_has_the_place_in_the_text() -> None:
    edited, block = function()
    text = "%a = arith.addi %b, %b : i32\n%b = arith.constant 1 : i32"
    block.insert_asm(text, InsertionPoint.at_block_begin(block), file="patch.mlir")
    with pytest.raises(mlirbc.InvalidError) as raised:
        edited.write()
    assert raised.value.identifier == "mlirbc.invalid.ir"
    expected = "does not dominate this use; `arith.constant` in line 2 defines it, at patch.mlir:1:"
    assert expected in raised.value.message
