"""Stubs of dialect modules, for editors and type checkers.

    mlirbc stubs arith func scf

writes `arith.pyi` and the others beside the modules of the package; `-o FOLDER` names another folder.
`python -m mlirbc.mlir.stubs` does the same.

>>> from mlirbc.mlir import stubs
>>> "class CondBranchOp(OpView):" in stubs.stub("cf")
True
"""

import argparse
import ast
import importlib
import sys
from collections.abc import Iterator
from pathlib import Path

from mlirbc import _mlirbc
from mlirbc.mlir._definitions import (
    AttributePart,
    Definition,
    ValuePart,
    definition_of,
    snake_case,
)
from mlirbc.mlir.dialects import _MODULE_NAMES
from mlirbc.mlir.dialects._generated import DialectNames, load_enumerations

__all__ = ["stub", "write"]

_HEADER = '''# mypy: disable-error-code="override, no-redef, misc, assignment"
# pyright: reportIncompatibleMethodOverride=false, reportIncompatibleVariableOverride=false
"""The operations of the dialect `{dialect}`."""

import builtins
from collections.abc import Callable, Sequence
from enum import IntEnum, IntFlag

from mlirbc.mlir import ir
from mlirbc.mlir._dialect_types import SimpleType
from mlirbc.mlir.ir import Attribute, Operation, OpView, Region, Type, Value

_Value = Value | Operation | OpView
_Values = Sequence[_Value] | Operation | OpView
'''

# The classes of `ir` for the classes of attributes in MLIR, with what builders take.
_ATTRIBUTES = {
    "AffineMapAttr": ("ir.AffineMapAttr", "ir.AffineMap"),
    "ArrayAttr": ("ir.ArrayAttr", "Sequence[object]"),
    "BoolAttr": ("ir.BoolAttr", "bool"),
    "DenseBoolArrayAttr": ("ir.DenseBoolArrayAttr", "Sequence[bool]"),
    "DenseI32ArrayAttr": ("ir.DenseI32ArrayAttr", "Sequence[int]"),
    "DenseI64ArrayAttr": ("ir.DenseI64ArrayAttr", "Sequence[int]"),
    "DictionaryAttr": ("ir.DictAttr", "dict[str, Attribute]"),
    "FlatSymbolRefAttr": ("ir.FlatSymbolRefAttr", "str"),
    "FloatAttr": ("ir.FloatAttr", "float"),
    "IntegerAttr": ("ir.IntegerAttr", "int"),
    "IntegerSetAttr": ("ir.IntegerSetAttr", "ir.IntegerSet"),
    "StringAttr": ("ir.StringAttr", "str"),
    "SymbolRefAttr": ("ir.SymbolRefAttr", "str | Sequence[str]"),
    "TypeAttr": ("ir.TypeAttr", "Type"),
}


def stub(dialect: str) -> str:
    """The stub of the module of a dialect. Raises `ModuleNotFoundError` if there is none."""
    module = importlib.import_module(f"mlirbc.mlir.dialects.{dialect}")
    entries = getattr(module, "_names", None)
    names = entries if isinstance(entries, DialectNames) else None
    name = names.dialect if names is not None else _dialect_of(dialect)
    definitions = [
        definition
        for operation, _ in _mlirbc._binding_operations(name)
        if (names is None or names.has_operation(operation))
        and (definition := definition_of(operation)) is not None
    ]
    hand_written = _hand_written(getattr(module, "__file__", None))
    blocks = [_HEADER.format(dialect=name)]
    blocks += [_enumeration(cls) for cls in load_enumerations(name, module.__name__).values()]
    blocks += [block for definition in definitions for block in _blocks(definition, hand_written)]
    blocks += [ast.unparse(node) for node in hand_written.values()]
    return "\n\n".join(blocks) + "\n"


def _dialect_of(module: str) -> str:
    from mlirbc.mlir import dialects

    return dialects._dialect_of(module)


def write(folder: Path, dialects: list[str]) -> list[Path]:
    """Write the stubs of dialects into a folder; returns the files."""
    written = []
    for name in dialects:
        dialect = _MODULE_NAMES.get(name, name)
        path = folder / f"{dialect.replace('.', '/')}.pyi"
        module = importlib.import_module(f"mlirbc.mlir.dialects.{dialect}")
        if Path(getattr(module, "__file__", None) or "").name == "__init__.py":
            path = path.with_suffix("") / "__init__.pyi"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(stub(dialect))
        written.append(path)
    return written


