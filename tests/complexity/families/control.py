"""Blocks, successors and control flow."""

from complexity.build import Maker, family, versions
from support.assembler import Argument, Block, Region


@versions("blocks.many", 10_000)
def _(n: int, version: int) -> bytes:
    m = Maker(version)
    return m.module([m.function([m.block([m.op()]) for _ in range(n)])])


@family("blocks.empty", 30_000)
def _(n: int) -> bytes:
    m = Maker()
    return m.module([m.function([Block() for _ in range(n)])])


@versions("successors.many_of_one", 40_000)
def _(n: int, version: int) -> bytes:
    m = Maker(version)
    return m.module([m.function([m.block([m.op(successors=[1] * n)]), m.block([m.op()])])])


@family("successors.fan_out", 6000)
def _(n: int) -> bytes:
    m = Maker()
    blocks = [m.block([m.op(successors=range(1, n + 1))])]
    return m.module([m.function([*blocks, *[m.block([m.op()]) for _ in range(n)]])])


@family("successors.fan_in", 6000)
def _(n: int) -> bytes:
    m = Maker()
    return m.module([m.function([m.block([m.op(successors=[0])]) for _ in range(n)])])


@family("successors.chain", 6000)
def _(n: int) -> bytes:
    m = Maker()
    return m.module([m.function([m.block([m.op(successors=[(k + 1) % n])]) for k in range(n)])])


@family("successors.reverse_chain", 6000)
def _(n: int) -> bytes:
    m = Maker()
    return m.module([m.function([m.block([m.op(successors=[(k - 1) % n])]) for k in range(n)])])


@family("successors.ladder", 5000)
def _(n: int) -> bytes:
    m = Maker()
    return m.module(
        [m.function([m.block([m.op(successors=[(k + 1) % n, (k * 7 + 3) % n])]) for k in range(n)])]
    )


@family("successors.loop_nest", 4000)
def _(n: int) -> bytes:
    """n headers, then n latches that go back to them in the opposite order: the worst for dominance."""
    m = Maker()
    headers = [m.block([m.op(successors=[k + 1])]) for k in range(n)]
    latches = [m.block([m.op(successors=[n - 1 - k, min(n + k + 1, 2 * n - 1)])]) for k in range(n)]
    return m.module([m.function([*headers, *latches])])


@family("control.values_across_blocks", 4000)
def _(n: int) -> bytes:
    """The value of the first block is used in every other, each of which branches to the next."""
    m = Maker()
    i32 = m.i32()
    blocks = [m.block([m.op(results=[i32], successors=[1])])]
    blocks += [m.block([m.op(operands=[0], successors=[(k + 1) % n])]) for k in range(1, n)]
    return m.module([m.function(blocks)])


@family("control.arguments_passed_on", 2500)
def _(n: int) -> bytes:
    m = Maker()
    i32 = m.i32()
    blocks = [m.block([m.op(operands=[k], successors=[(k + 1) % n])], [Argument(i32)]) for k in range(n)]
    return m.module([m.function(blocks)])


@family("control.unreachable", 5000)
def _(n: int) -> bytes:
    m = Maker()
    i32 = m.i32()
    blocks = [m.block([m.op(operands=[n - 1 - k], results=[i32])]) for k in range(n)]
    return m.module([m.function(blocks)])


@family("control.regions_with_blocks", 2500)
def _(n: int) -> bytes:
    m = Maker()
    ops = [m.op(regions=[Region([m.block([m.op(successors=[1])]), m.block([m.op()])])]) for _ in range(n)]
    return m.module(ops)
