"""Versions of dialects that only sender or receiver knows, and bodies that are loaded later."""

from collections.abc import Callable

import mlirbc
import pytest

from support import oracles
from support.assembler import varints
from support.receivers import ALLOW, dialects_of, first, sent

GENERIC = ["--mlir-print-op-generic"]


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
    with pytest.raises(mlirbc.UnsupportedError, match=r"the layout of 1 attributes and types of test"):
        mlirbc.versions.set_dialect_version(edited, "test", b"\x03\x05")
    assert not edited.is_changed
    mlirbc.versions.set_dialect_version(edited, "test", b"\x03\x05", keep_opaque=True)
    assert b"<24, 42>" in oracles.checked(oracles.run_mlir_opt(22, [], edited.write()))


def params(module: mlirbc.Module) -> mlirbc.Attribute:
    return next(a for a in module.attributes if str(a).startswith("#test"))


def test_an_attribute_goes_between_modules_of_different_versions() -> None:
    """An attribute whose layout depends on the version of its module gets the layout of its new module."""
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
        third = mlirbc.read(new).edit()
        third.body.operations[0].attributes["t.again"] = edited_op.attributes["t.copied"]
        expected = "#test.attr_params<42, 24>"
        assert str(first(mlirbc.read(third.write())).attributes["t.again"]) == expected
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
    with pytest.raises(mlirbc.UnsupportedError, match="no codec reads"):
        mlirbc.versions.upgrade(module.edit(), module, [], unknown="refuse")
    assert module.write() == new


def downgrade_modifier(root: mlirbc.edit.Operation, version: tuple[int, int]) -> list[str]:
    """Like the caller of the test dialect's pass: values that do not exist before 2.0 are refused."""
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
    with pytest.raises(mlirbc.UnsupportedError, match="cannot change the version of test") as caught:
        mlirbc.versions.set_dialect_version(edited, "test", (1, 2))
    assert caught.value.identifier == "mlirbc.unsupported.property.opaque"
    assert not edited.is_changed and edited.write() == data
    # The version that the module has already changes nothing.
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
    encoded = edited.write()
    assert "funky" in dialects_of(mlirbc.read(encoded))
    theirs = oracles.run_mlir_opt(22, ALLOW, encoded)
    assert theirs.status != 0  # nobody else reads the group
    edited = mlirbc.read(encoded).edit()
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
