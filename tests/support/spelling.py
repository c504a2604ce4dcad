"""Brings the generic text of several releases to one spelling.

What is compared is what a module says, not how: properties and attributes are one dictionary, values that an
op has anyway are left out, and renamed things have their newest name. `spelling_facts.py` has the names, and
each `mlir-opt` says which values it fills in: nothing here is read from the product's own data.
"""

import bisect
import math
import re
from typing import Any

from support import generic_text
from support.spelling_facts import (
    ADDED,
    DATA_LAYOUT_WIDTH_SINCE,
    ELEMENT_TYPES,
    EMPTY_REDUCE,
    EMPTY_REGIONS,
    EXCHANGED_SINCE,
    FLAGS,
    GROUPED_SINCE,
    GROUPS,
    IMPLIED,
    LLVM,
    LOOP_WRAPPERS,
    OPAQUE_CALLS_SINCE,
    OPAQUE_POINTERS_SINCE,
    OPS,
    OTHER_WIDTHS,
    PROPERTIES,
    SHAPED_BY_RESULT,
    TARGET_DEFAULTS,
    TERMINATORS,
    TEXTS,
    WORD_SINCE,
    WORDS,
    defaults,
    groups,
)

# Strings are left alone.
_OLDER = re.compile(
    r'"(?:[^"\\]|\\.)*"'
    rf"|(?P<text>{'|'.join(map(re.escape, TEXTS))})(?!\w)"
    rf"|#(?P<dialect>{'|'.join(WORDS)})<(?P<word>\w+) (?P<value>[^<>]*)>",
    re.DOTALL,
)


def respell(text: str) -> str:
    """Text of any release in the newest spelling."""
    return _OLDER.sub(_newer, text)


def _newer(match: re.Match[str]) -> str:
    if match["text"] is not None:
        return TEXTS[match["text"]]
    if match["dialect"] is not None:
        word = WORD_SINCE.get(match["word"], match["word"])
        return f"#{match['dialect']}.{word}<{match['value']}>"
    return match[0]


_ENTRY = re.compile(
    r'#dlti\.dl_entry<((?:"[^"]*")|![\w.]+<[^<>]*>|[\w!#.<>()]+?), (.*?)>(?=, #dlti|, [\w"]|>)'
)
_DEVICE = re.compile(r'("(?:[^"\\]|\\.)*") : (?=#dlti\.target_device_spec)')
_KEY = re.compile(r'dense_resource<("(?:[^"\\]|\\.)*"|[^<>]*)>')


_BOOLEANS = re.compile(r'dense<"0x([0-9A-F]*)">(?= : \w+<(?:\d+x)+i1>)')


# Releases before 23 print other values than they hold.
_COMPLEX_BOOLEANS = re.compile(r"(?:dense|sparse)<[^<>]*>(?= : \w+<(?:\d+x)*complex<i1>>)")
# Development builds leave out the defaults of debug information.
_DEFAULTS_OF_UNITS = re.compile(r", isOptimized = false|, emissionKind = None")


def packed(match: re.Match[str]) -> str:
    """Eight to a byte, as before 23."""
    bits = bytes.fromhex(match[1])
    groups = [bits[at : at + 8] for at in range(0, len(bits), 8)]
    data = bytes(sum((bit & 1) << place for place, bit in enumerate(group)) for group in groups)
    return f'dense<"0x{data.hex().upper()}">'


def plain_key(text: str, number: int) -> str:
    """The key of a resource, which releases since 20 quote."""
    if number < 20:
        return text
    if not text.startswith('"') or not text.endswith('"') or len(text) < 2:
        return text
    return generic_text.unescape(text).decode("utf-8", "surrogateescape")


# Releases without ends of locations have equal ones once.
_FUSED = re.compile(r'fused\[("[^"]*":\d+:\d+)(?:, \1)*\]')
_RANGE = re.compile(r'("(?:[^"\\]|\\.)*":\d+:\d+) to (?:\d*:\d+)')


