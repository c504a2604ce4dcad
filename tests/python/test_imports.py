"""The files of the package do not import one another in a circle."""

import ast
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import mlirbc

PACKAGE = Path(mlirbc.__file__).parent


def imports(text: str, modules: set[str]) -> set[str]:
    """The modules of the package that a file imports, at its top or in a function.

    Imports for type checkers do not count: nothing runs them.
    """
    imported: set[str] = set()
    nodes: list[ast.AST] = [ast.parse(text)]
    while nodes:
        node = nodes.pop()
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            nodes += node.orelse
            continue
        nodes += ast.iter_child_nodes(node)
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            names = [f"{node.module}.{alias.name}" for alias in node.names] + [node.module or ""]
        imported |= {name.split(".")[1] for name in names if name.startswith("mlirbc.")} & modules
    return imported


def circle(files: dict[str, str]) -> list[str] | None:
    """Modules that import one another, the first one again at the end."""
    graph = {name: imports(text, set(files)) for name, text in files.items()}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        members: list[str] = error.args[1]
        return members
    return None


def sources() -> dict[str, str]:
    return {path.stem: path.read_text("utf-8") for path in PACKAGE.glob("*.py") if path.stem != "__init__"}


def test_imports_form_no_circle() -> None:
    assert len(sources()) > 15
    assert circle(sources()) is None


def test_a_circle_is_found() -> None:
    files = sources()
    files["arrays"] += "\ndef late():\n    from mlirbc._numbers import _Numbers\n"
    assert set(circle(files) or []) == {"_numbers", "arrays"}
