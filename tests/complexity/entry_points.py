"""The Python entry points that get the files of every family: a name, and a function of a path.

Each answers how many bytes of text or other output it made, so that time may be compared with it."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TypeVar

import duckdb  # noqa: F401 (so that no child imports it)
import mlirbc
import pyarrow
from mlirbc import arrays, fallback, layout, lazy

Item = TypeVar("Item")
EntryPoint = Callable[[str], int]

ENTRY_POINTS: dict[str, EntryPoint] = {}


def entry_point(name: str) -> Callable[[EntryPoint], EntryPoint]:
    def register(run: EntryPoint) -> EntryPoint:
        ENTRY_POINTS[name] = run
        return run

    return register


def operations(module: mlirbc.Module) -> Iterator[mlirbc.Operation]:
    stack = list(module.operations)
    while stack:
        op = stack.pop()
        yield op
        for region in op.regions:
            for block in region.blocks:
                stack.extend(block.operations)


def _entries(module: mlirbc.Module) -> Iterator[mlirbc.Attribute | mlirbc.Type]:
    yield from module.attributes
    yield from module.types


def _skipping_errors(items: Iterator[Item], do: Callable[[Item], object]) -> int:
    """Calls the function with each item; refused items are skipped, and answers are measured."""
    size = 0
    for item in items:
        try:
            answer = do(item)
        except (mlirbc.Error, ValueError, TypeError, KeyError, AttributeError, NotImplementedError):
            continue
        if isinstance(answer, str | bytes | list | tuple):
            size += len(answer)
    return size


# Reading.


@entry_point("open")
def _(path: str) -> int:
    with mlirbc.open(path) as module:
        return len(module.op_names)


@entry_point("open by reading")
def _(path: str) -> int:
    with mlirbc.open(path, backend="read") as module:
        return len(list(module.strings))


@entry_point("read")
def _(path: str) -> int:
    module = mlirbc.read(Path(path).read_bytes())
    return len(module.dialects)


@entry_point("decode_all")
def _(path: str) -> int:
    mlirbc.open(path).decode_all()
    return 0


@entry_point("decode_all with threads")
def _(path: str) -> int:
    mlirbc.open(path).decode_all(threads=4)
    return 0


@entry_point("verify")
def _(path: str) -> int:
    mlirbc.open(path).verify()
    return 0


@entry_point("release")
def _(path: str) -> int:
    return len(repr(mlirbc.open(path).release))


@entry_point("tables")
def _(path: str) -> int:
    module = mlirbc.open(path)
    size = sum(len(text) for text in module.strings) + sum(len(blob) for blob in module.properties)
    return (
        size
        + sum(len(dialect.op_names) for dialect in module.dialects)
        + sum(len(n.name) for n in module.op_names)
    )


@entry_point("tables of rows")
def _(path: str) -> int:
    module, size = mlirbc.open(path), 0
    for kind in ("ops", "values", "attributes", "types", "symbols", "resources"):
        # Printed text is limited, and charged, also where the row is null.
        size += 64 * len(getattr(module, f"{kind}_table")())
    return size


@entry_point("resources")
def _(path: str) -> int:
    module, size = mlirbc.open(path), 0
    for key, resource in module.resources.items():
        module.resources.get(key)
        size += len(str(resource.kind)) + (resource.value is not None)
    return size


@entry_point("offsets of operations")
def _(path: str) -> int:
    offsets: list[int] = []
    mlirbc.open(path).walk(lambda op: offsets.append(op.offset))
    return len(offsets) + sum(attribute.offset is not None for attribute in mlirbc.open(path).attributes)


@entry_point("weights")
def _(path: str) -> int:
    return len(list(mlirbc.open(path).weights))


@entry_point("costs")
def _(path: str) -> int:
    return len(mlirbc.tools.cost(mlirbc.open(path)).operations)


@entry_point("sizes")
def _(path: str) -> int:
    return len(mlirbc.tools.size(mlirbc.open(path), duplicates=True).strings)


@entry_point("resources by key")
def _(path: str) -> int:
    resources = mlirbc.open(path).resources
    return sum(len(resources[key].group) for key in resources)


@entry_point("resources in parts")
def _(path: str) -> int:
    size, buffer = 0, bytearray(64)
    for resource in mlirbc.open(path, backend="read").resources.values():
        if resource.kind == "blob" and resource.has_data:
            size += len(resource[-16:]) + resource.read_into(buffer)
    return size


# Walking.


@entry_point("walk")
def _(path: str) -> int:
    count = 0

    def visit(op: mlirbc.Operation) -> None:
        nonlocal count
        count += 1

    mlirbc.open(path).walk(visit)
    return count


@entry_point("walk handles")
def _(path: str) -> int:
    def visit(op: mlirbc.Operation) -> int:
        parts = (op.name, list(op.operands), list(op.results), list(op.successors), op.block, op.parent)
        return len(parts[0])

    return _skipping_errors(operations(mlirbc.open(path)), visit)


@entry_point("walk attributes")
def _(path: str) -> int:
    """The names and values of each operation: as many as there are, so that counts as output."""

    def visit(op: mlirbc.Operation) -> list[object]:
        return [*op.attributes.items(), *op.properties.items(), *op.discardable_attributes.keys()]

    return 100 * _skipping_errors(operations(mlirbc.open(path)), visit)


@entry_point("walk one attribute")
def _(path: str) -> int:
    def visit(op: mlirbc.Operation) -> object:
        return "k" in op.attributes and op.attributes["k"]

    return _skipping_errors(operations(mlirbc.open(path)), visit)


@entry_point("walk groups")
def _(path: str) -> int:
    def visit(op: mlirbc.Operation) -> list[object]:
        return [*op.operand_groups, *op.result_groups]

    return 100 * _skipping_errors(operations(mlirbc.open(path)), visit)


@entry_point("walk uses")
def _(path: str) -> int:
    def visit(op: mlirbc.Operation) -> int:
        for result in op.results:
            list(result.uses)
        return 0

    return _skipping_errors(operations(mlirbc.open(path)), visit)


@entry_point("walk uses in upstream's order")
def _(path: str) -> int:
    def visit(op: mlirbc.Operation) -> int:
        for result in op.results:
            result.uses_in_order("upstream")
        return 0

    return _skipping_errors(operations(mlirbc.open(path)), visit)


@entry_point("walk blocks")
def _(path: str) -> int:
    def visit(op: mlirbc.Operation) -> int:
        for region in op.regions:
            for block in region.blocks:
                assert block.owner is not None
                _ = list(block.arguments), block.successors, block.predecessors, block.block_number
        return 0

    return _skipping_errors(operations(mlirbc.open(path)), visit)


@entry_point("walk order")
def _(path: str) -> int:
    def visit(op: mlirbc.Operation) -> bool:
        return op.is_before_in_block(op.block.operations[0])

    return _skipping_errors(operations(mlirbc.open(path)), visit)


@entry_point("paths")
def _(path: str) -> int:
    """Asks 100 operations: a path is as long as its operation is deep."""
    ops = islice(operations(mlirbc.open(path)), 100)
    return _skipping_errors(ops, lambda op: op.path)


@entry_point("locations")
def _(path: str) -> int:
    """Asks ten operations: asking all is quadratic where they share one location."""
    return _skipping_errors(islice(operations(mlirbc.open(path)), 10), lambda op: str(op.location))


@entry_point("op_counts")
def _(path: str) -> int:
    return sum(map(len, mlirbc.open(path).op_counts()))


@entry_point("columns")
def _(path: str) -> int:
    columns = mlirbc.open(path).columns()
    return len(columns) + sum(map(len, columns.op_names))


# Text.


@entry_point("str")
def _(path: str) -> int:
    return len(str(mlirbc.open(path)))


@entry_point("get_asm with locations")
def _(path: str) -> int:
    return len(mlirbc.open(path).get_asm(enable_debug_info=True))


@entry_point("get_asm in the local scope")
def _(path: str) -> int:
    return len(mlirbc.open(path).get_asm(enable_debug_info=True, use_local_scope=True))


@entry_point("print to a file")
def _(path: str) -> int:
    out = io.BytesIO()
    mlirbc.open(path).print(file=out, binary=True)
    return len(out.getvalue())


@entry_point("str of operations")
def _(path: str) -> int:
    """Asks ten operations: each may have the text of the whole module."""
    return _skipping_errors(islice(operations(mlirbc.open(path)), 10), str)


@entry_point("str of operations without regions")
def _(path: str) -> int:
    """Asks ten operations: each numbers all values of the function around it, as upstream does."""
    ops = islice(operations(mlirbc.open(path)), 10)
    return _skipping_errors(ops, lambda op: op.get_asm(skip_regions=True))


@entry_point("repr")
def _(path: str) -> int:
    """A line for each object, however large the object is."""
    module = mlirbc.open(path)
    size = len(repr(module)) + _skipping_errors(operations(module), repr)
    return size + _skipping_errors(_entries(module), repr)


@entry_point("str of entries")
def _(path: str) -> int:
    """Asks the last entries: the text of all links of a chain is quadratic."""
    return _skipping_errors(_last_entries(mlirbc.open(path)), str)


@entry_point("parse")
def _(path: str) -> int:
    """Parses the text of the entries that the file uses, which is the output; more than a megabyte is left
    out.
    """

    def parse(entry: mlirbc.Attribute | mlirbc.Type) -> str:
        text = str(entry)
        if len(text) < 1 << 20:
            (mlirbc.Attribute if isinstance(entry, mlirbc.Attribute) else mlirbc.Type).parse(text)
        return text

    module = mlirbc.open(path)
    return _skipping_errors(_last_entries(module), parse)


def _last_entries(module: mlirbc.Module) -> Iterator[mlirbc.Attribute | mlirbc.Type]:
    """The last ones of each table, where the largest are."""
    for table in (module.attributes, module.types):
        yield from (table[-number] for number in range(1, min(5, len(table) + 1)))


# Values.


@entry_point("fields")
def _(path: str) -> int:
    """All fields of all entries: as many as there are, so that counts as output."""

    def visit(entry: mlirbc.Attribute | mlirbc.Type) -> list[object]:
        return [part for field in entry.fields.values() for part in _parts(field)]

    return 100 * _skipping_errors(_entries(mlirbc.open(path)), visit)


def _parts(field: object) -> list[object]:
    return field if isinstance(field, list) else [field]


@entry_point("payloads")
def _(path: str) -> int:
    return _skipping_errors(_entries(mlirbc.open(path)), lambda entry: entry.payload)


@entry_point("hash")
def _(path: str) -> int:
    _skipping_errors(_entries(mlirbc.open(path)), hash)
    return 0


@entry_point("set")
def _(path: str) -> int:
    """Hashes and compares the entries of two modules."""
    values: set[object] = set()
    for module in (mlirbc.open(path), mlirbc.open(path)):
        _skipping_errors(_entries(module), values.add)
    return 0


@entry_point("equal")
def _(path: str) -> int:
    first, second = mlirbc.open(path), mlirbc.open(path)
    pairs = zip(_entries(first), _entries(second), strict=True)
    return _skipping_errors(pairs, lambda pair: pair[0] == pair[1])


@entry_point("classes")
def _(path: str) -> int:
    """Members of the classes of the Python package beyond fields."""

    def visit(entry: mlirbc.Attribute | mlirbc.Type) -> int:
        if isinstance(entry, mlirbc.Attribute):
            _ = entry.type
        for name in (
            "shape",
            "rank",
            "num_elements",
            "inputs",
            "results",
            "root_reference",
            "nested_references",
        ):
            getattr(entry, name, None)
        return 0

    return _skipping_errors(_entries(mlirbc.open(path)), visit)


@entry_point("items")
def _(path: str) -> int:
    """The contents of containers as Python values: as many as there are, so that counts as output."""

    def visit(entry: mlirbc.Attribute | mlirbc.Type) -> list[object]:
        # A list of the 2^40 elements of a splat is its caller's decision.
        if hasattr(entry, "__len__") and len(entry) >= 1 << 22:
            return []
        return list(entry)  # type: ignore[call-overload, no-any-return]

    return 100 * _skipping_errors(_entries(mlirbc.open(path)), visit)


@entry_point("to_numpy")
def _(path: str) -> int:
    def visit(attribute: mlirbc.Attribute) -> int:
        # A splat of 2^40 elements is its reader's decision.
        if getattr(attribute, "num_elements", 0) < 1 << 22:
            arrays.to_numpy(attribute)
        return 0

    return _skipping_errors(iter(mlirbc.open(path).attributes), visit)


@entry_point("layout of types")
def _(path: str) -> int:
    module = mlirbc.open(path)
    data_layout = mlirbc.DataLayout(module)

    def visit(kind: mlirbc.Type) -> int:
        data_layout.get_type_size(kind)
        data_layout.get_type_abi_alignment(kind)
        data_layout.get_type_preferred_alignment(kind)
        return 0

    return _skipping_errors(iter(module.types), visit)


@entry_point("layout of operations")
def _(path: str) -> int:
    """Asks ten operations: a layout is made from all the operations around."""

    def visit(op: mlirbc.Operation) -> int:
        data_layout = mlirbc.DataLayout(op)
        return len(data_layout.entries) + len(data_layout.scopes)

    return _skipping_errors(islice(operations(mlirbc.open(path)), 10), visit)


@entry_point("layout by the rules of the RFC")
def _(path: str) -> int:
    module = mlirbc.open(path)
    layout.verify(module, rules="rfc")
    return len(mlirbc.DataLayout(module, rules="rfc").entries)


@entry_point("layout.verify")
def _(path: str) -> int:
    layout.verify(mlirbc.open(path))
    return 0


# Receivers, and loading bodies one by one.


@entry_point("compatibility")
def _(path: str) -> int:
    return len(fallback.compatibility(mlirbc.open(path), "llvm-19").findings)


@entry_point("compatibility names")
def _(path: str) -> int:
    return len(fallback.compatibility(mlirbc.open(path), ["builtin.module"]).findings)


@entry_point("plan_write")
def _(path: str) -> int:
    return len(repr(fallback.plan_write(mlirbc.open(path), target="llvm-19").mode))


@entry_point("opaque")
def _(path: str) -> int:
    return len(fallback.opaque(mlirbc.open(path)))


@entry_point("LazyReader")
def _(path: str) -> int:
    reader = lazy.LazyReader(mlirbc.open(path))
    reader.read_top_level()
    reader.finalize(lambda op: True)
    return 0


@entry_point("LazyReader from the front")
def _(path: str) -> int:
    reader = lazy.LazyReader(mlirbc.open(path))
    reader.read_top_level()
    count = 0
    while reader.pending:
        reader.materialize(reader.pending[0])
        count += 1
    return count


@entry_point("LazyReader dropping")
def _(path: str) -> int:
    reader = lazy.LazyReader(mlirbc.open(path))
    reader.read_top_level(lambda op: op.name == "builtin.module")
    return len(reader.finalize(lambda op: False).write(verify=False))


@entry_point("LazyReader in reverse")
def _(path: str) -> int:
    reader = lazy.LazyReader(mlirbc.open(path))
    reader.read_top_level(lambda op: op.name == "builtin.module")
    for op in reversed(reader.pending):
        if reader.is_pending(op):
            reader.materialize(op)
    return 0


# Tables, which have a row for each of something in the module.


def _table(path: str, name: str) -> int:
    return int(pyarrow.table(getattr(mlirbc.open(path), f"{name}_table")()).nbytes)


for kind in ("ops", "values", "attributes", "types", "symbols", "resources"):
    entry_point(f"{kind} table")(partial(_table, name=kind))


@entry_point("query")
def _(path: str) -> int:
    tables = ("ops", "values", "attributes", "types", "symbols", "resources")
    counts = ", ".join(f"(select count(*) from {table})" for table in tables)
    return len(mlirbc.query(path, f"select {counts}").fetchall())


# The ones that edit register themselves with the rest.
from complexity import entry_points_of_editing  # noqa: E402, F401
