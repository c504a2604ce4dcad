"""Handles of an edited module, which consist of the module and a number in it."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias, TypedDict, TypeVar, overload

from mlirbc import _mlirbc
from mlirbc._mlirbc import _Editor

if TYPE_CHECKING:
    from mlirbc.edit import Block, Module, Value

__all__ = ["Handle", "HandleList", "ReadHandle", "_CloneOptions"]


class Handle:
    """A handle: the number of an operation, a block, a region or a value in an edited module."""

    __slots__ = ("_id", "_module")

    def __init__(self, module: "Module", id: int) -> None:
        self._module = module
        self._id = id

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return self._id == other._id and self._module is other._module

    def __hash__(self) -> int:
        return hash((type(self), self._id, id(self._module)))

    @property
    def _editor(self) -> _Editor:
        return self._module._editor

    def _id_of(self, handle: "Handle | ReadHandle") -> int:
        return self._module._id_of(handle)


# Handles of the module that is edited.
ReadHandle: TypeAlias = _mlirbc.Operation | _mlirbc.Block | _mlirbc.Region | _mlirbc.Value


class _CloneOptions(TypedDict, total=False):
    mapping: "Mapping[Value | Block | _mlirbc.Value | _mlirbc.Block, Value | Block] | None"
    rename: Mapping[str, str] | None
    drop_unsupported: bool


_H = TypeVar("_H", bound=Handle)


class HandleList(Sequence[_H]):
    """Parts of an operation, a block or a region, as they were when the list was made.

    The list keeps numbers and makes handles on demand. Making a long list takes time in its length: keep it
    in a variable around a loop over its places.
    """

    __slots__ = ("_ids", "_make", "_owner")

    def __init__(self, owner: Handle, make: "Callable[[Module, int], _H]", ids: list[int]) -> None:
        self._owner = owner
        self._make = make
        self._ids = ids

    def _all(self) -> list[int]:
        return self._ids

    def _handle(self, id: int) -> _H:
        return self._make(self._owner._module, id)

    def __len__(self) -> int:
        return len(self._all())

    @overload
    def __getitem__(self, place: int) -> _H: ...
    @overload
    def __getitem__(self, place: slice) -> list[_H]: ...
    def __getitem__(self, place: int | slice) -> _H | list[_H]:
        selected = self._all()[place]
        return [self._handle(id) for id in selected] if isinstance(selected, list) else self._handle(selected)

    def __iter__(self) -> Iterator[_H]:
        return iter([self._handle(id) for id in self._all()])

    def __eq__(self, other: object) -> bool:
        return list(self) == list(other) if isinstance(other, Sequence) else NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __add__(self, other: Sequence[_H]) -> list[_H]:
        return [*self, *other]

    def __repr__(self) -> str:
        return repr(list(self))
