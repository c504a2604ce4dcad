"""Properties by name in edits: they are written for the dialect version that the module is written with."""

from collections.abc import Mapping
from typing import Any, Literal

import mlirbc
import pytest
from mlirbc import edit, versions
from mlirbc.dialects import BytecodeDialectInterface, DialectValue

Numbering = Literal["preserve", "canonical"]
NUMBERINGS: list[Numbering] = ["preserve", "canonical"]

# The fields of both versions are the same, in another order, so a wrong layout is read without an error.
TABLE: dict[str, object] = {
    "dialect": "swp",
    "version": ["major: varint", "minor: varint"],
    "attribute": [
        {
            "code": 0,
            "name": "Pair",
            "mnemonic": "pair",
            "fields": ["x: varint", "y: varint"],
            "gates": [{"before": "2.0", "fields": ["y: varint", "x: varint"]}],
        }
    ],
    "op": [
        {
            "name": "pad",
            "fields": ["x: varint", "y: varint"],
            "gates": [{"before": "2.0", "fields": ["y: varint", "x: varint"]}],
        },
        {
            "name": "wide",
            "fields": ["x: varint", "value: optional_attribute", "z: varint"],
            "gates": [{"before": "2.0", "fields": ["x: varint", "value: optional_attribute"]}],
        },
        {"name": "plain", "fields": ["y: varint", "x: varint"]},
    ],
}


def module_of(version: tuple[int, int] | None) -> edit.Module:
    edited = mlirbc.read(edit.Module.create().write(), dialects=[TABLE]).edit()
    if version is not None:
        assert versions.set_dialect_version(
            edited, "swp", version, table=mlirbc.dialects.table(TABLE), add=True
        )
    return edited


def add(edited: edit.Module, name: str, **properties: object) -> edit.Operation:
    op = edit.Operation.create(name, ip=edit.InsertionPoint(edited.body))
    op.declared_properties.replace(properties)
    return op


def set_version(edited: edit.Module, version: tuple[int, int], **options: Any) -> None:
    versions.set_dialect_version(edited, "swp", version, table=mlirbc.dialects.table(TABLE), **options)


def properties(data: bytes) -> list[dict[str, object]]:
    module = mlirbc.read(data, dialects=[TABLE])
    module.verify()
    assert mlirbc.fallback.opaque(module) == ()
    return [dict(op.properties.items()) for op in module.body.operations]


@pytest.mark.parametrize("numbering", NUMBERINGS)
@pytest.mark.parametrize("version", [None, (1, 0), (2, 0)])
def test_a_new_operation_has_the_layout_of_the_version_of_the_edit(
    version: tuple[int, int] | None, numbering: Numbering
) -> None:
    edited = module_of(version)
    op = add(edited, "swp.pad", x=7, y=9)
    assert dict(op.declared_properties) == {"x": 7, "y": 9}
    assert op.property_state == "decoded"
    # Version 1.0 stores the fields in the order of its gate, and numbers in the encoding of the format.
    assert op.property_blob == (b"\x13\x0f" if version == (1, 0) else b"\x0f\x13")
    data = edited.write(numbering=numbering)
    assert properties(data) == [{"x": 7, "y": 9}]
    assert versions.dialect_versions(mlirbc.read(data, dialects=[TABLE])) == (
        {} if version is None else {"swp": version}
    )


@pytest.mark.parametrize("numbering", NUMBERINGS)
@pytest.mark.parametrize("is_set", [False, True])
@pytest.mark.parametrize(("before", "after"), [((1, 0), (2, 0)), ((2, 0), (1, 0)), (None, (1, 3))])
def test_a_version_that_is_set_encodes_properties_again(
    before: tuple[int, int] | None, after: tuple[int, int], is_set: bool, numbering: Numbering
) -> None:
    source = module_of(before)
    add(source, "swp.pad", x=1, y=9)
    add(source, "swp.plain", x=1, y=9)
    edited = mlirbc.read(source.write(), dialects=[TABLE]).edit()
    if is_set:
        edited.body.operations[0].declared_properties["x"] = 7
    set_version(edited, after)
    expected = [{"x": 7 if is_set else 1, "y": 9}, {"y": 9, "x": 1}]
    assert [dict(op.declared_properties) for op in edited.body.operations] == expected
    assert properties(edited.write(numbering=numbering)) == expected
    # And back, in the same session.
    set_version(edited, before or (2, 0))
    edited.body.operations[0].declared_properties["y"] = 5
    assert properties(edited.write(numbering=numbering)) == [expected[0] | {"y": 5}, expected[1]]


