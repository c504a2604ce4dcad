"""Values of hooks from text: attributes and types that the hooks of their dialects write."""

from collections.abc import Mapping, Sequence
from typing import TypeVar

from mlirbc import _mlirbc, edit, versions
from mlirbc._attributes import TypeAttr
from mlirbc._interface import BytecodeDialectInterface
from mlirbc._mlirbc import Attribute, DialectTable, Type

_Dialects = Sequence[BytecodeDialectInterface | DialectTable | str | Mapping[str, object]]
_Value = TypeVar("_Value", Attribute, Type)


def encoded(
    module: _mlirbc.Module, interfaces: Sequence[BytecodeDialectInterface]
) -> bytes | memoryview | None:
    """The module with the values that hooks read from their text; None if there are none."""
    edited = module.edit()
    if not _encode(edited, interfaces):
        return None
    return bytes(edited.write(numbering="canonical"))


def encoded_value(value: _Value, dialects: _Dialects) -> _Value:
    """An attribute or a type whose text hooks read, also within it."""
    interfaces = [item for item in dialects if isinstance(item, BytecodeDialectInterface)]
    edited = edit.Module.create(dialects=dialects)
    attribute = TypeAttr.get(value) if isinstance(value, Type) else value
    edited.operation.attributes["mlirbc.value"] = attribute
    if not _encode(edited, interfaces):
        return value
    decoded = _mlirbc.read(edited.write(), dialects=dialects).operation.attributes["mlirbc.value"]
    if isinstance(value, Type):
        assert isinstance(decoded, TypeAttr)
        return decoded.value
    return decoded


def _encode(edited: edit.Module, interfaces: Sequence[BytecodeDialectInterface]) -> int:
    interface_by_dialect = {interface.dialect: interface for interface in interfaces}

    def attribute(value: Attribute) -> Attribute | None:
        interface = interface_by_dialect.get(value.dialect) if value.is_text else None
        return None if interface is None else interface.parse_attribute(*_halves(value))

    def type(value: Type) -> Type | None:
        interface = interface_by_dialect.get(value.dialect) if value.is_text else None
        return None if interface is None else interface.parse_type(*_halves(value))

    # Attributes come first: attributes that hold a type are read with the text of the type.
    return versions.override_attributes(edited, attribute) + versions.override_types(edited, type)


def _halves(value: Attribute | Type) -> tuple[str, str]:
    """The mnemonic of `#toy.pair<1, 2>`, and the rest."""
    text = str(value)[len(value.dialect) + 2 :]
    end = next(
        (place for place, letter in enumerate(text) if not (letter.isalnum() or letter in "._$")), None
    )
    return (text, "") if end is None else (text[:end], text[end:])
