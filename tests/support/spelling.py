"""Brings the generic text of several releases to one spelling, by `rust/mlirbc/data/translation.toml`.

What is compared is what a module says, not how: properties and attributes are one dictionary, values that an
op has anyway are left out, and renamed things have their newest name.
"""

import bisect
import functools
import json
import re
import tomllib
from pathlib import Path
from typing import Any

from support import generic_text

ROOT = Path(__file__).resolve().parents[2]
RUST = ROOT / "rust" / "mlirbc" / "data"
NEWEST = 99


@functools.cache
def data() -> dict[str, Any]:
    with (RUST / "translation.toml").open("rb") as file:
        return tomllib.load(file)


@functools.cache
def releases() -> dict[str, Any]:
    with (RUST / "releases.toml").open("rb") as file:
        return tomllib.load(file)


@functools.cache
def release(name: str) -> dict[str, Any]:
    return next((row for row in releases()["release"] if row["name"] == name), {"llvm": 22})


@functools.cache
def schema(name: str) -> dict[str, Any]:
    path = RUST / "releases" / f"{name}.json"
    ops = json.loads(path.read_text("utf-8"))["ops"] if path.exists() else {}
    return {
        op: {field["name"]: field for field in (row or {}).get("properties", [])} for op, row in ops.items()
    }


# ---- patterns ----

_HOLE = re.compile(r"\{(\w+)\}")
_SKIP = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"', re.DOTALL)


