"""Symbols: which one a reference means, and renaming it with all its references, as `mlir-opt` sees it."""

import random
from collections.abc import Iterator
from pathlib import Path

import mlirbc
import mlirbc.edit
import pytest
from mlirbc import Attribute, FlatSymbolRefAttr, StringAttr

from support import jaxlib_oracle, oracles

ROOT = Path(__file__).parents[2]


def sent(text: str, version: int = 6) -> bytes:
    oracles.require(22)
    return oracles.checked(oracles.run_mlir_opt(22, oracles.emit_args(22, version), text))


def accepted(data: bytes) -> mlirbc.Module:
    """The module, after `mlir-opt` verified it with the uses of its symbols."""
    oracles.checked(oracles.run_mlir_opt(22, ["--allow-unregistered-dialect"], data))
    return mlirbc.read(data)


def walk(op: mlirbc.Operation) -> Iterator[mlirbc.Operation]:
    yield op
    for region in op.regions:
        for block in region.blocks:
            for inner in block.operations:
                yield from walk(inner)


def values(module: mlirbc.Module, op_name: str, attribute: str) -> list[str]:
    ops = (op for op in walk(module.operation) if op.name == op_name)
    return [str(op.attributes[attribute]) for op in ops if attribute in op.attributes]


def editable(root: mlirbc.edit.Operation) -> Iterator[mlirbc.edit.Operation]:
    yield root
    for region in root.regions:
        for block in region.blocks:
            for inner in block.operations:
                yield from editable(inner)


def named(edited: mlirbc.edit.Module, op_name: str) -> list[mlirbc.edit.Operation]:
    return [op for op in editable(edited.operation) if op.name == op_name]


def test_calls_follow_their_function() -> None:
    edited = mlirbc.open(ROOT / "examples/two_layers.mlirbc").edit()
    edited.rename_symbol("dense", "layer")
    edited.verify(symbols=True)
    oracles.require(22)
    module = accepted(edited.write())
    assert values(module, "func.call", "callee") == ["@layer", "@layer"]
    assert values(module, "func.func", "sym_name") == ['"layer"', '"main"']


NESTED = """
func.func private @f()
func.func @g() { call @f() : () -> () return }
module @inner {
  func.func private @f()
  func.func @h() { call @f() : () -> () return }
}
module @other {
  func.func private @f()
  func.func private @only()
  func.func @h() { call @f() : () -> () return }
}
module @last { func.func private @only() }
"t.use"() {ref = @f, nested = [@inner::@f, {x = @other::@f}], text = #t.x<@inner::@f, @f, "@f">} : () -> ()
"""


@pytest.mark.parametrize("version", [0, 1, 4, 5, 6])
def test_equal_names_in_other_symbol_tables_stay(version: int) -> None:
    data = sent(NESTED, version)
    edited = mlirbc.read(data).edit()
    edited.rename_symbol("f", "top")
    module = accepted(edited.write())
    assert values(module, "func.call", "callee") == ["@top", "@f", "@f"]
    use = next(op for op in walk(module.operation) if op.name == "t.use")
    assert str(use.attributes["ref"]) == "@top"
    assert str(use.attributes["nested"]) == "[@inner::@f, {x = @other::@f}]"
    assert str(use.attributes["text"]) == '#t.x<@inner::@f, @top, "@f">'

    edited = mlirbc.read(data).edit()
    edited.rename_symbol("f", "new", scope=edited.symbol("inner"))
    edited.rename_symbol("other::f", "newer")
    edited.rename_symbol("inner", "outer")
    edited.verify(symbols=True)
    module = accepted(edited.write())
    assert values(module, "func.call", "callee") == ["@f", "@new", "@newer"]
    use = next(op for op in walk(module.operation) if op.name == "t.use")
    assert str(use.attributes["ref"]) == "@f"
    assert str(use.attributes["nested"]) == "[@outer::@new, {x = @other::@newer}]"
    assert str(use.attributes["text"]) == '#t.x<@outer::@new, @f, "@f">'