# 22 puts the one with the smaller number first.
_INPUTS = r"[sd]\d+(?: ([+*]) [sd]\d+)(?: \%d [sd]\d+)*(?=[,)])"
_COMMUTED = re.compile(rf"(?<=\(){_INPUTS % 1}|(?<=, ){_INPUTS % 2}")
_MEMORY = re.compile(r"#llvm\.memory_effects<other = (\w+)([^<>]*)>")
_RECURSIVE = re.compile(r"tag = (\w+), recId = (distinct\[\d*\]<>)")
_ITSELF = re.compile(r"#llvm\.di_composite_type<recId = (distinct\[\d*\]<>), tag = DW_TAG_null>")
_NO_TAG = re.compile(r"tag = DW_TAG_null, |, tag = DW_TAG_null(?=>)")
_SPARSE = re.compile(r"#sparse_tensor\.encoding<\{ dimLevelType = \[([^\]]*)\]((?:[^{}])*) \}>")
_SPACES = re.compile(r"(#sparse_tensor\.encoding)<\{ *([^{}]*?) *\}>")
_UNSIGNED = re.compile(r"(!quant\.\w+<)u(?=\d)(\d+)")
_WIDTHS = re.compile(r"(dense<[^<>]*> : vector<\d+x)i32>")
_ELEMENTS = re.compile(r"#test\.i64_elements<(\[[^\]]*\]) : tensor<\w+>>")
_TARGET = re.compile(r'#(nvvm\.target|rocdl\.target)(?:<((?:[^<>"]|"[^"]*")*)>)?')


def memory_effects(match: re.Match[str]) -> str:
    """Without the kinds of memory that older releases count as `other`, if they have its effect."""
    remaining = re.sub(rf", (?:errnoMem|targetMem[01]) = {match[1]}(?=,|$)", "", match[2])
    return f"#llvm.memory_effects<other = {match[1]}{remaining}>"


def sparse_encoding(match: re.Match[str]) -> str:
    """The newer form of an encoding of a sparse tensor that only has levels, an order and widths."""
    levels = re.findall(r'"([\w-]+)"', match[1])
    order = re.search(r"dimOrdering = affine_map<\(([^()]*)\) -> \(([^()]*)\)>", match[2])
    names = [f"d{number}" for number in range(len(levels))]
    results = order[2].split(", ") if order else names
    words = {"nu": "nonunique", "no": "nonordered"}
    parts = []
    for result, level in zip(results, levels, strict=True):
        kind, *marks = level.split("-")
        marked = f"({', '.join(words[mark] for mark in marks)})" if marks else ""
        parts.append(f"{result} : {kind}{marked}")
    text = f"map = ({', '.join(names)}) -> ({', '.join(parts)})"
    for old, new in (("pointerBitWidth", "posWidth"), ("indexBitWidth", "crdWidth")):
        if width := re.search(rf"{old} = (\d+)", match[2]):
            text += f", {new} = {width[1]}"
    return f"#sparse_tensor.encoding<{{ {text} }}>"


def target(match: re.Match[str], number: int) -> str:
    """With the fields that are not printed if they have their default, which releases have changed."""
    fields = generic_text.split(match[2] or "")
    for name, by_release in TARGET_DEFAULTS[match[1]].items():
        if not any(field.startswith(f"{name} =") for field in fields):
            release = max(since for since in by_release if since <= max(number, 16))
            fields.append(f'{name} = "{by_release[release]}"')
    return f"#{match[1]}<{', '.join(sorted(fields))}>"


def commuted(match: re.Match[str]) -> str:
    """A sum or a product of inputs of a map: dimensions before symbols, smaller numbers first."""
    sign = f" {match[1] or match[2]} "
    return sign.join(sorted(match[0].split(sign), key=lambda name: (name[0], int(name[1:]))))


