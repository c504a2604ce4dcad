"""The dialect `pdl`."""

from typing import TYPE_CHECKING

from mlirbc.mlir import ir
from mlirbc.mlir._dialect_types import DialectType, type_class
from mlirbc.mlir._opview import OpView, result_or_value, results_or_values
from mlirbc.mlir.dialects._generated import DialectNames
from mlirbc.mlir.extras.meta import region_op

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from mlirbc._mlirbc import Attribute, Type
    from mlirbc.edit import Block, InsertionPoint

_names = DialectNames("pdl", __name__)


def __getattr__(name: str) -> object:
    return _names.get(name)


def __dir__() -> list[str]:
    return _names.all()


AttributeType = type_class("AttributeType", "pdl", "attribute", __name__)
OperationType = type_class("OperationType", "pdl", "operation", __name__)
TypeType = type_class("TypeType", "pdl", "type", __name__)
ValueType = type_class("ValueType", "pdl", "value", __name__)


class RangeType(DialectType):
    """Any number of attributes, operations, types or values."""

    __slots__ = ()
    _dialect = "pdl"
    _mnemonic = "range"

    @classmethod
    def get(cls, element_type: "Type", context: object = None) -> "RangeType":
        """The type for the type of the elements."""
        return cls._parsed(f"<{str(element_type).removeprefix('!pdl.')}>", context)

    @property
    def element_type(self) -> "Type":
        """The type of the elements."""
        return ir.Type.parse(f"!pdl.{self._parameters[0].removeprefix('!pdl.')}")


def op_t() -> "Type":
    """`!pdl.operation`."""
    return OperationType.get()


class AttributeOp(OpView, extends="pdl.attribute"):
    """An attribute in a pattern."""

    __slots__ = ()

    def __init__(
        self,
        valueType: object = None,
        value: "Attribute | None" = None,
        *,
        loc: "Attribute | None" = None,
        ip: "InsertionPoint | None" = None,
    ) -> None:
        """Build it."""
        self._build(AttributeType.get(), valueType=valueType, value=value, loc=loc, ip=ip)


class OperandOp(OpView, extends="pdl.operand"):
    """An operand in a pattern."""

    __slots__ = ()

    def __init__(
        self,
        type: object = None,
        *,
        loc: "Attribute | None" = None,
        ip: "InsertionPoint | None" = None,
    ) -> None:
        """Build it."""
        self._build(ValueType.get(), valueType=type, loc=loc, ip=ip)


class OperandsOp(OpView, extends="pdl.operands"):
    """Operands in a pattern."""

    __slots__ = ()

    def __init__(
        self,
        types: object = None,
        *,
        loc: "Attribute | None" = None,
        ip: "InsertionPoint | None" = None,
    ) -> None:
        """Build it."""
        self._build(RangeType.get(ValueType.get()), valueType=types, loc=loc, ip=ip)


class OperationOp(OpView, extends="pdl.operation"):
    """An operation in a pattern."""

    __slots__ = ()

    def __init__(
        self,
        name: "str | Attribute | None" = None,
        args: object = None,
        attributes: "Mapping[str, object] | None" = None,
        types: object = None,
        *,
        loc: "Attribute | None" = None,
        ip: "InsertionPoint | None" = None,
    ) -> None:
        """Build it; attributes are values in the pattern."""
        named = attributes or {}
        self._build(
            OperationType.get(),
            results_or_values(args or ()),
            [result_or_value(value) for value in named.values()],
            ir.ArrayAttr.get([ir.StringAttr.get(one) for one in named]),
            results_or_values(types or ()),
            opName=name,
            loc=loc,
            ip=ip,
        )


class PatternOp(OpView, extends="pdl.pattern"):
    """A pattern."""

    __slots__ = ()

    def __init__(
        self,
        benefit: "int | Attribute",
        name: "str | Attribute | None" = None,
        *,
        loc: "Attribute | None" = None,
        ip: "InsertionPoint | None" = None,
    ) -> None:
        """Build it with an empty block."""
        self._build(benefit, sym_name=name, loc=loc, ip=ip)
        self.regions[0].blocks.append()

    @property
    def body(self) -> "Block":
        """The block."""
        return self.regions[0].blocks[0]


def _pattern(*arguments: object, **keywords: object) -> OpView:
    view = OpView.__new__(PatternOp)
    view._build(*arguments, **keywords)
    return view


pattern = region_op(_pattern)
"""A decorator: the function builds the operations of a pattern."""


class ReplaceOp(OpView, extends="pdl.replace"):
    """A replacement."""

    __slots__ = ()

    def __init__(
        self,
        op: object,
        *,
        with_op: object = None,
        with_values: object = None,
        loc: "Attribute | None" = None,
        ip: "InsertionPoint | None" = None,
    ) -> None:
        """Build it, with an operation or with values."""
        values = results_or_values(with_values or ())
        self._build(op, values, replOperation=with_op, loc=loc, ip=ip)


class ResultOp(OpView, extends="pdl.result"):
    """A result of an operation in a pattern."""

    __slots__ = ()

    def __init__(
        self,
        parent: object,
        index: "int | Attribute",
        *,
        loc: "Attribute | None" = None,
        ip: "InsertionPoint | None" = None,
    ) -> None:
        """Build it."""
        self._build(ValueType.get(), parent, index, loc=loc, ip=ip)


class RewriteOp(OpView, extends="pdl.rewrite"):
    """The rewrite of a pattern."""

    __slots__ = ()

    def __init__(
        self,
        root: object = None,
        name: "str | Attribute | None" = None,
        args: object = None,
        *,
        loc: "Attribute | None" = None,
        ip: "InsertionPoint | None" = None,
    ) -> None:
        """Build it; `add_body` adds its block."""
        self._build(results_or_values(args or ()), root=root, name=name, loc=loc, ip=ip)

    def add_body(self) -> "Block":
        """Add the block."""
        self.regions[0].blocks.append()
        return self.body

    @property
    def body(self) -> "Block":
        """The block."""
        return self.regions[0].blocks[0]


rewrite = region_op(RewriteOp)
"""A decorator: the function builds the operations of a rewrite."""


class TypeOp(OpView, extends="pdl.type"):
    """A type in a pattern."""

    __slots__ = ()

    def __init__(
        self,
        constantType: "Type | Attribute | None" = None,
        *,
        loc: "Attribute | None" = None,
        ip: "InsertionPoint | None" = None,
    ) -> None:
        """Build it."""
        self._build(TypeType.get(), constantType=constantType, loc=loc, ip=ip)


class TypesOp(OpView, extends="pdl.types"):
    """Types in a pattern."""

    __slots__ = ()

    def __init__(
        self,
        constantTypes: "Sequence[Type | Attribute] | None" = None,
        *,
        loc: "Attribute | None" = None,
        ip: "InsertionPoint | None" = None,
    ) -> None:
        """Build it."""
        types = RangeType.get(TypeType.get())
        self._build(types, constantTypes=list(constantTypes or ()), loc=loc, ip=ip)
