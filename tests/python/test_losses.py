"""Losses of writing: the whole list as data, and the ways to treat them."""

import warnings
from pathlib import Path

import mlirbc
import pytest

from support import oracles

ROOT = Path(__file__).parents[2]
DATA = ROOT / "tests" / "data" / "bytecode"


def many_native_properties() -> mlirbc.Module:
    """Operations of 30 names with native properties, which version 4 cannot hold."""
    oracles.require(22)
    names = ["add", "sub", "mul", "shl"]
    lines = [f"%a{n} = llvm.{name} %x, %x overflow<nsw> : i32" for n, name in enumerate(names)]
    text = "llvm.func @f(%x: i32) {\n" + "\n".join(lines) + "\nllvm.return\n}"
    return mlirbc.read(oracles.checked(oracles.run_mlir_opt(22, ["--emit-bytecode"], text)))


def test_all_losses_are_listed_with_their_parts() -> None:
    with pytest.raises(mlirbc.UnsupportedError) as refused:
        many_native_properties().write(version=4)
    losses = {
        (loss.op, loss.kind, loss.name, loss.count, loss.lowest_version) for loss in refused.value.losses
    }
    expected = {
        (f"llvm.{name}", "native_property", "overflowFlags", 1, 5) for name in ("add", "mul", "sub", "shl")
    }
    assert expected <= losses
    for loss in refused.value.losses:
        assert str(loss) in str(refused.value)
    assert mlirbc.UnsupportedError("x").losses == ()


def test_properties_of_unregistered_operations_are_lost_below_version_5() -> None:
    module = mlirbc.open(DATA / "llvm-22" / "v6" / "unregistered_properties.mlirbc")
    states: dict[str, int] = {}

    def visit(op: mlirbc.Operation) -> None:
        if op.property_state == "attribute":
            states[op.name] = states.get(op.name, 0) + 1

    module.walk(visit)
    with pytest.raises(mlirbc.UnsupportedError) as refused:
        module.write(version=4)
    losses = [loss for loss in refused.value.losses if loss.kind == "property_attribute"]
    assert {loss.op: loss.count for loss in losses} == states
    assert states and {loss.lowest_version for loss in losses} == {5}


def test_the_message_is_cut_and_the_list_is_not() -> None:
    module = mlirbc.edit.Module.create()
    for number in range(30):
        # A type that LLVM 16 does not have, in the text of a dialect without a table.
        module.operation.attributes[f"x.a{number}"] = mlirbc.Attribute.parse(f"#toy.a<f8E3M4, {number}>")
    with pytest.raises(mlirbc.UnsupportedError) as refused:
        mlirbc.read(module.write()).write(target="llvm-16")
    losses = refused.value.losses
    assert {loss.name for loss in losses} >= {f"#toy.a<f8E3M4, {number}>" for number in range(30)}
    assert str(refused.value).count("#toy.a<") == 20
    assert f"and {len(losses) - 20} more" in str(refused.value)


@pytest.mark.parametrize("target", ["llvm-19", "llvm-16"])
def test_ranges_of_locations_are_one_line_that_says_what_becomes_of_them(target: str) -> None:
    module = mlirbc.open(DATA / "llvm-22" / "v6" / "location_ranges.mlirbc")
    with pytest.raises(mlirbc.UnsupportedError) as refused:
        module.write(target=target, strict=True)
    (ranges,) = (loss for loss in refused.value.losses if loss.kind == "location_range")
    assert ranges.count > 1 and ranges.op is None and ranges.lowest_version is None
    assert "cannot represent location ranges, only their start" in str(ranges)
    assert not any(loss.kind == "no_such_entry" for loss in refused.value.losses)
    with pytest.warns(UserWarning) as raised:
        written = module.write(target=target)
    (warning,) = raised
    assert f"shortened: {ranges}" in str(warning.message)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        mlirbc.read(written).verify()
    release = int(target.removeprefix("llvm-"))
    if oracles.find(release):
        args = ["--allow-unregistered-dialect", "--mlir-print-debuginfo"]
        theirs = oracles.run_mlir_opt(release, args, written)
        assert theirs.status == 0, theirs.stderr


UNIT = (
    '#llvm.di_compile_unit<id = {id}, sourceLanguage = DW_LANG_C, file = <"a.c" in "/">, '
    "isOptimized = false, emissionKind = Full>"
)


@pytest.mark.parametrize(
    ("attributes", "is_split"),
    [
        # Either attribute stays an entry, and the other becomes text.
        (f"t.a = {UNIT}, t.b = {{id}}", True),
        (f"t.a = {{id}}, t.b = {UNIT}", True),
        (f"t.a = {UNIT}, t.b = [{UNIT}, 1 : i32]", False),
        (f"t.a = {UNIT}, t.b = distinct[1]<>", False),
        ("t.a = {id}, t.b = [{id}]", False),
    ],
)
@pytest.mark.parametrize("target", ["iree-3.13", "llvm-19"])
def test_a_shared_distinct_attribute_is_not_split_in_silence(
    attributes: str, is_split: bool, target: str
) -> None:
    oracles.require(22)
    text = f"module attributes {{{attributes}}} {{}}".replace("{id}", "distinct[0]<>")
    args = ["--allow-unregistered-dialect", "--emit-bytecode"]
    module = mlirbc.read(oracles.checked(oracles.run_mlir_opt(22, args, text)))
    if not is_split:
        module.write(target=target)
        return
    with pytest.raises(mlirbc.UnsupportedError) as refused:
        module.write(target=target)
    assert {loss.kind for loss in refused.value.losses} == {"splits_distinct"}
    assert "would no longer share its distinct attribute" in str(refused.value)
