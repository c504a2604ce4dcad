"""The extension `debug` of the dialect `transform`."""

from typing import TYPE_CHECKING

from mlirbc.mlir.dialects._generated import DialectNames
from mlirbc.mlir.dialects.transform import extension_of

if TYPE_CHECKING:
    from mlirbc._mlirbc import Attribute
    from mlirbc.edit import InsertionPoint

_names = DialectNames("transform", __name__, lambda mnemonic: extension_of(mnemonic) == "debug")


def __getattr__(name: str) -> object:
    return _names.get(name)


def __dir__() -> list[str]:
    return _names.all()


def emit_param_as_remark(
    param: object,
    *,
    anchor: object = None,
    message: "str | Attribute | None" = None,
    loc: "Attribute | None" = None,
    ip: "InsertionPoint | None" = None,
) -> object:
    """Build a remark with a parameter."""
    build = _names.generated_function("debug_emit_param_as_remark")
    return build(param, anchor=anchor, message=message, loc=loc, ip=ip)


def emit_remark_at(
    at: object,
    message: "str | Attribute",
    *,
    loc: "Attribute | None" = None,
    ip: "InsertionPoint | None" = None,
) -> object:
    """Build a remark at the operations of a handle."""
    return _names.generated_function("debug_emit_remark_at")(at, message, loc=loc, ip=ip)
