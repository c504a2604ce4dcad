"""Hostile cases of the attributes and types: directory, payloads, classes, cycles."""

from support.assembler import (
    EntryGroup,
    bad,
    flagged,
    varint,
    varints,
)
from support.cases import ACCEPTS, REJECTS, UNSAFE, Base, Decorator, accepted, rejected
from support.cases_container import HUGE

DIRECTORY = ("bad", "data:3")
OPAQUE = "mlirbc keeps what it has no codec for as bytes"


# The directory of attributes and types.

for number in HUGE:

    @rejected(
        f"entries.num_attributes_{number}",
        "counts",
        "read.count",
        where=DIRECTORY,
        section="AttrTypeOffset",
        upstream=UNSAFE,
    )
    def _(b: Base, number: int = number) -> None:
        b.file.entries.num_attributes = bad(number)

    @rejected(
        f"entries.num_types_{number}",
        "counts",
        "read.count",
        where=DIRECTORY,
        section="AttrTypeOffset",
        upstream=UNSAFE,
    )
    def _(b: Base, number: int = number) -> None:
        b.file.entries.num_types = bad(number)

    @rejected(
        f"entries.group_count_{number}",
        "counts",
        "read.entry.group_overrun",
        also=("read.count",),
        where=DIRECTORY,
        section="AttrTypeOffset",
        upstream=UNSAFE,
        differs="upstream writes past its table",
    )
    def _(b: Base, number: int = number) -> None:
        b.file.entries.attributes[0].count = bad(number)


@rejected(
    "entries.group_overrun_attributes",
    "group overrun",
    "read.entry.group_overrun",
    where=DIRECTORY,
    section="AttrTypeOffset",
    upstream=UNSAFE,
    differs="upstream writes past its table",
)
def _(b: Base) -> None:
    entries = b.file.entries.attributes[0].entries
    b.file.entries.num_attributes = len(entries) - 1
    b.file.entries.attributes[0].count = bad(len(entries))


@rejected(
    "entries.group_overrun_types",
    "group overrun",
    "read.entry.group_overrun",
    where=DIRECTORY,
    section="AttrTypeOffset",
    upstream=UNSAFE,
    differs="upstream writes past its table",
)
def _(b: Base) -> None:
    entries = b.file.entries.types[0].entries
    b.file.entries.num_types = len(entries) - 1
    b.file.entries.types[0].count = bad(len(entries))


@rejected(
    "entries.directory_short",
    "B1",
    "read.truncated",
    where="data:3",
    section="AttrTypeOffset",
    says="at the end",
)
def _(b: Base) -> None:
    b.file.entries.num_types = 3


@rejected(
    "entries.directory_trailing", "A2", "read.entry.directory", where="data:3", section="AttrTypeOffset"
)
def _(b: Base) -> None:
    b.file.entries.directory_trailing = b"\x01\x01"


@rejected("entries.empty_directory", "B1", "read.truncated", where=("section:3"), section="AttrTypeOffset")
def _(b: Base) -> None:
    b.file.replaced[3] = b""


@rejected(
    "entries.dialect_index",
    "X1",
    "read.index",
    section="AttrTypeOffset",
    expects="dialect",
    says="dialect index",
)
def _(b: Base) -> None:
    b.file.entries.types[0].dialect = bad(2)


for number in (100, 2**31, 2**62, 2**63 - 1):

    @rejected(
        f"entries.size_{number}",
        "A1",
        "read.entry.past_end",
        where=("bad", "data:3", "data:2"),
        section=("AttrTypeOffset", "AttrType"),
        says="past the end",
    )
    def _(b: Base, number: int = number) -> None:
        b.file.entries.types[0].entries[0].size = bad(flagged(number, True))


@rejected(
    "entries.sizes_wrap_around",
    "A1",
    "read.entry.past_end",
    where=("bad", "data:3", "data:2"),
    section=("AttrTypeOffset", "AttrType"),
    says="past the end",
)
def _(b: Base) -> None:
    # Three sizes that add up to a small number once 64 bits are full.
    entries = b.file.entries.attributes[0].entries
    entries[0].size = bad(flagged(2**63 - 1, True))
    entries[1].size = 2**63 - 1
    entries[2].size = 2 + len(entries[0].payload + entries[1].payload + entries[2].payload)


@accepted("entries.payload_trailing", "trailing bytes in section 2")
def _(b: Base) -> None:
    b.file.entries.trailing = b"\xde\xad"


