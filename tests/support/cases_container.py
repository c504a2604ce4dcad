"""Hostile cases of the container: magic, version, producer, sections, alignment, strings, dialects."""

import gzip
import io
import tarfile
import zipfile

from support.assembler import (
    MAGIC,
    Dialect,
    Encoded,
    Framing,
    OpNameGroup,
    SectionId,
    Wire,
    bad,
    flagged,
    varint,
)
from support.cases import ACCEPTS, UNSAFE, Base, accepted, rejected

HUGE = (2**60, 2**32, 2**64 - 1)
"""Counts no file can pay for; the last two also wrap around when cut to 32 bits or multiplied."""


# Things that are not bytecode.


@rejected(
    "file.empty", "H1", "read.empty", where="file", upstream=ACCEPTS, differs="an empty text is a module"
)
def _(b: Base) -> bytes:
    return b""


@rejected("file.three_bytes", "H1", "read.truncated", where="file")
def _(b: Base) -> bytes:
    return MAGIC[:3]


@rejected("file.only_magic", "B1", "read.truncated", where="file", says="at the end")
def _(b: Base) -> bytes:
    return MAGIC


@rejected("file.text", "H1", "read.text", where="file", upstream=ACCEPTS, differs="tools read text as well")
def _(b: Base) -> bytes:
    return b"module {\n}\n"


@rejected(
    "file.text_comment", "H1", "read.text", where="file", upstream=ACCEPTS, differs="tools read text as well"
)
def _(b: Base) -> bytes:
    return b"\n// RUN: nothing\nmodule @m {\n}\n"


@rejected("file.zip", "H1", "read.archive", where="file")
def _(b: Base) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr(zipfile.ZipInfo("module.mlirbc"), b.file.encode().data)
    return out.getvalue()


@rejected("file.gzip", "H1", "read.compressed", where="file")
def _(b: Base) -> bytes:
    # Whole streams are read.
    return gzip.compress(b.file.encode().data, mtime=0)[:-20]


