"""`Operation` of upstream's bindings, and what it shares with the views of operations."""

import enum
import io
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, BinaryIO, NamedTuple, Protocol, cast

from mlirbc import _mlirbc, edit
from mlirbc._locations import Location
from mlirbc._mlirbc import Attribute, Type
from mlirbc._walk import WalkOrder, WalkResult
from mlirbc.mlir import not_available
from mlirbc.mlir._context import Context, is_registered_operation, resolve_context, traits_of
from mlirbc.mlir._creation import (
    OperationParts,
    check_attributes,
    detached,
    home_of,
    inferred,
    inserted,
    only_operation,
    value_of,
)
from mlirbc.mlir._diagnostics import (
    DiagnosticInfo,
    DiagnosticSeverity,
    diagnostics_of,
    failure,
    parse_failure,
)
from mlirbc.mlir._insertion import current_point
from mlirbc.mlir._location import resolve_location
from mlirbc.mlir._module import LooseModule, Module, loose_module, read

if TYPE_CHECKING:
    from mlirbc.mlir._opview import OpView

__all__ = ["AsmState", "Operation", "OperationBase"]


class _Writable(Protocol):
    def write(self, data: str, /) -> object: ...


class OperationEquivalenceFlags(enum.IntFlag):
    """The parts that comparisons of operations ignore.

    >>> OperationEquivalenceFlags.IGNORE_LOCATIONS.value
    1
    """

    NONE = 0
    IGNORE_LOCATIONS = 1
    IGNORE_DISCARDABLE_ATTRS = 2
    IGNORE_PROPERTIES = 4
    IGNORE_COMMUTATIVITY = 8


class IsTerminatorTrait:
    """The trait of operations that end a block, for `has_trait`."""


class IsIsolatedFromAboveTrait:
    """The trait of operations whose regions use no values from outside, for `has_trait`."""


class NoTerminatorTrait:
    """The trait of operations whose blocks have no terminator, for `has_trait`."""


class AsmState:
    """How values are named; `Value.get_name` takes it.

    >>> from mlirbc.mlir import ir
    >>> with ir.Context():
    ...     module = ir.Module.parse("func.func private @f()")
    >>> state = ir.AsmState(module.operation, use_local_scope=True)
    """

    def __init__(
        self,
        value: "OperationBase | edit.Value",
        use_local_scope: bool = False,
    ) -> None:
        self.value = value
        self.use_local_scope = use_local_scope


class _Form(NamedTuple):
    """How an operation is printed."""

    large_elements_limit: int | None = None
    large_resource_limit: int | None = None
    enable_debug_info: bool = False
    print_generic_op_form: bool = False
    use_local_scope: bool = False
    skip_regions: bool = False
    strict: bool = False
    lossless: bool = False