_POINTER = re.compile(r'"(?:[^"\\]|\\.)*"|(?<![\w.])(?:!llvm\.)?ptr<')
_WORDS_OF_LLVM = "array|func|label|metadata|ppc_fp128|ptr|struct|target|token|vec|void|x86_mmx"


def brackets(text: str, start: int) -> str:
    """The text from a place in brackets to the closing one."""
    depth, place = 1, start
    while depth and place < len(text):
        if text.startswith("->", place):
            place += 1
        elif text[place] in "<([{":
            depth += 1
        elif text[place] in ">)]}":
            depth -= 1
        place += 1
    return text[start : place - 1]


def sorted_fields(text: str, beginning: str) -> str:
    """The fields of an attribute in the order of their names: releases have different ones."""
    start = text.rfind(beginning)
    while start >= 0:
        body = brackets(text, start + len(beginning))
        fields = ", ".join(sorted(generic_text.split(body)))
        end = start + len(beginning) + len(body)
        text = f"{text[:start]}{beginning}{fields}{text[end:]}"
        start = text.rfind(beginning, 0, start)
    return text


def opaque_pointers(text: str) -> str:
    """Pointers without the types of their elements."""
    parts, done = [], 0
    while match := _POINTER.search(text, done):
        if match[0].startswith('"'):
            parts.append(text[done : match.end()])
            done = match.end()
            continue
        inner = brackets(text, match.end())
        space = re.fullmatch(r"(?:.*, *)?(\d+)", inner, re.DOTALL)
        parts.append(text[done : match.end() - 1] + (f"<{space[1]}>" if space else ""))
        done = match.end() + len(inner) + 1
    return "".join([*parts, text[done:]])


def element_type(text: str) -> str | None:
    """The type of the elements of a pointer, of a vector of pointers, or of a memref."""
    if match := re.fullmatch(r"memref<(?:[\d?]+x)*([^,]+).*>", text):
        return match[1]
    match = re.search(r"(?<![\w])ptr<", text)
    if not text.startswith("!llvm.") or match is None:
        return None
    inner = re.sub(r",\s*\d+$", "", brackets(text, match.end()))
    if inner.isdigit():
        return None
    return re.sub(rf"^(?=(?:{_WORDS_OF_LLVM})\b)", "!llvm.", inner)


def fits(pattern: str, name: str) -> bool:
    return pattern == name or (pattern.endswith("*") and name.startswith(pattern[:-1]))


