"""Hooks of dialects in Python: values, properties, versions, upgrades, and hooks that do wrong."""

import contextlib
import runpy
import signal
import threading
from collections.abc import Callable, Mapping
from typing import Any, ClassVar

import mlirbc
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mlirbc.dialects import BytecodeDialectInterface, DialectValue

from support.sampling import examples

# A table with the encodings of the hooks below: it writes the files.
BOX = [
    "inner: attribute",
    "type: type",
    "note: optional_attribute",
    "names: list(string)",
    "wide: int(80)",
    "data: blob",
    "parts: list(attribute)",
]
PAIR = {
    "code": 0,
    "name": "PairAttr",
    "mnemonic": "pair",
    "fields": ["first: signed", "second: signed"],
    "asm": "<{first}, {second}>",
}
GRID = {
    "code": 0,
    "name": "GridType",
    "mnemonic": "grid",
    "fields": ["shape: list(signed)", "element: type"],
}
TABLE = {
    "dialect": "toy",
    "attribute": [PAIR, {"code": 1, "name": "BoxAttr", "mnemonic": "box", "fields": BOX}],
    "type": [GRID],
}


class Toy(BytecodeDialectInterface):
    dialect = "toy"
    attribute_parameters: ClassVar[Mapping[str, tuple[str, ...]]] = {"pair": ("first", "second")}
    type_parameters: ClassVar[Mapping[str, tuple[str, ...]]] = {"grid": ("shape", "element")}

    def __init__(self) -> None:
        self.calls: list[str] = []

    def read_attribute(self, reader: mlirbc.DialectBytecodeReader) -> DialectValue | None:
        self.calls.append("attribute")
        match reader.read_varint():
            case 0:
                fields: dict[str, object] = {
                    "first": reader.read_signed_varint(),
                    "second": reader.read_signed_varint(),
                }
                return DialectValue("pair", fields, "PairAttr", "<{first}, {second}>")
            case 1:
                fields = {
                    "inner": reader.read_attribute(),
                    "type": reader.read_type(),
                    "note": reader.read_optional_attribute(),
                    "names": reader.read_list(reader.read_string),
                    "wide": reader.read_apint_with_known_width(80),
                    "data": reader.read_blob(),
                    "parts": reader.read_list(reader.read_attribute),
                }
                return DialectValue("box", fields)
        return None

    def write_attribute(self, value: DialectValue, writer: mlirbc.DialectBytecodeWriter) -> bool | None:
        fields: Mapping[str, Any] = value.fields
        match value.mnemonic:
            case "pair":
                writer.write_varint(0)
                writer.write_signed_varint(fields["first"])
                writer.write_signed_varint(fields["second"])
            case "box":
                writer.write_varint(1)
                writer.write_attribute(fields["inner"])
                writer.write_type(fields["type"])
                writer.write_optional_attribute(fields.get("note"))
                writer.write_list(fields["names"], writer.write_string)
                writer.write_apint_with_known_width(fields["wide"], 80)
                writer.write_blob(fields["data"])
                writer.write_list(fields["parts"], writer.write_attribute)
            case _:
                return False
        return True

    def read_type(self, reader: mlirbc.DialectBytecodeReader) -> DialectValue | None:
        self.calls.append("type")
        assert reader.read_varint() == 0
        return DialectValue(
            "grid",
            {"shape": reader.read_list(reader.read_signed_varint), "element": reader.read_type()},
            asm="<{shape:dims}{element}>",
        )

    def write_type(self, value: DialectValue, writer: mlirbc.DialectBytecodeWriter) -> None:
        fields: Mapping[str, Any] = value.fields
        writer.write_varint(0)
        writer.write_list(fields["shape"], writer.write_signed_varint)
        writer.write_type(fields["element"])


TOY = mlirbc.dialects.dialect(TABLE)
I32 = mlirbc.IntegerType.get_signless(32)


def file_with(**attributes: mlirbc.Attribute) -> bytes:
    edited = mlirbc.edit.Module.create()
    for name, value in attributes.items():
        edited.operation.attributes[f"toy.{name}"] = value
    return edited.write()


def box(**more: object) -> mlirbc.Attribute:
    fields: dict[str, object] = {
        "inner": TOY.attribute("pair", 1, -2),
        "type": TOY.type("grid", [2, 3], I32),
        "note": None,
        "names": ["a", "b"],
        "wide": 1 << 70,
        "data": b"\x00\x01",
        "parts": [mlirbc.StringAttr.get("x"), TOY.attribute("pair", 3, 4)],
    }
    return TOY.attribute("box", **(fields | more))


