"""Damages bytecode files on purpose, by kind of damage, so that the refusals of readers can be compared.

A file is taken apart into its sections, one thing is changed, and the sections are put together again with
lengths that fit, unless the damage is to bytes as they stand. Everything is drawn from a `random.Random`, so
that a seed names a file.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from support.assembler import MAGIC, PADDING, SectionId, varint

ALIGNED = 0x80


class Undamaged(Exception):
    """The file has nothing of the kind that was to be damaged."""


class Cursor:
    """Reads numbers of well-formed bytes."""

    def __init__(self, data: bytes, at: int = 0) -> None:
        self.data = data
        self.at = at

    def byte(self) -> int:
        self.at += 1
        return self.data[self.at - 1]

    def varint(self) -> int:
        first = self.byte()
        if first == 0:
            self.at += 8
            return int.from_bytes(self.data[self.at - 8 : self.at], "little")
        size = (first & -first).bit_length()
        self.at += size - 1
        return int.from_bytes(self.data[self.at - size : self.at], "little") >> size

    @property
    def is_at_end(self) -> bool:
        return self.at >= len(self.data)


@dataclass
class Section:
    id: int
    alignment: int | None
    data: bytes
    start: int = 0
    """Where the data stood in the file that was taken apart."""


@dataclass(frozen=True)
class Number:
    """A varint of a section: its position, its value, and its role."""

    start: int
    end: int
    value: int
    role: str


class File:
    """A bytecode file in parts."""

    def __init__(self, data: bytes) -> None:
        cursor = Cursor(data, len(MAGIC))
        self.version = cursor.varint()
        cursor.at = data.index(0, cursor.at) + 1
        self.head = data[: cursor.at]
        self.sections: list[Section] = []
        while not cursor.is_at_end:
            kind, size = cursor.byte(), cursor.varint()
            alignment = None
            if kind & ALIGNED:
                alignment = cursor.varint()
                cursor.at += -cursor.at % alignment
            body = data[cursor.at : cursor.at + size]
            self.sections.append(Section(kind & ~ALIGNED, alignment, body, cursor.at))
            cursor.at += size

    def encode(self) -> bytes:
        out = bytearray(self.head)
        for section in self.sections:
            out.append(section.id | (0 if section.alignment is None else ALIGNED))
            out += varint(len(section.data))
            if section.alignment is not None:
                out += varint(section.alignment)
                out += bytes([PADDING]) * (-len(out) % section.alignment)
            section.start = len(out)
            out += section.data
        return bytes(out)

    def section(self, kind: SectionId) -> Section:
        for section in self.sections:
            if section.id == kind and section.data:
                return section
        raise Undamaged

    def replace(self, kind: SectionId, start: int, end: int, data: bytes) -> None:
        section = self.section(kind)
        section.data = section.data[:start] + data + section.data[end:]


# The contents of the sections.


def strings(file: File) -> list[tuple[int, int]]:
    """Where each string starts and where its terminator stands, in the data of its section."""
    data = file.section(SectionId.STRING).data
    cursor = Cursor(data)
    lengths = [cursor.varint() for _ in range(cursor.varint())]
    spans, end = [], len(data)
    for length in lengths:
        spans.append((end - length, end - 1))
        end -= length
    return spans[::-1]


@dataclass
class Entry:
    dialect: int
    is_custom: bool
    data: bytes
    is_type: bool


def entries(file: File) -> list[Entry]:
    cursor = Cursor(file.section(SectionId.ATTR_TYPE_OFFSET).data)
    payloads = file.section(SectionId.ATTR_TYPE).data
    counts = [cursor.varint(), cursor.varint()]
    result: list[Entry] = []
    at = 0
    for is_type, count in enumerate(counts):
        while count > 0:
            dialect, size = cursor.varint(), cursor.varint()
            for _ in range(size):
                length = cursor.varint()
                data = payloads[at : at + (length >> 1)]
                result.append(Entry(dialect, bool(length & 1), data, bool(is_type)))
                at += length >> 1
            count -= size
    return result


def put_entries(file: File, rows: list[Entry]) -> None:
    out = bytearray()
    for is_type in (False, True):
        out += varint(sum(row.is_type == is_type for row in rows))
    for row in rows:
        out += varint(row.dialect) + varint(1) + varint(len(row.data) << 1 | row.is_custom)
    file.section(SectionId.ATTR_TYPE_OFFSET).data = bytes(out)
    file.section(SectionId.ATTR_TYPE).data = b"".join(row.data for row in rows)


def blobs(file: File) -> list[bytes]:
    cursor = Cursor(file.section(SectionId.PROPERTIES).data)
    result = []
    for _ in range(cursor.varint()):
        size = cursor.varint()
        result.append(cursor.data[cursor.at : cursor.at + size])
        cursor.at += size
    return result


def put_blobs(file: File, rows: list[bytes]) -> None:
    out = varint(len(rows)) + b"".join(varint(len(row)) + row for row in rows)
    file.section(SectionId.PROPERTIES).data = out


class Ops:
    """The numbers of an IR section, each with its role."""

    def __init__(self, data: bytes, version: int) -> None:
        self.cursor, self.version = Cursor(data), version
        self.numbers: list[Number] = []
        head = self.take("block head")
        self.block(head >> 1, bool(head & 1))

    def take(self, role: str) -> int:
        start = self.cursor.at
        value = self.cursor.varint()
        self.numbers.append(Number(start, self.cursor.at, value, role))
        return value

    def block(self, ops: int, arguments: bool) -> None:
        if arguments:
            for _ in range(self.take("argument count")):
                if self.version >= 4:
                    if self.take("argument type") & 1:
                        self.take("argument location")
                else:
                    self.take("argument type")
                    self.take("argument location")
            if self.version >= 3 and self.cursor.byte():
                self.use_lists()
        for _ in range(ops):
            self.op()

    def use_lists(self) -> None:
        for _ in range(self.take("use-list count")):
            self.take("use-list value")
            count = self.take("use-list size")
            for _ in range(count >> 1):
                self.take("use-list index")

    def use_list_of_op(self, results: int) -> None:
        many = self.take("use-list count") if results > 1 else 1
        for _ in range(many):
            if results > 1:
                self.take("use-list value")
            count = self.take("use-list size")
            for _ in range(count >> 1):
                self.take("use-list index")

    def op(self) -> None:
        self.take("operation name")
        mask = self.cursor.byte()
        self.take("location")
        if mask & 0x01:
            self.take("dictionary")
        if mask & 0x40:
            self.take("properties")
        results = 0
        if mask & 0x02:
            results = self.take("result count")
            for _ in range(results):
                self.take("result type")
        if mask & 0x04:
            for _ in range(self.take("operand count")):
                self.take("operand")
        if mask & 0x08:
            for _ in range(self.take("successor count")):
                self.take("successor")
        if mask & 0x20:
            self.use_list_of_op(results)
        if mask & 0x10:
            count = self.take("region count")
            is_isolated = bool(count & 1)
            for _ in range(count >> 1):
                if is_isolated and self.version >= 2:
                    self.section()
                self.region()

    def section(self) -> None:
        kind = self.cursor.byte()
        self.take("region section size")
        if kind & ALIGNED:
            raise Undamaged

    def region(self) -> None:
        blocks = self.take("block count")
        if not blocks:
            return
        self.take("value count")
        for _ in range(blocks):
            head = self.take("block head")
            self.block(head >> 1, bool(head & 1))


def numbers(section: Section, version: int) -> list[Number]:
    """The varints of a section; all its varints if it is a table of nothing else."""
    if section.id == SectionId.IR:
        try:
            return Ops(section.data, version).numbers
        except IndexError:
            raise Undamaged from None
    cursor = Cursor(section.data)
    section_numbers: list[Number] = []

    def take(role: str) -> int:
        start = cursor.at
        value = cursor.varint()
        section_numbers.append(Number(start, cursor.at, value, role))
        return value

    if section.id == SectionId.STRING:
        for _ in range(take("string count")):
            take("string length")
    elif section.id == SectionId.PROPERTIES:
        for _ in range(take("property count")):
            cursor.at += take("property size")
    elif section.id == SectionId.ATTR_TYPE_OFFSET:
        while not cursor.is_at_end:
            take("entry directory")
    elif section.id == SectionId.RESOURCE_OFFSET:
        for _ in range(take("external count")):
            infos(cursor, take)
        while not cursor.is_at_end:
            infos(cursor, take)
    elif section.id == SectionId.DIALECT and version == 0:
        while not cursor.is_at_end:
            take("dialect directory")
    elif section.id == SectionId.DIALECT:
        for _ in range(take("dialect count")):
            if take("dialect name") & 1:
                cursor.byte()
                cursor.at += cursor.varint()
        while not cursor.is_at_end:
            take("dialect directory")
    if cursor.at > len(section.data):
        raise Undamaged
    return section_numbers


def infos(cursor: Cursor, take: Callable[[str], int]) -> None:
    take("resource owner")
    for _ in range(take("resource count")):
        take("resource key")
        take("resource size")
        cursor.byte()


# Damage.


def truncated(file: File, random: Random) -> bytes:
    data = file.encode()
    section = random.choice([section for section in file.sections if section.data])
    return data[: section.start + random.randrange(len(section.data))]


def byte_of(kind: SectionId) -> Callable[[File, Random], bytes]:
    def damage(file: File, random: Random) -> bytes:
        section = file.section(kind)
        at = random.randrange(len(section.data))
        old = section.data[at]
        new = random.choice(
            [old ^ 1 << random.randrange(8), random.randrange(256), old + 2, old - 2, old + 4, old - 4]
        )
        if new % 256 == old:
            raise Undamaged
        file.replace(kind, at, at + 1, bytes([new % 256]))
        return file.encode()

    return damage


def header(file: File, random: Random) -> bytes:
    """Changes a byte that belongs to no section's data."""
    data = bytearray(file.encode())
    inside = {
        at for section in file.sections for at in range(section.start, section.start + len(section.data))
    }
    at = random.choice([at for at in range(len(data)) if at not in inside])
    data[at] ^= 1 << random.randrange(8)
    return bytes(data)


