"""Operations: many, with many of everything, nested, opaque, with properties, symbols."""

from complexity.build import Maker, family, versions
from support.assembler import Op, Region, varint, varints, zigzag


@versions("ops.flat", 15_000)
def _(n: int, version: int) -> bytes:
    m = Maker(version)
    return m.module([m.op() for _ in range(n)])


@family("ops.flat_at_the_top", 15_000)
def _(n: int) -> bytes:
    m = Maker()
    m.top += [m.op() for _ in range(n)]
    return m.encode().data


@family("ops.registered", 10_000)
def _(n: int) -> bytes:
    m = Maker()
    i32, five = m.i32(), m.property(varint(m.integer(5)))
    name = m.op_name("arith.constant", True)
    return m.module([Op(name, properties=five, results=[i32]) for _ in range(n)])


@versions("ops.registered_by_dictionary", 10_000)
def _(n: int, version: int) -> bytes:
    m = Maker(version)
    i32, five = m.i32(), m.dictionary([("value", m.integer(5))])
    return m.module([m.op("arith.constant", attributes=five, results=[i32]) for _ in range(n)])


# Nesting.


def _nest(m: Maker, n: int, isolated: object, name: str = "t.op", blocks: int = 1) -> Op:
    op = m.op()
    for depth in range(n):
        is_isolated = depth % 2 == 0 if isolated == "alternating" else bool(isolated)
        empty_blocks = [m.block([]) for _ in range(blocks - 1)]
        op = m.op(name, regions=[Region([m.block([op]), *empty_blocks])], isolated=is_isolated)
    return op


@versions("nest.plain", 5000)
def _(n: int, version: int) -> bytes:
    m = Maker(version)
    return m.module([_nest(m, n, False)])


@versions("nest.isolated", 3000)
def _(n: int, version: int) -> bytes:
    m = Maker(version)
    return m.module([_nest(m, n, True)])


@versions("nest.alternating", 3000)
def _(n: int, version: int) -> bytes:
    m = Maker(version)
    return m.module([_nest(m, n, "alternating")])


@family("nest.modules", 3000)
def _(n: int) -> bytes:
    m = Maker()
    op = m.module_op([])
    for _ in range(n):
        op = m.module_op([op], properties=0)
    m.top.append(op)
    return m.encode().data


@family("nest.blocks", 2500)
def _(n: int) -> bytes:
    m = Maker()
    return m.module([_nest(m, n, False, blocks=4)])


@family("nest.regions_wide", 10_000)
def _(n: int) -> bytes:
    m = Maker()
    return m.module([m.op(regions=[Region([m.block([m.op()])]) for _ in range(n)])])


@family("nest.regions_empty", 40_000)
def _(n: int) -> bytes:
    m = Maker()
    return m.module([m.op(regions=[Region() for _ in range(n)])])


@family("nest.isolated_regions_wide", 8000)
def _(n: int) -> bytes:
    m = Maker()
    return m.module([m.op(regions=[Region([m.block([m.op()])]) for _ in range(n)], isolated=True)])


@family("nest.isolated_many", 4000)
def _(n: int) -> bytes:
    m = Maker()
    return m.module([m.function([m.block([m.op()])]) for _ in range(n)])


@family("nest.comb", 2000)
def _(n: int) -> bytes:
    """At each depth some operations before and after the nested one."""
    m = Maker()
    op = m.op()
    for _ in range(n):
        op = m.op(regions=[Region([m.block([m.op(), m.op(), op, m.op(), m.op()])])])
    return m.module([op])


@family("nest.tree", 8000)
def _(n: int) -> bytes:
    m = Maker()
    level = [m.op() for _ in range(n)]
    while len(level) > 1:
        pairs = [level[at : at + 2] for at in range(0, len(level), 2)]
        level = [m.op(regions=[Region([m.block(pair)])]) for pair in pairs]
    return m.module(level)


