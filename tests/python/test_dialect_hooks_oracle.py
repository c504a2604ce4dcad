"""Hooks for the `test` dialect of `mlir-opt`, without its table: mlirbc and `mlir-opt` read each other's
files.
"""

from collections.abc import Mapping
from typing import Any, ClassVar

import mlirbc
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mlirbc.dialects import BytecodeDialectInterface, DialectValue

from support import oracles
from support.receivers import sent


class Test(BytecodeDialectInterface):
    """`TestDialectInterfaces.cpp`: two numbers whose order depends on the version, and an operation."""

    __test__ = False  # for pytest
    dialect = "test"
    current_version = (2, 0)
    attribute_parameters: ClassVar[Mapping[str, tuple[str, ...]]] = {"attr_params": ("v0", "v1")}

    def read_attribute(self, reader: mlirbc.DialectBytecodeReader) -> DialectValue | None:
        assert reader.read_varint() == 0
        version: Any = reader.dialect_version("test") or self.current_version
        first, second = reader.read_varint(), reader.read_varint()
        v0, v1 = (first, second) if version >= (2, 0) else (second, first)
        return DialectValue("attr_params", {"v0": v0, "v1": v1}, asm="<{v0}, {v1}>")

    def write_attribute(self, value: DialectValue, writer: mlirbc.DialectBytecodeWriter) -> None:
        fields: Mapping[str, Any] = value.fields
        version: Any = writer.dialect_version("test") or self.current_version
        writer.write_varint(0)
        for name in ("v0", "v1") if version >= (2, 0) else ("v1", "v0"):
            writer.write_varint(fields[name])

    def read_type(self, reader: mlirbc.DialectBytecodeReader) -> DialectValue | None:
        assert reader.read_varint() == 99
        return DialectValue("i32", class_name="TestI32Type")

    def write_type(self, value: DialectValue, writer: mlirbc.DialectBytecodeWriter) -> None:
        writer.write_varint(99)

    def read_properties(
        self, op_name: str, reader: mlirbc.DialectBytecodeReader
    ) -> Mapping[str, object] | None:
        if op_name != "test.with_versioned_properties":
            return None
        return {"value1": reader.read_varint(), "value2": reader.read_varint()}

    def write_properties(
        self, op_name: str, properties: Mapping[str, Any], writer: mlirbc.DialectBytecodeWriter
    ) -> bool:
        if op_name != "test.with_versioned_properties":
            return False
        writer.write_varint(properties["value1"])
        writer.write_varint(properties["value2"])
        return True

    def read_version(self, reader: mlirbc.DialectBytecodeReader) -> tuple[int, int]:
        return reader.read_varint(), reader.read_varint()

    def write_version(self, writer: mlirbc.DialectBytecodeWriter) -> None:
        version: Any = writer.dialect_version("test") or self.current_version
        for number in version:
            writer.write_varint(number)


def opened(data: bytes) -> mlirbc.Module:
    return mlirbc.read(data, unknown_dialects=["test"], dialects=[Test()])


def text_of(data: bytes) -> str:
    return oracles.checked(oracles.run_mlir_opt(22, ["--mlir-print-op-generic"], data)).decode()


SENT = """
"test.versionedB"() <{attribute = #test.attr_params<42, 24>}> : () -> ()
test.with_versioned_properties 1 | 2
"test.op"() {a = !test.i32} : () -> ()
"""


def test_what_mlir_wrote_is_read_and_edited() -> None:
    module = opened(sent(SENT))
    assert mlirbc.versions.dialect_versions(module, [Test()]) == {"test": (2, 0)}
    value = next(value for value in module.attributes if value.dialect == "test")
    assert value.fields == {"v0": 42, "v1": 24}
    assert value == Test().attribute("attr_params", 42, 24)
    ops = module.body.operations
    assert dict(ops[1].properties.items()) == {"value1": 1, "value2": 2}
    assert str(ops[2].attributes["a"]) == "!test.i32"
    edited = module.edit()
    edited[ops[1]].declared_properties["value2"] = 70
    edited[ops[2]].attributes["a"] = mlirbc.TypeAttr.get(Test().type("i32"))
    edited[ops[2]].attributes["b"] = Test().attribute("attr_params", 1 << 20, 7)
    text = text_of(edited.write())
    assert "#test.attr_params<42, 24>" in text
    assert "b = #test.attr_params<1048576, 7>" in text
    assert "value1 = 1" in text
    assert "value2 = 70" in text
    assert "a = !test.i32" in text


