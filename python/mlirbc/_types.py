"""Classes of types, named and shaped as in upstream's bindings."""

import enum
import re
import sys
from collections.abc import Iterable, Sequence
from typing import ClassVar, Self, TypeVar, cast

from mlirbc._mlirbc import InvalidError, Type, _build_type, _text_type

_T = TypeVar("_T", bound=Type)
_Field = tuple[str, str, object]

DYNAMIC = -(2**63)


def invalid(message: str) -> InvalidError:
    """The error for a value that does not fit."""
    error = InvalidError(message)
    error.identifier = "mlirbc.invalid.value"
    error.message = message
    return error


class InvalidArgumentError(InvalidError, RuntimeError, TypeError):
    """An argument of the wrong class, or a part of a value that is not valid.

    Upstream's bindings raise `RuntimeError` for some and `TypeError` for others.
    """


def invalid_argument(message: str) -> InvalidArgumentError:
    """The error for an argument that a value cannot have as its part."""
    error = InvalidArgumentError(message)
    error.identifier, error.message = "mlirbc.invalid.value", message
    return error


def refused(kind: str, message: str, words: str) -> InvalidError:
    """The error for a value that MLIR refuses: in MLIR's words if a context of `mlirbc.mlir` is open."""
    error = invalid(message)
    diagnostics = sys.modules.get("mlirbc.mlir._diagnostics")
    return error if diagnostics is None else cast(InvalidError, diagnostics.refusal(error, kind, words))


def build_type(cls: type[_T], kind: str, *fields: _Field) -> _T:
    """A type of the builtin dialect, seen as a `cls`."""
    built = _build_type("builtin", kind, list(fields))
    return built if isinstance(built, cls) else cls(built)


def sizes(values: Iterable[int]) -> list[tuple[str, object]]:
    """A field of signed numbers."""
    return [("signed", value) for value in values]


class _PlainType(Type):
    """A type without parameters."""

    __slots__ = ()
    _also: ClassVar[tuple[str, ...]] = ()
    _kind: ClassVar[str]

    @classmethod
    def get(cls, context: object = None) -> Self:
        """The type; `context` is upstream's, and ignored.

        >>> mlirbc.types.F32Type.get()
        F32Type(f32)
        """
        return build_type(cls, cls._kind)


class IntegerType(Type):
    """An integer type: `i32`, `si8`, `ui16`.

    >>> mlirbc.types.IntegerType.get_signless(32)
    IntegerType(i32)
    """

    __slots__ = ()
    _also: ClassVar[tuple[str, ...]] = ()

    class Signedness(enum.Enum):
        """Whether an integer has a sign, or does not say."""

        SIGNLESS = 0
        SIGNED = 1
        UNSIGNED = 2

    SIGNLESS: ClassVar[Signedness] = Signedness.SIGNLESS
    SIGNED: ClassVar[Signedness] = Signedness.SIGNED
    UNSIGNED: ClassVar[Signedness] = Signedness.UNSIGNED

    @staticmethod
    def get_signless(width: int, context: object = None) -> "IntegerType":
        """A type that does not say whether it has a sign.

        >>> mlirbc.types.IntegerType.get_signless(8)
        IntegerType(i8)
        """
        return IntegerType.get(width)

    @staticmethod
    def get_signed(width: int, context: object = None) -> "IntegerType":
        """A type with a sign.

        >>> mlirbc.types.IntegerType.get_signed(8)
        IntegerType(si8)
        """
        return IntegerType.get(width, IntegerType.Signedness.SIGNED)

    @staticmethod
    def get_unsigned(width: int, context: object = None) -> "IntegerType":
        """A type without a sign.

        >>> mlirbc.types.IntegerType.get_unsigned(8)
        IntegerType(ui8)
        """
        return IntegerType.get(width, IntegerType.Signedness.UNSIGNED)

    @staticmethod
    def get(
        width: int, signedness: "IntegerType.Signedness" = Signedness.SIGNLESS, context: object = None
    ) -> "IntegerType":
        """A type of that width in bits. Raises `InvalidError` when it is too wide.

        >>> mlirbc.types.IntegerType.get(4, mlirbc.types.IntegerType.Signedness.SIGNED)
        IntegerType(si4)
        """
        if width < 0:
            raise invalid(f"expected a width of zero or more, found `{width}`")
        return build_type(
            IntegerType, "IntegerType", ("widthAndSign", "unsigned", width << 2 | signedness.value)
        )

    def _width_and_sign(self) -> int:
        width_and_sign = self._field("widthAndSign")
        assert isinstance(width_and_sign, int)
        return width_and_sign

    @property
    def width(self) -> int:
        """Its width in bits.

        >>> mlirbc.Type.parse("i17").width
        17
        """
        return self._width_and_sign() >> 2

    @property
    def signedness(self) -> "IntegerType.Signedness":
        """Whether it has a sign.

        >>> mlirbc.Type.parse("ui8").signedness
        <Signedness.UNSIGNED: 2>
        """
        return IntegerType.Signedness(self._width_and_sign() & 3)

    @property
    def is_signless(self) -> bool:
        """Whether it is signless: it does not say if it has a sign.

        >>> mlirbc.Type.parse("i8").is_signless
        True
        """
        return self._width_and_sign() & 3 == 0

    @property
    def is_signed(self) -> bool:
        """Whether it has a sign.

        >>> mlirbc.Type.parse("si8").is_signed
        True
        """
        return self._width_and_sign() & 3 == 1

    @property
    def is_unsigned(self) -> bool:
        """Whether it is unsigned.

        >>> mlirbc.Type.parse("ui8").is_unsigned
        True
        """
        return self._width_and_sign() & 3 == 2


