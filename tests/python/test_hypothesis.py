"""Properties of reading: any bytes give a module or an error, and all ways of reading give the same."""

import mmap
from collections.abc import Callable
from pathlib import Path
from typing import Literal

import mlirbc
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from mlirbc import testing

from support import oracles
from support.assembler import (
    Argument,
    Blob,
    Block,
    File,
    Op,
    Region,
    Resource,
    ResourceGroup,
    varints,
)
from support.cases import base
from support.examples import rich, worked_example
from support.sampling import examples
from support.walks import Failure, Row, outcome, plain, row_of, walk_everything, walk_operations

BYTECODE = Path(__file__).parents[1] / "data" / "bytecode"
REAL = sorted(
    path for path in BYTECODE.glob("**/*") if path.is_file() and path.read_bytes()[:4] == b"ML\xefR"
)

ASSEMBLED = {
    f"{name}-v{version}": make(version).encode().data
    for name, make in (
        ("worked_example", worked_example),
        ("rich", rich),
        ("base", lambda version: base(version).file),
    )
    for version in range(7)
}
SMALL = {
    **ASSEMBLED,
    **{str(path.relative_to(BYTECODE)): path.read_bytes() for path in REAL if path.stat().st_size <= 2500},
}
SMALLEST_REAL = sorted((path for path in REAL), key=lambda path: (path.stat().st_size, path.name))[:6]

quick = settings(deadline=None, max_examples=examples(150), suppress_health_check=list(HealthCheck))
files = st.sampled_from(sorted(SMALL)).map(SMALL.__getitem__) | testing.bytecode(max_operations=4)


def verified(data: bytes) -> list[Row] | Failure:
    def action() -> list[Row]:
        mlirbc.read(data).verify()
        return []

    return outcome(action)


def examined(data: bytes) -> None:
    """Any other exception than mlirbc's own passes through here and fails the test."""
    outcome(lambda: walk_everything(mlirbc.read(data)))
    outcome(lambda: [tuple(table) for table in (mlirbc.read(data).strings, mlirbc.read(data).properties)])
    verified(data)


# Damage.


def truncations(data: bytes) -> None:
    # Parts that every file needs come last, so nothing short of all is a module.
    fine = {
        "mlirbc.read.empty",
        "mlirbc.read.truncated",
        "mlirbc.read.string.unterminated",
        "mlirbc.read.section.missing",
        "mlirbc.read.resource.sections",
    }
    for length in range(len(data)):
        failure = verified(data[:length])
        assert isinstance(failure, tuple), f"accepted when cut to {length} of {len(data)} bytes"
        identifier, offset = failure
        assert identifier in fine, f"{identifier} when cut to {length} of {len(data)} bytes"
        assert offset is None or offset <= length
    assert verified(data) == []


@pytest.mark.parametrize("name", sorted(ASSEMBLED))
def test_a_file_cut_at_any_length_is_truncated(name: str) -> None:
    truncations(ASSEMBLED[name])


@pytest.mark.parametrize("path", SMALLEST_REAL, ids=lambda path: path.name)
def test_a_real_file_cut_at_any_length_is_truncated(path: Path) -> None:
    truncations(path.read_bytes())


@pytest.mark.parametrize("name", ["rich-v6", "rich-v4", "rich-v0"])
def test_any_single_byte_may_change(name: str) -> None:
    """Each byte in turn becomes 0, 255, and itself with the lowest bit flipped."""
    data = ASSEMBLED[name]
    for offset in range(len(data)):
        for value in {0, 0xFF, data[offset] ^ 1}:
            examined(data[:offset] + bytes([value]) + data[offset + 1 :])


@quick
@given(files, st.lists(st.tuples(st.integers(0, 2**16), st.integers(1, 255)), min_size=1, max_size=4))
def test_flipped_bytes_give_a_module_or_an_error(data: bytes, flips: list[tuple[int, int]]) -> None:
    damaged = bytearray(data)
    for position, mask in flips:
        damaged[position % len(data)] ^= mask
    examined(bytes(damaged))


@quick
@given(files, files, st.floats(0, 1), st.floats(0, 1))
def test_two_files_spliced_give_a_module_or_an_error(
    one: bytes, two: bytes, first: float, second: float
) -> None:
    examined(one[: int(len(one) * first)] + two[int(len(two) * second) :])


