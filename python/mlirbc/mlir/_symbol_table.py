"""`SymbolTable` of upstream's bindings."""

from collections.abc import Callable
from typing import TYPE_CHECKING, cast

from mlirbc import edit
from mlirbc._attributes import ArrayAttr, DictAttr, FlatSymbolRefAttr, SymbolRefAttr
from mlirbc._mlirbc import Attribute, UnsupportedError
from mlirbc._strings import StringAttr
from mlirbc.mlir._context import traits_of
from mlirbc.mlir._module import Module

if TYPE_CHECKING:
    from mlirbc.mlir._operation import OperationBase

__all__ = ["SymbolTable"]


def _name(op: edit.Operation) -> str:
    return op._editor.name(op._id)


def _is_table(op: edit.Operation) -> bool:
    return "SymbolTable" in (traits_of(_name(op)) or ())


def _symbol_of(op: edit.Operation) -> str | None:
    name = op._editor.attribute(op._id, "sym_name")
    return name.value if isinstance(name, StringAttr) else None


class SymbolTable:
    """The symbols of an operation, by name.

    >>> from mlirbc.mlir import ir
    >>> with ir.Context():
    ...     table = ir.SymbolTable(ir.Module.parse("func.func private @f()").operation)
    >>> "f" in table, "g" in table
    (True, False)
    """

    def __init__(self, operation: "OperationBase") -> None:
        self._op = operation.operation
        if not _is_table(self._op):
            raise TypeError("Operation is not a Symbol Table.")
        self._rows: dict[str, int] = {}
        self._moves = -1

    def _block(self) -> int:
        editor = self._op._editor
        return editor.blocks(editor.regions(self._op._id)[0])[0]

    def _find(self, name: str) -> int | None:
        row = self._rows.get(name)
        if row is not None and self._is_valid(row, name):
            return row
        self._rows = {}
        for op in self._op._editor.operations(self._block()):
            symbol = self._op._editor.attribute(op, "sym_name")
            if isinstance(symbol, StringAttr):
                self._rows.setdefault(symbol.value, op)
        return self._rows.get(name)

    def _is_valid(self, row: int, name: str) -> bool:
        editor = self._op._editor
        if editor.is_erased(row) or editor.block_of(row) != self._block():
            return False
        symbol = editor.attribute(row, "sym_name")
        return isinstance(symbol, StringAttr) and symbol.value == name

    def __contains__(self, name: str) -> bool:
        return self._find(name) is not None

    def __getitem__(self, name: str) -> "OperationBase":
        row = self._find(name)
        if row is None:
            raise KeyError(f"Symbol '{name}' not in the symbol table.")
        return cast(Module, self._op._home)._view(row)

    def __delitem__(self, name: str) -> None:
        self.erase(self[name])

    def erase(self, operation: edit.Operation) -> None:
        """Erase a symbol with its operation."""
        operation._editor.erase(operation._id)

    def insert(self, operation: edit.Operation) -> StringAttr:
        """Insert an operation, unless it is in the block already, and return its name.

        The operation is renamed if another one has its name. Raises `ValueError` if it is not a symbol.
        """
        name = _symbol_of(operation)
        if name is None:
            raise ValueError("Expected operation to have a symbol name.")
        if operation._editor.block_of(operation._row) is None:
            self._op.regions[0].blocks[0].append(operation)
        new = self._unused(name, operation._row)
        attribute = StringAttr.get(new)
        if new != name:
            SymbolTable.set_symbol_name(operation, new)
        return attribute

    def _unused(self, name: str, row: int) -> str:
        editor = self._op._editor
        names = set()
        for op in editor.operations(self._block()):
            symbol = editor.attribute(op, "sym_name")
            if op != row and isinstance(symbol, StringAttr):
                names.add(symbol.value)
        new, number = name, 0
        while new in names:
            new, number = f"{name}_{number}", number + 1
        return new

    @staticmethod
    def get_symbol_name(symbol: edit.Operation) -> StringAttr:
        """The name of a symbol. Raises `ValueError` if the operation is not one."""
        name = symbol._editor.attribute(symbol._id, "sym_name")
        if not isinstance(name, StringAttr):
            raise ValueError("Expected operation to have a symbol name.")
        return name

    @staticmethod
    def set_symbol_name(symbol: edit.Operation, name: str) -> None:
        """Give a symbol another name; references to it stay as they are."""
        SymbolTable.get_symbol_name(symbol)
        symbol._editor.set_attribute(symbol._id, "sym_name", StringAttr.get(name))

    @staticmethod
    def get_visibility(symbol: edit.Operation) -> StringAttr:
        """The visibility of a symbol. Raises `ValueError` if the attribute is missing."""
        visibility = symbol._editor.attribute(symbol._id, "sym_visibility")
        if not isinstance(visibility, StringAttr):
            raise ValueError("Expected operation to have a symbol visibility.")
        return visibility

    @staticmethod
    def set_visibility(symbol: edit.Operation, visibility: str) -> None:
        """Make a symbol `public`, `private` or `nested`."""
        if visibility not in ("public", "private", "nested"):
            raise ValueError("Expected visibility to be 'public', 'private' or 'nested'")
        symbol._editor.set_attribute(symbol._id, "sym_visibility", StringAttr.get(visibility))

    @staticmethod
    def replace_all_symbol_uses(old_symbol: str, new_symbol: str, from_op: "OperationBase | Module") -> None:
        """Replace the references to a symbol in an operation; the symbol keeps its name."""
        root = from_op.operation
        operations: list[edit.Operation] = [] if _is_table(root) else [root]
        operations += _inside(root)
        while operations:
            op = operations.pop()
            _replace_in(op, old_symbol, new_symbol)
            if not _is_table(op) and op is not root:
                operations += _inside(op)

    @staticmethod
    def walk_symbol_tables(
        from_op: "OperationBase | Module",
        all_sym_uses_visible: bool,
        callback: "Callable[[OperationBase, bool], None]",
    ) -> None:
        """Call `callback` on the symbol tables in an operation, nested ones first, each with whether all uses
        of its symbols are visible. Exceptions of the callback propagate unchanged.
        """
        root = from_op.operation
        # Each entry is an operation and whether what it contains was visited.
        stack = [(cast(edit.Operation, root), all_sym_uses_visible, False)]
        while stack:
            op, visible, is_ready = stack.pop()
            if is_ready:
                callback(cast("OperationBase", op), visible)
                continue
            if _is_table(op):
                visible = visible or _symbol_of(op) is None or _is_private(op)
                stack.append((op, visible, True))
            else:
                visible = True
            stack += [(inner, visible, False) for inner in reversed(_inside(op))]


