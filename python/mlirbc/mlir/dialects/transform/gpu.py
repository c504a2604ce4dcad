"""The extension `gpu` of the dialect `transform`."""

from typing import TYPE_CHECKING

from mlirbc.mlir._opview import OpView
from mlirbc.mlir.dialects._generated import DialectNames
from mlirbc.mlir.dialects.transform import extension_of
from mlirbc.mlir.dialects.transform._types import with_types

if TYPE_CHECKING:
    from mlirbc._mlirbc import Attribute
    from mlirbc.edit import InsertionPoint

_names = DialectNames("transform", __name__, lambda mnemonic: extension_of(mnemonic) == "gpu")


def __getattr__(name: str) -> object:
    return _names.get(name)


def __dir__() -> list[str]:
    return _names.all()


class MapForallToBlocks(OpView, extends="transform.gpu.map_forall_to_blocks"):
    """A loop becomes blocks of a launch."""

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


class MapNestedForallToThreads(OpView, extends="transform.gpu.map_nested_forall_to_threads"):
    """Loops become threads of a launch."""

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
