"""The entry points that write and edit; see `entry_points`."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from itertools import islice
from pathlib import Path

import mlirbc
from mlirbc import edit, fallback, versions
from mlirbc.dialects import BytecodeDialectInterface, DialectValue

from complexity.entry_points import entry_point, operations


def _written(path: str, **keywords: object) -> int:
    return len(mlirbc.open(path).write(**keywords))  # type: ignore[arg-type]


@entry_point("write")
def _(path: str) -> int:
    return _written(path)


@entry_point("write canonical")
def _(path: str) -> int:
    return _written(path, numbering="canonical")


@entry_point("write strictest")
def _(path: str) -> int:
    return _written(path, numbering="strictest")


@entry_point("write for llvm-22")
def _(path: str) -> int:
    return _written(path, target="llvm-22", drop_unsupported=True)


@entry_point("save")
def _(path: str) -> int:
    with tempfile.TemporaryDirectory() as folder:
        mlirbc.open(path).save(Path(folder) / "out.mlirbc")
    return 0


def _edited(path: str, change: Callable[[edit.Module, mlirbc.Module], object]) -> int:
    module = mlirbc.open(path)
    edited = module.edit()
    change(edited, module)
    return len(edited.write(verify=False))


@entry_point("edit nothing")
def _(path: str) -> int:
    return _edited(path, lambda edited, _: edited.verify())


@entry_point("edit one attribute")
def _(path: str) -> int:
    def change(edited: edit.Module, module: mlirbc.Module) -> None:
        edited.operation.attributes["new"] = mlirbc.UnitAttr.get()

    return _edited(path, change)


@entry_point("edit many attributes")
def _(path: str) -> int:
    """Sets an attribute of each of the first thousand operations; sharers of a dictionary copy it."""

    def change(edited: edit.Module, module: mlirbc.Module) -> None:
        unit = mlirbc.UnitAttr.get()
        for op in islice(operations(module), 1000):
            edited[op].attributes["new"] = unit

    return _edited(path, change)


@entry_point("edit many attributes of one")
def _(path: str) -> int:
    def change(edited: edit.Module, module: mlirbc.Module) -> None:
        op = edited.operation
        for number in range(Path(path).stat().st_size // 100):
            op.attributes[f"k{number}"] = mlirbc.UnitAttr.get()

    return _edited(path, change)


@entry_point("edit locations")
def _(path: str) -> int:
    def change(edited: edit.Module, module: mlirbc.Module) -> None:
        unknown = mlirbc.UnknownLoc.get()
        for op in operations(module):
            edited[op].location = unknown

    return _edited(path, change)


@entry_point("edit by inserting")
def _(path: str) -> int:
    def change(edited: edit.Module, module: mlirbc.Module) -> None:
        body = edited.body
        for number in range(Path(path).stat().st_size // 100):
            edit.Operation.create(f"t.new{number % 10}", ip=edit.InsertionPoint.at_block_begin(body))

    return _edited(path, change)


@entry_point("edit by cloning")
def _(path: str) -> int:
    def change(edited: edit.Module, module: mlirbc.Module) -> None:
        body = edited.body
        for op in list(body.operations)[:100]:
            op.clone(ip=edit.InsertionPoint.at_block_end(body))

    return _edited(path, change)


@entry_point("edit by cloning all")
def _(path: str) -> int:
    def change(edited: edit.Module, module: mlirbc.Module) -> None:
        edited.operation.clone()

    return _edited(path, change)


@entry_point("edit by erasing")
def _(path: str) -> int:
    """Erases from the last to the first, so that users go before the values that they use."""

    def change(edited: edit.Module, module: mlirbc.Module) -> None:
        for op in reversed(list(edited.body.operations)):
            op.erase()

    return _edited(path, change)


@entry_point("edit by moving")
def _(path: str) -> int:
    def change(edited: edit.Module, module: mlirbc.Module) -> None:
        ops = list(edited.body.operations)
        for op in ops[1:]:
            op.move_before(ops[0])

    return _edited(path, change)


@entry_point("edit uses")
def _(path: str) -> int:
    def change(edited: edit.Module, module: mlirbc.Module) -> None:
        values = [result for op in edited.body.operations for result in op.results]
        # In pairs: along a chain the last value would have the uses of all.
        for old, new in zip(values[::2], values[1::2], strict=False):
            old.replace_all_uses_with(new)

    return _edited(path, change)


@entry_point("edit by clearing")
def _(path: str) -> int:
    def change(edited: edit.Module, module: mlirbc.Module) -> None:
        edited.operation.regions[0].clear()

    return _edited(path, change)


@entry_point("rename_symbol")
def _(path: str) -> int:
    """The first ten symbols of the body, one after the other: each goes through all references."""

    def change(edited: edit.Module, module: mlirbc.Module) -> None:
        names = [op.attributes.get("sym_name") for op in list(edited.body.operations)[:10]]
        for number, name in enumerate(names):
            if isinstance(name, mlirbc.StringAttr) and edited.symbol(name.value) is not None:
                edited.rename_symbol(name.value, f"renamed{number}")

    return _edited(path, change)


@entry_point("extract")
def _(path: str) -> int:
    """The first ten symbols with everything that they need, and with declarations."""
    module = mlirbc.open(path)
    names = [op.attributes.get("sym_name") for op in module.body.operations[:10]]
    names = [name.value for name in names if isinstance(name, mlirbc.StringAttr)]
    for declarations in (False, True) if names else ():
        mlirbc.extract(module, names, declarations=declarations)
    return 0


@entry_point("split and merge")
def _(path: str) -> int:
    """The parts hold their included symbols as often as they need them, so their sizes count as output."""
    parts = mlirbc.split(mlirbc.open(path))
    mlirbc.merge(parts)
    return sum(part.module.bytecode.size for part in parts)


@entry_point("dialect_versions")
def _(path: str) -> int:
    return len(versions.dialect_versions(mlirbc.open(path)))


@entry_point("override_types")
def _(path: str) -> int:
    def change(edited: edit.Module, module: mlirbc.Module) -> None:
        i7 = mlirbc.IntegerType.get_signless(7)
        versions.override_types(edited, lambda kind: i7 if isinstance(kind, mlirbc.F32Type) else None)

    return _edited(path, change)


@entry_point("clone into another module")
def _(path: str) -> int:
    target = edit.Module.create()
    refused = 0
    for op in list(mlirbc.open(path).edit().body.operations)[:1000]:
        try:
            op.clone(into=target)
        except mlirbc.Error:
            refused += 1
            if refused == 10:
                break
    return len(target.write(verify=False))


@entry_point("clone everything into another module")
def _(path: str) -> int:
    target = edit.Module.create()
    mlirbc.open(path).edit().operation.clone(into=target)
    return len(target.write(verify=False))


@entry_point("fallback.convert and restore")
def _(path: str) -> int:
    edited = fallback.convert(mlirbc.open(path), known=lambda name: False)
    converted = len(edited.write(verify=False))
    return converted + len(fallback.restore(edited).write(verify=False))


@entry_point("snapshot")
def _(path: str) -> int:
    def change(edited: edit.Module, module: mlirbc.Module) -> None:
        edited.operation.attributes["complexity.changed"] = mlirbc.UnitAttr.get()
        edited.snapshot().op_counts()

    return _edited(path, change)


@entry_point("resources of a dialect")
def _(path: str) -> int:
    def change(edited: edit.Module, module: mlirbc.Module) -> None:
        for number in range(1000):
            edited.resources.add(f"complexity{number}", b"1", group=f"d{number % 7}", is_external=False)

    return _edited(path, change)


class _Reading(BytecodeDialectInterface):
    """Reads any value as its bytes."""

    def __init__(self, dialect: str) -> None:
        self.dialect = dialect

    def read_attribute(self, reader: mlirbc.DialectBytecodeReader) -> DialectValue:
        return DialectValue("any", {"data": reader.read_rest()})

    def read_type(self, reader: mlirbc.DialectBytecodeReader) -> DialectValue:
        return DialectValue("any", {"data": reader.read_rest()})

    def write_attribute(self, value: DialectValue, writer: mlirbc.DialectBytecodeWriter) -> None:
        writer.write_rest(value.fields["data"])  # type: ignore[arg-type]

    def write_type(self, value: DialectValue, writer: mlirbc.DialectBytecodeWriter) -> None:
        writer.write_rest(value.fields["data"])  # type: ignore[arg-type]


def _with_hooks(path: str) -> mlirbc.Module:
    names = {dialect.name for dialect in mlirbc.open(path).dialects} - {"builtin"}
    return mlirbc.open(path, dialects=[_Reading(name) for name in sorted(names)[:8]])


@entry_point("read by hooks")
def _(path: str) -> int:
    return len(fallback.opaque(_with_hooks(path)))


@entry_point("written again by hooks")
def _(path: str) -> int:
    module = _with_hooks(path)
    edited = module.edit()
    for dialect in module.dialects:
        if dialect.name != "builtin":
            versions.set_dialect_version(edited, dialect.name, b"\x07")
    return len(edited.write(verify=False))


@entry_point("require_known")
def _(path: str) -> int:
    try:
        return mlirbc.open(path, require_known=True).bytecode.version
    except mlirbc.UnsupportedError as refused:
        return len(str(refused))
