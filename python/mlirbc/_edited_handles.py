"""Names that all handles of an edited module share."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias, TypedDict, TypeVar

from mlirbc import _mlirbc
from mlirbc._mlirbc import _EditedBlock, _EditedOperation, _EditedRegion, _EditedValue, _HandleList

if TYPE_CHECKING:
    from mlirbc.edit import Block, Value

__all__ = ["Handle", "HandleList", "ReadHandle", "_CloneOptions"]

# Handles of the edited module.
Handle: TypeAlias = _EditedOperation | _EditedBlock | _EditedRegion | _EditedValue

# Handles of the module that is edited.
ReadHandle: TypeAlias = _mlirbc.Operation | _mlirbc.Block | _mlirbc.Region | _mlirbc.Value


class _CloneOptions(TypedDict, total=False):
    mapping: "Mapping[Value | Block | _mlirbc.Value | _mlirbc.Block, Value | Block] | None"
    rename: Mapping[str, str] | None
    drop_unsupported: bool


_H = TypeVar("_H", bound=Handle)


class HandleList(_HandleList[_H], Sequence[_H]):
    """Parts of an operation, a block or a region, as they were when the list was made."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return list(self) == list(other) if isinstance(other, Sequence) else NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __add__(self, other: Sequence[_H]) -> list[_H]:
        return [*self, *other]

    def __repr__(self) -> str:
        return repr(list(self))