def normal(text: str, release: str, counterpart: str, *, has_ranges: bool = True) -> list[tuple[Any, ...]]:
    """Every op of a printed module; `counterpart` is the release that it is compared with.

    Without ranges, their ends are left out.
    """
    number = LLVM[release]
    parsed = generic_text.parse(text)
    # Ends of ranges are compared only where both sides have them.
    has_ranges = has_ranges and LLVM[release] >= 20 and LLVM[counterpart] >= 20

    def spelled(text: str) -> str:
        text = respell(text)
        text = _ENTRY.sub(
            r"\1 = \2",
            _KEY.sub(
                lambda match: f"dense_resource<{plain_key(match[1], 18 if release == 'circt' else number)}>",
                text,
            ),
        )
        text = _DEVICE.sub(r"\1 = ", text)
        text = _BOOLEANS.sub(packed, text) if number >= 23 else text
        # 16 has one pair of brackets for scalable dimensions, and says so where a symbol has no name.
        text = text.replace("]x[", "x").replace("@<<INVALID EMPTY SYMBOL>>", '@""')
        text = _DEFAULTS_OF_UNITS.sub("", _COMPLEX_BOOLEANS.sub("dense<?>", text))
        if "circt" in (release, counterpart):
            # Text that CIRCT does not know stays text, where distinct attributes are numbered by themselves.
            text = re.sub(r"distinct\[\d+\]", "distinct[]", text)
        if number < DATA_LAYOUT_WIDTH_SINCE and text.startswith("#dlti."):
            text = _WIDTHS.sub(r"\1i64>", text)
        # 16 prints the type twice.
        text = _ELEMENTS.sub(r"#test.i64_elements<\1>", text)
        text = _SPARSE.sub(sparse_encoding, text)
        # IREE 3.13 prints encodings of sparse tensors without spaces, and unsigned integers by their type.
        text = _SPACES.sub(r"\1<{\2}>", text)
        if number >= 23 and "retainedNodes = [" in text:
            text = text.replace("retainedNodes = [", "retainedNodes = ").replace(">]>", ">>")
        text = _UNSIGNED.sub(r"\1ui\2", text)
        if number < OPAQUE_POINTERS_SINCE:
            text = opaque_pointers(text)
        if "affine_" in text:
            text = _COMMUTED.sub(commuted, text)
        text = _MEMORY.sub(memory_effects, text)
        text = _TARGET.sub(lambda match: target(match, number), text)
        text = _RECURSIVE.sub(r"recId = \2, tag = \1", text)
        # Both say that a type refers to itself, and that a type has no tag.
        text = _ITSELF.sub(r"#llvm.di_composite_type<recId = \1, isRecSelf = true>", text)
        text = sorted_fields(_NO_TAG.sub("", text), "#llvm.di_composite_type<")
        return text if has_ranges else _FUSED.sub(r"\1", _RANGE.sub(r"\1", text))

    # Some releases have an op at the end of blocks that others leave open.
    ends = {
        op.number
        for wrapper in parsed.walk()
        if wrapper.name in LOOP_WRAPPERS
        for region in wrapper.regions
        for block in region.blocks
        for op in block.operations[-1:]
        if op.name == "omp.terminator"
    }

    def is_end(op: generic_text.Operation) -> bool:
        return op.name in TERMINATORS or op.number in ends

    left_out = [op.number for op in parsed.walk() if is_end(op)]

    def place(op: generic_text.Operation) -> int:
        return op.number - bisect.bisect(left_out, op.number)

    def value(operand: generic_text.TextValue) -> tuple[Any, ...]:
        owner = operand.owner
        if isinstance(owner, generic_text.Operation):
            return place(owner), operand.number
        return place(owner.region.owner), region_number(owner.region), owner.number, operand.number

    def regions(op: generic_text.Operation) -> list[generic_text.Region]:
        return [region for region in op.regions if region.blocks or op.name not in EMPTY_REGIONS]

    def region_number(region: generic_text.Region) -> int:
        return regions(region.owner).index(region)

    yields = {
        block.operations[-1].number
        for op in parsed.walk()
        if op.name == "vector.warp_execute_on_lane_0"
        for region in op.regions
        for block in region.blocks
    }

    def name_of(op: generic_text.Operation) -> str:
        if op.number in yields:
            return "gpu.yield"
        if op.name == "emitc.call" and number < OPAQUE_CALLS_SINCE:
            return "emitc.call_opaque"
        is_empty = op.name == EMPTY_REDUCE and not op.operands
        return "scf.yield" if is_empty else renamed_op(op.name)

    def operands(op: generic_text.Operation) -> tuple[Any, ...]:
        is_exchanged = number < EXCHANGED_SINCE.get(op.name, 0)
        return tuple(map(value, op.operands[::-1] if is_exchanged else op.operands))

    return [
        (
            name_of(op),
            operands(op),
            tuple(op.successors),
            attributes(op, release, counterpart, number, spelled),
            tuple(map(spelled, op.result_types)),
            spelled(op.location or ""),
            tuple(
                tuple(
                    tuple((spelled(a.type), spelled(a.location or "")) for a in b.arguments) for b in r.blocks
                )
                for r in regions(op)
            ),
        )
        for op in parsed.walk()
        if not is_end(op)
    ]


def renamed_op(name: str) -> str:
    """The newest name: a reader that does not know an older one keeps the op as it is."""
    # 16 knows names without a dialect as a dialect without a name after the dot.
    return OPS.get(name, name).removesuffix(".")


