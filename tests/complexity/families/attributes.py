"""Builtin attributes: containers wide, deep, shared and repeated; numbers, symbols, maps."""

from complexity.build import Maker, family, versions
from support.assembler import varint, varints, zigzag

# Wide.


@versions("array.wide", 40_000)
def _(n: int, version: int) -> bytes:
    m = Maker(version)
    five = m.integer(5)
    return m.with_attributes([m.array([five] * n)])


@family("array.wide_distinct", 4000)
def _(n: int) -> bytes:
    m = Maker()
    return m.with_attributes([m.array([m.integer(number) for number in range(n)])])


@versions("dictionary.wide", 2500)
def _(n: int, version: int) -> bytes:
    m = Maker(version)
    unit = m.unit()
    return m.with_attributes([m.dictionary([(f"k{number:06}", unit) for number in range(n)])])


@family("dictionary.wide_of_an_op", 2500)
def _(n: int) -> bytes:
    m = Maker()
    five = m.integer(5)
    return m.module([m.op(attributes=m.dictionary([(f"k{number:06}", five) for number in range(n)]))])


@family("dictionary.wide_of_a_registered_op", 2500)
def _(n: int) -> bytes:
    m = Maker()
    five = m.integer(5)
    attributes = m.dictionary([(f"k{number:06}", five) for number in range(n)])
    return m.module([], attributes=attributes)


@family("dictionary.long_keys", 200)
def _(n: int) -> bytes:
    m = Maker()
    unit = m.unit()
    return m.with_attributes([m.dictionary([("k" * 200 + f"{number:06}", unit) for number in range(n)])])


@family("dictionary.unsorted", 2500)
def _(n: int) -> bytes:
    m = Maker()
    unit = m.unit()
    keys = [m.text(f"k{n - number:06}") for number in range(n)]
    return m.module([m.op(attributes=m.raw_dictionary([(key, unit) for key in keys]))])


@versions("dictionary.equal_keys", 20_000)
def _(n: int, version: int) -> bytes:
    m = Maker(version)
    key, unit = m.text("same"), m.unit()
    return m.module([m.op(attributes=m.raw_dictionary([(key, unit)] * n))])


@family("dictionary.equal_keys_in_pairs", 2500)
def _(n: int) -> bytes:
    m = Maker()
    unit = m.unit()
    keys = [m.text(f"k{number:06}") for number in range(n)]
    return m.module([m.op(attributes=m.raw_dictionary([(key, unit) for key in keys for _ in range(2)]))])


@family("dictionary.equal_inherent_keys", 20_000)
def _(n: int) -> bytes:
    m = Maker()
    key, value = m.text("value"), m.integer(5)
    attributes = m.raw_dictionary([(key, value)] * n)
    return m.module([m.op("arith.constant", attributes=attributes, results=[m.i32()])])


# Deep.


@versions("array.deep", 15_000)
def _(n: int, version: int) -> bytes:
    m = Maker(version)
    return m.with_attributes([m.chain(m.unit(), n, lambda before: varints(0, 1, before))])


@family("dictionary.deep", 12_000)
def _(n: int) -> bytes:
    m = Maker()
    key = m.text("k")
    return m.with_attributes([m.chain(m.unit(), n, lambda before: varints(1, 1, key, before))])


@family("dictionary.deep_as_the_op's", 12_000)
def _(n: int) -> bytes:
    m = Maker()
    key = m.text("k")
    return m.module([m.op(attributes=m.chain(m.raw_dictionary([]), n, lambda b: varints(1, 1, key, b)))])


@family("array.deep_each_used", 5000)
def _(n: int) -> bytes:
    """Every link of the chain is the attribute of an operation: the text is quadratic."""
    m = Maker()
    links = [m.unit()]
    for _ in range(n):
        links.append(m.array([links[-1]]))
    return m.with_attributes(links)


@family("type_attr.deep", 6000)
def _(n: int) -> bytes:
    """Attribute in type in attribute: a tensor whose encoding is the attribute of a tensor."""
    m = Maker()
    f32, attribute = m.f32(), m.unit()
    for _ in range(n):
        attribute = m.attribute(varints(6, m.type(varints(14, attribute, 0, f32))))
    return m.with_attributes([attribute])


