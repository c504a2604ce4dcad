"""Dialects that nobody here knows: what `mlir-opt`, which does not know them either, does with the same
bytes.

`mlir-minimal-opt` of 22 has no dialect but the builtin one; it stands for the receiver. `mlir-opt` stands
for the sender.
"""

import io
import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import mlirbc
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support import jaxlib_oracle, oracles
from support.assembler import Block, File, Op, Region, varints

ROOT = Path(__file__).resolve().parents[2]
DATA = ROOT / "tests/data"
FILES = sorted((DATA / "bytecode").rglob("*.mlirbc"))
SCHEME = ROOT / "examples/schemes/required_attributes.toml"
PRIVATE = "func.func private @f(i32) -> i32\n"
GENERIC = ["--mlir-print-op-generic"]
ALLOW = ["--allow-unregistered-dialect"]


def minimal_opt() -> Path:
    """The receiver that knows nothing but the builtin dialect."""
    binary = oracles.require(22).with_name("mlir-minimal-opt")
    if not binary.exists():
        if oracles.must_be_there():
            pytest.fail(f"no {binary}")
        pytest.skip(f"no {binary}")
    return binary


def receive(data: bytes, *args: str) -> oracles.Output:
    done = subprocess.run(
        [minimal_opt(), *args, "-"], input=data, capture_output=True, check=False, timeout=60
    )
    return oracles.Output(done.returncode, done.stdout, done.stderr.decode("utf-8", "replace"))


def sent(text: str, version: int = 6) -> bytes:
    oracles.require(22)
    return oracles.checked(oracles.run_mlir_opt(22, oracles.emit_args(22, version), text))


def dialects_of(module: mlirbc.Module) -> list[str]:
    return [dialect.name for dialect in module.dialects if dialect.name != "builtin"]


def first(module: mlirbc.Module) -> mlirbc.Operation:
    return module.body.operations[0]


def assert_kept(data: bytes, unknown: list[str]) -> mlirbc.Module:
    """Reads it without decoders, and gives the same bytes again, also through the editor."""
    module = mlirbc.read(data, unknown_dialects=unknown)
    for op in module.operations:
        op.walk(lambda inner: mlirbc.WalkResult.ADVANCE)
    assert module.write() == data
    assert module.edit().write() == data
    assert mlirbc.fallback.plan_write(module).mode == mlirbc.fallback.WriteMode.VERBATIM
    return module


# ---- the table of what happens today, row by row ----


def test_a_dialect_that_is_unknown_and_not_allowed() -> None:
    data = sent(PRIVATE)
    theirs = receive(data)
    assert theirs.status != 0
    assert "dialect 'func' is unknown" in theirs.stderr
    module = assert_kept(data, ["func"])
    assert first(module).property_state == "opaque"
    findings = mlirbc.fallback.compatibility(module, {"builtin.module"}).findings
    assert {row.strict_outcome for row in findings if row.kind in ("op", "dialect")} == {"refused"}


def test_properties_are_not_taken_for_an_attribute() -> None:
    data = sent(PRIVATE)
    theirs = receive(data, *ALLOW, *GENERIC)
    assert theirs.status == 0
    # A name of a file as the properties of a function.
    assert b'"func.func"() <"<stdin>">' in theirs.stdout
    module = assert_kept(data, ["func"])
    op = first(module)
    assert (op.property_state, op.is_registered, op.is_opaque) == ("opaque", True, True)
    assert op.properties.opaque == op.property_blob
    assert "sym_name" not in op.attributes
    (finding,) = (
        row for row in mlirbc.fallback.compatibility(module, {"builtin.module"}).findings if row.kind == "op"
    )
    assert (finding.name, finding.outcome) == ("func.func", "misread")
    # Whoever knows the function reads it as it is.
    assert first(mlirbc.read(data)).attributes["sym_name"].value == "f"


def test_a_number_that_is_out_of_range() -> None:
    data = sent("func.func @f() { %0 = memref.alloc() {alignment = 64 : i64} : memref<4xi8>\n return }\n")
    theirs = receive(data, *ALLOW)
    assert theirs.status != 0
    assert "invalid Attribute index" in theirs.stderr
    module = assert_kept(data, ["func", "memref"])
    report = mlirbc.fallback.compatibility(module, {"builtin.module"})
    outcomes = {row.name: row.outcome for row in report.findings if row.kind == "op"}
    assert outcomes["memref.alloc"] == "refused"


def test_what_was_misread_is_written_as_something_else() -> None:
    data = sent(PRIVATE)
    theirs = receive(data, *ALLOW, "--emit-bytecode")
    assert theirs.status == 0
    assert theirs.stdout != data
    back = oracles.run_mlir_opt(22, GENERIC, theirs.stdout)
    assert back.status != 0
    ours = assert_kept(data, ["func"]).write()
    text = oracles.checked(oracles.run_mlir_opt(22, GENERIC, ours))
    assert b'sym_name = "f"' in text