@quick
@given(files, st.floats(0, 1), st.integers(1, 40), st.binary(max_size=24))
def test_replaced_ranges_give_a_module_or_an_error(
    data: bytes, where: float, length: int, new: bytes
) -> None:
    start = int(len(data) * where)
    examined(data[:start] + new + data[start + length :])


@quick
@given(st.binary(max_size=200))
def test_noise_after_a_header_gives_an_error(noise: bytes) -> None:
    examined(noise)
    examined(b"ML\xefR\x0dx\0" + noise)


# Lazy and eager.


def lazily(data: bytes) -> list[Row] | Failure:
    return outcome(lambda: walk_operations(mlirbc.read(data)))


def eagerly(data: bytes, threads: int) -> list[Row] | Failure:
    def action() -> list[Row]:
        module = mlirbc.read(data)
        module.decode_all(threads=threads)
        return walk_operations(module)

    return outcome(action)


def by_callback(data: bytes) -> list[Row] | Failure:
    def action() -> list[Row]:
        rows: list[Row] = []
        mlirbc.read(data).walk(lambda op: rows.append(row_of(op)), mlirbc.WalkOrder.PRE_ORDER)
        return rows

    return outcome(action)


@pytest.mark.parametrize("path", REAL, ids=lambda path: str(path.relative_to(BYTECODE)))
def test_lazy_and_eager_read_the_same(path: Path) -> None:
    data = path.read_bytes()
    lazy = lazily(data)
    assert isinstance(lazy, list), lazy
    assert lazy == eagerly(data, 1) == eagerly(data, 2) == by_callback(data)


@quick
@given(files, st.integers(0, 2**16), st.integers(1, 255))
def test_lazy_and_eager_fail_the_same(data: bytes, position: int, mask: int) -> None:
    damaged = bytearray(data)
    damaged[position % len(data)] ^= mask
    lazy = lazily(bytes(damaged))
    assert lazy == eagerly(bytes(damaged), 1)
    assert lazy == eagerly(bytes(damaged), 2)
    assert lazy == by_callback(bytes(damaged))


# Sources of bytes.


def through(
    data: bytes, wrap: Callable[[bytes], bytes | bytearray | memoryview | mmap.mmap]
) -> list[Row] | Failure:
    return outcome(lambda: walk_everything(mlirbc.read(wrap(data))))


@quick
@given(files, st.integers(0, 2**16), st.integers(0, 255))
def test_all_buffers_read_the_same(data: bytes, position: int, mask: int) -> None:
    damaged = bytearray(data)
    damaged[position % len(data)] ^= mask
    plain_bytes = bytes(damaged)
    expected = through(plain_bytes, bytes)
    assert expected == through(plain_bytes, bytearray)
    assert expected == through(plain_bytes, memoryview)
    assert expected == through(plain_bytes, lambda data: memoryview(b"\xff\xff\xff" + data + b"\xff")[3:-1])
    mapped = mmap.mmap(-1, len(plain_bytes))
    mapped[:] = plain_bytes
    assert expected == through(plain_bytes, lambda _: mapped)


@settings(quick, max_examples=60)
@given(files, st.integers(0, 2**16), st.integers(0, 255))
def test_both_backends_read_the_same(
    tmp_path_factory: pytest.TempPathFactory, data: bytes, position: int, mask: int
) -> None:
    damaged = bytearray(data)
    damaged[position % len(data)] ^= mask
    path = tmp_path_factory.mktemp("backends") / "module.mlirbc"
    path.write_bytes(damaged)

    def opened(backend: Literal["map", "read"]) -> list[Row] | Failure:
        def action() -> list[Row]:
            with mlirbc.open(path, backend=backend) as module:
                return walk_everything(module)

        return outcome(action)

    assert opened("map") == opened("read") == through(bytes(damaged), bytes)


# Modules made up by hypothesis, through the assembler.


