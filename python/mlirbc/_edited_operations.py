"""Operations of an edited module."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Unpack

from mlirbc import _mlirbc
from mlirbc._edited_attributes import DeclaredProperties
from mlirbc._edited_blocks import Block, InsertionPoint
from mlirbc._edited_handles import _CloneOptions
from mlirbc._edited_values import Value
from mlirbc._locations import Location
from mlirbc._mlirbc import Attribute, Type, _EditedOperation

if TYPE_CHECKING:
    from mlirbc.edit import Module

__all__ = ["Operation"]


class Operation(_EditedOperation):
    """An operation of an edited module. Once it is erased, using it raises `InvalidError`.

    >>> edited = mlirbc.open("examples/two_layers.mlirbc").edit()
    >>> copy = edited.symbol("main").clone()
    >>> copy.attributes["sym_name"] = mlirbc.attributes.StringAttr.get("second")
    >>> [op.attributes["sym_name"].value for op in edited.body]
    ['dense', 'main', 'second']
    """

    __slots__ = ()

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
    def declared_properties(self) -> "DeclaredProperties":
        """Its properties by name, if its dialect declares them in a table or has hooks for them; they can be
        set and deleted. Other operations have their properties among the attributes; for them this is empty.

        Setting raises `InvalidError` for values that the table or the hooks do not accept. A new operation
        has no properties before `declared_properties.replace({...})`.
        """
        return DeclaredProperties(self)

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
