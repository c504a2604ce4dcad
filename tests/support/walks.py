"""Walks that touch all contents of a module, and record them for comparison."""

from collections.abc import Callable, Iterator

import mlirbc

Failure = tuple[str, int | None]
"""The identifier and the offset of an error."""

Row = tuple[object, ...]


def outcome(action: Callable[[], list[Row]]) -> list[Row] | Failure:
    """The result of the action, or the failure in which it ends; exceptions of others are let through."""
    try:
        return action()
    except mlirbc.Error as error:
        return error.identifier, error.offset


def operations_of(module: mlirbc.Module) -> Iterator[mlirbc.Operation]:
    """All operations in pre-order, without recursion."""
    stack = [iter(module.operations)]
    while stack:
        op = next(stack[-1], None)
        if op is None:
            stack.pop()
            continue
        yield op
        inner = [nested for region in op.regions for block in region.blocks for nested in block.operations]
        stack.append(iter(inner))


def _value(value: mlirbc.Value) -> Row:
    if isinstance(value, mlirbc.OpResult):
        return "result", value.owner.name, value.result_number, value.type.index
    assert isinstance(value, mlirbc.BlockArgument)
    return "argument", value.owner.block_number, value.arg_number, value.type.index


def row_of(op: mlirbc.Operation) -> Row:
    """All that an operation says of itself, as plain data."""
    dictionary = op.attribute_dictionary
    return (
        op.name,
        op.is_registered,
        op.is_isolated_from_above,
        op.location.index,
        None if dictionary is None else dictionary.index,
        op.property_blob,
        tuple(_value(operand) for operand in op.operands),
        tuple(_value(result) for result in op.results),
        tuple(successor.block_number for successor in op.successors),
        tuple(
            (
                region.region_number,
                tuple(tuple(_argument(argument) for argument in block.arguments) for block in region.blocks),
            )
            for region in op.regions
        ),
    )


def _argument(argument: mlirbc.BlockArgument) -> Row:
    location = argument.location
    return argument.type.index, None if location is None else location.index


def uses_of(value: mlirbc.Value) -> Row:
    return tuple((use.owner.name, use.operand_number) for use in value.uses)


def walk_operations(module: mlirbc.Module) -> list[Row]:
    return [row_of(op) for op in operations_of(module)]


def walk_everything(module: mlirbc.Module) -> list[Row]:
    """All operations, uses, table entries and resources."""
    rows: list[Row] = []
    for op in operations_of(module):
        rows.append(row_of(op))
        rows.extend(uses_of(result) for result in op.results)
        for region in op.regions:
            for block in region.blocks:
                rows.extend(uses_of(argument) for argument in block.arguments)
                rows.append(tuple(successor.block_number for successor in block.successors))
                rows.append(tuple(sorted(before.block_number for before in block.predecessors)))
    rows.append(tuple(module.op_counts().items()))
    rows.extend((dialect.name, dialect.version) for dialect in module.dialects)
    for resource in module.resources.values():
        rows.append((resource.group, resource.key, resource.kind, resource.size, plain(resource.value)))
    return rows


def plain(value: mlirbc.Blob | bool | str | None) -> bytes | bool | str | None:
    return bytes(value) if isinstance(value, mlirbc.Blob) else value
