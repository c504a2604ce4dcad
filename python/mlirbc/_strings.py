"""The class of strings.

It is apart from the classes of other attributes: a program that asks for names needs no other class, and
importing all of them takes longer than reading the names of a thousand functions.
"""

from mlirbc._mlirbc import Attribute, Type, _build_attribute

# As `typing` has it, whose import takes longer still.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeVar

    _A = TypeVar("_A", bound=Attribute)
    _Field = tuple[str, str, object]


def build_attribute(cls: "type[_A]", kind: str, *fields: "_Field") -> "_A":
    """An attribute of the builtin dialect, seen as a `cls`."""
    built = _build_attribute("builtin", kind, list(fields))
    return built if isinstance(built, cls) else cls(built)


def string_attribute(value: str | bytes) -> Attribute:
    return _build_attribute("builtin", "StringAttr", [("value", "string", value)])


def text_of(attribute: Attribute) -> str:
    return attribute._text_field("value")


class StringAttr(Attribute):
    """Text.

    >>> mlirbc.StringAttr.get("x").value
    'x'
    """

    __slots__ = ()
    _also = ()

    @staticmethod
    def get(value: str | bytes, context: object = None) -> "StringAttr":
        """The attribute with that text.

        >>> mlirbc.StringAttr.get("two words")
        StringAttr("two words")
        """
        return build_attribute(StringAttr, "StringAttr", ("value", "string", value))

    @staticmethod
    def get_typed(type: Type, value: str | bytes) -> "StringAttr":
        """The attribute with that text and a type.

        >>> mlirbc.StringAttr.get_typed(mlirbc.IndexType.get(), "x")
        StringAttr("x" : index)
        """
        return build_attribute(StringAttr, "StringAttr", ("value", "string", value), ("type", "type", type))

    @property
    def value(self) -> str:
        """The text; bytes that are not UTF-8 are kept as surrogate escapes.

        >>> mlirbc.Attribute.parse('"a"').value
        'a'
        """
        return self._text_field("value")

    @property
    def value_bytes(self) -> bytes:
        """The bytes of the text.

        >>> mlirbc.StringAttr.get("é").value_bytes
        b'\\xc3\\xa9'
        """
        return self.value.encode("utf-8", "surrogateescape")


def string_value(attribute: Attribute | None) -> str | None:
    """The text of a string of the builtin dialect or of VHLO, which has its own; None for anything else."""
    if isinstance(attribute, StringAttr):
        return attribute.value
    if attribute is None or attribute.class_name != "StringV1Attr":
        return None
    value = attribute.fields["value"]
    return value if isinstance(value, str) else None