def test_a_version_without_a_reader() -> None:
    data = sent('"test.versionedB"() <{attribute = #test.attr_params<42, 24>}> : () -> ()\n')
    theirs = receive(data, *ALLOW)
    assert theirs.status != 0
    assert "does not implement" in theirs.stderr
    assert "version" in theirs.stderr or "interface" in theirs.stderr
    module = assert_kept(data, ["test"])
    assert mlirbc.versions.dialect_version(module, "test") == mlirbc.versions.OpaqueVersion(b"\x05\x01")
    kinds = {
        row.kind: row.outcome for row in mlirbc.fallback.compatibility(module, {"builtin.module"}).findings
    }
    assert kinds["dialect version"] == "refused"


@pytest.mark.parametrize("version", range(5))
def test_below_version_5_properties_are_in_the_dictionary(version: int) -> None:
    data = sent(PRIVATE, version)
    theirs = oracles.checked(receive(data, *ALLOW, *GENERIC))
    assert b'sym_name = "f"' in theirs
    op = first(assert_kept(data, ["func"]))
    assert (op.property_state, op.is_registered) == ("merged", None)
    assert op.attributes["sym_name"].value == "f"


def test_an_op_that_was_not_known_to_its_writer() -> None:
    text = '"builtin.module"() ({ "func.func"() <{sym_name = "f"}> ({}) : () -> () }) : () -> ()\n'
    data = oracles.checked(receive(text.encode(), *ALLOW, "--emit-bytecode"))
    # Fine where it is not known either, and where we read it.
    assert b'<{sym_name = "f"}>' in oracles.checked(receive(data, *ALLOW, *GENERIC))
    op = first(assert_kept(data, ["func"]))
    assert (op.property_state, op.is_registered) == ("attribute", False)
    # Knowing the op now does not make its properties what its definition writes.
    op = first(mlirbc.read(data))
    assert op.property_state == "attribute"
    assert op.attributes["sym_name"].value == "f"


def test_an_op_that_only_the_receiver_knows() -> None:
    text = '"builtin.module"() ({ "func.func"() <{sym_name = "f"}> ({}) : () -> () }) : () -> ()\n'
    data = oracles.checked(receive(text.encode(), *ALLOW, "--emit-bytecode"))
    theirs = oracles.run_mlir_opt(22, [*ALLOW, *GENERIC], data)
    assert theirs.status != 0  # its reader of properties ran over the number of one attribute
    module = mlirbc.read(data)
    assert module.write() == data
    (finding,) = mlirbc.fallback.compatibility(module, "llvm-22").findings
    assert (finding.kind, finding.name, finding.outcome) == ("properties", "func.func", "refused")


def test_the_bit_counts_for_each_name_in_the_table_and_not_for_the_name() -> None:
    """One file has an op twice: as its writer knew it, and as another writer did not."""
    file = File(producer=b"x")
    module = file.op_name("builtin.module", registered=True)
    known, unknown = file.op_name("t.op", registered=True), file.op_name("t.op")
    file.attribute(varints(15))
    blobs = [file.property(b"\x01\x01"), file.property(b"\x55\xaa"), file.property(varints(0))]
    body = [Op(known, properties=blobs[1]), Op(unknown, properties=blobs[2]), Op(known)]
    file.top.append(Op(module, properties=blobs[0], regions=[Region([Block(body)])], isolated=True))
    data = file.encode().data
    read = assert_kept(data, [])
    assert [op.property_state for op in read.body.operations] == ["opaque", "attribute", "none"]
    (row,) = mlirbc.fallback.opaque(read)
    assert (row.name, row.count) == ("t.op", 1)


# ---- exact return ----


@pytest.mark.parametrize("decoders", ["on", "off"])
def test_every_kept_file_returns_as_it_is(decoders: str) -> None:
    for path in FILES:
        data = path.read_bytes()
        unknown = [] if decoders == "on" else dialects_of(mlirbc.read(data))
        module = mlirbc.read(data, unknown_dialects=unknown)
        for op in module.operations:
            op.walk(lambda inner: mlirbc.WalkResult.ADVANCE)
        assert module.write() == data, path
        assert module.edit().write(numbering="strictest") == data, path
    assert len(FILES) > 500


@pytest.mark.parametrize("decoders", ["on", "off"])
@pytest.mark.parametrize("module", sorted(path.stem for path in (DATA / "stablehlo").glob("*.mlir")))
def test_what_jaxlib_and_stablehlo_write_returns_as_it_is(module: str, decoders: str) -> None:
    oracle = jaxlib_oracle.require()
    lines = (DATA / f"stablehlo/{module}.mlir").read_text("utf-8").splitlines(keepends=True)
    text = "".join(line for line in lines if "!shape.witness" not in line)
    with oracle.context:
        try:
            parsed = oracle.ir.Module.parse(text)
        except oracle.ir.MLIRError:
            pytest.skip("made for artifacts only")
        native = io.BytesIO()
        parsed.operation.write_bytecode(native)
        files = [native.getvalue()]
        try:
            newest = oracle.stablehlo.get_current_version()
            files.append(oracle.stablehlo.serialize_portable_artifact(parsed, newest))
        except Exception:  # what has no place in an artifact
            pass
    for data in files:
        assert_kept(data, [] if decoders == "off" else dialects_of(mlirbc.read(data)))