@family("nest.with_names", 2000)
def _(n: int) -> bytes:
    """Nested operations with attributes, locations and results of their own."""
    m = Maker()
    i32, op = m.i32(), m.op()
    for number in range(n):
        attributes = m.dictionary([("k", m.integer(number))])
        location = m.attribute(varints(11, m.text("f"), number, 1))
        op = m.op(
            f"t.o{number % 50}",
            regions=[Region([m.block([op])])],
            attributes=attributes,
            location=location,
            results=[i32],
        )
    return m.module([op])


# Opaque: unregistered operations of dialects that are known, registered ones of unknown dialects.


@versions("opaque.unregistered", 5000)
def _(n: int, version: int) -> bytes:
    m = Maker(version)
    return m.module([m.op(f"arith.unknown{number}") for number in range(n)])


@family("opaque.one_name", 12_000)
def _(n: int) -> bytes:
    m = Maker()
    name = m.op_name("t.op", True)
    return m.module([Op(name) for _ in range(n)])


@family("opaque.registered_names", 5000)
def _(n: int) -> bytes:
    m = Maker()
    return m.module([Op(m.op_name(f"t.o{number}", True)) for number in range(n)])


@family("opaque.properties", 3500)
def _(n: int) -> bytes:
    """Registered operations of an unknown dialect, each with property bytes of its own."""
    m = Maker()
    names = [m.op_name(f"t.o{number}", True) for number in range(n)]
    return m.module(
        [Op(name, properties=m.property(number.to_bytes(4, "big"))) for number, name in enumerate(names)]
    )


@family("opaque.properties_of_one_name", 4000)
def _(n: int) -> bytes:
    m = Maker()
    name = m.op_name("t.op", True)
    return m.module([Op(name, properties=m.property(number.to_bytes(4, "big"))) for number in range(n)])


@family("opaque.attributes", 5000)
def _(n: int) -> bytes:
    """Attributes and types of a dialect without a table."""
    m = Maker()
    return m.with_attributes([m.attribute(b"\x01" + number.to_bytes(4, "big"), "t") for number in range(n)])


# Properties.


@family("properties.many", 4000)
def _(n: int) -> bytes:
    m = Maker()
    i32, name = m.i32(), m.op_name("arith.constant", True)
    return m.module([Op(name, properties=m.property(varint(m.integer(k))), results=[i32]) for k in range(n)])


@family("properties.enums", 8000)
def _(n: int) -> bytes:
    m = Maker()
    i32, name = m.i32(), m.op_name("llvm.add", True)
    flags = [m.property(varint(number)) for number in range(4)]
    return m.module([Op(name, properties=flags[k % 4], results=[i32], operands=[]) for k in range(n)])


@family("properties.functions", 2000)
def _(n: int) -> bytes:
    m = Maker()
    name = m.op_name("func.func", True)
    kind = m.builtin(varints(6, m.function_type()))
    blobs = [varints(0, kind, 0, 0, m.text(f"f{number}"), 0) for number in range(n)]
    return m.module([Op(name, properties=m.property(b), regions=[Region()], isolated=True) for b in blobs])


@family("properties.large_blob", 60_000)
def _(n: int) -> bytes:
    m = Maker()
    return m.module([Op(m.op_name("t.op", True), properties=m.property(b"\x05" * n))])


@family("properties.large_blob_shared", 8000)
def _(n: int) -> bytes:
    m = Maker()
    name, blob = m.op_name("t.op", True), m.property(b"\x05" * (4 * n))
    return m.module([Op(name, properties=blob) for _ in range(n)])


@family("properties.unused", 20_000)
def _(n: int) -> bytes:
    m = Maker()
    m.properties.blobs += [b"\x01"] * n
    return m.module([m.op()])