@functools.cache
def pieces(pattern: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    parts = _HOLE.split(pattern)
    return tuple(parts[::2]), tuple(parts[1::2])


def balanced_until(text: str, at: int, stop: str) -> int:
    """Where `stop` begins outside of brackets and strings; -1 when it does not."""
    depth = 0
    while at < len(text):
        if depth == 0 and text.startswith(stop, at):
            return at
        char = text[at]
        if char == '"' and (skip := _SKIP.match(text, at)):
            at = skip.end()
            continue
        if text.startswith("->", at):
            at += 2
            continue
        if char in "<([{":
            depth += 1
        elif char in ">)]}":
            depth -= 1
            if depth < 0:
                return -1
        at += 1
    return -1


def match(pattern: str, text: str, at: int) -> tuple[int, dict[str, str]] | None:
    """The end of what the pattern fits at this place, and what its holes hold."""
    literals, names = pieces(pattern)
    if not text.startswith(literals[0], at):
        return None
    if is_word(literals[0][:1]) and at > 0 and is_word(text[at - 1]):
        return None
    at += len(literals[0])
    holes = {}
    for name, literal in zip(names, literals[1:], strict=True):
        end = balanced_until(text, at, literal)
        if end < 0:
            return None
        holes[name] = text[at:end]
        at = end + len(literal)
    if is_word(pattern[-1]) and is_word(text[at : at + 1]):
        return None
    return at, holes


def is_word(char: str) -> bool:
    return char != "" and (char.isalnum() or char in "_.$")


def respell(text: str, since: int) -> str:
    """Text of a release in the newest spelling."""
    rules = [row for row in data().get("text", []) if row["at"] > since]
    for row in sorted(rules, key=lambda row: int(row["at"])):
        if _HOLE.split(row["before"])[0] not in text:
            continue
        out, at, last = [], 0, 0
        while at < len(text):
            if text[at] == '"' and (skip := _SKIP.match(text, at)):
                at = skip.end()
                continue
            found = match(row["before"], text, at)
            if found is None:
                at += 1
                continue
            out.append(text[last:at])
            after = row["after"]
            # Only what was found is put in, so a hole never fills another one.
            literals, names = pieces(after)
            out.append(literals[0])
            for name, literal in zip(names, literals[1:], strict=True):
                out += [respell_inner(found[1][name], row), literal]
            at = last = found[0]
        out.append(text[last:])
        text = "".join(out)
    return text


def respell_inner(text: str, row: dict[str, Any]) -> str:
    return text if _HOLE.split(row["before"])[0] not in text else respell_once(text, row)


def respell_once(text: str, row: dict[str, Any]) -> str:
    at = 0
    while at < len(text):
        found = match(row["before"], text, at)
        if found is not None:
            literals, names = pieces(row["after"])
            middle = literals[0] + "".join(
                found[1][n] + literal for n, literal in zip(names, literals[1:], strict=True)
            )
            text = text[:at] + middle + text[found[0] :]
            at += len(middle)
        else:
            at += 1
    return text


# ---- ops ----

_ENTRY = re.compile(r'#dlti\.dl_entry<((?:"[^"]*")|[\w!#.<>]+?), (.*?)>(?=, #dlti|, [\w"]|>)')
_DEVICE = re.compile(r'("(?:[^"\\]|\\.)*") : (?=#dlti\.target_device_spec)')
_KEY = re.compile(r'dense_resource<("(?:[^"\\]|\\.)*"|[^<>]*)>')


_BOOLEANS = re.compile(r'dense<"0x([0-9A-F]*)">(?= : \w+<(?:\d+x)+i1>)')


# Releases before 23 print other values than they hold.
_COMPLEX_BOOLEANS = re.compile(r"(?:dense|sparse)<[^<>]*>(?= : \w+<(?:\d+x)*complex<i1>>)")
# Development builds leave out what is the default of debug information.
_NOT_OPTIMIZED = ", isOptimized = false"


def packed(found: re.Match[str]) -> str:
    """Eight to a byte, as before 23."""
    bits = bytes.fromhex(found[1])
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


_RANGE = re.compile(r'("(?:[^"\\]|\\.)*":\d+:\d+) to (?:\d*:\d+)')


def fits(pattern: str, name: str) -> bool:
    return pattern == name or (pattern.endswith("*") and name.startswith(pattern[:-1]))


def normal(text: str, own: str, other: str) -> list[tuple[Any, ...]]:
    """Every op of a printed module; `other` is who it is compared with."""
    number = int(release(own)["llvm"])
    parsed = generic_text.parse(text)
    # Ends of ranges are compared only where both sides have them.
    has_ranges = all(int(release(name)["llvm"]) >= 20 for name in (own, other))

    def spelled(text: str) -> str:
        text = respell(text, number)
        text = _ENTRY.sub(
            r"\1 = \2",
            _KEY.sub(
                lambda found: f"dense_resource<{plain_key(found[1], 18 if own == 'circt' else number)}>", text
            ),
        )
        text = _DEVICE.sub(r"\1 = ", text)
        text = _BOOLEANS.sub(packed, text) if number >= 23 else text
        # 16 has one pair of brackets for scalable dimensions, and says so where a symbol has no name.
        text = text.replace("]x[", "x").replace("@<<INVALID EMPTY SYMBOL>>", '@""')
        text = _COMPLEX_BOOLEANS.sub("dense<?>", text).replace(_NOT_OPTIMIZED, "")
        if "circt" in (own, other):
            # What it does not know stays text, where distinct attributes are numbered by themselves.
            text = re.sub(r"distinct\[\d+\]", "distinct[]", text)
        return text if has_ranges else _RANGE.sub(r"\1", text)

    # Some releases have an op at the end of blocks that others leave open.
    ends = {row["op"] for row in data().get("terminator", [])}
    left_out = [op.number for op in parsed.walk() if op.name in ends]

    def place(op: generic_text.Operation) -> int:
        return op.number - bisect.bisect(left_out, op.number)

    def value(one: generic_text.Value) -> tuple[Any, ...]:
        owner = one.owner
        if isinstance(owner, generic_text.Operation):
            return place(owner), one.number
        return place(owner.region.owner), owner.region.number, owner.number, one.number

    return [
        (
            renamed_op(op.name),
            tuple(map(value, op.operands)),
            tuple(op.successors),
            attributes(op, own, other, number, spelled),
            tuple(map(spelled, op.result_types)),
            spelled(op.location or ""),
            tuple(
                tuple(
                    tuple((spelled(a.type), spelled(a.location or "")) for a in b.arguments) for b in r.blocks
                )
                for r in op.regions
            ),
        )
        for op in parsed.walk()
        if op.name not in ends
    ]


def renamed_op(name: str) -> str:
    """The newest name: a reader that does not know an older one keeps the op as it is."""
    for row in sorted(data().get("op", []), key=lambda row: int(row["at"])):
        if row["before"] == name:
            name = row["after"]
    # 16 knows names without a dialect as a dialect without a name behind the dot.
    return name.removesuffix(".")


def flags(text: str, fields: list[dict[str, Any]]) -> str:
    """The number of a set of flags, which some releases spell out."""
    for field in fields:
        names = field.get("text")
        if isinstance(names, dict) and text.startswith(names["prefix"]):
            numbers = {name: int(bit) for bit, name in names["flags"].items()}
            inner = text.removeprefix(names["prefix"]).removesuffix(names["suffix"])
            return f"{sum(numbers.get(name.strip(), 0) for name in inner.split(','))} : i32"
    return text


def renumbered(text: str, numbers: dict[int, int]) -> str:
    """The newer numbers of an enumeration; those of types are no numbers of their own."""
    return re.sub(r"(?<!\w)\d+", lambda found: str(numbers.get(int(found[0]), "?")), text)


_INTEGERS = re.compile(
    r"(?:array<i\d+(?:: )?([^<>\"]*)>|\[([-\d, ]*(?: : i\d+)?[-\d, :i]*)\]"
    r"|dense<\[([-\d, ]*)\]> : \w+<\d+xi\d+>)"
)


def integers(text: str) -> str:
    """One form for integers in an array, a dense array and dense elements: releases change between these."""
    found = _INTEGERS.fullmatch(text)
    if found is None:
        return text
    inner = next((group for group in found.groups() if group is not None), "")
    return "[" + ", ".join(re.sub(r" : i\d+", "", item.strip()) for item in inner.split(",")) + "]"


def attributes(
    op: generic_text.Operation, own: str, other: str, number: int, spelled: Any
) -> tuple[Any, ...]:
    found: dict[str, str] = {}
    for text in (op.properties, op.attributes):
        # An op that the reader does not know may have any attribute as its properties.
        if text is not None and text.startswith("{"):
            found.update(generic_text.dictionary(text))
        elif text is not None:
            found["<properties>"] = text
    for name in ("operand", "result"):
        old, new = f"{name}_segment_sizes", f"{name}SegmentSizes"
        if old in found:
            found[new] = found.pop(old)
    mine = schema(own).get(op.name, {})
    theirs = schema(other).get(renamed_op(op.name), schema(other).get(op.name, {}))
    left = {}
    for name, printed in found.items():
        known = [fields.get(name, {}) for fields in (mine, theirs)]
        text = flags(printed, known)
        defaults = {flags(field["default"], known) for field in known if "default" in field}
        if len(defaults) == 1 and (text or "unit") in defaults:
            continue
        # Flags that are not set, and optionals that are not there, are as good as absent.
        if text in ("[]", "false") and {"bool", "optional"} & {
            f.get(name, {}).get("kind") for f in (mine, theirs)
        }:
            continue
        left[name] = text or "unit"
    for row in data().get("property", []):
        if not fits(row["op"], op.name):
            continue
        before = row.get("before", "")
        # A newer release keeps a discardable attribute of the older place, where it means nothing, and an
        # older reader takes it for what it was: it stays what it is under both names.
        if (row["at"] > number or "." in before) and before in left and row["after"] not in left:
            text = left.pop(before)
            text = dict(row.get("values", [])).get(text, text)
            if "numbers" in row:
                text = renumbered(text, dict(row["numbers"]))
            left[row["after"]] = text
        if "default" in row and left.get(row["after"]) == row["default"]:
            del left[row["after"]]
    for row in data().get("segments", []):
        # Groups that only some releases have.
        is_empty = re.fullmatch(r"array<i32: [0, ]+>", left.get("operandSegmentSizes", "")) is not None
        if row["op"] == op.name or (is_empty and renamed_op(row["op"]) == op.name):
            left.pop("operandSegmentSizes", None)
    for name in ("operandSegmentSizes", "resultSegmentSizes"):
        # Releases add groups; the operands are compared anyway.
        if name in left:
            left[name] = re.sub(r"(?<=[ ,])0(?:, |(?=>))", "", left[name]).replace(", >", ">")
    for row in data().get("property", []):
        if "each_result_of" in row and fits(row["op"], op.name):
            items = left.get(row["after"], "[]").strip("[]").split(", ")
            if set(items) <= {row["default"]}:
                left.pop(row["after"], None)
    # Up to 19 readers keep the maps that they work out.
    left.pop("linalg.memoized_indexing_maps", None)
    left = {name: integers(text) for name, text in left.items()}
    return tuple(sorted((name, spelled(text)) for name, text in left.items()))
