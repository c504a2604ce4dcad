"""Entries that are stored as assembly, and the debug information of LLVM, encoded and as text."""

from complexity.build import Maker, family, versions
from support.assembler import varint, varints


@versions("text.long", 60_000)
def _(n: int, version: int) -> bytes:
    m = Maker(version)
    return m.with_attributes([m.attribute(f'#t.a<"{"x" * n}">', "t")])


@family("text.many", 2500)
def _(n: int) -> bytes:
    m = Maker()
    return m.with_attributes([m.attribute(f"#t.a<{number}>", "t") for number in range(n)])


@family("text.wide", 15_000)
def _(n: int) -> bytes:
    m = Maker()
    return m.with_attributes([m.attribute(f"#t.a<{', '.join(['1'] * n)}>", "t")])


for name, start, end in (
    ("angles", "<", ">"),
    ("squares", "[", "]"),
    ("braces", "{k = ", "}"),
    ("parentheses", "(", ")"),
):

    @family(f"text.deep_{name}", 15_000)
    def _(n: int, start: str = start, end: str = end) -> bytes:
        m = Maker()
        return m.with_attributes([m.attribute(f"#t.a<{start * n}1{end * n}>", "t")])


@family("text.unbalanced", 30_000)
def _(n: int) -> bytes:
    m = Maker()
    return m.with_attributes([m.attribute(f"#t.a<{'[' * n}", "t")])


@family("text.unterminated_strings", 3000)
def _(n: int) -> bytes:
    m = Maker()
    return m.with_attributes([m.attribute('#t.a<"' + "\\" * (number % 8), "t") for number in range(n)])


@family("text.nested_attributes", 8000)
def _(n: int) -> bytes:
    m = Maker()
    return m.with_attributes([m.attribute("#t.a<" * n + ">" * n, "t")])


@family("text.builtin_arrays", 15_000)
def _(n: int) -> bytes:
    m = Maker()
    return m.with_attributes([m.attribute("[" * n + "]" * n)])


@family("text.builtin_dictionary", 6000)
def _(n: int) -> bytes:
    m = Maker()
    return m.with_attributes([m.attribute("{" + ", ".join(f"k{k} = 1 : i32" for k in range(n)) + "}")])


@family("text.builtin_equal_keys", 6000)
def _(n: int) -> bytes:
    m = Maker()
    return m.with_attributes([m.attribute("{" + ", ".join(["same = unit"] * n) + "}")])


@family("text.builtin_dense", 15_000)
def _(n: int) -> bytes:
    m = Maker()
    return m.with_attributes([m.attribute(f"dense<[{', '.join(['1'] * n)}]> : tensor<{n}xi32>")])


@family("text.builtin_dense_deep", 15_000)
def _(n: int) -> bytes:
    m = Maker()
    shape = "1x" * n
    return m.with_attributes([m.attribute(f"dense<{'[' * n}1{']' * n}> : tensor<{shape}i32>")])


@family("text.builtin_types", 12_000)
def _(n: int) -> bytes:
    m = Maker()
    return m.with_types([m.type("tuple<" * n + "i32" + ">" * n)])


@family("text.builtin_functions", 12_000)
def _(n: int) -> bytes:
    m = Maker()
    return m.with_types([m.type("() -> (" * n + "i32" + ")" * n)])


@family("text.long_number", 60_000)
def _(n: int) -> bytes:
    m = Maker()
    return m.with_attributes([m.attribute("1" * n + " : i32")])


@family("text.aliases", 8000)
def _(n: int) -> bytes:
    """Text that looks like aliases or symbols of the file in which it stands."""
    m = Maker()
    return m.with_attributes([m.attribute(f"#t.a<{', '.join(['#loc1, @s, %0, ^bb1'] * (n // 2))}>", "t")])


@family("text.comments", 12_000)
def _(n: int) -> bytes:
    m = Maker()
    return m.with_attributes([m.attribute("#t.a<" + "// x\n" * n + ">", "t")])


@family("text.arrows", 15_000)
def _(n: int) -> bytes:
    m = Maker()
    return m.with_attributes([m.attribute("#t.a<" + "-> " * n + ">", "t")])


@family("text.shared", 15_000)
def _(n: int) -> bytes:
    """Text of n bytes that many operations have: quadratic output."""
    m = Maker()
    return m.with_attributes([m.attribute(f"#t.a<{'x' * n}>", "t")] * (n // 10))


# Debug information.


@family("debug.files", 3000)
def _(n: int) -> bytes:
    m = Maker()
    directory = m.string("/src")
    return m.with_attributes(
        [m.attribute(varints(6, m.string(f"f{number}"), directory), "llvm") for number in range(n)]
    )


@family("debug.namespaces_deep", 12_000)
def _(n: int) -> bytes:
    m = Maker()
    name, scope = m.text("n"), None
    for _ in range(n):
        parent = varint(0) if scope is None else varint(scope << 1 | 1)
        scope = m.attribute(varints(14, name << 1 | 1) + parent + b"\x01", "llvm")
    assert scope is not None
    return m.with_attributes([scope])


@family("debug.blocks_deep_as_locations", 4000)
def _(n: int) -> bytes:
    """Each lexical block is the metadata of an operation's location, as debug information has it."""
    m = Maker()
    file = m.attribute(varints(6, m.string("f"), m.string("/src")), "llvm")
    scope = m.attribute(varints(14, 0, 0) + b"\x01", "llvm")
    locations = []
    for number in range(n):
        scope = m.attribute(varints(11, scope, file << 1 | 1, number, 1), "llvm")
        locations.append(m.attribute(varints(13, 1, 0, scope)))
    return m.with_locations(locations)


@family("debug.expression_wide", 30_000)
def _(n: int) -> bytes:
    m = Maker()
    element = m.attribute(varint(4) + varint(6) + b"\x00", "llvm")
    return m.with_attributes(
        [m.attribute(varint(5) + b"\x01" + varint(n) + varint(element << 1 | 1) * n, "llvm")]
    )


@family("debug.subroutines", 30_000)
def _(n: int) -> bytes:
    m = Maker()
    basic = m.attribute(varints(0, 36, m.string("int"), 32, 5), "llvm")
    return m.with_attributes(
        [m.attribute(varints(17, 0) + b"\x01" + varint(n) + varint(basic << 1 | 1) * n, "llvm")]
    )


@family("debug.text_types_deep", 2000)
def _(n: int) -> bytes:
    m = Maker()
    start = "#llvm.di_derived_type<tag = DW_TAG_pointer_type, baseType = " * 1
    return m.with_attributes([m.attribute(start * (n // 4) + "#llvm.di_null_type" + ">" * (n // 4), "llvm")])


@family("debug.text_many", 800)
def _(n: int) -> bytes:
    m = Maker()
    return m.with_attributes(
        [
            m.attribute(f'#llvm.di_file<"f{number}" in "/src/folder/of/the/file">', "llvm")
            for number in range(n)
        ]
    )


@family("debug.text_repeated", 200)
def _(n: int) -> bytes:
    """Every text spells the same large attribute out, which has an alias where it is an entry."""
    m = Maker()
    unit = '#llvm.di_compile_unit<id = distinct[0]<>, file = <"f" in "/src/folder/of/the/file">>'
    m.attribute('#llvm.di_file<"f" in "/src/folder/of/the/file">', "llvm")
    return m.with_attributes(
        [
            m.attribute(f"#llvm.di_lexical_block<scope = {unit}, line = {number}, column = 1>", "llvm")
            for number in range(n)
        ]
    )