def test_a_name_that_several_nested_tables_have_is_ambiguous() -> None:
    edited = mlirbc.read(sent(NESTED)).edit()
    for call in (lambda: edited.symbol("only"), lambda: edited.rename_symbol("only", "x")):
        with pytest.raises(mlirbc.InvalidError, match=r"@other > func\.func @only and by .*@last") as caught:
            call()
        assert caught.value.identifier == "mlirbc.invalid.ambiguous_symbol"
    assert not edited.is_changed
    nested_symbol = edited.symbol("@last::@only")
    assert nested_symbol is not None and nested_symbol == edited.symbol("only", edited.symbol("last"))
    assert nested_symbol.parent == edited.symbol("last")
    # Once the names differ, the nested one is found.
    edited.rename_symbol("last::only", "one")
    assert edited.symbol("one") == nested_symbol and edited.symbol("only") is not None
    assert edited.symbol("nowhere") is None and edited.symbol("inner::only") is None
    with pytest.raises(mlirbc.InvalidError, match="a symbol table"):
        edited.symbol("f", edited.symbol("g"))
    with pytest.raises(mlirbc.InvalidError, match="is already defined by"):
        edited.rename_symbol("f", "g")
    with pytest.raises(TypeError):
        edited.symbol("f", mlirbc.read(sent(NESTED)).edit().operation)


GPU = """
module attributes {gpu.container_module} {
  gpu.module @kernels { gpu.func @step() kernel { gpu.return } }
  func.func @step() {
    %c = arith.constant 1 : index
    gpu.launch_func @kernels::@step blocks in (%c, %c, %c) threads in (%c, %c, %c)
    return
  }
}
"""


def test_kernels_are_renamed_with_their_launches() -> None:
    data = sent(GPU)
    for renames, expected in (
        ([("kernels::step", "k")], "@kernels::@k"),
        ([("step", "host")], "@kernels::@step"),
        ([("kernels", "m")], "@m::@step"),
        ([("kernels", "m"), ("m::step", "k"), ("step", "k")], "@m::@k"),
    ):
        edited = mlirbc.read(data).edit()
        for old, new in renames:
            edited.rename_symbol(old, new)
        edited.verify(symbols=True)
        assert values(accepted(edited.write()), "gpu.launch_func", "kernel") == [expected]


def test_references_that_were_made_in_the_session_are_renamed() -> None:
    text = """
llvm.func @f()
llvm.mlir.global external constant @g() : !llvm.ptr {
  %0 = llvm.mlir.addressof @f : !llvm.ptr
  llvm.return %0 : !llvm.ptr
}
"t.type"() : () -> !t.ref<@f>
"t.attr"() : () -> ()
"""
    edited = mlirbc.read(sent(text)).edit()
    with mlirbc.edit.InsertionPoint.at_block_begin(edited.body):
        nested = {
            "list": Attribute.parse("[@f, {a = @f}, tuple<!t.ref<@f>>]"),
            "flat": FlatSymbolRefAttr.get("f"),
        }
        mlirbc.edit.Operation.create("t.made", [mlirbc.Type.parse("!t.ref<@f>")], attributes=nested)
    (attr,) = named(edited, "t.attr")
    attr.attributes["ref"] = FlatSymbolRefAttr.get("f")
    edited.rename_symbol("f", "new name")
    edited.verify(symbols=True)
    module = accepted(edited.write())
    new = '@"new name"'
    assert values(module, "llvm.mlir.addressof", "global_name") == [new]
    assert values(module, "t.attr", "ref") == values(module, "t.made", "flat") == [new]
    assert values(module, "t.made", "list") == [f"[{new}, {{a = {new}}}, tuple<!t.ref<{new}>>]"]
    types = [str(op.results[0].type) for op in walk(module.operation) if op.name in ("t.type", "t.made")]
    assert types == [f"!t.ref<{new}>"] * 2


def test_references_on_the_module_itself_are_renamed() -> None:
    edited = mlirbc.read(sent("module attributes {t.entry = @f} { func.func private @f() }")).edit()
    edited.rename_symbol("f", "g")
    edited.verify(symbols=True)
    assert str(accepted(edited.write()).operation.attributes["t.entry"]) == "@g"