def resized(file: File, random: Random) -> bytes:
    section = random.choice([section for section in file.sections if section.data])
    at, count = random.randrange(len(section.data)), random.randint(1, 3)
    if random.random() < 0.5:
        section.data = section.data[:at] + section.data[at + count :]
    else:
        section.data = section.data[:at] + random.randbytes(count) + section.data[at:]
    return file.encode()


def number(file: File, random: Random) -> bytes:
    section = random.choice([section for section in file.sections if section.data])
    return change_number(file, section, numbers(section, file.version), random)


def change_number(file: File, section: Section, candidates: list[Number], random: Random) -> bytes:
    if not candidates:
        raise Undamaged
    role = random.choice(sorted({candidate.role for candidate in candidates}))
    chosen = random.choice([candidate for candidate in candidates if candidate.role == role])
    values = {chosen.value + delta for delta in (-2, -1, 1, 2)} | {random.randrange(64), 0}
    fitting = sorted(value for value in values - {chosen.value} if value >= 0)
    size = chosen.end - chosen.start
    fitting = [value for value in fitting if len(varint(value)) <= size]
    if not fitting:
        raise Undamaged
    value = varint(random.choice(fitting), size)
    file.replace(SectionId(section.id), chosen.start, chosen.end, value)
    return file.encode()