@accepted("entries.empty_groups", "empty groups")
def _(b: Base) -> None:
    entries = b.file.entries
    entries.attributes = [EntryGroup(1), EntryGroup(0), *entries.attributes]
    entries.types = [EntryGroup(1), *entries.types]


@accepted("entries.a_dialect_twice", "several groups of a dialect")
def _(b: Base) -> None:
    group = b.file.entries.attributes[0]
    b.file.entries.attributes = [EntryGroup(group.dialect, [entry]) for entry in group.entries]


@accepted("entries.sizes_over_long", "over-long varint")
def _(b: Base) -> None:
    entry = b.file.entries.attributes[0].entries[1]
    entry.size = bad(flagged(len(entry.payload), True), size=9)


# Entries that nothing refers to may hold anything.


@accepted("unused.garbage", "unused garbage entries")
def _(b: Base) -> None:
    b.file.attribute(b"\xff\xff\xff\xff")
    b.file.type(b"\xff\xff\xff")


@accepted("unused.cycle", "unused garbage entries")
def _(b: Base) -> None:
    index = b.file.attribute(b"")
    b.file.entries.attributes[-1].entries[index].payload = varints(0, 1, index)


@accepted("unused.text_without_end", "unused garbage entries")
def _(b: Base) -> None:
    b.file.attribute("no end")
    b.file.entries.attributes[-1].entries[-1].payload = b"no end"


@accepted("unused.nothing", "unused garbage entries")
def _(b: Base) -> None:
    b.file.attribute(b"")
    b.file.type(b"")


@accepted("unused.index_past_the_table", "unused garbage entries")
def _(b: Base) -> None:
    b.file.attribute(varints(0, 1, 1000))


# Payloads of entries in use.


@rejected(
    "entry.trailing_bytes",
    "A3",
    "read.entry.trailing_bytes",
    where="payload",
    section="AttrType",
    says="trailing",
)
def _(b: Base) -> None:
    b.attribute_of(varints(15) + b"\0")


@rejected(
    "entry.trailing_bytes_type",
    "A3",
    "read.entry.trailing_bytes",
    where="payload",
    section="AttrType",
    says="trailing",
)
def _(b: Base) -> None:
    b.type_of(varints(1) + b"\0")


@rejected(
    "entry.trailing_bytes_text",
    "A3",
    "read.entry.trailing_bytes",
    where="payload",
    section="AttrType",
    says="trailing",
)
def _(b: Base) -> None:
    b.attribute_of("unit\0x")


@rejected(
    "entry.text_unterminated",
    "B3",
    "read.string.unterminated",
    where="payload",
    section="AttrType",
    says="null-terminated",
)
def _(b: Base) -> None:
    b.attribute_of("unit")
    b.file.entries.attributes[0].entries[-2].payload = b"unit"


@rejected(
    "entry.text_empty",
    "B3",
    "read.string.unterminated",
    where="payload",
    section="AttrType",
    says="null-terminated",
)
def _(b: Base) -> None:
    b.attribute_of("")
    b.file.entries.attributes[0].entries[-2].payload = b""


@accepted("entry.text_trailing_blanks", "text is consumed")
def _(b: Base) -> None:
    b.attribute_of("unit   \t ")


@accepted("entry.text_of_a_dialect", "text is consumed")
def _(b: Base) -> None:
    b.attribute_of('#t.x<1 -> [")"], // no comment\n (2)>')


@accepted("entry.text_of_a_dialect_type", "text is consumed")
def _(b: Base) -> None:
    b.type_of('!t<"raw">')


@accepted("entry.text_with_escapes", "text is consumed")
def _(b: Base) -> None:
    b.attribute_of('#t.x<"\x1b[2J" \u202e>')


def text(name: str, rule: str, says: str) -> Decorator:
    """Text that is not one attribute or not one type."""
    where, section = "payload", "AttrType"
    return rejected(f"entry.text_{name}", rule, "read.entry.text", where=where, section=section, says=says)


@text("characters_left", "A4", "trailing characters")
def _(b: Base) -> None:
    b.attribute_of("unit unit")


@text("nonsense", "A8", "expected attribute value")
def _(b: Base) -> None:
    b.attribute_of(")(")


@text("with_an_operation", "A4", "trailing characters")
def _(b: Base) -> None:
    b.attribute_of('1 : i32} : () -> (i8, i32)\n    "evil.op"() {y = 1')