IREE = """
import pathlib, sys
from iree.compiler import ir

context = ir.Context()
context.allow_unregistered_dialects = True
for number, path in enumerate(sys.argv[2:]):
    with context:
        try:
            module = ir.Module.parse(pathlib.Path(path).read_text("utf-8"))
        except ir.MLIRError:
            continue
        with open(f"{sys.argv[1]}/{number}.mlirbc", "wb") as file:
            module.operation.write_bytecode(file)
"""


def test_what_iree_writes_returns_as_it_is(tmp_path: Path) -> None:
    python = os.environ.get("MLIRBC_IREE_PYTHON")
    if python is None:
        pytest.skip("MLIRBC_IREE_PYTHON names no interpreter that has iree-base-compiler")
    texts = [*sorted((DATA / "mlir").glob("*.mlir")), *sorted((DATA / "stablehlo").glob("*.mlir"))]
    command = [python, "-c", IREE, str(tmp_path), *map(str, texts)]
    subprocess.run(command, check=True, capture_output=True, timeout=300)
    files = sorted(tmp_path.glob("*.mlirbc"))
    assert len(files) > 20
    for path in files:
        data = path.read_bytes()
        assert_kept(data, [])
        assert_kept(data, dialects_of(mlirbc.read(data)))


# ---- edits around what is not known ----


def test_an_edit_next_to_opaque_stablehlo_is_all_that_jaxlib_sees() -> None:
    oracle = jaxlib_oracle.require()
    folder = DATA / "stablehlo"
    seen = 0
    for path in sorted(folder.glob("*.mlir")):
        text = "".join(
            line for line in path.read_text("utf-8").splitlines(keepends=True) if "!shape.witness" not in line
        )
        try:
            data = oracle.write(text)
        except oracle.ir.MLIRError:
            continue
        module = mlirbc.read(data, unknown_dialects=["stablehlo", "chlo", "vhlo"])
        functions = [op for op in module.body.operations if op.name == "func.func"]
        edited = module.edit()
        for op in functions:
            edited[op].attributes["test.mark"] = mlirbc.StringAttr.get("edited here")
        plan = mlirbc.fallback.plan_write(edited, numbering="strictest")
        if not functions or not plan.opaque:
            continue
        assert plan.mode == mlirbc.fallback.WriteMode.APPEND_ONLY
        back = edited.write(numbering="strictest")
        before, after = oracle.print(data).decode(), oracle.print(back).decode()
        mark = 'test.mark = "edited here"'
        assert after.count(mark) == len(functions)
        undone = after.replace(f", {mark}", "").replace(f"{mark}, ", "").replace(f" {{{mark}}}", "")
        assert undone == before, path.stem
        seen += 1
    assert seen >= 10


def test_what_is_opaque_does_not_go_into_another_file() -> None:
    file = toy_file(nested=True)
    module = mlirbc.read(file)
    unreadable = module.attributes[4]
    other = mlirbc.open(ROOT / "examples/two_layers.mlirbc").edit()
    with pytest.raises(mlirbc.Error, match="parts"):
        other.operation.attributes["test.x"] = unreadable
    assert not other.is_changed
    # A scheme that decodes it lets it go.
    decoded = mlirbc.read(file, dialects=[mlirbc.dialects.table(SCHEME)]).attributes[4]
    other.operation.attributes["test.x"] = decoded
    back = mlirbc.read(other.write(), dialects=[mlirbc.dialects.table(SCHEME)])
    assert str(back.operation.attributes["test.x"]) == str(decoded)


# ---- the example of the proposal ----


def toy_file(*, nested: bool, shift: int = 0, version: int = 3) -> bytes:
    """An op of a made-up dialect as its own writer would write it: a version, then the attributes it must
    have.

    With `nested`, attributes are of kinds that no reader knows, one in the other; with `shift` unused
    entries come first,
    so that every number is another one.
    """
    file = File(producer=b"toy")
    module, op = file.op_name("builtin.module", registered=True), file.op_name("toy.op", registered=True)
    for number in range(shift):
        file.attribute(varints(2, file.string(f"unused {number}")))
    location = file.attribute(varints(15))
    text = file.attribute(varints(2, file.string("text")))
    array = file.attribute(varints(0, 1, text))
    if nested:
        inner = file.attribute(varints(7, 1, text), dialect="toy")
        outer = file.attribute(varints(9, 3, inner, text, array), dialect="toy")
        required = [outer, text]
    else:
        file.attribute(varints(1, 0))
        required = [text]
    blobs = [file.property(b"\x01\x01"), file.property(varints(version, len(required), *required))]
    body = [Op(op, location=location, properties=blobs[1])]
    inner_region = Region([Block(body)])
    file.top.append(Op(module, location=location, properties=blobs[0], regions=[inner_region], isolated=True))
    return file.encode().data