@pytest.mark.parametrize("version", [(1, 2), (2, 0)])
def test_what_depends_on_the_version_is_written_for_it(version: tuple[int, int]) -> None:
    edited = opened(sent('"test.op"() : () -> ()\n')).edit()
    op = edited.body.operations[0]
    op.attributes["a"] = Test().attribute_at({"test": version}, "attr_params", 42, 24)
    mlirbc.versions.set_dialect_version(edited, "test", version, codec=Test(), keep_opaque=True)
    data = edited.write()
    assert "a = #test.attr_params<42, 24>" in text_of(data)
    assert opened(data).body.operations[0].attributes["a"].fields == {"v0": 42, "v1": 24}


NUMBERS = st.integers(0, (1 << 32) - 1)


@settings(max_examples=20, deadline=None)
@given(rows=st.lists(st.tuples(NUMBERS, NUMBERS), min_size=1, max_size=20))
def test_random_values_are_those_of_mlir(rows: list[tuple[int, int]]) -> None:
    edited = opened(sent('"test.op"() : () -> ()\n')).edit()
    for number, row in enumerate(rows):
        edited.body.operations[0].attributes[f"a{number}"] = Test().attribute("attr_params", *row)
    text = text_of(edited.write(numbering="canonical"))
    for number, (first, second) in enumerate(rows):
        assert f"a{number} = #test.attr_params<{_signed(first)}, {_signed(second)}>" in text


def _signed(number: int) -> int:
    """MLIR has these parameters as 32-bit integers."""
    return number - (1 << 32) if number >= 1 << 31 else number


def test_values_are_written_again_for_another_version() -> None:
    """`mlir-opt` reads the two numbers in the order of the version that the file says."""
    text = '"test.op"() {a = #test.attr_params<42, 24>, b = [#test.attr_params<1, 2>, 3]} : () -> ()\n'
    edited = opened(sent(text)).edit()
    before = edited.write()
    assert mlirbc.versions.set_dialect_version(edited, "test", (1, 2), codec=Test())
    data = edited.write()
    assert data != before and edited.body.operations[0].attributes["a"].fields == {"v0": 42, "v1": 24}
    assert mlirbc.versions.dialect_versions(mlirbc.read(data), [Test()]) == {"test": (1, 2)}
    printed = text_of(data)
    assert "a = #test.attr_params<42, 24>" in printed and "[#test.attr_params<1, 2>, 3]" in printed
    # Without the hooks the bytes stay, and MLIR reads other numbers.
    raw = mlirbc.read(sent(text), unknown_dialects=["test"]).edit()
    with pytest.raises(mlirbc.UnsupportedError, match="2 attributes and types of test, the first attribute"):
        mlirbc.versions.set_dialect_version(raw, "test", (1, 2), codec=Test())
    mlirbc.versions.set_dialect_version(raw, "test", (1, 2), codec=Test(), keep_opaque=True)
    assert "a = #test.attr_params<24, 42>" in text_of(raw.write())


@settings(max_examples=20, deadline=None)
@given(rows=st.lists(st.tuples(NUMBERS, NUMBERS), min_size=1, max_size=20))
def test_random_values_survive_a_change_of_the_version(rows: list[tuple[int, int]]) -> None:
    prepared = opened(sent('"test.op"() : () -> ()\n')).edit()
    for number, row in enumerate(rows):
        prepared.body.operations[0].attributes[f"a{number}"] = Test().attribute("attr_params", *row)
    edited = opened(prepared.write()).edit()
    mlirbc.versions.set_dialect_version(edited, "test", (1, 2), codec=Test())
    data = edited.write()
    text = text_of(data)
    for number, (first, second) in enumerate(rows):
        assert f"a{number} = #test.attr_params<{_signed(first)}, {_signed(second)}>" in text
    back = opened(data).edit()
    mlirbc.versions.set_dialect_version(back, "test", (2, 0), codec=Test())
    attributes = opened(back.write()).body.operations[0].attributes
    for number, (first, second) in enumerate(rows):
        assert attributes[f"a{number}"].fields == {"v0": first, "v1": second}
