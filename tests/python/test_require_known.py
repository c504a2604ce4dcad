"""Files with parts that no table, schema or hook describes can be refused when they are opened."""

from pathlib import Path

import mlirbc
import pytest
from mlirbc.dialects import BytecodeDialectInterface, DialectValue

EXAMPLE = Path("examples/two_layers.mlirbc")
TABLE = {
    "dialect": "lone",
    "attribute": [{"code": 0, "name": "PairAttr", "mnemonic": "pair", "fields": ["first: signed"]}],
}


class Toy(BytecodeDialectInterface):
    dialect = "lone"

    def read_attribute(self, reader: mlirbc.DialectBytecodeReader) -> DialectValue | None:
        assert reader.read_varint() == 0
        return DialectValue("pair", {"first": reader.read_signed_varint()})


def file_with_toy() -> bytes:
    edited = mlirbc.edit.Module.create()
    mlirbc.edit.Operation.create("lone.pad", ip=mlirbc.edit.InsertionPoint(edited.body))
    edited.operation.attributes["lone.a"] = mlirbc.dialects.dialect(TABLE).attribute("pair", 1)
    edited.operation.attributes["foo.b"] = mlirbc.Attribute.parse("#foo.text<1>")
    return edited.write()


def test_what_is_known_opens() -> None:
    assert mlirbc.open(EXAMPLE, require_known=True).bytecode.version == 6
    assert mlirbc.read(EXAMPLE.read_bytes(), require_known=True).bytecode.version == 6


def test_all_unknown_parts_are_listed() -> None:
    data = file_with_toy()
    assert mlirbc.read(data).body.operations[0].name == "lone.pad"
    with pytest.raises(mlirbc.UnsupportedError) as refused:
        mlirbc.read(data, require_known=True)
    assert refused.value.identifier == "mlirbc.unsupported.unknown_content"
    for part in ("operation `lone.pad` (1)", "attributes of `lone` (1)", "attributes of `foo` (1)"):
        assert part in str(refused.value)
    foo = {"dialect": "foo", "attribute": []}
    for described in (TABLE, Toy()):
        with pytest.raises(mlirbc.UnsupportedError, match="describes attributes of `foo`"):
            mlirbc.read(data, dialects=[described], require_known=True)  # type: ignore[list-item]
        mlirbc.read(data, dialects=[described, foo], require_known=True)  # type: ignore[list-item]


def test_a_hook_that_fails_leaves_something_unknown() -> None:
    class Broken(Toy):
        def read_attribute(self, reader: mlirbc.DialectBytecodeReader) -> DialectValue | None:
            raise ValueError("no")

    foo = {"dialect": "foo", "attribute": []}
    with pytest.raises(mlirbc.UnsupportedError, match="attributes of `lone`"):
        mlirbc.read(file_with_toy(), dialects=[Broken(), foo], require_known=True)


def test_operations_of_known_dialects_that_no_release_has_are_unknown() -> None:
    edited = mlirbc.edit.Module.create()
    place = mlirbc.edit.InsertionPoint(edited.body)
    mlirbc.edit.Operation.create("arith.nothing", ip=place, verify=False)
    with pytest.raises(mlirbc.UnsupportedError, match=r"operation `arith\.nothing`"):
        mlirbc.read(edited.write(), require_known=True)
    with pytest.raises(mlirbc.UnsupportedError, match=r"`func\.func`"):
        mlirbc.open(EXAMPLE, unknown_dialects=["func"], require_known=True)


def test_a_long_list_ends() -> None:
    edited = mlirbc.edit.Module.create()
    for number in range(50):
        mlirbc.edit.Operation.create(f"lone.op{number}", ip=mlirbc.edit.InsertionPoint(edited.body))
    with pytest.raises(mlirbc.UnsupportedError, match="and 30 more"):
        mlirbc.read(edited.write(), require_known=True)
