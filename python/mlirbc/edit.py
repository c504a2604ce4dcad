"""Modules that can be changed: the names are those of upstream's bindings.

`module.edit()` lays edits over a module. The module, its handles and its file stay as they are, and so does
the speed of reading; handles of the edited module are classes of their own, which know `erase`, `clone`,
`move_before` and the like. `edited[op]` is the editable handle for a handle of the module.

>>> module = mlirbc.open("examples/two_layers.mlirbc")
>>> edited = module.edit()
>>> main = edited.symbol("main")
>>> main.attributes["example.note"] = mlirbc.StringAttr.get("checked")
>>> main.location = mlirbc.Location.file("model.py", 3, 1)
>>> again = mlirbc.read(edited.write())
>>> again.body.operations[1].attributes["example.note"]
StringAttr("checked")
"""

import os
import threading
from collections.abc import Iterator, Mapping, MutableMapping, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Literal, Self, TypeAlias, TypedDict, TypeVar, Unpack, overload

from mlirbc import _mlirbc
from mlirbc._mlirbc import Attribute, Type, _Editor

__all__ = [
    "Block",
    "DeclaredProperties",
    "InsertionPoint",
    "Module",
    "OpAttributeMap",
    "Operation",
    "Region",
    "Resources",
    "Value",
]

if TYPE_CHECKING:
    from typing_extensions import Buffer

    from mlirbc._dlpack import Exchanged

    _Content: TypeAlias = Buffer | Exchanged | os.PathLike[str] | str | bool


class _Handle:
    """A number of something in an edited module."""

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

    def _own(self, other: "_Handle") -> int:
        if other._module is not self._module:
            raise TypeError("the handle belongs to another module")
        return other._id


class _WriteKeywords(TypedDict, total=False):
    numbering: Literal["preserve", "canonical", "strictest"] | None
    version: int | None
    target: str | None
    producer: str | bytes | None
    drop_unsupported: bool
    strip_locations: bool
    strip_resources: bool
    verify: bool


_H = TypeVar("_H", bound=_Handle)


class _List(Sequence[_H]):
    """Parts of an operation, a block or a region, as they were when the list was made.

    The list keeps numbers and makes handles on demand. Making a long list takes time in its length: keep it
    in a variable around a loop over its places.
    """

    __slots__ = ("_ids", "_kind", "_owner")

    def __init__(self, owner: _Handle, kind: type[_H], ids: list[int]) -> None:
        self._owner = owner
        self._kind = kind
        self._ids = ids

    def _all(self) -> list[int]:
        return self._ids

    def _handle(self, id: int) -> _H:
        return self._kind(self._owner._module, id)

    def __len__(self) -> int:
        return len(self._all())

    @overload
    def __getitem__(self, place: int) -> _H: ...
    @overload
    def __getitem__(self, place: slice) -> list[_H]: ...
    def __getitem__(self, place: int | slice) -> _H | list[_H]:
        found = self._all()[place]
        return [self._handle(id) for id in found] if isinstance(found, list) else self._handle(found)

    def __iter__(self) -> Iterator[_H]:
        return iter([self._handle(id) for id in self._all()])

    def __eq__(self, other: object) -> bool:
        return list(self) == list(other) if isinstance(other, Sequence) else NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return repr(list(self))


class _Operands(_List["Value"]):
    def __setitem__(self, place: int, value: "Value") -> None:
        number = range(len(self._ids))[place]
        self._owner._editor.set_operand(self._owner._id, number, self._owner._own(value))
        self._ids[number] = value._id


class _Successors(_List["Block"]):
    def __setitem__(self, place: int, block: "Block") -> None:
        number = range(len(self._ids))[place]
        self._owner._editor.set_successor(self._owner._id, number, self._owner._own(block))
        self._ids[number] = block._id


class _Blocks(_List["Block"]):
    def append(self, *types: Type) -> "Block":
        """A new block at the end, with arguments of these types."""
        owner = self._owner
        block = Block(owner._module, owner._editor.add_block(owner._id, None, list(types)))
        self._ids.append(block._id)
        return block