@pytest.mark.parametrize("nested", [False, True])
def test_the_example_of_the_proposal(nested: bool) -> None:
    data = toy_file(nested=nested, shift=5)
    # Without a scheme: kept, and nothing else.
    module = assert_kept(data, [])
    assert first(module).property_state == "opaque"
    assert mlirbc.fallback.plan_write(module).after_an_edit == mlirbc.fallback.WriteMode.APPEND_ONLY
    with pytest.raises(mlirbc.UnsupportedError):
        module.write(numbering="canonical")
    # With it: decoded, and renumbered when asked for.
    table = mlirbc.dialects.table(SCHEME)
    module = mlirbc.read(data, dialects=[table])
    op = first(module)
    assert op.property_state == "decoded"
    assert op.properties["version"] == 3
    required = op.properties["required"]
    assert str(required[-1]) == '"text"'
    if nested:
        assert (
            str(required[0]) == '#toy.fallback_attr<9, [#toy.fallback_attr<7, ["text"]>, "text", ["text"]]>'
        )
    plan = mlirbc.fallback.plan_write(module)
    assert (plan.after_an_edit, plan.opaque) == (mlirbc.fallback.WriteMode.RENUMBER, ())
    assert module.write() == data
    renumbered = mlirbc.read(module.write(numbering="canonical"), dialects=[table])
    assert [str(value) for value in first(renumbered).properties["required"]] == [
        str(value) for value in required
    ]
    assert len(renumbered.attributes) == len(module.attributes) - 5 - (0 if nested else 2)
    # Upstream, which knows no scheme either, accepts what was renumbered as far as it can read it at all.
    if not nested:
        theirs = receive(renumbered.write(), *ALLOW, *GENERIC)
        assert theirs.status == 0 or "invalid Attribute index" in theirs.stderr


def test_a_stand_in_has_the_original_name_and_returns_it() -> None:
    data = toy_file(nested=True)
    module = mlirbc.read(data, dialects=[mlirbc.dialects.table(SCHEME)])
    (stand_in,) = mlirbc.fallback.StandIns(module, unknown="replace", known={"builtin.module"})
    assert (stand_in.name, stand_in.original_name, stand_in.is_registered) == ("toy.fallback", "toy.op", True)
    assert stand_in.properties["version"] == 3
    edited = module.edit()
    edited[stand_in.operation].attributes["toy.note"] = mlirbc.UnitAttr.get()
    back = mlirbc.read(edited.write(), dialects=[mlirbc.dialects.table(SCHEME)])
    op = first(back)
    assert (op.name, op.is_registered, op.properties["version"]) == ("toy.op", True, 3)
    assert op.property_blob == stand_in.operation.property_blob


def test_a_stand_in_that_cannot_hold_an_op_leaves_the_file_whole() -> None:
    data = toy_file(nested=True)
    short = {"dialect": "toy", "fallback": "toy.fallback", "op": [{"fields": ["version: varint"]}]}
    module = mlirbc.read(data, dialects=[mlirbc.dialects.table(short)])
    with pytest.raises(mlirbc.UnsupportedError, match=r"toy\.op .*block 0, op 0 \(toy\.op\).*0x"):
        mlirbc.fallback.StandIns(module, unknown="replace", known={"builtin.module"})
    with pytest.raises(mlirbc.UnsupportedError, match="has no definition"):
        mlirbc.fallback.StandIns(module, unknown="fail", known={"builtin.module"})
    assert len(mlirbc.fallback.StandIns(module, known={"builtin.module"}).kept) == 1
    (row,) = (row for row in mlirbc.fallback.opaque(module) if row.kind == "properties")
    assert "the end of the entry" in row.reason
    assert module.write() == data


@pytest.mark.parametrize("version", range(7))
def test_unknown_ops_are_found_in_every_version(version: int) -> None:
    oracles.require(22)
    text = (
        '"builtin.module"() ({\n"toy.plain"() : () -> ()\n"toy.more"() {a = 1 : i8} : () -> ()\n}) : () -> ()'
    )
    args = [*ALLOW, "--emit-bytecode", f"--emit-bytecode-version={version}"]
    module = mlirbc.read(oracles.checked(oracles.run_mlir_opt(22, args, text)))
    stand_ins = mlirbc.fallback.StandIns(module)
    assert [op.name for op in stand_ins.kept] == ["toy.plain", "toy.more"]
    with pytest.raises(mlirbc.UnsupportedError, match=r"toy\.plain has no definition"):
        mlirbc.fallback.StandIns(module, unknown="fail")


def test_ops_of_the_release_are_known() -> None:
    module = mlirbc.open(ROOT / "examples" / "two_layers.mlirbc")
    assert not mlirbc.fallback.StandIns(module, unknown="fail").kept
    older = mlirbc.open(ROOT / "tests" / "data" / "bytecode" / "llvm-16" / "v0" / "cfg.mlirbc")
    assert {op.name.partition(".")[0] for op in mlirbc.fallback.StandIns(older).kept} == {"t"}


WRONG: dict[str, list[str]] = {
    "too short": ["version: varint"],
    "too long": ["version: varint", "required: list(attribute)", "more: varint"],
    "out of range": ["version: attribute", "rest: rest"],
    "not the same bytes": ["version: bool", "required: list(attribute)"],
    "no such kind": ["kind: switch(0: attribute | 1: type)", "rest: rest"],
}


