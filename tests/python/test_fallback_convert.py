"""Fallback operations in the IR: conversion, rewrites over them, restoration, and negotiation."""

from pathlib import Path

import mlirbc
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from support import oracles
from support.examples import rich, toy_file, worked_example
from support.printing import generic
from support.receivers import ALLOW, sent
from support.seeded_modules import merged_text

fallback = mlirbc.fallback
ROOT = Path(__file__).resolve().parents[2]
SCHEME = ROOT / "examples/schemes/required_attributes.toml"
EXAMPLE = ROOT / "examples/two_layers.mlirbc"
BYTECODE = ROOT / "tests/data/bytecode"
REAL = sorted(path for path in BYTECODE.rglob("*.mlirbc") if path.stat().st_size <= 20_000)
GENERIC = ["--mlir-print-op-generic"]

NEW_IN_22 = """
func.func @f(%v: vector<2xf32>) -> f32 {
  %0:2 = vector.to_elements %v {t.note = "kept"} : vector<2xf32>
  return %0#0 : f32
}
"""


def named(module: mlirbc.Module | mlirbc.edit.Module, name: str) -> list[mlirbc.edit.Operation]:
    edited = module if isinstance(module, mlirbc.edit.Module) else module.edit()
    matching: list[mlirbc.edit.Operation] = []

    def visit(op: mlirbc.edit.Operation) -> None:
        if op.name == name:
            matching.append(op)

    edited.walk(visit)
    return matching


def converted(data: bytes, *names: str, unknown: list[str] | None = None) -> mlirbc.edit.Module:
    module = mlirbc.read(data, unknown_dialects=unknown)
    return fallback.convert(module, known=lambda name: name not in names)


# ---- conversion and restoration ----


def test_conversion_a_rewrite_and_restoration() -> None:
    data = EXAMPLE.read_bytes()
    edited = converted(data, "arith.addf", "arith.mulf")
    assert edited.write() != data
    mul, add = named(edited, "fallback.op")
    assert (mul.is_registered, add.property_state) == (False, "none")
    assert {name: str(value) for name, value in add.attributes.items()} == {
        "is_registered": "true",
        "original_name": '"arith.addf"',
        "properties": "{fastmath = #arith.fastmath<contract>}",
    }
    left, right = add.operands
    add.operands = [right, left]
    add.attributes["t.note"] = mlirbc.StringAttr.get("swapped")
    mul.attributes["properties"] = mlirbc.Attribute.parse("{fastmath = #arith.fastmath<none>}")
    assert fallback.restore(edited) is edited
    assert not named(edited, "fallback.op")
    again = mlirbc.read(edited.write()).edit()
    (read,) = named(again, "arith.addf")
    assert (read.is_registered, read.property_state) == (True, "decoded")
    assert dict(read.attributes) == dict(named(mlirbc.read(data), "arith.addf")[0].attributes) | {
        "t.note": mlirbc.StringAttr.get("swapped")
    }
    assert [type(value) for value in read.operands] == [type(right), type(left)]
    assert str(named(again, "arith.mulf")[0].attributes["fastmath"]) == "#arith.fastmath<none>"


@pytest.mark.parametrize("unknown", [None, ["cf", "arith", "func"]])
def test_untouched_operations_give_the_same_bytes(unknown: list[str] | None) -> None:
    data = EXAMPLE.read_bytes()
    module = mlirbc.read(data, unknown_dialects=unknown)
    edited = fallback.convert(module, known={"scf.for"})
    assert named(edited, "fallback.op")
    fallback.convert(edited, known=set[str]())
    str(edited), edited.write()  # reading changes nothing
    assert fallback.restore(edited).write() == data
    assert not edited.is_changed


def test_handles_stay_and_the_top_level_operation_is_kept() -> None:
    edited = mlirbc.open(EXAMPLE).edit()
    main = edited.symbol("main")
    assert main is not None
    assert fallback.convert(edited, known=set[str]()) is edited
    assert (edited.operation.name, main.name) == ("builtin.module", "fallback.op")
    fallback.restore(edited)
    assert main == edited.symbol("main")


@pytest.mark.parametrize("path", REAL, ids=lambda path: path.stem)
def test_every_file_comes_back(path: Path) -> None:
    """In one session with its bytes; through a file with its contents, whatever is opaque."""
    module = mlirbc.open(path)
    edited = fallback.convert(module, known=set[str]())
    written = edited.write(verify=False)
    assert fallback.restore(edited).write() == path.read_bytes()
    back = fallback.restore(mlirbc.read(written))
    assert generic(back.snapshot()) == generic(module)
    assert mlirbc.versions.dialect_versions(back) == mlirbc.versions.dialect_versions(module)