class _Operations(_List["Operation"]):
    """The operations of a block, listed when they are first looked at."""

    __slots__ = ("_block", "_is_listed", "_is_shared")

    def __init__(self, owner: "Block") -> None:
        super().__init__(owner, Operation, [])
        self._block = owner
        # Raises at once if the block was erased.
        owner._editor.operation_count(owner._id)
        self._is_listed = False
        self._is_shared = False

    def _all(self) -> list[int]:
        if not self._is_listed:
            self._ids = self._owner._module._operations(self._owner._id)
            self._is_listed = self._is_shared = True
        return self._ids

    def _own_ids(self) -> list[int]:
        if self._is_shared:
            self._ids, self._is_shared = list(self._ids), False
        return self._ids

    def __len__(self) -> int:
        return len(self._ids) if self._is_listed else self._owner._editor.operation_count(self._owner._id)

    def append(self, op: "Operation") -> None:
        """Put an operation that is in no block at the end."""
        InsertionPoint(self._block).insert(op)
        if self._is_listed:
            self._own_ids().append(op._id)

    def insert(self, place: int, op: "Operation") -> None:
        """Put an operation that is in no block before the one at that place."""
        count = len(self)
        # As lists do, and without listing them for either end.
        number = max(place + count, 0) if place < 0 else min(place, count)
        if number == 0:
            where = InsertionPoint._at(self._block, "begin")
        elif number == count:
            where = InsertionPoint(self._block)
        else:
            where = InsertionPoint.before(self[number])
        where.insert(op)
        if self._is_listed:
            self._own_ids().insert(place, op._id)


class OpAttributeMap(Mapping[str, Attribute]):
    """Attributes of an operation by name: properties, and those that anyone attached.

    >>> op = mlirbc.open("examples/two_layers.mlirbc").edit().symbol("main")
    >>> del op.attributes["example.entry"]
    >>> op.attributes["sym_name"] = mlirbc.StringAttr.get("start")
    >>> dict(op.attributes)["sym_name"]
    StringAttr("start")
    """

    __slots__ = ("_op",)

    def __init__(self, op: "Operation") -> None:
        self._op = op

    def _names(self) -> list[str]:
        return self._op._editor.attribute_names(self._op._id)

    def __len__(self) -> int:
        return len(self._names())

    def __iter__(self) -> Iterator[str]:
        return iter(self._names())

    def __getitem__(self, name: str) -> Attribute:
        value = self._op._editor.attribute(self._op._id, name) if isinstance(name, str) else None
        if value is None:
            raise KeyError(name)
        return value

    def __setitem__(self, name: str, value: Attribute) -> None:
        self._op._editor.set_attribute(self._op._id, name, value)

    def __delitem__(self, name: str) -> None:
        if not self._op._editor.remove_attribute(self._op._id, name):
            raise KeyError(name)

    def __repr__(self) -> str:
        return repr(dict(self))


class DeclaredProperties(MutableMapping[str, object]):
    """The properties of an operation whose dialect declares them, see `Operation.declared_properties`.

    >>> table = {"dialect": "toy", "op": [{"name": "pad", "fields": ["by: varint", "exact: bool"]}]}
    >>> module = mlirbc.read(mlirbc.edit.Module.create().write(), dialects=[table]).edit()
    >>> pad = mlirbc.edit.Operation.create("toy.pad", ip=mlirbc.edit.InsertionPoint(module.body))
    >>> pad.declared_properties.replace({"by": 3, "exact": False})
    >>> pad.declared_properties["exact"] = True
    >>> dict(pad.declared_properties)
    {'by': 3, 'exact': True}
    """

    __slots__ = ("_op",)

    def __init__(self, op: "Operation") -> None:
        self._op = op

    def _all(self) -> dict[str, object]:
        return _mlirbc._edit_declared_properties(self._op._editor, self._op._id) or {}

    def _set(self, properties: Mapping[str, object]) -> None:
        name = self._op.name
        by = _mlirbc._edit_property_writer(self._op._editor, name.partition(".")[0])
        if by is None:
            raise ValueError(f"no table and no hook has the properties of {name}")
        _mlirbc._edit_set_declared_properties(self._op._editor, (self._op._id, name), by, properties, [])

    def __getitem__(self, name: str) -> object:
        return self._all()[name]

    def __setitem__(self, name: str, value: object) -> None:
        self._set(self._all() | {name: value})

    def __delitem__(self, name: str) -> None:
        properties = self._all()
        del properties[name]
        self._set(properties)

    def __iter__(self) -> Iterator[str]:
        return iter(self._all())

    def __len__(self) -> int:
        return len(self._all())

    def replace(self, properties: Mapping[str, object]) -> None:
        """Set all at once: an operation may need all of them."""
        self._set(properties)

    def __repr__(self) -> str:
        return _mlirbc._printable(repr(self._all()))


