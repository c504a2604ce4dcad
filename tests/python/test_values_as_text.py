"""A value that is read from text equals the value in a file: all attributes and types of all kept files."""

import re
from collections.abc import Iterator
from pathlib import Path

import mlirbc
import pytest

from support import codec_coverage, oracles
from support.assembler import Block, File, Op, Region, varints

ROOT = Path(__file__).parents[2]
DATA = ROOT / "tests" / "data"
FILES = sorted([*DATA.glob("bytecode/*/*/*.mlirbc"), *ROOT.glob("examples/*.mlirbc")])

EXCEPTIONS = {
    r"distinct\[": "a distinct attribute is equal only to itself, and each text makes new ones",
}
"""Values that are not equal, by a pattern of their text, and why."""


def exception_of(text: str) -> str | None:
    return next((pattern for pattern in EXCEPTIONS if re.search(pattern, text)), None)


def differences(path: Path) -> Iterator[tuple[str, str]]:
    """The text of each value that differs once it was read from its text, and the difference."""
    module = mlirbc.open(path)
    for kind, table in ((mlirbc.Attribute, module.attributes), (mlirbc.Type, module.types)):
        for value in table:
            text = str(value)
            try:
                again = kind.parse(text)
            except mlirbc.Error as error:
                yield text, str(error)
                continue
            if again != value or value != again:
                yield text, f"{again!r} is another one than {value!r}"
            elif hash(again) != hash(value):
                yield text, "another hash"
            elif str(again) != text:
                yield text, f"printed as {again}"


def test_values_of_all_files_equal_those_of_their_text() -> None:
    wrong, stale = [], set(EXCEPTIONS)
    for path in FILES:
        for text, difference in differences(path):
            pattern = exception_of(text)
            if pattern is None:
                wrong.append(f"{path.relative_to(ROOT)}: {text[:200]}: {difference[:200]}")
            else:
                stale.discard(pattern)
    assert not wrong, "\n".join(wrong[:20])
    assert not stale, f"no longer exceptions: {sorted(stale)}"


@pytest.mark.parametrize(
    "text",
    [
        "!quant.any<i8<-8:7>:f32>",
        "!quant.any<u8>",
        "!quant.calibrated<f32<-0.998:1.232100e+00>>",
        "!quant.uniform<i8:f32, 2.000000e+00:10>",
        "!quant.uniform<u8<1:255>:f32:1, {2.000000e+02,9.987200e-01:120}>",
        "!quant.uniform<i8:f32:{0:1, 1:2}, {{2.000000e+00:120}, {3.000000e+00:127}}>",
        '#llvm.di_file<"a.c" in "/src">',
        "#llvm.di_expression<>",
        "#llvm.di_expression<[DW_OP_deref, DW_OP_plus_uconst(3), DW_OP_LLVM_fragment(0, 32)]>",
        "#llvm.di_expression<[DW_OP_LLVM_convert(32, DW_ATE_signed), DW_OP_LLVM_convert(64, 8888)]>",
        '#llvm.di_composite_type<tag = DW_TAG_structure_type, flags = "Vector|LValueReference">',
        "#llvm.di_composite_type<tag = DW_TAG_structure_type, flags = Vector>",
        '#llvm.di_subprogram<name = "f", subprogramFlags = "Definition|Optimized">',
        "#llvm.di_composite_type<flags = "
        '"Public|ReservedBit4|SingleInheritance|MultipleInheritance|VirtualInheritance">',
        '#stablehlo.axis_ref<name = "x">',
        '#stablehlo.axis_ref<name = "x", sub_axis_info = (2)4>',
        "#stablehlo.mesh<axes=[]>",
        '#stablehlo.mesh<axes=[<name = "x", size = 2>, <name = "y", size = 4>], '
        "device_ids=dense<[0, 1]> : tensor<2xi64>>",
        "#stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>",
        "#stablehlo.conv<[b, 2, 0, f, 1]x[o, i, 1, 0]->[f, b]>",
        '#llvm.di_basic_type<tag = DW_TAG_base_type, name = "c", sizeInBits = 8, encoding = DW_ATE_signed>',
        '#vhlo.string_v1<"main">',
        "#vhlo<precision_v1 DEFAULT>",
        "#vhlo.bool_v1<true>",
        "#vhlo.integer_v1<7 : i64>",
        "#vhlo.integer_v1<true>",
        "#vhlo.float_v1<1.500000e+00 : !vhlo.f32_v1>",
        '#vhlo.array_v1<[#vhlo.bool_v1<false>, #vhlo.string_v1<"a">]>',
        '#vhlo.dict_v1<{#vhlo.string_v1<"a"> = #vhlo.bool_v1<true>}>',
        "#vhlo.tensor_v1<dense<[1, 2]> : tensor<2xi64>>",
        "#vhlo.type_v1<!vhlo.tensor_v1<4x?x!vhlo.f32_v1>>",
        "#vhlo.type_v1<!vhlo.func_v1<(!vhlo.f32_v1, !vhlo.i1_v1) -> !vhlo.f32_v1>>",
        "#stablehlo<precision HIGH>",
        "#stablehlo.gather<offset_dims = [1], start_index_map = [0, 1], index_vector_dim = 2>",
        "#stablehlo.bounds<4, ?>",
    ],
)
def test_dialects_with_a_table_are_read_by_it(text: str) -> None:
    value = mlirbc.Type.parse(text) if text[0] == "!" else mlirbc.Attribute.parse(text)
    assert str(value) == text
    assert value.class_name is not None or "i1_v1" in text, text
    assert not value.is_text
    spaced = text.replace(" = ", "=").replace(", ", " ,\n")
    again = mlirbc.Type.parse(spaced) if text[0] == "!" else mlirbc.Attribute.parse(spaced)
    assert again == value and hash(again) == hash(value)


