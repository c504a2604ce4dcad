"""A small assembler of MLIR bytecode, versions 0 to 6, that knows nothing of the reader under test.

A `File` is plain data: one dataclass for each section, whose `encode` writes the bytes of the section's
body into a `Buffer`. The default output is valid, and every number can be overridden.
Wherever a field is a `Number`, an `int` is written as a varint of the shortest form and a `Wire` as it is.
The latter also leaves a mark, so that a test knows at which offset of the file the deviation ended up.

    file = File(version=6)
    file.location = file.attribute(varints(15))
    file.top.append(Op(file.op_name("builtin.module"), regions=[Region()], isolated=True))
    data = file.encode().data

It is one language, in one file that is longer than others: its parts are used together or not at all.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import IntEnum

MAGIC = b"ML\xefR"
NEWEST_VERSION = 6
PADDING = 0xCB
MAX_U64 = 2**64 - 1

BLOB, BOOL, STRING = 0, 1, 2
"""The kinds of a resource."""


class SectionId(IntEnum):
    STRING = 0
    DIALECT = 1
    ATTR_TYPE = 2
    ATTR_TYPE_OFFSET = 3
    IR = 4
    RESOURCE = 5
    RESOURCE_OFFSET = 6
    DIALECT_VERSIONS = 7
    PROPERTIES = 8


class Mask(IntEnum):
    ATTRIBUTES = 0x01
    RESULTS = 0x02
    OPERANDS = 0x04
    SUCCESSORS = 0x08
    REGIONS = 0x10
    USE_LISTS = 0x20
    PROPERTIES = 0x40


# Primitives.


def varint(value: int, size: int | None = None) -> bytes:
    """`value` as a varint, of `size` bytes if given (1 to 9; longer than needed is fine)."""
    if not 0 <= value <= MAX_U64:
        raise ValueError(f"{value} does not fit 64 bits")
    if size is None:
        size = next((n for n in range(1, 9) if value < 1 << (7 * n)), 9)
    if size == 9:
        return b"\x00" + value.to_bytes(8, "little")
    return (((value << 1) | 1) << (size - 1)).to_bytes(size, "little")


def varints(*values: int) -> bytes:
    return b"".join(map(varint, values))


def zigzag(value: int) -> int:
    """The number a signed varint stores for `value`."""
    return ((value << 1) ^ (value >> 63)) & MAX_U64


def flagged(value: int, flag: bool | int) -> int:
    return (value << 1 | int(bool(flag))) & MAX_U64


@dataclass(frozen=True)
class Wire:
    """Bytes to write in place of a number, and the mark they leave."""

    data: bytes
    mark: str = "bad"


Number = int | Wire


def bad(value: int, size: int | None = None) -> Wire:
    """A varint of which a test expects a complaint."""
    return Wire(varint(value, size))


Span = tuple[int, int]
"""The first offset and the offset after the last."""


class Buffer:
    """Bytes under construction, the alignment they ask for, and the marks left in them."""

    def __init__(self) -> None:
        self.data = bytearray()
        self.alignment = 1
        self.marks: dict[str, Span] = {}

    def __len__(self) -> int:
        return len(self.data)

    def raw(self, data: bytes | bytearray) -> None:
        self.data += data

    def number(self, value: Number, flag: bool | int | None = None) -> None:
        """A varint, with `flag` in its lowest bit if there is one; a `Wire` stands for the whole field."""
        if isinstance(value, Wire):
            with self.mark(value.mark):
                self.raw(value.data)
        else:
            self.raw(varint(value if flag is None else flagged(value, flag)))

    def byte(self, value: Number) -> None:
        if isinstance(value, Wire):
            self.number(value)
        else:
            self.data.append(value)

    def align(self, alignment: int, filler: int = PADDING) -> None:
        self.raw(bytes([filler]) * (-len(self.data) % alignment))
        self.alignment = max(self.alignment, alignment)

    @contextmanager
    def mark(self, name: str) -> Iterator[None]:
        start = len(self.data)
        yield
        self.marks[name] = (start, len(self.data))

    def append(self, body: Buffer) -> None:
        start = len(self.data)
        self.raw(body.data)
        self.marks |= {name: (start + first, start + last) for name, (first, last) in body.marks.items()}

    def section(self, number: int, body: Buffer, framing: Framing) -> None:
        """A whole section, aligned as its body asks for, or as `framing` says."""
        with self.mark(f"section:{number}"):
            alignment = body.alignment if framing.align is None else framing.align
            length = framing.length if framing.length is not None else len(body)
            size = len(length.data if isinstance(length, Wire) else varint(length))
            is_flagged = framing.align is not None or (len(self) + 1 + size) % body.alignment != 0
            self.byte(framing.id if framing.id is not None else number | is_flagged << 7)
            self.number(length)
            if is_flagged:
                self.number(alignment)
                if framing.padding is not None:
                    self.number(framing.padding)
                elif isinstance(alignment, int):
                    self.align(alignment)
            self.alignment = max(self.alignment, body.alignment)
            with self.mark(f"data:{number}"):
                self.append(body)


@dataclass
class Framing:
    """How a section is framed; None is by the rules."""

    id: Number | None = None
    """The whole first byte, so with bit 7 where an alignment is wanted."""
    length: Number | None = None
    align: Number | None = None
    """An alignment to flag even where the body needs none."""
    padding: Wire | None = None


# Sections, each as its data and its encoding.


@dataclass
class Strings:
    values: list[bytes] = field(default_factory=list)
    count: Number | None = None
    lengths: dict[int, Number] = field(default_factory=dict)
    """Lengths (with the terminator) that differ from the truth."""
    terminators: dict[int, bytes] = field(default_factory=dict)
    gap: bytes = b""
    """Bytes between the lengths and the data."""
    trailing: bytes = b""

    def encode(self, version: int) -> Buffer:
        body = Buffer()
        body.number(self.count if self.count is not None else len(self.values))
        for index in reversed(range(len(self.values))):
            body.number(self.lengths.get(index, len(self.values[index]) + 1))
        with body.mark("gap"):
            body.raw(self.gap)
        for index, value in enumerate(self.values):
            body.raw(value + self.terminators.get(index, b"\0"))
        body.raw(self.trailing)
        return body


@dataclass
class Dialect:
    name: Number
    version: bytes | None = None
    framing: Framing = field(default_factory=Framing)


@dataclass
class OpNameGroup:
    dialect: Number
    names: list[tuple[Number, bool]] = field(default_factory=list)
    """String index, and whether the writer knew the op."""
    count: Number | None = None


@dataclass
class Dialects:
    dialects: list[Dialect] = field(default_factory=list)
    groups: list[OpNameGroup] = field(default_factory=list)
    count: Number | None = None
    op_count: Number | None = None
    trailing: bytes = b""

    def encode(self, version: int) -> Buffer:
        body = Buffer()
        body.number(self.count if self.count is not None else len(self.dialects))
        for dialect in self.dialects:
            if version < 1:
                body.number(dialect.name)
                continue
            body.number(dialect.name, dialect.version is not None)
            if dialect.version is not None:
                data = Buffer()
                data.raw(dialect.version)
                body.section(SectionId.DIALECT_VERSIONS, data, dialect.framing)
        if version >= 4:
            total = sum(len(group.names) for group in self.groups)
            body.number(self.op_count if self.op_count is not None else total)
        for group in self.groups:
            body.number(group.dialect)
            body.number(group.count if group.count is not None else len(group.names))
            for name, is_registered in group.names:
                body.number(name, is_registered if version >= 5 else None)
        with body.mark("trailing:1"):
            body.raw(self.trailing)
        return body


@dataclass
class Entry:
    """An attribute or a type: the payload of its dialect's codec, or (not `custom`) text with its 0 byte."""

    payload: bytes
    custom: bool = True
    size: Number | None = None
    """A `Wire` here is the whole directory entry, flag included."""
    mark: str = ""


