"""The parts of a new operation, and the module that it is created in."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from mlirbc import _mlirbc, edit
from mlirbc._locations import UnknownLoc
from mlirbc._mlirbc import Attribute, Type
from mlirbc.mlir._context import Context, is_registered_operation
from mlirbc.mlir._diagnostics import DiagnosticInfo, DiagnosticSeverity, failure
from mlirbc.mlir._module import LooseModule, loose_module

__all__ = [
    "OperationParts",
    "check_attributes",
    "detached",
    "home_of",
    "inferred",
    "inserted",
    "only_operation",
    "value_of",
]


def inferred(name: str, values: Sequence[edit.Value], attributes: Mapping[str, Attribute]) -> Sequence[Type]:
    """The types of results that follow from the operands and attributes."""
    from mlirbc.mlir._definitions import definition_of
    from mlirbc.mlir._inference import inferred_types

    return inferred_types(name, definition_of(name), list(values), dict(attributes))


class OperationParts(NamedTuple):
    """The parts of a new operation."""

    results: Sequence[Type]
    operands: Sequence[edit.Value]
    attributes: Mapping[str, Attribute]
    successors: Sequence[edit.Block]
    regions: int
    location: Attribute


def detached(home: edit.Module, name: str, parts: OperationParts) -> edit.Operation:
    """A new operation in no block. Attributes that its definition demands may be missing: as upstream, only
    the verifier looks for them.
    """
    try:
        return home.detached(name, *parts, verify=False)
    except _mlirbc.InvalidError:
        if not is_registered_operation(name):
            raise
    op = home.detached("mlirbc.incomplete", *parts._replace(attributes={}), verify=False)
    try:
        op._rename(name, True, None)
        for key, value in parts.attributes.items():
            op._editor.set_attribute(op._id, key, value)
    except BaseException:
        op.erase()
        raise
    return op


def only_operation(module: LooseModule, source: str | bytes) -> edit.Operation:
    """The operation that was parsed: the module itself, or the one operation in it."""
    body = module._editor.operations(module.body._id)
    text = source if isinstance(source, str) else source.decode("utf-8", "replace")
    is_module = _first_word(text) in ("module", "builtin.module", '"builtin.module"')
    if not is_module and len(body) != 1:
        message = f"source must contain a single top-level operation, found: {len(body)}"
        info = DiagnosticInfo(DiagnosticSeverity.ERROR, UnknownLoc.get(), message)
        raise failure("Unable to parse operation assembly", module.context, [info])
    op = module._editor.operation() if is_module else body[0]
    module._editor.detach(op)
    module._created.append(op)
    return module._op(op)


def _first_word(text: str) -> str:
    for line in text.splitlines():
        line = line.split("//", 1)[0].strip()
        if line and not line.startswith(("#", "!")):
            return line.replace("(", " ").replace("{", " ").split()[0]
    return ""


def inserted(op: edit.Operation, point: edit.InsertionPoint) -> None:
    """Inserts a new operation, or erases it if that fails."""
    try:
        point.insert(op)
    except BaseException:
        op.erase()
        raise


def value_of(operand: "edit.Value | edit.Operation") -> edit.Value:
    """The value that an operand stands for: itself, or the only result of an operation."""
    if isinstance(operand, edit.Operation):
        return operand.operation.result
    if not isinstance(operand, edit.Value):
        raise TypeError(f"expected a value as an operand, found {type(operand).__name__}")
    return operand


def home_of(
    point: edit.InsertionPoint | None,
    values: Sequence[edit.Value],
    successors: Sequence[edit.Block],
    context: Context,
) -> edit.Module:
    """The module that a new operation is created in."""
    if point is not None:
        return point._module
    homes = [part._home for part in (*values, *successors)]
    whole = next((home for home in homes if not isinstance(home, LooseModule)), None)
    return whole or next(iter(homes), None) or loose_module(context)


def check_attributes(name: str, attributes: Mapping[str, Attribute]) -> None:
    """Refuses keys that are not strings, and values that are not attributes, as upstream."""
    for key, value in attributes.items():
        where = f'when attempting to create the operation "{name}"'
        if not isinstance(key, str):
            raise TypeError(f"Invalid attribute key (not a string) {where}")
        if value is None:
            raise RuntimeError(f'Found an invalid (`None`?) attribute value for the key "{key}" {where}')
        if not isinstance(value, Attribute):
            raise RuntimeError(f'Invalid attribute value for the key "{key}" {where}')
