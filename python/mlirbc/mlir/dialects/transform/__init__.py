"""The dialect `transform`; extensions are modules of their own: `transform.structured`, `transform.loop`."""

import importlib
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from mlirbc.mlir import ir
from mlirbc.mlir._dialect_types import DialectType, type_class
from mlirbc.mlir._op_classes import result_of
from mlirbc.mlir._opview import OpView, result_or_value, results_or_values
from mlirbc.mlir._registry import register_attribute_builder
from mlirbc.mlir.dialects._generated import DialectNames

if TYPE_CHECKING:
    from mlirbc._mlirbc import Attribute, Type
    from mlirbc.edit import Block, InsertionPoint, Value

# The modules of operations by a word of their names.
_EXTENSIONS = {
    "affine": "affine",
    "arm_neon": "arm_neon",
    "arm_sve": "arm_sve",
    "bufferization": "bufferization",
    "debug": "debug",
    "dlti": "dlti",
    "func": "func",
    "gpu": "gpu",
    "irdl": "irdl",
    "linalg": "structured",
    "loop": "loop",
    "memref": "memref",
    "nvgpu": "nvgpu",
    "pdl_match": "pdl",
    "scf": "loop",
    "smt": "smt",
    "sparse_tensor": "sparse_tensor",
    "structured": "structured",
    "tensor": "tensor",
    "tune": "tune",
    "vector": "vector",
    "with_pdl_patterns": "pdl",
    "x86vector": "x86vector",
    "xegpu": "xegpu",
}


def extension_of(mnemonic: str) -> str:
    """The module of the extension that an operation belongs to; empty for the dialect itself."""
    return next((_EXTENSIONS[word] for word in mnemonic.split(".") if word in _EXTENSIONS), "")


def is_extension(name: str) -> bool:
    """Whether an extension has this name."""
    return name in _EXTENSIONS.values()


_names = DialectNames("transform", __name__, lambda mnemonic: not extension_of(mnemonic))


def __getattr__(name: str) -> object:
    if is_extension(name) or name in ("extras", "interpreter"):
        return importlib.import_module(f"{__name__}.{name}")
    return _names.get(name)


def __dir__() -> list[str]:
    return _names.all()


# ---- types ----

AnyOpType = type_class("AnyOpType", "transform", "any_op", __name__)
AnyParamType = type_class("AnyParamType", "transform", "any_param", __name__)
AnyValueType = type_class("AnyValueType", "transform", "any_value", __name__)


class OperationType(DialectType):
    """A handle to operations with a name."""

    __slots__ = ()
    _dialect = "transform"
    _mnemonic = "op"

    @classmethod
    def get(cls, operation_name: str, context: object = None) -> "OperationType":
        """The type for the name of an operation."""
        return cls._parsed(f"<{ir.StringAttr.get(operation_name)}>", context)

    @property
    def operation_name(self) -> str:
        """The name of the operation."""
        return self._parameters[0].strip('"')


class ParamType(DialectType):
    """A parameter of a type."""

    __slots__ = ()
    _dialect = "transform"
    _mnemonic = "param"

    @classmethod
    def get(cls, type: "Type", context: object = None) -> "ParamType":
        """The type for the type of the parameter."""
        return cls._parsed(f"<{type}>", context)

    @property
    def type(self) -> "Type":
        """The type of the parameter."""
        return ir.Type.parse(self._parameters[0])


def any_op_t() -> "Type":
    """`!transform.any_op`."""
    return AnyOpType.get()


@register_attribute_builder("ParamOperandAttr")
def _param_operand(index: int, context: object = None) -> "Attribute":
    return ir.Attribute.parse(f"#transform.param_operand<index = {index}>")


# ---- operations ----


class _WithBody(OpView):
    """An operation with one block."""

    __slots__ = ()

    @property
    def body(self) -> "Block":
        """The block."""
        return self.regions[0].blocks[0]

    @property
    def bodyTarget(self) -> "Value":
        """The first argument of the block."""
        return self.body.arguments[0]

    @property
    def bodyExtraArgs(self) -> "Sequence[Value]":
        """The other arguments of the block."""
        return self.body.arguments[1:]


class CastOp(OpView, extends="transform.cast"):
    """A handle as one of another type."""

    __slots__ = ()

    def __init__(
        self,
        result_type: "Type",
        target: object,
        *,
        loc: "Attribute | None" = None,
        ip: "InsertionPoint | None" = None,
    ) -> None:
        """Build it."""
        self._build(result_type, target, loc=loc, ip=ip)


def cast(
    result_type: "Type",
    target: object,
    *,
    loc: "Attribute | None" = None,
    ip: "InsertionPoint | None" = None,
) -> object:
    """Build a cast and return the handle."""
    return result_of(CastOp(result_type, target, loc=loc, ip=ip))