@family("properties.attribute_for_unregistered", 4000)
def _(n: int) -> bytes:
    """An unregistered operation's properties are one attribute: the same large dictionary for all."""
    m = Maker()
    five = m.integer(5)
    large = m.property(varint(m.dictionary([(f"k{number:06}", five) for number in range(n // 4)])))
    return m.module([m.op(properties=large) for _ in range(2 * n)])


def _segments(m: Maker, sizes: list[int]) -> bytes:
    data = b"".join(size.to_bytes(4, "little") for size in sizes)
    return varints(17, m.i32(), len(sizes), len(data)) + data


@versions("segments.wide", 8000, (4, 6))
def _(n: int, version: int) -> bytes:
    m = Maker(version)
    sizes = m.attribute(_segments(m, [0] * n))
    attributes = m.dictionary([("case_operand_segments", sizes), ("operandSegmentSizes", sizes)])
    return m.module([m.op("cf.switch", attributes=attributes)])


@family("segments.shared", 4000)
def _(n: int) -> bytes:
    m = Maker()
    sizes = m.attribute(_segments(m, [0] * (2 * n)))
    attributes = m.dictionary([("case_operand_segments", sizes), ("operandSegmentSizes", sizes)])
    return m.module([m.op("cf.switch", attributes=attributes) for _ in range(2 * n)])


@family("segments.switch_cases", 4000)
def _(n: int) -> bytes:
    """A `cf.switch` with n cases, each without operands."""
    m = Maker()
    i32, index = m.i32(), m.i32()
    cases = m.attribute(_segments(m, [0] * n))
    data = b"".join(number.to_bytes(4, "little") for number in range(n))
    values = m.attribute(varints(18, m.type(varints(19, 1, zigzag(n), index)), len(data)) + data)
    blob = m.property(varints(cases, values << 1 | 1) + varint(3 << 1) + varints(zigzag(1), 0, 0))
    switch = Op(m.op_name("cf.switch", True), properties=blob, operands=[0], successors=[1] * (n + 1))
    blocks = [m.block([m.op(results=[i32]), switch]), m.block([m.op()])]
    return m.module([m.function(blocks)])


# Symbols.


def _functions(m: Maker, names: list[str], body: list[Op] | None = None) -> list[Op]:
    kind = m.builtin(varints(6, m.function_type()))
    return [
        m.op(
            "func.func",
            attributes=m.dictionary([("function_type", kind), ("sym_name", m.text(name))]),
            regions=[Region([m.block(body)])] if body else [Region()],
            isolated=True,
        )
        for name in names
    ]


@versions("symbols.many", 2000)
def _(n: int, version: int) -> bytes:
    m = Maker(version)
    return m.module(_functions(m, [f"f{number}" for number in range(n)]))


@family("symbols.equal", 4000)
def _(n: int) -> bytes:
    m = Maker()
    return m.module(_functions(m, ["same"] * n))


@family("symbols.nested", 2000)
def _(n: int) -> bytes:
    """Modules in modules, each with a name."""
    m = Maker()
    op = m.module_op([])
    for number in range(n):
        op = m.module_op([op], properties=m.property(varints(m.text(f"m{number}") << 1 | 1, 0)))
    m.top.append(op)
    return m.encode().data


@family("symbols.calls", 1500)
def _(n: int) -> bytes:
    """Each function calls the one after it."""
    m = Maker()
    functions = []
    for number in range(n):
        call = m.op("func.call", attributes=m.dictionary([("callee", m.symbol(f"f{(number + 1) % n}"))]))
        functions += _functions(m, [f"f{number}"], [call, m.op("func.return")])
    return m.module(functions)


@family("symbols.calls_of_one", 10_000)
def _(n: int) -> bytes:
    m = Maker()
    call = m.dictionary([("callee", m.symbol("f"))])
    body = [m.op("func.call", attributes=call) for _ in range(n)]
    return m.module([*_functions(m, ["f"]), *_functions(m, ["g"], body)])


@family("symbols.references_in_arrays", 20_000)
def _(n: int) -> bytes:
    m = Maker()
    references = m.array([m.symbol("f")] * n)
    used = m.op(attributes=m.dictionary([("uses", references)]))
    return m.module([*_functions(m, ["f"]), *([used] * (n // 8))])


@family("symbols.long_name_shared", 8000)
def _(n: int) -> bytes:
    m = Maker()
    name = "f" * (4 * n)
    call = m.dictionary([("callee", m.symbol(name))])
    body = [m.op("func.call", attributes=call) for _ in range(n)]
    return m.module([*_functions(m, [name]), *_functions(m, ["g"], body)])