@dataclass
class EntryGroup:
    dialect: Number
    entries: list[Entry] = field(default_factory=list)
    count: Number | None = None


@dataclass
class Entries:
    """The attributes and types: two sections."""

    attributes: list[EntryGroup] = field(default_factory=list)
    types: list[EntryGroup] = field(default_factory=list)
    num_attributes: Number | None = None
    num_types: Number | None = None
    trailing: bytes = b""
    """After the payloads."""
    directory_trailing: bytes = b""

    def encode_directory(self, version: int) -> Buffer:
        body = Buffer()
        for count, groups in ((self.num_attributes, self.attributes), (self.num_types, self.types)):
            body.number(count if count is not None else sum(len(group.entries) for group in groups))
        for group in (*self.attributes, *self.types):
            body.number(group.dialect)
            body.number(group.count if group.count is not None else len(group.entries))
            for entry in group.entries:
                body.number(entry.size if entry.size is not None else len(entry.payload), entry.custom)
        with body.mark("trailing:3"):
            body.raw(self.directory_trailing)
        return body

    def encode(self, version: int) -> Buffer:
        body = Buffer()
        for group in (*self.attributes, *self.types):
            for entry in group.entries:
                with body.mark(entry.mark or "last entry"):
                    body.raw(entry.payload)
        body.raw(self.trailing)
        return body


