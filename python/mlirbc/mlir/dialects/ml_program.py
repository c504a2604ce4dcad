"""The dialect `ml_program`."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from mlirbc.mlir import ir
from mlirbc.mlir.dialects._function_body import FunctionBody
from mlirbc.mlir.dialects._generated import DialectNames

if TYPE_CHECKING:
    from mlirbc._mlirbc import Attribute, Type
    from mlirbc.edit import InsertionPoint

_names = DialectNames("ml_program", __name__)


def __getattr__(name: str) -> object:
    return _names.get(name)


def __dir__() -> list[str]:
    return _names.all()


class FuncOp(FunctionBody, extends="ml_program.func"):
    """A function."""

    __slots__ = ()

    def __init__(
        self,
        name: "str | Attribute",
        type: "Type | tuple[Sequence[Type], Sequence[Type]]",
        *,
        visibility: str | None = None,
        body_builder: "Callable[[FuncOp], object] | None" = None,
        loc: "Attribute | None" = None,
        ip: "InsertionPoint | None" = None,
    ) -> None:
        """Build a function of a type, or of the types of its arguments and results."""
        if isinstance(type, tuple):
            type = ir.FunctionType.get(inputs=list(type[0]), results=list(type[1]))
        self._build(str(name), type, sym_visibility=visibility, loc=loc, ip=ip)
        if body_builder is not None:
            with ir.InsertionPoint(self.add_entry_block()):
                body_builder(self)
