"""Read access to edited modules, as to modules of files; `mlirbc.edit` adds the changes.

Text, tables, columns and the check of the whole module come from a snapshot: the module as it would be
written, read again. It is kept until the next change. All else is asked of the edits directly.
"""

import functools
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, TypeAlias, TypeVar, cast, overload

from mlirbc import _mlirbc
from mlirbc._mlirbc import Attribute, Type, _Editor
from mlirbc._walk import WalkOrder, WalkResult

if TYPE_CHECKING:
    from mlirbc import edit
    from mlirbc._edited_blocks import OperationList
    from mlirbc.models import ModelSummary

    _D = TypeVar("_D")
    _Visit: TypeAlias = Callable[["edit.Operation"], WalkResult | None]
    from mlirbc._mlirbc import _Printable
else:

    class _Printable:
        """The text of an edited module or operation, with the signatures of the one that is read."""

        __slots__ = ()

        @functools.wraps(_mlirbc.Operation.get_asm, assigned=())
        def get_asm(self, *arguments, **keywords):
            """Its text with the edits, as `mlirbc.Module.get_asm`; from a snapshot.

            The text of an operation in no block has the values that it uses from elsewhere as block
            arguments.
            """
            return self._read().get_asm(*arguments, **keywords)

        @functools.wraps(_mlirbc.Operation.print, assigned=())
        def print(self, *arguments, **keywords):
            """Write its text with the edits to `file`, by default `sys.stdout`; from a snapshot."""
            self._read().print(*arguments, **keywords)


class ReadableModule(_Printable):  # pyright: ignore[reportGeneralTypeIssues]
    """The names of `mlirbc.Module` for an edited one."""

    __slots__ = ()

    def __str__(self) -> str:
        return str(self._read())

    _editor: _Editor

    def snapshot(self) -> _mlirbc.Module:
        """The module with its edits as a module to read, the same one until the next change.

        It is written to memory; resources of large modules stay where they are. Changes are not verified,
        but operands must be defined around their use, or `InvalidError` is raised.

        >>> edited = mlirbc.open("examples/two_layers.mlirbc").edit()
        >>> del edited.symbol("main").attributes["example.entry"]
        >>> edited.snapshot().body.operations[1].attributes.keys()
        ['function_type', 'sym_name']
        """
        return self._editor.snapshot()

    def _read(self) -> _mlirbc.Module:
        return self.snapshot()

    @property
    def bytecode(self) -> _mlirbc.Bytecode:
        """Version, producer and sections, as they would be written."""
        return self._read().bytecode

    @property
    def dialects(self) -> tuple[_mlirbc.Dialect, ...]:
        """The dialects by index, as they would be written."""
        return self._read().dialects

    @property
    def op_names(self) -> tuple[_mlirbc.OperationName, ...]:
        """The operation names by index, as they would be written."""
        return self._read().op_names

    @property
    def strings(self) -> _mlirbc.Table[str]:
        """The strings by index, as they would be written; strings of the file come first."""
        return self._read().strings

    @property
    def attributes(self) -> _mlirbc.Table[Attribute]:
        """The attributes by index, as they would be written; attributes of the file come first."""
        return self._read().attributes

    @property
    def types(self) -> _mlirbc.Table[Type]:
        """The types by index, as they would be written; types of the file come first."""
        return self._read().types

    @property
    def properties(self) -> _mlirbc.Table[bytes]:
        """The property blobs by index, as they would be written; blobs of the file come first."""
        return self._read().properties

    @property
    def release(self) -> _mlirbc.Release:
        """The release that the module is written for."""
        return self._read().release

    def op_counts(self) -> dict[str, int]:
        """How many operations of each name there are."""
        return self._read().op_counts()

    def model_summary(self) -> "ModelSummary | None":
        """The inputs, results and contents of a module of StableHLO or VHLO now; None for other modules."""
        return self._read().model_summary()

    def columns(self) -> _mlirbc.Columns:
        """All operations as flat `uint32` arrays, as they are now."""
        return self._read().columns()

    def decode_all(self, *, threads: int = 1) -> None:
        """Decode every body of the snapshot now."""
        self._read().decode_all(threads=threads)

    @property
    def operations(self) -> "OperationList":
        """The top-level operations; almost always one."""
        return cast("edit.Module", self)._block(self._editor.top_level()).operations

    def walk(self, callback: "_Visit", walk_order: WalkOrder | None = None) -> WalkResult:
        """Call `callback` on all operations; see `mlirbc.Module.walk`. It may change and erase operations:
        operations that are erased before their turn are left out. The operations of a region are listed when
        its operation is visited (in post-order, before).
        """
        top = self._editor.operations(self._editor.top_level())
        return _walk(cast("edit.Module", self), top, callback, walk_order)


