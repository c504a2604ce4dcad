"""The dialect `llvm`."""

from typing import TYPE_CHECKING

from mlirbc._mlirbc import Error, Type
from mlirbc.mlir import ir, not_available
from mlirbc.mlir._dialect_types import DialectAttr, DialectType, parameters
from mlirbc.mlir._op_classes import result_of
from mlirbc.mlir.dialects._generated import DialectNames

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mlirbc._mlirbc import Attribute
    from mlirbc.edit import InsertionPoint

_names = DialectNames("llvm", __name__)


def __getattr__(name: str) -> object:
    return _names.get(name)


def __dir__() -> list[str]:
    return _names.all()


class PointerType(DialectType):
    """A pointer.

    >>> from mlirbc.mlir.dialects import llvm
    >>> with ir.Context():
    ...     llvm.PointerType.get(1)
    PointerType(!llvm.ptr<1>)
    """

    __slots__ = ()
    _dialect = "llvm"
    _mnemonic = "ptr"

    @classmethod
    def get(cls, address_space: int | None = None, context: object = None) -> "PointerType":
        """The type for an address space."""
        return cls._parsed(f"<{address_space}>" if address_space else "", context)

    @property
    def address_space(self) -> int:
        """The address space."""
        return int(self._parameters[0]) if self._parameters else 0


_count = 0


class StructType(DialectType):
    """A structure, with or without a name.

    A type of mlirbc does not change: there is no `set_body`. Parse the type, or use `new_identified`.
    """

    __slots__ = ()
    _dialect = "llvm"
    _mnemonic = "struct"

    @classmethod
    def get_literal(
        cls, elements: "Sequence[Type]", *, packed: bool = False, context: object = None
    ) -> "StructType":
        """The structure without a name."""
        return cls._parsed(f"<{_body(elements, packed)}>", context)

    @classmethod
    def get_identified(cls, name: str, context: object = None) -> "StructType":
        """The structure with a name, whose body is opaque."""
        return cls._parsed(f"<{ir.StringAttr.get(name)}, opaque>", context)

    @classmethod
    def get_opaque(cls, name: str, context: object = None) -> "StructType":
        """The structure with a name and an opaque body."""
        return cls.get_identified(name, context)

    @classmethod
    def new_identified(
        cls, name: str, elements: "Sequence[Type]", *, packed: bool = False, context: object = None
    ) -> "StructType":
        """A structure with a new name, which begins with `name`."""
        global _count
        _count += 1
        return cls._parsed(f"<{ir.StringAttr.get(f'{name}{_count}')}, {_body(elements, packed)}>", context)

    @property
    def name(self) -> str | None:
        """The name."""
        first = self._parameters[0] if self._parameters else ""
        return first.strip('"') if first.startswith('"') else None

    @property
    def opaque(self) -> bool:
        """Whether the body is opaque."""
        return self._parameters[-1:] == ["opaque"]

    @property
    def packed(self) -> bool:
        """Whether there is no padding."""
        return bool(self._parameters) and self._parameters[-1].startswith("packed")

    @property
    def body(self) -> "list[Type] | None":
        """The types of the fields; None for an opaque body."""
        if self.opaque:
            return None
        inner = self._parameters[-1].removeprefix("packed").strip()[1:-1]
        return [_type(field) for field in parameters(f"<{inner}>")]


def _body(elements: "Sequence[Type]", packed: bool) -> str:
    inner = ", ".join(map(_short, elements))
    return f"{'packed ' if packed else ''}({inner})"


