"""Property layouts of an installed build, found by asking its bytecode reader.

The reader tells order, kinds and C++ classes (`probe.py`). The names are those attributes that the operation
does not treat as discardable, in the order in which attributes are always written. Then a blob with every
field set is read, as version 6 and as version 5, and has to come out under the expected names. An operation
that cannot be shown is taken only if a known release has the same layout, else it is listed as unmodelled.

    from_build.py --build jaxlib --release jaxlib-0.10 --version 0.10.2 --producer MLIR23.0.0git \\
        --known llvm-22.json --known stablehlo-1.20.json --out jaxlib-0.10.json
"""

import argparse
import keyword
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import cast

import isolated_calls
import text
from builds import BUILDS, Build
from crafted import varint
from probe import ANY, Probe, Wire
from samples import samples, segment_sizes
from schema import (
    ATTRIBUTES,
    SEGMENTS,
    AttributeClass,
    Field,
    NotUnderstood,
    Op,
    Release,
    Unmodelled,
    described,
    load,
    properties,
    release_arguments,
    save,
)

_ATTRIBUTE_NAME = re.compile(r"[a-z]\w{0,39}")
OLD_SEGMENTS = {"operandSegmentSizes": "operand_segment_sizes", "resultSegmentSizes": "result_segment_sizes"}
_RESERVED = ("attributes", "context", "ip", "loc", "operands", "operation", "regions", "results", "self")
_RESTRICTIONS = ("value_type", "element", "element_value_type", "one_of")
_INTEGER_SAMPLE = re.compile(r"-?\d+ : (i\d+)|(?:true|false)()")


@dataclass
class KnownReleases:
    """The schemas of other releases, the preferred one first."""

    releases: Sequence[Release]

    def operation(self, name: str) -> Op:
        """The operation of that name in the first release that defines it."""
        nothing: Op = {}
        return next((release["ops"][name] for release in self.releases if name in release["ops"]), nothing)

    def names(self) -> set[str]:
        """Every operation."""
        return {name for release in self.releases for name in release["ops"]}

    def attribute_names(self) -> set[str]:
        """Every name of a field."""
        return {
            field["name"]
            for release in self.releases
            for op in release["ops"].values()
            for field in properties(op)
        }

    def attribute_class(self, name: str) -> AttributeClass:
        """The known facts about an attribute class."""
        tables = (release["attribute_classes"] for release in self.releases)
        nothing: AttributeClass = {}
        return next((table[name] for table in tables if name in table), nothing)


@dataclass
class Bindings:
    """Names from the Python classes of a build."""

    attribute_names: set[str]
    groups: dict[tuple[str, str], list[str]]

    @classmethod
    def read(cls, paths: Iterable[Path]) -> "Bindings":
        """Read generated Python classes."""
        names: set[str] = set()
        groups: dict[tuple[str, str], list[str]] = {}
        for path in paths:
            source = path.read_text(encoding="utf-8")
            names |= set(re.findall(r'attributes\["([^"]+)"\]', source))
            for body in re.split(r"^class ", source, flags=re.MULTILINE)[1:]:
                if name := re.search(r'OPERATION_NAME = "([^"]+)"', body):
                    for side in ("operand", "result"):
                        if group_names := _groups(body, side):
                            groups[name[1], f"{side}s"] = group_names
        return cls(names, groups)


def _groups(body: str, side: str) -> list[str]:
    segments = re.search(rf"_ODS_{side.upper()}_SEGMENTS = \[([-\d,]+)\]", body)
    if not segments:
        return []
    marks = [{"1": "", "0": "?", "-1": "*"}[size] for size in segments[1].strip(",").split(",")]
    result = ["*"] * len(marks)
    accessor = (
        rf'def (\w+)\(self\)[^\n]*\n +\w+ = _ods_segmented_accessor\([^"]*"{side}SegmentSizes"\], (\d+)\)'
    )
    for name, index in re.findall(accessor, body):
        original = name[:-1] if keyword.iskeyword(name[:-1]) or name[:-1] in _RESERVED else name
        result[int(index)] = original + marks[int(index)]
    return result