class ReadableOperation(_Printable):  # pyright: ignore[reportGeneralTypeIssues]
    """The names of `mlirbc.Operation` for an edited one, beside those of its native base."""

    __slots__ = ()

    def walk(self: "edit.Operation", callback: "_Visit", walk_order: WalkOrder | None = None) -> WalkResult:  # type: ignore[misc]
        """Call `callback` on it and everything inside it; see `Module.walk`."""
        home = self._home
        return _walk(home, [self._id], callback, walk_order)


class ReadableResources:
    """The names of `mlirbc.Resources` for an edited module; resources are read from a snapshot."""

    __slots__ = ()

    _module: "edit.Module"

    def _read(self) -> _mlirbc.Resources:
        return self._module.snapshot().resources

    def __len__(self) -> int:
        return len(self._read())

    def __iter__(self) -> Iterator[str]:
        return iter(self._read())

    def __contains__(self, key: object, /) -> bool:
        return key in self._read()

    def __getitem__(self, key: str | tuple[str, str] | int, /) -> _mlirbc.Resource:
        return self._read()[key]

    @overload
    def get(self, key: str | tuple[str, str], default: None = None) -> _mlirbc.Resource | None: ...
    @overload
    def get(self, key: str | tuple[str, str], default: "_D") -> "_mlirbc.Resource | _D": ...
    def get(self, key: str | tuple[str, str], default: object = None) -> object:
        """The first resource with this key, or with this group and key; `default` when there is none."""
        return self._read().get(key, default)

    def get_all(self, key: str, group: str | None = None) -> list[_mlirbc.Resource]:
        """All resources with this key, and in this group if one is given, in file order."""
        return self._read().get_all(key, group)

    def keys(self) -> list[str]:
        """The keys in file order, repeated ones repeatedly."""
        return self._read().keys()

    def values(self) -> list[_mlirbc.Resource]:
        """The resources in file order."""
        return self._read().values()

    def items(self) -> list[tuple[str, _mlirbc.Resource]]:
        """Keys and resources in file order."""
        return self._read().items()

    def __repr__(self) -> str:
        try:
            return f"<mlirbc.edit.Resources of {len(self)} entries>"
        except (_mlirbc.Error, ValueError):
            return "<mlirbc.edit.Resources>"


def _walk(
    module: "edit.Module", roots: list[int], callback: "_Visit", walk_order: WalkOrder | None
) -> WalkResult:
    if walk_order is not None and not isinstance(walk_order, WalkOrder):
        raise TypeError("walk_order is a WalkOrder")
    is_pre_order = walk_order is WalkOrder.PRE_ORDER
    editor = module._editor

    def inside(op: int) -> list[int]:
        blocks = [block for region in editor.regions(op) for block in editor.blocks(region)]
        return [inner for block in blocks for inner in editor.operations(block)]

    # Operations, each with a flag that says whether its contents were already visited.
    stack = [(root, is_pre_order) for root in reversed(roots)]
    while stack:
        op, is_ready = stack.pop()
        if editor.is_erased(op):
            continue
        if not is_ready:
            stack.append((op, True))
            stack.extend((inner, False) for inner in reversed(inside(op)))
            continue
        answer = callback(module._op(op))
        if answer is WalkResult.INTERRUPT:
            return answer
        if answer is not None and not isinstance(answer, WalkResult):
            raise TypeError(f"the callback returned {type(answer).__name__}, not a WalkResult or None")
        if is_pre_order and answer is not WalkResult.SKIP and not editor.is_erased(op):
            stack.extend((inner, True) for inner in reversed(inside(op)))
    return WalkResult.ADVANCE
