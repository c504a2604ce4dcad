"""The extension `smt` of the dialect `transform`."""

from typing import TYPE_CHECKING

from mlirbc.mlir._opview import OpView
from mlirbc.mlir.dialects._generated import DialectNames
from mlirbc.mlir.dialects.transform import extension_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mlirbc._mlirbc import Attribute, Type
    from mlirbc.edit import Block, InsertionPoint

_names = DialectNames("transform", __name__, lambda mnemonic: extension_of(mnemonic) == "smt")


def __getattr__(name: str) -> object:
    return _names.get(name)


def __dir__() -> list[str]:
    return _names.all()


class ConstrainParamsOp(OpView, extends="transform.smt.constrain_params"):
    """Constraints on parameters."""

    __slots__ = ()

    def __init__(
        self,
        results: "Sequence[Type]",
        params: "Sequence[object]",
        arg_types: "Sequence[Type]",
        *,
        loc: "Attribute | None" = None,
        ip: "InsertionPoint | None" = None,
    ) -> None:
        """Build it with an empty block, whose arguments have the types `arg_types`."""
        self._build(results, params, loc=loc, ip=ip)
        self.regions[0].blocks.append(*arg_types)

    @property
    def body(self) -> "Block":
        """The block."""
        return self.regions[0].blocks[0]