# ---- generated parts ----


def _blocks(definition: Definition, hand_written: "dict[str, ast.stmt]") -> Iterator[str]:
    name = definition.class_name
    hand_class = hand_written.pop(name, None)
    if isinstance(hand_class, ast.ClassDef):
        generated = f"_{name}"
        yield _class(definition, generated)
        hand_class.bases = [
            ast.Name(generated) if ast.unparse(base) == "OpView" else base for base in hand_class.bases
        ] + ([] if any(ast.unparse(base) == "OpView" for base in hand_class.bases) else [ast.Name(generated)])
        hand_class.keywords = []
        hand_written[name] = hand_class
    else:
        yield _class(definition, name)
    if definition.function_name not in hand_written:
        arguments = _arguments(definition, snake_case)
        yield f"def {definition.function_name}({arguments}) -> {_result(definition)}: ..."


def _class(definition: Definition, name: str) -> str:
    lines = [f"class {name}(OpView):", f"    def __init__(self, {_arguments(definition, str)}) -> None: ..."]
    for part in definition.operands:
        lines += _property(part.name, _value_type(part)) if part.is_named else []
    for attribute in definition.attributes:
        lines += _attribute(attribute)
    for part in definition.results:
        lines += _property(part.name, _value_type(part)) if part.is_named else []
    for region in definition.regions:
        lines += _property(region.name, "Sequence[Region]" if region.is_variadic else "Region")
    return "\n".join(lines)


def _property(name: str, type_: str) -> list[str]:
    return ["    @property", f"    def {name}(self) -> {type_}: ..."]


def _value_type(part: ValuePart) -> str:
    return {"one": "Value", "optional": "Value | None"}.get(part.number, "Sequence[Value]")


def _attribute(part: AttributePart) -> list[str]:
    cls, _ = _ATTRIBUTES.get(part.storage, ("Attribute", ""))
    if part.is_unit:
        type_, set_type = "bool", "bool"
    else:
        type_ = f"{cls} | None" if part.is_optional else cls
        set_type = _argument(part)
    setter = [f"    @{part.name}.setter", f"    def {part.name}(self, value: {set_type}) -> None: ..."]
    return _property(part.name, type_) + setter


def _argument(part: AttributePart) -> str:
    if part.is_unit:
        return "bool | Attribute | None"
    _, plain = _ATTRIBUTES.get(part.storage, ("", "object"))
    optional = "" if part.is_required else " | None"
    return "object" if plain == "object" else f"{plain} | Attribute{optional}"


def _arguments(definition: Definition, shown: "type[str] | object") -> str:
    rename = shown if callable(shown) else str
    types = _argument_types(definition)
    required = [f"{rename(name)}: {types[name]}" for name in definition.positional]
    keywords = [f"{rename(name)}: {_optional(types[name])} = None" for name in definition.keywords]
    keywords += ["loc: Attribute | None = None", "ip: ir.InsertionPoint | None = None"]
    return ", ".join([*required, "*", *keywords])


def _optional(type_: str) -> str:
    return type_ if type_ == "object" or type_.endswith("| None") else f"{type_} | None"


def _argument_types(definition: Definition) -> dict[str, str]:
    values = {"one": "_Value", "optional": "_Value"}
    results = {"one": "Type", "optional": "Type | None"}
    types = {part.name: values.get(part.number, "_Values") for part in definition.operands}
    types |= {part.name: results.get(part.number, "Sequence[Type]") for part in definition.results}
    types |= {part.name: _argument(part) for part in definition.attributes}
    for part in definition.successors:
        types[part.name] = "Sequence[ir.Block]" if part.is_variadic else "ir.Block"
    types |= {f"num_{part.name}": "int" for part in definition.regions}
    return types | {"results": "Sequence[Type] | None"}


def _result(definition: Definition) -> str:
    numbers = [part.number for part in definition.results]
    if numbers == ["one"]:
        return "ir.OpResult"
    if not numbers:
        return definition.class_name
    if all(number == "one" for number in numbers):
        return "Sequence[ir.OpResult]"
    return f"ir.OpResult | Sequence[ir.OpResult] | {definition.class_name}"