class IndexType(_PlainType):
    """The type of sizes and indices.

    >>> mlirbc.types.IndexType.get()
    IndexType(index)
    """

    __slots__ = ()
    _kind = "IndexType"


class NoneType(_PlainType):
    """The type of nothing.

    >>> mlirbc.types.NoneType.get()
    NoneType(none)
    """

    __slots__ = ()
    _kind = "NoneType"


class FloatType(_PlainType):
    """A type of floats; each has a class of its own.

    >>> isinstance(mlirbc.types.BF16Type.get(), mlirbc.types.FloatType)
    True
    """

    __slots__ = ()
    _width: ClassVar[int] = 0
    _text: ClassVar[str] = ""

    @property
    def width(self) -> int:
        """Its width in bits.

        >>> mlirbc.types.Float8E5M2Type.get().width, mlirbc.types.FloatTF32Type.get().width
        (8, 19)
        """
        exact = self.maybe_downcast()
        assert isinstance(exact, FloatType)
        return exact._width


class F16Type(FloatType):
    """Floats of half precision.

    >>> mlirbc.types.F16Type.get()
    F16Type(f16)
    """

    __slots__ = ()
    _kind = "Float16Type"
    _width = 16
    _text = "f16"


class BF16Type(FloatType):
    """Floats of the upper half of `f32`.

    >>> mlirbc.types.BF16Type.get()
    BF16Type(bf16)
    """

    __slots__ = ()
    _kind = "BFloat16Type"
    _width = 16
    _text = "bf16"


class F32Type(FloatType):
    """Floats of single precision.

    >>> mlirbc.types.F32Type.get()
    F32Type(f32)
    """

    __slots__ = ()
    _kind = "Float32Type"
    _width = 32
    _text = "f32"


class F64Type(FloatType):
    """Floats of double precision.

    >>> mlirbc.types.F64Type.get()
    F64Type(f64)
    """

    __slots__ = ()
    _kind = "Float64Type"
    _width = 64
    _text = "f64"


class FloatTF32Type(FloatType):
    """Floats of 19 bits, as tensor cores take them.

    >>> mlirbc.types.FloatTF32Type.get()
    FloatTF32Type(tf32)
    """

    __slots__ = ()
    _kind = "FloatTF32Type"
    _width = 19
    _text = "tf32"


class F80Type(FloatType):
    """Floats of the extended precision of x87.

    >>> mlirbc.types.F80Type.get()
    F80Type(f80)
    """

    __slots__ = ()
    _kind = "Float80Type"
    _width = 80
    _text = "f80"


class F128Type(FloatType):
    """Floats of quadruple precision.

    >>> mlirbc.types.F128Type.get()
    F128Type(f128)
    """

    __slots__ = ()
    _kind = "Float128Type"
    _width = 128
    _text = "f128"


class Float8E5M2Type(FloatType):
    """Floats of 8 bits with 5 exponent and 2 mantissa bits.

    >>> mlirbc.types.Float8E5M2Type.get()
    Float8E5M2Type(f8E5M2)
    """

    __slots__ = ()
    _kind = "Float8E5M2Type"
    _width = 8
    _text = "f8E5M2"


class Float8E4M3Type(FloatType):
    """Floats of 8 bits with 4 exponent and 3 mantissa bits.

    >>> mlirbc.types.Float8E4M3Type.get()
    Float8E4M3Type(f8E4M3)
    """

    __slots__ = ()
    _kind = "Float8E4M3Type"
    _width = 8
    _text = "f8E4M3"


class Float8E4M3FNType(FloatType):
    """Floats of 8 bits with 4 exponent and 3 mantissa bits, without infinities.

    >>> mlirbc.types.Float8E4M3FNType.get()
    Float8E4M3FNType(f8E4M3FN)
    """

    __slots__ = ()
    _kind = "Float8E4M3FNType"
    _width = 8
    _text = "f8E4M3FN"


