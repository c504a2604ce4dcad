"""mlirbc against `mlir-opt` of the release that wrote the file.

Each case is a file of `tests/data`, or one an oracle makes now from text of a seeded generator. What mlirbc
reads is compared with two texts: the file as the same `mlir-opt` prints it, and the module the file was made
from. The second one knows the order of uses the writer saw, where upstream's reader has a bug of its own.
"""

import functools
import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import mlirbc
import pytest

from support import oracles
from support.generic_text import Block, Operation, Resource, Text, TextValue, parse, parse_resources
from support.sampling import sample
from support.seeded_modules import made_text

DATA = Path(__file__).resolve().parents[1] / "data"
WRITTEN_ORDER = [1, 3, 2, 4, 6, 5, 0]
"""Section ids in the order every release writes them; properties come last and with version 5."""


# Where cases come from.


@dataclass(frozen=True, slots=True)
class Origin:
    """How to get the bytes of a case and the text they were made from."""

    id: str
    release: int
    version: int
    flags: tuple[str, ...] = ()
    file: str | None = None
    source: str | None = None
    read_back: bool = True

    @property
    def print_flags(self) -> tuple[str, ...]:
        """Flags that change the module rather than the way it is written."""
        return tuple(flag for flag in self.flags if flag != "--elide-resource-data-from-bytecode")


def index() -> list[dict[str, Any]]:
    entries: list[dict[str, Any]] = json.loads((DATA / "index.json").read_text("utf-8"))["files"]
    return entries


def kept_origins() -> Iterator[Origin]:
    for entry in index():
        release = int(entry["release"].partition(".")[0])
        name = Path(entry["source"]).stem
        words = entry["command"].split()[1:-1]
        yield Origin(
            f"llvm-{release}-v{entry['version']}-{name}",
            release,
            entry["version"],
            tuple(word for word in words if word not in oracles.emit_args(release, entry["version"])),
            entry["file"],
            entry["source"],
            entry["read_back"],
        )


def made_origins() -> Iterator[Origin]:
    names = [f"random_{seed}" for seed in range(30)]
    merged = [f"merged_{seed}" for seed in range(10)]
    for release, version in ((19, 3), (19, 6), (22, 0), (22, 6)):
        for name in (*names, *merged, "tables_large"):
            flags = ("--cse",) if name in merged else ()
            yield Origin(f"llvm-{release}-v{version}-{name}", release, version, flags)


# A case: the file in mlirbc's eyes and in the oracle's.


@dataclass(slots=True)
class Case:
    origin: Origin
    data: bytes
    module: mlirbc.Module
    ops: list[mlirbc.Operation]
    numbers: dict[mlirbc.Operation, int]
    printed: Text
    source: Text
    printed_ops: list[Operation]

    @property
    def release(self) -> int:
        return self.origin.release

    @property
    def version(self) -> int:
        return self.origin.version

    def pairs(self) -> Iterable[tuple[mlirbc.Operation, Operation]]:
        return zip(self.ops, self.printed_ops, strict=True)

    def block_pairs(self) -> Iterator[tuple[mlirbc.Block, Block]]:
        for op, printed in self.pairs():
            for region, printed_region in zip(op.regions, printed.regions, strict=True):
                yield from zip(region.blocks, printed_region.blocks, strict=True)

    def value_pairs(self) -> Iterator[tuple[mlirbc.Value, TextValue]]:
        for op, printed in self.pairs():
            for number, result in enumerate(op.results):
                yield result, TextValue(printed, number)
        for block, printed_block in self.block_pairs():
            for number, argument in enumerate(block.arguments):
                yield argument, TextValue(printed_block, number)

    def key(self, value: mlirbc.Value) -> tuple[int, ...]:
        """A value by the place of its definition."""
        if isinstance(value, mlirbc.OpResult):
            return (self.numbers[value.owner], value.result_number)
        assert isinstance(value, mlirbc.BlockArgument)
        block = value.owner
        assert block.region is not None
        owner = self.numbers[block.region.owner]
        return (owner, block.region.region_number, block.block_number, value.arg_number)