def _is_private(op: edit.Operation) -> bool:
    visibility = op._editor.attribute(op._id, "sym_visibility")
    return isinstance(visibility, StringAttr) and visibility.value == "private"


def _inside(op: edit.Operation) -> list[edit.Operation]:
    editor, module = op._editor, op._home
    blocks = [block for region in editor.regions(op._id) for block in editor.blocks(region)]
    return [module._op(inner) for block in blocks for inner in editor.operations(block)]


def _replace_in(op: edit.Operation, old: str, new: str) -> None:
    for name in op._editor.attribute_names(op._id):
        value = op._editor.attribute(op._id, name)
        replaced = None if value is None else _replaced(value, old, new)
        if replaced is not None and replaced != value:
            op._editor.set_attribute(op._id, name, replaced)


def _replaced(value: Attribute, old: str, new: str) -> Attribute:
    match value:
        case FlatSymbolRefAttr():
            return FlatSymbolRefAttr.get(new) if value.value == old else value
        case SymbolRefAttr():
            first, *nested = value.value
            return SymbolRefAttr.get([new, *nested]) if first == old else value
        case ArrayAttr():
            return ArrayAttr.get([_replaced(item, old, new) for item in value])
        case DictAttr():
            return DictAttr.get({name: _replaced(item, old, new) for name, item in value.items()})
    if value.dialect != "builtin" and str(FlatSymbolRefAttr.get(old)) in str(value):
        raise UnsupportedError(
            f"cannot replace a reference to @{old} in `{value}`, whose structure is not known; "
            "`edit.Module.rename_symbol` renames a symbol with all references"
        )
    return value