class Value(_Handle):
    """A result of an operation, or an argument of a block.

    >>> edited = mlirbc.open("examples/two_layers.mlirbc").edit()
    >>> value = edited.symbol("main").regions[0].blocks[0].arguments[0]
    >>> value.is_argument, value.number
    (True, 0)
    """

    __slots__ = ()

    @property
    def type(self) -> Type:
        """Its type."""
        return self._editor.value_type(self._id)

    def set_type(self, type: Type) -> None:
        """Give it another type."""
        self._editor.set_type(self._id, type)

    @property
    def is_argument(self) -> bool:
        """Whether it is an argument of a block."""
        return self._editor.definition(self._id).is_argument

    @property
    def number(self) -> int:
        """Its place among the results or arguments."""
        return self._editor.definition(self._id).number

    @property
    def owner(self) -> "Operation | Block":
        """The operation whose result it is, or the block whose argument."""
        definition = self._editor.definition(self._id)
        kind = Block if definition.is_argument else Operation
        return kind(self._module, definition.owner)

    def set_location(self, location: Attribute) -> None:
        """Give a block argument another location."""
        self._editor.set_argument_location(self._id, location)

    @property
    def uses(self) -> "list[tuple[Operation, int]]":
        """The operations that use it, and as which operand; the newest first."""
        return [(Operation(self._module, use.op), use.operand_number) for use in self._editor.uses(self._id)]

    def replace_all_uses_with(self, value: "Value") -> None:
        """Make all its uses uses of another value."""
        self._editor.replace_all_uses_with(self._id, self._own(value))

    def __repr__(self) -> str:
        definition = self._editor.definition(self._id)
        kind = "argument" if definition.is_argument else "result"
        return f"<mlirbc.edit.Value {kind} {definition.number}>"


class Block(_Handle):
    """A block of an edited module.

    >>> edited = mlirbc.open("examples/two_layers.mlirbc").edit()
    >>> [op.name for op in edited.body]
    ['func.func', 'func.func']
    """

    __slots__ = ()

    @property
    def operations(self) -> _Operations:
        """Its operations."""
        return _Operations(self)

    def __iter__(self) -> "Iterator[Operation]":
        return iter(self.operations)

    @property
    def arguments(self) -> "_List[Value]":
        """Its arguments."""
        return _List(self, Value, self._editor.arguments(self._id))

    @property
    def region(self) -> "Region | None":
        """The region that it is in."""
        region = self._editor.region_of(self._id)
        return None if region is None else Region(self._module, region)

    @property
    def owner(self) -> "Operation | None":
        """The operation that it is in; None at the top level."""
        region = self.region
        return None if region is None else region.owner

    def add_argument(self, type: Type, loc: Attribute | None = None) -> Value:
        """A new argument after the others; its location is unknown if not given."""
        return Value(self._module, self._editor.add_argument(self._id, type, loc))

    def erase_argument(self, number: int) -> None:
        """Take away an argument that nothing uses."""
        self._editor.erase_argument(self._id, number)

    def append(self, op: "Operation") -> None:
        """Put an operation that is in no block at the end."""
        InsertionPoint(self).insert(op)

    def erase(self) -> None:
        """Erase it with everything in it."""
        self._editor.erase_block(self._id)

    def __repr__(self) -> str:
        return f"<mlirbc.edit.Block with {self._editor.operation_count(self._id)} operations>"


