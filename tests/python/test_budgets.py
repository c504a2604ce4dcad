"""Every public function that takes input takes a budget.

Each public function that takes bytes, text to parse, or a path takes `limits`, or something that was read
with limits. Otherwise it is listed below with a reason.
"""

import ast
import contextlib
from collections.abc import Iterator
from pathlib import Path

import mlirbc

ROOT = Path(__file__).parent.parent.parent
PACKAGE = ROOT / "python/mlirbc"

WITHOUT = {
    "Attribute.parse": "parses with default limits, which depend on the length of the text",
    "DialectBytecodeWriter.write_blob": "appends what its caller holds",
    "DialectBytecodeWriter.write_resource_handle": "appends what its caller holds",
    "DialectBytecodeWriter.write_rest": "appends what its caller holds",
    "DialectBytecodeWriter.write_string": "appends what its caller holds",
    "DialectTable.from_json": "reads a table that its user wrote, not a file of others",
    "DialectTable.from_toml": "reads a table that its user wrote, not a file of others",
    "LayoutTable.from_json": "reads a table that its user wrote, not a file of others",
    "LayoutTable.from_toml": "reads a table that its user wrote, not a file of others",
    "Location.parse": "parses with default limits, which depend on the length of the text",
    "PropertySchema.from_json": "reads a schema that its user made, not a file of others",
    "StringAttr.get": "keeps what its caller holds",
    "Type.parse": "parses with default limits, which depend on the length of the text",
    "arrays.ml_dtype": "looks a name up",
    "arrays.unpack_bits": "makes an array of the length that its caller asks for",
    "corpus.files": "lists files and reads none",
    "dialects.dialect": "reads a table that its user wrote, not a file of others",
    "dialects.register": "reads a table that its user wrote, not a file of others",
    "dialects.table": "reads a table that its user wrote, not a file of others",
    "layout.register": "reads a table that its user wrote, not a file of others",
    "layout.table": "reads a table that its user wrote, not a file of others",
    "schemas.register": "reads a schema that its user made, not a file of others",
    "schemas.schema": "reads a schema that its user made, not a file of others",
    "testing.damaged": "damages what its caller holds",
    "versions.read_version": "calls what its caller wrote, with what its caller holds",
}
"""Functions that take input and no budget, and why they need none. The list only becomes shorter."""

INPUT = {
    *("Buffer", "PathLike", "Path", "_Path", "bytes", "bytearray", "memoryview"),
    *("IO", "BinaryIO", "TextIO", "_SeekableFile", "_Source", "_Text"),
}
"""Names in the annotations of parameters that are input."""

TEXT = {"text", "asm", "source", "toml", "json", "artifact"}
"""Names of parameters that are input when they are a `str`: other strings are names to look up."""

CARRIERS = {
    *(
        "Limits",
        "Module",
        "Artifact",
        "Bytecode",
        "Columns",
        "Operation",
        "OpView",
        "Region",
        "Block",
        "Value",
    ),
    *(
        "Attribute",
        "Type",
        "Resource",
        "Resources",
        "Weight",
        "Weights",
        "Blob",
        "ModuleMutator",
        "NamedAttribute",
    ),
    *("_TableAccount", "Container", "Exported", "Handle"),
}
"""Classes whose objects were read with limits, which also apply to calls on these objects."""


def names(annotation: ast.expr | None) -> set[str]:
    """The names in an annotation, including names in strings."""
    identifiers: set[str] = set()
    if isinstance(annotation, ast.Subscript) and names(annotation.value) == {"Literal"}:
        return identifiers
    for node in ast.walk(annotation) if annotation is not None else ():
        if isinstance(node, ast.Name):
            identifiers.add(node.id)
        elif isinstance(node, ast.Attribute):
            identifiers.add(node.attr)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            # A word of a `Literal` within the annotation is not one, and may be a keyword.
            with contextlib.suppress(SyntaxError):
                identifiers |= names(ast.parse(node.value, mode="eval").body)
    return identifiers


def is_input(argument: ast.arg) -> bool:
    identifiers = names(argument.annotation)
    return bool(identifiers & INPUT) or ("str" in identifiers and argument.arg in TEXT)