class ApplyPatternsOp(OpView, extends="transform.apply_patterns"):
    """Patterns that are applied."""

    __slots__ = ()

    def __init__(
        self,
        target: object,
        apply_cse: bool = False,
        max_iterations: "Attribute | int | None" = None,
        max_num_rewrites: "Attribute | int | None" = None,
        *,
        loc: "Attribute | None" = None,
        ip: "InsertionPoint | None" = None,
    ) -> None:
        """Build it with an empty block."""
        self._build(
            target,
            apply_cse=apply_cse,
            max_iterations=max_iterations,
            max_num_rewrites=max_num_rewrites,
            loc=loc,
            ip=ip,
        )
        self.regions[0].blocks.append()

    @property
    def patterns(self) -> "Block":
        """The block with the patterns."""
        return self.regions[0].blocks[0]


def apply_patterns(
    target: object,
    apply_cse: bool = False,
    max_iterations: "Attribute | int | None" = None,
    max_num_rewrites: "Attribute | int | None" = None,
    *,
    loc: "Attribute | None" = None,
    ip: "InsertionPoint | None" = None,
) -> ApplyPatternsOp:
    """Build an application of patterns."""
    return ApplyPatternsOp(target, apply_cse, max_iterations, max_num_rewrites, loc=loc, ip=ip)


class ReplicateOp(OpView, extends="transform.replicate"):
    """Handles, repeated as often as another one has operations."""

    __slots__ = ()

    def __init__(
        self,
        pattern: object,
        handles: "Sequence[object]",
        *,
        loc: "Attribute | None" = None,
        ip: "InsertionPoint | None" = None,
    ) -> None:
        """Build it."""
        values = [result_or_value(handle) for handle in handles]
        self._build([value.type for value in values], pattern, values, loc=loc, ip=ip)


def replicate(
    pattern: object,
    handles: "Sequence[object]",
    *,
    loc: "Attribute | None" = None,
    ip: "InsertionPoint | None" = None,
) -> object:
    """Build a repetition of handles and return them."""
    return result_of(ReplicateOp(pattern, handles, loc=loc, ip=ip))


class SequenceOp(_WithBody, extends="transform.sequence"):
    """Transformations one after another."""

    __slots__ = ()

    def __init__(
        self,
        failure_propagation_mode: object,
        results: "Sequence[Type]",
        target: object,
        extra_bindings: object = None,
        *,
        loc: "Attribute | None" = None,
        ip: "InsertionPoint | None" = None,
    ) -> None:
        """Build it with an empty block. `target` and `extra_bindings` are handles, or their types."""
        root = None if isinstance(target, ir.Type) else result_or_value(target)
        extra = list(results_or_values(extra_bindings or ()))
        values = [] if extra and isinstance(extra[0], ir.Type) else [result_or_value(one) for one in extra]
        types = [value.type for value in values] or extra
        self._build(
            results_=results,
            failure_propagation_mode=failure_propagation_mode,
            root=root,
            extra_bindings=values,
            loc=loc,
            ip=ip,
        )
        root_type = target if root is None else root.type
        self.regions[0].blocks.append(root_type, *types)  # type: ignore[arg-type]


def sequence(
    failure_propagation_mode: object,
    results: "Sequence[Type]",
    target: object,
    extra_bindings: object = None,
    *,
    loc: "Attribute | None" = None,
    ip: "InsertionPoint | None" = None,
) -> object:
    """Build a sequence and return its results, or the operation."""
    return result_of(SequenceOp(failure_propagation_mode, results, target, extra_bindings, loc=loc, ip=ip))


class NamedSequenceOp(_WithBody, extends="transform.named_sequence"):
    """A sequence with a name."""

    __slots__ = ()

    def __init__(
        self,
        sym_name: "str | Attribute",
        input_types: "Sequence[Type]",
        result_types: "Sequence[Type]",
        *,
        sym_visibility: "str | Attribute | None" = None,
        arg_attrs: object = None,
        res_attrs: object = None,
        loc: "Attribute | None" = None,
        ip: "InsertionPoint | None" = None,
    ) -> None:
        """Build it with an empty block."""
        self._build(
            sym_name=sym_name,
            function_type=ir.FunctionType.get(list(input_types), list(result_types)),
            sym_visibility=sym_visibility,
            arg_attrs=arg_attrs,
            res_attrs=res_attrs,
            loc=loc,
            ip=ip,
        )
        self.regions[0].blocks.append(*input_types)

    def apply(self, payload: object, transform_options: object = None) -> object:
        """Raises the error that says which packages have an interpreter."""
        from mlirbc.mlir.dialects.transform import interpreter

        return interpreter.apply_named_sequence(payload, self, self, transform_options)