ARTIFACT = """
func.func @main(%arg0: tensor<f32>) -> tensor<f32> {
  %0 = call @f(%arg0) : (tensor<f32>) -> tensor<f32>
  %1 = stablehlo.custom_call @f(%0) {called_computations = [@f, @g]} : (tensor<f32>) -> tensor<f32>
  %2 = stablehlo.composite "my.f" %1 {decomposition = @f, composite_attributes = {name = "f"}}
      : (tensor<f32>) -> tensor<f32>
  %3 = call @g(%2) : (tensor<f32>) -> tensor<f32>
  return %3 : tensor<f32>
}
func.func private @f(%arg0: tensor<f32>) -> tensor<f32> { return %arg0 : tensor<f32> }
func.func private @g(%arg0: tensor<f32>) -> tensor<f32> { return %arg0 : tensor<f32> }
"""


def test_strings_of_artifacts_are_symbols() -> None:
    """In VHLO names of functions are strings; equal strings that name nothing stay."""
    oracle = jaxlib_oracle.require()
    data = oracle.stablehlo.serialize_portable_artifact_str(ARTIFACT, "1.9.0")
    module = mlirbc.read(data)
    edited = module.edit()
    edited.verify(symbols=True)
    function = edited.symbol("f")
    assert function is not None and function.name == "vhlo.func_v1"
    edited.rename_symbol("f", "renamed")
    edited.verify(symbols=True)
    again = mlirbc.read(edited.write())
    string = '#vhlo.string_v1<"{}">'.format
    assert values(again, "vhlo.func_v1", "sym_name") == [string(name) for name in ("main", "renamed", "g")]
    assert values(again, "vhlo.call_v1", "callee") == [string("renamed"), string("g")]
    assert values(again, "vhlo.custom_call_v1", "called_computations") == [
        f"#vhlo.array_v1<[{string('renamed')}, {string('g')}]>"
    ]
    assert values(again, "vhlo.custom_call_v1", "call_target_name") == [string("f")]
    (composite,) = [op for op in walk(again.operation) if op.name.startswith("vhlo.composite")]
    assert str(composite.attributes["decomposition"]) == string("renamed")
    assert string("f") in str(composite.attributes["composite_attributes"])
    with oracle.context:
        text = str(oracle.stablehlo.deserialize_portable_artifact(oracle.context, again.write()))
    theirs = mlirbc.read(oracle.write(text))
    assert values(theirs, "func.call", "callee") == ["@renamed", "@g"]
    assert values(theirs, "stablehlo.custom_call", "called_computations") == ["[@renamed, @g]"]
    assert values(theirs, "stablehlo.composite", "decomposition") == ["@renamed"]

    edited = again.edit()
    edited.rename_symbol("renamed", "f")
    assert str(mlirbc.read(edited.write())) == str(module)
    for name in ("g", "main"):
        edited = module.edit()
        symbol = edited.symbol(name)
        assert symbol is not None
        symbol.erase()
        if name == "main":
            edited.verify(symbols=True)
        else:
            with pytest.raises(mlirbc.InvalidError, match="symbol `@g` is not defined"):
                edited.verify(symbols=True)


OPAQUE = (
    'func.func private @f()\nfunc.func @g() { "test.conversion_call_op"() {callee = @f} : () -> () return }\n'
)


def without_test(data: bytes) -> mlirbc.Module:
    return mlirbc.read(data, unknown_dialects=["test"])


def test_bytes_of_unknown_layout_are_followed_or_refused() -> None:
    """The properties of `test.conversion_call_op` are bytes without a layout if its dialect is unknown."""
    data = sent(OPAQUE)
    edited = without_test(data).edit()
    assert [op.name for op in editable(edited.operation) if op.property_state == "opaque"] == [
        "test.conversion_call_op"
    ]
    # All that has the reference means this symbol, so it is changed where it is.
    edited.rename_symbol("f", "new")
    out = edited.write()
    # Version 4 has the properties in the dictionary.
    theirs = mlirbc.read(oracles.checked(oracles.run_mlir_opt(22, oracles.emit_args(22, 4), out)))
    assert values(theirs, "test.conversion_call_op", "callee") == ["@new"]
    assert values(theirs, "func.func", "sym_name") == ['"new"', '"g"']
    # Where the same bytes also mean another symbol, no edit is right.
    edited = without_test(sent(OPAQUE + f"module @inner {{ {OPAQUE} }}")).edit()
    before = edited.write()
    with pytest.raises(mlirbc.UnsupportedError, match=r"may contain references to `@f`") as caught:
        edited.rename_symbol("f", "new")
    assert caught.value.path is not None and "test.conversion_call_op" in caught.value.path
    assert str(mlirbc.read(edited.write())) == str(mlirbc.read(before))
    # Other symbols of the same file are not affected.
    edited.rename_symbol("g", "free")
    assert accepted(edited.write())


