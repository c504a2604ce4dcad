"""Default types of handles, which constructors of extensions have."""

from mlirbc.mlir import ir
from mlirbc.mlir.dialects.transform import AnyOpType

__all__ = ["with_types"]


def with_types(count: int, arguments: "tuple[object, ...]") -> "tuple[object, ...]":
    """The arguments with `count` types at the front, by default `!transform.any_op`.

    Raises `TypeError` if there are some, but not all.
    """
    if arguments and isinstance(arguments[0], ir.Type):
        if not all(isinstance(one, ir.Type) for one in arguments[:count]):
            raise TypeError(f"expected {count} types before the target, or none")
        return arguments
    return (*[AnyOpType.get()] * count, *arguments)
