"""Splits a test file of MLIR's bindings into its functions, so that each runs alone."""

import ast
import re
from dataclasses import dataclass
from pathlib import Path

from bindings.filecheck import Directive, directives

_PREFIX = re.compile(r"(?<![\w.\"'<])mlir\.(?=ir\b|dialects\b|extras\b|passmanager\b|rewrite\b|_mlir_libs\b)")


@dataclass(frozen=True)
class Case:
    """A test function: its file, its name, the source that runs it alone, and the expected output."""

    file: str
    name: str
    source: str
    expected: tuple[Directive, ...]


def _is_run(node: ast.expr) -> bool:
    """Whether a decorator or a called function runs a test: `run`, `constructAndPrintInModule` and so on."""
    return isinstance(node, ast.Name) and (node.id == "run" or node.id.startswith(("construct", "run_")))


def _run_by_decorator(node: ast.stmt) -> bool:
    return isinstance(node, ast.FunctionDef) and any(_is_run(item) for item in node.decorator_list)


def _run_by_call(node: ast.stmt) -> str | None:
    match node:
        case ast.Expr(value=ast.Call(func=function, args=[ast.Name(id=name)])) if _is_run(function):
            return name
    return None


def with_prefix(source: str, prefix: str) -> str:
    """The source with imports of `mlir.…` from `prefix`."""
    source = re.sub(r"(?m)^(\s*)from mlir import", rf"\1from {prefix} import", source)
    return _PREFIX.sub(f"{prefix}.", source)


def _blank(lines: list[str], first: int, last: int) -> None:
    """Empties lines, counted from 1: the line numbers of the others stay."""
    for number in range(first - 1, last):
        lines[number] = ""


def _first_line(node: ast.stmt) -> int:
    decorators = node.decorator_list if isinstance(node, ast.FunctionDef) else []
    return min([node.lineno, *(decorator.lineno for decorator in decorators)])


def cases(path: Path, prefix: str) -> list[Case]:
    """The test functions of a file, in order. A file without any is one case."""
    text = path.read_text("utf-8")
    body = ast.parse(text).body
    calls = {name for node in body if (name := _run_by_call(node))}
    tests: list[ast.FunctionDef] = []
    for node in body:
        if isinstance(node, ast.FunctionDef) and (_run_by_decorator(node) or node.name in calls):
            tests.append(node)
    if not tests:
        return [Case(path.name, path.stem, with_prefix(text, prefix), tuple(directives(text)))]
    expected = _expected(text, tests)
    return [
        _case(path, prefix, text, body, test, tests, lines)
        for test, lines in zip(tests, expected, strict=True)
    ]


def _expected(text: str, tests: list[ast.FunctionDef]) -> list[tuple[Directive, ...]]:
    """The expectations of each test: those in its body, and the comments around it that are about it.

    Comments between two tests belong to the test that a label names, else to the one before if the file has
    comments after its last test, else to the one after.
    """
    lines = text.split("\n")
    last = tests[-1].end_lineno or 0
    follows = any(re.match(r"#.*CHECK", line) for line in lines[last:])
    owners = [-1] * len(lines)
    for place, test in enumerate(tests):
        first, end = _first_line(test), test.end_lineno or 0
        owners[first - 1 : end] = [place] * (end - first + 1)
        is_last = place + 1 == len(tests)
        limit = len(lines) if is_last else _first_line(tests[place + 1]) - 1
        after = place if follows or is_last else place + 1
        _assign(lines, owners, range(end, limit), (place, after), tests)
    _assign(lines, owners, range(_first_line(tests[0]) - 1), (0, 0), tests)
    return [
        tuple(
            directives(
                "\n".join(line if owner == place else "" for line, owner in zip(lines, owners, strict=True))
            )
        )
        for place in range(len(tests))
    ]


def _assign(
    lines: list[str], owners: list[int], gap: range, around: tuple[int, int], tests: list[ast.FunctionDef]
) -> None:
    """Gives the lines of a gap to tests: indented comments still belong to the body of the test before."""
    before, owner = around
    names = {test.name: place for place, test in enumerate(tests)}
    for number in gap:
        label = re.search(r"CHECK-LABEL: (?:TEST: )?(\w+)\s*$", lines[number])
        is_body = lines[number].startswith(" ")
        if label and label[1] in names and not is_body and tests[owner].name != label[1]:
            owner = names[label[1]]
        owners[number] = before if is_body else owner


def _case(
    path: Path,
    prefix: str,
    text: str,
    body: list[ast.stmt],
    test: ast.FunctionDef,
    tests: list[ast.FunctionDef],
    expected: tuple[Directive, ...],
) -> Case:
    lines = text.split("\n")
    for node in body:
        name = _run_by_call(node)
        is_other = isinstance(node, ast.FunctionDef) and node in tests and node is not test
        if is_other or (name is not None and name != test.name):
            _blank(lines, _first_line(node), node.end_lineno or 0)
    source = with_prefix("\n".join(lines), prefix)
    return Case(path.name, test.name, source, expected)
