"""Unknown dialects: the results equal the results of an `mlir-opt` that lacks them too."""

import io
import os
import subprocess
from pathlib import Path

import mlirbc
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support import jaxlib_oracle, oracles
from support.assembler import Block, File, Op, Region, varints
from support.examples import toy_file
from support.receivers import ALLOW, assert_kept, dialects_of, first, receive, sent

ROOT = Path(__file__).resolve().parents[2]
DATA = ROOT / "tests/data"
FILES = sorted((DATA / "bytecode").rglob("*.mlirbc"))
SCHEME = ROOT / "examples/schemes/required_attributes.toml"
PRIVATE = "func.func private @f(i32) -> i32\n"
GENERIC = ["--mlir-print-op-generic"]


# ---- the table of today's behaviour, row by row ----


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
    # A reader that knows the function reads it as it is.
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
    # Knowing the op now does not give it the properties of its definition.
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
    """A file has an op twice: as its writer knew it, and as another writer did not."""
    file = File(producer=b"x")
    module = file.op_name("builtin.module", registered=True)
    registered, unregistered = file.op_name("t.op", registered=True), file.op_name("t.op")
    file.attribute(varints(15))
    blobs = [file.property(b"\x01\x01"), file.property(b"\x55\xaa"), file.property(varints(0))]
    body = [Op(registered, properties=blobs[1]), Op(unregistered, properties=blobs[2]), Op(registered)]
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


# ---- edits around unknown contents ----


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
    target = mlirbc.open(ROOT / "examples/two_layers.mlirbc").edit()
    with pytest.raises(mlirbc.Error, match="its encoding is unknown"):
        target.operation.attributes["test.x"] = unreadable
    assert not target.is_changed
    # A scheme that decodes it lets it go.
    decoded = mlirbc.read(file, dialects=[mlirbc.dialects.table(SCHEME)]).attributes[4]
    target.operation.attributes["test.x"] = decoded
    back = mlirbc.read(target.write(), dialects=[mlirbc.dialects.table(SCHEME)])
    assert str(back.operation.attributes["test.x"]) == str(decoded)


# ---- the example of the proposal ----


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
    with pytest.raises(mlirbc.InvalidError, match=r"extends to the end of the entry in line 3"):
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


# ---- foretold losses, and the behaviour of the tools ----


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
    decoded = [op for op in ops if op.property_state != "opaque"]
    touched = set()
    for kind, number in edits:
        if not decoded:
            break
        op = decoded[number % len(decoded)]
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
