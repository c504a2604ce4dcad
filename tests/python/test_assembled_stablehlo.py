"""Texts of StableHLO and Shardy are assembled to the bytes that jaxlib writes."""

import io
from pathlib import Path

import mlirbc
import pytest

from support import jaxlib_oracle

DATA = Path(__file__).parents[1] / "data"
TEXTS = [DATA / "assembly" / "stablehlo.mlir", *sorted((DATA / "stablehlo").glob("*.mlir"))]


def written(text: str) -> bytes | None:
    """The bytecode that jaxlib writes; nothing if it refuses the text, which may be newer."""
    oracle = jaxlib_oracle.find()
    if oracle is None:
        pytest.skip("jaxlib is not installed")
    with oracle.context:
        try:
            module = oracle.ir.Module.parse(text)
        except oracle.ir.MLIRError:
            return None
        out = io.BytesIO()
        module.operation.write_bytecode(out)
        return out.getvalue()


def printed(text: str) -> str:
    """The text in custom form, as jaxlib prints it."""
    oracle = jaxlib_oracle.find()
    assert oracle is not None
    with oracle.context:
        return str(oracle.ir.Module.parse(text))


@pytest.mark.parametrize("path", TEXTS, ids=[path.stem for path in TEXTS])
def test_a_text_has_the_bytes_of_jaxlib(path: Path) -> None:
    text = path.read_text("utf-8")
    for form in (str, printed):
        if (expected := written(text)) is None:
            pytest.skip("newer than this jaxlib")
        source = form(text)
        expected = written(source)
        assert mlirbc.parse(source, target="jaxlib-0.10", file="-").write() == expected


@pytest.mark.filterwarnings("ignore::mlirbc.OmissionWarning")
@pytest.mark.parametrize("path", TEXTS, ids=[path.stem for path in TEXTS])
def test_the_bytes_are_printed_as_by_jaxlib(path: Path) -> None:
    text = path.read_text("utf-8")
    if (data := written(text)) is None:
        pytest.skip("newer than this jaxlib")
    assert str(mlirbc.read(data)).rstrip("\n") == printed(text).rstrip("\n")


def test_a_body_has_the_location_of_its_operation() -> None:
    reduction = "stablehlo.reduce(%a init: %b) applies stablehlo.add across dimensions = [0]"
    text = f"""
func.func @f(%a: tensor<4xf32>, %b: tensor<f32>) -> tensor<f32> {{
  %0 = {reduction} : (tensor<4xf32>, tensor<f32>) -> tensor<f32> loc(#place)
  return %0 : tensor<f32>
}}
"""
    place = '#place = loc("x.py":3:4)\n'
    # The alias of the location may follow its use.
    for source in (place + text, text + place):
        expected = written(source)
        assert mlirbc.parse(source, target="jaxlib-0.10", file="-").write() == expected


def test_most_texts_are_compared() -> None:
    assert sum(written(path.read_text("utf-8")) is not None for path in TEXTS) >= 20


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("stablehlo.reduce_precision %a, format = 5m10 : tensor<f32>", "the bits of the exponent"),
        ("stablehlo.slice %a [0:1:] : (tensor<1xf32>) -> tensor<1xf32>", "an integer of at most 64 bits"),
        ("stablehlo.complex %a, %a : tensor<f32>", "not complex"),
        ("stablehlo.add %a, %a : (tensor<f32>) -> tensor<f32>", "are 1 and 1, expected 2 and 1"),
        (
            "stablehlo.add %a, %a : (tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<f32>",
            "are 3 and 1, expected 2 and 1",
        ),
        ("stablehlo.tuple %a : tensor<f32>", "not a tuple"),
        (
            "stablehlo.reduce(%a init: %a) applies stablehlo.subtract across dimensions = [] : (tensor<f32>, "
            "tensor<f32>) -> tensor<f32>",
            "commutative",
        ),
    ],
)
def test_a_wrong_text_is_refused_with_its_place(text: str, message: str) -> None:
    module = f"func.func @f(%a: tensor<f32>) {{\n  %0 = {text}\n  return\n}}"
    with pytest.raises(mlirbc.InvalidError, match=message) as refused:
        mlirbc.parse(module, target="jaxlib-0.10")
    assert ":2:" in str(refused.value)