@pytest.mark.parametrize("wrong", WRONG)
def test_a_scheme_that_does_not_fit_leaves_the_value_opaque(wrong: str) -> None:
    data = toy_file(nested=False, version=40 if wrong == "out of range" else 3)
    table = mlirbc.dialects.table({"dialect": "toy", "op": [{"fields": WRONG[wrong]}]})
    module = mlirbc.read(data, dialects=[table])
    assert first(module).property_state == "opaque"
    (row,) = mlirbc.fallback.opaque(module)
    assert row.reason
    assert row.offset > 0
    assert module.write() == data


def test_a_scheme_that_contradicts_itself_is_refused_with_its_line() -> None:
    with pytest.raises(mlirbc.InvalidError, match=r"takes the rest in line 3"):
        mlirbc.dialects.table({"dialect": "toy", "op": [{"fields": ["a: rest", "b: varint"]}]})


# ---- the exchange, with real MLIR on the other side ----


def test_sent_changed_without_knowing_sent_back_and_read() -> None:
    """The sender knows `func`; the receiver changes the module around it, and the sender reads what comes
    back."""
    text = """
      func.func @f(%a: i32) -> i32 {
        %0 = arith.addi %a, %a : i32
        return %0 : i32
      }
    """
    data = sent(text)
    module = mlirbc.read(data, unknown_dialects=["func", "arith"])
    edited = module.edit()
    edited.operation.attributes["sender.answer"] = mlirbc.StringAttr.get("I can take `func.func`")
    function = edited.body.operations[0]
    function.attributes["receiver.seen"] = mlirbc.UnitAttr.get()
    add = function.regions[0].blocks[0].operations[0]
    add.clone(mlirbc.edit.InsertionPoint.after(add))
    back = edited.write()
    before = oracles.checked(oracles.run_mlir_opt(22, GENERIC, data)).decode().splitlines()
    after = oracles.checked(oracles.run_mlir_opt(22, GENERIC, back)).decode().splitlines()
    added = [line.strip() for line in after if line not in before]
    assert len(after) == len(before) + 1
    assert any("arith.addi" in line and "%1" in line for line in added)
    assert any("receiver.seen" in line for line in added)
    assert any("sender.answer" in line for line in added)
    assert len(added) == 3


# ---- versions ----

VERSIONED = """
"test.versionedB"() <{attribute = #test.attr_params<42, 24>}> : () -> ()
"test.versionedA"() <{dims = 123 : i64, modifier = false}> : () -> ()
"""


def test_dialect_of_an_older_version_is_upgraded_by_its_own_readers() -> None:
    """At 1.2 the numbers of the attribute are in the other order; `mlir-opt` swaps them when it reads."""
    data = sent('"test.versionedB"() <{attribute = #test.attr_params<42, 24>}> : () -> ()\n')
    module = mlirbc.read(data)
    assert mlirbc.versions.dialect_versions(module) == {"test": (2, 0)}
    edited = module.edit()
    # The properties of `test.versionedB` are one attribute in every version.
    assert mlirbc.versions.set_dialect_version(edited, "test", (1, 2), keep_opaque=True)
    old = edited.write()
    attribute = next(a for a in mlirbc.read(old).attributes if str(a).startswith("#test"))
    assert (str(attribute), attribute.payload[-2:]) == ("#test.attr_params<42, 24>", varints(24, 42))
    assert oracles.checked(oracles.run_mlir_opt(22, [], old)) == oracles.checked(
        oracles.run_mlir_opt(22, [], data)
    )
    # The version alone, without the other encoding, is read as something else.
    edited = mlirbc.read(data, dialects=[{"dialect": "test"}]).edit()
    with pytest.raises(mlirbc.UnsupportedError, match=r"test\.versionedB, and 1 more"):
        mlirbc.versions.set_dialect_version(edited, "test", b"\x03\x05")
    assert not edited.is_changed
    mlirbc.versions.set_dialect_version(edited, "test", b"\x03\x05", keep_opaque=True)
    assert b"<24, 42>" in oracles.checked(oracles.run_mlir_opt(22, [], edited.write()))


def params(module: mlirbc.Module) -> mlirbc.Attribute:
    return next(a for a in module.attributes if str(a).startswith("#test"))


def test_an_attribute_goes_between_modules_of_different_versions() -> None:
    """What is laid out by the version of its module gets the layout of the one that it goes to."""
    op = '"t.op"() {{t.x = #test.attr_params<{}>}} : () -> ()'.format
    new, holder = sent(op("42, 24")), sent(op("7, 9"))

    def older(data: bytes) -> bytes:
        edited = mlirbc.read(data).edit()
        assert mlirbc.versions.downgrade(edited, {"test": (1, 2)}, []) == []
        return edited.write()

    old = older(new)
    for source, target, version in ((old, holder, (2, 0)), (new, older(holder), (1, 2))):
        module = mlirbc.read(target)
        assert mlirbc.versions.dialect_versions(module) == {"test": version}
        edited = module.edit()
        nested = mlirbc.ArrayAttr.get([params(mlirbc.read(source))])
        edited_op = edited.body.operations[0]
        edited_op.attributes["t.copied"] = params(mlirbc.read(source))
        edited_op.attributes["t.nested"] = nested
        # From the editor it goes on to another one.
        other = mlirbc.read(new).edit()
        other.body.operations[0].attributes["t.again"] = edited_op.attributes["t.copied"]
        expected = "#test.attr_params<42, 24>"
        assert str(first(mlirbc.read(other.write())).attributes["t.again"]) == expected
        out = edited.write()
        assert mlirbc.versions.dialect_versions(mlirbc.read(out)) == {"test": version}
        attributes = first(mlirbc.read(out)).attributes
        assert (str(attributes["t.copied"]), str(attributes["t.nested"])) == (expected, f"[{expected}]")
        flags = ["--mlir-print-op-generic", "--allow-unregistered-dialect"]
        printed = oracles.checked(oracles.run_mlir_opt(22, flags, out))
        assert b"t.copied = #test.attr_params<42, 24>, t.nested = [#test.attr_params<42, 24>]" in printed