def printed_key(value: TextValue) -> tuple[int, ...]:
    owner = value.owner
    if isinstance(owner, Operation):
        return (owner.number, value.number)
    return (owner.region.owner.number, owner.region.number, owner.number, value.number)


def printed_name(op: Operation, release: int) -> str:
    # 16 shows a name without dot with one at its end, once it went through bytecode.
    return op.name.removesuffix(".") if release == 16 else op.name


@functools.lru_cache(maxsize=256)
def source_text(release: int, flags: tuple[str, ...], source: str | None, name: str) -> Text:
    args = [*oracles.print_args(release), *flags]
    if source is None:
        output = oracles.run_mlir_opt(release, args, made_text(name))
    else:
        path = Path(source)
        output = oracles.run_mlir_opt(release, args, Path(path.name), cwd=DATA / path.parent)
    return parse(oracles.checked(output), unique_names=release != 16)


def load(origin: Origin) -> Case:
    name = origin.id.split("-", 3)[3]
    if origin.file is not None:
        data = (DATA / origin.file).read_bytes()
        module = mlirbc.open(DATA / origin.file)
    else:
        args = [*oracles.emit_args(origin.release, origin.version), *origin.flags]
        data = oracles.checked(oracles.run_mlir_opt(origin.release, args, made_text(name)))
        module = mlirbc.read(data)
    source = source_text(origin.release, origin.print_flags, origin.source, name)
    printed = source
    if origin.read_back:
        output = oracles.run_mlir_opt(origin.release, oracles.print_args(origin.release), data)
        printed = parse(oracles.checked(output), unique_names=origin.release != 16)
    ops: list[mlirbc.Operation] = []
    module.walk(ops.append, mlirbc.WalkOrder.PRE_ORDER)
    numbers = {op: number for number, op in enumerate(ops)}
    return Case(origin, data, module, ops, numbers, printed, source, list(printed.walk()))


ORIGINS = sample([*kept_origins(), *made_origins()], 3, lambda origin: origin.id)


@pytest.fixture(scope="module", params=ORIGINS, ids=lambda origin: origin.id)
def case(request: pytest.FixtureRequest) -> Case:
    origin: Origin = request.param
    oracles.require(origin.release)
    return load(origin)


@pytest.fixture
def values_with_users(case: Case) -> list[tuple[mlirbc.Value, TextValue]]:
    if case.release == 16:
        pytest.skip("16 cannot print names that are unique in the file, so users cannot be distinguished")
    return list(case.value_pairs())


def owners_in_order(case: Case, uses: Iterable[mlirbc.OpOperand]) -> list[int]:
    """Distinct users by number, each where its first use is, as the printer lists them."""
    return list(dict.fromkeys(case.numbers[use.owner] for use in uses))


def assert_one_to_one(pairs: Iterable[tuple[int, str]]) -> None:
    """Every index has one text, and every text has one index."""
    texts: dict[int, str] = {}
    indexes: dict[str, int] = {}
    for number, text in pairs:
        assert texts.setdefault(number, text) == text, f"two texts of index {number}"
        assert indexes.setdefault(text, number) == number, f"two indexes of `{text[:200]}`"


# The container.


def test_the_header_tells_version_and_producer(case: Case) -> None:
    bytecode = case.module.bytecode
    assert bytecode.version == case.version
    assert bytecode.producer == f"MLIR{oracles.FULL_VERSIONS[case.release]}"
    assert bytecode.size == len(case.data)


def test_sections_tile_the_file(case: Case) -> None:
    at = case.data.index(b"\0", 5) + 1
    for section in case.module.bytecode.sections:
        assert section.header_offset == at
        assert case.data[at] & 0x7F == section.id
        assert section.offset > at
        assert (case.data[at] >= 0x80) == (section.alignment is not None)
        if section.alignment is not None:
            assert section.offset % section.alignment == 0
        at = section.offset + section.size
    assert at == len(case.data)


def test_sections_come_in_the_written_order(case: Case) -> None:
    ids = [section.id for section in case.module.bytecode.sections]
    assert ids == [*WRITTEN_ORDER, *([8] if case.version >= 5 else [])]