@pytest.mark.parametrize("place", ["^bb0(%a: !t.ref<@f>):", '%a = "t.value"() : () -> !t.ref<@f>'])
def test_types_of_arguments_and_results_are_looked_at_before_a_change_in_place(place: str) -> None:
    """`!t.ref<@f>` inside of another symbol table means the symbol of that table."""
    inner = (
        f'module @inner {{ func.func private @f() "t.op"() ({{ {place} "t.end"() : () -> () }}) : () -> () }}'
    )
    edited = without_test(sent(OPAQUE + inner)).edit()
    with pytest.raises(mlirbc.UnsupportedError, match=r"may contain references to `@f`"):
        edited.rename_symbol("f", "new")
    # Where the table has no such symbol, the type means the one that is renamed.
    edited = without_test(sent(OPAQUE + f'"t.op"() ({{ {place} "t.end"() : () -> () }}) : () -> ()')).edit()
    edited.rename_symbol("f", "new")
    (op,) = (op for op in walk(accepted(edited.write()).operation) if op.name == "t.op")
    block = op.regions[0].blocks[0]
    values = [*block.arguments, *(value for inside in block.operations for value in inside.results)]
    assert [str(value.type) for value in values] == ["!t.ref<@new>"]


@pytest.mark.parametrize(
    ("text", "missing"),
    [
        ('"t.a"() {r = @nowhere} : () -> ()', "@nowhere"),
        ("module @m { func.func private @f() }\n" + '"t.a"() {r = [@m::@f, @m::@g]} : () -> ()', "@m::@g"),
        ("func.func private @f()\nmodule @m { " + '"t.a"() {r = @f} : () -> () }', "@f"),
        ("func.func private @f()\n" + '"t.a"() {r = @f::@f} : () -> ()', "@f::@f"),
        ("func.func private @f()\n" + '"t.a"() {r = #t.x<@f, @h>} : () -> ()', "@h"),
    ],
)
def test_references_to_nothing_are_found(text: str, missing: str) -> None:
    with pytest.raises(mlirbc.InvalidError, match=f"symbol `{missing}` is not defined") as caught:
        mlirbc.read(sent(text)).edit().verify(symbols=True)
    assert caught.value.path is not None and caught.value.path.endswith("t.a")


def test_two_symbols_of_one_name_are_found_as_mlir_finds_them() -> None:
    edited = mlirbc.read(sent("func.func private @f()\nfunc.func private @g()")).edit()
    edited.symbol("g").attributes["sym_name"] = StringAttr.get("f")  # type: ignore[union-attr]
    with pytest.raises(mlirbc.InvalidError, match="two symbols with the same name"):
        edited.verify(symbols=True)
    with pytest.raises(oracles.OracleError, match="redefinition of symbol named 'f'"):
        accepted(edited.write())


# ---- generated modules ----


def generated(choice: random.Random) -> str:
    """Nested modules with few names; every op that defines or refers has a number of its own."""
    numbers = iter(range(10**6))

    def path() -> str:
        return "::".join(f"@{choice.choice('abc')}" for _ in range(choice.choice((1, 1, 1, 2, 3))))

    def use() -> str:
        refs = [path() for _ in range(choice.randint(1, 3))]
        forms = [refs[0], f"[{', '.join(refs)}]", f"{{x = [{refs[0]}]}}", f"#t.x<{', '.join(refs)}>"]
        return f'"t.use"() {{t.number = {next(numbers)}, t.r = {choice.choice(forms)}}} : () -> ()\n'

    def body(depth: int) -> str:
        parts = [use() for _ in range(choice.randint(0, 3))]
        for name in choice.sample("abc", choice.randint(0, 3)):
            kind = choice.choice(("func", "module", "gpu.module", "unknown")) if depth < 3 else "func"
            number = f"t.number = {next(numbers)}"
            if kind == "func":
                parts.append(f"func.func @{name}() attributes {{{number}}} {{ {use()} func.return }}\n")
            elif kind == "unknown":
                parts.append(f'"t.op"() ({{ {use()} }}) {{sym_name = "{name}", {number}}} : () -> ()\n')
            else:
                kind = "builtin.module" if kind == "module" else kind
                parts.append(
                    f"{kind} @{name} attributes {{{number}, t.r = {path()}}} {{\n{body(depth + 1)}}}\n"
                )
        choice.shuffle(parts)
        return "".join(parts)

    return f"module attributes {{t.r = {path()}}} {{\n{body(0)}}}\n"


