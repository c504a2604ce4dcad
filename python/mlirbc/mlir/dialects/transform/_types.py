"""Default types of handles, which constructors of extensions have."""

from typing import TYPE_CHECKING, ClassVar

from mlirbc.mlir import ir
from mlirbc.mlir._opview import OpView
from mlirbc.mlir.dialects.transform import AnyOpType

if TYPE_CHECKING:
    from mlirbc._mlirbc import Attribute
    from mlirbc.edit import InsertionPoint

__all__ = ["HandlesOp", "with_types"]


def with_types(count: int, arguments: "tuple[object, ...]") -> "tuple[object, ...]":
    """The arguments with `count` types at the front, by default `!transform.any_op`.

    Raises `TypeError` if there are some, but not all.
    """
    if arguments and isinstance(arguments[0], ir.Type):
        if not all(isinstance(one, ir.Type) for one in arguments[:count]):
            raise TypeError(f"expected {count} types before the target, or none")
        return arguments
    return (*[AnyOpType.get()] * count, *arguments)


class HandlesOp(OpView):
    """An operation of an extension, whose results are handles of any operations by default."""

    __slots__ = ()
    _handles: ClassVar[int] = 1

    def __init__(
        self,
        *arguments: object,
        loc: "Attribute | None" = None,
        ip: "InsertionPoint | None" = None,
        **options: object,
    ) -> None:
        """Build it; the types of the results can be left out."""
        self._build(*with_types(self._handles, arguments), loc=loc, ip=ip, **options)
