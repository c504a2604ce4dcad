"""Data layouts: specifications large, nested and long, and types whose sizes go beyond 64 bits."""

from complexity.build import Maker, family
from support.assembler import varint, varints, zigzag


def _spec(m: Maker, entries: list[str]) -> int:
    return m.attribute(f"#dlti.dl_spec<{', '.join(entries)}>", "dlti")


def _with_spec(m: Maker, spec: int, types: list[int]) -> bytes:
    """A module with the specification, and with results of the types."""
    attributes = m.dictionary([("dlti.dl_spec", spec)])
    return m.module([m.op(results=[kind]) for kind in types], attributes=attributes)


@family("layout.entries_many", 2000)
def _(n: int) -> bytes:
    m = Maker()
    entries = [f"i{number + 1} = dense<64> : vector<2xi64>" for number in range(n)]
    return _with_spec(m, _spec(m, entries), [m.integer_type(7 * number % n + 1) for number in range(n)])


@family("layout.keys_many", 2500)
def _(n: int) -> bytes:
    m = Maker()
    return _with_spec(m, _spec(m, [f'"k{number}" = {number} : i32' for number in range(n)]), [m.i32()])


@family("layout.keys_equal", 3000)
def _(n: int) -> bytes:
    m = Maker()
    return _with_spec(m, _spec(m, ['"same" = 1 : i32'] * n), [m.i32()])


@family("layout.long_key", 60_000)
def _(n: int) -> bytes:
    m = Maker()
    return _with_spec(m, _spec(m, [f'"{"k" * n}" = 1 : i32']), [m.i32()])


@family("layout.nested_modules", 700)
def _(n: int) -> bytes:
    """Modules in modules, each with a specification of its own."""
    m = Maker()
    i32, op = m.i32(), None
    for number in range(n):
        spec = m.dictionary(
            [("dlti.dl_spec", _spec(m, [f'"k{number}" = {number} : i32', "i64 = dense<64> : vector<2xi64>"]))]
        )
        inner = m.op(results=[i32]) if op is None else op
        op = m.module_op([inner], attributes=spec, properties=0 if number else m.property(b"\x01\x01"))
    assert op is not None
    m.top.append(op)
    return m.encode().data


@family("layout.nested_modules_of_one_spec", 2000)
def _(n: int) -> bytes:
    m = Maker()
    i32 = m.i32()
    spec = m.dictionary(
        [("dlti.dl_spec", _spec(m, [f'"k{number}" = {number} : i32' for number in range(n // 4)]))]
    )
    op = m.op(results=[i32])
    for number in range(n):
        op = m.module_op([op], attributes=spec, properties=0 if number else m.property(b"\x01\x01"))
    m.top.append(op)
    return m.encode().data


@family("layout.devices", 1200)
def _(n: int) -> bytes:
    m = Maker()
    devices = ", ".join(f'"d{k}" = #dlti.target_device_spec<"cores" = {k} : i32>' for k in range(n))
    spec = m.attribute(f"#dlti.target_system_spec<{devices}>", "dlti")
    return m.module([m.op()], attributes=m.dictionary([("dlti.target_system_spec", spec)]))


@family("layout.types_many", 4000)
def _(n: int) -> bytes:
    m = Maker()
    return m.with_types([m.integer_type(number + 1) for number in range(n)])


@family("layout.vectors_overflow", 5000)
def _(n: int) -> bytes:
    """Vectors whose size overflows after a few of their dimensions."""
    m = Maker()
    shape = varint(n) + varint(zigzag(1 << 40)) * n
    return m.with_types([m.type(varint(19) + shape + varint(m.f32()))])


@family("layout.complex_overflow", 12_000)
def _(n: int) -> bytes:
    """Complex types of complex types: the size doubles with each."""
    m = Maker()
    return m.with_types([m.type_chain(m.f32(), n, lambda before: varints(9, before))])


@family("layout.struct_overflow", 1500)
def _(n: int) -> bytes:
    """Structs of arrays, nested, each of which overflows."""
    m = Maker()
    text = "!llvm.array<4294967295 x " * n + "!llvm.struct<(i64, i64)>" + ">" * n
    return m.with_types([m.type(text, "llvm")])


@family("layout.struct_overflow_wide", 1200)
def _(n: int) -> bytes:
    m = Maker()
    huge = "array<9223372036854775807 x i64>"
    return m.with_types([m.type(f"!llvm.struct<({', '.join([huge] * n)})>", "llvm")])


@family("layout.struct_overflow_nested", 800)
def _(n: int) -> bytes:
    m = Maker()
    text = "!llvm.struct<(array<4294967295 x " * n + "i64" + ">, i8)>" * n
    return m.with_types([m.type(text, "llvm")])


@family("layout.struct_dag_text", 1000)
def _(n: int) -> bytes:
    m = Maker()
    return m.with_types(
        [m.type(f"!llvm.struct<(i8, array<{number} x struct<(i64, i8)>>)>", "llvm") for number in range(n)]
    )


@family("layout.tuples_deep", 12_000)
def _(n: int) -> bytes:
    m = Maker()
    return m.with_types([m.type_chain(m.i32(), n, lambda before: varints(15, 2, before, m.i32()))])


@family("layout.vectors_of_vectors", 8000)
def _(n: int) -> bytes:
    m = Maker()
    return m.with_types([m.type_chain(m.f32(), n, lambda before: varints(19, 1, zigzag(3), before))])


@family("layout.memrefs_nested", 4000)
def _(n: int) -> bytes:
    m = Maker()
    layout = m.attribute("affine_map<(d0) -> (d0)>")
    return m.with_types([m.type_chain(m.f32(), n, lambda b: varints(10, 1, zigzag(3), b, layout))])