def value_in(data: bytes, name: str, *interfaces: BytecodeDialectInterface) -> mlirbc.Attribute:
    module = mlirbc.read(data, dialects=list(interfaces))
    return module.operation.attributes[f"toy.{name}"]


def test_hooks_run_when_a_value_is_asked_for() -> None:
    toy = Toy()
    module = mlirbc.read(file_with(a=TOY.attribute("pair", 1, -2), b=box()), dialects=[toy])
    values = [module.operation.attributes[name] for name in ("toy.a", "toy.b")]
    list(module.attributes)
    assert toy.calls == []
    assert values[0].fields == {"first": 1, "second": -2}
    assert values[0].class_name == "PairAttr"
    assert str(values[0]) == "#toy.pair<1, -2>"
    assert toy.calls == ["attribute"]
    assert values[1].fields["names"] == ["a", "b"]
    assert toy.calls == ["attribute"] * 2
    assert "grid<2x3xi32>" in str(values[1])
    assert toy.calls.count("type") == 1


def test_values_of_hooks_have_fields_text_and_equality() -> None:
    toy = Toy()
    data = file_with(b=box())
    value = value_in(data, "b", toy)
    assert value.fields["wide"] == 1 << 70
    assert bytes(value.fields["data"]) == b"\x00\x01"  # type: ignore[call-overload]
    assert "note" not in value.fields
    inner = value.fields["inner"]
    assert inner == toy.attribute("pair", 1, -2)
    assert inner != toy.attribute("pair", 1, 2)
    assert hash(inner) == hash(toy.attribute("pair", 1, -2))
    rebuilt = toy.attribute("box", **{**value.fields})
    assert rebuilt == value
    assert str(rebuilt) == str(value)
    assert value.fields["type"] == toy.type("grid", [2, 3], I32)
    assert mlirbc.fallback.opaque(mlirbc.read(data, dialects=[toy])) == ()


def test_made_values_are_written_in_the_native_encoding() -> None:
    toy = Toy()
    rebuilt = toy.attribute("box", **{**value_in(file_with(b=box()), "b", toy).fields})
    data = file_with(b=rebuilt)
    assert data == file_with(b=box())
    by_table = mlirbc.read(data, dialects=[TABLE]).operation.attributes["toy.b"]
    assert by_table.class_name == "BoxAttr"


@pytest.mark.parametrize("numbering", ["preserve", "canonical", "strictest"])
def test_modules_with_hooks_are_renumbered(numbering: Any) -> None:
    toy = Toy()
    edited = mlirbc.read(file_with(b=box()), dialects=[toy]).edit()
    edited.operation.attributes["toy.first"] = toy.attribute("pair", 5, 6)
    edited.operation.attributes["alpha"] = mlirbc.StringAttr.get("new")
    again = mlirbc.read(edited.write(numbering=numbering), dialects=[TABLE])
    assert again.operation.attributes["toy.first"].fields == {"first": 5, "second": 6}
    assert str(again.operation.attributes["toy.b"].fields["inner"]) == "#toy.pair<1, -2>"
    again.verify()


def test_values_move_to_other_files() -> None:
    toy = Toy()
    value = value_in(file_with(b=box()), "b", toy)
    edited = mlirbc.open("examples/two_layers.mlirbc").edit()
    edited.operation.attributes["toy.b"] = value
    again = mlirbc.read(edited.write(), dialects=[Toy()])
    assert again.operation.attributes["toy.b"] == value


def test_printing_a_module_runs_the_hooks() -> None:
    data = file_with(b=box())
    text = mlirbc.read(data, dialects=[Toy()]).operation.get_asm()
    assert "#toy.pair<1, -2>" in text
    assert "ENCODED" not in text


# ---- hooks that do wrong ----


class Wrong(Toy):
    def __init__(self, hook: Callable[[mlirbc.DialectBytecodeReader], Any]) -> None:
        super().__init__()
        self._hook = hook

    def read_attribute(self, reader: mlirbc.DialectBytecodeReader) -> DialectValue | None:
        value: DialectValue | None = self._hook(reader)
        return value


def reads_past_the_end(reader: mlirbc.DialectBytecodeReader) -> DialectValue:
    for _ in range(3):
        reader.read_varint()
    with contextlib.suppress(mlirbc.ReadError):  # it stays an error
        reader.read_varint()
    return DialectValue("pair")


def recurses(reader: mlirbc.DialectBytecodeReader) -> DialectValue:
    return recurses(reader)


