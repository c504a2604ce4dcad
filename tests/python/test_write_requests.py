"""Small requests of edits: purging, the own version, unreadable versions, and values of hooks from text."""

from typing import Any, ClassVar

import mlirbc
import pytest
from mlirbc import edit, versions
from mlirbc.dialects import BytecodeDialectInterface, DialectValue

EXAMPLE = "examples/two_layers.mlirbc"


# ---- removed contents ----


@pytest.mark.parametrize("opened", [False, True])
def test_nothing_that_was_removed_is_in_a_purged_file(opened: bool, tmp_path: Any) -> None:
    edited = mlirbc.open(EXAMPLE).edit()
    secret = mlirbc.StringAttr.get("SECRET-VALUE")
    main = edited.symbol("main")
    main.attributes["secret.name"] = secret
    main.location = mlirbc.Location.file("SECRET-PATH.py", 3, 1)
    if opened:
        # The values come from a file, not only from this session.
        edited = mlirbc.read(edited.write()).edit()
        main = edited.symbol("main")
    del main.attributes["secret.name"]
    main.location = mlirbc.Location.unknown()
    path = tmp_path / "purged.mlirbc"
    report = edited.save(path, purge=True)
    assert report.mode.value == "renumbered"
    unpurged, purged = bytes(edited.write()), path.read_bytes()
    for word in (b"SECRET-VALUE", b"SECRET-PATH", b"secret.name"):
        assert word in unpurged
        assert word not in purged
    assert str(mlirbc.read(purged)) == str(edited)
    assert bytes(edited.write(purge=True, numbering="canonical")) == purged


def test_a_resource_that_nothing_refers_to_is_purged() -> None:
    edited = mlirbc.open(EXAMPLE).edit()
    edited.symbol("main").erase()
    edited.resources.add("SECRET-KEY", b"SECRET-DATA", group="builtin", is_external=False)
    assert b"SECRET-DATA" in bytes(edited.write())
    purged = bytes(edited.write(purge=True))
    assert b"SECRET-DATA" not in purged
    assert b"SECRET-KEY" not in purged


def test_purging_is_refused_where_it_is_not_certain() -> None:
    edited = mlirbc.open(EXAMPLE).edit()
    opaque = edit.Operation.create("toy.opaque", ip=edit.InsertionPoint(edited.body))
    opaque.is_registered = True
    opaque.property_blob = b"\x05\x09"
    with pytest.raises(mlirbc.UnsupportedError, match=r"toy\.opaque"):
        edited.write(purge=True)
    with pytest.raises(ValueError, match="`purge` needs numbering='canonical', not \"preserve\""):
        edited.write(purge=True, numbering="preserve")


# ---- the own version ----


def test_the_own_version_needs_no_numbering() -> None:
    for name in (EXAMPLE, "tests/data/bytecode/llvm-22/v6/uses_pairs.mlirbc"):
        module = mlirbc.open(name)
        current_version = module.bytecode.version
        assert bytes(module.write(version=current_version, numbering="preserve")) == bytes(module.write())
        edited = module.edit()
        edited.operation.attributes["x.y"] = mlirbc.UnitAttr.get()
        assert bytes(edited.write(version=current_version, numbering="preserve")) == bytes(edited.write())
        for target in {0, 5, 6} - {current_version}:
            with pytest.raises(ValueError, match="numbering='canonical'"):
                module.write(version=target, numbering="preserve")
        with pytest.raises(ValueError, match="numbering='canonical'"):
            module.write(version=current_version, producer="x", numbering="preserve")


# ---- versions that nothing reads ----


def test_version_bytes_that_the_table_does_not_fit_are_opaque() -> None:
    table = {
        "dialect": "mis",
        "version": ["major: varint", "minor: varint"],
        "attribute": [
            {
                "code": 0,
                "name": "Pair",
                "fields": ["x: varint", "y: varint"],
                "gates": [{"before": "2.0", "fields": ["y: varint", "x: varint"]}],
            }
        ],
    }
    for data in (b"\x05", b"\x05\x05\x05", b"\x05\x02", b""):
        edited = edit.Module.create(dialects=[table])
        assert versions.set_dialect_version(edited, "mis", data, add=True)
        module = mlirbc.read(edited.write(), dialects=[table])
        expected = versions.OpaqueVersion(data)
        assert versions.dialect_version(module, "mis") == expected
        assert versions.dialect_versions(module) == {"mis": expected}
        again = module.edit()
        assert versions.set_dialect_version(again, "mis", b"\x03\x01")
        assert versions.dialect_version(mlirbc.read(again.write(), dialects=[table]), "mis") == (1, 0)


# ---- values of hooks from text ----


