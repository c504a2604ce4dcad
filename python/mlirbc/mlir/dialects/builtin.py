"""The dialect `builtin`."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from mlirbc.mlir._opview import OpView
from mlirbc.mlir.dialects._generated import DialectNames
from mlirbc.mlir.extras.meta import region_op

if TYPE_CHECKING:
    from mlirbc._mlirbc import Attribute
    from mlirbc.edit import Block, InsertionPoint

_names = DialectNames("builtin", __name__)


def __getattr__(name: str) -> object:
    return _names.get(name)


def __dir__() -> list[str]:
    return _names.all()


class ModuleOp(OpView, extends="builtin.module"):
    """A module, which contains operations."""

    __slots__ = ()

    def __init__(self, *, loc: "Attribute | None" = None, ip: "InsertionPoint | None" = None) -> None:
        """Build a module with an empty block."""
        self._build(loc=loc, ip=ip)
        self.regions[0].blocks.append()

    @property
    def body(self) -> "Block":
        """The block of the module."""
        return self.regions[0].blocks[0]


def _module(
    *,
    sym_name: "str | Attribute | None" = None,
    sym_visibility: "str | Attribute | None" = None,
    attrs: "Mapping[str, Attribute] | None" = None,
    loc: "Attribute | None" = None,
    ip: "InsertionPoint | None" = None,
) -> ModuleOp:
    operation = OpView.__new__(ModuleOp)
    operation._build(sym_name=sym_name, sym_visibility=sym_visibility, loc=loc, ip=ip)
    for name, attribute in (attrs or {}).items():
        operation.operation.attributes[name] = attribute
    return operation


module = region_op(_module)
"""A decorator: the function builds the operations of the module."""