def reference_of(*kinds: str) -> Callable[[File, Random], bytes]:
    """Lets an operation refer to something else in the same table."""

    def damage(file: File, random: Random) -> bytes:
        section = file.section(SectionId.IR)
        references = [number for number in numbers(section, file.version) if number.role in kinds]
        if not references:
            raise Undamaged
        chosen = random.choice(references)
        if kinds == ("properties",):
            bound = len(blobs(file))
        else:
            bound = sum(entry.is_type == ("type" in chosen.role) for entry in entries(file))
        new = random.randrange(bound + 1)
        if new == chosen.value or len(varint(new)) > chosen.end - chosen.start:
            raise Undamaged
        file.replace(SectionId.IR, chosen.start, chosen.end, varint(new, chosen.end - chosen.start))
        return file.encode()

    return damage


def terminator(file: File, random: Random) -> bytes:
    _, end = random.choice(strings(file))
    file.replace(SectionId.STRING, end, end + 1, bytes([random.randint(1, 255)]))
    return file.encode()


def text_terminator(file: File, random: Random) -> bytes:
    rows = entries(file)
    texts = [row for row in rows if not row.is_custom and row.data]
    if not texts:
        raise Undamaged
    row = random.choice(texts)
    row.data = random.choice([row.data[:-1], row.data[:-1] + b"x", row.data + b"\0", b""])
    put_entries(file, rows)
    return file.encode()


def swapped_entries(file: File, random: Random) -> bytes:
    rows = entries(file)
    first, second = random.choice(rows), random.choice(rows)
    if first.data == second.data or first.is_type != second.is_type:
        raise Undamaged
    first.data, second.data = second.data, first.data
    first.dialect, second.dialect = second.dialect, first.dialect
    first.is_custom, second.is_custom = second.is_custom, first.is_custom
    put_entries(file, rows)
    return file.encode()