class Region(_Handle):
    """A region of an edited module.

    >>> edited = mlirbc.open("examples/two_layers.mlirbc").edit()
    >>> len(edited.operation.regions[0].blocks)
    1
    """

    __slots__ = ()

    @property
    def blocks(self) -> _Blocks:
        """Its blocks; `append` makes one."""
        return _Blocks(self, Block, self._editor.blocks(self._id))

    def __iter__(self) -> Iterator[Block]:
        return iter(self.blocks)

    @property
    def owner(self) -> "Operation | None":
        """The operation that has it; None for the top level."""
        op = self._editor.owner_of_region(self._id)
        return None if op is None else Operation(self._module, op)

    def clear(self) -> None:
        """Erase everything in it."""
        self._editor.clear_region(self._id)

    def __repr__(self) -> str:
        return f"<mlirbc.edit.Region with {len(self.blocks)} blocks>"


class Operation(_Handle):
    """An operation of an edited module. Once it is erased, using it raises `InvalidError`.

    >>> edited = mlirbc.open("examples/two_layers.mlirbc").edit()
    >>> copy = edited.symbol("main").clone()
    >>> copy.attributes["sym_name"] = mlirbc.StringAttr.get("second")
    >>> [op.attributes["sym_name"].value for op in edited.body]
    ['dense', 'main', 'second']
    """

    __slots__ = ()

    @staticmethod
    def create(
        name: str,
        results: Sequence[Type] = (),
        operands: Sequence[Value] = (),
        attributes: Mapping[str, Attribute] | None = None,
        successors: Sequence[Block] = (),
        regions: int = 0,
        loc: Attribute | None = None,
        ip: "InsertionPoint | None" = None,
    ) -> "Operation":
        """Make an operation at `ip`, or where the `with InsertionPoint(...)` around says.

        Its location is unknown if not given. Properties are among the attributes. `Module.detached` makes one
        that is in no block.
        """
        place = ip or InsertionPoint.current()
        if place is None:
            raise ValueError("no insertion point: pass ip=, or use `with InsertionPoint(block):`")
        op = place._module.detached(name, results, operands, attributes, successors, regions, loc)
        try:
            place.insert(op)
        except BaseException:
            op.erase()
            raise
        return op

    @property
    def name(self) -> str:
        """Its full name."""
        return self._editor.name(self._id)

    @property
    def property_state(self) -> str:
        """How it has its properties: `none`, `merged`, `attribute`, `opaque` or `decoded`."""
        return _mlirbc._edit_property_state(self._editor, self._id)

    @property
    def is_registered(self) -> bool | None:
        """Whether its writer knew it; None below version 5."""
        return _mlirbc._edit_is_registered(self._editor, self._id)

    @property
    def property_blob(self) -> bytes | None:
        """The bytes of its properties; None when it has none. They are replaced as a whole.

        The numbers in them are those of this module. What the layout of the operation does not take is
        refused with
        `ReadError`.
        """
        return _mlirbc._edit_property_blob(self._editor, self._id)

    @property_blob.setter
    def property_blob(self, data: bytes | None) -> None:
        _mlirbc._edit_set_property_blob(self._editor, self._id, data)

    @property
    def declared_properties(self) -> "DeclaredProperties":
        """Its properties by name, if its dialect declares them in a table or has hooks for them; they can be
        set and deleted. Those of other operations are among the attributes, and this is empty.

        Setting raises `InvalidError` for values that the table or the hooks do not accept. A new operation
        has no properties before `declared_properties.replace({...})`.
        """
        return DeclaredProperties(self)

    @property
    def attributes(self) -> OpAttributeMap:
        """Its attributes by name; they can be set and deleted."""
        return OpAttributeMap(self)

    @property
    def location(self) -> Attribute:
        """Where it comes from; can be set."""
        return self._editor.location(self._id)

    @location.setter
    def location(self, location: Attribute) -> None:
        self._editor.set_location(self._id, location)

    @property
    def operands(self) -> _Operands:
        """What it uses; items can be set."""
        return _Operands(self, Value, self._editor.operands(self._id))

    @operands.setter
    def operands(self, values: Sequence[Value]) -> None:
        self._editor.set_operands(self._id, [self._own(value) for value in values])

    @property
    def results(self) -> _List[Value]:
        """Its results."""
        return _List(self, Value, self._editor.results(self._id))

    @property
    def result(self) -> Value:
        """Its only result. Raises `ValueError` when it has none or several."""
        results = self.results
        if len(results) != 1:
            raise ValueError(f"{self.name} has {len(results)} results")
        result: Value = results[0]
        return result

    @property
    def successors(self) -> _Successors:
        """Its successor blocks; items can be set."""
        return _Successors(self, Block, self._editor.successors(self._id))

    @property
    def regions(self) -> "_List[Region]":
        """Its regions."""
        return _List(self, Region, self._editor.regions(self._id))

    @property
    def parent(self) -> "Operation | None":
        """The operation around it."""
        op = self._editor.parent(self._id)
        return None if op is None else Operation(self._module, op)

    @property
    def block(self) -> Block | None:
        """The block it is in; None when it is in none."""
        block = self._editor.block_of(self._id)
        return None if block is None else Block(self._module, block)

    @property
    def is_erased(self) -> bool:
        """Whether it was erased."""
        return self._editor.is_erased(self._id)

    def erase(self) -> None:
        """Erase it and everything inside it. Raises `InvalidError` when a result is still used."""
        self._editor.erase(self._id)

    def detach_from_parent(self) -> "Operation":
        """Take it out of its block; it can be put elsewhere."""
        self._editor.detach(self._id)
        return self

    def move_before(self, other: "Operation") -> None:
        """Move it before another operation, which may be in another block."""
        self._editor.move_before(self._id, self._own(other))

    def move_after(self, other: "Operation") -> None:
        """Move it after another operation, in any block."""
        self._editor.move_after(self._id, self._own(other))

    def clone(self, ip: "InsertionPoint | None" = None) -> "Operation":
        """A copy with everything inside it, at `ip`; without one, after this operation."""
        copy = Operation(self._module, self._editor.clone(self._id))
        if ip is None and self.block is not None:
            ip = InsertionPoint.after(self)
        if ip is not None:
            ip.insert(copy)
        return copy

    def __repr__(self) -> str:
        if self.is_erased:
            return "<mlirbc.edit.Operation, erased>"
        return _mlirbc._printable(f"<mlirbc.edit.Operation {self.name}>")