@dataclass
class UseList:
    order: Sequence[Number]
    value: Number = 0
    """Which result or argument; written only if there are several."""
    pairs: bool = False
    count: Number | None = None
    """A `Wire` here is the whole field, flag included."""


def _use_lists(body: Buffer, lists: Sequence[UseList], values: int, count: Number | None) -> None:
    if values != 1 and values != 0:
        body.number(count if count is not None else len(lists))
    for entry in lists:
        if values != 1 and values != 0:
            body.number(entry.value)
        body.number(entry.count if entry.count is not None else len(entry.order), entry.pairs)
        for element in entry.order:
            body.number(element)


@dataclass
class Op:
    name: Number
    location: Number = 0
    attributes: Number | None = None
    properties: Number | None = None
    results: Sequence[Number] = ()
    """The type of each."""
    operands: Sequence[Number] = ()
    successors: Sequence[Number] = ()
    regions: Sequence[Region] = ()
    isolated: bool = False
    use_lists: Sequence[UseList] = ()
    mask: Number | None = None
    """If given, it also decides which of the fields are written."""
    result_count: Number | None = None
    operand_count: Number | None = None
    successor_count: Number | None = None
    region_count: Number | None = None
    """A `Wire` here is the whole field, flag included."""
    use_list_count: Number | None = None
    framing: Framing = field(default_factory=Framing)
    region_trailing: bytes = b""
    raw: Wire | None = None
    """Bytes in place of the op."""

    def _mask(self) -> int:
        if isinstance(self.mask, int):
            return self.mask
        return (
            (self.attributes is not None) * Mask.ATTRIBUTES
            | bool(self.results) * Mask.RESULTS
            | bool(self.operands) * Mask.OPERANDS
            | bool(self.successors) * Mask.SUCCESSORS
            | bool(self.regions) * Mask.REGIONS
            | bool(self.use_lists) * Mask.USE_LISTS
            | (self.properties is not None) * Mask.PROPERTIES
        )

    def write(self, body: Buffer, version: int) -> None:
        if self.raw is not None:
            body.number(self.raw)
            return
        mask = self._mask()
        body.number(self.name)
        body.byte(self.mask if self.mask is not None else mask)
        body.number(self.location)
        if mask & Mask.ATTRIBUTES:
            body.number(self.attributes or 0)
        if mask & Mask.PROPERTIES and version >= 5:
            body.number(self.properties or 0)
        for bit, values, count in (
            (Mask.RESULTS, self.results, self.result_count),
            (Mask.OPERANDS, self.operands, self.operand_count),
            (Mask.SUCCESSORS, self.successors, self.successor_count),
        ):
            if mask & bit:
                body.number(count if count is not None else len(values))
                for value in values:
                    body.number(value)
        if mask & Mask.USE_LISTS and version >= 3:
            _use_lists(body, self.use_lists, len(self.results), self.use_list_count)
        if mask & Mask.REGIONS:
            self._write_regions(body, version)

    def _write_regions(self, body: Buffer, version: int) -> None:
        body.number(self.region_count if self.region_count is not None else len(self.regions), self.isolated)
        if self.isolated and self.regions and version >= 2:
            inner = Buffer()
            for region in self.regions:
                region.write(inner, version)
            inner.raw(self.region_trailing)
            framing_id = self.framing.id
            body.section(SectionId.IR, inner, self.framing)
            if framing_id is not None:
                body.marks["region section"] = body.marks[f"section:{int(SectionId.IR)}"]
        else:
            for region in self.regions:
                region.write(body, version)


@dataclass
class Argument:
    type: Number
    location: Number | None = None
    """None is the unknown location, which a file of a version below 4 has to spell out."""


@dataclass
class Block:
    ops: Sequence[Op] = ()
    arguments: Sequence[Argument] = ()
    use_lists: Sequence[UseList] = ()
    has_arguments: bool | None = None
    op_count: Number | None = None
    """A `Wire` here is the whole field, flag included."""
    argument_count: Number | None = None
    use_list_byte: Number | None = None
    use_list_count: Number | None = None
    unknown_location: int = 0
    """The index of the unknown location, for versions below 4."""

    def write(self, body: Buffer, version: int) -> None:
        has_arguments = bool(self.arguments) if self.has_arguments is None else self.has_arguments
        body.number(self.op_count if self.op_count is not None else len(self.ops), has_arguments)
        if has_arguments:
            body.number(self.argument_count if self.argument_count is not None else len(self.arguments))
            for argument in self.arguments:
                if version < 4:
                    body.number(argument.type)
                    body.number(self.unknown_location if argument.location is None else argument.location)
                else:
                    body.number(argument.type, argument.location is not None)
                    if argument.location is not None:
                        body.number(argument.location)
            if version >= 3:
                byte = 0x20 if self.use_lists else 0
                body.byte(self.use_list_byte if self.use_list_byte is not None else byte)
                if self.use_lists or self.use_list_count is not None:
                    _use_lists(body, self.use_lists, len(self.arguments), self.use_list_count)
        for op in self.ops:
            op.write(body, version)


