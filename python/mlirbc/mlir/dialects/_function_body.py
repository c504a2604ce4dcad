"""The body of a function, which dialects with functions share."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from mlirbc.mlir import ir
from mlirbc.mlir._opview import OpView

if TYPE_CHECKING:
    from mlirbc._mlirbc import Attribute
    from mlirbc.edit import Block

__all__ = ["FunctionBody"]


class FunctionBody(OpView):
    """An operation with the attribute `function_type`, whose region is the body of a function."""

    __slots__ = ()

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

    def add_entry_block(self, arg_locs: "Sequence[Attribute] | None" = None) -> "Block":
        """Add the entry block, with the arguments of the type. Raises `IndexError` if there is one."""
        if not self.is_external:
            raise IndexError("The function already has an entry block!")
        function_type = cast("ir.TypeAttr", self.attributes["function_type"]).value
        inputs = cast("ir.FunctionType", function_type).inputs
        return self.regions[0].blocks.append(*inputs, arg_locs=arg_locs)