def test_a_version_that_is_too_new_is_refused_or_passes() -> None:
    data = sent(VERSIONED)
    edited = mlirbc.read(data).edit()
    mlirbc.versions.set_dialect_version(edited, "test", (2, 2), keep_opaque=True)
    new = edited.write()
    theirs = oracles.run_mlir_opt(22, [], new)
    assert theirs.status != 0
    module = mlirbc.read(new)
    assert mlirbc.versions.dialect_version(module, "test") == (2, 2)  # to us it is data

    def refuse(data: bytes) -> tuple[int, int]:
        version = data[0] >> 1, data[1] >> 1
        if version > (2, 0):
            raise ValueError(f"can't read version {version}")
        return version

    codec = mlirbc.versions.DialectCodec("test", read_version=refuse)
    with pytest.raises(ValueError, match="can't read"):
        mlirbc.versions.dialect_versions(module, [codec])
    with pytest.raises(mlirbc.UnsupportedError, match="no reader"):
        mlirbc.versions.upgrade(module.edit(), module, [], unknown="refuse")
    assert module.write() == new


def downgrade_modifier(root: mlirbc.edit.Operation, version: tuple[int, int]) -> list[str]:
    """As the caller of the test dialect's pass does: what cannot be said before 2.0 is refused."""
    problems = []
    for region in root.regions:
        for block in region.blocks:
            for op in block.operations:
                if op.name == "test.versionedA" and version < (2, 0) and op.attributes["modifier"].value:
                    problems.append("modifier is true, which versions before 2.0 cannot hold")
    return problems


def test_downgrade_is_the_callers_and_names_what_would_be_lost() -> None:
    names: dict[str, Callable[..., list[str]]] = {"downgrade": downgrade_modifier}
    codec = mlirbc.versions.DialectCodec("test", **names)
    for modifier, expected in (("true", 1), ("false", 0)):
        # Below version 5 the properties are in the dictionary, where everybody can see them.
        data = sent(VERSIONED.replace("modifier = false", f"modifier = {modifier}"), version=4)
        edited = mlirbc.read(data).edit()
        problems = mlirbc.versions.downgrade(edited, {"test": (1, 2)}, [codec])
        assert len(problems) == expected
        assert edited.is_changed == (not problems)


def test_properties_of_unknown_layout_keep_their_version() -> None:
    """`modifier` is left out before 2.0, and its reader then takes it for false."""
    data = sent('"test.versionedA"() <{dims = 123 : i64, modifier = true}> : () -> ()\n' * 2)
    edited = mlirbc.read(data).edit()
    problems = mlirbc.versions.downgrade(edited, {"test": (1, 2)}, [])
    assert problems == [
        "properties of 2 test.versionedA, the first at builtin.module > test.versionedA: "
        "their layout is unknown and may depend on the version"
    ]
    with pytest.raises(mlirbc.UnsupportedError, match="depend on the version of test") as caught:
        mlirbc.versions.set_dialect_version(edited, "test", (1, 2))
    assert caught.value.identifier == "mlirbc.unsupported.property.opaque"
    assert not edited.is_changed and edited.write() == data
    # The same version is no change.
    assert mlirbc.versions.downgrade(edited, {"test": (2, 0)}, []) == []
    # With properties of the other version, as their owner lays them out, nothing is lost.
    for op in edited.body.operations:
        op.property_blob = op.property_blob
    assert mlirbc.versions.downgrade(edited, {"test": (1, 2)}, []) == []
    edited = mlirbc.read(data).edit()
    assert mlirbc.versions.downgrade(edited, {"test": (1, 2)}, [], keep_opaque=True) == []
    printed = oracles.run_mlir_opt(22, ["--mlir-print-op-generic"], edited.write())
    assert b"modifier = true" not in printed.stdout