def test_text_within_what_a_table_reads() -> None:
    """LLVM has no code for `#llvm.loop_unroll`, so that it is text in files, too."""
    text = "#llvm.loop_annotation<disableNonforced = true, unroll = <disable = true, count = 4 : i32>>"
    value = mlirbc.Attribute.parse(text)
    assert not value.is_text and str(value) == text
    unroll = value.fields["unroll"]
    assert unroll == mlirbc.Attribute.parse("#llvm.loop_unroll<disable = true, count = 4 : i32>")


@pytest.mark.parametrize(
    "text",
    [
        "#vhlo.unknown_v1<1>",
        "#vhlo<precision_v1 SOMETIMES>",
        "#vhlo.string_v1<7>",
        "#llvm.di_file<7>",
        "#toy.pair<1, 2>",
        "!quant.any<f32>",
        '#vhlo.string_v1<"a"> : i32',
        "#stablehlo.conv<[b, ?, f]x[0, i, o]->[b, 0, f]>",
        "#stablehlo.conv<[b, 1, f]x[0, i, o]->[b, 0, f]>",
        "#stablehlo.conv<[b, 0, 0, f]x[0, i, o]->[b, 0, f]>",
        "#stablehlo.conv<[b, f, f]x[0, i, o]->[b, 0, f]>",
        "#stablehlo.conv<[b]x[i, o]->[b, f]>",
        "#llvm.di_expression<[]>",
        "#llvm.di_expression<[DW_OP_plus_uconst()]>",
        "#llvm.di_expression<[DW_OP_LLVM_convert(DW_ATE_signed)]>",
        "#llvm.di_expression<[DW_OP_nothing]>",
        # MLIR reads flags without quotes only where there is one.
        "#llvm.di_composite_type<tag = DW_TAG_structure_type, flags = Vector|LValueReference>",
    ],
)
def test_what_no_form_fits_stays_text(text: str) -> None:
    value = mlirbc.Type.parse(text) if text[0] == "!" else mlirbc.Attribute.parse(text)
    assert value.is_text and str(value) == text


def test_deep_symbols_of_dialects_end_in_text_not_in_a_crash() -> None:
    for depth in (10, 1000, 20_000):
        text = "#vhlo.array_v1<[" * depth + "]>" * depth
        try:
            assert str(mlirbc.Attribute.parse(text)) == text
        except mlirbc.LimitError:
            assert depth > 24