def takes_input_without_budget(function: ast.FunctionDef, owner: ast.ClassDef | None) -> bool:
    arguments = [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]
    if not any(is_input(argument) for argument in arguments):
        return False
    if any(names(argument.annotation) & CARRIERS and not is_input(argument) for argument in arguments):
        return False
    decorators = {name for decorator in function.decorator_list for name in names(decorator)}
    if (
        owner is None
        or decorators & {"staticmethod", "classmethod"}
        or function.name in ("__init__", "__new__")
    ):
        return True
    bases = {owner.name, *(name for base in owner.bases for name in names(base))}
    return not bases & CARRIERS


def functions(tree: ast.Module) -> Iterator[tuple[str, ast.FunctionDef, ast.ClassDef | None]]:
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            yield node.name, node, None
        elif isinstance(node, ast.ClassDef):
            for inner in node.body:
                if isinstance(inner, ast.FunctionDef):
                    yield f"{node.name}.{inner.name}", inner, node


def is_public(name: str, function: ast.FunctionDef) -> bool:
    dunders = ("__init__", "__new__", "__call__")
    return not any(part.startswith("_") and part not in dunders for part in name.split("."))


def without_budget(text: str) -> set[str]:
    tree = ast.parse(text)
    return {
        name
        for name, function, owner in functions(tree)
        if is_public(name, function) and takes_input_without_budget(function, owner)
    }


def exports(path: Path) -> set[tuple[str, str]]:
    """The names that a module offers, with the stems of the modules that have them."""
    tree = ast.parse(path.read_text("utf-8"))
    lists = [
        ast.literal_eval(node.value)
        for node in tree.body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__"
    ]
    return {
        (str(node.module).rpartition(".")[2], alias.name)
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
        if not lists or alias.name in lists[0]
    }


def test_input_comes_with_a_budget() -> None:
    unbudgeted: set[str] = set()
    public = [path for path in PACKAGE.glob("*.py") if not path.stem.startswith("_")]
    exported = exports(PACKAGE / "__init__.py").union(*map(exports, public))
    paths = [PACKAGE / "_mlirbc.pyi", *sorted(PACKAGE.glob("*.py"))]
    assert len(paths) > 30
    for path in paths:
        listed = without_budget(path.read_text("utf-8"))
        if path.stem.startswith("_"):
            # Users see what the package exports of a private module.
            unbudgeted |= {name for name in listed if (path.stem, name.partition(".")[0]) in exported}
        else:
            unbudgeted |= {f"{path.stem}.{name}" for name in listed}
    assert sorted(unbudgeted - WITHOUT.keys()) == [], "these take input and no budget"
    assert sorted(WITHOUT.keys() - unbudgeted) == [], "these need no exception"


def test_a_function_without_a_budget_is_found() -> None:
    text = """
def checked(path: str | os.PathLike[str], *, limits: Limits | None = None): ...
def unchecked(path: str | os.PathLike[str]): ...
def either(module: "Module | bytes"): ...
def carried(module: Module, data: bytes): ...
def parse(text: str): ...
def lookup(name: str): ...
def _private(data: bytes): ...
class Module:
    def save(self, path: Path): ...
    @staticmethod
    def parse(text: str): ...
class Free:
    def __init__(self, data: bytes): ...
    def write(self, data: bytes): ...
"""
    expected = {"unchecked", "either", "parse", "Module.parse", "Free.__init__", "Free.write"}
    assert without_budget(text) == expected


def test_what_a_module_is_asked_for_has_its_limits() -> None:
    limits = mlirbc.Limits(max_text=1)
    module = mlirbc.open(ROOT / "examples/two_layers.mlirbc", limits=limits)
    for method in (
        "ops_table",
        "attributes_table",
        "types_table",
        "symbols_table",
        "resources_table",
        "columns",
    ):
        try:
            getattr(module, method)()
        except mlirbc.LimitError as error:
            assert error.identifier == "mlirbc.limit.text"
        else:
            raise AssertionError(f"{method} is not limited")