def test_upgrades_run_in_file_order_on_the_module_or_on_a_body_that_is_loaded_later() -> None:
    data = sent("func.func @f() { return }\nfunc.func @g() { return }\n")
    edited = mlirbc.read(data).edit()
    mlirbc.versions.set_dialect_version(edited, "func", (1,))
    mlirbc.versions.set_dialect_version(edited, "builtin", (7,))
    module = mlirbc.read(edited.write())
    calls: list[tuple[str, str, object]] = []

    def codec(name: str) -> mlirbc.versions.DialectCodec:
        return mlirbc.versions.DialectCodec(
            name, upgrade=lambda root, version: calls.append((name, root.name, version))
        )

    codecs = [codec("func"), codec("builtin")]
    versions = mlirbc.versions.upgrade(module.edit(), module, codecs)
    assert list(versions) == ["builtin", "func"]
    assert calls == [("builtin", "builtin.module", (7,)), ("func", "builtin.module", (1,))]
    calls.clear()
    reader = mlirbc.lazy.LazyReader(module, codecs=codecs)
    reader.read_top_level()
    assert calls == []
    reader.materialize(reader.pending[0])
    reader.materialize(reader.pending[1])
    assert [(name, root) for name, root, _ in calls] == [
        ("builtin", "builtin.module"),
        ("func", "builtin.module"),
        ("builtin", "func.func"),
        ("func", "func.func"),
    ]


FUNKY = {
    "dialect": "funky",
    "attribute": [{"code": 0, "name": "PairAttr", "fields": ["first: varint", "second: varint"]}],
    "type": [{"code": 999, "name": "WordType", "mnemonic": "word", "fields": []}],
}


def test_other_encodings_in_a_group_of_a_dialect_that_does_not_exist() -> None:
    """As kind 0 of `-test-bytecode-roundtrip` does it: a type in a group that no dialect exists for, and
    back."""
    data = sent("func.func private @f(i32, tensor<4xi32>) -> i64\n")
    mlirbc.dialects.register(FUNKY)
    word, i32 = mlirbc.Type.parse("i1"), mlirbc.IntegerType.get_signless(32)
    from mlirbc._mlirbc import _build_type

    word = _build_type("funky", "WordType", [])
    edited = mlirbc.read(data).edit()
    calls: list[mlirbc.Type] = []

    def write_hook(type: mlirbc.Type) -> mlirbc.Type | None:
        calls.append(type)
        return word if type == i32 else None

    assert mlirbc.versions.override_types(edited, write_hook) == 1
    assert len(calls) == len(set(map(str, calls)))  # once for each
    other = edited.write()
    assert "funky" in dialects_of(mlirbc.read(other))
    theirs = oracles.run_mlir_opt(22, ALLOW, other)
    assert theirs.status != 0  # nobody else reads the group
    edited = mlirbc.read(other).edit()
    assert mlirbc.versions.override_types(edited, lambda type: i32 if type == word else None) == 1
    back = edited.write()
    printed = oracles.checked(oracles.run_mlir_opt(22, GENERIC, back))
    assert printed == oracles.checked(oracles.run_mlir_opt(22, GENERIC, data))
    # A hook that raises ends it, and nothing is changed.

    def raises(type: mlirbc.Type) -> mlirbc.Type:
        raise RuntimeError("refused")

    edited = mlirbc.read(data).edit()
    with pytest.raises(RuntimeError, match="refused"):
        mlirbc.versions.override_types(edited, raises)
    assert not edited.is_changed


@pytest.mark.parametrize("version", ["1.2", "2.0"])
def test_the_round_trip_pass_of_the_test_dialect_agrees(version: str) -> None:
    """The pass writes and reads with that version in one process; we go through a file of that version."""
    text = '"test.versionedB"() <{attribute = #test.attr_params<42, 24>}> : () -> ()\n'
    kind = f"-test-bytecode-roundtrip=test-dialect-version={version}"
    passed = oracles.checked(oracles.run_mlir_opt(22, [kind], text))
    edited = mlirbc.read(sent(text)).edit()
    numbers = tuple(int(part) for part in version.split("."))
    mlirbc.versions.set_dialect_version(edited, "test", numbers, keep_opaque=True)
    ours = oracles.checked(oracles.run_mlir_opt(22, [], edited.write()))
    assert ours.strip() in passed


# ---- lazy loading ----


def test_nothing_is_loaded_or_lost_without_a_word() -> None:
    data = sent(
        "func.func @f() { return }\nmodule @m { func.func @g() { return } }\nfunc.func @h() { return }\n"
    )
    reader = mlirbc.lazy.LazyReader(mlirbc.read(data))
    top = reader.read_top_level()
    assert [op.name for op in reader.pending] == ["builtin.module"]
    assert reader.is_pending(top)
    reader.materialize(top)
    names = [op.attributes["sym_name"].value for op in reader.pending]
    assert names == ["f", "m", "h"]
    reader.materialize(reader.pending[1])
    assert [op.attributes["sym_name"].value for op in reader.pending] == ["f", "g", "h"]
    edited = reader.finalize(lambda op: op.attributes["sym_name"].value != "h")
    assert reader.pending == []
    printed = oracles.checked(oracles.run_mlir_opt(22, [], edited.write())).decode()
    assert "@f" in printed
    assert "@g" in printed
    assert "@h" not in printed
    with pytest.raises(TypeError):
        reader.finalize()  # type: ignore[call-arg]
    with pytest.raises(ValueError, match="not pending"):
        reader.materialize(top)


def test_files_without_sections_have_nothing_pending() -> None:
    reader = mlirbc.lazy.LazyReader(mlirbc.read(sent("func.func @f() { return }\n", version=1)))
    reader.read_top_level()
    assert reader.pending == []