def test_a_weight_read_from_text_has_its_elements() -> None:
    numpy = pytest.importorskip("numpy")
    pytest.importorskip("ml_dtypes")
    data = bytes(range(256)) * 32
    text = f'#vhlo.tensor_v1<dense<"0x{data.hex().upper()}"> : tensor<4096xbf16>>'
    weight = mlirbc.Attribute.parse(text)
    assert isinstance(weight, mlirbc.TensorV1Attr)
    array = weight.to_numpy()
    assert array.shape == (4096,) and array.view(numpy.uint16).tobytes() == data
    edited = mlirbc.edit.Module.create(release="jaxlib-0.10")
    edited.operation.attributes["x.weight"] = weight
    written = edited.write()
    # As MLIR encodes it: the elements once, in bytes, and not twice as many digits.
    assert len(data) < len(written) < len(data) + 1000
    back = mlirbc.read(written)
    assert back.operation is not None and back.operation.attributes["x.weight"] == weight


@pytest.mark.parametrize("release", [16, 19, 22])
def test_what_is_read_from_text_is_written_as_mlir_writes_it(release: int) -> None:
    binary = oracles.require(release)
    del binary
    texts = [
        "!quant.any<i8<-8:7>:f32>",
        "!quant.uniform<i8:f32, 2.000000e+00:10>",
        '#llvm.di_file<"a.c" in "/src">',
    ]
    attributes = ", ".join(f"x.a{place} = {text}" for place, text in enumerate(texts))
    source = f'"builtin.module"() ({{\n^bb0:\n}}) {{{attributes}}} : () -> ()'
    args = ["--allow-unregistered-dialect", "--emit-bytecode"]
    whole = oracles.checked(oracles.run_mlir_opt(release, args, source))
    module = mlirbc.read(whole)
    assert module.operation is not None
    edited = module.edit()
    for place, text in enumerate(texts):
        value = mlirbc.Type.parse(text) if text[0] == "!" else mlirbc.Attribute.parse(text)
        if isinstance(value, mlirbc.Type):
            value = mlirbc.TypeAttr.get(value)
        assert module.operation.attributes[f"x.a{place}"] == value
        edited.operation.attributes[f"x.b{place}"] = value
    written = edited.write()
    reread = mlirbc.read(written)
    assert reread.operation is not None
    for place in range(len(texts)):
        old, new = (reread.operation.attributes[f"x.{letter}{place}"] for letter in "ab")
        # Both names lead to the same entry, so it has the same bytes.
        assert old == new and old.index == new.index and old.is_text == new.is_text
    printed = oracles.run_mlir_opt(release, ["--allow-unregistered-dialect"], written)
    assert printed.status == 0, printed.stderr


NOT_READ = {
    r"distinct\[": "a distinct attribute is equal only to itself",
    r"<<INVALID": "MLIR's printer marks what its parser does not take",
    r"di_expression_elemDW_|<di_expression_elemDW_": "MLIR does not read an element alone",
    r"#sdy\.dim_mapping": "a mapping alone, which Shardy prints as one word and does not read",
    r"[<\[=(] *,|, *[>\]]": "a null in a list, which MLIR prints as nothing",
}
"""Values that cannot be read from their text, by a pattern, and why."""

OTHER_LAYOUTS = {
    "stablehlo/attribute/7/1": "the text is that of the newer layout, with two empty lists more",
    "stablehlo/attribute/11/1": "the text is that of the newer layout, with two empty lists more",
    "quant/type/6/0": "elements that are all the same are stored once or one by one",
}
"""Rows whose values differ from the values that are read from their text, and why."""

NEVER_READ = (
    "llvm/attribute/1/0",
    "llvm/attribute/4/0",
    "llvm/attribute/15/0",
    "sdy/attribute/8/0",
)
"""Rows of which all values are among `NOT_READ`."""