def operation_names(build: Build, known_names: Iterable[str]) -> list[str]:
    """The operations of a build that occur in its library, its Python classes or another release."""
    candidates = set(known_names)
    for path in build.classes:
        candidates |= set(re.findall(r'OPERATION_NAME = "([^"]+)"', path.read_text(encoding="utf-8")))
    strings = {string for string in build.strings if "." in string}
    dialects = {name.partition(".")[0] for name in {*candidates, *strings} if build.is_registered(name)}
    # The linker lets one string end inside another, so `vm.call` may exist as a part of `llvm.call` only.
    for string in strings:
        head, _, suffix = string.partition(".")
        candidates |= {f"{dialect}.{suffix}" for dialect in dialects if head.endswith(dialect)}
    return sorted(name for name in candidates if build.is_registered(name))


@dataclass
class Prober:
    """Combines the answers of the reader with the known releases."""

    probe: Probe
    known_releases: KnownReleases
    vocabularies: Sequence[Sequence[str]]

    def layout(self, operation: str) -> list[Field]:
        """The properties of an operation, in the order of version 6."""
        wire = self.probe.wire(operation)
        bare = text.shown(self.probe.build.create(operation), operation) or {}
        fields = list(self._fields(operation, wire, bare, self._names(operation, wire)))
        for entry in fields:
            if entry["kind"] in ATTRIBUTES:
                self._restrict(operation, entry)
        self._confirm(operation, wire, fields)
        return fields

    def _names(self, operation: str, wire: Sequence[Wire]) -> list[str]:
        """The names of the attributes in the blob, which the operation knows."""
        count = sum(field.kind in ATTRIBUTES for field in wire)
        names: set[str] = set()
        # Most operations have the names of a known release, which are few; the words of a library are many.
        known_names = {field["name"] for field in properties(self.known_releases.operation(operation))}
        for vocabulary in (sorted(known_names - {*SEGMENTS}), *self.vocabularies):
            if len(names) < count:
                generic = self.probe.build.create(operation, vocabulary)
                names |= set(vocabulary) - text.discardable(generic, operation)
        return sorted(names)

    def _fields(
        self, operation: str, wire: Sequence[Wire], bare: dict[str, str], names: Sequence[str]
    ) -> Iterator[Field]:
        segments = [name for name in SEGMENTS if name in bare]
        natives = sorted(set(bare) - {*names, *SEGMENTS})
        kinds = [field.kind for field in wire]
        order = ["a" if kind in ATTRIBUTES else "s" if kind == "segment_sizes" else "n" for kind in kinds]
        if order != ["a"] * len(names) + ["n"] * len(natives) + ["s"] * len(segments):
            raise NotUnderstood(
                f"{''.join(order)} in the blob, names {', '.join([*names, *natives, *segments]) or 'none'}"
            )
        for name, field in zip(names, wire, strict=False):
            entry = cast(Field, {"name": name, "kind": field.kind, "class": field.class_name})
            if name in bare:
                entry["default"] = bare[name]
            yield entry
        for position in range(len(names), len(names) + len(natives)):
            yield self._native(operation, wire, position, bare)
        for name, field in zip(segments, wire[len(names) + len(natives) :], strict=True):
            before = sum(attribute_name < OLD_SEGMENTS[name] for attribute_name in names) + segments.index(
                name
            )
            yield {
                "name": name,
                "kind": "segment_sizes",
                "count": field.count,
                "v5_index": before,
                "old_name": OLD_SEGMENTS[name],
            }

    def _native(self, operation: str, wire: Sequence[Wire], position: int, bare: dict[str, str]) -> Field:
        """A native property, found by the changes of the text when its bytes change."""
        fillers = [field.filler for field in wire]
        before = self.probe.ask(operation, b"".join(fillers)).shown or {}

        def changed(value: bytes) -> tuple[str, str]:
            fillers[position] = value
            shown = self.probe.ask(operation, b"".join(fillers)).shown or {}
            names = [name for name in bare if name in shown and shown[name] != before.get(name)]
            if len(names) > 1:
                raise NotUnderstood(f"one native property for {', '.join(names)}")
            return (names[0], shown[names[0]]) if names else ("", "")

        if wire[position].kind == "string":
            name, _ = changed(varint(1))
            entry: Field = {"name": name, "kind": "string"}
        elif wire[position].kind == "int":
            name, value = changed(varint(7))
            if name:
                entry = _integer(changed, b"")
            else:
                name, value = changed(varint(1) + b"\1")
                if value not in ("[true]", "array<i1: true>"):
                    raise NotUnderstood(
                        f"native property {name or position} prints 1 1 as {value or 'nothing'}"
                    )
                entry = {"kind": "array", "inner": {"kind": "bool", "as": "bool"}}
                if value.startswith("array"):
                    entry["as"] = "array<i1>"
        elif changed(b"\1")[1] in ("unit", "true"):
            name, value = changed(b"\1")
            entry = {"kind": "bool", "as": "unit" if value == "unit" else "bool"}
        else:
            name, value = changed(b"\1" + varint(7))
            entry = {"kind": "optional", "inner": _integer(changed, b"\1")}
        if not name:
            raise NotUnderstood(f"no name for field {position}")
        entry = {"name": name, **entry}
        entry["in_dictionary"] = False
        entry["default"] = bare[name]
        return entry

    def _restrict(self, operation: str, entry: Field) -> None:
        for known_field in properties(self.known_releases.operation(operation)):
            # A field that became optional may have another type, too, as the alignment of masked loads has.
            is_same = all(known_field.get(key) == entry[key] for key in ("name", "kind", "class"))
            if is_same:
                for key in _RESTRICTIONS:
                    if key in known_field:
                        entry[key] = known_field[key]  # type: ignore[literal-required]

    def _confirm(self, operation: str, wire: Sequence[Wire], fields: Sequence[Field]) -> None:
        """Read a blob with every field set, in both versions."""
        if not fields:
            return
        for version in (6, 5):
            expected: dict[str, str] = {}
            parts: list[tuple[Field, bytes]] = []
            for entry, field in zip(fields, wire, strict=True):
                value, shown = self._value(entry, field, version, expected)
                parts.append((entry, value))
                if shown is not None:
                    expected[entry["name"]] = shown
            if version == 5:
                segments = [part for part in parts if part[0]["kind"] == "segment_sizes"]
                parts = [part for part in parts if part not in segments]
                for part in segments:
                    parts.insert(part[0]["v5_index"], part)
            blob = b"".join(value for _, value in parts)
            answer = self.probe.ask(operation, blob, version)
            if answer.shown is None or any(answer.shown.get(name) != item for name, item in expected.items()):
                if answer.shown is None and self._same_as_known(operation, fields):
                    return
                raise NotUnderstood(f"version {version}: {answer.complaint}; expected {expected}")

    def _value(
        self, entry: Field, field: Wire, version: int, used: dict[str, str]
    ) -> tuple[bytes, str | None]:
        if entry["kind"] == "segment_sizes":
            sizes = segment_sizes(entry["count"])
            if version == 6:
                count = entry["count"]
                return varint(2 * count) + b"".join(varint(size + 1) for size in range(count)), sizes
            return varint(self.probe.index(self.probe.samples.index(sizes), version)), sizes
        if entry["kind"] not in ATTRIBUTES:
            return field.filler, None
        optional = entry["kind"] == "optional_attr"
        every = range(len(self.probe.samples))
        choices = every if entry["class"] == ANY else self.probe.accepted[entry["class"]]
        if not choices:
            return field.filler, None
        fresh = [sample for sample in choices if self.probe.texts[sample] not in used.values()]
        sample = (fresh or choices)[0]
        return self.probe.reference(sample, optional, version), self.probe.texts[sample]

    def _same_as_known(self, operation: str, fields: Sequence[Field]) -> bool:
        def essence(entries: Iterable[Field]) -> list[tuple[object, ...]]:
            return [
                (entry["name"], entry["kind"], entry.get("class"), entry.get("count")) for entry in entries
            ]

        return essence(fields) == essence(properties(self.known_releases.operation(operation)))