@settings(deadline=None, max_examples=60, suppress_health_check=list(HealthCheck))
@given(
    st.sampled_from([make(version).encode().data for make in (worked_example, rich) for version in range(7)]),
    st.randoms(use_true_random=False),
)
def test_any_choice_of_operations_comes_back(data: bytes, random: object) -> None:
    module = mlirbc.read(data)
    names = sorted({op.name for op in module.op_names})
    known_names = {name for name in names if getattr(random, "random")() < 0.5}  # noqa: B009
    edited = fallback.convert(module, known=known_names)
    written = edited.write(verify=False)
    assert fallback.restore(edited).write() == data
    assert generic(fallback.restore(mlirbc.read(written)).snapshot()) == generic(module)


def test_a_failed_rewrite_is_undone_and_the_rest_restored() -> None:
    data = EXAMPLE.read_bytes()
    edited = converted(data, "arith.addf")
    with pytest.raises(KeyError), edited.transaction():
        (op,) = named(edited, "fallback.op")
        del op.attributes["original_name"]
        op.attributes["no name"]
    fallback.restore(edited)
    # After a checkpoint they are restored one by one: new table entries stay, and the contents are equal.
    assert edited.write(numbering="canonical") == data


def test_opaque_properties_are_bytes_of_this_numbering() -> None:
    data = EXAMPLE.read_bytes()
    edited = converted(data, "cf.cond_br", unknown=["cf"])
    (op,) = named(edited, "fallback.op")
    properties = op.attributes["properties"]
    assert isinstance(properties, mlirbc.DenseI8ArrayAttr)
    (original,) = named(mlirbc.read(data), "cf.cond_br")
    assert bytes(byte & 0xFF for byte in properties) == original.property_blob
    # Another session, of a file that kept the numbers.
    read = mlirbc.read(edited.write(), unknown_dialects=["cf"])
    assert generic(mlirbc.read(fallback.restore(read).write())) == generic(mlirbc.read(data))
    # A file that was numbered again.
    moved = mlirbc.read(edited.write(numbering="canonical"), unknown_dialects=["cf"]).edit()
    before = moved.write()
    with pytest.raises(mlirbc.InvalidError, match=r"fallback\.op.*another numbering"):
        fallback.restore(moved)
    assert moved.write() == before


def test_the_name_that_a_table_declares() -> None:
    table = {"dialect": "cf", "fallback": "cf.fallback", "op": [{"fields": ["raw: rest"]}]}
    data = EXAMPLE.read_bytes()
    module = mlirbc.read(data, dialects=[table])
    edited = fallback.convert(module, known=lambda name: name[:3] != "cf.")
    (op,) = named(edited, "cf.fallback")
    assert str(op.attributes["original_name"]) == '"cf.cond_br"'
    read = mlirbc.read(edited.write(), dialects=[table])
    assert len(named(fallback.restore(read), "cf.cond_br")) == 1
    assert fallback.restore(edited).write() == data


@pytest.mark.parametrize("nested", [False, True])
def test_a_declared_encoding_survives_another_numbering(nested: bool) -> None:
    data = toy_file(nested=nested)
    tables = [mlirbc.dialects.table(SCHEME)]
    module = mlirbc.read(data, dialects=tables)
    edited = fallback.convert(module, receiver={"builtin.module"})
    (op,) = named(edited, "toy.fallback")
    required = module.body.operations[0].properties["required"]
    assert isinstance(required, list)
    assert isinstance(op.attributes["references"], mlirbc.ArrayAttr)
    assert [str(value) for value in op.attributes["references"]] == [str(value) for value in required]
    assert "numbering" not in op.attributes
    moved = mlirbc.read(edited.write(numbering="canonical"), dialects=tables)
    back = mlirbc.read(fallback.restore(moved).write(), dialects=tables).body.operations[0]
    assert (back.name, back.is_registered, back.properties["version"]) == ("toy.op", True, 3)
    assert str(back.properties["required"]) == str(required)
    assert fallback.restore(edited).write() == data
    # References that the encoding does not accept, and a reader without the encoding.
    renumbered = moved.edit()
    (op,) = named(renumbered, "toy.fallback")
    for wrong in ("[]", "unit"):
        op.attributes["references"] = mlirbc.Attribute.parse(wrong)
        with pytest.raises(mlirbc.InvalidError, match=r"toy\.fallback.* cannot be restored"):
            fallback.restore(renumbered)
    sent_on = fallback.convert(module, receiver={"builtin.module"}).write()
    without_encoding = mlirbc.read(sent_on, dialects=[{"dialect": "toy", "fallback": "toy.fallback"}])
    with pytest.raises(mlirbc.InvalidError, match=r"no dialect table declares .* toy\.op"):
        fallback.restore(without_encoding)