class InsertionPoint:
    """Where operations go: at the end of a block, or before an operation.

    In a `with` it holds for `Operation.create`.

    >>> edited = mlirbc.edit.Module.create()
    >>> with mlirbc.edit.InsertionPoint(edited.body):
    ...     op = mlirbc.edit.Operation.create("test.op")
    >>> [op.name for op in edited.body]
    ['test.op']
    """

    __slots__ = ("_beside", "_module", "_place")

    _open = threading.local()

    def __init__(self, beside: Block | Operation) -> None:
        self._module: Module = beside._module
        self._beside: Block | Operation = beside
        self._place = "before" if isinstance(beside, Operation) else "end"

    @classmethod
    def _at(cls, beside: Block | Operation, place: str) -> "InsertionPoint":
        point = cls(beside)
        point._place = place
        return point

    @staticmethod
    def at_block_begin(block: Block) -> "InsertionPoint":
        """Before all operations of the block."""
        return InsertionPoint._at(block, "begin")

    @staticmethod
    def at_block_end(block: Block) -> "InsertionPoint":
        """After all operations of the block."""
        return InsertionPoint._at(block, "end")

    @staticmethod
    def at_block_terminator(block: Block) -> "InsertionPoint":
        """In front of the last operation of the block."""
        operations = block.operations
        if not operations:
            raise ValueError("the block has no terminator")
        return InsertionPoint._at(operations[-1], "before")

    @staticmethod
    def before(op: Operation) -> "InsertionPoint":
        """Before an operation."""
        return InsertionPoint._at(op, "before")

    @staticmethod
    def after(op: Operation) -> "InsertionPoint":
        """After an operation."""
        return InsertionPoint._at(op, "after")

    @staticmethod
    def current() -> "InsertionPoint | None":
        """That of the innermost `with` in this thread."""
        stack = getattr(InsertionPoint._open, "stack", None)
        return stack[-1] if stack else None

    def insert(self, op: Operation) -> None:
        """Put an operation that is in no block there."""
        if op._module is not self._module:
            raise TypeError("the handle belongs to another module")
        self._module._editor.insert(op._id, self._place, self._beside._id)
        if self._place in ("begin", "after"):
            # The next one goes after this one.
            self._place, self._beside = "after", op

    def __enter__(self) -> Self:
        stack = getattr(InsertionPoint._open, "stack", None)
        if stack is None:
            stack = InsertionPoint._open.stack = []
        stack.append(self)
        return self

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc_value: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        InsertionPoint._open.stack.pop()


