"""Loading bodies one by one, as upstream's lazy reader does.

Other modules are read when they are used. Here the caller decides which bodies are loaded, and sees the
pending ones: an operation with regions that are isolated from above, none of which is read.

>>> reader = mlirbc.lazy.LazyReader(mlirbc.open("examples/two_layers.mlirbc"))
>>> reader.read_top_level().name, len(reader.pending)
('builtin.module', 1)
"""

from collections.abc import Callable, Iterator, Sequence
from typing import overload

from mlirbc import _mlirbc, edit
from mlirbc.versions import Codecs
from mlirbc.versions import upgrade as _upgrade

__all__ = ["LazyReader", "Pending"]

Want = Callable[[_mlirbc.Operation], bool]
_Links = dict[_mlirbc.Operation | None, _mlirbc.Operation | None]


class Pending(Sequence[_mlirbc.Operation]):
    """The operations whose bodies are not loaded, in file order: a view, which loading changes.

    Its length, whether an operation is in it, and its ends take constant time; other places take as many
    steps as they are from an end. A loop goes over the operations that were pending when it began.

    >>> reader = mlirbc.lazy.LazyReader(mlirbc.open("examples/two_layers.mlirbc"))
    >>> top = reader.read_top_level()
    >>> while reader.pending:
    ...     print(reader.pending[0].name)
    ...     reader.materialize(reader.pending[0])
    builtin.module
    func.func
    func.func
    """

    __slots__ = ("_after", "_before")

    def __init__(self, after: _Links, before: _Links) -> None:
        self._after, self._before = after, before

    def __len__(self) -> int:
        return len(self._after) - 1

    def __contains__(self, op: object, /) -> bool:
        return op is not None and op in self._after

    def __iter__(self) -> Iterator[_mlirbc.Operation]:
        return iter(self._listed(self._after))

    def __reversed__(self) -> Iterator[_mlirbc.Operation]:
        return iter(self._listed(self._before))

    @overload
    def __getitem__(self, index: int, /) -> _mlirbc.Operation: ...
    @overload
    def __getitem__(self, index: slice, /) -> list[_mlirbc.Operation]: ...
    def __getitem__(self, index: int | slice, /) -> _mlirbc.Operation | list[_mlirbc.Operation]:
        if isinstance(index, slice):
            return self._listed(self._after)[index]
        count = len(self)
        place = index + count if index < 0 else index
        if not 0 <= place < count:
            raise IndexError(f"operation {index} is out of range for {count} pending ones")
        links, steps = (self._after, place) if place < count // 2 else (self._before, count - 1 - place)
        op = links[None]
        for _ in range(steps):
            op = links[op]
        assert op is not None
        return op

    def __eq__(self, other: object, /) -> bool:
        if not isinstance(other, Sequence) or len(other) != len(self):
            return False
        return self is other or all(left == right for left, right in zip(self, other, strict=True))

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<mlirbc.lazy.Pending of {len(self)} operations>"

    @staticmethod
    def _listed(links: _Links) -> list[_mlirbc.Operation]:
        operations = []
        op = links[None]
        while op is not None:
            operations.append(op)
            op = links[op]
        return operations


