"""The extension `pdl` of the dialect `transform`."""

from typing import TYPE_CHECKING

from mlirbc.mlir import ir
from mlirbc.mlir._opview import OpView, result_or_value
from mlirbc.mlir.dialects._generated import DialectNames
from mlirbc.mlir.dialects.transform import extension_of

if TYPE_CHECKING:
    from mlirbc._mlirbc import Attribute
    from mlirbc.edit import Block, InsertionPoint, Value

_names = DialectNames("transform", __name__, lambda mnemonic: extension_of(mnemonic) == "pdl")


def __getattr__(name: str) -> object:
    return _names.get(name)


def __dir__() -> list[str]:
    return _names.all()


class WithPDLPatternsOp(OpView, extends="transform.with_pdl_patterns"):
    """Patterns and a sequence that uses them."""

    __slots__ = ()

    def __init__(
        self,
        target: object,
        *,
        loc: "Attribute | None" = None,
        ip: "InsertionPoint | None" = None,
    ) -> None:
        """Build it with an empty block. `target` is a handle or its type."""
        root = None if isinstance(target, ir.Type) else result_or_value(target)
        self._build(root=root, loc=loc, ip=ip)
        self.regions[0].blocks.append(target if root is None else root.type)  # type: ignore[arg-type]

    @property
    def body(self) -> "Block":
        """The block."""
        return self.regions[0].blocks[0]

    @property
    def bodyTarget(self) -> "Value":
        """The first argument of the block."""
        return self.body.arguments[0]