def test_only_the_test_dialect_has_a_version(case: Case) -> None:
    for dialect in case.module.dialects:
        # The test dialect is at 2.0 in both releases that write versions: two variable-length integers.
        has_version = dialect.name == "test" and case.version >= 1
        assert dialect.version == (b"\x05\x01" if has_version else None), dialect.name


def test_dialects_of_operations_are_in_the_table(case: Case) -> None:
    names = {name.name: name.dialect for name in case.module.op_names}
    assert names == {name: name.partition(".")[0] for name in names}
    assert set(names.values()) <= {dialect.name for dialect in case.module.dialects}


# Operations.


def test_operations_have_the_names_the_oracle_prints(case: Case) -> None:
    names = [printed_name(op, case.release) for op in case.printed_ops]
    assert [op.name for op in case.ops] == names
    assert case.module.op_counts() == Counter(names)


def test_every_op_name_of_the_table_is_used(case: Case) -> None:
    names = {printed_name(op, case.release) for op in case.printed_ops}
    assert {name.name for name in case.module.op_names} == names


def test_registered_names_are_those_of_dialects_the_oracle_has(case: Case) -> None:
    dialects = registered_dialects(case.release)
    for name in case.module.op_names:
        expected = name.name.partition(".")[0] in dialects if case.version >= 5 else None
        assert name.is_registered is expected, name.name


@functools.cache
def registered_dialects(release: int) -> frozenset[str]:
    words = oracles.checked(oracles.run_mlir_opt(release, ["--show-dialects"], "")).decode()
    return frozenset(re.findall(r"[\w.]+", words.partition(":")[2]))


def test_operations_have_as_many_parts_as_the_oracle_prints(case: Case) -> None:
    for op, printed in case.pairs():
        counts = (len(op.results), len(op.operands), len(op.successors))
        assert counts == (len(printed.result_types), len(printed.operands), len(printed.successors)), op.path
        assert [len(r.blocks) for r in op.regions] == [len(r.blocks) for r in printed.regions], op.path


def test_blocks_have_as_many_parts_as_the_oracle_prints(case: Case) -> None:
    for block, printed in case.block_pairs():
        counts = (block.block_number, len(block.arguments), len(block.operations))
        assert counts == (printed.number, len(printed.arguments), len(printed.operations))


def test_operands_are_the_values_the_oracle_prints(case: Case) -> None:
    for op, printed in case.pairs():
        assert [case.key(v) for v in op.operands] == [printed_key(v) for v in printed.operands], op.path
        for number, operand in enumerate(op.op_operands):
            assert operand.owner == op
            assert operand.operand_number == number
            assert operand.value == op.operands[number]


def test_successors_are_the_blocks_the_oracle_prints(case: Case) -> None:
    for op, printed in case.pairs():
        assert [block.block_number for block in op.successors] == printed.successors
        for block in op.successors:
            assert block.region == op.block.region


def test_parents_are_where_the_oracle_prints_them(case: Case) -> None:
    for block, printed in case.block_pairs():
        assert [case.numbers[op] for op in block.operations] == [op.number for op in printed.operations]
        for op in block.operations:
            assert op.block == block
            assert op.parent is not None
            assert case.numbers[op.parent] == printed.region.owner.number
    assert case.ops[0].parent is None


def test_regions_are_isolated_when_nothing_inside_uses_what_is_outside(case: Case) -> None:
    if case.release == 16:
        pytest.skip("16 marks operations that have the trait and no others")
    parents: dict[Operation, Operation] = {}
    for op in case.printed_ops:
        for region in op.regions:
            parents.update((inner, op) for block in region.blocks for inner in block.operations)
    open_ops: set[Operation] = set()
    for op in case.printed_ops:
        for value in op.operands:
            owner = value.owner
            scope = parents.get(owner) if isinstance(owner, Operation) else owner.region.owner
            around = parents.get(op)
            while around is not None and around is not scope:
                open_ops.add(around)
                around = parents.get(around)
    for operation, printed in case.pairs():
        if printed.regions:
            assert operation.is_isolated_from_above == (printed not in open_ops), operation.path


# Types, locations, dictionaries.


def test_types_are_as_different_as_the_oracle_prints_them(case: Case) -> None:
    assert_one_to_one((value.type.index, printed.type) for value, printed in case.value_pairs())


