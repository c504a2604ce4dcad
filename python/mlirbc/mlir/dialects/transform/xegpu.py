"""The extension `xegpu` of the dialect `transform`."""

from typing import TYPE_CHECKING

from mlirbc.mlir import ir
from mlirbc.mlir.dialects._generated import DialectNames
from mlirbc.mlir.dialects._ods_common import dispatch_mixed_values
from mlirbc.mlir.dialects.transform import AnyOpType, extension_of

if TYPE_CHECKING:
    from mlirbc._mlirbc import Attribute
    from mlirbc.edit import InsertionPoint

_names = DialectNames("transform", __name__, lambda mnemonic: extension_of(mnemonic) == "xegpu")


def __getattr__(name: str) -> object:
    return _names.get(name)


def __dir__() -> list[str]:
    return _names.all()


def get_desc_op(
    target: object,
    *,
    loc: "Attribute | None" = None,
    ip: "InsertionPoint | None" = None,
) -> object:
    """Build the search for the operation that makes a descriptor."""
    return _names.generated_function("xegpu_get_desc_op")(AnyOpType.get(), target, loc=loc, ip=ip)


def _layout(prefix: str, **lists: object) -> "dict[str, object]":
    """The values and integers of the lists of a layout, by the names of arguments."""
    arguments: dict[str, object] = {}
    for name, values in lists.items():
        dynamic, _, static = dispatch_mixed_values(values or [])
        arguments[f"{prefix}{name}"] = dynamic
        arguments[f"static_{prefix}{name}"] = static
    return arguments


def set_desc_layout(
    target: object,
    sg_layout: object,
    sg_data: object,
    *,
    inst_data: object = None,
    slice_dims: object = None,
    loc: "Attribute | None" = None,
    ip: "InsertionPoint | None" = None,
) -> object:
    """Build a new layout of a descriptor."""
    build = _names.generated_function("xegpu_set_desc_layout")
    layout = _layout("", sg_layout=sg_layout, sg_data=sg_data, inst_data=inst_data)
    return build(transformed=AnyOpType.get(), target=target, slice_dims=slice_dims, loc=loc, ip=ip, **layout)


def set_op_layout_attr(
    target: object,
    sg_layout: object,
    sg_data: object,
    *,
    inst_data: object = None,
    slice_dims: object = None,
    index: "int | Attribute | None" = None,
    result: "bool | Attribute | None" = None,
    loc: "Attribute | None" = None,
    ip: "InsertionPoint | None" = None,
) -> object:
    """Build a new layout of an operand or a result."""
    build = _names.generated_function("xegpu_set_op_layout_attr")
    layout = _layout("", sg_layout=sg_layout, sg_data=sg_data, inst_data=inst_data)
    return build(target=target, index=index, result=result, slice_dims=slice_dims, loc=loc, ip=ip, **layout)


def set_gpu_launch_threads(
    launch_op: object,
    threads: object,
    *,
    loc: "Attribute | None" = None,
    ip: "InsertionPoint | None" = None,
) -> object:
    """Build new numbers of threads of a launch."""
    build = _names.generated_function("xegpu_set_gpu_launch_threads")
    return build(target=launch_op, loc=loc, ip=ip, **_layout("", threads=threads))


def insert_prefetch(
    target: object,
    *,
    nb_prefetch: object = 1,
    loc: "Attribute | None" = None,
    ip: "InsertionPoint | None" = None,
) -> object:
    """Build as many prefetches as `nb_prefetch` says."""
    is_known = isinstance(nb_prefetch, (int, ir.IntegerAttr))
    return _names.generated_function("xegpu_insert_prefetch")(
        AnyOpType.get(),
        target,
        dynamic_nb_prefetch=None if is_known else nb_prefetch,
        static_nb_prefetch=nb_prefetch if is_known else None,
        loc=loc,
        ip=ip,
    )


def convert_layout(
    target: object,
    input_sg_layout: object,
    input_sg_data: object,
    target_sg_layout: object,
    target_sg_data: object,
    *,
    input_inst_data: object = None,
    target_inst_data: object = None,
    loc: "Attribute | None" = None,
    ip: "InsertionPoint | None" = None,
) -> object:
    """Build a conversion of a layout into another one."""
    source = _layout("input_", sg_layout=input_sg_layout, sg_data=input_sg_data, inst_data=input_inst_data)
    to = _layout("target_", sg_layout=target_sg_layout, sg_data=target_sg_data, inst_data=target_inst_data)
    build = _names.generated_function("xegpu_convert_layout")
    return build(new_convert_op=AnyOpType.get(), target=target, loc=loc, ip=ip, **source, **to)
