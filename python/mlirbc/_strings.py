"""The class of strings.

It is apart from the classes of other attributes and imports none of them: a program that asks for names
needs no other class, and importing all of them takes longer than reading a thousand names.
"""

from mlirbc._mlirbc import Attribute, Type, _build_attribute


class StringAttr(Attribute):
    """Text.

    >>> mlirbc.attributes.StringAttr.get("x").value
    'x'
    """

    __slots__ = ()
    _also = ()

    @staticmethod
    def get(value: str | bytes, context: object = None) -> "StringAttr":
        """The attribute with that text.

        >>> mlirbc.attributes.StringAttr.get("two words")
        StringAttr("two words")
        """
        return StringAttr(_build_attribute("builtin", "StringAttr", [("value", "string", value)]))

    @staticmethod
    def get_typed(type: Type, value: str | bytes) -> "StringAttr":
        """The attribute with that text and a type.

        >>> mlirbc.attributes.StringAttr.get_typed(mlirbc.types.IndexType.get(), "x")
        StringAttr("x" : index)
        """
        fields = [("value", "string", value), ("type", "type", type)]
        return StringAttr(_build_attribute("builtin", "StringAttr", fields))

    @property
    def value(self) -> str:
        """The text; bytes that are not UTF-8 are kept as surrogate escapes.

        >>> mlirbc.Attribute.parse('"a"').value
        'a'
        """
        return self._text_value()

    @property
    def value_bytes(self) -> bytes:
        """The bytes of the text.

        >>> mlirbc.attributes.StringAttr.get("é").value_bytes
        b'\\xc3\\xa9'
        """
        return self.value.encode("utf-8", "surrogateescape")
