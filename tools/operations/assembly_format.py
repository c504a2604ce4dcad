"""Parses an `assemblyFormat` into nested lists, the form in which `data/operations` holds it.

A literal is a string that begins with a backtick: "`," is a comma, "`" alone the empty literal that drops a
space, "` " a space and "`\\n" a line break. Every other string is a variable (`$name`) or a directive
without arguments (`attr-dict`, `operands`). A list is a directive with arguments; a group is `["group",
elements, anchor, otherwise]`, where the anchor is the index of the element with `^`, or `-1 - index` for one
among the elements of `otherwise`.
"""

import re

TOKEN = re.compile(
    r"\s*(?:(`[^`]*`)|(\$[A-Za-z_]\w*)|([A-Za-z][\w-]*)|(\"(?:[^\"\\]|\\.)*\")|(.))", re.DOTALL
)

# `attr-dict` may be followed by a group, which begins with a parenthesis, too.
WITH_PARAMETERS = {"type", "functional-type", "qualified", "ref"}

Element = str | list


class Parser:
    def __init__(self, text: str) -> None:
        self.tokens = [
            next(group for group in match.groups() if group) for match in TOKEN.finditer(text.strip())
        ]
        self.position = 0

    def next(self) -> str | None:
        return self.tokens[self.position] if self.position < len(self.tokens) else None

    def take(self, expected: str | None = None) -> str:
        token = self.next()
        if token is None or (expected is not None and token != expected):
            raise ValueError(f"expected {expected or 'an element'} in the format, found {token}")
        self.position += 1
        return token

    def elements(self, ends: set[str]) -> tuple[list[Element], int | None]:
        """The elements before one of `ends`, and the index of the one marked with `^`."""
        parsed: list[Element] = []
        anchor = None
        while self.next() is not None and self.next() not in ends:
            parsed.append(self.element())
            if self.next() == "^":
                self.take()
                anchor = len(parsed) - 1
        return parsed, anchor

    def element(self) -> Element:
        token = self.take()
        if token == "(":
            return self.group()
        if token.startswith("`"):
            return "`" + token[1:-1].replace("\\n", "\n")
        if token.startswith("$"):
            return token
        if token == "oilist":
            return self.oilist()
        if token == "custom":
            self.take("<")
            name = self.take()
            self.take(">")
            return ["custom", name, *self.parameters()]
        return [token, *self.parameters()] if token in WITH_PARAMETERS else token

    def parameters(self) -> list[Element]:
        self.take("(")
        parsed: list[Element] = []
        while self.next() != ")":
            token = self.next()
            if token is not None and token.startswith('"'):
                parsed.append(["code", self.take()[1:-1]])
            else:
                parsed.append(self.element())
            if self.next() == ",":
                self.take()
        self.take(")")
        return parsed

    def group(self) -> Element:
        present, anchor = self.elements({")"})
        self.take(")")
        otherwise: list[Element] = []
        if self.next() == ":":
            self.take()
            self.take("(")
            otherwise, second = self.elements({")"})
            self.take(")")
            if second is not None:
                anchor = -1 - second
        self.take("?")
        if anchor is None:
            raise ValueError("a group of the format has no anchor")
        return ["group", present, anchor, *([otherwise] if otherwise else [])]

    def oilist(self) -> Element:
        self.take("(")
        clauses: list[Element] = []
        while True:
            clause, _ = self.elements({"|", ")"})
            clauses.append(clause)
            if self.take() == ")":
                return ["oilist", *clauses]


def parse(text: str) -> list[Element]:
    parser = Parser(text)
    elements, _ = parser.elements(set())
    return elements
