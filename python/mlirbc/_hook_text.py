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
    found = _mlirbc.read(edited.write(), dialects=dialects).operation.attributes["mlirbc.value"]
    if isinstance(value, Type):
        assert isinstance(found, TypeAttr)
        return found.value
    return found


def _encode(edited: edit.Module, interfaces: Sequence[BytecodeDialectInterface]) -> int:
    known = {interface.dialect: interface for interface in interfaces}

    def attribute(value: Attribute) -> Attribute | None:
        interface = known.get(value.dialect) if value.is_text else None
        return None if interface is None else interface.parse_attribute(*_halves(value))

    def type(value: Type) -> Type | None:
        interface = known.get(value.dialect) if value.is_text else None
        return None if interface is None else interface.parse_type(*_halves(value))

    # Attributes first: those that hold a type are read with the text of that type.
    return versions.override_attributes(edited, attribute) + versions.override_types(edited, type)


def _halves(value: Attribute | Type) -> tuple[str, str]:
    """The mnemonic of `#toy.pair<1, 2>`, and the rest."""
    text = str(value)[len(value.dialect) + 2 :]
    end = next(
        (place for place, letter in enumerate(text) if not (letter.isalnum() or letter in "._$")), None
    )
    return (text, "") if end is None else (text[:end], text[end:])


def fields_of(
    text: str, names: Sequence[str], dialects: Sequence[BytecodeDialectInterface]
) -> dict[str, object]:
    """The fields of `<1, "x", [2, 3]>` in the order of `names`, or of `<first = 1, second = 2>`.

    Raises `ValueError` for another text.
    """
    if not text:
        return {}
    if not (text.startswith("<") and text.endswith(">")):
        raise ValueError(f"expected `<...>`, found `{text}`")
    fields: dict[str, object] = {}
    for place, part in enumerate(_split(text[1:-1])):
        name, equals, value = part.partition("=")
        if equals and name.strip().isidentifier():
            fields[name.strip()] = _field(value.strip(), dialects)
        elif place < len(names):
            fields[names[place]] = _field(part, dialects)
        else:
            raise ValueError(f"field {place} of `{text}` has no name")
    return fields


def _field(text: str, dialects: Sequence[BytecodeDialectInterface]) -> object:
    if text.removeprefix("-").isdigit():
        return int(text)
    if text in ("true", "false"):
        return text == "true"
    if text.startswith("[") and text.endswith("]"):
        return [_field(part, dialects) for part in _split(text[1:-1])]
    value = Attribute.parse(text, dialects=dialects)
    if value.class_name == "StringAttr" and text.endswith('"'):
        return str(value.fields["value"])
    if value.class_name == "TypeAttr":
        return value.fields["value"]
    return value


_CLOSING = {"<": ">", "[": "]", "(": ")", "{": "}"}


def _split(text: str) -> list[str]:
    """The parts between commas that are in no brackets and no string."""
    parts, start, waiting, place = [], 0, [], 0
    while place < len(text):
        letter = text[place]
        if letter == '"':
            place += 1
            while place < len(text) and text[place] != '"':
                place += 2 if text[place] == "\\" else 1
        elif text[place : place + 2] == "->":
            place += 1
        elif letter in _CLOSING:
            waiting.append(_CLOSING[letter])
        elif waiting and letter == waiting[-1]:
            waiting.pop()
        elif letter == "," and not waiting:
            parts.append(text[start:place].strip())
            start = place + 1
        place += 1
    rest = text[start:].strip()
    return [*parts, rest] if rest or parts else []