# ---- what would they lose: what the tools then do ----


def of_22() -> list[str]:
    """Whether blobs of a larger alignment can be read depends on where the tool's buffer happens to lie."""
    names = [path.stem for path in sorted((DATA / "bytecode/llvm-22/v6").glob("*.mlirbc"))]
    return [name for name in names if not name.startswith("resources_aligned_") or name.endswith("_16")]


@pytest.mark.parametrize("name", of_22())
def test_what_19_makes_of_a_file_of_22_is_as_foretold(name: str) -> None:
    oracles.require(19)
    path = DATA / f"bytecode/llvm-22/v6/{name}.mlirbc"
    report = mlirbc.fallback.compatibility(mlirbc.open(path), "llvm-19")
    theirs = oracles.run_mlir_opt(19, [*ALLOW, *GENERIC], path)
    foretold = {row.outcome for row in report.findings}
    if "refused" in foretold:
        assert theirs.status != 0, [row for row in report.findings if row.outcome == "refused"]
    if theirs.status != 0:
        assert foretold & {"refused", "misread"}, theirs.stderr[:400]


@pytest.mark.parametrize("name", of_22())
def test_what_a_receiver_without_dialects_makes_of_a_file_is_as_foretold(name: str) -> None:
    path = DATA / f"bytecode/llvm-22/v6/{name}.mlirbc"
    data = path.read_bytes()
    report = mlirbc.fallback.compatibility(mlirbc.open(path), {"builtin.module"})
    strict, lenient = receive(data), receive(data, *ALLOW, *GENERIC)
    is_refused = any(row.strict_outcome == "refused" for row in report.findings)
    assert (strict.status != 0) == is_refused, strict.stderr
    refused = [row for row in report.findings if row.outcome == "refused"]
    assert (lenient.status != 0) == bool(refused), (refused, lenient.stderr)


@pytest.mark.parametrize("name", of_22())
def test_what_jaxlib_makes_of_a_file_of_22_is_as_foretold(name: str) -> None:
    jaxlib_oracle.require()
    path = DATA / f"bytecode/llvm-22/v6/{name}.mlirbc"
    report = mlirbc.fallback.compatibility(mlirbc.open(path), "jaxlib-0.10")
    worker = jaxlib_oracle.Worker()
    try:
        theirs = worker.read_and_write(path.read_bytes())
    finally:
        worker.close()
    foretold = {row.outcome for row in report.findings}
    if "refused" in foretold:
        assert theirs is None, [row for row in report.findings if row.outcome == "refused"]
    if theirs is None:
        assert foretold & {"refused", "misread"}, name


# ---- any module, any dialects unknown, any edits elsewhere ----

EDITS = st.lists(
    st.tuples(st.sampled_from(["note", "location", "clone", "erase"]), st.integers(0, 10_000)), max_size=6
)


@settings(deadline=None, max_examples=80)
@given(st.sampled_from(FILES), st.data(), EDITS)
def test_what_was_not_touched_is_the_same_to_the_bit(
    path: Path, data: st.DataObject, edits: list[tuple[str, int]]
) -> None:
    original = path.read_bytes()
    names = dialects_of(mlirbc.read(original))
    unknown = data.draw(st.lists(st.sampled_from(names), unique=True)) if names else []
    module = mlirbc.read(original, unknown_dialects=unknown)
    if module.bytecode.version < 5 or len(module.operations) != 1:
        return
    edited = module.edit()
    ops = [op for region in module.operation.regions for block in region.blocks for op in block.operations]
    known = [op for op in ops if op.property_state != "opaque"]
    touched = set()
    for kind, number in edits:
        if not known:
            break
        op = known[number % len(known)]
        if op in touched:
            continue
        touched.add(op)
        if kind == "note":
            edited[op].attributes["edits.note"] = mlirbc.StringAttr.get(f"note {number}")
        elif kind == "location":
            edited[op].location = mlirbc.Location.file("edit.py", number + 1, 1)
        elif kind == "erase" and all(not list(result.uses) for result in op.results) and not op.successors:
            is_last = any(
                block.operations[-1] == op for region in [op.block.region] for block in region.blocks
            )
            if not is_last:
                edited[op].erase()
        elif kind == "clone" and not op.successors and not len(op.regions):
            edited[op].clone(mlirbc.edit.InsertionPoint.before(edited[op]))
    back = mlirbc.read(edited.write(verify=False), unknown_dialects=unknown)
    # All four tables have every old entry at its old number.
    assert [bytes(a.payload) for a in back.attributes[: len(module.attributes)]] == [
        bytes(a.payload) for a in module.attributes
    ]
    assert [bytes(t.payload) for t in back.types[: len(module.types)]] == [
        bytes(t.payload) for t in module.types
    ]
    assert list(back.strings)[: len(module.strings)] == list(module.strings)
    after = [op for region in back.operation.regions for block in region.blocks for op in block.operations]
    untouched = [(op.name, op.is_registered, op.property_blob) for op in ops if op not in touched]
    remaining = iter((op.name, op.is_registered, op.property_blob) for op in after)
    assert all(row in remaining for row in untouched)