class OperationBase(edit.Operation):
    """The base class of `Operation` and `OpView`."""

    __slots__ = ()

    def _read(self) -> _mlirbc.Operation:
        self._ir_module._add_resources()
        return super()._read()

    @property
    def _ir_module(self) -> Module:
        return cast(Module, self._home)

    @property
    def context(self) -> Context:
        """The context of its module."""
        return self._ir_module.context

    @property
    def opview(self) -> "OpView":
        """The view of the operation, of the class that is registered for its name."""
        from mlirbc.mlir import _opview

        return _opview.view_of(self.operation)

    @property
    def operation(self) -> "Operation":
        """The operation without its view."""
        return self if isinstance(self, Operation) else self._ir_module._op(self._row)

    @property
    def attached(self) -> bool:
        """Whether it is in a block of another operation."""
        return self._editor.parent(self._id) is not None

    @property
    def block(self) -> edit.Block | None:
        """The block that it is in; None at the top level."""
        return super().block if self.attached else None

    def detach_from_parent(self) -> "OpView":
        """Take it out of its block. Raises `ValueError` if it is in none."""
        if not self.attached:
            raise ValueError("Detached operation has no parent.")
        self._editor.detach(self._id)
        module = self._home
        if isinstance(module, LooseModule):
            module._created.append(self._id)
        return self.opview

    def move_before(self, other: edit.Operation | _mlirbc.Operation) -> None:
        """Move it before another operation, in any block of any module."""
        self._move(other, "before")

    def move_after(self, other: edit.Operation | _mlirbc.Operation) -> None:
        """Move it after another operation, in any block of any module."""
        self._move(other, "after")

    def _move(self, other: edit.Operation | _mlirbc.Operation, place: str) -> None:
        if not isinstance(other, edit.Operation):
            raise TypeError(f"expected an operation of an editable module, found {type(other).__name__}")
        if self._editor.block_of(self._id) is not None and self.attached:
            self._editor.detach(self._id)
        target = other._home
        target._admit(self)
        target._editor.insert(self._row, place, other._row)

    def clone(self, ip: edit.InsertionPoint | bool | None = None, **options: object) -> "OpView":
        """A copy with everything in it: at `ip`, or at the current insertion point. With `ip=False`, or if
        there is no current one, it is in no block.
        """
        place = current_point() if ip is None else ip
        copy = self._ir_module._op(self._editor.clone(self._id))
        if isinstance(copy._home, LooseModule):
            copy._home._created.append(copy._id)
        if isinstance(place, edit.InsertionPoint):
            place.insert(copy)
        return copy.opview

    def replace_uses_of_with(self, of: edit.Value, with_: edit.Value) -> None:
        """Replace a value in the operands."""
        for number, operand in enumerate(self._editor.operands(self._id)):
            if operand == self._id_of(of):
                self._editor.set_operand(self._id, number, self._id_of(with_))

    def has_trait(self, trait: object) -> bool:
        """Whether the definition has a trait, such as `IsTerminator`.

        The trait is a name, or a class of this name, with or without `Trait` at the end.
        """
        name = trait if isinstance(trait, str) else getattr(trait, "__name__", str(trait))
        traits = traits_of(self._editor.name(self._id)) or ()
        return any(known in (name, name.removesuffix("Trait")) for known in traits)

    def is_structurally_equivalent(
        self,
        other: "OperationBase",
        flags: OperationEquivalenceFlags = OperationEquivalenceFlags.NONE,
    ) -> bool:
        """Whether both have the same contents; the names of values do not count."""
        return self._canonical(flags) == other._canonical(flags)

    def structural_hash(self, flags: OperationEquivalenceFlags = OperationEquivalenceFlags.NONE) -> int:
        """A hash of the contents, equal for operations that are structurally equivalent."""
        return hash(self._canonical(flags))

    def _canonical(self, flags: OperationEquivalenceFlags) -> str:
        without_locations = bool(flags & OperationEquivalenceFlags.IGNORE_LOCATIONS)
        _refuse(flags & ~OperationEquivalenceFlags.IGNORE_LOCATIONS, "comparing without attributes")
        return self._text(
            _Form(print_generic_op_form=True, use_local_scope=True, enable_debug_info=not without_locations)
        )

    def get_asm(  # type: ignore[override]
        self,
        binary: bool = False,
        large_elements_limit: int | None = None,
        large_resource_limit: int | None = None,
        enable_debug_info: bool = False,
        pretty_debug_info: bool = False,
        print_generic_op_form: bool = False,
        use_local_scope: bool = False,
        use_name_loc_as_prefix: bool = False,
        assume_verified: bool = False,
        skip_regions: bool = False,
        *,
        strict: bool = False,
        lossless: bool = False,
    ) -> str | bytes:
        """The text of the operation. The generic form is used if the custom form cannot show it."""
        _refuse(pretty_debug_info, "printing with `pretty_debug_info`")
        _refuse(use_name_loc_as_prefix, "printing with `use_name_loc_as_prefix`")
        form = _Form(
            large_elements_limit,
            large_resource_limit,
            enable_debug_info,
            print_generic_op_form,
            use_local_scope,
            skip_regions,
            strict,
            lossless,
        )
        text = self._text(form)
        return text.encode("utf-8", "surrogateescape") if binary else text

    def _text(self, form: "_Form") -> str:
        if self._editor.is_erased(self._id):
            raise RuntimeError("the operation has been invalidated")
        text = self._read().get_asm(
            False,
            form.large_elements_limit,
            form.large_resource_limit,
            form.enable_debug_info,
            form.print_generic_op_form,
            form.use_local_scope,
            skip_regions=form.skip_regions,
            strict=form.strict,
            lossless=form.lossless,
        )
        # The text of an operation at the top level ends with a line end, as upstream.
        ends = form.use_local_scope or self.attached or text.endswith("\n")
        return text if ends else f"{text}\n"

    def __str__(self) -> str:
        return self._text(_Form())

    def print(  # type: ignore[override]
        self,
        large_elements_limit: int | None = None,
        large_resource_limit: int | None = None,
        enable_debug_info: bool = False,
        pretty_debug_info: bool = False,
        print_generic_op_form: bool = False,
        use_local_scope: bool = False,
        use_name_loc_as_prefix: bool = False,
        assume_verified: bool = False,
        file: "_Writable | BinaryIO | None" = None,
        binary: bool = False,
        skip_regions: bool = False,
        *,
        state: AsmState | None = None,
        strict: bool = False,
        lossless: bool = False,
    ) -> None:
        """Write the text to `file`, by default to the standard output, with a line end."""
        text = self.get_asm(
            binary,
            large_elements_limit,
            large_resource_limit,
            enable_debug_info,
            pretty_debug_info,
            print_generic_op_form,
            use_local_scope or (state is not None and state.use_local_scope),
            use_name_loc_as_prefix,
            assume_verified,
            skip_regions,
            strict=strict,
            lossless=lossless,
        )
        target = sys.stdout if file is None else file
        target.write(text)  # type: ignore[arg-type]
        target.write(b"\n" if binary else "\n")  # type: ignore[arg-type]

    def write_bytecode(self, file: "BinaryIO | str | io.BytesIO", desired_version: int | None = None) -> None:
        """Write the operation as bytecode to a file or a path; `desired_version` is the bytecode version.

        Raises `ValueError` if no bytecode of that version can be written.
        """
        data = bytes(self._as_module().write(version=desired_version))
        if isinstance(file, str):
            with open(file, "wb") as opened:
                opened.write(data)
        else:
            file.write(data)

    def _as_module(self) -> edit.Module:
        home = self._home
        if self._editor.operation() == self._id and not isinstance(home, LooseModule):
            return home
        copy = loose_module(self.context)
        copied = copy._cloned(self, None, {})
        if self._editor.name(self._id) == "builtin.module":
            # The operation becomes the top-level one of a file of its own.
            form = _Form(print_generic_op_form=True, enable_debug_info=True, lossless=True)
            return read(cast(Operation, copied)._text(form)).edit()
        return copy

    def verify(self) -> bool:
        """Check the operation and everything in it. Answers True, or raises `MLIRError`."""
        if not self.context.allow_unregistered_dialects:
            self._check_registered()
        try:
            super().verify()
            self._verify_definitions()
        except _mlirbc.Error as error:
            raise failure("Verification failed", self.context, self._diagnostics(error)) from error
        return True

    def _diagnostics(self, error: _mlirbc.Error) -> list[DiagnosticInfo]:
        """The diagnostics for an error; those about this operation have its location and its text."""
        diagnostics = diagnostics_of(error)
        name = self._editor.name(self._id)
        for info in diagnostics:
            if info.message.startswith(f"'{name}' op "):
                info.location = self.location
                text = self._text(_Form(print_generic_op_form=True))
                note = f"see current operation: {text}".rstrip("\n")
                if note.count("\n"):
                    note = note.replace(": ", ": \n", 1)
                info.notes = (DiagnosticInfo(DiagnosticSeverity.NOTE, self.location, note),)
        return diagnostics

    def _check_registered(self) -> None:
        from mlirbc.mlir._dialects import is_known

        loaded = self.context._loaded

        def check(op: edit.Operation) -> None:
            name = op._editor.name(op._id)
            dialect = name.partition(".")[0]
            is_loaded = loaded is None or dialect in loaded
            if not is_loaded or not (is_known(dialect) or is_registered_operation(name)):
                raise self._unregistered(op, name)

        edit.Operation.walk(self, check)

    def _unregistered(self, op: edit.Operation, name: str) -> _mlirbc.Error:
        message = (
            f"'{name}' op created with unregistered dialect. If this is intended, please call "
            "allowUnregisteredDialects() on the MLIRContext, or use -allow-unregistered-dialect with the "
            "MLIR opt tool used"
        )
        info = DiagnosticInfo(DiagnosticSeverity.ERROR, op.location, message)
        return failure("Verification failed", self.context, [info])

    def walk(
        self,
        callback: "Callable[[Operation], WalkResult | None]",
        walk_order: WalkOrder | None = None,
        op_class: "type[OpView] | None" = None,
    ) -> WalkResult:
        """Call `callback` on the operation and everything in it, or on those with a view of `op_class`.
        Exceptions of the callback propagate unchanged.
        """
        if op_class is None:
            return super().walk(callback, walk_order)  # type: ignore[arg-type]

        def visit(op: Operation) -> WalkResult | None:
            return callback(op) if isinstance(op.opview, op_class) else None

        return super().walk(visit, walk_order)  # type: ignore[arg-type]

    @classmethod
    def parse(
        cls, source: str | bytes, *, source_name: str = "-", context: Context | None = None
    ) -> "OpView":
        """The operation of a text, in no block.

        Raises `MLIRError` if the text is not one operation, or not one of this class.
        """
        context = resolve_context(context)
        try:
            base = read(source, source_name)
        except _mlirbc.Error as error:
            raise parse_failure(error, "operation assembly", None, context) from error
        module = LooseModule._of(context, _mlirbc._Editor(base), base)
        op = cast(Operation, only_operation(module, source))
        expected = getattr(cls, "OPERATION_NAME", "")
        if expected and op.name != expected:
            raise failure(f"Expected a '{expected}' op, got: '{op.name}'", None, [])
        return op.opview

    def _set_invalid(self) -> None:
        """Erase the operation if it is still there: its handles are no longer valid."""

    @property
    def _CAPIPtr(self) -> object:
        raise not_available("a capsule of an operation")

    @staticmethod
    def _CAPICreate(capsule: object) -> "Operation":
        raise not_available("a capsule of an operation")