@family("distinct.deep", 15_000)
def _(n: int) -> bytes:
    m = Maker()
    return m.with_attributes([m.chain(m.unit(), n, lambda before: varints(21, before))])


@family("distinct.many", 5000)
def _(n: int) -> bytes:
    m = Maker()
    unit = m.unit()
    return m.with_attributes([m.attribute(varints(21, unit)) for _ in range(n)])


# Shared and repeated.


@family("array.dag", 10_000)
def _(n: int) -> bytes:
    """Each array has the one before twice: the text is exponential."""
    m = Maker()
    return m.with_attributes([m.chain(m.unit(), n, lambda before: varints(0, 2, before, before))])


@family("array.dag_limited", 700)
def _(n: int) -> bytes:
    """Many graphs of depth 12, each with a text of 4096 arrays."""
    m = Maker()
    unit = m.integer(5)
    return m.with_attributes(
        [
            m.chain(m.array([unit, m.text(f"{number}")]), 10, lambda b: varints(0, 2, b, b))
            for number in range(n)
        ]
    )


@family("dictionary.dag", 8000)
def _(n: int) -> bytes:
    m = Maker()
    first_key, second_key = m.text("a"), m.text("b")
    return m.with_attributes([m.chain(m.unit(), n, lambda b: varints(1, 2, first_key, b, second_key, b))])


@versions("dictionary.shared", 2000)
def _(n: int, version: int) -> bytes:
    """Many operations share one large dictionary."""
    m = Maker(version)
    unit = m.unit()
    attributes = m.dictionary([(f"k{number:06}", unit) for number in range(n)])
    return m.module([m.op(attributes=attributes) for _ in range(4 * n)])


@family("dictionary.shared_by_registered_ops", 2000)
def _(n: int) -> bytes:
    m = Maker()
    five = m.integer(5)
    attributes = m.dictionary([(f"k{number:06}", five) for number in range(n)] + [("value", five)])
    i32 = m.i32()
    return m.module([m.op("arith.constant", attributes=attributes, results=[i32]) for _ in range(2 * n)])


@family("dictionary.shared_by_different_ops", 1500)
def _(n: int) -> bytes:
    """Work that is done once for a dictionary and an operation's name is done n times for n entries."""
    m = Maker()
    five = m.integer(5)
    attributes = m.dictionary([(f"k{number:06}", five) for number in range(n)])
    return m.module([m.op(f"t.o{number}", attributes=attributes) for number in range(n)])


@family("dictionary.shared_value", 2000)
def _(n: int) -> bytes:
    """Many dictionaries have the same large array."""
    m = Maker()
    unit = m.unit()
    large = m.array([unit] * (4 * n))
    return m.with_attributes([large] * (2 * n))


@family("dictionary.many", 5000)
def _(n: int) -> bytes:
    m = Maker()
    key = m.text("k")
    return m.module([m.op(attributes=m.raw_dictionary([(key, m.integer(number))])) for number in range(n)])


@family("dictionary.many_equal", 8000)
def _(n: int) -> bytes:
    m = Maker()
    key, unit = m.text("k"), m.unit()
    return m.module([m.op(attributes=m.raw_dictionary([(key, unit)])) for _ in range(n)])


@family("attributes.unused", 20_000)
def _(n: int) -> bytes:
    m = Maker()
    for _ in range(n):
        m.attribute(varints(7))
    return m.module([m.op()])


@family("attributes.cyclic", 15_000)
def _(n: int) -> bytes:
    m = Maker()
    first = m._counts["attribute"]
    for number in range(n):
        m.attribute(varints(0, 1, first + (number + 1) % n))
    return m.with_attributes([first])


# Leaves.