def test_the_versions_of_a_written_file_apply_to_properties() -> None:
    source = module_of((1, 0))
    add(source, "swp.pad", x=7, y=9)
    module = mlirbc.read(source.write(), dialects=[TABLE])
    for number in ("1.0", "2.0"):
        data = module.write(dialect_versions={"swp": number})
        assert properties(data) == [{"x": 7, "y": 9}], number
    edited = module.edit()
    add(edited, "swp.pad", x=3, y=4)
    assert {"x": 3, "y": 4} in properties(edited.write(dialect_versions={"swp": "2.0"}))


def test_equal_bytes_of_different_operations_are_apart() -> None:
    edited = module_of((2, 0))
    pad = add(edited, "swp.pad", x=7, y=9)
    plain = add(edited, "swp.plain", y=7, x=9)
    raw = edit.Operation.create("swp.pad", ip=edit.InsertionPoint(edited.body))
    raw.declared_properties.replace({"x": 0, "y": 0})
    raw.property_blob = b"\x0f\x13"
    assert pad.property_blob == plain.property_blob == raw.property_blob
    assert dict(pad.declared_properties) == {"x": 7, "y": 9}
    assert dict(plain.declared_properties) == {"y": 7, "x": 9}
    # Bytes without names are made for the new version.
    set_version(edited, (1, 0))
    assert (pad.property_blob, plain.property_blob, raw.property_blob) == (
        b"\x13\x0f",
        b"\x0f\x13",
        b"\x0f\x13",
    )


def test_values_in_properties_keep_their_identity() -> None:
    edited = module_of((2, 0))
    pair = mlirbc.dialects.dialect(TABLE).attribute("Pair", 3, 4)
    long = mlirbc.StringAttr.get("x" * 2000)
    value = mlirbc.ArrayAttr.get([pair, long])
    add(edited, "swp.wide", x=1, value=value, z=0)
    edited.operation.attributes["swp.value"] = value
    again = mlirbc.read(edited.write(), dialects=[TABLE]).edit()
    wide = again.body.operations[0]
    with pytest.raises(mlirbc.UnsupportedError, match=r"swp\.wide has no field `z` in the requested version"):
        set_version(again, (1, 0))
    assert again.write() == edited.write()
    # The operation is converted first.
    with versions._writing_for(again, {"swp": b"\x03\x01"}):
        wide.declared_properties.replace({"x": 1, "value": wide.declared_properties["value"]})
    with pytest.raises(mlirbc.InvalidError, match="written for another version of the dialect"):
        again.write()
    set_version(again, (1, 0))
    data = again.write(numbering="canonical")
    module = mlirbc.read(data, dialects=[TABLE])
    assert module.body.operations[0].properties["value"] == module.operation.attributes["swp.value"]
    assert len(data) < 3000


def test_a_rollback_restores_the_version_of_properties() -> None:
    edited = module_of((2, 0))
    pad = add(edited, "swp.pad", x=7, y=9)
    before = edited.checkpoint()
    set_version(edited, (1, 0))
    pad.declared_properties["x"] = 8
    edited.rollback(before)
    assert dict(pad.declared_properties) == {"x": 7, "y": 9}
    assert pad.property_blob == b"\x0f\x13"
    assert properties(edited.write()) == [{"x": 7, "y": 9}]


# ---- hooks ----


class Hooked(BytecodeDialectInterface):
    """Fields have another order before version 2; remembers the versions that it writes for."""

    dialect = "hok"
    current_version = 2

    def __init__(self) -> None:
        self.written: list[object] = []
        self.bytecode: list[int] = []

    def read_version(self, reader: mlirbc.DialectBytecodeReader) -> int:
        return reader.read_varint()

    def write_version(self, writer: mlirbc.DialectBytecodeWriter) -> None:
        version: Any = writer.dialect_version("hok")
        writer.write_varint(2 if version is None else version)

    @staticmethod
    def order(version: Any) -> tuple[str, str]:
        return ("x", "y") if version is None or version >= 2 else ("y", "x")

    def read_properties(
        self, op_name: str, reader: mlirbc.DialectBytecodeReader
    ) -> Mapping[str, object] | None:
        return {name: reader.read_varint() for name in self.order(reader.dialect_version("hok"))}

    def write_properties(
        self, op_name: str, properties: Mapping[str, Any], writer: mlirbc.DialectBytecodeWriter
    ) -> bool | None:
        self.written.append(writer.dialect_version("hok"))
        self.bytecode.append(writer.bytecode_version)
        for name in self.order(writer.dialect_version("hok")):
            writer.write_varint(properties[name])
        return True

    def read_attribute(self, reader: mlirbc.DialectBytecodeReader) -> DialectValue | None:
        order = self.order(reader.dialect_version("hok"))
        return DialectValue("pair", {name: reader.read_varint() for name in order})

    def write_attribute(self, value: DialectValue, writer: mlirbc.DialectBytecodeWriter) -> bool | None:
        fields: Mapping[str, Any] = value.fields
        for name in self.order(writer.dialect_version("hok")):
            writer.write_varint(fields[name])
        return True

    def upgrade(self, root: edit.Operation, version: Any) -> None:
        for op in root.regions[0].blocks[0].operations:
            if op.name == "hok.pad" and version < 2:
                op.declared_properties["x"] = 100

    def downgrade(self, root: edit.Operation, version: Any) -> list[str]:
        for op in root.regions[0].blocks[0].operations:
            if op.name == "hok.pad":
                op.declared_properties["y"] = 50
        return []