def _refuse(asked: object, what: str) -> None:
    if asked:
        raise not_available(what)


class Operation(OperationBase):
    """An operation.

    >>> from mlirbc.mlir import ir
    >>> with ir.Context(), ir.Location.unknown():
    ...     op = ir.Operation.create("test.op", results=[ir.IndexType.get()])
    >>> print(op)
    %0 = "test.op"() : () -> index
    """

    __slots__ = ()

    @staticmethod
    def create(  # type: ignore[override]
        name: str,
        results: Sequence[Type] | None = None,
        operands: "Sequence[edit.Value | edit.Operation] | None" = None,
        attributes: Mapping[str, Attribute] | None = None,
        successors: Sequence[edit.Block] | None = None,
        regions: int = 0,
        loc: Attribute | None = None,
        ip: "edit.InsertionPoint | bool | None" = None,
        infer_type: bool = False,
    ) -> "Operation":
        """Create an operation at `ip`, or at the current insertion point. With `ip=False`, or if there is no
        current one, it is in no block. It is not verified.
        """
        location = resolve_location(cast("Location | None", loc))
        values = [value_of(operand) for operand in operands or ()]
        check_attributes(name, attributes or {})
        place = current_point() if ip is None else ip
        point = place if isinstance(place, edit.InsertionPoint) else None
        home = home_of(point, values, successors or (), location.context)
        if infer_type and results is None:
            results = inferred(name, values, attributes or {})
        parts = OperationParts(results or (), values, attributes or {}, successors or (), regions, location)
        op = cast(Operation, detached(home, name, parts))
        if point is None and isinstance(home, LooseModule):
            home._created.append(op._id)
        if point is not None:
            inserted(op, point)
        return op

    @property
    def operation(self) -> "Operation":
        """The operation itself."""
        return self


def get_ops_of_type(root: OperationBase | Module, op_class: "type[OpView] | None" = None) -> "list[OpView]":
    """The views of all operations in an operation, or of the operations of a class, in post-order."""
    views: list[OpView] = []
    root.operation.walk(lambda op: views.append(op.opview), op_class=op_class)
    return views


def get_parent_of_type(op: OperationBase, op_class: "type[OpView]") -> "OpView | None":
    """The view of the nearest operation around an operation that is of a class."""
    parent = cast("OperationBase | None", op.operation.parent)
    while parent is not None:
        view = parent.opview
        if isinstance(view, op_class):
            return view
        parent = cast("OperationBase | None", parent.operation.parent)
    return None