class FunctionType(DialectType):
    """The type of a function.

    >>> from mlirbc.mlir.dialects import llvm
    >>> with ir.Context():
    ...     llvm.FunctionType.get(ir.F32Type.get(), [ir.F32Type.get()], is_var_arg=True)
    FunctionType(!llvm.func<f32 (f32, ...)>)
    """

    __slots__ = ()
    _dialect = "llvm"
    _mnemonic = "func"

    @classmethod
    def get(
        cls, result_type: Type, argument_types: "Sequence[Type]", *, is_var_arg: bool = False
    ) -> "FunctionType":
        """The type of a function with a result and arguments."""
        inputs = [*map(_short, argument_types), *(["..."] if is_var_arg else [])]
        return cls._parsed(f"<{_short(result_type)} ({', '.join(inputs)})>")

    @property
    def _parts(self) -> "tuple[str, list[str]]":
        text = str(self).partition("<")[2].removesuffix(")>")
        result, _, inputs = text.rpartition(" (") if text.count(" (") == 1 else text.partition(" (")
        return result, parameters(f"<{inputs}>")

    @property
    def return_type(self) -> Type:
        """The type of the result."""
        return _type(self._parts[0])

    @property
    def inputs(self) -> "list[Type]":
        """The types of the arguments."""
        return [_type(text) for text in self._parts[1] if text != "..."]

    @property
    def num_inputs(self) -> int:
        """The number of arguments."""
        return len(self.inputs)

    @property
    def is_var_arg(self) -> bool:
        """Whether further arguments can follow."""
        return "..." in self._parts[1]


class ArrayType(DialectType):
    """An array of a fixed size."""

    __slots__ = ()
    _dialect = "llvm"
    _mnemonic = "array"

    @classmethod
    def get(cls, element_type: Type, num_elements: int) -> "ArrayType":
        """The type of an array with this number of elements."""
        return cls._parsed(f"<{num_elements} x {_short(element_type)}>")

    @property
    def element_type(self) -> Type:
        """The type of the elements."""
        return _type(self._parameters[0].partition(" x ")[2])

    @property
    def num_elements(self) -> int:
        """The number of elements."""
        return int(self._parameters[0].partition(" x ")[0])


def _short(type: Type) -> str:
    """The text of a type inside a type of LLVM."""
    return str(type).removeprefix("!llvm.")


def _type(text: str) -> Type:
    """The type of a text inside a type of LLVM, which lacks the prefix of the dialect."""
    try:
        return Type.parse(text)
    except Error:
        return Type.parse(f"!llvm.{text}")


class MDStringAttr(DialectAttr):
    """A string in metadata."""

    __slots__ = ()
    _dialect = "llvm"
    _mnemonic = "md_string"

    @classmethod
    def get(cls, value: str, context: object = None) -> "MDStringAttr":
        """The attribute for a text."""
        return cls._parsed(f"<{ir.StringAttr.get(value)}>", context)


class MDConstantAttr(DialectAttr):
    """A constant in metadata."""

    __slots__ = ()
    _dialect = "llvm"
    _mnemonic = "md_const"

    @classmethod
    def get(cls, value: "Attribute", context: object = None) -> "MDConstantAttr":
        """The attribute for a constant."""
        return cls._parsed(f"<{value}>", context)


def md_str(s: str, *, context: object = None) -> MDStringAttr:
    """A string in metadata."""
    return MDStringAttr.get(s, context)


def md_const(val: int, *, width: int = 32, context: object = None) -> MDConstantAttr:
    """An integer in metadata."""
    if not isinstance(val, int):
        raise NotImplementedError(f"val={val!r} not supported; only integers currently supported.")
    return MDConstantAttr.get(ir.IntegerAttr.get(ir.IntegerType.get_signless(width), val), context)


def mlir_constant(
    value: "Attribute",
    *,
    loc: "Attribute | None" = None,
    ip: "InsertionPoint | None" = None,
) -> object:
    """Build a constant of the type of the attribute, and return it."""
    build = _names.builder("ConstantOp")
    return result_of(build(value.type, value, loc=loc, ip=ip))


def translate_module_to_llvmir(module: object) -> str:
    """Raises the error that says which packages translate modules."""
    raise not_available("the translation to LLVM IR")
