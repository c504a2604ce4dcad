"""The extension `tensor` of the dialect `transform`."""

from mlirbc.mlir.dialects._generated import DialectNames
from mlirbc.mlir.dialects.transform import extension_of
from mlirbc.mlir.dialects.transform._types import HandlesOp

_names = DialectNames("transform", __name__, lambda mnemonic: extension_of(mnemonic) == "tensor")


def __getattr__(name: str) -> object:
    return _names.get(name)


def __dir__() -> list[str]:
    return _names.all()


class MakeLoopIndependentOp(HandlesOp, extends="transform.tensor.make_loop_independent"):
    """Sizes do not depend on loops."""

    __slots__ = ()
