"""The tools of the families: a `File` whose tables grow in constant time, and the registry."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from support.assembler import (
    Argument,
    Block,
    Dialect,
    Entry,
    EntryGroup,
    File,
    Op,
    OpNameGroup,
    Region,
    varint,
    varints,
    zigzag,
)

UNKNOWN = 0
"""The index of the unknown location, which every file has first."""


@dataclass
class Maker(File):
    """A file with the entries that most families need; every method returns the index of the entry that it
    added.
    """

    _strings: dict[bytes, int] = field(default_factory=dict)
    _dialects: dict[str, int] = field(default_factory=dict)
    _op_names: dict[str | tuple[str, str], int] = field(default_factory=dict)
    _entries: dict[tuple[str, bytes], int] = field(default_factory=dict)
    _counts: dict[str, int] = field(default_factory=lambda: {"attribute": 0, "type": 0, "op": 0})

    def __post_init__(self) -> None:
        self.producer = {0: b"MLIR16.0.6", 6: b"MLIR22.1.8"}.get(self.version, b"MLIR19.1.7")
        self.attribute(varints(15))

    # The tables of `File`, without its searches.

    def string(self, value: str | bytes) -> int:
        value = value.encode() if isinstance(value, str) else value
        if value not in self._strings:
            self._strings[value] = len(self.strings.values)
            self.strings.values.append(value)
        return self._strings[value]

    def dialect(self, name: str, version: bytes | None = None) -> int:
        if name not in self._dialects:
            self._dialects[name] = len(self.dialects.dialects)
            self.dialects.dialects.append(Dialect(self.string(name), version))
        return self._dialects[name]

    def op_name(self, full_name: str | tuple[str, str], registered: bool = False) -> int:
        """A pair of dialect and name is for dialects whose names are long."""
        if full_name not in self._op_names:
            if isinstance(full_name, tuple):
                dialect_name, name = full_name
            else:
                dialect_name, _, name = full_name.partition(".")
            dialect, groups = self.dialect(dialect_name), self.dialects.groups
            if not groups or groups[-1].dialect != dialect:
                groups.append(OpNameGroup(dialect))
            groups[-1].names.append((self.string(name), registered))
            self._op_names[full_name] = self._counts["op"]
            self._counts["op"] += 1
        return self._op_names[full_name]

    def _entry(self, groups: list[EntryGroup], dialect: str, entry: Entry) -> int:
        number = self.dialect(dialect)
        if not groups or groups[-1].dialect != number:
            groups.append(EntryGroup(number))
        groups[-1].entries.append(entry)
        kind = "attribute" if groups is self.entries.attributes else "type"
        self._counts[kind] += 1
        return self._counts[kind] - 1

    # Entries of the builtin dialect, equal ones once.

    def builtin(self, payload: bytes) -> int:
        key = ("attribute", payload)
        if key not in self._entries:
            self._entries[key] = self.attribute(payload)
        return self._entries[key]

    def builtin_type(self, payload: bytes) -> int:
        key = ("type", payload)
        if key not in self._entries:
            self._entries[key] = self.type(payload)
        return self._entries[key]

    def integer_type(self, width: int) -> int:
        return self.builtin_type(varints(0, width << 2))

    def i32(self) -> int:
        return self.integer_type(32)

    def f32(self) -> int:
        return self.builtin_type(varints(5))

    def index_type(self) -> int:
        return self.builtin_type(varints(1))

    def text(self, value: str | bytes) -> int:
        """A string attribute."""
        return self.builtin(varints(2, self.string(value)))

    def integer(self, value: int, width: int = 32) -> int:
        return self.builtin(varints(8, self.integer_type(width), zigzag(value)))

    def unit(self) -> int:
        return self.builtin(varints(7))

    def array(self, items: Sequence[int]) -> int:
        return self.attribute(varints(0, len(items), *items))

    def dictionary(self, pairs: Sequence[tuple[str, int]]) -> int:
        """The names are sorted as writers sort them."""
        return self.raw_dictionary([(self.text(name), value) for name, value in sorted(pairs)])

    def raw_dictionary(self, pairs: Sequence[tuple[int, int]]) -> int:
        return self.attribute(varints(1, len(pairs)) + b"".join(varints(*pair) for pair in pairs))

    def symbol(self, name: str) -> int:
        """A reference to a symbol."""
        return self.builtin(varints(4, self.text(name)))

    def tuple(self, items: Sequence[int]) -> int:
        return self.type(varints(15, len(items), *items))

    def tensor(self, shape: Sequence[int], element: int) -> int:
        return self.type(varints(13, len(shape), *map(zigzag, shape)) + varint(element))

    def function_type(self, inputs: Sequence[int] = (), results: Sequence[int] = ()) -> int:
        return self.builtin_type(varints(2, len(inputs), *inputs) + varints(len(results), *results))

    def chain(self, first: int, length: int, link: Callable[[int], bytes]) -> int:
        """`length` attributes, each made of the one before; the answer is the last."""
        for _ in range(length):
            first = self.attribute(link(first))
        return first

    def type_chain(self, first: int, length: int, link: Callable[[int], bytes]) -> int:
        for _ in range(length):
            first = self.type(link(first))
        return first

    # Operations, and the file.

    def op(self, name: str | tuple[str, str] = "t.op", **fields: object) -> Op:
        return Op(self.op_name(name), **fields)  # type: ignore[arg-type]

    def block(self, ops: Sequence[Op], arguments: Sequence[Argument] = (), **fields: object) -> Block:
        return Block(ops, arguments, **fields)  # type: ignore[arg-type]

    def function(self, blocks: Sequence[Block], name: str = "t.function", **fields: object) -> Op:
        """An unregistered operation with one isolated region, so that any number of blocks is fine."""
        return self.op(name, regions=[Region(blocks)], isolated=True, **fields)

    def module_op(self, ops: Sequence[Op], **fields: object) -> Op:
        if self.version >= 5:
            fields.setdefault("properties", self.property(b"\x01\x01"))
        name = self.op_name("builtin.module", True)
        return Op(name, regions=[Region([Block(ops)])], isolated=True, **fields)  # type: ignore[arg-type]

    def module(self, ops: Sequence[Op], **fields: object) -> bytes:
        self.top.append(self.module_op(ops, **fields))
        return self.encode().data

    def with_attributes(self, values: Sequence[int]) -> bytes:
        """A module with one operation for each attribute, which has it as `k`."""
        key = self.text("k")
        return self.module([self.op(attributes=self.raw_dictionary([(key, value)])) for value in values])

    def with_types(self, types: Sequence[int]) -> bytes:
        """A module with one operation for each type, which has a result of that type."""
        return self.module([self.op(results=[kind]) for kind in types])

    def with_locations(self, locations: Sequence[int]) -> bytes:
        return self.module([self.op(location=location) for location in locations])


Build = Callable[[int], bytes]


@dataclass(frozen=True)
class Family:
    """Files of one shape: `build(n)` is about twice as long as `build(n // 2)`."""

    name: str
    base: int
    """The n whose file has some 30 to 100 KB."""
    build: Build
    is_text: bool = False
    """Whether the files are assembly."""
    is_valid: bool = True
    target: str = "llvm-22"
    """The release that a text is for."""
    oracle: str = "accepts"
    """The answer of `mlir-opt` to a text: it `accepts` or `refuses` it, or it `cannot` be asked."""


TEXT_SIZE = 40_000
"""The bytes that a text of a table has at its base."""

FAMILIES: dict[str, Family] = {}


def family(name: str, base: int) -> Callable[[Build], Build]:
    def register(build: Build) -> Build:
        if name in FAMILIES:
            raise ValueError(f"two families are named {name}")
        FAMILIES[name] = Family(name, base, build)
        return build

    return register


def text_family(
    name: str, base: int, *, is_valid: bool = True
) -> Callable[[Callable[[int], str]], Callable[[int], str]]:
    """Registers a family of texts of modules."""

    def register(build: Callable[[int], str]) -> Callable[[int], str]:
        family(name, base)(lambda n: build(n).encode())
        oracle = "accepts" if is_valid else "refuses"
        FAMILIES[name] = replace(FAMILIES[name], is_text=True, is_valid=is_valid, oracle=oracle)
        return build

    return register


def versions(
    name: str, base: int, numbers: Sequence[int] = (0, 4, 6)
) -> Callable[[Callable[[int, int], bytes]], Callable[[int, int], bytes]]:
    """Registers the family once for each bytecode version, which `build` gets as its second parameter."""

    def register(build: Callable[[int, int], bytes]) -> Callable[[int, int], bytes]:
        for number in numbers:
            family(f"{name}.v{number}", base)(lambda n, number=number: build(n, number))  # type: ignore[misc]
        return build

    return register


def add_text(
    name: str,
    build: Callable[[int], str],
    *,
    is_valid: bool = True,
    target: str = "llvm-22",
    oracle: str | None = None,
) -> None:
    """Registers a family of texts with the base at which a text has about `TEXT_SIZE` bytes."""
    if name in FAMILIES:
        raise ValueError(f"two families are named {name}")
    slope = (len(build(128)) - len(build(64))) / 64
    base = max(8, int(TEXT_SIZE / slope))
    oracle = oracle or ("accepts" if is_valid else "refuses")
    FAMILIES[name] = Family(name, base, lambda n: build(n).encode(), True, is_valid, target, oracle)