def test_locations_are_as_different_as_the_oracle_prints_them(case: Case) -> None:
    locations = [(op.location.index, printed.location or "") for op, printed in case.pairs()]
    for block, printed_block in case.block_pairs():
        for argument, printed in zip(block.arguments, printed_block.arguments, strict=True):
            # From version 4 on the file does not say where arguments of unknown location are.
            if case.version < 4 or printed.location != "unknown":
                locations.append((argument.location.index, printed.location or ""))
    assert_one_to_one(locations)


def test_dictionaries_are_there_when_the_oracle_prints_them(case: Case) -> None:
    for op, printed in case.pairs():
        # Below version 5 a dictionary also holds values that registered operations keep elsewhere.
        if case.version >= 5 or not is_registered(case, printed):
            assert (op.attribute_dictionary is None) == (printed.attributes is None), op.path


def test_dictionaries_are_as_different_as_the_oracle_prints_them(case: Case) -> None:
    if case.version < 5:
        pytest.skip("the dictionary holds properties, too, and the printer fills in their defaults")
    dictionaries: list[tuple[int, str]] = []
    for op, printed in case.pairs():
        dictionary = op.attribute_dictionary
        if dictionary is not None and printed.attributes is not None:
            dictionaries.append((dictionary.index, printed.attributes))
    assert_one_to_one(dictionaries)


def test_properties_are_there_from_version_5_when_the_oracle_prints_them(case: Case) -> None:
    for op, printed in case.pairs():
        if case.version < 5:
            assert op.property_blob is None
        elif printed.properties is not None:
            assert op.property_blob is not None, op.path
        elif op.property_blob is not None:
            assert is_registered(case, printed), op.path


def is_registered(case: Case, op: Operation) -> bool:
    return op.name.partition(".")[0] in registered_dialects(case.release)


# Use lists.


def test_uses_are_the_operands_that_name_the_value(case: Case) -> None:
    expected: dict[tuple[int, ...], list[tuple[int, int]]] = {}
    for op in case.printed_ops:
        for number, operand in enumerate(op.operands):
            expected.setdefault(printed_key(operand), []).append((op.number, number))
    for value, printed in case.value_pairs():
        for uses in (value.uses, value.uses_in_order("stored"), value.uses_in_order("upstream")):
            actual = sorted((case.numbers[use.owner], use.operand_number) for use in uses)
            assert actual == expected.get(printed_key(printed), [])


def test_upstream_order_of_uses_is_what_the_oracle_reads(
    case: Case, values_with_users: list[tuple[mlirbc.Value, TextValue]]
) -> None:
    if not case.origin.read_back:
        pytest.skip("the oracle cannot be relied on to read this file")
    for value, printed in values_with_users:
        users = printed.users
        assert users is not None
        assert owners_in_order(case, value.uses_in_order("upstream")) == [user.number for user in users]


def test_stored_order_of_uses_is_what_the_writer_saw(
    case: Case, values_with_users: list[tuple[mlirbc.Value, TextValue]]
) -> None:
    if case.version < 3:
        pytest.skip("the file has no orders")
    sources = {printed_key(value): value for value in values_of(case.source)}
    for value, printed in values_with_users:
        users = sources[printed_key(printed)].users
        assert users is not None
        assert owners_in_order(case, value.uses_in_order("stored")) == [user.number for user in users]


def test_without_stored_orders_the_last_use_is_first(case: Case) -> None:
    if case.version >= 3:
        pytest.skip("the file may have orders")
    for value, _ in case.value_pairs():
        for uses in (value.uses_in_order("stored"), value.uses_in_order("upstream")):
            users = [(case.numbers[use.owner], use.operand_number) for use in uses]
            assert users == sorted(users, reverse=True)


def values_of(text: Text) -> Iterator[TextValue]:
    for op in text.walk():
        yield from (TextValue(op, number) for number in range(len(op.result_types)))
        for region in op.regions:
            for block in region.blocks:
                yield from (TextValue(block, number) for number in range(len(block.arguments)))