@dataclass
class Region:
    blocks: Sequence[Block] = ()
    num_blocks: Number | None = None
    num_values: Number | None = None

    def write(self, body: Buffer, version: int) -> None:
        body.number(self.num_blocks if self.num_blocks is not None else len(self.blocks))
        if not self.blocks:
            return
        values = sum(len(b.arguments) + sum(len(op.results) for op in b.ops) for b in self.blocks)
        body.number(self.num_values if self.num_values is not None else values)
        for block in self.blocks:
            block.write(body, version)


@dataclass
class Blob:
    data: bytes
    align: Number = 8
    padding: Wire | None = None
    size: Number | None = None


@dataclass
class Resource:
    key: Number
    value: Blob | bool | int | Wire | None = None
    """A blob, a bool, the index of a string, raw bytes; None is declared without data."""
    kind: Number | None = None
    size: Number | None = None
    trailing: bytes = b""

    def _kind(self) -> int:
        if isinstance(self.value, bool):
            return BOOL
        return STRING if isinstance(self.value, int) else BLOB

    def _write_payload(self, body: Buffer) -> None:
        value = self.value
        if isinstance(value, Blob):
            body.number(value.align)
            body.number(value.size if value.size is not None else len(value.data))
            if value.padding is not None:
                body.number(value.padding)
            elif isinstance(value.align, int):
                body.align(value.align)
            body.raw(value.data)
        elif isinstance(value, bool):
            body.byte(value)
        elif value is not None:
            body.number(value)
        with body.mark("trailing:5"):
            body.raw(self.trailing)


@dataclass
class ResourceGroup:
    owner: Number
    """The index of a string if external, else of a dialect."""
    resources: list[Resource] = field(default_factory=list)
    count: Number | None = None


@dataclass
class Resources:
    """The resources: two sections."""

    external: list[ResourceGroup] = field(default_factory=list)
    dialects: list[ResourceGroup] = field(default_factory=list)
    num_external: Number | None = None
    trailing: bytes = b""
    directory_trailing: bytes = b""

    def encode_both(self, version: int) -> tuple[Buffer, Buffer]:
        """The directory and the payloads."""
        payloads, directory = Buffer(), Buffer()
        count = self.num_external if self.num_external is not None else len(self.external)
        directory.number(count)
        for group in (*self.external, *self.dialects):
            directory.number(group.owner)
            directory.number(group.count if group.count is not None else len(group.resources))
            for resource in group.resources:
                start = len(payloads)
                resource._write_payload(payloads)
                directory.number(resource.key)
                directory.number(resource.size if resource.size is not None else len(payloads) - start)
                directory.byte(resource.kind if resource.kind is not None else resource._kind())
        payloads.raw(self.trailing)
        directory.raw(self.directory_trailing)
        return directory, payloads


@dataclass
class Properties:
    blobs: list[bytes] = field(default_factory=list)
    count: Number | None = None
    sizes: dict[int, Number] = field(default_factory=dict)
    trailing: bytes = b""

    def encode(self, version: int) -> Buffer:
        body = Buffer()
        body.number(self.count if self.count is not None else len(self.blobs))
        for index, blob in enumerate(self.blobs):
            body.number(self.sizes.get(index, len(blob)))
            body.raw(blob)
        with body.mark("trailing:8"):
            body.raw(self.trailing)
        return body


WRITTEN_ORDER = (
    SectionId.DIALECT,
    SectionId.ATTR_TYPE_OFFSET,
    SectionId.ATTR_TYPE,
    SectionId.IR,
    SectionId.RESOURCE_OFFSET,
    SectionId.RESOURCE,
    SectionId.STRING,
    SectionId.PROPERTIES,
)


@dataclass(frozen=True)
class Encoded:
    data: bytes
    marks: dict[str, Span]
    """Named ranges of offsets: `section:4`, `data:4`, `bad` and further marks."""


