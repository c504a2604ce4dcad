"""Read access to edited modules, as to modules of files; `mlirbc.edit` adds the changes.

Text, tables, columns and the check of the whole module come from a snapshot: the module as it would be
written, read again. It is kept until the next change. All else is asked of the edits directly.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Literal, Protocol, TypeAlias, TypeVar, cast, overload

from mlirbc import _mlirbc
from mlirbc._mlirbc import Attribute, Type, _Editor
from mlirbc._walk import WalkOrder, WalkResult

if TYPE_CHECKING:
    from mlirbc import edit
    from mlirbc._edited_blocks import OperationList
    from mlirbc.models import ModelSummary

    _D = TypeVar("_D")
    _Property: TypeAlias = "Attribute | int | str | list[_Property] | None"
    _Visit: TypeAlias = Callable[["edit.Operation"], WalkResult | None]


class _TextFile(Protocol):
    def write(self, text: str, /) -> object: ...


class _BinaryFile(Protocol):
    def write(self, data: bytes, /) -> object: ...


class _Read(Protocol):
    """An edited module or operation, which can be read from a snapshot."""

    def _read(self) -> "_mlirbc.Module | _mlirbc.Operation": ...


class _Printable:
    """The text of an edited module or operation, printed from a snapshot."""

    __slots__ = ()

    @overload
    def get_asm(
        self: _Read,
        binary: Literal[False] = False,
        large_elements_limit: int | None = None,
        large_resource_limit: int | None = None,
        enable_debug_info: bool = False,
        print_generic_op_form: bool = False,
        use_local_scope: bool = False,
        *,
        skip_regions: bool = False,
        strict: bool = False,
        lossless: bool = False,
    ) -> str: ...
    @overload
    def get_asm(
        self: _Read,
        binary: Literal[True],
        large_elements_limit: int | None = None,
        large_resource_limit: int | None = None,
        enable_debug_info: bool = False,
        print_generic_op_form: bool = False,
        use_local_scope: bool = False,
        *,
        skip_regions: bool = False,
        strict: bool = False,
        lossless: bool = False,
    ) -> bytes: ...
    def get_asm(
        self: _Read,
        binary: bool = False,
        large_elements_limit: int | None = None,
        large_resource_limit: int | None = None,
        enable_debug_info: bool = False,
        print_generic_op_form: bool = False,
        use_local_scope: bool = False,
        *,
        skip_regions: bool = False,
        strict: bool = False,
        lossless: bool = False,
    ) -> str | bytes:
        """Its text with the edits, as `mlirbc.Module.get_asm`; from a snapshot.

        The text of an operation in no block has the values that it uses from elsewhere as block arguments.
        """
        read = self._read()
        if binary:
            return read.get_asm(
                True,
                large_elements_limit,
                large_resource_limit,
                enable_debug_info,
                print_generic_op_form,
                use_local_scope,
                skip_regions=skip_regions,
                strict=strict,
                lossless=lossless,
            )
        return read.get_asm(
            False,
            large_elements_limit,
            large_resource_limit,
            enable_debug_info,
            print_generic_op_form,
            use_local_scope,
            skip_regions=skip_regions,
            strict=strict,
            lossless=lossless,
        )

    def print(
        self: _Read,
        large_elements_limit: int | None = None,
        large_resource_limit: int | None = None,
        enable_debug_info: bool = False,
        print_generic_op_form: bool = False,
        use_local_scope: bool = False,
        file: _TextFile | _BinaryFile | None = None,
        binary: bool = False,
        *,
        skip_regions: bool = False,
        strict: bool = False,
        lossless: bool = False,
    ) -> None:
        """Write its text with the edits to `file`, by default `sys.stdout`; from a snapshot."""
        self._read().print(
            large_elements_limit,
            large_resource_limit,
            enable_debug_info,
            print_generic_op_form,
            use_local_scope,
            file,
            binary,
            skip_regions=skip_regions,
            strict=strict,
            lossless=lossless,
        )

    def __str__(self: _Read) -> str:
        return str(self._read())


class ReadableModule(_Printable):
    """The names of `mlirbc.Module` for an edited one."""

    __slots__ = ()

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
        return _mlirbc._edit_snapshot(self._editor)

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
        return cast("edit.Module", self)._block(_mlirbc._edit_top_level(self._editor)).operations

    def walk(self, callback: "_Visit", walk_order: WalkOrder | None = None) -> WalkResult:
        """Call `callback` on all operations; see `mlirbc.Module.walk`. It may change and erase operations:
        operations that are erased before their turn are left out. The operations of a region are listed when
        its operation is visited (in post-order, before).
        """
        top = self._editor.operations(_mlirbc._edit_top_level(self._editor))
        return _walk(cast("edit.Module", self), top, callback, walk_order)


class ReadableOperation(_Printable):
    """The names of `mlirbc.Operation` for an edited one."""

    __slots__ = ()

    _id: int
    _module: "edit.Module"

    def _own_editor(self) -> _Editor:
        return cast("edit.Operation", self)._editor

    def _read(self) -> _mlirbc.Operation:
        return _mlirbc._edit_snapshot_op(self._own_editor(), self._id)

    @property
    def module(self) -> "edit.Module":
        """The edited module that it belongs to."""
        return cast("edit.Operation", self)._home

    @property
    def op_operands(self) -> "list[edit.OpOperand]":
        """Its operands as uses, which know their operation and their number."""
        count = len(self._own_editor().operands(self._id))
        return [self._module._operand(self._id, number) for number in range(count)]

    @property
    def properties(self) -> "OpPropertyMap":
        """Its inherent values by name; to change one, set the attribute with its name."""
        values, opaque, _, _, _ = _mlirbc._edit_properties(self._own_editor(), self._id)
        if opaque is not None:
            # A table of the dialect may declare their layout.
            read = self._read().properties
            return OpPropertyMap(dict(read.items()), read.opaque)
        return OpPropertyMap(dict(values), None)

    @property
    def operand_groups(self) -> "dict[str, list[edit.Value]]":
        """Its operands in lists by the names in the definition; empty if that is not known."""
        ids = self._own_editor().operands(self._id)
        groups = _mlirbc._edit_properties(self._own_editor(), self._id)[3]
        return _grouped(groups, [self._module._value(id) for id in ids])

    @property
    def result_groups(self) -> "dict[str, list[edit.OpResult]]":
        """Its results in lists by the names in the definition; empty if that is not known."""
        groups = _mlirbc._edit_properties(self._own_editor(), self._id)[4]
        return _grouped(groups, list(cast("edit.Operation", self).results))

    def operand(self, name: str) -> "edit.Value | None":
        """The operand with this name in the definition of the release; see `mlirbc.Operation.operand`."""
        groups = self.operand_groups
        if name not in groups:
            group_names = "`, `".join(groups)
            explanation = f"it has `{group_names}`" if groups else "its operands have no names"
            raise KeyError(f"{self._own_editor().name(self._id)} has no operand `{name}`; {explanation}")
        group = groups[name]
        if len(group) > 1:
            raise ValueError(f"`{name}` is {len(group)} operands; `operand_groups` has them")
        return group[0] if group else None

    @property
    def region_groups(self) -> "dict[str, list[edit.Region]]":
        """Its regions by the names in the definition of the release; empty if that is not known."""
        regions = list(cast("edit.Operation", self).regions)
        sizes = _mlirbc._edit_region_groups(self._own_editor(), self._id)
        return _grouped(sizes, regions)

    @property
    def attribute_dictionary(self) -> Attribute | None:
        """Its dictionary of attributes as it would be written, or None."""
        return _mlirbc._edit_attribute_dictionary(self._own_editor(), self._id)

    @property
    def is_opaque(self) -> bool:
        """Whether the layout of its properties is unknown."""
        return _mlirbc._edit_property_state(self._own_editor(), self._id) == "opaque"

    @property
    def is_isolated_from_above(self) -> bool:
        """Whether nothing inside it uses values from outside, as it would be written; from a snapshot."""
        return self._read().is_isolated_from_above

    @property
    def path(self) -> str:
        """Its path in the module, outermost operation first. The path of an operation in no block begins with
        the outermost operation around it.
        """
        return _mlirbc._edit_path(self._own_editor(), self._id)

    def walk(self, callback: "_Visit", walk_order: WalkOrder | None = None) -> WalkResult:
        """Call `callback` on it and everything inside it; see `Module.walk`."""
        return _walk(self.module, [self._id], callback, walk_order)

    def verify(self) -> bool:
        """Verify it and everything inside it: that operands are defined before their use, that successors are
        blocks of the same region. Values from outside count as defined. Answers True, or raises
        `InvalidError`, which names the operation.
        """
        _mlirbc._edit_verify_op(self._own_editor(), self._id)
        return True


class OpPropertyMap(Mapping[str, "_Property"]):
    """The inherent values of an edited operation by name, as they were when it was made.

    >>> op = mlirbc.open("examples/two_layers.mlirbc").edit().symbol("main")
    >>> op.properties["sym_name"]
    StringAttr("main")
    """

    __slots__ = ("_values", "opaque")

    opaque: bytes | None
    """The bytes of properties whose layout is not known; else None."""

    def __init__(self, values: "dict[str, _Property]", opaque: bytes | None) -> None:
        self._values = values
        self.opaque = opaque

    def __getitem__(self, name: str) -> "_Property":
        return self._values[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __repr__(self) -> str:
        if self.opaque is not None:
            return f"<mlirbc.edit.OpPropertyMap of {len(self.opaque)} opaque bytes>"
        return f"<mlirbc.edit.OpPropertyMap of {list(self._values)}>"


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


_V = TypeVar("_V")


def _grouped(groups: Sequence[tuple[str, int]], values: list[_V]) -> dict[str, list[_V]]:
    if sum(size for _, size in groups) != len(values):
        return {}
    values_by_name: dict[str, list[_V]] = {}
    first = 0
    for name, size in groups:
        values_by_name[name] = values[first : first + size]
        first += size
    return values_by_name


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
