"""The dialect `irdl`, which defines dialects."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from mlirbc.mlir import ir, not_available
from mlirbc.mlir._opview import OpView
from mlirbc.mlir._registry import register_attribute_builder
from mlirbc.mlir.dialects._generated import DialectNames

if TYPE_CHECKING:
    from mlirbc._mlirbc import Attribute
    from mlirbc.edit import Block, InsertionPoint

_names = DialectNames("irdl", __name__)


def __getattr__(name: str) -> object:
    return _names.get(name)


def __dir__() -> list[str]:
    return _names.all()


@register_attribute_builder("VariadicityArrayAttr")
def _variadicities(values: "Sequence[object]", context: object = None) -> "Attribute":
    shown = ", ".join(str(one) for one in values)
    return ir.Attribute.parse(f"#irdl<variadicity_array[{shown}]>")


class _WithBody(OpView):
    """A definition with a block."""

    __slots__ = ()

    def __init__(
        self,
        name: "str | Attribute",
        *,
        loc: "Attribute | None" = None,
        ip: "InsertionPoint | None" = None,
    ) -> None:
        """Build it with an empty block."""
        self._build(name, loc=loc, ip=ip)
        self.regions[0].blocks.append()

    @property
    def body(self) -> "Block":
        """The block."""
        return self.regions[0].blocks[0]


class DialectOp(_WithBody, extends="irdl.dialect"):
    """A dialect."""

    __slots__ = ()


class OperationOp(_WithBody, extends="irdl.operation"):
    """An operation."""

    __slots__ = ()


class TypeOp(_WithBody, extends="irdl.type"):
    """A type."""

    __slots__ = ()


class AttributeOp(_WithBody, extends="irdl.attribute"):
    """An attribute."""

    __slots__ = ()


def dialect(
    name: "str | Attribute", *, loc: "Attribute | None" = None, ip: "InsertionPoint | None" = None
) -> DialectOp:
    """Build a dialect."""
    return DialectOp(name, loc=loc, ip=ip)


def operation_(
    name: "str | Attribute", *, loc: "Attribute | None" = None, ip: "InsertionPoint | None" = None
) -> OperationOp:
    """Build an operation."""
    return OperationOp(name, loc=loc, ip=ip)


def type_(
    name: "str | Attribute", *, loc: "Attribute | None" = None, ip: "InsertionPoint | None" = None
) -> TypeOp:
    """Build a type."""
    return TypeOp(name, loc=loc, ip=ip)


def attribute(
    name: "str | Attribute", *, loc: "Attribute | None" = None, ip: "InsertionPoint | None" = None
) -> AttributeOp:
    """Build an attribute."""
    return AttributeOp(name, loc=loc, ip=ip)


def load_dialects(module: object) -> None:
    """Raises the error that says which packages load dialects."""
    raise not_available("loading dialects that irdl defines")


def operands_(
    args: "Sequence[object]",
    names: "Sequence[str]",
    variadicities: "Sequence[object] | None" = None,
    *,
    loc: "Attribute | None" = None,
    ip: "InsertionPoint | None" = None,
) -> object:
    """Build the operands of an operation."""
    return _group("operands_", args, names, variadicities, loc, ip)


def results_(
    args: "Sequence[object]",
    names: "Sequence[str]",
    variadicities: "Sequence[object] | None" = None,
    *,
    loc: "Attribute | None" = None,
    ip: "InsertionPoint | None" = None,
) -> object:
    """Build the results of an operation."""
    return _group("results_", args, names, variadicities, loc, ip)


def _group(
    function: str,
    args: "Sequence[object]",
    names: "Sequence[str]",
    variadicities: "Sequence[object] | None",
    loc: "Attribute | None",
    ip: "InsertionPoint | None",
) -> object:
    cases = ["single"] * len(args) if variadicities is None else variadicities
    build = _names.generated_function(function.rstrip("_"))
    return build(args, [ir.StringAttr.get(name) for name in names], _variadicities(cases), loc=loc, ip=ip)


def parameters(
    args: "Sequence[object]",
    names: "Sequence[str]",
    *,
    loc: "Attribute | None" = None,
    ip: "InsertionPoint | None" = None,
) -> object:
    """Build the parameters of a type or an attribute."""
    build = _names.generated_function("parameters")
    return build(args, [ir.StringAttr.get(name) for name in names], loc=loc, ip=ip)