def test_the_version_of_a_dialect_comes_back() -> None:
    data = sent('"test.versionedA"() <{dims = 123 : i64, modifier = false}> : () -> ()\n')
    edited = converted(data, "test.versionedA")
    (op,) = named(edited, "fallback.op")
    assert str(op.attributes["version"]) == "array<i8: 5, 1>"
    without = mlirbc.read(edited.write(numbering="canonical")) if "numbering" not in op.attributes else None
    if without is not None:
        assert mlirbc.versions.dialect_versions(without) == {}
        back = fallback.restore(without)
        assert mlirbc.versions.dialect_versions(back) == {"test": (2, 0)}
    again = mlirbc.read(edited.write()).edit()
    mlirbc.versions.set_dialect_version(again, "test", b"\x03\x05", keep_opaque=True)
    with pytest.raises(mlirbc.InvalidError, match=r"test\.versionedA.*version 0305.*0501"):
        fallback.restore(again)


# ---- bad input ----


def test_an_attribute_with_a_name_of_the_fallback_operation() -> None:
    edited = mlirbc.open(EXAMPLE).edit()
    (op,) = named(edited, "arith.addf")
    op.attributes["version"] = mlirbc.UnitAttr.get()
    before = edited.write()
    with pytest.raises(mlirbc.UnsupportedError, match=r"arith\.addf.*`version`"):
        fallback.convert(edited, known=set[str]())
    assert edited.write() == before


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("original_name", None),
        ("original_name", "1 : i32"),
        ("original_name", '""'),
        ("original_name", '"two words"'),
        ("original_name", '"no.such_op"'),
        ("is_registered", '"yes"'),
        ("properties", "unit"),
        ("properties", "{fastmath = 1 : i8}"),
        ("properties", "array<i8: 2>"),
        ("version", "unit"),
    ],
)
def test_a_fallback_operation_with_a_wrong_attribute(name: str, text: str | None) -> None:
    edited = converted(EXAMPLE.read_bytes(), "arith.addf")
    (op,) = named(edited, "fallback.op")
    if text is None:
        del op.attributes[name]
    else:
        op.attributes[name] = mlirbc.Attribute.parse(text)
    before = edited.write()
    with pytest.raises(mlirbc.InvalidError, match=r"op \d+ \(fallback\.op\).* cannot be restored"):
        fallback.restore(edited)
    assert edited.write() == before


@pytest.mark.parametrize("numbering", [None, '""', '"1.2.3.4"', '"9.9.9.9.0"', '"a.b.c.d.e"', "1 : i32"])
def test_bytes_without_their_numbering(numbering: str | None) -> None:
    edited = converted(EXAMPLE.read_bytes(), "cf.cond_br", unknown=["cf"])
    (op,) = named(edited, "fallback.op")
    if numbering is None:
        del op.attributes["numbering"]
    else:
        op.attributes["numbering"] = mlirbc.Attribute.parse(numbering)
    with pytest.raises(mlirbc.InvalidError, match=r"fallback\.op.*numbering"):
        fallback.restore(edited)


def test_arguments_that_contradict_each_other() -> None:
    module = mlirbc.open(EXAMPLE)
    with pytest.raises(ValueError, match="either"):
        fallback.convert(module, known="llvm-19", receiver="llvm-19")
    with pytest.raises(mlirbc.InvalidError):
        fallback.convert(module, receiver="llvm-1")
    with pytest.raises(ValueError, match="no receivers"):
        fallback.negotiate(module, [])


# ---- other readers ----


def test_mlir_reads_the_fallback_operations_and_writes_them() -> None:
    data = sent(EXAMPLE.with_suffix(".mlir").read_text())
    module = mlirbc.read(data)
    edited = fallback.convert(module, known=lambda name: name.partition(".")[0] not in ("arith", "cf"))
    written = edited.write()
    text = oracles.checked(oracles.run_mlir_opt(22, [*ALLOW, *GENERIC], written))
    assert text.decode().strip() == generic(edited).strip()
    theirs = oracles.checked(oracles.run_mlir_opt(22, oracles.emit_args(22, 6), written))
    back = fallback.restore(mlirbc.read(theirs)).write(numbering="canonical")
    assert generic(mlirbc.read(back)) == generic(module)
    rewritten = oracles.checked(oracles.run_mlir_opt(22, oracles.emit_args(22, 6), back))
    assert rewritten == back


