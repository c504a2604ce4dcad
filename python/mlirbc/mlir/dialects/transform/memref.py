"""The extension `memref` of the dialect `transform`."""

from mlirbc.mlir.dialects._generated import DialectNames
from mlirbc.mlir.dialects.transform import extension_of
from mlirbc.mlir.dialects.transform._types import HandlesOp

_names = DialectNames("transform", __name__, lambda mnemonic: extension_of(mnemonic) == "memref")


def __getattr__(name: str) -> object:
    return _names.get(name)


def __dir__() -> list[str]:
    return _names.all()


class MemRefAllocaToGlobalOp(HandlesOp, extends="transform.memref.alloca_to_global"):
    """Allocations on the stack become global buffers."""

    __slots__ = ()
    _handles = 2


class MemRefMultiBufferOp(HandlesOp, extends="transform.memref.multibuffer"):
    """A buffer becomes several ones."""

    __slots__ = ()