@dataclass
class File:
    version: int = NEWEST_VERSION
    producer: bytes = b"assembler"
    strings: Strings = field(default_factory=Strings)
    dialects: Dialects = field(default_factory=Dialects)
    entries: Entries = field(default_factory=Entries)
    top: list[Op] = field(default_factory=list)
    top_block: Block | None = None
    """In place of the block that `top` makes."""
    ir_trailing: bytes = b""
    resources: Resources = field(default_factory=Resources)
    properties: Properties = field(default_factory=Properties)
    magic: bytes = MAGIC
    version_number: Number | None = None
    producer_end: bytes = b"\0"
    order: Sequence[int] | None = None
    """Ids of the sections in the order to write; repeats and ids that do not exist are welcome."""
    framing: dict[int, Framing] = field(default_factory=dict)
    replaced: dict[int, bytes] = field(default_factory=dict)
    """Bytes to write as the body of a section, by its id."""
    trailing: bytes = b""

    # The tables grow by use; each of these returns an index.

    def string(self, value: str | bytes) -> int:
        value = value.encode() if isinstance(value, str) else value
        if value not in self.strings.values:
            self.strings.values.append(value)
        return self.strings.values.index(value)

    def dialect(self, name: str, version: bytes | None = None) -> int:
        index = self.string(name)
        for position, dialect in enumerate(self.dialects.dialects):
            if dialect.name == index:
                return position
        self.dialects.dialects.append(Dialect(index, version))
        return len(self.dialects.dialects) - 1

    def op_name(self, full_name: str, registered: bool = False) -> int:
        dialect_name, _, name = full_name.partition(".")
        dialect, entry = self.dialect(dialect_name), (self.string(name), registered)
        number = 0
        for group in self.dialects.groups:
            if group.dialect == dialect and entry in group.names:
                return number + group.names.index(entry)
            number += len(group.names)
        if not self.dialects.groups or self.dialects.groups[-1].dialect != dialect:
            self.dialects.groups.append(OpNameGroup(dialect))
        self.dialects.groups[-1].names.append(entry)
        return number

    def _entry(self, groups: list[EntryGroup], dialect: str, entry: Entry) -> int:
        number = self.dialect(dialect)
        if not groups or groups[-1].dialect != number:
            groups.append(EntryGroup(number))
        groups[-1].entries.append(entry)
        return sum(len(group.entries) for group in groups) - 1

    def attribute(self, payload: bytes | str, dialect: str = "builtin", mark: str = "") -> int:
        """A custom payload, or the text of an attribute."""
        return self._entry(self.entries.attributes, dialect, _as_entry(payload, mark))

    def type(self, payload: bytes | str, dialect: str = "builtin", mark: str = "") -> int:
        return self._entry(self.entries.types, dialect, _as_entry(payload, mark))

    def property(self, blob: bytes) -> int:
        self.properties.blobs.append(blob)
        return len(self.properties.blobs) - 1

    # The bytes.

    def _body(self, number: int) -> Buffer:
        if number in self.replaced:
            body = Buffer()
            body.raw(self.replaced[number])
            return body
        match number:
            case SectionId.STRING:
                return self.strings.encode(self.version)
            case SectionId.DIALECT:
                return self.dialects.encode(self.version)
            case SectionId.ATTR_TYPE:
                return self.entries.encode(self.version)
            case SectionId.ATTR_TYPE_OFFSET:
                return self.entries.encode_directory(self.version)
            case SectionId.IR:
                body = Buffer()
                (self.top_block or Block(self.top)).write(body, self.version)
                body.raw(self.ir_trailing)
                return body
            case SectionId.RESOURCE:
                return self.resources.encode_both(self.version)[1]
            case SectionId.RESOURCE_OFFSET:
                return self.resources.encode_both(self.version)[0]
            case SectionId.PROPERTIES:
                return self.properties.encode(self.version)
        return Buffer()

    def section_order(self) -> list[int]:
        if self.order is not None:
            return list(self.order)
        return [number for number in WRITTEN_ORDER if number != SectionId.PROPERTIES or self.version >= 5]

    def encode(self) -> Encoded:
        out = Buffer()
        with out.mark("magic"):
            out.raw(self.magic)
        with out.mark("version"):
            out.number(self.version_number if self.version_number is not None else self.version)
        with out.mark("producer"):
            out.raw(self.producer + self.producer_end)
        for number in self.section_order():
            out.section(number, self._body(number), self.framing.get(number, Framing()))
        with out.mark("tail"):
            out.raw(self.trailing)
        return Encoded(bytes(out.data), {**out.marks, "file": (0, len(out.data))})


def _as_entry(payload: bytes | str, mark: str) -> Entry:
    if isinstance(payload, str):
        return Entry(payload.encode() + b"\0", custom=False, mark=mark)
    return Entry(payload, mark=mark)