def never_ends(reader: mlirbc.DialectBytecodeReader) -> DialectValue:
    while True:
        reader.read_rest()


def nested(depth: int) -> list[Any]:
    return [nested(depth - 1)] if depth else []


@pytest.mark.parametrize(
    ("hook", "reason"),
    [
        (lambda reader: 1 // 0, "read_attribute of toy raised ZeroDivisionError"),
        (lambda reader: 5, "expected a DialectValue or None, not int"),
        (lambda reader: DialectValue("pair"), "the hook leaves 3 of 3 bytes"),
        (lambda reader: DialectValue("pair", {"a": 1.5}, "A"), "field `a`: expected None, a bool"),
        (lambda reader: DialectValue("pair", {"a": nested(40)}), "nested more than 32"),
        (lambda reader: DialectValue("pair", asm="<{x}>") if reader.read_rest() else None, "no field `x`"),
        (reads_past_the_end, "the end of the"),
        (recurses, "RecursionError"),
        (never_ends, "reads more often than the value has bytes"),
        (lambda reader: reader.read_varint() or reader.read_list(lambda: 0), "a list of"),
    ],
)
def test_a_wrong_hook_leaves_the_value_opaque(hook: Any, reason: str) -> None:
    data = file_with(a=TOY.attribute("pair", 1, -2))
    module = mlirbc.read(data, dialects=[Wrong(hook)])
    value = module.operation.attributes["toy.a"]
    assert reason in (value.opaque_reason or "")
    assert value.fields == {}
    assert value.class_name is None
    assert [row.name for row in mlirbc.fallback.opaque(module)] == ["toy"]
    assert module.write() == data
    edited = module.edit()
    edited.operation.attributes["x"] = mlirbc.UnitAttr.get()
    again = mlirbc.read(edited.write(), dialects=[TABLE])
    assert str(again.operation.attributes["toy.a"]) == "#toy.pair<1, -2>"


def test_a_hook_that_asks_for_itself_is_opaque() -> None:
    data = file_with(a=TOY.attribute("pair", 1, -2))
    attributes: list[mlirbc.Attribute] = []

    def hook(reader: mlirbc.DialectBytecodeReader) -> DialectValue:
        return DialectValue("pair", {"x": len(attributes[0].fields), "rest": reader.read_rest()})

    value = value_in(data, "a", Wrong(hook))
    attributes.append(value)
    assert "the hook asks for the fields of the value that it reads" in (value.opaque_reason or "")


def test_a_hook_may_ask_for_what_it_refers_to() -> None:
    class Deep(Toy):
        def read_attribute(self, reader: mlirbc.DialectBytecodeReader) -> DialectValue | None:
            value = super().read_attribute(reader)
            if value is not None and isinstance(inner := value.fields.get("inner"), mlirbc.Attribute):
                depth = inner.fields.get("depth", 0)
                assert isinstance(depth, int)
                return DialectValue("box", {**value.fields, "depth": depth + 1})
            return value

    def tower(height: int) -> mlirbc.Attribute:
        value = TOY.attribute("pair", 1, -2)
        for _ in range(height):
            value = box(inner=value, parts=[])
        return value

    assert value_in(file_with(a=tower(20)), "a", Deep()).fields["depth"] == 20
    deep = value_in(file_with(a=tower(200)), "a", Deep())
    assert "nested more than 64 deep" in (deep.opaque_reason or "")
    # Values that are less deep can be asked for.
    module = mlirbc.read(file_with(a=tower(200)), dialects=[Deep()])
    values = [value for value in module.attributes if value.dialect == "toy"]
    assert sum(value.opaque_reason is not None for value in reversed(values)) in (0, 137)


def test_a_reader_is_of_no_use_after_its_hook() -> None:
    readers: list[mlirbc.DialectBytecodeReader] = []

    def hook(reader: mlirbc.DialectBytecodeReader) -> DialectValue:
        readers.append(reader)
        return DialectValue("pair", {"rest": reader.read_rest()})

    assert value_in(file_with(a=TOY.attribute("pair", 1, -2)), "a", Wrong(hook)).fields
    with pytest.raises(ValueError, match="the hook has returned"):
        readers[0].read_varint()


ASKS: list[Callable[[mlirbc.Attribute], object]] = [
    lambda value: value.fields,
    lambda value: value.class_name,
    lambda value: value.opaque_reason,
    lambda value: value == mlirbc.UnitAttr.get(),
    str,
    repr,
    hash,
]


@pytest.mark.parametrize("ask", ASKS)
def test_control_c_in_a_hook_is_raised_and_not_kept(ask: Callable[[mlirbc.Attribute], object]) -> None:
    pending = [KeyboardInterrupt]

    def hook(reader: mlirbc.DialectBytecodeReader) -> DialectValue:
        if pending:
            raise pending.pop()
        return DialectValue("pair", {"rest": reader.read_rest()})

    value = value_in(file_with(a=TOY.attribute("pair", 1, -2)), "a", Wrong(hook))
    with pytest.raises(KeyboardInterrupt):
        ask(value)
    assert bytes(value.fields["rest"]) == b"\x01\x05\x07"  # type: ignore[call-overload]


def test_control_c_stops_a_hook_that_never_ends() -> None:
    # A shell starts what runs in its background with the signal ignored.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)

    def hook(reader: mlirbc.DialectBytecodeReader) -> DialectValue:
        signal.raise_signal(signal.SIGINT)
        while True:
            pass

    value = value_in(file_with(a=TOY.attribute("pair", 1, -2)), "a", Wrong(hook))
    try:
        with pytest.raises(KeyboardInterrupt):
            str(value)
    finally:
        signal.signal(signal.SIGINT, before)


def test_what_is_written_must_be_read_again() -> None:
    class Other(Toy):
        def write_attribute(self, value: DialectValue, writer: mlirbc.DialectBytecodeWriter) -> bool | None:
            swapped = {"first": value.fields["second"], "second": value.fields["first"]}
            return super().write_attribute(DialectValue("pair", swapped), writer)

    with pytest.raises(
        mlirbc.InvalidError, match="reads something else than it wrote: field `first` differs"
    ):
        Other().attribute("pair", 1, 2)
    with pytest.raises(mlirbc.InvalidError, match="no hook of toy writes `nothing`"):
        Toy().attribute("nothing")
    with pytest.raises(mlirbc.InvalidError, match="KeyError"):
        Toy().attribute("pair", 1)
    with pytest.raises(TypeError, match="takes 2 arguments"):
        Toy().attribute("pair", 1, 2, 3)
    with pytest.raises(mlirbc.InvalidError, match="OverflowError"):
        Toy().attribute("pair", 1, 1 << 70)


def test_threads_with_hooks() -> None:
    toy = Toy()
    values = {f"v{number}": TOY.attribute("pair", number, -number) for number in range(50)}
    module = mlirbc.read(file_with(**values), dialects=[toy])
    results: list[list[object]] = []

    def work() -> None:
        results.append([module.operation.attributes[f"toy.{name}"].fields["first"] for name in values])

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [list(range(50))] * 4


# ---- properties ----


class Padding(Toy):
    """Properties of `toy.pad`: a number, an attribute, and names since version 2."""

    current_version = (2,)

    def read_properties(
        self, op_name: str, reader: mlirbc.DialectBytecodeReader
    ) -> Mapping[str, object] | None:
        if op_name != "toy.pad":
            return None
        properties: dict[str, object] = {"by": reader.read_varint(), "value": reader.read_attribute()}
        if (reader.dialect_version("toy") or (2,)) >= (2,):  # type: ignore[operator]
            properties["names"] = reader.read_list(reader.read_string)
        return properties

    def write_properties(
        self, op_name: str, properties: Mapping[str, Any], writer: mlirbc.DialectBytecodeWriter
    ) -> bool | None:
        if op_name != "toy.pad":
            return False
        writer.write_varint(properties["by"])
        writer.write_attribute(properties["value"])
        writer.write_list(properties["names"], writer.write_string)
        return True

    def read_version(self, reader: mlirbc.DialectBytecodeReader) -> tuple[int, ...]:
        return (reader.read_varint(),)

    def write_version(self, writer: mlirbc.DialectBytecodeWriter) -> None:
        version: Any = writer.dialect_version("toy") or self.current_version
        writer.write_varint(version[0])


def pads(interface: BytecodeDialectInterface, count: int = 1) -> bytes:
    edited = mlirbc.read(mlirbc.edit.Module.create().write(), dialects=[interface]).edit()
    for number in range(count):
        pad = mlirbc.edit.Operation.create("toy.pad", ip=mlirbc.edit.InsertionPoint(edited.body))
        value = TOY.attribute("pair", number, -1)
        pad.declared_properties.replace({"by": number, "value": value, "names": ["a", "b"]})
    return edited.write()


def test_properties_are_read_and_edited_by_name() -> None:
    data = pads(Padding(), 2)
    module = mlirbc.read(data, dialects=[Padding()])
    pad = module.body.operations[1]
    assert pad.property_state == "decoded"
    assert pad.properties["by"] == 1
    assert pad.properties["names"] == ["a", "b"]
    assert str(pad.properties["value"]) == "#toy.pair<1, -1>"
    text = '"toy.pad"() <{by = 1, names = ["a", "b"], value = #toy.pair<1, -1>}> : () -> ()'
    assert text in module.operation.get_asm()
    edited = module.edit()
    editable = edited[pad]
    assert dict(editable.declared_properties)["by"] == 1
    editable.declared_properties["by"] = 70
    editable.declared_properties["value"] = mlirbc.StringAttr.get("new")
    assert editable.declared_properties["value"] == mlirbc.StringAttr.get("new")
    for numbering in ("preserve", "canonical"):
        again = mlirbc.read(edited.write(numbering=numbering), dialects=[Padding()])
        assert dict(again.body.operations[1].properties.items()) == {
            "by": 70, "value": mlirbc.StringAttr.get("new"), "names": ["a", "b"]}  # fmt: skip
        assert str(again.body.operations[0].properties["value"]) == "#toy.pair<0, -1>"
    with pytest.raises(mlirbc.InvalidError, match="KeyError"):
        del editable.declared_properties["by"]
    assert editable.declared_properties["by"] == 70


@pytest.mark.parametrize("is_edited", [False, True])
def test_operations_with_properties_and_values_of_hooks_are_cloned(is_edited: bool) -> None:
    prepared = mlirbc.read(pads(Padding(), 2), dialects=[Padding()]).edit()
    prepared.body.operations[1].attributes["toy.box"] = box()
    source = mlirbc.read(prepared.write(), dialects=[Padding()]).edit()
    pad = source.body.operations[1]
    if is_edited:
        pad.attributes["toy.pair"] = Toy().attribute("pair", 5, 6)
        pad.declared_properties["by"] = 70
    target = mlirbc.read(file_with(pair=TOY.attribute("pair", 9, 9)), dialects=[Padding()]).edit()
    copy = target.clone(pad)
    assert copy.attributes["toy.box"] == pad.attributes["toy.box"]
    again = mlirbc.read(target.write(), dialects=[Padding()]).body.operations[0]
    assert again.properties["by"] == (70 if is_edited else 1)
    assert str(again.properties["value"]) == "#toy.pair<1, -1>"
    assert again.properties["names"] == ["a", "b"]
    assert again.attributes["toy.box"] == pad.attributes["toy.box"]
    if is_edited:
        assert again.attributes["toy.pair"].fields == {"first": 5, "second": 6}


def test_a_rollback_undoes_declared_properties() -> None:
    edited = mlirbc.read(pads(Padding()), dialects=[Padding()]).edit()
    before = edited.checkpoint()
    pad = edited.body.operations[0]
    pad.declared_properties["by"] = 70
    edited.rollback(before)
    assert pad.declared_properties["by"] == 0
    pad.declared_properties["by"] = 71
    assert pad.declared_properties["by"] == 71
    again = mlirbc.read(edited.write(), dialects=[Padding()])
    assert again.body.operations[0].properties["by"] == 71


def test_properties_of_tables_are_edited_by_name_and_have_gates() -> None:
    table = {
        "dialect": "toy",
        "version": ["major: varint"],
        "op": [
            {"name": "pad", "fields": ["by: varint", "exact: bool"],
             "gates": [{"before": "2", "fields": ["by: signed"]}]}
        ],
    }  # fmt: skip
    edited = mlirbc.read(mlirbc.edit.Module.create().write(), dialects=[table]).edit()
    pad = mlirbc.edit.Operation.create("toy.pad", ip=mlirbc.edit.InsertionPoint(edited.body))
    pad.declared_properties.replace({"by": 3, "exact": True})
    pad.declared_properties["by"] = 4
    with pytest.raises(mlirbc.InvalidError, match="field `exact`"):
        pad.declared_properties["exact"] = "no"
    data = edited.write()
    assert dict(mlirbc.read(data, dialects=[table]).body.operations[0].properties.items()) == {
        "by": 4, "exact": True}  # fmt: skip
    pad.property_blob = b"\x07"
    mlirbc.versions.set_dialect_version(edited, "toy", b"\x03", keep_opaque=True)
    old = mlirbc.read(edited.write(), dialects=[table])
    assert dict(old.body.operations[0].properties.items()) == {"by": -2}


# ---- versions ----


class Upgrading(Padding):
    def upgrade(self, root: mlirbc.edit.Operation, version: Any) -> None:
        self.calls.append(f"upgrade {version}")
        for op in root.regions[0].blocks[0].operations:
            if op.name == "toy.pad" and version < (2,):
                op.declared_properties.replace({**op.declared_properties, "names": ["upgraded"]})


def old_file() -> bytes:
    class Old(Padding):
        def write_properties(
            self, op_name: str, properties: Mapping[str, Any], writer: mlirbc.DialectBytecodeWriter
        ) -> bool | None:
            writer.write_varint(properties["by"])
            writer.write_attribute(properties["value"])
            return True

        def read_properties(
            self, op_name: str, reader: mlirbc.DialectBytecodeReader
        ) -> Mapping[str, object] | None:
            return {"by": reader.read_varint(), "value": reader.read_attribute()}

    edited = mlirbc.read(mlirbc.edit.Module.create().write(), dialects=[Old()]).edit()
    pad = mlirbc.edit.Operation.create("toy.pad", ip=mlirbc.edit.InsertionPoint(edited.body))
    pad.declared_properties.replace({"by": 7, "value": mlirbc.UnitAttr.get()})
    assert mlirbc.versions.set_dialect_version(edited, "toy", b"\x03", keep_opaque=True)
    return edited.write()


def test_opening_gives_upgraded_ir() -> None:
    data, toy = old_file(), Upgrading()
    assert mlirbc.versions.dialect_version(mlirbc.read(data), "toy") == mlirbc.versions.OpaqueVersion(b"\x03")
    module = mlirbc.read(data, dialects=[toy])
    assert "upgrade (1,)" in toy.calls
    assert module.body.operations[0].properties["names"] == ["upgraded"]
    assert mlirbc.versions.dialect_versions(module, [toy]) == {"toy": (2,)}
    # Upgraded contents are not upgraded again, and a current file is the file itself.
    toy.calls.clear()
    again = mlirbc.read(module.write(), dialects=[toy])
    assert again.write() == module.write()
    assert "upgrade (1,)" not in toy.calls


def test_newer_versions_are_refused_or_passed_on() -> None:
    class Strict(Upgrading):
        newer_versions = "refuse"

    edited = mlirbc.read(old_file()).edit()
    mlirbc.versions.set_dialect_version(edited, "toy", b"\x07", keep_opaque=True)
    data = edited.write()
    with pytest.raises(mlirbc.UnsupportedError, match=r"version \(3,\) of toy is newer than \(2,\)"):
        mlirbc.read(data, dialects=[Strict()])
    toy = Upgrading()
    assert mlirbc.read(data, dialects=[toy]).write() == data
    assert toy.calls == []


def test_an_upgrade_may_refuse() -> None:
    class Refusing(Upgrading):
        def upgrade(self, root: mlirbc.edit.Operation, version: Any) -> None:
            raise NotImplementedError("too old")

    with pytest.raises(NotImplementedError, match="too old"):
        mlirbc.read(old_file(), dialects=[Refusing()])


def test_any_attribute_or_type_can_be_replaced_on_reading_and_writing() -> None:
    class Other(BytecodeDialectInterface):
        dialect = "other"

        def override_type_on_read(self, type: mlirbc.Type) -> mlirbc.Type | None:
            return mlirbc.F64Type.get() if type == mlirbc.F32Type.get() else None

        def override_attribute_on_read(self, attribute: mlirbc.Attribute) -> mlirbc.Attribute | None:
            return mlirbc.StringAttr.get("entry") if attribute == mlirbc.StringAttr.get("main") else None

        def override_type_on_write(self, type: mlirbc.Type) -> mlirbc.Type | None:
            return mlirbc.F32Type.get() if type == mlirbc.F64Type.get() else None

    module = mlirbc.open("examples/two_layers.mlirbc", dialects=[Other()])
    assert mlirbc.F64Type.get() in list(module.types)
    assert mlirbc.F32Type.get() not in list(module.types)
    assert module.body.operations[1].attributes["sym_name"] == mlirbc.StringAttr.get("entry")
    edited = module.edit()
    assert mlirbc.versions.downgrade(edited, {}, [Other()]) == []
    assert mlirbc.F32Type.get() in list(mlirbc.read(edited.write()).types)


def test_versions_of_dialects_that_are_not_used() -> None:
    edited = mlirbc.open("examples/two_layers.mlirbc").edit()
    assert not mlirbc.versions.set_dialect_version(edited, "toy", b"\x05")
    assert mlirbc.versions.set_dialect_version(edited, "toy", b"\x05", add=True)
    module = mlirbc.read(edited.write())
    assert mlirbc.versions.dialect_versions(module) == {"toy": mlirbc.versions.OpaqueVersion(b"\x05")}


def test_values_are_made_for_a_version() -> None:
    class Versioned(Toy):
        def write_attribute(self, value: DialectValue, writer: mlirbc.DialectBytecodeWriter) -> bool | None:
            names = ("second", "first") if writer.dialect_version("toy") == 1 else ("first", "second")
            fields: Mapping[str, Any] = value.fields
            for name in names:
                writer.write_signed_varint(fields[name])
            return True

        def read_attribute(self, reader: mlirbc.DialectBytecodeReader) -> DialectValue | None:
            names = ("second", "first") if reader.dialect_version("toy") == 1 else ("first", "second")
            return DialectValue("pair", {name: reader.read_signed_varint() for name in names})

    assert Versioned().attribute("pair", 1, 2).payload == b"\x05\x09"
    assert Versioned().attribute_at({"toy": 1}, "pair", 1, 2).payload == b"\x09\x05"


def test_the_example() -> None:
    """`examples/toy_dialect.py` writes and reads everything that it has."""
    toy = runpy.run_path("examples/toy_dialect.py")["ToyDialect"]()
    edited = mlirbc.read(mlirbc.edit.Module.create().write(), dialects=[toy]).edit()
    pair, grid = toy.attribute("pair", 3, -5), toy.type("grid", [2, -1], I32)
    edited.operation.attributes["toy.pair"] = pair
    edited.operation.attributes["toy.grid"] = mlirbc.TypeAttr.get(grid)
    pad = mlirbc.edit.Operation.create("toy.pad", ip=mlirbc.edit.InsertionPoint(edited.body))
    pad.declared_properties.replace({"by": 2, "value": pair, "names": ["n"]})
    mlirbc.versions.set_dialect_version(edited, "toy", 2, codec=toy)
    data = edited.write()
    module = mlirbc.read(data, dialects=[toy])
    assert module.operation.attributes["toy.pair"] == pair
    assert str(module.operation.attributes["toy.grid"]) == "!toy.grid<2x-1xi32>"
    assert module.body.operations[0].properties["names"] == ["n"]
    assert mlirbc.versions.dialect_versions(module, [toy]) == {"toy": 2}
    assert mlirbc.fallback.opaque(module) == ()
    edited = mlirbc.read(data).edit()
    mlirbc.versions.set_dialect_version(edited, "toy", b"\x07", keep_opaque=True)
    with pytest.raises(mlirbc.UnsupportedError, match="version 3 of toy is newer than 2"):
        mlirbc.read(edited.write(), dialects=[toy])


class Nested(Toy):
    """Values in values, with the version before each number."""

    current_version = 2

    def read_version(self, reader: mlirbc.DialectBytecodeReader) -> int:
        return reader.read_varint()

    def write_version(self, writer: mlirbc.DialectBytecodeWriter) -> None:
        version: Any = writer.dialect_version("toy")
        writer.write_varint(version)

    def read_attribute(self, reader: mlirbc.DialectBytecodeReader) -> DialectValue | None:
        version: Any = reader.dialect_version("toy") or 2
        number = reader.read_signed_varint() if version > 1 else reader.read_varint()
        return DialectValue("nest", {"number": number, "inner": reader.read_optional_attribute()})

    def write_attribute(self, value: DialectValue, writer: mlirbc.DialectBytecodeWriter) -> bool | None:
        fields: Mapping[str, Any] = value.fields
        version: Any = writer.dialect_version("toy") or 2
        if version > 1:
            writer.write_signed_varint(fields["number"])
        elif fields["number"] < 0:
            raise ValueError("version 1 has no negative numbers")
        else:
            writer.write_varint(fields["number"])
        writer.write_optional_attribute(fields.get("inner"))
        return True


def file_of_nested(toy: BytecodeDialectInterface, *numbers: int) -> mlirbc.Module:
    edited = mlirbc.edit.Module.create()
    value: mlirbc.Attribute | None = None
    for number in numbers:
        value = toy.attribute("nest", number=number, inner=value)
    assert value is not None
    edited.operation.attributes["toy.a"] = value
    edited.operation.attributes["toy.b"] = mlirbc.ArrayAttr.get([value, mlirbc.StringAttr.get("x" * 600)])
    return mlirbc.read(edited.write(), dialects=[toy])


def numbers_of(value: Any) -> list[int]:
    numbers = []
    while value is not None:
        numbers.append(value.fields["number"])
        value = value.fields.get("inner")
    return numbers[::-1]


def test_nested_values_are_written_again_for_a_version() -> None:
    toy = Nested()
    edited = file_of_nested(toy, 1, 2, 3).edit()
    assert mlirbc.versions.set_dialect_version(edited, "toy", 1, codec=toy)
    for numbering in ("preserve", "canonical"):
        module = mlirbc.read(edited.write(numbering=numbering), dialects=[toy])  # type: ignore[arg-type]
        module.verify()
        assert numbers_of(module.operation.attributes["toy.a"]) == [1, 2, 3]
        assert len([value for value in module.attributes if value.dialect == "toy"]) == 3
    back = mlirbc.read(edited.write(), dialects=[toy]).edit()
    mlirbc.versions.set_dialect_version(back, "toy", 2, codec=toy)
    again = mlirbc.read(back.write(), dialects=[toy])
    assert numbers_of(again.operation.attributes["toy.a"]) == [1, 2, 3]
    assert mlirbc.fallback.opaque(again) == ()


def test_a_hook_that_cannot_write_a_version_changes_nothing() -> None:
    toy = Nested()
    edited = file_of_nested(toy, 1, -2).edit()
    before = edited.write()
    with pytest.raises(ValueError, match="version 1 has no negative numbers"):
        mlirbc.versions.set_dialect_version(edited, "toy", 1, codec=toy)
    assert edited.write() == before

    class Silent(Nested):
        def write_attribute(self, value: DialectValue, writer: mlirbc.DialectBytecodeWriter) -> bool | None:
            return False

    data = before
    edited = mlirbc.read(data, dialects=[Silent()]).edit()
    with pytest.raises(mlirbc.UnsupportedError, match="2 attributes and types of toy"):
        mlirbc.versions.set_dialect_version(edited, "toy", 1, codec=Silent())
    assert edited.write() == data


# ---- random values and edits ----

NAMES = st.text(max_size=5).map(lambda text: text.replace("\0", ""))
LEAVES = st.builds(
    lambda first, second: TOY.attribute("pair", first, second),
    st.integers(-(1 << 63), (1 << 63) - 1),
    st.integers(-(1 << 63), (1 << 63) - 1),
)
VALUES = st.recursive(
    LEAVES,
    lambda inner: st.builds(
        lambda inner, shape, note, names, wide, data, parts: box(
            inner=inner,
            type=TOY.type("grid", shape, I32),
            note=note,
            names=names,
            wide=wide,
            data=data,
            parts=parts,
        ),
        shape=st.lists(st.integers(-(1 << 63), (1 << 63) - 1), max_size=3),
        inner=inner,
        note=st.none() | inner,
        names=st.lists(NAMES, max_size=3),
        wide=st.integers(0, (1 << 80) - 1),
        data=st.binary(max_size=300),
        parts=st.lists(inner, max_size=3),
    ),
    max_leaves=5,
)


@settings(max_examples=examples(1000), deadline=None)
@given(
    value=VALUES,
    edits=st.lists(st.tuples(st.sampled_from("abc"), VALUES | NAMES.map(mlirbc.StringAttr.get)), max_size=3),
    numbering=st.sampled_from(["preserve", "canonical", "strictest"]),
)
def test_values_round_trip_beside_edits(
    value: mlirbc.Attribute, edits: list[tuple[str, mlirbc.Attribute]], numbering: Any
) -> None:
    toy = Padding()
    module = mlirbc.read(file_with(value=value), dialects=[toy])
    mine = module.operation.attributes["toy.value"]
    remade = toy.attribute("pair" if "first" in mine.fields else "box", **mine.fields)
    assert remade == mine
    edited = module.edit()
    for name, new in edits:
        edited.operation.attributes[f"new.{name}"] = new
    edited.operation.attributes["toy.remade"] = remade
    pad = mlirbc.edit.Operation.create("toy.pad", ip=mlirbc.edit.InsertionPoint(edited.body))
    pad.declared_properties.replace({"by": 1, "value": mine, "names": ["x"]})
    data = edited.write(numbering=numbering)
    again = mlirbc.read(data, dialects=[toy])
    by_table = mlirbc.read(data, dialects=[TABLE])
    for name in ("toy.value", "toy.remade"):
        assert again.operation.attributes[name] == mine
        assert by_table.operation.attributes[name] == value
    for name, new in dict(edits).items():
        assert by_table.operation.attributes[f"new.{name}"] == new
    assert again.body.operations[0].properties["value"] == mine
    assert mlirbc.read(again.write(numbering="canonical")).verify() is not None
