"""Hostile cases of the IR: regions, blocks, ops, values, use-list orders, and our limits."""

from support.assembler import (
    Argument,
    Block,
    File,
    Framing,
    Op,
    Region,
    UseList,
    Wire,
    bad,
    flagged,
    varint,
    varints,
)
from support.cases import ACCEPTS, REJECTS, UNSAFE, Base, Decorator, accepted, rejected
from support.cases_container import HUGE

INSIDE = ("bad", "data:4")


# Framing.


@rejected("ir.empty_section", "B1", "read.truncated", where="section:4", section="IR", says="at the end")
def _(b: Base) -> None:
    b.file.replaced[4] = b""


@rejected("ir.ends_in_an_op", "B1", "read.truncated", where="data:4", section="IR")
def _(b: Base) -> None:
    b.file.replaced[4] = b"\x05\x01"


@rejected("ir.op_missing", "B1", "read.truncated", where="data:4", section="IR", says="at the end")
def _(b: Base) -> None:
    b.file.top_block = Block(b.file.top, op_count=bad(flagged(2, False)))


for number, rule, identifier in (
    (3, "I1", "region.section"),
    (8, "I1", "region.section"),
    (9, "B4", "section.unknown_id"),
):

    @rejected(f"region.section_{number}", rule, f"read.{identifier}", section="IR", says="section")
    def _(b: Base, number: int = number) -> None:
        b.module.framing = Framing(id=Wire(bytes([number])))


for number in (10_000, 2**63, 2**64 - 1):

    @rejected(
        f"region.length_{number}",
        "B2",
        "read.truncated",
        where=INSIDE,
        section="IR",
        says="attempting to parse",
    )
    def _(b: Base, number: int = number) -> None:
        b.module.framing = Framing(length=bad(number))


@rejected("region.length_short", "B1", "read.truncated", where=INSIDE, section="IR", says="at the end")
def _(b: Base) -> None:
    b.module.framing = Framing(length=bad(6))


@rejected("region.length_zero", "B1", "read.truncated", where=INSIDE, section="IR", says="at the end")
def _(b: Base) -> None:
    b.module.framing = Framing(length=bad(0))


@rejected("region.alignment", "B5", "read.alignment", where=INSIDE, section="IR", says="power-of-two")
def _(b: Base) -> None:
    b.module.framing = Framing(id=Wire(b"\x84", "id"), align=bad(6), padding=Wire(b"", "padding"))


@accepted("region.section_trailing", "trailing bytes in region sections")
def _(b: Base) -> None:
    b.module.region_trailing = b"\xff\xff\xff"


@accepted("ir.trailing", "trailing bytes in the IR section")
def _(b: Base) -> None:
    b.file.ir_trailing = b"\xff\xff\xff"


@accepted("region.isolated_without_regions", "isolated flag on nothing")
def _(b: Base) -> None:
    b.branch.mask = 0x18
    b.branch.isolated = True


@accepted("region.isolated_flag_missing", "missing isolated flag")
def _(b: Base) -> None:
    b.module.isolated = False
    b.module_of_file().isolated = False


for version in (0, 1, 2):

    @accepted(f"region.inline_or_framed_v{version}", "region sections since version 2", version=version)
    def _(b: Base) -> None:
        b.module.regions = [b.region, Region()]


# The top.


@accepted("top.several_ops", "several top-level ops")
def _(b: Base) -> None:
    b.file.top = [Op(b.indices["made"], results=[0, 1]), *b.file.top, Op(b.indices["made"])]


@accepted("top.no_ops", "no top-level op")
def _(b: Base) -> None:
    b.file.top = []


@rejected(
    "top.uses_a_top_level_result", "X1", "read.index", section="IR", expects="value", says="value index"
)
def _(b: Base) -> None:
    b.file.top = [Op(b.indices["made"], results=[0]), Op(b.indices["used"], operands=[bad(0)])]


# Counts.

