"""Facts of modules survive another bytecode version and the way back, also facts that no text shows.

A module of version `v` is written in version `w`, and what was read from that is written in version `v`
again. Facts are compared as far as both versions store them. Each example is a generated module that gets
versions of dialects, orders of uses in both forms, registered bits, isolated operations, locations of
arguments, resources and properties. A test asserts that they are there: a gate that the reader and the writer
apply wrongly in the same way loses them in silence.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import cast

import mlirbc
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from mlirbc import edit, testing, versions

RELEASES = ["llvm-22", "llvm-19", "jaxlib-0.10"]
VERSIONS = range(7)

# The first versions that store versions of dialects, orders of uses, and registered bits.
HAS_DIALECT_VERSIONS, HAS_USE_ORDERS, HAS_REGISTERED = 1, 3, 5

# Older versions have no place for these.
EXPECTED_LOSSES = {"use_list_orders", "dialect_version"}


# ---- facts ----


@dataclass
class Facts:
    """The facts of a module in which two modules are compared."""

    dialect_versions: Mapping[str, object] = field(default_factory=dict)
    resources: list[tuple[str, str]] = field(default_factory=list)
    operations: list[dict[str, object]] = field(default_factory=list)


def order_of(value: mlirbc.Value, exactly: bool) -> object:
    """The uses in the order that is stored. As in MLIR, a write inverts an order in pairs, and the next one
    inverts it again: after one write, the two orders of a value are the same in the other order."""
    orders = [
        [(use.owner.path, use.operand_number) for use in value.uses_in_order(kind)]
        for kind in ("stored", "upstream")
    ]
    return orders[0] if exactly else sorted(orders)


def values_of(op: mlirbc.Operation) -> Iterator[mlirbc.Value]:
    yield from op.results
    for region in op.regions:
        for block in region.blocks:
            yield from block.arguments


def facts_of(module: mlirbc.Module, oldest: int, *, exactly: bool, has_values: bool) -> Facts:
    """The facts of a module that all versions from `oldest` on store."""
    facts = Facts()
    used = set()

    def visit(op: mlirbc.Operation) -> mlirbc.WalkResult:
        used.add(op.name.partition(".")[0])
        values = list(values_of(op))
        arguments = [value for value in values if isinstance(value, mlirbc.BlockArgument)]
        row: dict[str, object] = {
            "name": op.name,
            "isolated": op.is_isolated_from_above,
            "argument locations": [str(argument.location) for argument in arguments],
        }
        if oldest >= HAS_REGISTERED:
            row["registered"] = op.is_registered
        if oldest >= HAS_USE_ORDERS:
            row["orders"] = [order_of(value, exactly) for value in values]
        if has_values:
            row["attributes"] = sorted((name, str(value)) for name, value in op.attributes.items())
        if exactly:
            # Versions differ in the form of some, such as the sizes of groups.
            row["properties"] = sorted((name, str(value)) for name, value in op.properties.items())
        facts.operations.append(row)
        return mlirbc.WalkResult.ADVANCE

    module.walk(visit)
    if oldest >= HAS_DIALECT_VERSIONS:
        # A dialect that no operation uses may be left out, as in MLIR.
        all_versions = versions.dialect_versions(module)
        facts.dialect_versions = {name: version for name, version in all_versions.items() if name in used}
    facts.resources = sorted(
        (
            name,
            bytes(resource.value).hex() if isinstance(resource.value, mlirbc.Blob) else str(resource.value),
        )
        for name, resource in module.resources.items()
    )
    return facts


# ---- examples ----

# With so many uses, two that are swapped are stored as pairs, and all that are moved as a list.
USES = 8

PLANTED = "module attributes {sym.planted} {}"


@st.composite
def examples(draw: st.DrawFn, release: str, version: int) -> tuple[mlirbc.Module, dict[str, object]]:
    """A generated module with everything that versions gate, and the planted facts."""
    module = draw(testing.modules(releases=[release], versions=[version], max_operations=8))
    edited = module.edit()
    index = mlirbc.IndexType.get()
    at_end = edit.InsertionPoint(edited.body)
    source = edit.Operation.create("sym.source", results=[index, index], ip=at_end)
    holder = edit.Operation.create("sym.holder", regions=1, ip=at_end)
    block = edit.Block.create_at_start(holder.regions[0], [index])
    argument = block.arguments[0]
    argument.set_location(mlirbc.Location.file("argument.py", draw(st.integers(1, 99)), 1))
    inside = edit.InsertionPoint(block)
    for value in (*source.results, argument):
        for _ in range(USES):
            edit.Operation.create("sym.use", operands=[value], ip=inside)
    # Two groups of operands, whose sizes are a property, and another property.
    sizes = mlirbc.Attribute.parse("array<i32: 1, 0>")
    attributes = {
        "operandSegmentSizes": sizes,
        "alignment": mlirbc.Attribute.parse(f"{1 << draw(st.integers(0, 9))} : i64"),
    }
    memref = mlirbc.Type.parse("memref<?xf32>")
    edit.Operation.create(
        "memref.alloc", results=[memref], operands=[argument], attributes=attributes, ip=inside
    )
    planted: dict[str, object] = {
        "location": str(argument.location),
        "alignment": str(attributes["alignment"]),
    }
    if version >= HAS_USE_ORDERS:
        for place, value in enumerate((*source.results, argument)):
            order = list(value.use_list_order)
            if draw(st.booleans()):
                first = draw(st.integers(0, USES - 2))
                order[first], order[first + 1] = order[first + 1], order[first]
            else:
                turn = draw(st.integers(1, USES - 1))
                order = order[turn:] + order[:turn]
            value.use_list_order = order
            planted[f"order {place}"] = [op.path for op, _ in order]
    if version >= HAS_DIALECT_VERSIONS:
        data = bytes([draw(st.integers(0, 127)) << 1 | 1])
        assert versions.set_dialect_version(edited, "sym", data)
        planted["version"] = versions.OpaqueVersion(data)
    if version >= HAS_REGISTERED:
        source.is_registered = draw(st.booleans())
        planted["registered"] = source.is_registered
    edited.resources.add("sym_note", draw(st.binary(max_size=9)), group="sym", is_external=True)
    return mlirbc.read(edited.write(), release=release), planted


def check_planted(
    module: mlirbc.Module, planted: dict[str, object], oldest: int, *, has_orders: bool
) -> None:
    """Planted facts are in the module, as far as the versions store them."""
    body = list(module.body.operations)
    holder = next(op for op in body if op.name == "sym.holder")
    source = next(op for op in body if op.name == "sym.source")
    block = holder.regions[0].blocks[0]
    alloc = block.operations[-1]
    assert str(block.arguments[0].location) == planted["location"]
    assert str(alloc.attributes["alignment"]) == planted["alignment"]
    assert str(alloc.attributes["operandSegmentSizes"]) == "array<i32: 1, 0>"
    assert "sym_note" in module.resources
    if oldest >= HAS_DIALECT_VERSIONS:
        assert versions.dialect_version(module, "sym") == planted["version"]
    if oldest >= HAS_REGISTERED:
        assert source.is_registered == planted["registered"]
    if oldest >= HAS_USE_ORDERS and has_orders:
        for place, value in enumerate((*source.results, block.arguments[0])):
            paths = [use.owner.path for use in value.uses_in_order("stored")]
            assert paths == planted[f"order {place}"]


# ---- trips ----


def drop_defaults(before: Facts, after: Facts) -> bool:
    """Remove facts that operations have only afterwards; returns whether there are any.

    As in MLIR, native properties have their defaults: an operation of an older version that lacks them has
    them after the way back.
    """
    gains = False
    for old, new in zip(before.operations, after.operations, strict=True):
        for kind in ("attributes", "properties"):
            old_names = {name for name, _ in cast(list[tuple[str, str]], old[kind])}
            values = cast(list[tuple[str, str]], new[kind])
            new[kind] = [(name, value) for name, value in values if name in old_names]
            gains |= len(values) > len(old_names)
    return gains


def trip(module: mlirbc.Module, planted: dict[str, object], release: str, target: int) -> bool:
    """Write a module in another version and back; returns whether that was possible."""
    version = module.bytecode.version
    try:
        data = bytes(module.write(version=target))
    except mlirbc.UnsupportedError as error:
        if {loss.kind for loss in error.losses} - EXPECTED_LOSSES:
            return False
        with pytest.warns(UserWarning):
            data = bytes(module.write(version=target, drop_unsupported=True))
    oldest = min(version, target)
    written = mlirbc.read(data, release=release)
    written.verify()
    has_values = (version >= HAS_REGISTERED) == (target >= HAS_REGISTERED)
    before, after = (
        facts_of(state, oldest, exactly=False, has_values=has_values) for state in (module, written)
    )
    assert after == before
    check_planted(written, planted, oldest, has_orders=False)
    back = mlirbc.read(written.write(version=version, numbering="canonical"), release=release)
    back.verify()
    before, after = (facts_of(state, oldest, exactly=True, has_values=True) for state in (module, back))
    gains = not has_values and drop_defaults(before, after)
    assert after == before
    check_planted(back, planted, oldest, has_orders=True)
    options = {"print_generic_op_form": True, "enable_debug_info": True}
    assert gains or back.get_asm(**options) == module.get_asm(**options)
    if oldest >= HAS_REGISTERED:
        key = mlirbc.hash(module, locations=True, stored_facts=True)
        assert mlirbc.hash(back, locations=True, stored_facts=True) == key
    return True


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("release", RELEASES)
def test_facts_survive_every_version_and_back(release: str, version: int) -> None:
    trips = 0

    @settings(deadline=None, max_examples=6, suppress_health_check=list(HealthCheck))
    @given(st.data())
    def run(data: st.DataObject) -> None:
        nonlocal trips
        module, planted = data.draw(examples(release, version))
        check_planted(module, planted, version, has_orders=True)
        for target in VERSIONS:
            trips += trip(module, planted, release, target)

    run()
    # Contents of a generated module may exist in no other version; that is rare.
    assert trips >= 30


def test_keys_of_stored_facts_tell_modules_apart() -> None:
    """Each fact alone changes the key, and leaves the key of the content as it is."""

    def keys(change: str) -> tuple[str, str]:
        edited = edit.Module.create()
        index = mlirbc.IndexType.get()
        at_end = edit.InsertionPoint(edited.body)
        source = edit.Operation.create("sym.source", results=[index], ip=at_end)
        for _ in range(3):
            edit.Operation.create("sym.use", operands=[source.results[0]], ip=at_end)
        if change == "version":
            assert versions.set_dialect_version(edited, "sym", b"\x03")
        if change == "registered":
            source.is_registered = True
        if change == "order":
            source.results[0].use_list_order = list(source.results[0].use_list_order)[::-1]
        module = mlirbc.read(edited.write())
        assert mlirbc.tools.hash_symbols(module, stored_facts=True)
        return mlirbc.hash(module), mlirbc.hash(module, stored_facts=True)

    all_keys = [keys(change) for change in ("", "version", "registered", "order")]
    assert len({content for content, _ in all_keys}) == 1
    assert len({stored for _, stored in all_keys}) == len(all_keys)
    assert {content for content, _ in all_keys}.isdisjoint(stored for _, stored in all_keys)