@rejected(
    "entry.text_with_a_comment",
    "A4",
    "read.entry.text",
    where="payload",
    section="AttrType",
    upstream=ACCEPTS,
    differs="printed as it is, a comment would hide what stands after the attribute",
)
def _(b: Base) -> None:
    b.attribute_of("{a = 1} // }")


@text("of_a_list", "A4", "trailing characters")
def _(b: Base) -> None:
    b.attribute_of("1, b = 2")


@text("that_closes_a_bracket", "A4", "trailing characters")
def _(b: Base) -> None:
    b.attribute_of('#t.x<1>>, "evil.op"')


@text("of_a_type_with_an_operation", "A4", "trailing characters")
def _(b: Base) -> None:
    b.type_of('!t.x<1> "evil.op"() : () -> ()')


@text("of_an_attribute_for_a_type", "A8", "expected non-function type")
def _(b: Base) -> None:
    b.type_of("1 : i32")


@accepted(
    "entry.custom_of_an_unknown_dialect", "A5", upstream=REJECTS, says="bytecode interface", differs=OPAQUE
)
def _(b: Base) -> None:
    b.attribute_of(varints(0), dialect="t")


@rejected("entry.empty", "B1", "read.truncated", where="payload", section="AttrType", says="at the end")
def _(b: Base) -> None:
    b.attribute_of(b"")


@rejected(
    "entry.location_cut", "B1", "read.truncated", where="payload", section="AttrType", says="at the end"
)
def _(b: Base) -> None:
    b.two_results.location = b.file.attribute(varints(11, b.indices["here"], 3), mark="payload")


@rejected("entry.integer_cut", "B1", "read.truncated", where="payload", section="AttrType", says="at the end")
def _(b: Base) -> None:
    b.attribute_of(varints(8, b.indices["i32"]))


@rejected(
    "entry.unknown_code", "A7", "read.entry.unknown_code", where="payload", section="AttrType", says="99"
)
def _(b: Base) -> None:
    b.attribute_of(varints(99))


@rejected(
    "entry.unknown_code_type", "A7", "read.entry.unknown_code", where="payload", section="AttrType", says="99"
)
def _(b: Base) -> None:
    b.type_of(varints(99))


@rejected("entry.unknown_code_2^64", "A7", "read.entry.unknown_code", where="payload", section="AttrType")
def _(b: Base) -> None:
    b.attribute_of(varint(2**64 - 1))


for payload, table in (
    ((0, 1, 1000), "attribute"),
    ((6, 1000), "type"),
    ((2, 1000), "string"),
    ((16, 0, 5), "resource"),
):

    @rejected(
        f"entry.{table}_index",
        "X1",
        "read.index",
        where="payload",
        section="AttrType",
        expects=table,
        says="invalid",
    )
    def _(b: Base, payload: tuple[int, ...] = payload) -> None:
        if payload[0] == 16:
            payload = (16, b.file.type(varints(13, 1, 9, b.indices["i8"])), 5)
        b.attribute_of(varints(*payload))


@rejected("entry.type_index_in_type", "X1", "read.index", where="payload", section="AttrType", expects="type")
def _(b: Base) -> None:
    b.type_of(varints(15, 1, 77))


@rejected(
    "entry.attribute_index_2^32", "X1", "read.index", where="payload", section="AttrType", expects="attribute"
)
def _(b: Base) -> None:
    b.attribute_of(varints(0, 1, 2**32))


for code in (0, 1, 12):
    for number in HUGE:

        @rejected(
            f"entry.count_{number}_in_code_{code}",
            "counts",
            "read.count",
            also=("read.truncated",),
            where="payload",
            section="AttrType",
            upstream=UNSAFE,
        )
        def _(b: Base, code: int = code, number: int = number) -> None:
            b.attribute_of(varints(code, number))


# Classes.

CLASS = "read.entry.class"
SEEN_FROM = ("bad", "data:2", "data:4")


@rejected(
    "class.location_of_an_op",
    "A6",
    CLASS,
    where=SEEN_FROM,
    section=("IR", "AttrType"),
    expects="loc",
    says="expected",
)
def _(b: Base) -> None:
    b.two_results.location = bad(b.indices["here"])


@rejected(
    "class.dictionary_of_an_op", "A6", CLASS, where=SEEN_FROM, section=("IR", "AttrType"), expects="dict"
)
def _(b: Base) -> None:
    b.two_results.attributes = bad(b.indices["here"])