Names = tuple[str, ...]
# The numbers of the symbols that the names of a reference lead to, and the names that lead to nothing.
Meaning = tuple[tuple[int, ...], Names]


def references(attribute: Attribute) -> list[Names]:
    """The references of an attribute in the order of its text."""
    paths: list[list[str]] = []
    text = str(attribute)
    for part in text.replace("::@", "::").split("@")[1:]:
        end = next(
            (at for at, letter in enumerate(part) if not (letter.isalnum() or letter in "_:")), len(part)
        )
        paths.append(part[:end].split("::"))
    return [tuple(names) for names in paths]


TABLES = ("builtin.module", "gpu.module")


def meanings(module: mlirbc.Module) -> list[Meaning]:
    """For each reference of the file its target, by a second implementation of the rule."""
    all_meanings: list[Meaning] = []

    def number(op: mlirbc.Operation) -> int:
        return int(op.attributes["t.number"].value)  # type: ignore[attr-defined]

    def symbols(table: mlirbc.Operation) -> dict[str, mlirbc.Operation]:
        inside = table.regions[0].blocks[0].operations
        named = [(op, op.attributes["sym_name"]) for op in inside if "sym_name" in op.attributes]
        return {name.value: op for op, name in named}  # type: ignore[attr-defined]

    def lead(tables: list[mlirbc.Operation], names: Names) -> Meaning:
        table = next((table for table in tables if names[0] in symbols(table)), None)
        led: list[int] = []
        for at, name in enumerate(names):
            op = symbols(table).get(name) if table is not None and table.name in TABLES else None
            if op is None:
                return tuple(led), names[at:]
            led.append(number(op))
            table = op
        return tuple(led), ()

    def visit(op: mlirbc.Operation, around: mlirbc.Operation | None) -> None:
        is_table = op.name in TABLES
        tables = [table for table in (around, op if is_table else None) if table is not None]
        for names in references(op.attributes["t.r"]) if "t.r" in op.attributes else ():
            all_meanings.append(lead(tables, names))
        for region in op.regions:
            for block in region.blocks:
                for inner in block.operations:
                    visit(inner, op if is_table else around)

    visit(module.operation, None)
    return all_meanings


@pytest.mark.parametrize("seed", range(40))
def test_a_renamed_symbol_is_what_its_references_lead_to(seed: int) -> None:
    choice = random.Random(seed)
    data = sent(generated(choice), choice.choice((1, 3, 4, 5, 6)))
    module = mlirbc.read(data)
    before = meanings(module)
    for _ in range(4):
        edited = module.edit()
        tables = [op for op in editable(edited.operation) if op.name in TABLES]
        scoped = [
            (table, op)
            for table in tables
            for op in table.regions[0].blocks[0].operations
            if "sym_name" in op.attributes
        ]
        if not scoped:
            return
        table, op = choice.choice(scoped)
        old = op.attributes["sym_name"].value
        assert edited.symbol(old, table) == op
        edited.rename_symbol(old, "fresh", table)
        assert edited.symbol("fresh", table) == op and edited.symbol(old, table) is None
        out = edited.write()
        assert meanings(accepted(out)) == before
        again = mlirbc.read(out).edit()
        again.rename_symbol("fresh", old)
        assert str(mlirbc.read(again.write())) == str(module)
        edited.rename_symbol("fresh", old, table)
        assert str(mlirbc.read(edited.write())) == str(module)