def test_the_text_with_opaque_properties_is_parsed_again() -> None:
    """The bytes are an attribute, so `mlir-opt` reads the text, and prints the same text."""
    edited = converted(EXAMPLE.read_bytes(), "cf.cond_br", unknown=["cf"])
    text = generic(edited)
    assert "properties = array<i8: " in text
    printed = oracles.checked(oracles.run_mlir_opt(22, [*ALLOW, *GENERIC], text))
    assert printed.decode().strip() == text.strip()


def test_a_receiver_of_an_older_release_keeps_what_it_does_not_know() -> None:
    data = sent(NEW_IN_22)
    module = mlirbc.read(data)
    with pytest.raises(mlirbc.UnsupportedError, match=r"vector\.to_elements"):
        module.write(target="llvm-19")
    edited = fallback.convert(module, receiver="llvm-19")
    assert [str(op.attributes["original_name"]) for op in named(edited, "fallback.op")] == [
        '"vector.to_elements"'
    ]
    for_19 = edited.write(target="llvm-19")
    outcomes = {row.outcome for row in fallback.compatibility(mlirbc.read(for_19), "llvm-19").findings}
    assert outcomes <= {"kept"}
    theirs = oracles.checked(oracles.run_mlir_opt(19, oracles.emit_args(19, 6), for_19))
    back = fallback.restore(mlirbc.read(theirs), target="llvm-22")
    assert generic(back.snapshot()) == generic(module)
    assert back.write(numbering="canonical", producer=module.bytecode.producer) == data
    # At the sender, which kept the module.
    assert fallback.restore(edited).write() == data


def test_opaque_properties_are_not_sent_to_another_writer() -> None:
    module = mlirbc.open(EXAMPLE, unknown_dialects=["cf"])
    edited = module.edit()
    with pytest.raises(mlirbc.UnsupportedError, match=r"cf\.cond_br.*receiver"):
        fallback.convert(edited, receiver={op.name for op in module.op_names} - {"cf.cond_br"})
    assert not edited.is_changed


@pytest.mark.parametrize("seed", range(4))
def test_random_modules_come_back_through_mlir(seed: int) -> None:
    data = sent(merged_text(seed))
    module = mlirbc.read(data)
    written = fallback.convert(module, known=lambda name: len(name) % 2 == 0).write()
    theirs = oracles.checked(oracles.run_mlir_opt(22, oracles.emit_args(22, 6), written))
    assert generic(fallback.restore(mlirbc.read(theirs)).snapshot()) == generic(module)


# ---- negotiation ----


def test_what_all_receivers_read() -> None:
    module = mlirbc.open(EXAMPLE)
    answer = fallback.negotiate(module, ["llvm-22"])
    assert (answer.version, answer.target, answer.is_lossless) == (6, None, True)
    # The layouts of properties differ between 19 and 22, and dictionaries do not.
    answer = fallback.negotiate(module, ["llvm-22", "llvm-19"])
    assert (answer.version, answer.target, answer.findings) == (4, "llvm-19", ((), ()))
    with pytest.warns(UserWarning, match="location ranges"):
        data = module.write(version=answer.version, target=answer.target, drop_unsupported=True)
    assert data.report.losses == answer.losses
    for release in (19, 22):
        oracles.require(release)
        oracles.checked(oracles.run_mlir_opt(release, [], bytes(data)))
    answer = fallback.negotiate(module, ["llvm-16"])
    assert (answer.version, answer.target) == (0, "llvm-16")


def test_what_a_tool_does_not_know_is_reported_for_it() -> None:
    module = mlirbc.open(EXAMPLE)
    ops = {op.name for op in module.op_names} - {"arith.addf"}
    answer = fallback.negotiate(module, ["llvm-22", ops])
    assert answer.findings[0] == ()
    assert [row.name for row in answer.findings[1] if row.kind == "op"] == ["arith.addf"]
    # As fallback operations everything is kept.
    edited = fallback.convert(module, receiver=ops)
    answer = fallback.negotiate(edited, [ops])
    assert {row.outcome for row in answer.findings[0]} == {"kept"}