class Toy(BytecodeDialectInterface):
    dialect = "hxt"
    attribute_parameters: ClassVar = {"pair": ("first", "second")}

    def read_attribute(self, reader: mlirbc.DialectBytecodeReader) -> DialectValue | None:
        match reader.read_varint():
            case 0:
                fields = {"first": reader.read_signed_varint(), "second": reader.read_signed_varint()}
                return DialectValue("pair", fields, asm="<{first}, {second}>")
            case 1:
                return DialectValue("box", {"inner": reader.read_attribute(), "note": reader.read_string()})
        return None

    def write_attribute(self, value: DialectValue, writer: mlirbc.DialectBytecodeWriter) -> bool | None:
        fields: Any = value.fields
        if value.mnemonic == "pair":
            writer.write_varint(0)
            writer.write_signed_varint(fields["first"])
            writer.write_signed_varint(fields["second"])
            return True
        if value.mnemonic == "box":
            writer.write_varint(1)
            writer.write_attribute(fields["inner"])
            writer.write_string(fields["note"])
            return True
        return False

    def read_type(self, reader: mlirbc.DialectBytecodeReader) -> DialectValue | None:
        return DialectValue("grid", {"element": reader.read_type()}, asm="<{element}>")

    def write_type(self, value: DialectValue, writer: mlirbc.DialectBytecodeWriter) -> bool | None:
        fields: Any = value.fields
        writer.write_type(fields["element"])
        return True

    type_parameters: ClassVar = {"grid": ("element",)}


def test_values_of_hooks_are_made_from_text() -> None:
    toy = Toy()
    pair = mlirbc.Attribute.parse("#hxt.pair<1, -2>", dialects=[toy])
    assert (pair.fields, pair.is_text) == ({"first": 1, "second": -2}, False)
    assert pair.payload == toy.attribute("pair", 1, -2).payload == b"\x01\x05\x07"
    box = mlirbc.Attribute.parse('#hxt.box<inner = #hxt.pair<1, -2>, note = "a, b">', dialects=[toy])
    assert box.fields["note"] == "a, b"
    inner: Any = box.fields["inner"]
    assert inner.fields == pair.fields
    array: Any = mlirbc.Attribute.parse("[#hxt.pair<1, -2>, unit]", dialects=[toy])
    assert array[0].fields == pair.fields
    grid = mlirbc.Type.parse("!hxt.grid<i32>", dialects=[toy])
    assert (str(grid.fields["element"]), grid.is_text) == ("i32", False)
    assert mlirbc.Attribute.parse("1 : i32", dialects=[toy]) == mlirbc.Attribute.parse("1 : i32")
    # Without the hooks it is text, and text that the hooks do not accept is an error.
    assert mlirbc.Attribute.parse("#hxt.pair<1, -2>").is_text
    with pytest.raises(mlirbc.InvalidError, match="no hook of hxt writes `unknown`"):
        mlirbc.Attribute.parse("#hxt.unknown<x = 1>", dialects=[toy])
    with pytest.raises(ValueError, match="field 2 of `<1, 2, 3>` has no name"):
        mlirbc.Attribute.parse("#hxt.pair<1, 2, 3>", dialects=[toy])


def test_a_text_with_values_of_hooks_is_encoded() -> None:
    toy = Toy()
    text = "module attributes {hxt.a = #hxt.pair<3, 4>, hxt.t = !hxt.grid<f32>} {}"
    module = mlirbc.parse(text, dialects=[toy])
    value: Any = module.operation.attributes["hxt.a"]
    assert value.fields == {"first": 3, "second": 4}
    assert [entry.is_text for entry in module.attributes if entry.dialect == "hxt"] == [False]
    assert [entry.is_text for entry in module.types if entry.dialect == "hxt"] == [False]
    assert bytes(module.write(numbering="canonical")) == bytes(module.write())


def test_a_new_module_has_the_dialects_that_it_is_made_with() -> None:
    toy = Toy()
    edited = edit.Module.create(dialects=[toy])
    edited.operation.attributes["hxt.a"] = toy.attribute("pair", 3, 4)
    data = bytes(edited.write(numbering="canonical"))
    module = mlirbc.read(data, dialects=[toy])
    assert mlirbc.fallback.opaque(module) == ()
    value: Any = module.operation.attributes["hxt.a"]
    assert value.fields == {"first": 3, "second": 4}
    assert bytes(module.write(numbering="canonical")) == data


def test_tables_apply_to_one_text_alone() -> None:
    table = {
        "dialect": "one",
        "attribute": [
            {
                "code": 0,
                "name": "Pair",
                "mnemonic": "pair",
                "fields": ["x: varint", "y: varint"],
                "asm": "<{x}, {y}>",
            }
        ],
    }
    value = mlirbc.Attribute.parse("#one.pair<1, 2>", dialects=[table])
    assert (value.fields, value.payload) == ({"x": 1, "y": 2}, b"\x01\x03\x05")
    module = mlirbc.parse("module attributes {one.a = #one.pair<1, 2>} {}", dialects=[table])
    parsed: Any = module.operation.attributes["one.a"]
    assert parsed.fields == {"x": 1, "y": 2}
    assert mlirbc.Attribute.parse("#one.pair<1, 2>").is_text
