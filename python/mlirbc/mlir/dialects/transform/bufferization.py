"""The extension `bufferization` of the dialect `transform`."""

from typing import TYPE_CHECKING

from mlirbc.mlir import ir
from mlirbc.mlir._opview import OpView
from mlirbc.mlir.dialects._generated import DialectNames
from mlirbc.mlir.dialects.transform import OperationType, extension_of
from mlirbc.mlir.dialects.transform._types import HandlesOp

if TYPE_CHECKING:
    from mlirbc._mlirbc import Attribute
    from mlirbc.edit import InsertionPoint

_names = DialectNames("transform", __name__, lambda mnemonic: extension_of(mnemonic) == "bufferization")


def __getattr__(name: str) -> object:
    return _names.get(name)


def __dir__() -> list[str]:
    return _names.all()


class EmptyTensorToAllocTensorOp(OpView, extends="transform.bufferization.empty_tensor_to_alloc_tensor"):
    """Empty tensors become allocated ones."""

    __slots__ = ()

    def __init__(
        self,
        *arguments: object,
        loc: "Attribute | None" = None,
        ip: "InsertionPoint | None" = None,
    ) -> None:
        """Build it; the type of the result can be left out."""
        has_type = isinstance(arguments[0], ir.Type)
        result = () if has_type else (OperationType.get("bufferization.alloc_tensor"),)
        self._build(*result, *arguments, loc=loc, ip=ip)


class OneShotBufferizeOp(HandlesOp, extends="transform.bufferization.one_shot_bufferize"):
    """Bufferization of a whole function."""

    __slots__ = ()