class Float8E5M2FNUZType(FloatType):
    """Floats of 8 bits with 5 exponent and 2 mantissa bits, without infinities and negative zero.

    >>> mlirbc.types.Float8E5M2FNUZType.get()
    Float8E5M2FNUZType(f8E5M2FNUZ)
    """

    __slots__ = ()
    _kind = "Float8E5M2FNUZType"
    _width = 8
    _text = "f8E5M2FNUZ"


class Float8E4M3FNUZType(FloatType):
    """Floats of 8 bits with 4 exponent and 3 mantissa bits, without infinities and negative zero.

    >>> mlirbc.types.Float8E4M3FNUZType.get()
    Float8E4M3FNUZType(f8E4M3FNUZ)
    """

    __slots__ = ()
    _kind = "Float8E4M3FNUZType"
    _width = 8
    _text = "f8E4M3FNUZ"


class Float8E4M3B11FNUZType(FloatType):
    """Floats like `f8E4M3FNUZ`, but with a bias of 11.

    >>> mlirbc.types.Float8E4M3B11FNUZType.get()
    Float8E4M3B11FNUZType(f8E4M3B11FNUZ)
    """

    __slots__ = ()
    _kind = "Float8E4M3B11FNUZType"
    _width = 8
    _text = "f8E4M3B11FNUZ"


class Float8E3M4Type(FloatType):
    """Floats of 8 bits with 3 exponent and 4 mantissa bits.

    >>> mlirbc.types.Float8E3M4Type.get()
    Float8E3M4Type(f8E3M4)
    """

    __slots__ = ()
    _kind = "Float8E3M4Type"
    _width = 8
    _text = "f8E3M4"


class Float8E8M0FNUType(FloatType):
    """Floats of 8 exponent bits.

    >>> mlirbc.types.Float8E8M0FNUType.get()
    Float8E8M0FNUType(f8E8M0FNU)
    """

    __slots__ = ()
    _kind = "Float8E8M0FNUType"
    _width = 8
    _text = "f8E8M0FNU"


class Float6E2M3FNType(FloatType):
    """Floats of 6 bits with 2 exponent and 3 mantissa bits, finite numbers only.

    >>> mlirbc.types.Float6E2M3FNType.get()
    Float6E2M3FNType(f6E2M3FN)
    """

    __slots__ = ()
    _kind = "Float6E2M3FNType"
    _width = 6
    _text = "f6E2M3FN"


class Float6E3M2FNType(FloatType):
    """Floats of 6 bits with 3 exponent and 2 mantissa bits, finite numbers only.

    >>> mlirbc.types.Float6E3M2FNType.get()
    Float6E3M2FNType(f6E3M2FN)
    """

    __slots__ = ()
    _kind = "Float6E3M2FNType"
    _width = 6
    _text = "f6E3M2FN"


class Float4E2M1FNType(FloatType):
    """Floats of 4 bits with 2 exponent bits and 1 mantissa bit, finite numbers only.

    >>> mlirbc.types.Float4E2M1FNType.get()
    Float4E2M1FNType(f4E2M1FN)
    """

    __slots__ = ()
    _kind = "Float4E2M1FNType"
    _width = 4
    _text = "f4E2M1FN"


class ComplexType(Type):
    """A type of complex numbers.

    >>> mlirbc.Type.parse("complex<f32>").element_type
    F32Type(f32)
    """

    __slots__ = ()
    _also: ClassVar[tuple[str, ...]] = ()

    @staticmethod
    def get(element_type: Type, /) -> "ComplexType":
        """The type of complex numbers whose parts are of that type.

        >>> mlirbc.types.ComplexType.get(mlirbc.types.F64Type.get())
        ComplexType(complex<f64>)
        """
        if not isinstance(element_type, IntegerType | FloatType):
            raise invalid(f"invalid 'Type({element_type})' and expected floating point or integer type.")
        return build_type(ComplexType, "ComplexType", ("elementType", "type", element_type))

    @property
    def element_type(self) -> Type:
        """The type of the parts.

        >>> mlirbc.Type.parse("complex<i8>").element_type
        IntegerType(i8)
        """
        return type_field(self, "elementType")


def type_field(composite: Type, name: str) -> Type:
    field = composite._field(name)
    assert isinstance(field, Type)
    return field