def attribute_classes(probe: Probe, known_releases: KnownReleases) -> dict[str, AttributeClass]:
    """The names of the classes in text, as far as the samples tell."""
    result: dict[str, AttributeClass] = {}
    for name, accepted in probe.accepted.items():
        if "::" not in name or "Interface" in name:
            continue
        texts = [probe.texts[sample] for sample in accepted]
        mnemonics = {_mnemonic(item) for item in texts}
        integers = {match[1] for item in texts if (match := _INTEGER_SAMPLE.fullmatch(item))}
        if len(mnemonics) == 1 and (mnemonic := mnemonics.pop()):
            result[name] = {"name": mnemonic}
        elif integers and len(integers) == 1 and len(texts) == sum(map(_is_integer, texts)):
            result[name] = {"base": "IntegerAttr", "value_type": integers.pop()}
        elif facts := known_releases.attribute_class(name):
            result[name] = facts
    return result


def _integer(changed: Callable[[bytes], tuple[str, str]], prefix: bytes) -> Field:
    """An integer by the text of 7 and -1; an enumeration refuses values that a wider integer loses."""
    name, value = changed(prefix + varint(7))
    width = re.fullmatch(r"7 : i(\d+)|\[7(?: : i(\d+))?\]", value)
    if not width:
        raise NotUnderstood(f"native property {name} prints 7 as {value or 'nothing'}")
    bits = int(width[1] or width[2] or 64)
    result: Field = {"kind": "int", "bits": bits, "as": f"i{bits}"}
    if changed(prefix + varint((1 << 64) - 1))[1] == value.replace("7", "-1", 1):
        result["signed"] = True
    elif changed(prefix + varint((1 << bits) + 7)) == ("", ""):
        result["kind"] = "enum"
    return result


