"""Handles with methods that build transformations, and sequences as Python functions."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Self, cast

from mlirbc._mlirbc import _EditedValue
from mlirbc.mlir import ir
from mlirbc.mlir._opview import OpView
from mlirbc.mlir._registry import register_value_caster
from mlirbc.mlir.dialects import transform
from mlirbc.mlir.dialects.transform import (
    AnyOpType,
    AnyParamType,
    AnyValueType,
    ApplyPatternsOp,
    NamedSequenceOp,
    OperationType,
    ParamType,
    SequenceOp,
    YieldOp,
    structured,
)
from mlirbc.mlir.extras.meta import region_op

if TYPE_CHECKING:
    from mlirbc.edit import Block, InsertionPoint, Value

__all__ = [
    "Handle",
    "OpHandle",
    "ParamHandle",
    "ValueHandle",
    "apply_patterns",
    "constant_param",
    "insert_transform_script",
    "named_sequence",
    "sequence",
]


class Handle(ir.Value):
    """A handle, with the handle that it comes from."""

    __slots__ = ("children", "parent")

    def __new__(cls, value: "Value", *arguments: object, **keywords: object) -> Self:
        """Make an object for a value."""
        return _EditedValue.__new__(cls)

    def __init__(
        self, value: "Value", *, parent: "Handle | None" = None, children: "Sequence[Handle] | None" = None
    ) -> None:
        super().__init__(value._home, value._row)
        self.parent = parent
        self.children = list(children or ())


@register_value_caster(AnyOpType.static_typeid)
@register_value_caster(OperationType.static_typeid)
class OpHandle(Handle):
    """A handle to operations."""

    __slots__ = ()

    def get_result(self, indices: "Sequence[int]" = (0,)) -> "ValueHandle":
        """Build a `transform.get_result`, and return its handle."""
        build = transform._names.get("get_result")
        return ValueHandle(build(AnyValueType.get(), self, list(indices)))  # type: ignore[operator]

    def match_ops(self, ops: object) -> "OpHandle":
        """Build a `transform.structured.match` of names, classes, or an interface."""
        interfaces = structured._names.get("MatchInterfaceEnum")
        if isinstance(ops, str) and ops in interfaces.__members__:  # type: ignore[attr-defined]
            ops = interfaces[ops]  # type: ignore[index]
        if isinstance(ops, interfaces):  # type: ignore[arg-type]
            match = structured.MatchOp(AnyOpType.get(), self, interface=ops)  # type: ignore[call-arg, arg-type]
        else:
            is_list = isinstance(ops, Sequence) and not isinstance(ops, str)
            names = [_operation_name(one) for one in (ops if is_list else [ops])]  # type: ignore[attr-defined]
            result = AnyOpType.get() if is_list else OperationType.get(names[0])
            match = structured.MatchOp.match_op_names(result, self, names)
        handle = OpHandle(match.operation.result, parent=self)
        self.children.append(handle)
        return handle

    def print(self, name: str | None = None) -> "OpHandle":
        """Build a `transform.print`, and return the handle itself."""
        transform._names.builder("PrintOp")(target=self, name=name)
        return self


def _operation_name(one: object) -> str:
    return one if isinstance(one, str) else cast("type[OpView]", one).OPERATION_NAME


@register_value_caster(AnyParamType.static_typeid)
@register_value_caster(ParamType.static_typeid)
class ParamHandle(Handle):
    """A handle to parameters."""

    __slots__ = ()


@register_value_caster(AnyValueType.static_typeid)
class ValueHandle(Handle):
    """A handle to values."""

    __slots__ = ()

    def get_defining_op(self) -> OpHandle:
        """Build a `transform.get_defining_op`, and return its handle."""
        build = transform._names.get("get_defining_op")
        return OpHandle(build(AnyOpType.get(), self))  # type: ignore[operator]


def constant_param(value: object) -> ParamHandle:
    """Build a `transform.param.constant`; integers have type `i64`."""
    attribute = value
    if isinstance(value, int):
        attribute = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), value)
    type_ = getattr(attribute, "type", None)
    is_integer = isinstance(attribute, (ir.IntegerAttr, ir.BoolAttr)) and isinstance(type_, ir.IntegerType)
    result = ParamType.get(type_) if is_integer else AnyParamType.get()  # type: ignore[arg-type]
    build = transform._names.builder("ParamConstantOp")
    return ParamHandle(build(result, attribute).operation.result)


def insert_transform_script(
    block_or_insertion_point: "Block | InsertionPoint",
    script: "Callable[[OpHandle], object]",
    dump_script: bool = False,
) -> None:
    """Build a sequence `__transform_main` at a place, by a function that gets the handle of its root."""
    point = block_or_insertion_point
    if isinstance(point, ir.Block):
        point = ir.InsertionPoint.at_block_begin(point)
    with ir.Location.unknown(), point:
        view = NamedSequenceOp("__transform_main", [AnyOpType.get()], [])
        with ir.InsertionPoint(view.body):
            script(OpHandle(view.bodyTarget))
            YieldOp([])
    if dump_script:
        print(view)


def _sequence(*arguments: object, **keywords: object) -> SequenceOp:
    """The sequence with the arguments of its definition, whose block the decorator makes."""
    view = OpView.__new__(SequenceOp)
    view._build(*arguments, **keywords)
    return view


sequence = region_op(_sequence, terminator=YieldOp)
"""A decorator: the function builds the transformations of a sequence."""
named_sequence = region_op(NamedSequenceOp, terminator=YieldOp)
"""A decorator: the function builds the transformations of a named sequence."""
apply_patterns = region_op(ApplyPatternsOp)
"""A decorator: the function builds the patterns."""
