"""Handles of an edited module, which consist of the module and a number in it."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar, Self, TypeAlias, TypedDict, TypeVar, overload

from mlirbc import _mlirbc
from mlirbc._mlirbc import _Editor

if TYPE_CHECKING:
    from mlirbc.edit import Block, Module, Value

__all__ = ["Handle", "HandleList", "ReadHandle", "_CloneOptions"]


class Handle:
    """A handle: the number of an operation, a block, a region or a value in an edited module.

    A part that is moved to another module has another number there. Modules that parts have left know the new
    places, and a handle follows when it is next used: `_home` and `_editor` come before `_id`.
    """

    __slots__ = ("_id", "_module")

    _kind: ClassVar[str]

    def __init__(self, module: "Module", id: int) -> None:
        self._module = module
        self._id = id

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Handle) or other._kind is not self._kind:
            return NotImplemented
        return self._home is other._home and self._id == other._id

    def __hash__(self) -> int:
        home = self._home
        return hash((self._kind, self._id, id(home)))

    @property
    def _home(self) -> "Module":
        """The module that it is in now."""
        module = self._module
        return module if module._moved is None else self._follow()

    @property
    def _editor(self) -> _Editor:
        module = self._module
        return module._editor if module._moved is None else self._follow()._editor

    @property
    def _row(self) -> int:
        """Its number in `_home`."""
        if self._module._moved is not None:
            self._follow()
        return self._id

    def _follow(self) -> "Module":
        while self._module._moved is not None:
            place = self._module._moved.get((self._kind, self._id))
            if place is None:
                break
            self._module, self._id = place
        return self._module

    def _id_of(self, handle: "Handle | ReadHandle") -> int:
        return self._home._id_of(handle)


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

    __slots__ = ("_ids", "_make", "_owner", "_within")

    def __init__(self, owner: Handle, make: "Callable[[Module, int], _H]", ids: list[int]) -> None:
        self._owner = owner
        # The numbers are of this module, even if the owner moves to another one later.
        self._within = owner._home
        self._make = make
        self._ids = ids

    def _all(self) -> list[int]:
        return self._ids

    def _handle(self, id: int) -> _H:
        return self._make(self._within, id)

    def __len__(self) -> int:
        return len(self._all())

    @overload
    def __getitem__(self, place: int) -> _H: ...
    @overload
    def __getitem__(self, place: slice) -> Self: ...
    def __getitem__(self, place: int | slice) -> _H | Self:
        if isinstance(place, slice):
            return self._part(self._all()[place])
        try:
            return self._handle(self._all()[place])
        except IndexError:
            raise IndexError(self._out_of_range) from None

    _out_of_range: ClassVar[str] = "index out of range"

    def _part(self, ids: list[int]) -> Self:
        """A list of some of the items."""
        part = object.__new__(type(self))
        HandleList.__init__(part, self._owner, self._make, ids)
        part._within = self._within
        return part

    def __iter__(self) -> Iterator[_H]:
        make, within = self._make, self._within
        return iter([make(within, id) for id in self._all()])

    def __eq__(self, other: object) -> bool:
        return list(self) == list(other) if isinstance(other, Sequence) else NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __add__(self, other: Sequence[_H]) -> list[_H]:
        return [*self, *other]

    def __repr__(self) -> str:
        return repr(list(self))