def changed_bytes(data: bytes, random: Random) -> bytes:
    """Shortens, extends or changes a few bytes."""
    at = random.randrange(len(data) + 1)
    match random.randrange(5):
        case 0:
            return data[:-1]
        case 1:
            return data + bytes([random.choice([1, 3, 5, random.randrange(256)])])
        case 2:
            return data[:at] + data[at + 1 :]
        case 3:
            return data[:at] + bytes([random.choice([1, 3, 5, 7, random.randrange(256)])]) + data[at + 1 :]
        case _:
            if at == len(data):
                raise Undamaged
            return data[:at] + bytes([(data[at] + random.choice([-4, -2, 2, 4])) % 256]) + data[at + 1 :]


def entry(file: File, random: Random) -> bytes:
    rows = entries(file)
    customs = [row for row in rows if row.is_custom]
    if not customs:
        raise Undamaged
    # Uniform over codes, so that common entries do not hide rare ones.
    row = random.choice(customs)
    keys = sorted({(custom.dialect, custom.is_type, custom.data[:1]) for custom in customs})
    key = random.choice(keys)
    row = random.choice(
        [custom for custom in customs if (custom.dialect, custom.is_type, custom.data[:1]) == key]
    )
    before, row.data = row.data, changed_bytes(row.data, random)
    if row.data == before:
        raise Undamaged
    put_entries(file, rows)
    return file.encode()


def entry_head(file: File, random: Random) -> bytes:
    """Changes an entry's dialect or encoding."""
    rows = entries(file)
    row = random.choice(rows)
    if random.random() < 0.5:
        row.is_custom = not row.is_custom
    else:
        dialects = {entry_row.dialect for entry_row in rows} - {row.dialect}
        if not dialects:
            raise Undamaged
        row.dialect = random.choice(sorted(dialects))
    put_entries(file, rows)
    return file.encode()


def property_blob(file: File, random: Random) -> bytes:
    rows = blobs(file)
    if not rows:
        raise Undamaged
    at = random.randrange(len(rows))
    before = rows[at]
    rows[at] = random.choice(rows) if random.random() < 0.25 else changed_bytes(before, random)
    if rows[at] == before:
        raise Undamaged
    put_blobs(file, rows)
    return file.encode()


def registration(file: File, random: Random) -> bytes:
    """Turns the flag that says whether the writer knew an operation."""
    if file.version < 5:
        raise Undamaged
    section = file.section(SectionId.DIALECT)
    cursor = Cursor(section.data)
    for _ in range(cursor.varint()):
        if cursor.varint() & 1:
            cursor.byte()
            cursor.at += cursor.varint()
    cursor.varint()
    places = []
    while not cursor.is_at_end:
        cursor.varint()
        for _ in range(cursor.varint()):
            start = cursor.at
            value = cursor.varint()
            places.append((start, cursor.at, value))
    if not places:
        raise Undamaged
    start, end, value = random.choice(places)
    file.replace(SectionId.DIALECT, start, end, varint(value ^ 1, end - start))
    return file.encode()


def resource(file: File, random: Random) -> bytes:
    return change_number(
        file,
        file.section(SectionId.RESOURCE_OFFSET),
        numbers(file.section(SectionId.RESOURCE_OFFSET), file.version),
        random,
    )


def resource_kind(file: File, random: Random) -> bytes:
    section = file.section(SectionId.RESOURCE_OFFSET)
    size_numbers = [
        candidate for candidate in numbers(section, file.version) if candidate.role == "resource size"
    ]
    if not size_numbers:
        raise Undamaged
    at = random.choice(size_numbers).end
    kind = random.choice([0, 1, 2, 3])
    if kind == section.data[at]:
        raise Undamaged
    file.replace(SectionId.RESOURCE_OFFSET, at, at + 1, bytes([kind]))
    return file.encode()


KINDS: dict[str, Callable[[File, Random], bytes]] = {
    "truncation": truncated,
    "header": header,
    "bytes inserted or deleted": resized,
    "number": number,
    "dictionary": reference_of("dictionary"),
    "properties reference": reference_of("properties"),
    "type or location": reference_of("result type", "location", "argument type", "argument location"),
    "property blob": property_blob,
    "registration flag": registration,
    "string terminator": terminator,
    "text entry": text_terminator,
    "entries swapped": swapped_entries,
    "entry": entry,
    "entry head": entry_head,
    "resource directory": resource,
    "resource kind": resource_kind,
} | {
    f"byte of {kind.name.lower()}": byte_of(kind) for kind in SectionId if kind != SectionId.DIALECT_VERSIONS
}
"""Every kind of damage, by name."""


def damage(kind: str, data: bytes, random: Random) -> bytes:
    """The file with one thing damaged.

    Raises:
        Undamaged: when it has nothing to damage in this way.
    """
    file = File(data)
    result = KINDS[kind](file, random)
    if result == data:
        raise Undamaged
    return result