for number in HUGE:

    def _count(
        kind: str, number: int = number, also: tuple[str, ...] = ("read.truncated",), upstream: str = UNSAFE
    ) -> Decorator:
        return rejected(
            f"count.{kind}_{number}",
            "counts",
            "read.count",
            also=also,
            where=INSIDE,
            section="IR",
            upstream=upstream,
            says="at the end" if upstream == REJECTS else "",
        )

    @_count("results")
    def _(b: Base, number: int = number) -> None:
        b.two_results.result_count = bad(number)

    @_count("operands")
    def _(b: Base, number: int = number) -> None:
        b.used.operand_count = bad(number)

    @_count("successors")
    def _(b: Base, number: int = number) -> None:
        b.branch.successor_count = bad(number)

    @_count("regions")
    def _(b: Base, number: int = number) -> None:
        b.nested.region_count = bad(flagged(number, False))

    @_count("regions_of_isolated")
    def _(b: Base, number: int = number) -> None:
        b.module.region_count = bad(flagged(number, True))

    @_count("blocks", also=("read.truncated", "read.region.values"))
    def _(b: Base, number: int = number) -> None:
        b.region.num_blocks = bad(number)

    @_count("ops", upstream=REJECTS)
    def _(b: Base, number: int = number) -> None:
        b.file.top_block = Block(b.file.top, op_count=bad(flagged(number, False)))

    @_count("arguments", also=("read.truncated", "read.region.values"))
    def _(b: Base, number: int = number) -> None:
        b.inner.argument_count = bad(number)

    @_count("use_lists", upstream=REJECTS)
    def _(b: Base, number: int = number) -> None:
        _shuffled_results(b).use_list_count = bad(number)

    @_count("use_list_elements", upstream=REJECTS)
    def _(b: Base, number: int = number) -> None:
        _shuffled(b).use_lists = [UseList([1, 0, 2], count=bad(flagged(number, False)))]

    @rejected(
        f"count.values_{number}",
        "counts",
        "read.count",
        also=("limit.memory", "read.value.unresolved"),
        or_accepted=True,
        where=INSIDE,
        section="IR",
        upstream=UNSAFE,
        differs="a number too large is harmless unless it is believed",
    )
    def _(b: Base, number: int = number) -> None:
        b.region.num_values = bad(number)


# Indexes.


@rejected(
    "index.op_name", "X1", "read.index", section="IR", expects="operation name", says="operation name index"
)
def _(b: Base) -> None:
    b.two_results.name = bad(50)


@rejected("index.location", "X1", "read.index", section="IR", expects="attribute", says="Attribute index")
def _(b: Base) -> None:
    b.two_results.location = bad(50)


@rejected("index.dictionary", "X1", "read.index", section="IR", expects="attribute", says="Attribute index")
def _(b: Base) -> None:
    b.two_results.attributes = bad(50)


@rejected("index.type_of_a_result", "X1", "read.index", section="IR", expects="type", says="Type index")
def _(b: Base) -> None:
    b.two_results.results = [0, bad(50)]


for version in (3, 6):

    @rejected(
        f"index.type_of_an_argument_v{version}",
        "X1",
        "read.index",
        section="IR",
        version=version,
        expects="type",
        says="Type index",
    )
    def _(b: Base, version: int = version) -> None:
        b.inner.arguments[0].type = bad(flagged(50, False) if version >= 4 else 50)

    @rejected(
        f"index.location_of_an_argument_v{version}",
        "X1",
        "read.index",
        section="IR",
        version=version,
        expects="attribute",
        says="Attribute index",
    )
    def _(b: Base, version: int = version) -> None:
        b.inner.arguments[0].location = bad(50)


@rejected("index.operand", "X1", "read.index", section="IR", expects="value", says="value index")
def _(b: Base) -> None:
    b.used.operands = [0, bad(3)]


@rejected("index.operand_2^32", "X1", "read.index", section="IR", expects="value", says="value index")
def _(b: Base) -> None:
    b.used.operands = [0, bad(2**32)]


@rejected(
    "index.operand_across_isolation", "X1", "read.index", section="IR", expects="value", says="value index"
)
def _(b: Base) -> None:
    # The region of `nested` is isolated here: only its own argument is in scope.
    b.nested.isolated = True
    b.used.operands = [0, bad(1)]


for number in (2, 2**32):

    @rejected(
        f"index.successor_{number}",
        "X1",
        "read.index",
        section="IR",
        expects="successor",
        says="successor index",
    )
    def _(b: Base, number: int = number) -> None:
        b.branch.successors = [bad(number)]


# Values.


@rejected("values.too_few", "I2", "read.region.values", where=INSIDE, section="IR", says="value")
def _(b: Base) -> None:
    b.region.num_values = bad(1)


@rejected(
    "values.too_few_for_arguments", "I2", "read.region.values", where=INSIDE, section="IR", says="value"
)
def _(b: Base) -> None:
    b.block.arguments = [Argument(0), Argument(0)]
    b.region.num_values = bad(1)


