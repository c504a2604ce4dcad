"""Locations: fused, call sites, names, files, ranges; deep, wide, shared."""

from collections.abc import Callable

from complexity.build import UNKNOWN, Maker, family, versions
from support.assembler import Argument, varint, varints

Link = Callable[[Maker, int], bytes]

CHAINS: dict[str, Link] = {
    "fused": lambda m, before: varints(12, 1, before),
    "fused_pairs": lambda m, before: varints(12, 2, before, UNKNOWN),
    "callee": lambda m, before: varints(10, before, UNKNOWN),
    "caller": lambda m, before: varints(10, UNKNOWN, before),
    "name": lambda m, before: varints(14, m.text("n"), before),
    "metadata": lambda m, before: varints(13, 1, UNKNOWN, before),
}

for name, link in CHAINS.items():

    @versions(f"locations.deep_{name}", 12_000, (0, 6) if name == "callee" else (6,))
    def _(n: int, version: int, link: Link = link) -> bytes:
        m = Maker(version)
        return m.with_locations([m.chain(_file(m, 1), n, lambda before: link(m, before))])

    @family(f"locations.deep_{name}_each_used", 4000)
    def _(n: int, link: Link = link) -> bytes:
        m = Maker()
        links = [_file(m, 1)]
        for _ in range(n):
            links.append(m.attribute(link(m, links[-1])))
        return m.with_locations(links)


def _file(m: Maker, line: int) -> int:
    return m.builtin(varints(11, m.text("f.mlir"), line, 1))


@family("locations.fused_wide", 40_000)
def _(n: int) -> bytes:
    m = Maker()
    return m.with_locations([m.attribute(varints(12, n) + varint(_file(m, 1)) * n)])


@family("locations.fused_dag", 10_000)
def _(n: int) -> bytes:
    m = Maker()
    return m.with_locations([m.chain(_file(m, 1), n, lambda before: varints(12, 2, before, before))])


@family("locations.callsite_dag", 10_000)
def _(n: int) -> bytes:
    m = Maker()
    return m.with_locations([m.chain(_file(m, 1), n, lambda before: varints(10, before, before))])


@versions("locations.files_many", 3500)
def _(n: int, version: int) -> bytes:
    m = Maker(version)
    return m.with_locations([_file(m, number) for number in range(n)])


@family("locations.file_names_many", 2500)
def _(n: int) -> bytes:
    m = Maker()
    return m.with_locations([m.attribute(varints(11, m.text(f"f{k}"), 1, 1)) for k in range(n)])


@family("locations.one_long_name", 12_000)
def _(n: int) -> bytes:
    """Many locations in a file with a long name: quadratic text."""
    m = Maker()
    name = m.text("f" * n)
    return m.with_locations([m.attribute(varints(11, name, number, 1)) for number in range(n // 4)])


@family("locations.ranges", 3000)
def _(n: int) -> bytes:
    m = Maker()
    name = m.text("f.mlir")
    return m.with_locations([m.attribute(varints(22, name, 4, k, 2, k + 1, 4)) for k in range(n)])


@family("locations.shared", 12_000)
def _(n: int) -> bytes:
    m = Maker()
    return m.with_locations([m.attribute(varints(12, n) + varint(_file(m, 1)) * n)] * n)


@family("locations.deep_shared", 6000)
def _(n: int) -> bytes:
    m = Maker()
    deep = m.chain(_file(m, 1), n, lambda before: varints(10, before, UNKNOWN))
    return m.with_locations([deep] * n)


@family("locations.of_arguments", 5000)
def _(n: int) -> bytes:
    m = Maker()
    i32 = m.i32()
    arguments = [Argument(i32, _file(m, number)) for number in range(n)]
    return m.module([m.function([m.block([], arguments)])])


@family("locations.text", 1500)
def _(n: int) -> bytes:
    m = Maker()
    return m.with_locations([m.attribute(f'loc("f.mlir":{number}:1)') for number in range(n)])


@family("locations.metadata_shared", 3000)
def _(n: int) -> bytes:
    """Many fused locations with the same large metadata."""
    m = Maker()
    metadata = m.array([m.integer(5)] * n)
    return m.with_locations([m.attribute(varints(13, 1, _file(m, k), metadata)) for k in range(n)])
