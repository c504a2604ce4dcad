"""Classes of attributes and types of dialects, which are recognized by their text.

Upstream writes these classes in C++. Here `isinstance` compares the mnemonic, and `get` makes an object of
the class, as does calling the class with a type.
"""

import re
from collections.abc import Callable
from typing import ClassVar, Self, cast

from mlirbc._bindings import TypeID
from mlirbc._mlirbc import Attribute, Type
from mlirbc.mlir._context import resolve_context

__all__ = ["DialectAttr", "DialectType", "parameters", "type_class"]


_CLASSES: "dict[str, list[_ByText]]" = {}


def class_of(value: "Attribute | Type") -> "type | None":
    """The class of an attribute or a type of a dialect; None if there is none."""
    return next((cls for cls in _CLASSES.get(value.dialect, ()) if cls._matches(value)), None)


class _ByText(type):
    _dialect: str
    _mnemonic: str
    _accepts: Callable[[str], bool]

    def __init__(cls, name: str, bases: tuple[type, ...], body: dict[str, object]) -> None:
        super().__init__(name, bases, body)
        if body.get("_mnemonic"):
            _CLASSES.setdefault(cls._dialect, []).append(cls)

    @property
    def static_typeid(cls) -> "TypeID":
        """The identifier of the class."""
        return TypeID(f"{cls._dialect}.{cls.__name__}")

    def __instancecheck__(cls, instance: object) -> bool:
        if super().__instancecheck__(instance):
            return True
        return isinstance(instance, (Attribute, Type)) and cls._matches(instance)

    def _matches(cls, instance: "Attribute | Type") -> bool:
        """Whether an attribute or a type is of the class."""
        if not cls._mnemonic:
            subclasses = cast("list[_ByText]", cls.__subclasses__())
            return any(subclass._matches(instance) for subclass in subclasses)
        if instance.dialect != cls._dialect:
            return False
        text = str(instance)[1:].removeprefix(f"{cls._dialect}.")
        return re.match(rf"{cls._mnemonic}(?![\w.])", text) is not None and cls._accepts(text)


class _ReadFromText:
    """The part that classes of attributes and of types share."""

    __slots__ = ()
    _checks_itself = True
    _also: ClassVar[tuple[str, ...]] = ()
    _dialect: ClassVar[str] = ""
    _mnemonic: ClassVar[str] = ""

    @classmethod
    def _accepts(cls, text: str) -> bool:
        """Whether a text with the mnemonic is of the class; classes can share a mnemonic."""
        return True

    @property
    def _parameters(self) -> list[str]:
        return parameters(str(self))


class DialectType(_ReadFromText, Type, metaclass=_ByText):
    """A type of a dialect.

    >>> from mlirbc.mlir import ir
    >>> from mlirbc.mlir.dialects import pdl
    >>> with ir.Context():
    ...     isinstance(ir.Type.parse("!pdl.value"), pdl.ValueType)
    True
    """

    __slots__ = ()

    def __init__(self, type: Type | None = None) -> None:
        """Take a type. Raises `ValueError` for one of another class."""
        if isinstance(type, Type) and not isinstance(type, self.__class__):
            raise ValueError(f"Cannot cast type to {self.__class__.__name__} (from {type!r})")

    @classmethod
    def _parsed(cls, parameters: str = "", context: object = None) -> Self:
        resolve_context(context)
        mnemonic = cls._mnemonic.replace("\\", "")
        return cls(Type.parse(f"!{cls._dialect}.{mnemonic}{parameters}"))


class SimpleType(DialectType):
    """A type without parameters."""

    __slots__ = ()

    @classmethod
    def get(cls, context: object = None) -> Self:
        """The type."""
        return cls._parsed(context=context)


class DialectAttr(_ReadFromText, Attribute, metaclass=_ByText):
    """An attribute of a dialect."""

    __slots__ = ()

    def __init__(self, attribute: Attribute | None = None) -> None:
        """Take an attribute. Raises `ValueError` for one of another class."""
        if isinstance(attribute, Attribute) and not isinstance(attribute, self.__class__):
            raise ValueError(f"Cannot cast attribute to {self.__class__.__name__} (from {attribute!r})")

    @classmethod
    def _parsed(cls, parameters: str = "", context: object = None) -> Self:
        resolve_context(context)
        return cls(Attribute.parse(f"#{cls._dialect}.{cls._mnemonic}{parameters}"))


def type_class(name: str, dialect: str, mnemonic: str, module: str) -> type[SimpleType]:
    """The class of a type without parameters."""
    body: dict[str, object] = {
        "__slots__": (),
        "__module__": module,
        "__doc__": f"The type `!{dialect}.{mnemonic}`.",
        "_dialect": dialect,
        "_mnemonic": re.escape(mnemonic),
    }
    return _ByText(name, (SimpleType,), body)  # type: ignore[return-value]


def parameters(text: str) -> list[str]:
    """The parameters between angle brackets, separated by commas outside of brackets and quotes."""
    start = text.find("<")
    if start < 0:
        return []
    found, depth, quoted, part = [], 0, False, ""
    # The arrow of a function type is no bracket.
    for letter in text[start + 1 : text.rfind(">")].replace("->", "-\0"):
        if letter == '"' and not part.endswith("\\"):
            quoted = not quoted
        elif not quoted:
            depth += (letter in "<([{") - (letter in ">)]}")
        if letter == "," and depth == 0 and not quoted:
            found.append(part.strip())
            part = ""
        else:
            part += letter
    parts = [*found, part.strip()] if part.strip() else found
    return [one.replace("-\0", "->") for one in parts]