@rejected("values.none_for_arguments", "I2", "read.region.values", where=INSIDE, section="IR", says="value")
def _(b: Base) -> None:
    b.nested.regions = [Region([Block([], [Argument(0)])], num_values=bad(0))]


@accepted("values.none_for_results", "nValues 0 leaves results unnumbered")
def _(b: Base) -> None:
    b.nested.regions = [Region([Block([Op(b.indices["made"], results=[0, 0])])], num_values=0)]


@accepted("values.too_many", "too large nValues")
def _(b: Base) -> None:
    b.region.num_values = 40
    b.used.operands = [0, 40]


@rejected("values.unresolved", "I3", "read.value.unresolved", where="data:4", section="IR", says="forward")
def _(b: Base) -> None:
    b.region.num_values = 3
    b.used.operands = [0, bad(2)]


@accepted("values.own_result", "an op may use its own result")
def _(b: Base) -> None:
    b.two_results.operands = [1]


@accepted("values.forward", "forward references")
def _(b: Base) -> None:
    b.block.ops = [b.nested, b.two_results]


# Masks and bytes.


@accepted("mask.bit_0x80", "mask bit 0x80")
def _(b: Base) -> None:
    b.two_results.mask = 0x83


@accepted("mask.use_lists_in_version_2", "mask bit 0x20 before version 3", version=2)
def _(b: Base) -> None:
    b.two_results.mask = 0x23


@accepted("mask.zero_counts", "zero counts under set bits")
def _(b: Base) -> None:
    b.branch.mask = 0x1E
    b.used.mask = 0x1E


@accepted("block.zero_arguments", "arguments flag with none")
def _(b: Base) -> None:
    b.block.has_arguments = True


for byte in (0x01, 0x40, 0xFF):

    @accepted(f"block.use_list_byte_{byte:#x}", "ul bytes other than 0x20")
    def _(b: Base, byte: int = byte) -> None:
        _shuffled_arguments(b).use_list_byte = byte


@accepted("op.numbers_over_long", "over-long varint")
def _(b: Base) -> None:
    b.used.operands = [bad(0, size=9), Wire(varint(2, 5))]
    b.used.name = bad(b.indices["used"], size=3)


# Use-list orders. `two_results` has two results; the first is used six times.


def _shuffled(b: Base, uses: int = 6) -> Op:
    """An op of one result with that many uses, so that its list is the only one and has no index."""
    single = Op(b.indices["made"], results=[b.indices["i8"]])
    users = [Op(b.indices["used"], operands=[2]) for _ in range(uses)]
    b.region.blocks = [Block([*b.block.ops, single, *users]), *b.region.blocks[1:]]
    b.used.operands = [0, 2]
    b.inner.arguments = []
    single.use_lists = [UseList([1, 0, *range(2, uses + 1)])]
    single.mask = 0x22
    return single


def _shuffled_results(b: Base) -> Op:
    """An op of two results with three uses each."""
    users = [Op(b.indices["used"], operands=[0, 1]) for _ in range(3)]
    b.region.blocks = [Block([b.two_results, *users]), *b.region.blocks[1:]]
    b.two_results.mask = 0x23
    return b.two_results


def _shuffled_arguments(b: Base) -> Block:
    """A block of two arguments with three uses each."""
    users = [Op(b.indices["used"], operands=[3, 4]) for _ in range(3)]
    block = Block(users, [Argument(0), Argument(0)], use_lists=[UseList([1, 0, 2], 0), UseList([1, 2, 0], 1)])
    b.nested.regions = [Region([block])]
    b.two_results.results = [0, 0, 0]
    return block


@accepted("use_list.valid", "use-list orders")
def _(b: Base) -> None:
    _shuffled(b)


@accepted("use_list.valid_pairs", "use-list orders")
def _(b: Base) -> None:
    _shuffled(b).use_lists = [UseList([1, 0, 0, 1], pairs=True)]


@accepted("use_list.valid_of_arguments", "use-list orders")
def _(b: Base) -> None:
    _shuffled_arguments(b)


def _order(name: str, upstream: str = "rejects", differs: str = "", says: str = "") -> Decorator:
    return rejected(
        f"use_list.{name}",
        "I4",
        "read.use_list",
        where="data:4",
        section="IR",
        upstream=upstream,
        differs=differs,
        says=says,
    )


