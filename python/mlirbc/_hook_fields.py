"""Fields of attributes and types from text such as `<1, "x", [2, 3]>`."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from mlirbc._mlirbc import Attribute

if TYPE_CHECKING:
    from mlirbc._interface import BytecodeDialectInterface


def fields_of(
    text: str, names: Sequence[str], dialects: Sequence["BytecodeDialectInterface"]
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


def _field(text: str, dialects: Sequence["BytecodeDialectInterface"]) -> object:
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
    last = text[start:].strip()
    return [*parts, last] if last or parts else []