@family("integer.large", 60_000)
def _(n: int) -> bytes:
    """An integer of 8 n bits."""
    m = Maker()
    width = min(8 * n // 64 * 64, (1 << 24) - 64)
    words = width // 64
    word = varint(zigzag(0x0123456789ABCDEF))
    return m.with_attributes([m.attribute(varints(8, m.integer_type(width), words) + word * words)])


@family("integer.large_shared", 12_000)
def _(n: int) -> bytes:
    """An integer of 16 n bits, which an array has n times."""
    m = Maker()
    words = n // 4
    word = varint(zigzag(0x0123456789ABCDEF))
    large = m.attribute(varints(8, m.integer_type(64 * words), words) + word * words)
    return m.with_attributes([m.array([large] * n)])


@family("integer.large_many", 60)
def _(n: int) -> bytes:
    m = Maker()
    width = m.integer_type(8192)
    word = varint(zigzag(0x0123456789ABCDEF))
    return m.with_attributes(
        [m.attribute(varints(8, width, 128) + word * 127 + varint(zigzag(k))) for k in range(n)]
    )


@family("integer.widths", 6000)
def _(n: int) -> bytes:
    m = Maker()
    return m.with_types([m.integer_type(number + 1) for number in range(n)])


@family("float.many", 3500)
def _(n: int) -> bytes:
    m = Maker()
    f64 = m.builtin_type(varints(6))
    return m.with_attributes(
        [m.attribute(varints(9, f64, zigzag(0x3FF0_0000_0000_0000 + 977 * number))) for number in range(n)]
    )


@family("symbol_ref.nested", 40_000)
def _(n: int) -> bytes:
    m = Maker()
    symbol = m.symbol("s")
    return m.with_attributes([m.attribute(varints(5, m.text("root"), n) + varint(symbol) * n)])


@family("symbol_ref.many", 3500)
def _(n: int) -> bytes:
    m = Maker()
    return m.with_attributes([m.symbol(f"s{number}") for number in range(n)])


@family("affine_map.long", 15_000)
def _(n: int) -> bytes:
    """A map with n dimensions as results, as text: MLIR up to 22 writes maps so."""
    m = Maker()
    return m.with_attributes([m.attribute(f"affine_map<(d0) -> ({', '.join(['d0'] * n)})>")])


@family("affine_map.deep", 15_000)
def _(n: int) -> bytes:
    m = Maker()
    expression = "(" * n + "d0" + " + 1)" * n
    return m.with_attributes([m.attribute(f"affine_map<(d0) -> ({expression})>")])


@family("affine_map.many_dimensions", 6000)
def _(n: int) -> bytes:
    m = Maker()
    names = ", ".join(f"d{number}" for number in range(n))
    return m.with_attributes([m.attribute(f"affine_map<({names}) -> ({names})>")])


def _encoded_map(n: int, results: int, expressions: bytes, dims: int = 1) -> bytes:
    """A map in the encoding of the releases after 22."""
    m = Maker()
    m.producer = b"MLIR24.0.0git"
    return m.with_attributes([m.attribute(varints(23, dims << 2 | 3, 0, results) + expressions)])


@family("affine_map.encoded_wide", 15_000)
def _(n: int) -> bytes:
    return _encoded_map(n, n, varints(0, 0) * n)


@family("affine_map.encoded_sum", 10_000)
def _(n: int) -> bytes:
    return _encoded_map(
        n, 1, b"".join(varints(3, 0, number % 4000) for number in range(n)) + varints(0, 0), 4000
    )


@family("affine_map.encoded_left_sum", 10_000)
def _(n: int) -> bytes:
    terms = b"".join(varints(0, number % 4000) for number in range(n + 1))
    return _encoded_map(n, 1, varint(3) * n + terms, 4000)


@family("affine_map.encoded_quotients", 10_000)
def _(n: int) -> bytes:
    return _encoded_map(n, 1, varint(6) * n + varints(0, 0) + varints(2, zigzag(3)) * n)


@family("strided_layout.long", 40_000)
def _(n: int) -> bytes:
    m = Maker()
    m.producer = b"MLIR24.0.0git"
    return m.with_attributes([m.attribute(varints(25, 0, n) + varint(zigzag(-3)) * n)])