class Resources:
    """The resources of an edited module.

    Bytes are shared with their buffer, and those of a path are read when saving.

    >>> edited = mlirbc.open("examples/two_layers.mlirbc").edit()
    >>> edited.resources["layer0.weight"] = bytes(48)  # tensor<4x3xf32>
    >>> edited.resources.add("checked", True, group="notes")
    >>> del edited.resources["note"]
    >>> mlirbc.read(edited.write()).resources["layer0.weight"].size
    48
    >>> edited.resources.replace("layer0.weight", bytes(16), resize=True)
    """

    __slots__ = ("_module",)

    def __init__(self, module: "Module") -> None:
        self._module = module

    def __setitem__(self, key: str, content: "_Content") -> None:
        self.replace(key, content)

    def __delitem__(self, key: str) -> None:
        self._module._editor.remove_resource(key)

    def replace(
        self, key: str, content: "_Content", *, alignment: int | None = None, resize: bool = False
    ) -> None:
        """Put other content into a resource: a buffer, an array, an object with `__dlpack__` or a path for
        bytes; text, bools outside of dialects.

        Without `alignment` bytes are aligned as the old ones. Raises `InvalidError` when attributes refer to
        the resource and none of their types needs as many bytes, unless `resize` is true.
        """
        self._module._editor.set_resource(key, content, alignment, resize)

    def add(
        self, key: str, content: "_Content", *, group: str | None = None, alignment: int | None = None
    ) -> None:
        """Add a resource: in a group outside of dialects, or without one, for attributes to refer to."""
        self._module._editor.add_resource(key, content, group, alignment)

    def remove(self, key: str) -> None:
        """Take a resource away; that of a dialect keeps its key, since attributes call it by its number."""
        self._module._editor.remove_resource(key)


