"""The stub lists exactly the names of the extension module; annotations are precise."""

import ast
import builtins
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import mlirbc
import pytest

HERE = Path(__file__).parent


def test_the_stub_and_the_module_agree(tmp_path: Path) -> None:
    pytest.importorskip("mypy.stubtest")
    command = [sys.executable, "-m", "mypy.stubtest", "mlirbc", "--ignore-missing-stub"]
    command += ["--mypy-config-file", str(HERE.parent.parent / "pyproject.toml")]
    command += ["--allowlist", str(HERE / "stubtest_allowlist.txt"), "--ignore-unused-allowlist"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_package_is_marked_as_typed() -> None:
    assert (Path(mlirbc.__file__).parent / "py.typed").exists()


def test_every_public_name_is_there_and_documented() -> None:
    for name in [*mlirbc.__all__, "hash", "open"]:
        thing = getattr(mlirbc, name)
        if name != "__version__":
            assert thing.__doc__, f"{name} has no docstring"


def test_importing_everything_hides_no_builtin_function() -> None:
    names: dict[str, object] = {}
    exec("from mlirbc import *", names)
    assert [name for name in names if hasattr(builtins, name)] == []
    assert mlirbc.open is not open
    assert mlirbc.hash is not hash


def _annotations(tree: ast.AST) -> Iterator[tuple[str, ast.expr]]:
    """The annotations of functions and variables, and type aliases, each with the name that it is for."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            arguments = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
            arguments += [argument for argument in (node.args.vararg, node.args.kwarg) if argument]
            annotations = [node.returns, *(argument.annotation for argument in arguments)]
            yield from ((node.name, annotation) for annotation in annotations if annotation)
        elif isinstance(node, ast.AnnAssign):
            yield ast.unparse(node.target), node.annotation
            if ast.unparse(node.annotation).endswith("TypeAlias") and node.value:
                yield ast.unparse(node.target), node.value


def _mentions_any(annotation: ast.AST) -> bool:
    match annotation:
        case ast.Name(id="Any") | ast.Attribute(attr="Any"):
            return True
        case ast.Subscript(value=ast.Name(id="Literal")):
            return False  # Its strings are values, not annotations.
        case ast.Constant(value=str(text)):
            return _mentions_any(ast.parse(text, mode="eval"))
    return any(_mentions_any(part) for part in ast.iter_child_nodes(annotation))


def _names_with_any(text: str) -> list[str]:
    return [name for name, annotation in _annotations(ast.parse(text)) if _mentions_any(annotation)]


FILES = sorted(file for file in Path(mlirbc.__file__).parent.glob("*.py*") if file.suffix in (".py", ".pyi"))


@pytest.mark.parametrize("file", FILES, ids=[file.name for file in FILES])
def test_no_annotation_is_any(file: Path) -> None:
    assert _names_with_any(file.read_text("utf-8")) == []


def test_every_form_of_any_is_found() -> None:
    planted = """
def f(a: Any, /, *b: list[Any], c: "dict[str, Any]", **d: object) -> typing.Any: ...
A: TypeAlias = list[Any]
class C:
    hook: Callable[[Any], bytes] | None = None
    mode: Literal["Any", "append-only"]
"""
    assert _names_with_any(planted) == ["f", "f", "f", "f", "A", "hook"]
