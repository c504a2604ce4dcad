"""The extension `memref` of the dialect `transform`."""

from typing import TYPE_CHECKING

from mlirbc.mlir._opview import OpView
from mlirbc.mlir.dialects._generated import DialectNames
from mlirbc.mlir.dialects.transform import extension_of
from mlirbc.mlir.dialects.transform._types import with_types

if TYPE_CHECKING:
    from mlirbc._mlirbc import Attribute
    from mlirbc.edit import InsertionPoint

_names = DialectNames("transform", __name__, lambda mnemonic: extension_of(mnemonic) == "memref")


def __getattr__(name: str) -> object:
    return _names.get(name)


def __dir__() -> list[str]:
    return _names.all()


class MemRefAllocaToGlobalOp(OpView, extends="transform.memref.alloca_to_global"):
    """Allocations on the stack become global buffers."""

    __slots__ = ()

    def __init__(
        self,
        *arguments: object,
        loc: "Attribute | None" = None,
        ip: "InsertionPoint | None" = None,
        **options: object,
    ) -> None:
        """Build it; the types of the results can be left out."""
        self._build(*with_types(2, arguments), loc=loc, ip=ip, **options)


class MemRefMultiBufferOp(OpView, extends="transform.memref.multibuffer"):
    """A buffer becomes several ones."""

    __slots__ = ()

    def __init__(
        self,
        *arguments: object,
        loc: "Attribute | None" = None,
        ip: "InsertionPoint | None" = None,
        **options: object,
    ) -> None:
        """Build it; the types of the results can be left out."""
        self._build(*with_types(1, arguments), loc=loc, ip=ip, **options)