class LazyReader:
    """Reads a module one isolated body at a time.

    `codecs` are asked to upgrade the operations that are loaded together, with the outermost operation as
    root, on the edited module `edited`; upstream never upgrades operations that are loaded later.

    >>> reader = mlirbc.lazy.LazyReader(mlirbc.open("examples/two_layers.mlirbc"))
    >>> top = reader.read_top_level(lambda op: op.name == "builtin.module")
    >>> [op.attributes["sym_name"].value for op in reader.pending]
    ['dense', 'main']
    >>> reader.materialize(reader.pending[0])
    >>> [op.attributes["sym_name"].value for op in reader.pending]
    ['main']
    """

    def __init__(self, module: _mlirbc.Module, *, codecs: Codecs = ()) -> None:
        self.module = module
        """The module."""
        self._codecs = tuple(codecs)
        # Pending operations in file order: the next one of each, and the previous one; None is both ends.
        self._after: _Links = {None: None}
        self._before: _Links = {None: None}
        self._edited: edit.Module | None = None
        self._is_open = False

    @property
    def edited(self) -> edit.Module:
        """The module with the edits that upgrades and `finalize` make."""
        if self._edited is None:
            self._edited = edit.Module(self.module)
        return self._edited

    @property
    def pending(self) -> Pending:
        """Operations whose bodies are not loaded, in file order. Below bytecode version 2 there are none."""
        return Pending(self._after, self._before)

    def is_pending(self, op: _mlirbc.Operation) -> bool:
        """Whether the body of an operation is not loaded."""
        return op in self.pending

    def read_top_level(self, want: Want | None = None) -> _mlirbc.Operation:
        """Read the top-level operation. `want` is called for each operation with isolated regions, and for
        the operations inside it if it returns true; without it no body is loaded.

        Raises `ReadError` if the file does not have exactly one top-level operation, and `ValueError` if it
        was called before.
        """
        if self._is_open:
            raise ValueError("the top level has already been read")
        self._is_open = True
        top = self.module.operation
        self._offer([top], want, None, None)
        return top

    def materialize(self, op: _mlirbc.Operation, want: Want | None = None) -> None:
        """Load the body of a pending operation; isolated ones in it are pending in turn, unless `want` says
        yes.

        Raises `ValueError` for an operation that is not pending.
        """
        if not self.is_pending(op):
            raise ValueError(f"{op.name} is not pending ({op.path})")
        self._load(op, want)

    def finalize(self, keep: Want) -> edit.Module:
        """Decide about every operation that is pending: `keep` says yes to load it, no to take it out of the
        module.

        Returns the edited module, which lacks refused operations and has the upgrades; the file is unchanged.
        Upstream's default is to load everything; here there is none, because the other answer deletes.
        """
        while (op := self._after[None]) is not None:
            if keep(op):
                self._load(op, None)
            else:
                self._remove(op)
                self.edited[op].erase()
        return self.edited

    def _remove(self, op: _mlirbc.Operation) -> _mlirbc.Operation | None:
        """Take an operation out of the pending ones; returns the pending operation before it."""
        before, after = self._before.pop(op), self._after.pop(op)
        self._after[before], self._before[after] = after, before
        return before

    def _insert(self, before: _mlirbc.Operation | None, op: _mlirbc.Operation) -> None:
        after = self._after[before]
        self._after[before], self._before[after] = op, op
        self._after[op], self._before[op] = after, before

    def _offer(
        self,
        ops: list[_mlirbc.Operation],
        want: Want | None,
        before: _mlirbc.Operation | None,
        loaded: _mlirbc.Operation | None,
    ) -> None:
        """Ask about operations, whose place among the pending ones is after `before`."""
        # With the loaded operation that each is in, whose upgrade covers it.
        upgrades = [] if loaded is None else [loaded]
        stack = [(op, loaded) for op in reversed(ops)]
        while stack:
            op, root = stack.pop()
            if self._is_lazy(op):
                if want is None or not want(op):
                    self._insert(before, op)
                    before = op
                    continue
                if root is None:
                    root = op
                    upgrades.append(op)
            stack.extend((child, root) for child in reversed(_children(op)))
        for op in upgrades:
            self._run_upgrades(op)

    def _load(self, op: _mlirbc.Operation, want: Want | None) -> None:
        self._offer(_children(op), want, self._remove(op), op)

    def _is_lazy(self, op: _mlirbc.Operation) -> bool:
        has_sections = self.module.bytecode.version >= 2
        return has_sections and op.is_isolated_from_above and len(op.regions) > 0

    def _run_upgrades(self, op: _mlirbc.Operation) -> None:
        if self._codecs:
            _upgrade(self.edited, self.module, self._codecs, root=self.edited[op])

    def __repr__(self) -> str:
        return f"<mlirbc.lazy.LazyReader, {len(self._after) - 1} pending>"


def _children(op: _mlirbc.Operation) -> list[_mlirbc.Operation]:
    return [child for region in op.regions for block in region.blocks for child in block.operations]
