"""Operations of an edited module."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Unpack

from mlirbc import _mlirbc
from mlirbc._edited import ReadableOperation
from mlirbc._edited_attributes import DeclaredProperties, DiscardableAttributes, OpAttributeMap
from mlirbc._edited_blocks import Block, InsertionPoint, Region, SuccessorList
from mlirbc._edited_handles import Handle, HandleList, _CloneOptions
from mlirbc._edited_values import OperandList, OpResult, ResultList, Value
from mlirbc._locations import Location
from mlirbc._mlirbc import Attribute, Type

if TYPE_CHECKING:
    from mlirbc.edit import Module

__all__ = ["Operation"]


def _value(module: "Module", id: int) -> Value:
    return module._value(id)


def _result(module: "Module", id: int) -> OpResult:
    return module._result(id)


class Operation(Handle, ReadableOperation):
    """An operation of an edited module. Once it is erased, using it raises `InvalidError`.

    >>> edited = mlirbc.open("examples/two_layers.mlirbc").edit()
    >>> copy = edited.symbol("main").clone()
    >>> copy.attributes["sym_name"] = mlirbc.attributes.StringAttr.get("second")
    >>> [op.attributes["sym_name"].value for op in edited.body]
    ['dense', 'main', 'second']
    """

    __slots__ = ()
    _kind = "operation"

    @staticmethod
    def create(
        name: str,
        results: Sequence[Type] = (),
        operands: "Sequence[Value | _mlirbc.Value]" = (),
        attributes: Mapping[str, Attribute] | None = None,
        successors: "Sequence[Block | _mlirbc.Block]" = (),
        regions: int = 0,
        loc: Attribute | None = None,
        ip: "InsertionPoint | None" = None,
        verify: bool = True,
    ) -> "Operation":
        """Make an operation at `ip`, or where the `with InsertionPoint(...)` around says.

        Without `loc` its location is that of the `with Location...` around, or unknown. Properties are among
        the attributes. `Module.detached` makes one that is in no block.

        Raises `InvalidError` if the release of the module defines the operation with other numbers of
        operands, results, regions or successors, or with attributes that are missing here, and if it has the
        dialect, but not the operation. Types are not checked. `verify=False` leaves the check out.

        >>> edited = mlirbc.edit.Module.create()
        >>> try:
        ...     edited.detached("func.return", regions=1)
        ... except mlirbc.InvalidError as error:
        ...     print(error.message)
        func.return: expected 0 regions, found 1
        """
        place = ip or InsertionPoint.current()
        if place is None:
            raise ValueError("no insertion point: pass ip=, or use `with InsertionPoint(block):`")
        loc = loc or Location.current()
        op = place._module.detached(
            name, results, operands, attributes, successors, regions, loc, verify=verify
        )
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
        """Whether its writer knew it; None below version 5. It can be set.

        Properties of known layout become one dictionary, and a dictionary becomes properties.
        """
        return _mlirbc._edit_is_registered(self._editor, self._id)

    @is_registered.setter
    def is_registered(self, is_registered: bool) -> None:
        _mlirbc._edit_set_registered(self._editor, self._id, is_registered)

    @property
    def property_blob(self) -> bytes | None:
        """The bytes of its properties; None without properties. Assignment replaces them as a whole.

        Indices in the bytes refer to the tables of this module. Bytes that do not fit the layout of the
        operation are refused with `ReadError`.
        """
        return _mlirbc._edit_property_blob(self._editor, self._id)

    @property_blob.setter
    def property_blob(self, data: bytes | None) -> None:
        _mlirbc._edit_set_property_blob(self._editor, self._id, data)

    @property
    def declared_properties(self) -> "DeclaredProperties":
        """Its properties by name, if its dialect declares them in a table or has hooks for them; they can be
        set and deleted. Other operations have their properties among the attributes; for them this is empty.

        Setting raises `InvalidError` for values that the table or the hooks do not accept. A new operation
        has no properties before `declared_properties.replace({...})`.
        """
        return DeclaredProperties(self)

    @property
    def attributes(self) -> OpAttributeMap:
        """Its attributes by name; they can be set and deleted."""
        return OpAttributeMap(self)

    @property
    def discardable_attributes(self) -> OpAttributeMap:
        """Its attributes by name that are not properties; they can be set and deleted."""
        return DiscardableAttributes(self)

    @property
    def operation(self) -> "Operation":
        """Itself, as upstream's views have it."""
        return self

    def is_before_in_block(self, other: "Operation | _mlirbc.Operation") -> bool:
        """Whether it precedes `other`. Raises `ValueError` when they are in different blocks."""
        block, number = self._editor.block_of(self._id), self._id_of(other)
        if block is None or block != self._editor.block_of(number):
            raise ValueError("the operations are in different blocks")
        ids = self._home._operations(block)
        return ids.index(self._id) < ids.index(number)

    @property
    def location(self) -> "Location":
        """Where it comes from; can be set."""
        return self._editor.location(self._id)

    @location.setter
    def location(self, location: Attribute) -> None:
        self._editor.set_location(self._id, location)

    @property
    def operands(self) -> OperandList:
        """Its operands; items can be set."""
        return OperandList(self, _value, self._editor.operands(self._id))

    @operands.setter
    def operands(self, values: "Sequence[Value | _mlirbc.Value]") -> None:
        self._editor.set_operands(self._id, [self._id_of(value) for value in values])

    @property
    def results(self) -> ResultList:
        """Its results."""
        return ResultList(self, _result, self._editor.results(self._id))

    @property
    def result(self) -> OpResult:
        """Its only result. Raises `ValueError` unless it has exactly one."""
        results = ResultList(self, _result, self._editor.results(self._id))
        if len(results) != 1:
            name, count = self._editor.name(self._id), len(results)
            raise ValueError(f"Cannot call .result on operation {name} which has {count} results")
        return results[0]

    @property
    def successors(self) -> SuccessorList:
        """Its successor blocks; items can be set."""
        return SuccessorList(self, Block, self._editor.successors(self._id))

    @successors.setter
    def successors(self, blocks: Sequence[Block]) -> None:
        _mlirbc._edit_set_successors(self._editor, self._id, [self._id_of(block) for block in blocks])

    @property
    def regions(self) -> "HandleList[Region]":
        """Its regions."""
        return HandleList(self, Region, self._editor.regions(self._id))

    def set_results(self, types: Sequence[Type]) -> "list[Value]":
        """Give its results these types; results are added or removed at the end.

        Raises `InvalidError` when a result that would be removed is used.

        >>> edited = mlirbc.edit.Module.create()
        >>> op = edited.detached("test.op", results=[mlirbc.Type.parse("i1")])
        >>> first = op.result
        >>> op.set_results([mlirbc.Type.parse("i32"), mlirbc.Type.parse("f32")])[0] == first
        True
        """
        rows = _mlirbc._edit_set_results(self._editor, self._id, list(types))
        return [self._module._value(row) for row in rows]

    def add_result(self, type: Type, index: int | None = None) -> Value:
        """A new result before the one with that number, or at the end."""
        return self._home._value(_mlirbc._edit_add_result(self._editor, self._id, index, type))

    def erase_result(self, index: int) -> None:
        """Take away a result. Raises `InvalidError` when it is used."""
        _mlirbc._edit_erase_result(self._editor, self._id, index)

    def add_region(self, index: int | None = None) -> Region:
        """A new region without blocks, before the one with that number or at the end."""
        return Region(self._home, _mlirbc._edit_add_region(self._editor, self._id, index))

    def erase_region(self, index: int) -> None:
        """Take away a region with everything in it.

        Raises `InvalidError` when one of its values is used elsewhere.
        """
        _mlirbc._edit_erase_region(self._editor, self._id, index)

    def set_operand_group(self, name: str, values: Sequence[Value]) -> None:
        """Replace the operands of one group, and update the segment sizes of the operation.

        Raises `InvalidError` when the operation has no such group, or the group cannot have as many.
        """
        rows = [self._id_of(value) for value in values]
        _mlirbc._edit_set_operand_group(self._editor, self._id, name, rows)

    @property
    def parent(self) -> "Operation | None":
        """The operation around it."""
        op = self._editor.parent(self._id)
        return None if op is None else self._module._op(op)

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

    def move_before(self, other: "Operation | _mlirbc.Operation") -> None:
        """Move it in front of another operation, in any block."""
        self._editor.move_before(self._id, self._id_of(other))

    def move_after(self, other: "Operation | _mlirbc.Operation") -> None:
        """Move it after another operation, in any block."""
        self._editor.move_after(self._id, self._id_of(other))

    def clone(
        self,
        ip: "InsertionPoint | None" = None,
        *,
        into: "Module | None" = None,
        **options: "Unpack[_CloneOptions]",
    ) -> "Operation":
        """A copy with everything inside it, at `ip`; without one, after this operation.

        `into` is another edited module, at the end of whose body the copy is inserted without `ip`.
        Attributes, types, properties, use-list orders and resources come along; a resource gets the key
        `key_1` and so on if the module has other content under its key. What depends on the version or the
        release is translated. `Module.clone` does the same for a handle of a module that is only read.

        `mapping` has values and blocks from outside of the copy, and their replacements; within a module they
        are kept without it. `rename` has new names of symbols that the copy defines, and references inside it
        follow. `drop_unsupported` leaves out everything that the other version or release cannot represent.

        A copy in another module warns with `mlirbc.layout.LayoutWarning` if types have another size there,
        because the data layouts differ.

        Raises `InvalidError` when an operand is not mapped or not visible at `ip`, or the symbol exists;
        `UnsupportedError` when the version, the release or the dialect version of the other module cannot
        represent the operation, or its encoding is unknown. Nothing is changed then.

        >>> source = mlirbc.open("examples/two_layers.mlirbc").edit()
        >>> target = mlirbc.edit.Module.create()
        >>> copy = source.symbol("dense").clone(into=target, rename={"dense": "layer"})
        >>> target.symbol("layer") == copy
        True
        """
        if into is None and ip is not None:
            into = ip._module
        if options or (into is not None and into is not self._home):
            if ip is None and into in (None, self._home) and self.block is not None:
                ip = InsertionPoint.after(self)
            return (into or self._home)._cloned(self, ip, options)
        copy = self._home._view(self._editor.clone(self._id))
        if ip is None and self.block is not None:
            ip = InsertionPoint.after(self)
        if ip is not None:
            ip.insert(copy)
        return copy

    def __repr__(self) -> str:
        if self.is_erased:
            return "<mlirbc.edit.Operation, erased>"
        return _mlirbc._printable(f"<mlirbc.edit.Operation {self._editor.name(self._id)}>")