def _is_integer(item: str) -> bool:
    return _INTEGER_SAMPLE.fullmatch(item) is not None


def _mnemonic(item: str) -> str:
    match = re.match(r"#(\w+)(?:\.([\w.]+)|<\"?([\w.]+))", item)
    return f"{match[1]}.{match[2] or match[3]}" if match else ""


def with_groups(name: str, fields: list[Field], known_releases: KnownReleases, bindings: Bindings) -> Op:
    """An operation with the names of its operands and results, as far as they are known."""
    result: Op = {"properties": fields} if fields else {}
    known_operation = known_releases.operation(name)
    counts = {entry["name"]: entry["count"] for entry in fields if entry["kind"] == "segment_sizes"}
    operands = bindings.groups.get((name, "operands")) or known_operation.get("operands", [])
    results = bindings.groups.get((name, "results")) or known_operation.get("results", [])
    if len(operands) == counts.get("operandSegmentSizes"):
        result["operands"] = operands
    if len(results) == counts.get("resultSegmentSizes"):
        result["results"] = results
    if "since" in known_operation:
        result["since"] = known_operation["since"]
    if "until" in known_operation:
        result["until"] = known_operation["until"]
    return result


def main(arguments: list[str] | None = None) -> int:
    """Write one release file; report missing facts."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--build", choices=sorted(BUILDS), required=True)
    release_arguments(parser)
    parser.add_argument(
        "--known", action="append", type=Path, default=[], help="release file to compare with"
    )
    parser.add_argument("--only", action="append", metavar="OPERATION", help="replace these in the file")
    options = parser.parse_args(arguments)

    build = BUILDS[options.build]()
    known_releases = KnownReleases([load(path) for path in options.known])
    bindings = Bindings.read(build.classes)
    names = operation_names(build, known_releases.names())
    probe = Probe(build, samples(build, {name.partition(".")[0] for name in names}))
    segments = {*SEGMENTS, *OLD_SEGMENTS.values()}
    likely = sorted((known_releases.attribute_names() | bindings.attribute_names) - segments)
    words = sorted({word for word in build.strings if _ATTRIBUTE_NAME.fullmatch(word)} - segments)
    prober = Prober(probe, known_releases, (likely, words))

    def work(name: str) -> tuple[list[Field] | str, dict[str, list[int]]]:
        before = len(probe.accepted)
        try:
            outcome: list[Field] | str = prober.layout(name)
        except NotUnderstood as reason:
            outcome = str(reason)
        return outcome, dict(list(probe.accepted.items())[before:])

    ops: dict[str, Op] = {}
    unmodelled: list[Unmodelled] = []
    if options.only:
        earlier = load(options.out)
        ops = {name: op for name, op in earlier["ops"].items() if name not in options.only}
        unmodelled = [entry for entry in earlier["unmodelled"] if entry["op"] not in options.only]
    for name, result in isolated_calls.results_of(options.only or names, work):
        if result is None:
            probe.is_cautious = True
            result = work(name)
            probe.is_cautious = False
        outcome, accepted = result
        probe.accepted.update(accepted)
        if isinstance(outcome, str):
            unmodelled.append({"op": name, "reason": outcome})
            ops[name] = {"custom": True}
        else:
            ops[name] = with_groups(name, outcome, known_releases, bindings)
    classes = attribute_classes(probe, known_releases)
    if options.only:
        classes = earlier["attribute_classes"] | classes
    release = described(options, ops, unmodelled, classes)
    save(release, options.out)
    counts = Counter(bool(properties(op)) for op in ops.values())
    print(f"{options.release}: {len(ops)} operations, {counts[True]} with properties", file=sys.stderr)
    for entry in unmodelled:
        print(f"unmodelled: {entry['op']}: {entry['reason']}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
