"""Types: wide, deep, shared, with long shapes; of the builtin dialect and as text of LLVM's."""

from complexity.build import Maker, family, versions
from support.assembler import Argument, varint, varints, zigzag

MINUS = 1 << 63
"""The dynamic extent as MLIR stores it."""


@versions("tuple.wide", 40_000)
def _(n: int, version: int) -> bytes:
    m = Maker(version)
    return m.with_types([m.tuple([m.i32()] * n)])


@versions("tuple.deep", 15_000)
def _(n: int, version: int) -> bytes:
    m = Maker(version)
    return m.with_types([m.type_chain(m.i32(), n, lambda before: varints(15, 1, before))])


@family("tuple.dag", 12_000)
def _(n: int) -> bytes:
    m = Maker()
    return m.with_types([m.type_chain(m.i32(), n, lambda before: varints(15, 2, before, before))])


@family("tuple.deep_each_used", 5000)
def _(n: int) -> bytes:
    m = Maker()
    links = [m.i32()]
    for _ in range(n):
        links.append(m.tuple([links[-1]]))
    return m.with_types(links)


@family("tuple.shared", 6000)
def _(n: int) -> bytes:
    m = Maker()
    wide = m.tuple([m.i32()] * n)
    return m.with_types([wide] * n)


@family("tuple.dag_each_used", 3000)
def _(n: int) -> bytes:
    """Each link of a graph with an exponential text is the type of a result."""
    m = Maker()
    links = [m.i32()]
    for _ in range(n):
        links.append(m.tuple([links[-1]] * 2))
    return m.with_types(links)


@family("function_type.wide", 30_000)
def _(n: int) -> bytes:
    m = Maker()
    return m.with_types([m.function_type([m.i32()] * n, [m.f32()] * (n // 2))])


@family("function_type.deep_inputs", 12_000)
def _(n: int) -> bytes:
    m = Maker()
    return m.with_types([m.type_chain(m.i32(), n, lambda before: varints(2, 1, before, 0))])


@family("function_type.deep_results", 12_000)
def _(n: int) -> bytes:
    m = Maker()
    return m.with_types([m.type_chain(m.i32(), n, lambda before: varints(2, 0, 1, before))])


@family("function_type.many", 4000)
def _(n: int) -> bytes:
    m = Maker()
    i32 = m.i32()
    types = [m.type(varints(2, 1, i32, 0))]
    for number in range(n):
        types.append(m.type(varints(2, 1, types[number // 2], 1, i32)))
    return m.with_types(types)


@family("tensor.long_shape", 40_000)
def _(n: int) -> bytes:
    m = Maker()
    return m.with_types([m.tensor([1] * n, m.i32())])


@family("tensor.large_extents", 7000)
def _(n: int) -> bytes:
    m = Maker()
    return m.with_types([m.tensor([(1 << 62) + number for number in range(n)], m.i32())])


@family("tensor.many", 4000)
def _(n: int) -> bytes:
    m = Maker()
    return m.with_types([m.tensor([number], m.f32()) for number in range(n)])


@family("tensor.long_shape_shared", 6000)
def _(n: int) -> bytes:
    m = Maker()
    return m.with_types([m.tensor([1] * n, m.i32())] * n)


@family("tensor.deep_encoding", 6000)
def _(n: int) -> bytes:
    """A tensor with an encoding that is an array with the type of a tensor, and so on."""
    m = Maker()
    f32 = m.f32()
    kind = m.tensor([], f32)
    for _ in range(n):
        kind = m.type(varints(14, m.attribute(varints(6, kind)), 0, f32))
    return m.with_types([kind])


@family("vector.deep_text", 15_000)
def _(n: int) -> bytes:
    m = Maker()
    return m.with_types([m.type("!t.v<" * n + ">" * n, "t")])


@family("vector.many_dimensions", 40_000)
def _(n: int) -> bytes:
    m = Maker()
    return m.with_types([m.type(varints(19, n) + varint(zigzag(1)) * n + varint(m.f32()))])


@family("memref.deep_space", 6000)
def _(n: int) -> bytes:
    m = Maker()
    i32, space = m.i32(), m.integer(1)
    layout = m.attribute("affine_map<(d0) -> (d0)>")
    for _ in range(n):
        kind = m.type(varints(11, space, 1, zigzag(4), i32, layout))
        space = m.attribute(varints(6, kind))
    return m.with_types([kind])


@family("memref.long_strides", 12_000)
def _(n: int) -> bytes:
    m = Maker()
    layout = m.attribute(f"strided<[{', '.join(['1'] * n)}]>")
    return m.with_types([m.type(varints(10, n) + varint(zigzag(1)) * n + varints(m.i32(), layout))])


@family("memref.many", 3000)
def _(n: int) -> bytes:
    m = Maker()
    layout = m.attribute("affine_map<(d0) -> (d0)>")
    return m.with_types([m.type(varints(10, 1, zigzag(k), m.i32(), layout)) for k in range(n)])


@family("complex.deep", 15_000)
def _(n: int) -> bytes:
    m = Maker()
    return m.with_types([m.type_chain(m.f32(), n, lambda before: varints(9, before))])


@family("types.unused", 20_000)
def _(n: int) -> bytes:
    m = Maker()
    for _ in range(n):
        m.type(varints(1))
    return m.module([m.op()])


@family("types.cyclic", 15_000)
def _(n: int) -> bytes:
    m = Maker()
    for number in range(n):
        m.type(varints(15, 1, (number + 1) % n))
    return m.with_types([0])


@family("llvm_struct.wide", 12_000)
def _(n: int) -> bytes:
    m = Maker()
    return m.with_types([m.type(f"!llvm.struct<({', '.join(['i8'] * n)})>", "llvm")])


@family("llvm_struct.deep", 4000)
def _(n: int) -> bytes:
    m = Maker()
    return m.with_types([m.type("!llvm.struct<(" * n + "i8" + ")>" * n, "llvm")])


@family("llvm_struct.named_recursive", 2000)
def _(n: int) -> bytes:
    m = Maker()
    start = "".join(f'!llvm.struct<"s{number}", (' for number in range(n))
    return m.with_types([m.type(start + "ptr" + ")>" * n, "llvm")])


@family("llvm_array.deep", 6000)
def _(n: int) -> bytes:
    m = Maker()
    return m.with_types([m.type("!llvm.array<1 x " * n + "i8" + ">" * n, "llvm")])


@family("llvm_ptr.many", 4000)
def _(n: int) -> bytes:
    m = Maker()
    return m.with_types([m.type(f"!llvm.ptr<{number}>", "llvm") for number in range(n)])


@family("types.of_arguments", 30_000)
def _(n: int) -> bytes:
    m = Maker()
    types = [m.tensor([number], m.f32()) for number in range(100)]
    return m.module([m.function([m.block([], [Argument(types[k % 100]) for k in range(n)])])])
