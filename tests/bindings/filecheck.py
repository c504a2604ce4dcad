"""The part of LLVM's FileCheck that MLIR's Python tests use.

Directives: CHECK, CHECK-LABEL, -NEXT, -SAME, -NOT, -DAG, -EMPTY and -COUNT-<n>, with
`{{regular expressions}}` and `[[VARIABLES:.*]]`. Runs of spaces and tabs count as one space, as in FileCheck
without `--strict-whitespace`.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

_DIRECTIVE = re.compile(
    r"(?<![A-Za-z0-9_-])CHECK(?:-(LABEL|NEXT|SAME|NOT|DAG|EMPTY|COUNT-\d+))?(?:\{LITERAL\})?:[ \t]?(.*)"
)
_PART = re.compile(r"\{\{(.*?)\}\}(?!\})|\[\[(\$?\w+):((?:[^\[\]]|\[[^\]]*\])*?)\]\]|\[\[(\$?\w+)\]\]")


@dataclass(frozen=True)
class Directive:
    """A line of expectations: its kind (`CHECK`, `NEXT` and so on), its pattern, and its line number."""

    kind: str
    pattern: str
    line: int


class Mismatch(Exception):
    """The output does not fit a directive."""


def directives(text: str, first_line: int = 1) -> list[Directive]:
    """Finds the directives of a text."""
    lines = []
    for number, line in enumerate(text.split("\n"), first_line):
        match = _DIRECTIVE.search(line)
        if match:
            lines.append(Directive(match[1] or "CHECK", match[2].strip(), number))
    return lines


def _normalised(text: str) -> str:
    return "\n".join(re.sub(r"[ \t]+", " ", line) for line in text.split("\n"))


def _expression(pattern: str, variables: dict[str, str]) -> tuple[re.Pattern[str], list[tuple[str, str]]]:
    """Compiles a pattern; the second value has the groups and the variables that these set."""
    parts: list[str] = []
    groups: list[tuple[str, str]] = []
    place = 0
    for match in _PART.finditer(pattern):
        parts.append(re.escape(re.sub(r"[ \t]+", " ", pattern[place : match.start()])))
        place = match.end()
        raw, name, definition, use = match.groups()
        if raw is not None:
            parts.append(f"(?:{raw})")
        elif name is not None:
            group = f"variable{len(groups)}"
            parts.append(f"(?P<{group}>{definition})")
            groups.append((group, name))
        else:
            parts.append(_use(use, groups, variables))
    parts.append(re.escape(re.sub(r"[ \t]+", " ", pattern[place:])))
    return re.compile("".join(parts), re.MULTILINE), groups


def _use(name: str, groups: list[tuple[str, str]], variables: dict[str, str]) -> str:
    for group, defined in reversed(groups):
        if defined == name:
            return f"(?P={group})"
    if name not in variables:
        raise Mismatch(f"the variable {name} is not defined")
    return re.escape(variables[name])


class _Checker:
    def __init__(self, output: str) -> None:
        self.output = _normalised(output)
        self.variables: dict[str, str] = {}
        self.place = 0
        self.forbidden: list[Directive] = []
        # A group of CHECK-DAG: where it began, and the ranges that it has taken.
        self.unordered: list[tuple[int, int]] = []
        self.unordered_from = 0

    def find(self, directive: Directive, start: int) -> re.Match[str]:
        expression, groups = _expression(directive.pattern, self.variables)
        match = expression.search(self.output, start)
        if match is None:
            raise Mismatch(f"line {directive.line}: expected `{directive.pattern}`")
        for group, name in groups:
            self.variables[name] = match[group]
        return match

    def end_unordered(self) -> None:
        if self.unordered:
            self.place = max(end for _, end in self.unordered)
            self.unordered = []

    def check_forbidden(self, start: int, end: int) -> None:
        for directive in self.forbidden:
            expression, _ = _expression(directive.pattern, self.variables)
            if expression.search(self.output, start, end):
                raise Mismatch(f"line {directive.line}: unexpected `{directive.pattern}`")
        self.forbidden = []

    def ordered(self, directive: Directive) -> None:
        self.end_unordered()
        start = self.place
        match = self.find(directive, start)
        newlines = self.output.count("\n", start, match.start())
        if directive.kind == "NEXT" and newlines != 1:
            raise Mismatch(f"line {directive.line}: `{directive.pattern}` is not on the next line")
        if directive.kind == "SAME" and newlines != 0:
            raise Mismatch(f"line {directive.line}: `{directive.pattern}` is not on the same line")
        self.check_forbidden(start, match.start())
        self.place = match.end()

    def in_any_order(self, directive: Directive) -> None:
        if not self.unordered:
            self.unordered_from = self.place
        start = self.unordered_from
        while True:
            match = self.find(directive, start)
            if all(match.end() <= begin or end <= match.start() for begin, end in self.unordered):
                break
            start = match.start() + 1
        self.unordered.append(match.span())

    def empty(self, directive: Directive) -> None:
        self.end_unordered()
        end = self.output.find("\n", self.place)
        if end < 0 or not self.output.startswith("\n", end + 1):
            raise Mismatch(f"line {directive.line}: the next line is not empty")
        self.place = end + 1

    def check(self, directive: Directive) -> None:
        if directive.kind == "NOT":
            self.end_unordered()
            self.forbidden.append(directive)
        elif directive.kind == "DAG":
            self.in_any_order(directive)
        elif directive.kind == "EMPTY":
            self.empty(directive)
        elif directive.kind.startswith("COUNT-"):
            for _ in range(int(directive.kind.removeprefix("COUNT-"))):
                self.ordered(directive)
        else:
            self.ordered(directive)


def check(output: str, expected: Sequence[Directive]) -> None:
    """Compares an output with directives. Raises `Mismatch` at the first one that it does not fit."""
    checker = _Checker(output)
    for directive in expected:
        checker.check(directive)
    checker.end_unordered()
    checker.check_forbidden(checker.place, len(checker.output))
