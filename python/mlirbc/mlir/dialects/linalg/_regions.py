"""The regions of named structured operations, which their custom forms imply."""

from typing import TYPE_CHECKING

from mlirbc import _mlirbc

if TYPE_CHECKING:
    from mlirbc.mlir._operation import OperationBase

__all__ = ["fill_builtin_region"]

# Attributes that custom forms write before the operands, and after them.
_BEFORE = ("kind", "indexing_maps")
_AFTER = ("permutation", "dimensions")
_IMPLIED = ("operandSegmentSizes",)


def fill_builtin_region(op: "OperationBase") -> None:
    """Give a named structured operation the region of its definition.

    The custom form of the operation, which implies the region, is parsed in a module of its own. Raises
    `ValueError` if the operation has a region that is not empty.
    """
    region = op.regions[0]
    if len(region.blocks):
        raise ValueError(f"the region of {op.operation.name} is not empty")
    parsed = _mlirbc.parse(_text(op))
    source = parsed.body.operations[0].regions[0].blocks[0].operations[0].regions[0]
    op._home.clone_blocks(source, into=region)


def _text(op: "OperationBase") -> str:
    """A function with the custom form of the operation, whose operands are the arguments."""
    types = [str(value.type) for value in op.operands]
    inputs, outputs = _groups(op, types)
    results = [str(value.type) for value in op.results]
    name = op.operation.name
    written = " ".join(f"{key} = {op.attributes[key]}" for key in _BEFORE if key in op.attributes)
    after = ", ".join(f"{key} = {_short(op, key)}" for key in _AFTER if key in op.attributes)
    inner = {
        key: str(value) for key, value in op.attributes.items() if key not in (*_BEFORE, *_AFTER, *_IMPLIED)
    }
    dictionary = "{" + ", ".join(f"{key} = {value}" for key, value in inner.items()) + "}" if inner else ""
    arguments = ", ".join(f"%a{place}: {type_}" for place, type_ in enumerate(types))
    form = f"{name} {written} {dictionary} ins({inputs}) outs({outputs}) {after}"
    if results and not after:
        form += f" -> {results[0]}" if len(results) == 1 else f" -> ({', '.join(results)})"
    return f"func.func @f({arguments}) {{\n{form}\nreturn\n}}"


def _groups(op: "OperationBase", types: list[str]) -> tuple[str, str]:
    """The inputs and outputs with their types."""
    sizes = op.attributes.get("operandSegmentSizes")
    count = next(iter(sizes)) if sizes is not None else len(types) - 1  # type: ignore[call-overload]

    def shown(first: int, last: int) -> str:
        places = range(first, last)
        names = ", ".join(f"%a{place}" for place in places)
        return f"{names} : {', '.join(types[first:last])}" if places else ""

    return shown(0, count), shown(count, len(types))


def _short(op: "OperationBase", key: str) -> str:
    return str(list(op.attributes[key]))  # type: ignore[call-overload]
