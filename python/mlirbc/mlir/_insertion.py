"""`InsertionPoint` of upstream's bindings."""

from types import TracebackType
from typing import TYPE_CHECKING, Self

from mlirbc import edit
from mlirbc.mlir._context import pop, push, top_frame, traits_of
from mlirbc.mlir._static import StaticProperty

if TYPE_CHECKING:
    from mlirbc.mlir._module import Module

__all__ = ["InsertionPoint"]


def current_point() -> "InsertionPoint | None":
    """The insertion point of the innermost `with` statement."""
    top = top_frame()
    return None if top is None else top.insertion_point


def _current() -> "InsertionPoint":
    point = current_point()
    if point is None:
        raise ValueError("No current InsertionPoint")
    return point


def _terminator(block: edit.Block) -> int | None:
    """The last operation of a block, if its definition says that it ends a block."""
    editor = block._editor
    last = editor.last_operation(block._id)
    is_terminator = last is not None and "IsTerminator" in (traits_of(editor.name(last)) or ())
    return last if is_terminator else None


class InsertionPoint(edit.InsertionPoint):
    """A place in a block: at its end, or before an operation.

    >>> from mlirbc.mlir import ir
    >>> with ir.Context() as context, ir.Location.unknown():
    ...     module = ir.Module.create()
    ...     with ir.InsertionPoint(module.body):
    ...         _ = ir.Operation.create("test.op")
    >>> print(module)
    module {
      "test.op"() : () -> ()
    }
    <BLANKLINE>
    """

    __slots__ = ()

    current: "StaticProperty[InsertionPoint]" = StaticProperty(_current)  # type: ignore[assignment]

    @classmethod
    def at_block_terminator(cls, block: edit.Block) -> Self:
        """Before the terminator of the block. Raises `ValueError` if the terminator is missing."""
        terminator = _terminator(block)
        if terminator is None:
            raise ValueError("Block has no terminator")
        return cls._at(block._home._op(terminator), "before")

    def insert(self, op: edit.Operation) -> None:
        """Insert an operation that is in no block; it may be of another module.

        Raises `ValueError` if it is in a block, and `IndexError` after a terminator.
        """
        if op._editor.block_of(op._id) is not None:
            raise ValueError("Attempt to insert operation that has already been inserted")
        self._check_terminator()
        super().insert(op)

    def _check_terminator(self) -> None:
        beside = self._beside
        if self._place == "before" or (self._place == "begin" and len(self.block.operations)):
            return
        terminator = _terminator(self.block)
        if terminator is not None and (self._place != "after" or terminator == beside._row):
            raise IndexError(
                "Cannot insert operation at the end of a block that already has a terminator. "
                "Did you mean to use 'InsertionPoint.at_block_terminator(block)' versus "
                "'InsertionPoint(block)'?"
            )

    def __enter__(self) -> Self:
        module: Module = self._module  # type: ignore[assignment]
        push(module.context, self)
        return super().__enter__()

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc_value: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        pop()
        super().__exit__(exc_type, exc_value, traceback)