def named_sequence(
    sym_name: "str | Attribute",
    input_types: "Sequence[Type]",
    result_types: "Sequence[Type]",
    *,
    sym_visibility: "str | Attribute | None" = None,
    arg_attrs: object = None,
    res_attrs: object = None,
    loc: "Attribute | None" = None,
    ip: "InsertionPoint | None" = None,
) -> NamedSequenceOp:
    """Build a sequence with a name."""
    return NamedSequenceOp(
        sym_name,
        input_types,
        result_types,
        sym_visibility=sym_visibility,
        arg_attrs=arg_attrs,
        res_attrs=res_attrs,
        loc=loc,
        ip=ip,
    )


class YieldOp(OpView, extends="transform.yield"):
    """The end of a sequence."""

    __slots__ = ()

    def __init__(
        self,
        operands: object = None,
        *,
        loc: "Attribute | None" = None,
        ip: "InsertionPoint | None" = None,
    ) -> None:
        """Build it."""
        self._build(results_or_values(operands or ()), loc=loc, ip=ip)


def yield_(
    operands: object = None,
    *,
    loc: "Attribute | None" = None,
    ip: "InsertionPoint | None" = None,
) -> YieldOp:
    """Build the end of a sequence."""
    return YieldOp(operands, loc=loc, ip=ip)


class ApplyRegisteredPassOp(OpView, extends="transform.apply_registered_pass"):
    """A pass that is applied."""

    __slots__ = ()

    def __init__(
        self,
        result: "Type",
        target: object,
        pass_name: "str | Attribute",
        *,
        options: "Mapping[object, object] | None" = None,
        loc: "Attribute | None" = None,
        ip: "InsertionPoint | None" = None,
    ) -> None:
        """Build it. Options are attributes, Python values, or handles to parameters."""
        dynamic: list[object] = []
        attributes = {
            name if isinstance(name, str) else name.value: _option(value, dynamic)  # type: ignore[attr-defined]
            for name, value in (options or {}).items()
        }
        self._build(
            result=result,
            target=target,
            pass_name=pass_name,
            dynamic_options=dynamic,
            options=ir.DictAttr.get(attributes),
            loc=loc,
            ip=ip,
        )


def _option(value: object, dynamic: list[object]) -> "Attribute":
    """The attribute of an option; handles are added to `dynamic`."""
    if isinstance(value, (ir.Value, ir.Operation, OpView)):
        dynamic.append(value)
        return _param_operand(len(dynamic) - 1)
    if isinstance(value, bool):
        return ir.BoolAttr.get(value)
    if isinstance(value, int):
        return ir.IntegerAttr.get(ir.IntegerType.get_signless(64), value)
    if isinstance(value, str):
        return ir.StringAttr.get(value)
    if isinstance(value, ir.Attribute):
        return value
    if isinstance(value, Sequence):
        return ir.ArrayAttr.get([_option(one, dynamic) for one in value])
    raise TypeError(f"Unsupported option type: {type(value)}")


def apply_registered_pass(
    result: "Type",
    target: object,
    pass_name: "str | Attribute",
    *,
    options: "Mapping[object, object] | None" = None,
    loc: "Attribute | None" = None,
    ip: "InsertionPoint | None" = None,
) -> object:
    """Build the application of a pass and return the handle."""
    return result_of(ApplyRegisteredPassOp(result, target, pass_name, options=options, loc=loc, ip=ip))


class ForeachOp(OpView, extends="transform.foreach"):
    """Transformations for each operation of a handle."""

    __slots__ = ()

    def __init__(
        self,
        results: "Sequence[Type]",
        targets: "Sequence[object]",
        *,
        with_zip_shortest: bool = False,
        loc: "Attribute | None" = None,
        ip: "InsertionPoint | None" = None,
    ) -> None:
        """Build it with an empty block."""
        values = [result_or_value(target) for target in targets]
        self._build(results, values, with_zip_shortest=with_zip_shortest, loc=loc, ip=ip)
        self.regions[0].blocks.append(*(value.type for value in values))

    @property
    def body(self) -> "Block":
        """The block."""
        return self.regions[0].blocks[0]

    @property
    def bodyTargets(self) -> "Sequence[Value]":
        """The arguments of the block."""
        return self.body.arguments


def foreach(
    results: "Sequence[Type]",
    targets: "Sequence[object]",
    *,
    with_zip_shortest: bool = False,
    loc: "Attribute | None" = None,
    ip: "InsertionPoint | None" = None,
) -> object:
    """Build transformations for each operation and return the results."""
    return result_of(ForeachOp(results, targets, with_zip_shortest=with_zip_shortest, loc=loc, ip=ip))