def flags(text: str) -> str:
    """The number of a set of flags, which some releases spell out."""
    for prefix, numbers in FLAGS.items():
        if text.startswith(prefix):
            inner = text.removeprefix(prefix).removesuffix(">")
            names = [name.strip() for name in re.split(r"[,|]", inner)]
            return f"{sum(numbers[name] for name in names)} : i32" if set(names) <= set(numbers) else text
    return text


def renumbered(text: str, numbers: dict[int, int]) -> str:
    """The newer numbers of an enumeration; types have no numbers of their own."""
    return re.sub(r"(?<!\w)\d+", lambda match: str(numbers.get(int(match[0]), "?")), text)


_INTEGERS = re.compile(
    r"(?:array<i\d+(?:: )?([^<>\"]*)>|\[([-\d, ]*(?: : i\d+)?[-\d, :i]*)\]"
    r"|dense<\[([-\d, ]*)\]> : \w+<\d+xi\d+>)"
)


def integers(text: str) -> str:
    """Integers of an array, a dense array or dense elements in one form: releases change between these."""
    match = _INTEGERS.fullmatch(text)
    if match is None:
        return text
    inner = next((group for group in match.groups() if group is not None), "")
    return "[" + ", ".join(re.sub(r" : i\d+", "", item.strip()) for item in inner.split(",")) + "]"


_RESULTS = re.compile(r"-> \(([^()]*)\)")


def strides(memref: str) -> str:
    """The strides of a memref with a static shape, or with static strides, as an attribute."""
    if strided := re.search(r"strided<\[([\d, ]+)\]", memref):
        return f"array<i64: {strided[1]}>"
    match = re.fullmatch(r"memref<((?:\d+x)+)\w+>", memref)
    sizes = [int(size) for size in match[1].rstrip("x").split("x")] if match else []
    return f"array<i64: {', '.join(str(math.prod(sizes[place + 1 :])) for place in range(len(sizes)))}>"


def sizes(shaped: str) -> str:
    """The sizes of a type with a static shape, as an attribute."""
    match = re.match(r"(?:memref|tensor)<((?:\d+x)+)", shaped)
    return f"array<i64: {', '.join(match[1].rstrip('x').split('x'))}>" if match else ""


def named_sizes(text: str, kind: str, named_op: tuple[str, str], compared_op: tuple[str, str]) -> str:
    """The sizes that are not zero, by the names of their groups; releases add groups, and rename some."""
    sizes = [int(size) for size in re.findall(r"-?\d+", text.partition(":")[2])]
    mine, theirs = (
        [GROUPS.get(name, name) for name in groups(release, op, kind)]
        for release, op in (named_op, compared_op)
    )
    if len(mine) != len(sizes) or not theirs:
        # The operands are compared anyway.
        return ", ".join(str(size) for size in sizes if size)
    own_groups, their_groups = (
        [name for name in a if name not in b] for a, b in ((mine, theirs), (theirs, mine))
    )
    # Groups that `GROUPS` lacks keep their order, unless a release has more groups.
    is_renamed = len(own_groups) == len(their_groups)
    renamed = {name: f"#{number}" for number, name in enumerate(own_groups)} if is_renamed else {}
    named = sorted(
        f"{renamed.get(name, name)} = {size}" for name, size in zip(mine, sizes, strict=True) if size
    )
    return ", ".join(named)