def hooked_file(hooked: Hooked, version: int, bytecode: int = 6) -> bytes:
    edited = mlirbc.read(edit.Module.create(version=bytecode).write(), dialects=[hooked]).edit()
    pad = edit.Operation.create("hok.pad", ip=edit.InsertionPoint(edited.body))
    pad.declared_properties.replace({"x": 7, "y": 9})
    edited.operation.attributes["hok.a"] = hooked.attribute("pair", x=7, y=9)
    versions.set_dialect_version(edited, "hok", version, codec=hooked, keep_opaque=version == 2)
    return edited.write()


class NotUpgrading(Hooked):
    upgrade = BytecodeDialectInterface.upgrade


def hooked_values(data: bytes) -> tuple[object, dict[str, object], Mapping[str, object]]:
    plain = NotUpgrading()
    module = mlirbc.read(data, dialects=[plain])
    assert mlirbc.fallback.opaque(module) == ()
    attribute: Any = module.operation.attributes["hok.a"]
    version = versions.dialect_version(module, "hok", plain)
    return version, dict(module.body.operations[0].properties.items()), attribute.fields


def test_hooks_write_the_properties_of_a_version_that_is_set() -> None:
    hooked = Hooked()
    current = hooked_file(hooked, 2)
    assert hooked_values(current) == (2, {"x": 7, "y": 9}, {"x": 7, "y": 9})
    hooked.written.clear()
    edited = mlirbc.read(current, dialects=[hooked]).edit()
    versions.set_dialect_version(edited, "hok", 1, codec=hooked)
    assert hooked.written == [1]
    edited.body.operations[0].declared_properties["x"] = 8
    assert hooked.written == [1, 1]
    assert hooked_values(edited.write()) == (1, {"x": 8, "y": 9}, {"x": 7, "y": 9})


def test_hooks_write_the_properties_of_a_downgrade() -> None:
    hooked = Hooked()
    edited = mlirbc.read(hooked_file(hooked, 2), dialects=[hooked]).edit()
    hooked.written.clear()
    assert versions.downgrade(edited, {"hok": 1}, [hooked]) == []
    assert set(hooked.written) == {1}
    for numbering in NUMBERINGS:
        data = edited.write(numbering=numbering)
        assert hooked_values(data) == (1, {"x": 7, "y": 50}, {"x": 7, "y": 9})


def test_hooks_write_the_properties_of_an_upgrade() -> None:
    hooked = Hooked()
    edited = mlirbc.read(hooked_file(Hooked(), 2), dialects=[hooked]).edit()
    versions.set_dialect_version(edited, "hok", 1, codec=hooked)
    old = edited.write()
    hooked.written.clear()
    module = mlirbc.read(old, dialects=[hooked])
    assert set(hooked.written) == {2}
    assert versions.dialect_version(module, "hok", hooked) == 2
    assert dict(module.body.operations[0].properties.items()) == {"x": 100, "y": 9}


def test_an_upgrade_without_its_version_is_not_written() -> None:
    hooked = Hooked()
    edited = mlirbc.read(hooked_file(hooked, 2), dialects=[hooked]).edit()
    versions.set_dialect_version(edited, "hok", 1, codec=hooked)
    module = mlirbc.read(edited.write())
    edited = mlirbc.read(module.write(), dialects=[NotUpgrading()]).edit()
    versions.upgrade(edited, module, [hooked])
    with pytest.raises(mlirbc.InvalidError, match="set the dialect version"):
        edited.write()
    versions.set_dialect_version(edited, "hok", 2, codec=hooked)
    assert hooked_values(edited.write()) == (2, {"x": 100, "y": 9}, {"x": 7, "y": 9})


def test_hooks_see_the_bytecode_version_of_the_edit() -> None:
    hooked = Hooked()
    hooked_file(hooked, 2, bytecode=5)
    assert set(hooked.bytecode) == {5}
