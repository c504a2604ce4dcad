"""Attributes of StableHLO and CHLO, which consist of named fields or of one keyword."""

import re
from collections.abc import Sequence
from typing import ClassVar, Self, TypeAlias

from mlirbc._mlirbc import Type
from mlirbc._shaped import ShapedType
from mlirbc.mlir._context import resolve_context
from mlirbc.mlir._dialect_types import DialectAttr

__all__ = ["FieldAttr", "KeywordAttr"]

_Field: TypeAlias = "int | bool | float | str | Sequence[int] | Type | None"


class KeywordAttr(DialectAttr):
    """An attribute that is one keyword, such as `#stablehlo<precision HIGH>`."""

    __slots__ = ()

    @classmethod
    def get(cls, value: str, context: object = None) -> Self:
        """The attribute of a keyword."""
        resolve_context(context)
        return cls(cls.parse(f"#{cls._mnemonic} {value}>"))

    @property
    def value(self) -> str:
        """The keyword."""
        return str(self).rsplit(" ", 1)[1].removesuffix(">")


class FieldAttr(DialectAttr):
    """An attribute with named fields; those with the default are not in its text."""

    __slots__ = ()
    _fields: ClassVar[dict[str, str]] = {}
    """The kind of each field, in their order: `dims`, `int`, `flag` or `type`."""
    _names: ClassVar[dict[str, str]] = {}
    """The names of fields in the text, if they differ."""
    _shown: ClassVar[frozenset[str]] = frozenset()
    """The fields that the text has even if they are empty or zero."""

    @classmethod
    def get(cls, *values: _Field, context: object = None, ctx: object = None, **named: _Field) -> Self:
        """The attribute with these fields, by place or by name."""
        resolve_context(context or ctx)
        field_values = dict(zip(cls._fields, values, strict=False)) | named
        if set(field_values) != set(cls._fields):
            raise TypeError(f"{cls.__name__}.get needs the fields {', '.join(cls._fields)}")
        fields = [
            f"{cls._names.get(name, name)} = {_shown(value)}"
            for name in cls._fields
            if (value := field_values[name]) or name in cls._shown
        ]
        return cls(cls.parse(f"#{cls._dialect}.{cls._mnemonic}<{', '.join(fields)}>"))

    def __getattr__(self, name: str) -> _Field:
        kind = type(self)._fields.get(name)
        if kind is None:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        label = type(self)._names.get(name, name)
        match = re.search(rf"[<,]\s*{label} = (\[[^\]]*\]|[^,>]+(?:<[^>]*>)?)", str(self))
        return _field(kind, match[1].strip() if match else "")


def _shown(value: _Field) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return f"[{', '.join(map(str, value))}]" if isinstance(value, (list, tuple)) else str(value)


def _field(kind: str, text: str) -> _Field:
    if kind == "dims":
        return [
            ShapedType.get_dynamic_size() if part.strip() == "?" else int(part)
            for part in text.strip("[]").split(",")
            if part.strip()
        ]
    if kind == "type":
        return Type.parse(text)
    return text == "true" if kind == "flag" else int(text or 0)