class Generated:
    """A random module, and the rows a walk over it has to yield."""

    def __init__(self, draw: st.DrawFn, version: int) -> None:
        self.draw = draw
        self.version = version
        self.file = File(version=version, producer=draw(st.sampled_from([b"", b"hypothesis", "π".encode()])))
        self.rows: list[Row] = []
        self.resolved: dict[int, tuple[Row, ...]] = {}
        """The operands of an op, by the identity of the op."""
        self.budget = 25
        module = self.file.op_name("builtin.module", registered=version >= 5)
        self.names: list[tuple[str, bool]] = [("builtin.module", version >= 5)]
        for name in ("t.a", "t.b.c", "u.a", "t.d", "lone"):
            self.names.append((name, version >= 5 and draw(st.booleans())))
            assert self.file.op_name(*self.names[-1]) == len(self.names) - 1
        self.locations = [self.file.attribute(varints(15))]
        text = self.file.attribute(varints(2, self.file.string("here")))
        self.locations += [self.file.attribute(varints(11, text, line, 7)) for line in range(3)]
        self.dictionaries = [
            self.file.attribute(varints(1, 0)),
            self.file.attribute(varints(1, 1, text, text)),
        ]
        self.types = [self.file.type(varints(0, width << 2)) for width in (1, 8, 32, 64)]
        self.types.append(self.file.type("!t.opaque", dialect="t"))
        root = self._op(4, module, [self._region(4, blocks=1, arguments=0)], isolated=True)
        if version >= 5:
            root.properties = self.file.property(b"\x01\x01")
        self._fill_op(root, [])
        self.file.top.append(root)
        self._describe(root)

    def _pick(self, values: list[int]) -> int:
        return self.draw(st.sampled_from(values))

    def _few(self, most: int) -> range:
        return range(self.draw(st.integers(0, most)))

    def _op(
        self, depth: int, name: int | None = None, regions: list[Region] | None = None, isolated: bool = False
    ) -> Op:
        self.budget -= 1
        if regions is None:
            regions = [self._region(depth - 1) for _ in self._few(2)] if depth and self.budget > 0 else []
            isolated = bool(regions) and self.draw(st.booleans())
        properties = None
        if self.version >= 5 and self.draw(st.booleans()):
            properties = self.file.property(varints(self._pick(self.dictionaries)))
        return Op(
            self._pick(list(range(1, len(self.names)))) if name is None else name,
            self._pick(self.locations),
            self._pick(self.dictionaries) if self.draw(st.booleans()) else None,
            properties,
            results=[self._pick(self.types) for _ in self._few(3)] if name is None else [],
            regions=regions,
            isolated=isolated,
        )

    def _region(self, depth: int, blocks: int | None = None, arguments: int | None = None) -> Region:
        return Region(
            [
                Block(
                    [self._op(depth) for _ in self._few(4) if self.budget > 0],
                    [
                        Argument(self._pick(self.types), self._pick(self.locations))
                        for _ in (self._few(3) if arguments is None else range(arguments))
                    ],
                )
                for _ in (self._few(3) if blocks is None else range(blocks))
            ]
        )

    def _fill_op(self, op: Op, scope: list[Row]) -> None:
        """Adds operands and successors, once all values and blocks exist."""
        inner = [] if op.isolated else scope
        for region in op.regions:
            base = len(inner)
            for number, block in enumerate(region.blocks):
                inner.extend(("argument", number, i, a.type) for i, a in enumerate(block.arguments))
                for nested in block.ops:
                    inner.extend(
                        ("result", self._name(nested), i, type) for i, type in enumerate(nested.results)
                    )
            for block in region.blocks:
                for nested in block.ops:
                    if inner:
                        slots = self.draw(st.lists(st.integers(0, len(inner) - 1), max_size=3))
                        nested.operands = slots
                        self.resolved[id(nested)] = tuple(inner[slot] for slot in slots)
                    nested.successors = self.draw(
                        st.lists(st.integers(0, len(region.blocks) - 1), max_size=2)
                    )
                    self._fill_op(nested, inner)
            del inner[base:]

    def _name(self, op: Op) -> str:
        assert isinstance(op.name, int)
        return self.names[op.name][0]

    def _describe(self, op: Op) -> None:
        assert isinstance(op.name, int)
        _, registered = self.names[op.name]
        blob = None if op.properties is None else self.file.properties.blobs[op.properties]  # type: ignore[index]
        self.rows.append(
            (
                self._name(op),
                registered if self.version >= 5 else None,
                op.isolated,
                op.location,
                op.attributes,
                blob,
                self.resolved.get(id(op), ()),
                tuple(("result", self._name(op), i, type) for i, type in enumerate(op.results)),
                tuple(op.successors),
                tuple(
                    (
                        number,
                        tuple(
                            tuple((a.type, a.location) for a in block.arguments) for block in region.blocks
                        ),
                    )
                    for number, region in enumerate(op.regions)
                ),
            )
        )
        for region in op.regions:
            for block in region.blocks:
                for nested in block.ops:
                    self._describe(nested)


