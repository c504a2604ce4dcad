"""States of an edited module, to which it can be rolled back."""

from types import TracebackType
from typing import TYPE_CHECKING

from mlirbc import _mlirbc

if TYPE_CHECKING:
    from mlirbc.edit import Module

__all__ = ["Checkpoint", "Transaction"]


class Checkpoint:
    """A state of an edited module; `Module.checkpoint` makes one.

    >>> edited = mlirbc.edit.Module.create()
    >>> isinstance(edited.checkpoint(), mlirbc.edit.Checkpoint)
    True
    """

    __slots__ = ("_module", "_state")

    def __init__(self, module: "Module", state: _mlirbc._Checkpoint) -> None:
        self._module = module
        self._state = state


class Transaction:
    """The context manager that `Module.transaction` returns; `as` binds the module.

    >>> with mlirbc.edit.Module.create().transaction() as edited:
    ...     op = edited.detached("test.op")
    >>> op
    <mlirbc.edit.Operation test.op>
    """

    __slots__ = ("_checkpoints", "_module")

    def __init__(self, module: "Module") -> None:
        self._module = module
        self._checkpoints: list[Checkpoint] = []

    def __enter__(self) -> "Module":
        self._checkpoints.append(self._module.checkpoint())
        return self._module

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc_value: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        checkpoint = self._checkpoints.pop()
        if exc_type is not None:
            self._module.rollback(checkpoint)