@rejected("file.tar", "H1", "read.archive", where="file")
def _(b: Base) -> bytes:
    out, data = io.BytesIO(), b.file.encode().data
    with tarfile.open(fileobj=out, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        info = tarfile.TarInfo("module.mlirbc")
        info.size = len(data)
        archive.addfile(info, io.BytesIO(data))
    return out.getvalue()[:2048]


@rejected("magic.last_byte", "H1", "read.magic", where="magic", section=None)
def _(b: Base) -> None:
    b.file.magic = b"ML\xefS"


@rejected("magic.llvm_bitcode", "H1", "read.other_format", where="file", section=None)
def _(b: Base) -> bytes:
    return b"BC\xc0\xde\x35\x14\x00\x00\x05\x00\x00\x00"


@rejected("magic.noise", "H1", "read.magic", where="file", section=None)
def _(b: Base) -> bytes:
    return bytes((17 * n * n + 129) % 256 for n in range(200))


for number in (7, 2**32, 2**40, 2**64 - 1):

    @rejected(
        f"version.{number}",
        "H2",
        "unsupported.version",
        error="UnsupportedError",
        section=None,
        says="newer than",
    )
    def _(b: Base, number: int = number) -> None:
        b.file.version_number = bad(number)


@accepted("version.over_long", "over-long varint")
def _(b: Base) -> None:
    b.file.version_number = bad(6, size=9)


@rejected("version.varint_cut", "B2", "read.truncated", where="file", says="bytes")
def _(b: Base) -> bytes:
    return MAGIC + varint(6, 9)[:5]


@rejected("producer.unterminated", "B3", "read.string.unterminated", where="file", says="null-terminated")
def _(b: Base) -> bytes:
    return MAGIC + varint(6) + b"hostile"


@rejected("producer.missing", "B3", "read.string.unterminated", where="file", says="null-terminated")
def _(b: Base) -> bytes:
    return MAGIC + varint(6)


# Sections.


@rejected("section.none", "H4", "read.section.missing", where="file", says="missing")
def _(b: Base) -> None:
    b.file.order = []


NAMES = {
    0: "String",
    1: "Dialect",
    2: "AttrType",
    3: "AttrTypeOffset",
    4: "IR",
    5: "Resource",
    6: "ResourceOffset",
    7: "DialectVersions",
    8: "Properties",
}


def _without(b: Base, *numbers: int) -> list[int]:
    return [n for n in b.file.section_order() if n not in numbers]


for number in (0, 1, 2, 3, 4, 8):

    @rejected(
        f"section.missing_{number}",
        "H4",
        "read.section.missing",
        where="file",
        section=(None, NAMES[number]),
        says="missing data for top-level section",
    )
    def _(b: Base, number: int = number) -> None:
        b.file.order = _without(b, number)


for number in range(9):

    @rejected(
        f"section.twice_{number}",
        "H3",
        "read.section.duplicate",
        where=f"section:{number}",
        section=(None, NAMES[number]),
        says="duplicate top-level section",
    )
    def _(b: Base, number: int = number) -> None:
        b.file.order = [*_without(b, number), number, number]


for number in (9, 0x7F):
    for flag in (0, 0x80):

        @rejected(
            f"section.unknown_{number | flag}",
            "B4",
            "read.section.unknown_id",
            section=None,
            says="invalid section ID",
        )
        def _(b: Base, number: int = number, flag: int = flag) -> None:
            b.file.order = [*b.file.section_order(), number]
            b.file.framing[number] = Framing(id=Wire(bytes([number | flag])))


@rejected(
    "section.bytes_after_the_last",
    "B4",
    "read.section.unknown_id",
    where="tail",
    section=None,
    says="section ID",
)
def _(b: Base) -> None:
    b.file.trailing = b"\x2a\x01"


@rejected("section.header_cut", "B4", "read.section.unknown_id", where="tail", says="at the end")
def _(b: Base) -> None:
    b.file.trailing = b"\x07"


for number in (2**20, 2**32, 2**63, 2**64 - 1):

    @rejected(
        f"section.length_{number}", "B2", "read.truncated", where=("bad", "file"), says="attempting to parse"
    )
    def _(b: Base, number: int = number) -> None:
        b.file.framing[8] = Framing(length=bad(number))


@rejected(
    "section.length_past_end_by_one", "B2", "read.truncated", where=("section:8"), says="attempting to parse"
)
def _(b: Base) -> None:
    b.file.framing[8] = Framing(length=bad(len(b.file.properties.encode(6)) + 1))


@accepted("section.order_reversed", "any section order")
def _(b: Base) -> None:
    b.file.order = list(reversed(b.file.section_order()))


@accepted("section.order_strings_first", "any section order")
def _(b: Base) -> None:
    b.file.order = sorted(b.file.section_order())


@accepted("section.dialect_versions_at_top", "id 7 at top level")
def _(b: Base) -> None:
    b.file.order = [*b.file.section_order(), 7]
    b.file.replaced[7] = b"\xff\xff\xff"


@accepted("section.no_resources", "sections 5 and 6 together")
def _(b: Base) -> None:
    b.file.order = _without(b, 5, 6)


@accepted("section.properties_in_version_4", "section 8 before 5", version=4)
def _(b: Base) -> None:
    b.file.property(b"unused")
    b.file.order = [*b.file.section_order(), 8]


@rejected(
    "section.bad_properties_in_version_4",
    "P1",
    "read.property.trailing_bytes",
    where="data:8",
    section="Properties",
    version=4,
    says="properties",
)
def _(b: Base) -> None:
    b.file.replaced[8] = b"\x03\x03\x00\x00"
    b.file.order = [*b.file.section_order(), 8]


# Alignment of sections.

for number in (0, 3, 2**32):

    @rejected(f"alignment.of_{number}", "B5", "read.alignment", where=("bad", "section:2"), says="align")
    def _(b: Base, number: int = number) -> None:
        b.file.framing[2] = Framing(align=bad(number), padding=Wire(b"", "padding"))


@accepted("alignment.cut_to_32_bits", "32 bits of an alignment")
def _(b: Base) -> None:
    b.file.framing[2] = Framing(align=bad(2**32 + 1))


for number in (0, 1, 2, 3, 4, 5, 6, 8):

    @accepted(f"alignment.one_on_section_{number}", "flagged alignment of 1")
    def _(b: Base, number: int = number) -> None:
        b.file.framing[number] = Framing(align=1)


@accepted("alignment.of_16_on_the_strings", "alignment on any section")
def _(b: Base) -> None:
    b.file.framing[0] = Framing(align=16)


@rejected("alignment.padding_byte", "B6", "read.padding", where="section:2", says="alignment byte")
def _(b: Base) -> None:
    # The offset of the section decides how much padding there is: put it where at least one byte is needed.
    b.file.framing[2] = Framing(align=16, padding=Wire(b"\xcb" * 16, "probe"))
    while b.file.encode().marks["probe"][0] % 16 == 0:
        b.file.producer += b"x"
    needed = -b.file.encode().marks["probe"][0] % 16
    b.file.framing[2] = Framing(align=16, padding=Wire(b"\xcb" * (needed - 1) + b"\xcc"))


@rejected("alignment.past_the_end", "B4", "read.section.unknown_id", where=("bad", "file"))
def _(b: Base) -> None:
    b.file.order = [*b.file.section_order(), 7]
    b.file.framing[7] = Framing(align=1024, padding=Wire(b"\xcb", "bad"), length=5)


@accepted("alignment.on_a_region_section", "alignment on region sections")
def _(b: Base) -> None:
    b.module.framing = Framing(align=1)


@accepted("alignment.of_8_on_a_region_section", "alignment on region sections")
def _(b: Base) -> None:
    # Positions inside the IR section count from the file's start: pad by what the assembled file shows.
    b.module.framing = Framing(id=Wire(b"\x84", "id"), align=8, padding=Wire(b"", "padding"))
    for _round in range(8):
        first, _last = b.file.encode().marks["padding"]
        b.module.framing.padding = Wire(b"\xcb" * (-first % 8), "padding")
    first, last = b.file.encode().marks["padding"]
    assert last % 8 == 0


@accepted("alignment.on_a_version_section", "alignment on version sections")
def _(b: Base) -> None:
    b.file.dialects.dialects[1].version = b""
    b.file.dialects.dialects[1].framing = Framing(align=1)


# Strings.


@rejected("strings.empty_section", "B1", "read.truncated", where=("section:0", "data:0"), section="String")
def _(b: Base) -> None:
    b.file.replaced[0] = b""


for number in HUGE:

    @rejected(
        f"strings.count_{number}", "counts", "read.count", where=("data:0"), section="String", upstream=UNSAFE
    )
    def _(b: Base, number: int = number) -> None:
        b.file.strings.count = bad(number)


for index in (0, 3):

    @rejected(
        f"strings.length_of_{index}_past_the_end",
        "S1",
        "read.string.past_end",
        where=("bad", "data:0"),
        section="String",
        says="exceeds the available data",
    )
    def _(b: Base, index: int = index) -> None:
        b.file.strings.lengths[index] = bad(1000)


@rejected(
    "strings.length_2^63",
    "S1",
    "read.string.past_end",
    where=("bad", "data:0"),
    section="String",
    says="exceeds the available data",
)
def _(b: Base) -> None:
    b.file.strings.lengths[1] = bad(2**63)


@rejected(
    "strings.length_reaches_into_the_lengths",
    "S2",
    "read.string.gap",
    also=("read.string.past_end",),
    where="data:0",
    section="String",
    says="trailing data",
)
def _(b: Base) -> None:
    b.file.strings.lengths[0] = bad(len(b.file.strings.values[0]) + 1 + 3)


@rejected("strings.gap", "S2", "read.string.gap", where="data:0", section="String", says="trailing data")
def _(b: Base) -> None:
    b.file.strings.gap = b"\xee"


@rejected(
    "strings.bytes_at_the_end",
    "S2",
    "read.string.gap",
    where="data:0",
    section="String",
    says="trailing data",
)
def _(b: Base) -> None:
    b.file.strings.trailing = b"\0\0"


@rejected(
    "strings.zero_length",
    "string length 0",
    "read.string.zero_length",
    where=("bad", "data:0"),
    section="String",
    upstream=UNSAFE,
    differs="upstream makes a string of 2^64-1 bytes",
)
def _(b: Base) -> None:
    index = b.file.string("")
    b.file.strings.lengths[index] = bad(0)
    b.file.strings.terminators[index] = b""


@accepted("strings.other_terminators", "string terminators other than 0")
def _(b: Base) -> None:
    b.file.strings.terminators = {0: b"\xff", 2: b"x"}


@accepted("strings.lengths_over_long", "over-long varint")
def _(b: Base) -> None:
    b.file.strings.lengths[1] = bad(len(b.file.strings.values[1]) + 1, size=4)


@accepted("strings.zero_byte_inside", "embedded zeros")
def _(b: Base) -> None:
    b.file.string(b"a\0b")
    b.attribute_of(varint(2) + varint(b.file.string(b"c\0d")))


@accepted("strings.twice_the_same", "duplicate strings")
def _(b: Base) -> None:
    b.file.strings.values += [b"k", b"k"]


@accepted("strings.not_utf8", "UTF-8 is not checked")
def _(b: Base) -> None:
    b.attribute_of(varint(2) + varint(b.file.string(b"\xff\xc0\x80")))


@accepted("strings.none_spare", "empty strings")
def _(b: Base) -> None:
    b.file.string("")


# Dialects and op names.

for number in HUGE:

    @rejected(
        f"dialects.count_{number}", "counts", "read.count", where="data:1", section="Dialect", upstream=UNSAFE
    )
    def _(b: Base, number: int = number) -> None:
        b.file.dialects.count = bad(number)


for version in (0, 6):

    @rejected(
        f"dialects.name_index_v{version}",
        "X1",
        "read.index",
        section="Dialect",
        version=version,
        expects="string",
        says="invalid string index",
    )
    def _(b: Base, version: int = version) -> None:
        b.file.dialects.dialects[1].name = bad(flagged(100, False) if version else 100)


@rejected(
    "dialects.version_id", "D1", "read.dialect.version_section", where="section:7", says="version section"
)
def _(b: Base) -> None:
    b.file.dialects.dialects[1].version = b"\x05"
    b.file.dialects.dialects[1].framing = Framing(id=Wire(b"\x04"))


@rejected(
    "dialects.version_id_unknown", "B4", "read.section.unknown_id", where="section:7", says="section ID"
)
def _(b: Base) -> None:
    b.file.dialects.dialects[1].version = b"\x05"
    b.file.dialects.dialects[1].framing = Framing(id=Wire(b"\x09"))


@rejected(
    "dialects.version_length",
    "B2",
    "read.truncated",
    where=("bad", "data:1"),
    section=("Dialect", "DialectVersions"),
    says="attempting to parse",
)
def _(b: Base) -> None:
    b.file.dialects.dialects[1].version = b"\x05"
    b.file.dialects.dialects[1].framing = Framing(length=bad(100))


@accepted("dialects.version_empty", "empty version data")
def _(b: Base) -> None:
    b.file.dialects.dialects[1].version = b""


@accepted(
    "dialects.version_of_an_unknown_dialect",
    "D3",
    upstream="rejects",
    says="does not implement the bytecode interface",
    differs="what a dialect's version means is not ours to refuse; the bytes are kept",
)
def _(b: Base) -> None:
    b.file.dialects.dialects[1].version = b"\x05\x01"


@rejected(
    "op_names.dialect_index", "X1", "read.index", section="Dialect", expects="dialect", says="dialect index"
)
def _(b: Base) -> None:
    b.file.dialects.groups[1].dialect = bad(2)


@rejected(
    "op_names.name_index",
    "X1",
    "read.index",
    section="Dialect",
    expects="string",
    says="invalid string index",
)
def _(b: Base) -> None:
    b.file.dialects.groups[1].names[0] = (bad(flagged(100, False)), False)


@rejected(
    "op_names.group_cut",
    "B1",
    "read.truncated",
    where=("trailing:1", "data:1"),
    section="Dialect",
    says="at the end",
)
def _(b: Base) -> None:
    b.file.dialects.trailing = b"\x01"


for number in HUGE:

    @rejected(
        f"op_names.group_count_{number}",
        "counts",
        "read.count",
        where=("bad", "data:1"),
        also=("read.truncated",),
        section="Dialect",
        says="at the end",
    )
    def _(b: Base, number: int = number) -> None:
        b.file.dialects.groups[-1].count = bad(number)

    @rejected(
        f"op_names.total_{number}",
        "counts",
        "read.count",
        where=("bad", "data:1"),
        or_accepted=True,
        section="Dialect",
        upstream=UNSAFE,
        differs="the total is a hint about memory to ask for",
    )
    def _(b: Base, number: int = number) -> None:
        b.file.dialects.op_count = bad(number)


for number in (0, 1, 7):

    @accepted(f"op_names.total_of_{number}", "wrong op count")
    def _(b: Base, number: int = number) -> None:
        b.file.dialects.op_count = bad(number)


@accepted("op_names.empty_groups", "empty groups")
def _(b: Base) -> None:
    groups = b.file.dialects.groups
    b.file.dialects.groups = [
        OpNameGroup(1),
        groups[0],
        OpNameGroup(0),
        OpNameGroup(1),
        *groups[1:],
        OpNameGroup(1),
    ]


@accepted("op_names.a_dialect_twice", "several groups of a dialect")
def _(b: Base) -> None:
    (first, second) = b.file.dialects.groups
    names = second.names
    parts = [OpNameGroup(second.dialect, [name]) for name in names]
    b.file.dialects.groups = [first, *parts]


@accepted("op_names.without_a_dot", "names without a dot")
def _(b: Base) -> None:
    b.two_results.name = b.file.op_name("dotless")


@accepted("op_names.unused_dialect", "unused dialects")
def _(b: Base) -> None:
    b.file.dialects.dialects.append(Dialect(b.file.string("nobody_knows_it")))


def cut_after_section(b: Base, number: int) -> Encoded:
    """The file up to the end of the header of a section."""
    encoded = b.file.encode()
    return Encoded(encoded.data[: encoded.marks[f"data:{number}"][0]], encoded.marks)


for number in SectionId:
    if number not in (SectionId.DIALECT_VERSIONS, SectionId.RESOURCE):

        @rejected(
            f"file.ends_in_section_{int(number)}",
            "B2",
            "read.truncated",
            where="file",
            says="attempting to parse",
        )
        def _(b: Base, number: int = number) -> Encoded:
            # Behind a header there is always something missing: put the section last, and cut its data.
            b.file.order = [*_without(b, number), number]
            return cut_after_section(b, number)