@st.composite
def modules(draw: st.DrawFn) -> Generated:
    return Generated(draw, draw(st.integers(0, 6)))


@quick
@given(modules())
def test_what_was_put_in_comes_out(generated: Generated) -> None:
    module = mlirbc.read(generated.file.encode().data)
    module.verify()
    assert module.bytecode.version == generated.version
    assert module.bytecode.producer.encode() == generated.file.producer
    assert walk_operations(module) == generated.rows
    file = generated.file
    assert [name.name for name in module.op_names] == [name for name, _ in generated.names]
    assert [string.encode() for string in module.strings] == file.strings.values
    assert [a.payload for a in module.attributes] == [
        e.payload for g in file.entries.attributes for e in g.entries
    ]
    assert [t.payload.rstrip(b"\0") for t in module.types][-1:] == [b"!t.opaque"]
    assert [t.is_text for t in module.types] == [False] * 4 + [True]
    assert list(module.properties) == file.properties.blobs
    assert sum(module.op_counts().values()) == len(generated.rows)


@settings(quick, max_examples=40)
@given(modules())
def test_upstream_reads_generated_modules_too(generated: Generated) -> None:
    """So the generator speaks the format and not a dialect of its own."""
    oracles.require(22)
    unverified = "--mlir-very-unsafe-disable-verifier-on-parsing"
    arguments = ["--allow-unregistered-dialect", "--emit-bytecode", unverified, "-o", "/dev/null"]
    for name in generated.file.dialects.groups:
        # Upstream registers only the operations that it knows itself, so nothing here may claim more.
        name.names = [(string, False) for string, _ in name.names]
    oracles.checked(oracles.run_mlir_opt(22, arguments, generated.file.encode().data))


alignments = st.sampled_from([1, 2, 4, 8, 16, 64, 4096])
contents = st.one_of(st.booleans(), st.text(max_size=5), st.tuples(st.binary(max_size=70), alignments))


@quick
@given(
    st.integers(0, 6),
    st.lists(st.tuples(st.text(min_size=1, max_size=4), contents), max_size=6),
    st.lists(
        st.tuples(st.text(min_size=1, max_size=4), st.none() | st.tuples(st.binary(max_size=70), alignments)),
        max_size=6,
    ),
)
def test_resources_come_out_as_they_went_in(
    version: int,
    external: list[tuple[str, bool | str | tuple[bytes, int]]],
    builtin: list[tuple[str, tuple[bytes, int] | None]],
) -> None:
    file = base(version).file

    def as_resource(key: str, content: bool | str | tuple[bytes, int] | None) -> Resource:
        if isinstance(content, str):
            return Resource(file.string(key), file.string(content))
        if isinstance(content, tuple):
            return Resource(file.string(key), Blob(*content))
        return Resource(file.string(key), content)

    file.resources.external = [
        ResourceGroup(file.string("outside"), [as_resource(*item) for item in external])
    ]
    file.resources.dialects = [ResourceGroup(0, [as_resource(*item) for item in builtin])]
    data = file.encode().data
    module = mlirbc.read(data)
    module.verify()
    resources = module.resources.values()
    keys: list[str] = []
    for key, _ in builtin:  # MLIR renames the later ones of a dialect
        names = (key, *(f"{key}_{number}" for number in range(1, len(builtin) + 1)))
        keys.append(next(name for name in names if name not in keys))
    assert [resource.key for resource in resources] == [*(key for key, _ in external), *keys]
    assert [resource.group for resource in resources] == ["outside"] * len(external) + ["builtin"] * len(
        builtin
    )
    for resource, (_, content) in zip(resources, (*external, *builtin), strict=True):
        assert resource.has_data == (content is not None)
        if isinstance(content, tuple):
            expected, alignment = content
            assert plain(resource.value) == expected
            assert (resource.alignment, resource.size) == (alignment, len(expected))
            assert resource.offset is not None and resource.offset % alignment == 0
            assert data[resource.offset : resource.offset + resource.size] == expected
        else:
            assert resource.value == content
