"""Classes of attributes, named and shaped as in upstream's bindings."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar, TypeVar, cast, overload

from mlirbc._mlirbc import (
    Attribute,
    NamedAttribute,
    Type,
    _build_attribute,
    _decode_float,
    _encode_float,
    _text_attribute,
)
from mlirbc._strings import StringAttr
from mlirbc._types import (
    F32Type,
    F64Type,
    FloatType,
    IndexType,
    IntegerType,
    NoneType,
    check_opaque_namespace,
    invalid,
    invalid_argument,
    opaque_data,
    opaque_suffix,
    refused,
)

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    from typing_extensions import Buffer

_A = TypeVar("_A", bound=Attribute)
_Field = tuple[str, str, object]


def build_attribute(cls: type[_A], kind: str, *fields: _Field) -> _A:
    """An attribute of the builtin dialect, seen as a `cls`."""
    built = _build_attribute("builtin", kind, list(fields))
    return built if isinstance(built, cls) else cls(built)


def text_of(attribute: Attribute) -> str:
    return attribute._text_value()


def width_of(element: Type) -> int:
    """The width of a number of that type in bits. Raises `InvalidError` for types that are not numbers."""
    if isinstance(element, IntegerType | FloatType):
        return element.width
    if isinstance(element, IndexType):
        return 64
    raise invalid(f"expected an integer, index or float type, found {element}")


def number(element: Type, bits: int) -> int | float | bool:
    """The number of that type with these bits."""
    if isinstance(element, FloatType):
        return _decode_float(element._text, bits)
    width = width_of(element)
    if isinstance(element, IntegerType):
        if element.is_unsigned:
            return bits
        if width == 1 and element.is_signless:
            return bool(bits)
    return bits - (1 << width) if bits >> max(width - 1, 0) & 1 else bits


def bits_of(element: Type, value: float) -> int:
    """The bits of a number of that type; an `InvalidError` when it does not fit."""
    if isinstance(element, FloatType):
        return _encode_float(str(element), float(value))
    width = width_of(element)
    number = int(value)
    low, high = -(1 << max(width - 1, 0)), (1 << width) - 1
    if isinstance(element, IntegerType) and element.is_unsigned:
        low = 0
    elif isinstance(element, IntegerType) and element.is_signed:
        high = (1 << max(width - 1, 0)) - 1
    if width == 0:
        low = high = 0
    if not low <= number <= high:
        raise invalid(f"expected a value of {element}, found `{number}`")
    return number & ((1 << width) - 1)


def _bits(bits: int, width: int) -> tuple[bytes, int]:
    return bits.to_bytes((width + 63) // 64 * 8, "little"), width


class IntegerAttr(Attribute):
    """An integer and its type.

    >>> mlirbc.Attribute.parse("-1 : i8").value
    -1
    """

    __slots__ = ()
    _also: ClassVar[tuple[str, ...]] = ("BoolAttr",)

    @staticmethod
    def get(type: Type, value: int) -> "IntegerAttr":
        """The attribute of that type. Raises `InvalidError` if the type is not an integer type, or the value
        does not fit.

        >>> mlirbc.attributes.IntegerAttr.get(mlirbc.types.IntegerType.get_signless(32), 7)
        IntegerAttr(7 : i32)
        """
        if not isinstance(type, IntegerType | IndexType):
            raise invalid(f"expected an integer type or `index`, found {type}")
        bits = _bits(bits_of(type, value), width_of(type))
        return build_attribute(IntegerAttr, "IntegerAttr", ("type", "type", type), ("value", "bits", bits))

    @property
    def value(self) -> int:
        """The number; of signless types, with a sign.

        >>> mlirbc.Attribute.parse("255 : ui8").value, mlirbc.Attribute.parse("255 : i8").value
        (255, -1)
        """
        return int(number(self.type, cast(int, self._field("value"))))

    def __int__(self) -> int:
        return self.value

    def __index__(self) -> int:
        return self.value


class BoolAttr(Attribute):
    """True or false.

    >>> mlirbc.Attribute.parse("true").value
    True
    """

    __slots__ = ()
    _also: ClassVar[tuple[str, ...]] = ()

    @staticmethod
    def get(value: bool, context: object = None) -> "BoolAttr":
        """The attribute; `context` is upstream's, and ignored.

        >>> mlirbc.attributes.BoolAttr.get(False)
        BoolAttr(false)
        """
        bits = _bits(int(bool(value)), 1)
        fields = ("type", "type", IntegerType.get_signless(1)), ("value", "bits", bits)
        return build_attribute(BoolAttr, "IntegerAttr", *fields)

    @property
    def value(self) -> bool:
        """The truth.

        >>> mlirbc.attributes.BoolAttr.get(True).value
        True
        """
        return self._field("value") != 0

    def __bool__(self) -> bool:
        return self.value


class FloatAttr(Attribute):
    """A float and its type.

    >>> mlirbc.Attribute.parse("1.5 : f32").value
    1.5
    """

    __slots__ = ()
    _also: ClassVar[tuple[str, ...]] = ()

    @staticmethod
    def get(type: Type, value: float, loc: object = None) -> "FloatAttr":
        """The attribute of that type, rounded to it. Raises `InvalidError` if it is not a float type.

        >>> mlirbc.attributes.FloatAttr.get(mlirbc.types.BF16Type.get(), 0.1)
        FloatAttr(1.000980e-01 : bf16)
        """
        if not isinstance(type, FloatType):
            message = f"expected a float type, found {type}"
            raise refused("attribute", message, "expected floating point type")
        bits = _bits(bits_of(type, value), type.width)
        return build_attribute(FloatAttr, "FloatAttr", ("type", "type", type), ("value", "bits", bits))

    @staticmethod
    def get_f32(value: float, context: object = None) -> "FloatAttr":
        """The attribute of type `f32`.

        >>> mlirbc.attributes.FloatAttr.get_f32(2.0)
        FloatAttr(2.000000e+00 : f32)
        """
        return FloatAttr.get(F32Type.get(), value)

    @staticmethod
    def get_f64(value: float, context: object = None) -> "FloatAttr":
        """The attribute of type `f64`.

        >>> mlirbc.attributes.FloatAttr.get_f64(2.0)
        FloatAttr(2.000000e+00 : f64)
        """
        return FloatAttr.get(F64Type.get(), value)

    @property
    def value(self) -> float:
        """The number; rounded where a Python float is too small for it.

        >>> mlirbc.Attribute.parse("0.5 : f8E4M3FN").value
        0.5
        """
        return _decode_float(str(self.type), cast(int, self._field("value")))

    def __float__(self) -> float:
        return self.value


def string_value(attribute: Attribute | None) -> str | None:
    """The text of a string of the builtin dialect or of VHLO, which has its own; None for anything else."""
    if isinstance(attribute, StringAttr):
        return attribute.value
    if attribute is None or attribute.class_name != "StringV1Attr":
        return None
    value = attribute.fields["value"]
    return value if isinstance(value, str) else None


def checked_item(item: object) -> Attribute:
    if isinstance(item, Attribute):
        return item
    which = "attribute (None?)" if item is None else "attribute"
    raise invalid_argument(f"Invalid {which} when attempting to create an ArrayAttribute")


class ArrayAttr(Attribute):
    """A list of attributes.

    >>> [len(array), array[0], list(array)] if (array := mlirbc.Attribute.parse("[1 : i8]")) else None
    [1, IntegerAttr(1 : i8), [IntegerAttr(1 : i8)]]
    """

    __slots__ = ()
    _also: ClassVar[tuple[str, ...]] = ()

    @staticmethod
    def get(attributes: Sequence[Attribute], context: object = None) -> "ArrayAttr":
        """The list of these attributes.

        >>> mlirbc.attributes.ArrayAttr.get([mlirbc.attributes.UnitAttr.get()])
        ArrayAttr([unit])
        """
        items = [("attribute", checked_item(item)) for item in attributes]
        return build_attribute(ArrayAttr, "ArrayAttr", ("value", "list", items))

    def _items(self) -> list[Attribute]:
        return cast("list[Attribute]", self._field("value") or [])

    def __len__(self) -> int:
        return len(self._items())

    def __getitem__(self, index: int, /) -> Attribute:
        # Indexing in a loop creates the items only once.
        items = self._kept(ArrayAttr._items)
        try:
            return items[index]
        except IndexError:
            raise IndexError("ArrayAttribute index out of range") from None

    def __iter__(self) -> Iterator[Attribute]:
        return iter(self._items())

    def __add__(self, other: Sequence[Attribute], /) -> "ArrayAttr":
        return ArrayAttr.get([*self, *other])

    def __array__(
        self, dtype: "npt.DTypeLike | None" = None, copy: bool | None = None
    ) -> "npt.NDArray[np.object_]":
        """The attributes as objects in one row.

        NumPy would descend into nested arrays once for each occurrence, and arrays that share their elements
        can have more occurrences than any machine can count.
        """
        import numpy as np

        if dtype is not None and np.dtype(dtype) != np.dtype(object):
            raise TypeError(
                f"attributes are not elements of {dtype}; take their values: [a.value for a in array]"
            )
        items = self._items()
        array = np.empty(len(items), dtype=object)
        for place, item in enumerate(items):
            array[place] = item
        return array


class DictAttr(Attribute):
    """Attributes by name.

    A name gives the attribute, a number the `NamedAttribute` at that place; a loop goes over the names.

    >>> both = mlirbc.attributes.DictAttr.get({"a": mlirbc.attributes.UnitAttr.get()})
    >>> both["a"], both[0], "b" in both, list(both)
    (UnitAttr(unit), NamedAttribute(a=unit), False, ['a'])
    """

    __slots__ = ()
    _also: ClassVar[tuple[str, ...]] = ()

    @staticmethod
    def get(value: Mapping[str, Attribute] | None = None, context: object = None) -> "DictAttr":
        """The attribute with these names, sorted.

        >>> from mlirbc.attributes import BoolAttr, DictAttr, UnitAttr
        >>> DictAttr.get({"b": BoolAttr.get(True), "a": UnitAttr.get()})
        DictAttr({a, b = true})
        """
        pairs = [
            ("list", [("attribute", StringAttr.get(name)), ("attribute", item)])
            for name, item in (value or {}).items()
        ]
        return build_attribute(DictAttr, "DictionaryAttr", ("value", "list", pairs))

    def items(self) -> list[tuple[str, Attribute]]:
        """Names and attributes.

        >>> mlirbc.Attribute.parse("{a = 1 : i8}").items()
        [('a', IntegerAttr(1 : i8))]
        """
        pairs = cast("list[tuple[Attribute, Attribute]]", self._field("value") or [])
        return [(text_of(name), item) for name, item in pairs]

    def keys(self) -> list[str]:
        """The names.

        >>> mlirbc.Attribute.parse("{a = 1 : i8}").keys()
        ['a']
        """
        return [name for name, _ in self.items()]

    def values(self) -> list[Attribute]:
        """The attributes.

        >>> mlirbc.Attribute.parse("{a = 1 : i8}").values()
        [IntegerAttr(1 : i8)]
        """
        return [item for _, item in self.items()]

    def get_named_or_none(self, name: str) -> Attribute | None:
        """The attribute with this name; None when there is none.

        >>> mlirbc.Attribute.parse("{a = 1 : i8}").get_named_or_none("b") is None
        True
        """
        return self._index()[1].get(name)

    def _index(self) -> tuple[list[tuple[str, Attribute]], dict[str, Attribute]]:
        """The names and attributes by index and by name, computed once."""

        def make(dictionary: "DictAttr") -> tuple[list[tuple[str, Attribute]], dict[str, Attribute]]:
            items = dictionary.items()
            # If a name occurs several times, its first attribute counts.
            return items, dict(reversed(items))

        return self._kept(make)

    def __len__(self) -> int:
        return len(self.items())

    def __iter__(self) -> Iterator[str]:
        return iter(self.keys())

    def __contains__(self, name: object, /) -> bool:
        return isinstance(name, str) and name in self._index()[1]

    @overload
    def __getitem__(self, key: str, /) -> Attribute: ...
    @overload
    def __getitem__(self, key: int, /) -> NamedAttribute: ...
    def __getitem__(self, key: str | int, /) -> Attribute | NamedAttribute:
        if isinstance(key, str):
            attribute = self.get_named_or_none(key)
            if attribute is None:
                raise KeyError(key)
            return attribute
        return NamedAttribute(*self._index()[0][key])


class TypeAttr(Attribute):
    """A type.

    >>> mlirbc.Attribute.parse("i32").value
    IntegerType(i32)
    """

    __slots__ = ()
    _also: ClassVar[tuple[str, ...]] = ()

    @staticmethod
    def get(value: Type, context: object = None) -> "TypeAttr":
        """The attribute for a type.

        >>> mlirbc.attributes.TypeAttr.get(mlirbc.types.IndexType.get())
        TypeAttr(index)
        """
        return build_attribute(TypeAttr, "TypeAttr", ("value", "type", value))

    @property
    def value(self) -> Type:
        """The type.

        >>> mlirbc.attributes.TypeAttr.get(mlirbc.types.IndexType.get()).value
        IndexType(index)
        """
        return cast(Type, self._field("value"))


class UnitAttr(Attribute):
    """The unit attribute: its presence is its only information.

    >>> mlirbc.attributes.UnitAttr.get()
    UnitAttr(unit)
    """

    __slots__ = ()
    _also: ClassVar[tuple[str, ...]] = ()

    @staticmethod
    def get(context: object = None) -> "UnitAttr":
        """The attribute.

        >>> mlirbc.attributes.UnitAttr.get() == mlirbc.Attribute.parse("unit")
        True
        """
        return build_attribute(UnitAttr, "UnitAttr")


class SymbolRefAttr(Attribute):
    """The name of a symbol within others: `@outer::@inner`.

    >>> mlirbc.attributes.SymbolRefAttr.get(["outer", "inner"])
    SymbolRefAttr(@outer::@inner)
    """

    __slots__ = ()
    _also: ClassVar[tuple[str, ...]] = ("FlatSymbolRefAttr",)

    @staticmethod
    def get(symbols: Sequence[str], context: object = None) -> "SymbolRefAttr":
        """The reference along these names, the outermost first. Raises `RuntimeError` when there are none.

        >>> mlirbc.attributes.SymbolRefAttr.get(["main"])
        SymbolRefAttr(@main)
        """
        if not symbols:
            raise RuntimeError("SymbolRefAttr must be composed of at least one symbol.")
        if len(symbols) == 1:
            return SymbolRefAttr(FlatSymbolRefAttr.get(symbols[0]))
        nested = [("attribute", FlatSymbolRefAttr.get(name)) for name in symbols[1:]]
        fields = ("root", "attribute", StringAttr.get(symbols[0])), ("nested", "list", nested)
        return build_attribute(SymbolRefAttr, "SymbolRefAttr", *fields)

    @property
    def value(self) -> list[str]:
        """The names, the outermost first.

        >>> mlirbc.Attribute.parse("@outer::@inner").value
        ['outer', 'inner']
        """
        root = cast(Attribute, self._field("root"))
        nested = cast("list[FlatSymbolRefAttr]", self._field("nested") or [])
        return [text_of(root), *(item.value for item in nested)]


class FlatSymbolRefAttr(Attribute):
    """The name of a symbol: `@main`.

    >>> mlirbc.Attribute.parse("@main").value
    'main'
    """

    __slots__ = ()
    _also: ClassVar[tuple[str, ...]] = ()

    @staticmethod
    def get(value: str, context: object = None) -> "FlatSymbolRefAttr":
        """The reference to a symbol.

        >>> mlirbc.attributes.FlatSymbolRefAttr.get("main")
        FlatSymbolRefAttr(@main)
        """
        return build_attribute(
            FlatSymbolRefAttr, "FlatSymbolRefAttr", ("root", "attribute", StringAttr.get(value))
        )

    @property
    def value(self) -> str:
        """The name.

        >>> mlirbc.attributes.FlatSymbolRefAttr.get("main").value
        'main'
        """
        return text_of(cast(Attribute, self._field("root")))


class DistinctAttr(Attribute):
    """An attribute that is equal only to itself, around another one.

    >>> unit = mlirbc.attributes.UnitAttr.get()
    >>> mlirbc.attributes.DistinctAttr.get(unit) == mlirbc.attributes.DistinctAttr.get(unit)
    False
    """

    __slots__ = ()
    _also: ClassVar[tuple[str, ...]] = ()

    @staticmethod
    def get(referenced: Attribute) -> "DistinctAttr":
        """A new distinct attribute around that attribute.

        >>> mlirbc.attributes.DistinctAttr.get(mlirbc.attributes.UnitAttr.get()).referenced
        UnitAttr(unit)
        """
        return build_attribute(DistinctAttr, "DistinctAttr", ("referenced", "attribute", referenced))

    @property
    def referenced(self) -> Attribute:
        """The attribute inside.

        >>> mlirbc.attributes.DistinctAttr.get(mlirbc.attributes.BoolAttr.get(True)).referenced
        BoolAttr(true)
        """
        return cast(Attribute, self._field("referenced"))


class OpaqueAttr(Attribute):
    """An attribute that its dialect writes as text.

    >>> module = mlirbc.open("examples/two_layers.mlirbc")
    >>> module.attributes[64].dialect_namespace, module.attributes[64].data
    ('arith', b'fastmath<contract>')
    """

    __slots__ = ()
    _also: ClassVar[tuple[str, ...]] = ()

    @staticmethod
    def get(
        dialect_namespace: str, buffer: "str | Buffer", type: Type | None = None, context: object = None
    ) -> "OpaqueAttr":
        """The attribute of that dialect with that text after its name.

        Raises `InvalidError` for the builtin dialect, whose attributes are not opaque, and for a name that no
        dialect can have.

        >>> mlirbc.attributes.OpaqueAttr.get("toy", b"pair<1>")
        OpaqueAttr(#toy.pair<1>)
        """
        if not isinstance(dialect_namespace, str):
            raise TypeError(f"expected a str as the dialect, found {dialect_namespace.__class__.__name__}")
        # `bytes` of a number would be that many zeros.
        data = buffer if isinstance(buffer, str) else bytes(memoryview(buffer)).decode("utf-8")
        tail = "" if type is None or isinstance(type, NoneType) else f" : {type}"
        check_opaque_namespace(dialect_namespace)
        text = f"#{dialect_namespace}{opaque_suffix(data)}{tail}"
        return cast("OpaqueAttr", _text_attribute(dialect_namespace, text))

    @property
    def dialect_namespace(self) -> str:
        """The dialect's name.

        >>> mlirbc.attributes.OpaqueAttr.get("toy", b"pair<1>").dialect_namespace
        'toy'
        """
        return self.dialect

    @property
    def data(self) -> bytes:
        """The text after the dialect's name.

        >>> mlirbc.attributes.OpaqueAttr.get("toy", b"pair<1>").data
        b'pair<1>'
        """
        text = opaque_data((self.text or "").removeprefix(f"#{self.dialect}"))
        return text.encode("utf-8", "surrogateescape")