def attributes(
    op: generic_text.Operation, release: str, counterpart: str, number: int, spelled: Any
) -> tuple[Any, ...]:
    printed_attributes: dict[str, str] = {}
    for text in (op.properties, op.attributes):
        # An op that the reader does not know may have any attribute as its properties.
        if text is not None and text.startswith("{"):
            printed_attributes.update(generic_text.dictionary(text))
        elif text is not None:
            printed_attributes["<properties>"] = text
    for name in ("operand", "result"):
        old, new = f"{name}_segment_sizes", f"{name}SegmentSizes"
        if old in printed_attributes:
            printed_attributes[new] = printed_attributes.pop(old)
    mine = defaults(release, op.name)
    theirs = defaults(counterpart, renamed_op(op.name)) or defaults(counterpart, op.name)
    compared = {}
    for name, printed in printed_attributes.items():
        text = flags(printed)
        filled_in = {flags(values[name]) for values in (mine, theirs) if name in values}
        if filled_in != {text or "unit"}:
            compared[name] = text or "unit"
    for row in PROPERTIES:
        if not fits(row.op, op.name):
            continue
        # A newer release keeps a discardable attribute of the older place, where it means nothing, and an
        # older reader gives it the older meaning: it stays unchanged under both names.
        if (row.since > number or "." in row.before) and row.before in compared and row.after not in compared:
            text = compared.pop(row.before)
            compared[row.after] = row.values.get(text, text)
        if row.since > number and row.numbers and row.after in compared:
            compared[row.after] = renumbered(compared[row.after], row.numbers)
    for pattern, name, text in ADDED:
        if fits(pattern, op.name) and compared.get(name) == text:
            del compared[name]
    if op.name in IMPLIED:
        name, text = IMPLIED[op.name]
        compared.setdefault(name, text)
    if op.name in ELEMENT_TYPES and number < OPAQUE_POINTERS_SINCE:
        name, place = ELEMENT_TYPES[op.name]
        types = op.result_types if place == "result" else op.operand_types
        if (element := element_type(types[0])) is not None:
            compared.setdefault(name, element)
    is_empty = re.fullmatch(r"array<i32: [0, ]+>", compared.get("operandSegmentSizes", "")) is not None
    if op.name in GROUPED_SINCE or (is_empty and op.name in {renamed_op(name) for name in GROUPED_SINCE}):
        compared.pop("operandSegmentSizes", None)
    for name, kind in (("operandSegmentSizes", "operands"), ("resultSegmentSizes", "results")):
        if name in compared:
            compared[name] = named_sizes(
                compared[name], kind, (release, op.name), (counterpart, renamed_op(op.name))
            )
    if re.fullmatch(r"(?:array<i32(?:: [0, ]*)?>)?", compared.get("operandSegmentSizes", "?")):
        compared.pop("operandSegmentSizes", None)
    if op.name in SHAPED_BY_RESULT and compared.get("static_output_shape") == sizes(op.result_types[0]):
        del compared["static_output_shape"]
    if op.name == "omp.map.info" and "map_type" in compared:
        compared["map_type"] = compared["map_type"].replace(" : ui64", " : i32")
    # 19 works the strides out.
    if op.name == "xegpu.create_nd_tdesc" and compared.get("const_strides") == strides(op.operand_types[0]):
        del compared["const_strides"]
    # Until 20 dimensions that are broadcast had to be in bounds.
    if op.name.startswith("vector.transfer_") and (
        results := _RESULTS.search(compared.get("permutation_map", ""))
    ):
        parts = results[1].split(", ")
        listed = re.findall(r"true|false", compared.get("in_bounds", "")) or ["false"] * len(parts)
        if "0" in parts and len(listed) == len(parts):
            listed = ["true" if part == "0" else item for part, item in zip(parts, listed, strict=True)]
            compared["in_bounds"] = f"[{', '.join(listed)}]"
    # Dimensions that are not in bounds need not be listed since 18.
    in_bounds = set(re.findall(r"\w+", compared.get("in_bounds", "")))
    if op.name.startswith("vector.transfer_") and in_bounds <= {"false"}:
        compared.pop("in_bounds", None)
    for pattern, name in OTHER_WIDTHS:
        if fits(pattern, op.name) and name in compared:
            compared[name] = re.sub(r" : i(?:8|64)\b", " : i32", compared[name])
    # Up to 19 readers keep the maps that they work out.
    compared.pop("linalg.memoized_indexing_maps", None)
    compared = {name: integers(text) for name, text in compared.items()}
    return tuple(sorted((name, spelled(text)) for name, text in compared.items()))