def _enumeration(cls: type) -> str:
    base = next(base.__name__ for base in cls.__mro__ if base.__name__ in ("IntEnum", "IntFlag"))
    members: dict[str, int] = cls.__members__  # type: ignore[attr-defined]
    cases = "\n".join(f"    {name} = {int(value)}" for name, value in members.items())
    return f"class {cls.__name__}({base}):\n{cases}"


# ---- the file of a module ----


def _hand_written(file: str | None) -> dict[str, ast.stmt]:
    """The classes, functions and imports of a file, without bodies, by name."""
    if file is None:
        return {}
    entries: dict[str, ast.stmt] = {}
    for node in ast.parse(Path(file).read_text("utf-8")).body:
        for place, part in enumerate(_visible(node)):
            entries[_name_of(part) or f"{node.lineno} {place}"] = part
    return entries


def _name_of(node: ast.stmt) -> str | None:
    if isinstance(node, (ast.ClassDef, ast.FunctionDef)):
        return node.name
    return ast.unparse(node.target) if isinstance(node, ast.AnnAssign) else None


def _visible(node: ast.stmt) -> list[ast.stmt]:
    """The statements that a stub shows for a statement."""
    match node:
        case ast.ImportFrom(module="typing", names=names):
            node.names = [name for name in names if name.name not in ("TYPE_CHECKING", "cast")]
            return [node] if node.names else []
        case ast.Import() | ast.ImportFrom() | ast.AnnAssign():
            return [node]
        case ast.If(test=ast.Name(id="TYPE_CHECKING")):
            return node.body
        case ast.FunctionDef(name=name) if name not in ("__getattr__", "__dir__"):
            return [_without_body(node)]
        case ast.ClassDef():
            node.body = [part for item in node.body for part in _member(item)] or [
                ast.Expr(ast.Constant(...))
            ]
            return [node]
        case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call()):
            return [ast.AnnAssign(ast.Name(name), _type_of_call(node.value), None, 1)]
        case ast.Assign(targets=[ast.Name(id=name)], value=ast.Name() | ast.Attribute()):
            return [node]
    return []


def _type_of_call(call: ast.expr) -> ast.expr:
    """The type of what a call at the top of a file makes: a class, or a decorator."""
    is_class = isinstance(call, ast.Call) and ast.unparse(call.func) == "type_class"
    return ast.parse("builtins.type[SimpleType]" if is_class else "Callable[..., object]", mode="eval").body


def _member(item: ast.stmt) -> list[ast.stmt]:
    if isinstance(item, ast.FunctionDef):
        return [_without_body(item)]
    is_slots = isinstance(item, ast.Assign) and ast.unparse(item.targets[0]) == "__slots__"
    return [item] if isinstance(item, (ast.Assign, ast.AnnAssign)) and not is_slots else []


def _without_body(node: ast.FunctionDef) -> ast.FunctionDef:
    node.body = [ast.Expr(ast.Constant(...))]
    return node


def main(arguments: list[str] | None = None) -> int:
    """Run the command; returns its exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m mlirbc.mlir.stubs", description=(__doc__ or "").partition("\n")[0]
    )
    beside = Path(__file__).parent / "dialects"
    parser.add_argument("-o", "--output", type=Path, default=beside, metavar="FOLDER", help="where to write")
    packs = "a pack or a folder of packs"
    parser.add_argument("--pack", action="append", default=[], metavar="PACK", help=packs)
    parser.add_argument("dialects", nargs="+", metavar="DIALECT", help="modules such as arith and func")
    options = parser.parse_args(arguments)
    try:
        load_packs(options.pack)
        for path in write(options.output, options.dialects):
            print(path)
    except ModuleNotFoundError as error:
        return _fail(f"{error.name} is not a dialect with definitions", 1)
    except (_mlirbc.Error, OSError) as error:
        return _fail(str(error), 3)
    return 0


def load_packs(paths: list[str]) -> None:
    """Use the packs at paths; those of installed packages are in use since the import."""
    from mlirbc import dialects

    for path in paths:
        dialects.load(path)


def _fail(message: str, status: int) -> int:
    print(f"error: stubs: {message}", file=sys.stderr)
    return status


if __name__ == "__main__":
    sys.exit(main())
