"""Reads what `mlir-opt --mlir-print-op-generic` prints into a plain structure, to compare mlirbc with.

It knows the shape of an operation and nothing about any dialect: attributes, types and locations stay text,
cut out by matching brackets and strings. It also reads the comments of `--mlir-print-value-users`: the users
of each value in the order of its use list; one that uses a value twice is listed once, where its first use
is. It keeps its own stack, so nesting is limited by memory only.

`parse` wants text printed with `--mlir-print-local-scope`, which has no aliases but leaves the resources out;
print once more without that flag and give the text to `parse_resources`.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field


class GenericTextError(ValueError):
    """The text does not have the known form of the printer."""


@dataclass(frozen=True, slots=True)
class TextValue:
    """A result of an operation or an argument of a block, by identity of its owner."""

    owner: "Operation | Block"
    number: int

    @property
    def type(self) -> str:
        if isinstance(self.owner, Operation):
            return self.owner.result_types[self.number]
        return self.owner.arguments[self.number].type

    @property
    def users(self) -> "list[Operation] | None":
        """Distinct users, first to last in the use list; nothing when the text does not tell."""
        if isinstance(self.owner, Operation):
            return self.owner.result_users[self.number]
        return self.owner.argument_users[self.number]


@dataclass(slots=True)
class Argument:
    """A block argument as printed."""

    type: str
    location: str | None


@dataclass(eq=False, slots=True)
class Block:
    """A block of a region; `number` is its position there."""

    region: "Region"
    number: int
    arguments: list[Argument] = field(default_factory=list)
    operations: "list[Operation]" = field(default_factory=list)
    argument_users: "list[list[Operation] | None]" = field(default_factory=list)

    def __repr__(self) -> str:
        return f"<block {self.number} of {self.region!r}>"


@dataclass(eq=False, slots=True)
class Region:
    """A region of an operation; `number` is its position there."""

    owner: "Operation"
    number: int
    blocks: list[Block] = field(default_factory=list)

    def __repr__(self) -> str:
        return f"<region {self.number} of {self.owner!r}>"


@dataclass(eq=False, slots=True)
class Operation:
    """An operation; `number` counts all operations of the text in the order they begin."""

    name: str
    number: int
    operands: list[TextValue] = field(default_factory=list)
    successors: list[int] = field(default_factory=list)
    properties: str | None = None
    regions: list[Region] = field(default_factory=list)
    attributes: str | None = None
    operand_types: list[str] = field(default_factory=list)
    result_types: list[str] = field(default_factory=list)
    location: str | None = None
    result_users: "list[list[Operation] | None]" = field(default_factory=list)

    def __repr__(self) -> str:
        return f"<{self.name} #{self.number}>"


@dataclass(frozen=True, slots=True)
class Resource:
    """An entry of the trailer. `alignment` is set for blobs, `value` is absent for an entry without data."""

    group: str
    key: str
    is_external: bool
    value: bytes | bool | str | None
    alignment: int | None = None

    @property
    def kind(self) -> str:
        if isinstance(self.value, bool):
            return "bool"
        return "string" if isinstance(self.value, str) else "blob"


@dataclass(slots=True)
class Text:
    """The operations of one printed module."""

    operations: list[Operation]

    def walk(self) -> Iterator[Operation]:
        """All operations, outer before inner, in the order they are printed."""
        stack = list(reversed(self.operations))
        while stack:
            op = stack.pop()
            yield op
            inner = [o for region in op.regions for block in region.blocks for o in block.operations]
            stack.extend(reversed(inner))


_SPACE = re.compile(r"\s*")
_BLANK = re.compile(r"[ \t]*")
_STRING = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"', re.DOTALL)
_ESCAPE = re.compile(rb"\\([0-9A-Fa-f]{2}|.)", re.DOTALL)
_NAME = re.compile(r"%([\w$.\-]+)")
_USE = re.compile(r"%([\w$.\-]+)(?:#(\d+))?")
_DEFINITION = re.compile(r"%([\w$.\-]+)(?::(\d+))?")
_LABEL = re.compile(r"\^([\w$.\-]+)")
_NESTING = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|->|>=|[<>(){}\[\]]', re.DOTALL)
_TYPE_STOP = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|->|>=|[<>(){}\[\],\s]', re.DOTALL)
_USERS = re.compile(r"// (?:users?: (?P<users>.*)|id: %(?P<id>[\w$.\-]+)|(?P<unused>unused))")
_ARGUMENT_USERS = re.compile(r"// %([\w$.\-]+) (?:is used by (.*)|is unused)")
_KEY = re.compile(r"[\w$.\-]+")
_OPENING = {"<": ">", "(": ")", "{": "}", "[": "]"}


def unescape(literal: str) -> bytes:
    """The bytes of a printed string, without its quotes."""
    short = {b"n": b"\n", b"t": b"\t"}

    def decode_escape(match: re.Match[bytes]) -> bytes:
        text = match.group(1)
        return bytes.fromhex(text.decode()) if len(text) == 2 else short.get(text, text)

    return _ESCAPE.sub(decode_escape, literal[1:-1].encode("utf-8", "surrogateescape"))


def split(text: str) -> list[str]:
    """The parts of a list between commas that stand outside of any bracket or string."""
    parts: list[str] = []
    depth = start = 0
    for match in _TYPE_STOP.finditer(text):
        token = match.group()
        if token in _OPENING:
            depth += 1
        elif token in ")]}>":
            depth -= 1
        elif token == "," and depth == 0:
            parts.append(text[start : match.start()].strip())
            start = match.end()
    last = text[start:].strip()
    return [*parts, last] if last or parts else []


def dictionary(text: str) -> dict[str, str]:
    """The entries of a printed attribute dictionary, values as text; a unit attribute has an empty one."""
    entries: dict[str, str] = {}
    for part in split(text.strip()[1:-1]):
        quoted = _STRING.match(part)
        end = quoted.end() if quoted else len(re.split(r"[ =]", part, maxsplit=1)[0])
        name = unescape(part[:end]).decode("utf-8", "surrogateescape") if quoted else part[:end]
        entries[name] = part[end:].strip().removeprefix("=").strip()
    return entries


@dataclass(slots=True)
class _Scope:
    """Names of one region, and the operands read there whose name is not known yet."""

    region: Region | None
    names: dict[str, list[TextValue]] = field(default_factory=dict)
    pending: list[tuple[Operation, int, str, int]] = field(default_factory=list)
    labels: dict[str, int] = field(default_factory=dict)
    branches: list[tuple[Operation, list[str]]] = field(default_factory=list)


class _Reader:
    def __init__(self, text: str, unique_names: bool) -> None:
        self.text = text
        self.at = 0
        self.count = 0
        self.unique_names = unique_names
        self.top: list[Operation] = []
        self.scopes = [_Scope(None)]
        self.open: list[tuple[Operation, list[tuple[str, int]]]] = []
        self.users: list[tuple[TextValue, str]] = []
        self.owners: dict[str, Operation] = {}
        self.placeholder = TextValue(Operation("", -1), 0)

    # Small steps.

    def fail(self, expected: str) -> GenericTextError:
        line = self.text.count("\n", 0, self.at) + 1
        following = self.text[self.at : self.at + 40]
        return GenericTextError(f"expected {expected} on line {line}, found `{following}`")

    def space(self) -> None:
        self.at = _match(_SPACE, self.text, self.at).end()

    def blank(self) -> None:
        self.at = _match(_BLANK, self.text, self.at).end()

    def take(self, token: str) -> bool:
        if self.text.startswith(token, self.at):
            self.at += len(token)
            return True
        return False

    def expect(self, token: str) -> None:
        if not self.take(token):
            raise self.fail(f"`{token}`")

    def scan(self, pattern: re.Pattern[str], expected: str) -> re.Match[str]:
        match = pattern.match(self.text, self.at)
        if match is None:
            raise self.fail(expected)
        self.at = match.end()
        return match

    def balanced(self) -> str:
        """The text from the bracket here to its counterpart, both included."""
        start = self.at
        closing: list[str] = []
        for match in _NESTING.finditer(self.text, start):
            token = match.group()
            if token in _OPENING:
                closing.append(_OPENING[token])
            elif token in (")", "]", "}", ">"):
                if not closing or closing.pop() != token:
                    self.at = match.start()
                    raise self.fail("another closing bracket")
                if not closing:
                    self.at = match.end()
                    return self.text[start : self.at]
        raise self.fail("a closing bracket")

    def type(self) -> str:
        """A type, up to a comma, bracket or blank outside of its own brackets."""
        start = self.at
        depth = 0
        for match in _TYPE_STOP.finditer(self.text, start):
            token = match.group()
            if token in _OPENING:
                depth += 1
            elif depth == 0 and (token.isspace() or token in (",", ")", "]", "}", ">")):
                self.at = match.start()
                break
            elif token in (")", "]", "}", ">"):
                depth -= 1
        else:
            self.at = len(self.text)
        if self.at == start:
            raise self.fail("a type")
        return self.text[start : self.at]

    def location(self) -> str | None:
        self.blank()
        if not self.text.startswith("loc(", self.at):
            return None
        self.at += len("loc")
        return self.balanced()[1:-1]

    def comment(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """A comment that the pattern matches on the rest of this line."""
        self.blank()
        match = pattern.match(self.text, self.at)
        if match is not None:
            self.at = match.end()
        return match

    def rest_of_line(self) -> None:
        end = self.text.find("\n", self.at)
        self.at = len(self.text) if end < 0 else end

    # Structure.

    def read(self) -> Text:
        while True:
            self.space()
            if self.at == len(self.text):
                break
            if self.text.startswith("//", self.at):
                self.rest_of_line()
            elif self.text.startswith(("#", "!"), self.at):
                raise self.fail("text printed with --mlir-print-local-scope, without aliases")
            elif self.take("}"):
                self.end_region()
            elif self.text.startswith("^", self.at):
                self.block()
            else:
                self.operation()
        if self.open:
            raise self.fail("the end of a region")
        self.close_scope(self.scopes.pop())
        if self.unique_names:
            self.resolve_users()
        return Text(self.top)

    def operation(self) -> None:
        names: list[tuple[str, int]] = []
        if self.text.startswith("%", self.at):
            while True:
                match = self.scan(_DEFINITION, "a result name")
                names.append((match.group(1), int(match.group(2) or 1)))
                if not self.take(", "):
                    break
            self.expect(" = ")
        name = unescape(self.scan(_STRING, "an operation name").group()).decode("utf-8", "surrogateescape")
        op = Operation(name, self.count)
        self.count += 1
        self.current_operations().append(op)
        scope = self.scopes[-1]
        self.expect("(")
        for number, part in enumerate(split(self.until_closed())):
            use = _USE.fullmatch(part)
            if use is None:
                raise self.fail(f"an operand instead of `{part}`")
            op.operands.append(self.placeholder)
            scope.pending.append((op, number, use.group(1), int(use.group(2) or 0)))
        if self.take("["):
            labels = [label.removeprefix("^") for label in split(self.until_closed("["))]
            op.successors = [-1] * len(labels)
            scope.branches.append((op, labels))
        # Mostly a dictionary, but of an op that its reader does not know any attribute.
        if self.take(" <"):
            self.at -= len("<")
            op.properties = self.balanced()[1:-1]
        self.open.append((op, names))
        if self.take(" ({"):
            self.begin_region()
        else:
            self.end_operation()

    def until_closed(self, opening: str = "(") -> str:
        self.at -= len(opening)
        return self.balanced()[1:-1]

    def current_operations(self) -> list[Operation]:
        region = self.scopes[-1].region
        if region is None:
            return self.top
        if not region.blocks:
            region.blocks.append(Block(region, 0))
        return region.blocks[-1].operations

    def begin_region(self) -> None:
        op, _ = self.open[-1]
        region = Region(op, len(op.regions))
        op.regions.append(region)
        self.scopes.append(_Scope(region))

    def end_region(self) -> None:
        if not self.open:
            raise self.fail("an operation")
        self.close_scope(self.scopes.pop())
        if self.take(", {"):
            self.begin_region()
        else:
            self.expect(")")
            self.end_operation()

    def end_operation(self) -> None:
        op, names = self.open.pop()
        if self.take(" {"):
            self.at -= len("{")
            op.attributes = self.balanced()
        self.expect(" : ")
        if not self.text.startswith("(", self.at):
            raise self.fail("operand types")
        op.operand_types = split(self.balanced()[1:-1])
        self.expect(" -> ")
        if self.text.startswith("(", self.at):
            op.result_types = split(self.balanced()[1:-1])
        else:
            op.result_types = [self.type()]
        op.location = self.location()
        if len(op.operands) != len(op.operand_types):
            raise self.fail(f"{len(op.operands)} operand types of `{op.name}`")
        op.result_users = [None] * len(op.result_types)
        self.define(op, names)
        self.user_comment(op)

    def define(self, op: Operation, names: list[tuple[str, int]]) -> None:
        scope = self.scopes[-1]
        number = 0
        for name, count in names:
            scope.names[name] = [TextValue(op, number + i) for i in range(count)]
            self.name_owner(name, op)
            number += count
        if number != len(op.result_types):
            raise self.fail(f"{len(op.result_types)} result names of `{op.name}`")

    def block(self) -> None:
        scope = self.scopes[-1]
        region = scope.region
        if region is None:
            raise self.fail("an operation")
        label = self.scan(_LABEL, "a block label").group(1)
        block = Block(region, len(region.blocks))
        region.blocks.append(block)
        scope.labels[label] = block.number
        if self.take("("):
            self.arguments(block, scope)
        self.expect(":")
        self.rest_of_line()
        for _ in block.arguments:
            self.space()
            match = self.comment(_ARGUMENT_USERS)
            if match is None:
                break
            value = scope.names[match.group(1)][0]
            self.users.append((value, match.group(2) or ""))

    def arguments(self, block: Block, scope: _Scope) -> None:
        while True:
            name = self.scan(_NAME, "an argument name").group(1)
            self.expect(": ")
            # A function type may stand alone here, with blanks of its own.
            type = self.type()
            while self.take(" -> "):
                type += " -> " + self.type()
            scope.names[name] = [TextValue(block, len(block.arguments))]
            block.arguments.append(Argument(type, self.location()))
            block.argument_users.append(None)
            if not self.take(", "):
                break
        self.expect(")")

    def close_scope(self, scope: _Scope) -> None:
        """Ties operands to the values that they name; names without a value in this region belong further
        out.
        """
        for op, number, name, result in scope.pending:
            values = scope.names.get(name)
            if values is not None:
                op.operands[number] = values[result]
            elif self.scopes:
                self.scopes[-1].pending.append((op, number, name, result))
            else:
                raise GenericTextError(f"`%{name}`, used by `{op.name}`, is not defined")
        for op, labels in scope.branches:
            op.successors = [scope.labels[label] for label in labels]

    # Comments about users.

    def name_owner(self, name: str, op: Operation) -> None:
        if self.unique_names and self.owners.setdefault(name, op) is not op:
            raise GenericTextError(f"`%{name}` is not unique")

    def user_comment(self, op: Operation) -> None:
        match = self.comment(_USERS)
        if match is None:
            return
        if match.group("id") is not None:
            self.name_owner(match.group("id"), op)
        elif match.group("unused") is not None:
            self.users.extend((TextValue(op, number), "") for number in range(len(op.result_types)))
        elif len(op.result_types) == 1:
            self.users.append((TextValue(op, 0), match.group("users")))
        else:
            lists = split(match.group("users"))
            if len(lists) != len(op.result_types):
                raise self.fail("one list of users for each result")
            self.users.extend((TextValue(op, number), part[1:-1]) for number, part in enumerate(lists))

    def resolve_users(self) -> None:
        for value, text in self.users:
            users = dict.fromkeys(self.owners[match.group(1)] for match in _NAME.finditer(text))
            if isinstance(value.owner, Operation):
                value.owner.result_users[value.number] = list(users)
            else:
                value.owner.argument_users[value.number] = list(users)

    # The resource trailer.

    def trailer(self) -> list[Resource]:
        self.expect("{-#")
        resources: list[Resource] = []
        while True:
            self.space()
            if self.take("#-}"):
                return resources
            kind = self.scan(_KEY, "a kind of metadata").group()
            for group in self.members():
                for key in self.members():
                    resources.append(self.resource(group, key, kind == "external_resources"))
            self.take(",")

    def members(self) -> Iterator[str]:
        """Stops after each `key:` of the braces here, for the caller to read what follows."""
        self.space()
        self.expect(":")
        self.space()
        self.expect("{")
        while True:
            self.space()
            if self.take("}"):
                return
            if self.text.startswith('"', self.at):
                key = unescape(self.scan(_STRING, "a key").group()).decode("utf-8", "surrogateescape")
            else:
                key = self.scan(_KEY, "a key").group()
            yield key
            self.space()
            self.take(",")

    def resource(self, group: str, key: str, is_external: bool) -> Resource:
        self.space()
        self.expect(":")
        self.space()
        if self.take("true"):
            return Resource(group, key, is_external, True)
        if self.take("false"):
            return Resource(group, key, is_external, False)
        literal = self.scan(_STRING, "a resource value").group()
        if literal.startswith('"0x'):
            data = bytes.fromhex(literal[3:-1])
            return Resource(group, key, is_external, data[4:], int.from_bytes(data[:4], "little"))
        return Resource(group, key, is_external, unescape(literal).decode("utf-8", "surrogateescape"))


def _match(pattern: re.Pattern[str], text: str, at: int) -> re.Match[str]:
    match = pattern.match(text, at)
    assert match is not None, "the pattern matches the empty text"
    return match


def parse(text: str | bytes, *, unique_names: bool = False) -> Text:
    """Reads a printed module; with `unique_names` (printed so) the users of each value are known, too."""
    return _Reader(_decoded(text), unique_names).read()


def parse_resources(text: str | bytes) -> list[Resource]:
    """Reads the `{-# ... #-}` trailer after any other text."""
    text = _decoded(text)
    # Line ends inside of strings are escaped, so this is the trailer and nothing else.
    start = text.rfind("\n{-#\n")
    return [] if start < 0 else _Reader(text[start + 1 :], False).trailer()


def _decoded(text: str | bytes) -> str:
    return text.decode("utf-8", "surrogateescape") if isinstance(text, bytes) else text