@rejected(
    "class.location_of_an_argument", "A6", CLASS, where=SEEN_FROM, section=("IR", "AttrType"), expects="loc"
)
def _(b: Base) -> None:
    b.inner.arguments[0].location = bad(b.indices["five"])


@rejected("class.name_in_a_dictionary", "A6", CLASS, where="payload", section="AttrType", expects="str")
def _(b: Base) -> None:
    b.two_results.attributes = b.file.attribute(
        varints(1, 1, b.indices["five"], b.indices["five"]), mark="payload"
    )


@rejected("class.name_of_a_file", "A6", CLASS, where="payload", section="AttrType", expects="str")
def _(b: Base) -> None:
    b.two_results.location = b.file.attribute(varints(11, b.indices["five"], 1, 1), mark="payload")


@rejected("class.root_of_a_symbol", "A6", CLASS, where="payload", section="AttrType", expects="str")
def _(b: Base) -> None:
    b.attribute_of(varints(4, b.indices["unknown"]))


@rejected("class.child_of_a_location", "A6", CLASS, where="payload", section="AttrType", expects="loc")
def _(b: Base) -> None:
    b.two_results.location = b.file.attribute(
        varints(14, b.indices["here"], b.indices["five"]), mark="payload"
    )


@accepted("class.dictionary_unsorted", "unsorted dictionaries")
def _(b: Base) -> None:
    here_text, key, five = (b.indices[name] for name in ("here", "k", "five"))
    b.two_results.attributes = b.file.attribute(varints(1, 2, key, five, here_text, five))


# Cycles.

CYCLE = "upstream never ends, or runs out of stack"


def _cycle(name: str) -> Decorator:
    return rejected(
        f"cycle.{name}",
        "cycles",
        "read.entry.cycle",
        where="data:2",
        section="AttrType",
        upstream=UNSAFE,
        differs=CYCLE,
    )


@_cycle("of_one")
def _(b: Base) -> None:
    index = b.attribute_of(b"")
    b.file.entries.attributes[0].entries[index].payload = varints(0, 1, index)


@_cycle("of_two")
def _(b: Base) -> None:
    first = b.attribute_of(b"")
    second = b.file.attribute(varints(0, 1, first))
    b.file.entries.attributes[0].entries[first].payload = varints(0, 2, b.indices["five"], second)


@_cycle("of_a_location")
def _(b: Base) -> None:
    index = b.file.attribute(b"")
    b.file.entries.attributes[0].entries[index].payload = varints(14, b.indices["here"], index)
    b.two_results.location = index


@_cycle("of_call_sites")
def _(b: Base) -> None:
    first = b.file.attribute(b"")
    second = b.file.attribute(varints(10, b.indices["unknown"], first))
    b.file.entries.attributes[0].entries[first].payload = varints(10, second, b.indices["place"])
    b.inner.arguments[0].location = first


@_cycle("of_the_dictionary_itself")
def _(b: Base) -> None:
    index = b.file.attribute(b"")
    b.file.entries.attributes[0].entries[index].payload = varints(1, 1, b.indices["k"], index)
    b.two_results.attributes = index


@_cycle("of_a_type")
def _(b: Base) -> None:
    index = b.type_of(b"")
    b.file.entries.types[0].entries[index].payload = varints(15, 1, index)


@_cycle("through_types")
def _(b: Base) -> None:
    attribute = b.attribute_of(b"")
    type = b.file.type(varints(14, attribute, 1, 9, b.indices["i8"]))
    b.file.entries.attributes[0].entries[attribute].payload = varints(6, type)


def chain(b: Base, length: int) -> int:
    """Arrays in arrays; the last index is the outermost."""
    index = b.indices["five"]
    for _ in range(length):
        index = b.file.attribute(varints(0, 1, index))
    return index


@accepted("chain.of_1000", "deep chains are no cycles")
def _(b: Base) -> None:
    b.carry(chain(b, 1000))


@accepted("chain.shared", "a shared entry is not a cycle")
def _(b: Base) -> None:
    # Each level has the one below twice: 2^60 paths to the bottom, 60 entries.
    index = b.indices["five"]
    for _ in range(60):
        index = b.file.attribute(varints(0, 2, index, index))
    b.carry(index)


@rejected(
    "limit.depth_of_attributes",
    "depth",
    "limit.depth",
    error="LimitError",
    where="data:2",
    limits={"max_depth": 20},
    upstream=ACCEPTS,
    differs="a limit of ours",
)
def _(b: Base) -> None:
    b.carry(chain(b, 200))
