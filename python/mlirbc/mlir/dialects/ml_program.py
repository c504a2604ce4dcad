"""The dialect `ml_program`."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from mlirbc.mlir import ir
from mlirbc.mlir._opview import OpView
from mlirbc.mlir.dialects._generated import DialectNames

if TYPE_CHECKING:
    from mlirbc._mlirbc import Attribute, Type
    from mlirbc.edit import Block, InsertionPoint

_names = DialectNames("ml_program", __name__)


def __getattr__(name: str) -> object:
    return _names.get(name)


def __dir__() -> list[str]:
    return _names.all()


class FuncOp(OpView, extends="ml_program.func"):
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

    @property
    def is_external(self) -> bool:
        """Whether it has no body."""
        return len(self.regions[0].blocks) == 0

    @property
    def entry_block(self) -> "Block":
        """The first block. Raises `IndexError` if there is none."""
        if self.is_external:
            raise IndexError("External function does not have a body")
        return self.regions[0].blocks[0]

    def add_entry_block(self) -> "Block":
        """Add the block with the arguments of the type. Raises `IndexError` if there is one."""
        if not self.is_external:
            raise IndexError("The function already has an entry block!")
        inputs = self.attributes["function_type"].value.inputs  # type: ignore[attr-defined]
        return self.regions[0].blocks.append(*inputs)