@_order("odd_pairs", says="use-list order")
def _(b: Base) -> None:
    _shuffled(b).use_lists = [UseList([1, 0, 2], pairs=True)]


@_order("twice_the_same", says="use-list order")
def _(b: Base) -> None:
    _shuffled(b).use_lists = [UseList([1, 1, 2, 3, 4, 5, 6])]


@_order("too_short", says="use-list order")
def _(b: Base) -> None:
    _shuffled(b).use_lists = [UseList([1, 0, 2])]


@_order("too_long", says="use-list order")
def _(b: Base) -> None:
    _shuffled(b).use_lists = [UseList([1, 0, 2, 3, 4, 5, 6, 7])]


@_order("element_past_the_uses", says="use-list order")
def _(b: Base) -> None:
    _shuffled(b).use_lists = [UseList([1, 0, 2, 3, 4, 5, 70])]


@_order("pairs_no_permutation", says="use-list order")
def _(b: Base) -> None:
    _shuffled(b).use_lists = [UseList([0, 1], pairs=True)]


for number in (7, 1000, 2**31):

    @_order(f"pair_index_{number}", upstream=UNSAFE, differs="upstream writes past its list")
    def _(b: Base, number: int = number) -> None:
        _shuffled(b).use_lists = [UseList([number, 0, 0, number], pairs=True)]


@_order("of_an_argument", says="use-list order")
def _(b: Base) -> None:
    _shuffled_arguments(b).use_lists = [UseList([1, 1, 2], 0)]


@accepted("use_list.value_past_the_results", "value index out of range ignored")
def _(b: Base) -> None:
    _shuffled_results(b).use_lists = [UseList([1, 0, 2], 0), UseList([9, 9, 9], 7)]


@accepted("use_list.value_past_the_arguments", "value index out of range ignored")
def _(b: Base) -> None:
    _shuffled_arguments(b).use_lists = [UseList([9, 9, 9], 700)]


@accepted("use_list.first_entry_wins", "several entries for a value: the first wins")
def _(b: Base) -> None:
    _shuffled_results(b).use_lists = [UseList([1, 0, 2], 0), UseList([5, 5], 0)]


@accepted("use_list.of_an_unused_value", "values with fewer than 2 uses")
def _(b: Base) -> None:
    shuffled = _shuffled_results(b)
    shuffled.results = [0, 1, 1]
    shuffled.use_lists = [UseList([4, 4, 4], 2)]


@accepted("use_list.count_0_of_results", "count 0 for results")
def _(b: Base) -> None:
    _shuffled_results(b).use_lists = []


@rejected("use_list.count_0_of_arguments", "I5", "read.use_list", where="data:4", section="IR")
def _(b: Base) -> None:
    block = _shuffled_arguments(b)
    block.use_lists, block.use_list_byte, block.use_list_count = [], 0x20, bad(0)


# Limits.


def nested(depth: int, isolated: bool = False, version: int = 6) -> File:
    """Ops in regions of ops, to the given depth."""
    file = File(version=version, producer=b"hostile")
    module = file.op_name("builtin.module", registered=version >= 5)
    name = file.op_name("t.nested")
    file.attribute(varints(15))
    op = Op(name)
    for _ in range(depth):
        op = Op(name, regions=[Region([Block([op])])], isolated=isolated)
    blob = file.property(b"\x01\x01") if version >= 5 else None
    file.top.append(Op(module, properties=blob, regions=[Region([Block([op])])], isolated=True))
    return file


for isolated in (False, True):
    suffix = "isolated_regions" if isolated else "regions"

    @accepted(f"nesting.of_100_{suffix}", "nesting")
    def _(b: Base, isolated: bool = isolated) -> None:
        b.file = nested(100, isolated)

    @rejected(
        f"limit.depth_of_{suffix}",
        "depth",
        "limit.depth",
        error="LimitError",
        where="data:4",
        limits={"max_depth": 20},
        upstream=ACCEPTS,
        differs="a limit of ours",
    )
    def _(b: Base, isolated: bool = isolated) -> None:
        b.file = nested(100, isolated)


@rejected(
    "limit.memory",
    "memory",
    "limit.memory",
    error="LimitError",
    where="file",
    limits={"max_memory": 64},
    upstream=ACCEPTS,
    differs="a limit of ours",
)
def _(b: Base) -> None:
    b.block.ops = [*b.block.ops, *(Op(b.indices["made"]) for _ in range(500))]
