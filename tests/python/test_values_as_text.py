"""What is read from text equals what a file has: for every attribute and type of every kept file."""

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parents[1] / "support"))

import mlirbc
import oracles

ROOT = Path(__file__).parents[2]
DATA = ROOT / "tests" / "data"
FILES = sorted([*DATA.glob("bytecode/*/*/*.mlirbc"), *ROOT.glob("examples/*.mlirbc")])

EXCEPTIONS = {
    r"distinct\[": "a distinct attribute is equal only to itself, and each text makes new ones",
}
"""What is not equal, by a pattern of its text, and why."""


def exception_of(text: str) -> str | None:
    return next((pattern for pattern in EXCEPTIONS if re.search(pattern, text)), None)


def differences(path: Path) -> Iterator[tuple[str, str]]:
    """The text of each value that is another one once it was read from its text, and what is wrong."""
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
        for text, what in differences(path):
            pattern = exception_of(text)
            if pattern is None:
                wrong.append(f"{path.relative_to(ROOT)}: {text[:200]}: {what[:200]}")
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
    both = mlirbc.read(written)
    assert both.operation is not None
    for place in range(len(texts)):
        old, new = (both.operation.attributes[f"x.{letter}{place}"] for letter in "ab")
        # The same entry, so it has the same bytes.
        assert old == new and old.index == new.index and old.is_text == new.is_text
    printed = oracles.run_mlir_opt(release, ["--allow-unregistered-dialect"], written)
    assert printed.status == 0, printed.stderr
