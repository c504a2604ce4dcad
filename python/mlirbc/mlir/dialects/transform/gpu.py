"""The extension `gpu` of the dialect `transform`."""

from mlirbc.mlir.dialects._generated import DialectNames
from mlirbc.mlir.dialects.transform import extension_of
from mlirbc.mlir.dialects.transform._types import HandlesOp

_names = DialectNames("transform", __name__, lambda mnemonic: extension_of(mnemonic) == "gpu")


def __getattr__(name: str) -> object:
    return _names.get(name)


def __dir__() -> list[str]:
    return _names.all()


class MapForallToBlocks(HandlesOp, extends="transform.gpu.map_forall_to_blocks"):
    """A loop becomes blocks of a launch."""

    __slots__ = ()


class MapNestedForallToThreads(HandlesOp, extends="transform.gpu.map_nested_forall_to_threads"):
    """Loops become threads of a launch."""

    __slots__ = ()