class TupleType(Type):
    """A tuple.

    >>> mlirbc.Type.parse("tuple<i32, f32>").num_types
    2
    """

    __slots__ = ()
    _also: ClassVar[tuple[str, ...]] = ()

    @staticmethod
    def get_tuple(elements: Sequence[Type], context: object = None) -> "TupleType":
        """The type of tuples of these.

        >>> mlirbc.types.TupleType.get_tuple([mlirbc.types.IndexType.get(), mlirbc.types.F32Type.get()])
        TupleType(tuple<index, f32>)
        """
        return build_type(TupleType, "TupleType", ("types", "list", [("type", item) for item in elements]))

    def _types(self) -> list[Type]:
        types = cast("list[Type] | None", self._field("types"))
        return list(types or ())

    def get_type(self, pos: int) -> Type:
        """The type at that place. Raises `IndexError` past the end.

        >>> mlirbc.Type.parse("tuple<i32, f32>").get_type(1)
        F32Type(f32)
        """
        # Indexing in a loop creates the types only once.
        return self._kept(TupleType._types)[pos]

    @property
    def num_types(self) -> int:
        """How many there are.

        >>> mlirbc.Type.parse("tuple<>").num_types
        0
        """
        return len(self._types())


class FunctionType(Type):
    """The type of functions.

    >>> mlirbc.Type.parse("(i32) -> f32")
    FunctionType((i32) -> f32)
    """

    __slots__ = ()
    _also: ClassVar[tuple[str, ...]] = ()

    @staticmethod
    def get(inputs: Sequence[Type], results: Sequence[Type], context: object = None) -> "FunctionType":
        """The type of functions from `inputs` to `results`.

        >>> mlirbc.types.FunctionType.get([mlirbc.types.IndexType.get()], [])
        FunctionType((index) -> ())
        """
        return build_type(
            FunctionType,
            "FunctionType",
            ("inputs", "list", [("type", item) for item in inputs]),
            ("results", "list", [("type", item) for item in results]),
        )

    @property
    def inputs(self) -> list[Type]:
        """The types of its arguments.

        >>> mlirbc.Type.parse("(i32, index) -> f32").inputs
        [IntegerType(i32), IndexType(index)]
        """
        types = cast("list[Type] | None", self._field("inputs"))
        return list(types or ())

    @property
    def results(self) -> list[Type]:
        """The types of its results.

        >>> mlirbc.Type.parse("(i32) -> f32").results
        [F32Type(f32)]
        """
        types = cast("list[Type] | None", self._field("results"))
        return list(types or ())


def check_opaque_namespace(name: str) -> None:
    """Refuse names that `Dialect::isValidNamespace` refuses (mlir/lib/IR/Dialect.cpp), and the builtin
    dialect.
    """
    if not re.fullmatch(r"[A-Za-z_][A-Za-z_0-9$]*", name):
        raise invalid(f"expected the name of a dialect, such as `toy`, found {name!r}")
    if name == "builtin":
        raise invalid("the builtin dialect has no opaque types and attributes; parse its text instead")


_PRETTY = re.compile(r"[A-Za-z][\w.]*(<.*>)?", re.ASCII | re.DOTALL)


def opaque_suffix(data: str) -> str:
    """How MLIR writes the data of an opaque value after the name of its dialect: `.pair<1>`, or `<1>` if the
    data does not begin with a name.
    """
    return f".{data}" if _PRETTY.fullmatch(data) else f"<{data}>"


def opaque_data(suffix: str) -> str:
    """The data of an opaque value from its text after the name of the dialect."""
    if suffix.startswith("<") and suffix.endswith(">"):
        return suffix[1:-1]
    return suffix.removeprefix(".")


class OpaqueType(Type):
    """A type that its dialect writes as text.

    >>> kind = mlirbc.types.OpaqueType.get("toy", "pair<i8>")
    >>> kind.dialect_namespace, kind.data
    ('toy', 'pair<i8>')
    """

    __slots__ = ()
    _also: ClassVar[tuple[str, ...]] = ()

    @staticmethod
    def get(dialect_namespace: str, buffer: str, context: object = None) -> "OpaqueType":
        """The type of that dialect with that text after its name.

        Raises `InvalidError` for the builtin dialect, whose types are not opaque, and for a name that no
        dialect can have.

        >>> mlirbc.types.OpaqueType.get("toy", "pair<i8>")
        OpaqueType(!toy.pair<i8>)
        """
        check_opaque_namespace(dialect_namespace)
        text = f"!{dialect_namespace}{opaque_suffix(buffer)}"
        return cast("OpaqueType", _text_type(dialect_namespace, text))

    @property
    def dialect_namespace(self) -> str:
        """The dialect's name.

        >>> mlirbc.types.OpaqueType.get("toy", "pair<i8>").dialect_namespace
        'toy'
        """
        return self.dialect

    @property
    def data(self) -> str:
        """The text after the dialect's name.

        >>> mlirbc.types.OpaqueType.get("toy", "pair<i8>").data
        'pair<i8>'
        """
        return opaque_data((self.text or "").removeprefix(f"!{self.dialect}"))