@pytest.mark.skipif(
    not codec_coverage.is_there() and not oracles.must_be_there(),
    reason="the extension module was built without `--features testing`",
)
@pytest.mark.parametrize(
    "row", [row for row in codec_coverage.rows() if row.dialect != "builtin"], ids=lambda row: row.id
)
def test_values_of_every_row_of_a_dialect_equal_those_of_their_text(row: codec_coverage.CodecRow) -> None:
    parsed, wrong = 0, []
    for noise in codec_coverage.noises(row, 12):
        module = mlirbc.read(codec_coverage.generate(row, noise))
        for kind, table in ((mlirbc.Attribute, module.attributes), (mlirbc.Type, module.types)):
            # Numbers and elements of the builtin dialect that noise makes have several encodings.
            for value in (value for value in table if value.dialect == row.dialect):
                text = str(value)
                again = kind.parse(text)
                is_same = again == value and hash(again) == hash(value) and str(again) == text
                # Zeros are not printed, and their sign with them.
                is_negative_zero = 1 << 63 in (value.fields or {}).values()
                if is_same:
                    parsed += row.name.startswith(str(again.class_name))
                elif not is_negative_zero and not any(re.search(pattern, text) for pattern in NOT_READ):
                    wrong.append(text)
    if row.id in OTHER_LAYOUTS:
        assert wrong
        return
    assert not wrong, "\n".join(text[:500] for text in wrong[:5])
    assert (parsed == 0) == (row.id in NEVER_READ), "whether a value of the row was read from its text"


USER = """
dialect = "as_text"

[[attribute]]
code = 0
name = "PairAttr"
mnemonic = "pair"
fields = ["first: signed", "second: optional_attribute(PairAttr) as bare", "note: string omit empty"]
asm = "<{params}>"

[[attribute]]
code = 1
name = "FlagsAttr"
mnemonic = "flags"
fields = ["flags: varint as flags(Bits)", "sort: varint as enum(Sort)"]
asm = "<{flags}, {sort}>"

[[attribute]]
code = 2
name = "ListAttr"
mnemonic = "list"
fields = ["sizes: list(signed) as array", "of: type", "has_end: bool", "end: if(has_end) attribute"]
asm = "<{sizes} : {of}{?end|, {end}}>"

[enums.Sort]
0 = "none"
1 = "some"

[flags.Bits]
1 = "a"
2 = "b"
12 = "c|d"
"""


def test_values_of_a_table_of_the_user_equal_those_of_their_text() -> None:
    file = File(version=6, producer=b"as_text")
    file.dialect("builtin")
    location, i8 = file.attribute(varints(15)), file.type(varints(0, 8 << 2))
    end = file.attribute(varints(2, file.string("x")))
    pair = file.attribute(varints(0, 14, 0, file.string("")), "as_text")
    entries = {
        pair: "#as_text.pair<first = 7>",
        file.attribute(varints(0, 3, pair << 1 | 1, file.string("n")), "as_text"): (
            '#as_text.pair<first = -2, second = <first = 7>, note = "n">'
        ),
        file.attribute(varints(1, 3, 1), "as_text"): '#as_text.flags<"a|b", some>',
        file.attribute(varints(1, 14, 0), "as_text"): '#as_text.flags<"c|d|b", none>',
        file.attribute(varints(1, 1, 0), "as_text"): "#as_text.flags<a, none>",
        file.attribute(varints(2, 2, 2, 4, i8) + b"\0", "as_text"): "#as_text.list<[1, 2] : i8>",
        file.attribute(varints(2, 0, i8) + b"\1" + varints(end), "as_text"): '#as_text.list<[] : i8, "x">',
    }
    top = file.op_name("builtin.module", registered=True)
    file.top.append(Op(top, location, regions=[Region([Block()])], isolated=True))
    module = mlirbc.read(file.encode().data, dialects=[mlirbc.DialectTable.from_toml(USER)])
    mlirbc.dialects.register(mlirbc.DialectTable.from_toml(USER))
    for index, text in entries.items():
        value = module.attributes[index]
        again = mlirbc.Attribute.parse(text)
        assert (str(value), value.is_text, again.is_text) == (text, False, False)
        assert again == value and hash(again) == hash(value)
    assert mlirbc.Attribute.parse('#as_text.pair<first = 7, note = "">') == module.attributes[pair]