@pytest.mark.parametrize("release", [19, 22])
@pytest.mark.parametrize("name", ["uses_cycle", "uses_arguments"])
def test_a_circle_of_three_uses_is_stored_right_and_read_wrong_upstream(release: int, name: str) -> None:
    module = mlirbc.open(DATA / f"bytecode/llvm-{release}/v6/{name}.mlirbc")
    circular: list[mlirbc.Value] = []

    def visit(op: mlirbc.Operation) -> None:
        values: list[mlirbc.Value] = [*op.results]
        for region in op.regions:
            for block in region.blocks:
                values += block.arguments
        for value in values:
            users = {use.owner.name for use in value.uses}
            if users == {f"t.u{number}" for number in range(8)} and len(value.uses_in_order()) == 8:
                circular.append(value)

    module.walk(visit, mlirbc.WalkOrder.PRE_ORDER)
    assert len(circular) == 1

    def users(which: Any) -> str:
        return " ".join(use.owner.name.removeprefix("t.u") for use in circular[0].uses_in_order(which))

    assert users("stored") == "5 7 6 4 3 2 1 0"
    # The inverse of the same circle.
    assert users("upstream") == "6 5 7 4 3 2 1 0"


# Resources.


def test_resources_are_those_the_oracle_prints(case: Case) -> None:
    expected = {(r.is_external, r.group, r.key): r for r in printed_resources(case.origin, case.data)}
    places: set[tuple[bool, str, str]] = set()
    for resource in case.module.resources.values():
        place = (resource.is_external, resource.group, resource.key)
        if resource.has_data:
            assert place not in places
            places.add(place)
            assert_same_resource(resource, expected[place])
    assert places == expected.keys()


def assert_same_resource(resource: mlirbc.Resource, printed: Resource) -> None:
    assert resource.kind == printed.kind
    if printed.kind != "blob":
        assert resource.value == printed.value
        return
    assert isinstance(resource.value, mlirbc.Blob)
    assert bytes(resource.value) == printed.value
    assert resource.alignment == resource.value.alignment == printed.alignment


def printed_resources(origin: Origin, data: bytes) -> list[Resource]:
    args = ["--allow-unregistered-dialect", "--mlir-print-op-generic"]
    if origin.file is None:
        return []
    if origin.read_back:
        output = oracles.run_mlir_opt(origin.release, args, data)
    else:
        assert origin.source is not None
        output = oracles.run_mlir_opt(origin.release, args, DATA / origin.source)
    return parse_resources(oracles.checked(output))


def test_dialect_resources_are_those_attributes_mention(case: Case) -> None:
    groups = {"dense_resource": "builtin", "e1di64_elements": "test"}
    mention = re.compile(r"(dense_resource|e1di64_elements)<([\w$.]+|\"(?:[^\"\\]|\\.)*\")>")
    mentioned: set[tuple[str, str]] = set()
    for op in case.printed_ops:
        for attribute, key in mention.findall((op.attributes or "") + (op.properties or "")):
            # Quotes and escapes as the printer makes them.
            plain = key[1:-1].replace("\\22", '"') if key.startswith('"') else key
            mentioned.add((groups[attribute], plain))
    resources = [resource for resource in case.module.resources.values() if not resource.is_external]
    assert {(resource.group, resource.key) for resource in resources} == mentioned
    assert len(resources) == len(mentioned)


def test_blobs_lie_in_the_file_at_their_alignment(case: Case) -> None:
    for resource in case.module.resources.values():
        if resource.has_data and resource.kind == "blob":
            blob = resource.value
            assert isinstance(blob, mlirbc.Blob)
            assert blob.offset % blob.alignment == 0
            assert case.data[blob.offset : blob.offset + len(blob)] == bytes(blob)


# The index.


@pytest.mark.parametrize("entry", index(), ids=lambda entry: entry["file"])
def test_the_index_tells_size_and_hash(entry: dict[str, Any]) -> None:
    data = (DATA / entry["file"]).read_bytes()
    assert (len(data), hashlib.sha256(data).hexdigest()) == (entry["size"], entry["sha256"])


def test_every_file_is_in_the_index() -> None:
    files = {path.relative_to(DATA).as_posix() for path in (DATA / "bytecode").rglob("*.mlirbc")}
    assert files == {entry["file"] for entry in index()}
