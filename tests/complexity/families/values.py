"""Operands, results, arguments, use-list orders, forward references, values of outer regions."""

from complexity.build import Maker, family, versions
from support.assembler import Argument, Op, Region, UseList


@versions("operands.many_of_one", 40_000)
def _(n: int, version: int) -> bytes:
    m = Maker(version)
    return m.module([m.op(results=[m.i32()]), m.op(operands=[0] * n)])


@family("operands.of_each_before", 6000)
def _(n: int) -> bytes:
    m = Maker()
    i32 = m.i32()
    ops = [m.op(results=[i32])]
    ops += [m.op(operands=[number, number // 2], results=[i32]) for number in range(n)]
    return m.module(ops)


@versions("results.many", 40_000)
def _(n: int, version: int) -> bytes:
    m = Maker(version)
    return m.module([m.op(results=[m.i32()] * n)])


@family("results.many_used", 10_000)
def _(n: int) -> bytes:
    m = Maker()
    return m.module([m.op(results=[m.i32()] * n), m.op(operands=range(n))])


@family("results.of_many_ops", 10_000)
def _(n: int) -> bytes:
    m = Maker()
    i32 = m.i32()
    return m.module([m.op(results=[i32]) for _ in range(n)])


@family("results.pairs", 6000)
def _(n: int) -> bytes:
    m = Maker()
    i32 = m.i32()
    return m.module([m.op(results=[i32, i32], operands=[] if k == 0 else [2 * k - 1]) for k in range(n)])


@versions("arguments.many", 30_000)
def _(n: int, version: int) -> bytes:
    m = Maker(version)
    i32 = m.i32()
    return m.module([m.function([m.block([m.op(operands=[n - 1])], [Argument(i32)] * n)])])


@versions("arguments.of_many_blocks", 5000)
def _(n: int, version: int) -> bytes:
    m = Maker(version)
    i32 = m.i32()
    return m.module([m.function([m.block([m.op()], [Argument(i32)] * 2) for _ in range(n)])])


# Forward references.


@family("forward.one_value", 10_000)
def _(n: int) -> bytes:
    m = Maker()
    return m.module([*[m.op(operands=[0]) for _ in range(n)], m.op(results=[m.i32()])])


@family("forward.each", 6000)
def _(n: int) -> bytes:
    m = Maker()
    i32 = m.i32()
    uses = [m.op(operands=[n - 1 - number]) for number in range(n)]
    return m.module([*uses, *[m.op(results=[i32]) for _ in range(n)]])


@family("forward.cycle", 6000)
def _(n: int) -> bytes:
    """Each operation uses the result of the one after it."""
    m = Maker()
    i32 = m.i32()
    return m.module([m.op(operands=[(number + 1) % n], results=[i32]) for number in range(n)])


@family("forward.one_op", 10_000)
def _(n: int) -> bytes:
    m = Maker()
    return m.module([m.op(operands=range(n)), m.op(results=[m.i32()] * n)])


# Use-list orders.


@versions("use_lists.one_value", 6000, (3, 6))
def _(n: int, version: int) -> bytes:
    """A value whose n uses are in reverse."""
    m = Maker(version)
    order = UseList(list(range(n - 1, -1, -1)))
    return m.module([m.op(results=[m.i32()], use_lists=[order]), *[m.op(operands=[0]) for _ in range(n)]])


@family("use_lists.one_value_shuffled", 12_000)
def _(n: int) -> bytes:
    m = Maker()
    order = UseList(_shuffled(n))
    return m.module([m.op(results=[m.i32()], use_lists=[order]), m.op(operands=[0] * n)])


@family("use_lists.many_values", 3000)
def _(n: int) -> bytes:
    m = Maker()
    i32, order = m.i32(), UseList([1, 0])
    ops = [m.op(results=[i32], use_lists=[order]) for _ in range(n)]
    return m.module([*ops, *[m.op(operands=[number, number]) for number in range(n)]])


@family("use_lists.many_results", 4000)
def _(n: int) -> bytes:
    m = Maker()
    orders = [UseList([1, 0], value=number) for number in range(n)]
    definition = m.op(results=[m.i32()] * n, use_lists=orders)
    return m.module([definition, *[m.op(operands=[number, number]) for number in range(n)]])


@family("use_lists.arguments", 3000)
def _(n: int) -> bytes:
    m = Maker()
    i32 = m.i32()
    orders = [UseList([1, 0], value=number) for number in range(n)]
    uses = [m.op(operands=[number, number]) for number in range(n)]
    return m.module([m.function([m.block(uses, [Argument(i32)] * n, use_lists=orders)])])


@family("use_lists.pairs", 10_000)
def _(n: int) -> bytes:
    """The order as the few uses that are not at their place."""
    m = Maker()
    order = UseList([0, n - 1, n - 1, 0], pairs=True)
    return m.module([m.op(results=[m.i32()], use_lists=[order]), *[m.op(operands=[0]) for _ in range(n)]])


@family("use_lists.forward", 5000)
def _(n: int) -> bytes:
    m = Maker()
    order = UseList(_shuffled(n))
    uses = [m.op(operands=[0]) for _ in range(n)]
    return m.module([*uses, m.op(results=[m.i32()], use_lists=[order])])


def _shuffled(n: int) -> list[int]:
    return sorted(range(n), key=lambda number: (number * 7919) % 104_729)


# Values of outer regions.


@versions("outer.one_value", 5000)
def _(n: int, version: int) -> bytes:
    """Regions n deep, in each of which an operation uses the outermost value."""
    m = Maker(version)
    op = m.op(operands=[0])
    for _ in range(n):
        op = m.op(regions=[Region([m.block([m.op(operands=[0]), op])])])
    return m.module([m.op(results=[m.i32()]), op])


@family("outer.each_value", 3000)
def _(n: int) -> bytes:
    """Each depth defines a value; the innermost operation uses all values."""
    m = Maker()
    i32 = m.i32()
    op = m.op(operands=range(n))
    for _ in range(n):
        op = m.op(regions=[Region([m.block([m.op(results=[i32]), op])])])
    return m.module([op])


@family("outer.value_of_each_depth", 3000)
def _(n: int) -> bytes:
    """Each depth defines a value, and uses the outermost value and the value of the depth before."""
    m = Maker()
    i32, op = m.i32(), None
    for depth in range(n - 1, -1, -1):
        definition = m.op(results=[i32], operands=[0, max(0, depth - 1)] if depth else [])
        op = m.op(regions=[Region([m.block([definition] if op is None else [definition, op])])])
    assert op is not None
    return m.module([op])


@family("outer.many_operands_deep", 6000)
def _(n: int) -> bytes:
    """Half of the file is depth, half is operands that lead out of the whole depth."""
    m = Maker()
    op = m.op(operands=[0] * (4 * n))
    for _ in range(n):
        op = m.op(regions=[Region([m.block([op])])])
    return m.module([m.op(results=[m.i32()]), op])


@family("outer.many_ops_deep", 4000)
def _(n: int) -> bytes:
    m = Maker()
    i32 = m.i32()
    uses = [m.op(operands=[number % 100]) for number in range(2 * n)]
    op = m.op(regions=[Region([m.block(uses)])])
    for _ in range(n):
        op = m.op(regions=[Region([m.block([op])])])
    return m.module([*[m.op(results=[i32]) for _ in range(100)], op])


@family("outer.siblings", 3000)
def _(n: int) -> bytes:
    """Many operations with a region each, all of which use one outer value."""
    m = Maker()
    ops = [m.op(regions=[Region([m.block([m.op(operands=[0])])])]) for _ in range(n)]
    return m.module([m.op(results=[m.i32()]), *ops])


@family("outer.arguments_deep", 3000)
def _(n: int) -> bytes:
    m = Maker()
    i32 = m.i32()
    op = Op(m.op_name("t.op"), operands=range(n))
    for _ in range(n):
        op = m.op(regions=[Region([m.block([op], [Argument(i32)])])])
    return m.module([op])