class Module:
    """A module with edits of its own; `mlirbc.Module.edit` makes one.

    >>> edited = mlirbc.edit.Module.create()
    >>> edited.operation
    <mlirbc.edit.Operation builtin.module>
    >>> mlirbc.read(edited.write()).operation.name
    'builtin.module'
    """

    __slots__ = ("_editor", "_listed")

    def __init__(self, module: _mlirbc.Module) -> None:
        self._editor = _Editor(module)
        self._listed: tuple[int, int, list[int]] | None = None

    @staticmethod
    def create(loc: Attribute | None = None, *, release: str = "llvm-22", version: int = 6) -> "Module":
        """A new module without operations, in the form that `release` reads and writes."""
        module = Module.__new__(Module)
        module._editor = _Editor.create_module(release, version, loc)
        module._listed = None
        return module

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc_value: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Does not save."""

    def _operations(self, block: int) -> list[int]:
        """The operations of a block; asked for again while nothing moved, the same list."""
        moves = self._editor.moves
        if self._listed is None or self._listed[:2] != (block, moves):
            self._listed = (block, moves, self._editor.operations(block))
        return self._listed[2]

    @property
    def operation(self) -> Operation:
        """The top-level operation."""
        return Operation(self, self._editor.operation())

    @property
    def body(self) -> Block:
        """The block of the top-level operation."""
        return self.operation.regions[0].blocks[0]

    @property
    def is_changed(self) -> bool:
        """Whether it differs from the file."""
        return self._editor.is_changed

    @property
    def resources(self) -> Resources:
        """Its resources, which can be replaced, added or removed."""
        return Resources(self)

    @overload
    def __getitem__(self, handle: _mlirbc.Operation) -> Operation: ...
    @overload
    def __getitem__(self, handle: _mlirbc.Block) -> Block: ...
    @overload
    def __getitem__(self, handle: _mlirbc.Region) -> Region: ...
    @overload
    def __getitem__(self, handle: _mlirbc.Value) -> Value: ...
    def __getitem__(
        self, handle: _mlirbc.Operation | _mlirbc.Block | _mlirbc.Region | _mlirbc.Value
    ) -> Operation | Block | Region | Value:
        """The editable handle for an operation, a block, a region or a value of the module."""
        if isinstance(handle, _mlirbc.Operation):
            return Operation(self, self._editor.op(handle))
        if isinstance(handle, _mlirbc.Block):
            return Block(self, self._editor.block(handle))
        if isinstance(handle, _mlirbc.Region):
            return Region(self, self._editor.region(handle))
        if isinstance(handle, _mlirbc.Value):
            return Value(self, self._editor.value(handle))
        raise TypeError(f"expected a handle of the module, found {type(handle).__name__}")

    def detached(
        self,
        name: str,
        results: Sequence[Type] = (),
        operands: Sequence[Value] = (),
        attributes: Mapping[str, Attribute] | None = None,
        successors: Sequence[Block] = (),
        regions: int = 0,
        loc: Attribute | None = None,
    ) -> Operation:
        """Make an operation that is in no block yet."""
        for handle in (*operands, *successors):
            if handle._module is not self:
                raise TypeError("the handle belongs to another module")
        op = self._editor.create(
            name,
            [value._id for value in operands],
            list(results),
            list((attributes or {}).items()),
            [block._id for block in successors],
            regions,
            loc,
        )
        return Operation(self, op)

    def symbol(self, name: str, scope: Operation | None = None) -> Operation | None:
        """The operation that defines a symbol; None when there is none.

        The name is looked for in the symbol table of the top-level operation, then as a path such as
        `kernels::step`, then among all nested symbol tables; with `scope`, a symbol table, in that one alone.

        Raises `InvalidError` when several nested symbol tables have the name, and when `scope` is not a
        symbol table. Each call goes through the whole module: for many symbols, go through `body.operations`
        once.
        """
        op = self._editor.symbol(name, self._scope(scope))
        return None if op is None else Operation(self, op)

    def rename_symbol(self, old: str, new: str, scope: Operation | None = None) -> None:
        """Give a symbol, found as `symbol` does, another name in its definition and in all references to it.

        References are resolved in the nearest symbol table, as in MLIR; the same name elsewhere stays. See
        docs/explanation/editing.md. Raises `InvalidError` when the symbol does not exist or the new name is
        taken, and `UnsupportedError` when bytes of unknown layout may refer to the symbol.
        Each call walks the whole module.

        >>> edited = mlirbc.open("examples/two_layers.mlirbc").edit()
        >>> edited.rename_symbol("dense", "layer")
        >>> edited.verify(symbols=True)
        """
        self._editor.rename_symbol(old, new, self._scope(scope))

    def _scope(self, scope: Operation | None) -> int | None:
        if scope is not None and scope._module is not self:
            raise TypeError("the scope is an operation of another module")
        return None if scope is None else scope._id

    def verify(self, *, symbols: bool = False) -> None:
        """Verify what was edited; with `symbols`, that all references of the module resolve.

        Raises `InvalidError`, which names the operation. Writing does it by itself, without `symbols`.
        """
        self._editor.verify(symbols)

    def write(self, **keywords: Unpack[_WriteKeywords]) -> bytes:
        """The module with its edits as bytecode; keywords as of `mlirbc.Module.write`, and `verify`."""
        return self._editor.write(**keywords)

    def save(self, path: str | os.PathLike[str], **keywords: Unpack[_WriteKeywords]) -> None:
        """Write the module with its edits to a file, in one step; the keywords are those of `write`.

        Whatever fails, the old file stays whole, also when it is the one that the module was read from.
        """
        self._editor.save(path, **keywords)

    def __repr__(self) -> str:
        return f"<mlirbc.edit.Module, {'changed' if self.is_changed else 'unchanged'}>"
