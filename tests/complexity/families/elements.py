"""Elements: dense, dense arrays, strings, sparse, resource handles."""

from complexity.build import Maker, family
from support.assembler import varint, varints, zigzag


def _dense(m: Maker, shaped: int, data: bytes) -> int:
    return m.attribute(varints(18, shaped, len(data)) + data)


def _dense_array(m: Maker, width: int, count: int, data: bytes) -> int:
    return m.attribute(varints(17, m.integer_type(width), count, len(data)) + data)


for width in (1, 8, 32, 64):

    @family(f"dense.i{width}", 480_000 // width if width > 1 else 240_000)
    def _(n: int, width: int = width) -> bytes:
        m = Maker()
        n = n // 8 * 8
        data = bytes(number * 37 % 251 for number in range(max(1, n * width // 8)))
        return m.with_attributes([_dense(m, m.tensor([n], m.integer_type(width)), data)])


@family("dense.f32", 15_000)
def _(n: int) -> bytes:
    m = Maker()
    data = b"".join(b"%c\x12\x80\x3f" % (number % 256) for number in range(n))
    return m.with_attributes([_dense(m, m.tensor([n], m.f32()), data)])


@family("dense.f64_extreme", 8000)
def _(n: int) -> bytes:
    """Numbers of 300 digits before the point and after it."""
    m = Maker()
    data = b"".join(b"%c\xff\xff\xff\xff\xff%c\x7f" % (number % 256, number % 240) for number in range(n))
    return m.with_attributes([_dense(m, m.tensor([n], m.builtin_type(varints(6))), data)])


@family("dense.complex", 8000)
def _(n: int) -> bytes:
    m = Maker()
    element = m.type(varints(9, m.f32()))
    return m.with_attributes([_dense(m, m.tensor([n], element), b"\x00\x00\x80\x3f" * 2 * n)])


@family("dense.wide_integers", 60)
def _(n: int) -> bytes:
    m = Maker()
    return m.with_attributes([_dense(m, m.tensor([n], m.integer_type(8192)), b"\x5a" * 1024 * n)])


@family("dense.one_wide_integer", 60_000)
def _(n: int) -> bytes:
    m = Maker()
    n = n // 8 * 8
    return m.with_attributes([_dense(m, m.tensor([1], m.integer_type(8 * n)), b"\x5a" * n)])


@family("dense.many_dimensions", 40_000)
def _(n: int) -> bytes:
    """The text of one element has a bracket for each dimension."""
    m = Maker()
    return m.with_attributes([_dense(m, m.tensor([1] * n + [2], m.i32()), b"\x01\0\0\0\x02\0\0\0")])


@family("dense.many_dimensions_splat", 40_000)
def _(n: int) -> bytes:
    m = Maker()
    return m.with_attributes([_dense(m, m.tensor([1] * n, m.i32()), b"\x01\0\0\0")])


@family("dense.two_by_two", 12)
def _(n: int) -> bytes:
    """The most dimensions that so many elements can have, in several attributes."""
    m = Maker()
    shape = m.tensor([2] * 12, m.integer_type(8))
    return m.with_attributes([_dense(m, shape, bytes(range(256)) * 16) for _ in range(n)])


@family("dense.columns", 15_000)
def _(n: int) -> bytes:
    m = Maker()
    shape = m.tensor([n, 1], m.i32())
    return m.with_attributes([_dense(m, shape, b"".join(n.to_bytes(4, "little") for n in range(n)))])


@family("dense.splat_of_many", 2500)
def _(n: int) -> bytes:
    m = Maker()
    shape = m.tensor([1 << 40], m.i32())
    return m.with_attributes([_dense(m, shape, number.to_bytes(4, "little")) for number in range(n)])


@family("dense.many_small", 2000)
def _(n: int) -> bytes:
    m = Maker()
    shape = m.tensor([2], m.i32())
    return m.with_attributes([_dense(m, shape, number.to_bytes(8, "little")) for number in range(n)])


@family("dense.shared", 6000)
def _(n: int) -> bytes:
    """Many operations share one large attribute."""
    m = Maker()
    value = _dense(m, m.tensor([n], m.integer_type(8)), bytes(number % 256 for number in range(n)))
    attributes = m.dictionary([("value", value)])
    return m.module([m.op(attributes=attributes) for _ in range(n)])


@family("dense.index", 8000)
def _(n: int) -> bytes:
    m = Maker()
    data = b"".join(number.to_bytes(8, "little") for number in range(n))
    return m.with_attributes([_dense(m, m.tensor([n], m.index_type()), data)])


@family("dense_strings.many", 40_000)
def _(n: int) -> bytes:
    m = Maker()
    strings = [m.string(f"s{number}") for number in range(100)]
    element = m.type("!t.string", "t")
    data = b"".join(varint(strings[number % 100]) for number in range(n))
    return m.with_attributes([m.attribute(varints(19, m.tensor([n], element), 0) + data)])


@family("dense_strings.one_long_often", 20_000)
def _(n: int) -> bytes:
    """Quadratic text: a long string n times."""
    m = Maker()
    element, long = m.type("!t.string", "t"), m.string("x" * n)
    return m.with_attributes([m.attribute(varints(19, m.tensor([n], element), 0) + varint(long) * n)])


@family("dense_strings.splat", 40_000)
def _(n: int) -> bytes:
    m = Maker()
    element, long = m.type("!t.string", "t"), m.string("x" * n)
    return m.with_attributes([m.attribute(varints(19, m.tensor([n], element), 1, long))])


for width in (8, 32, 64):

    @family(f"dense_array.i{width}", 480_000 // width)
    def _(n: int, width: int = width) -> bytes:
        m = Maker()
        data = bytes(number * 37 % 251 for number in range(n * width // 8))
        return m.with_attributes([_dense_array(m, width, n, data)])


@family("dense_array.many", 3000)
def _(n: int) -> bytes:
    m = Maker()
    return m.with_attributes([_dense_array(m, 32, 2, number.to_bytes(8, "little")) for number in range(n)])


@family("sparse.large", 4000)
def _(n: int) -> bytes:
    m = Maker()
    i64 = m.integer_type(64)
    indices = _dense(m, m.tensor([n, 1], i64), b"".join(k.to_bytes(8, "little") for k in range(n)))
    values = _dense(m, m.tensor([n], m.i32()), b"".join(k.to_bytes(4, "little") for k in range(n)))
    return m.with_attributes([m.attribute(varints(20, m.tensor([n], m.i32()), indices, values))])


@family("sparse.many_of_one", 3000)
def _(n: int) -> bytes:
    """Many sparse attributes share their large indices: quadratic text."""
    m = Maker()
    i64 = m.integer_type(64)
    indices = _dense(m, m.tensor([n, 1], i64), b"".join(k.to_bytes(8, "little") for k in range(n)))
    values = _dense(m, m.tensor([n], m.i32()), b"\x01\0\0\0")
    shape = m.tensor([n], m.i32())
    return m.with_attributes([m.attribute(varints(20, shape, indices, values))] * n)


@family("sparse.huge_shape", 3000)
def _(n: int) -> bytes:
    m = Maker()
    i64 = m.integer_type(64)
    shape = m.type(varints(13, 2, zigzag(1 << 30), zigzag(1 << 30)) + varint(m.i32()))
    indices = _dense(m, m.tensor([1, 2], i64), b"\x01\0\0\0\0\0\0\0" * 2)
    values = _dense(m, m.tensor([1], m.i32()), b"\x01\0\0\0")
    return m.with_attributes([m.attribute(varints(20, shape, indices, values)) for _ in range(n)])
