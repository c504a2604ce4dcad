"""Generated modules are printed, parsed, and the same again."""

import re
import warnings
from typing import get_args

import mlirbc
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from mlirbc import _mlirbc, testing

from support import oracles

RELEASES = _mlirbc._generated_releases()
# Modules, functions, casts and unregistered operations: the custom text that MLIR prints of other valid
# operations does not always parse.
FEATURES = [feature for feature in get_args(testing.Feature) if feature != "control_flow"]
NO_OTHERS: list[str] = []
some = settings(deadline=None, max_examples=15, suppress_health_check=[HealthCheck.too_slow])


def generic(module: mlirbc.Module, *, locations: bool) -> str:
    text = module.operation.get_asm(print_generic_op_form=True, enable_debug_info=locations)
    assert isinstance(text, str)
    return text


def assume_representable(text: str) -> None:
    """Leaves out modules that MLIR, and mlirbc like MLIR, does not read as they were printed.

    It reads a number as a `double` before it becomes an `f80` or `f128`, a location without a file name
    as one with the name `-`, and refuses the only index of several sparse values. It drops repeated and
    unknown locations of a fused one, and puts those of fused ones in their place (`FusedLoc::get` in
    `mlir/lib/IR/Location.cpp`). Two locations with one text are one.
    """
    assume(not re.search(r' : (f80|f128)\b|x(f80|f128)>|"":\d+:\d+|sparse<-?\w+, \[', text))
    aliases = dict(re.findall(r"^(#loc\d*) = loc\((.*)\)$", text, re.MULTILINE))
    assume(len(set(aliases.values())) == len(aliases))
    for parts in re.findall(r"\bfused(?:<.*>)?\[(.*)\]", "\n".join(aliases.values())):
        names = parts.split(", ")
        assume(len(set(names)) == len(names))
        assume(not any(re.match("fused|unknown", aliases.get(name, name)) for name in names))


def parsed(text: str | bytes, release: str, module: mlirbc.Module) -> mlirbc.Module:
    return mlirbc.parse(text, target=release, bytecode_version=module.bytecode.version)


@some
@given(st.data(), st.sampled_from(RELEASES))
def test_custom_text_parses_to_the_same_module(data: st.DataObject, release: str) -> None:
    module = data.draw(
        testing.modules(releases=[release], dialects=NO_OTHERS, features=FEATURES, max_operations=6)
    )
    assume_representable(generic(module, locations=True))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", mlirbc.OmissionWarning)
        text = module.operation.get_asm(binary=True)
    # Custom text does not have the locations of implied terminators.
    assert generic(parsed(text, release, module), locations=False) == generic(module, locations=False)


@some
@given(st.data(), st.sampled_from(RELEASES))
def test_generic_text_parses_to_the_same_module(data: st.DataObject, release: str) -> None:
    module = data.draw(testing.modules(releases=[release], max_operations=6))
    text = generic(module, locations=True)
    assume_representable(text)
    assert generic(parsed(text, release, module), locations=True) == text


@some
@given(st.data(), st.sampled_from(RELEASES))
def test_lossless_text_has_all_of_the_module(data: st.DataObject, release: str) -> None:
    module = data.draw(
        testing.modules(releases=[release], dialects=NO_OTHERS, features=FEATURES, max_operations=6)
    )
    assume_representable(generic(module, locations=True))
    text = module.operation.get_asm(lossless=True, enable_debug_info=True, binary=True)
    again = parsed(text, release, module)
    assert generic(again, locations=True) == generic(module, locations=True)
    assert again.operation.get_asm(lossless=True, enable_debug_info=True, binary=True) == text


WIDE_FLOATS = """
"t.a"() {
  a = 0x3FFBCCCCCCCCCCCCCCCD : f80, b = 0xBFFBCCCCCCCCCCCCCCCD : f80, c = 1.0 : f80,
  d = 0x3FFB999999999999999999999999999A : f128, e = 0x7FFF8000000000000000 : f80,
  f = dense<[0x3FFBCCCCCCCCCCCCCCCD, 2.0]> : tensor<2xf80>,
  g = dense<0x3FFB999999999999999999999999999A> : tensor<3xf128>
} : () -> ()
"""


@pytest.mark.parametrize("release", [19, 22])
def test_lossless_text_keeps_the_bits_of_wide_floats(release: int) -> None:
    module = mlirbc.parse(WIDE_FLOATS, target=f"llvm-{release}")
    text = module.get_asm(lossless=True)
    assert "0x3FFBCCCCCCCCCCCCCCCD : f80" in text and "0x3FFBCCCCCCCCCCCCCCCD" not in module.get_asm()
    again = mlirbc.parse(text, target=f"llvm-{release}")
    assert dict(again.body.operations[0].attributes) == dict(module.body.operations[0].attributes)
    oracles.require(release)
    args = ["--allow-unregistered-dialect", "--emit-bytecode"]
    written = [oracles.checked(oracles.run_mlir_opt(release, args, source)) for source in (WIDE_FLOATS, text)]
    first, second = (mlirbc.read(data).body.operations[0].attributes for data in written)
    assert dict(first) == dict(second) == dict(module.body.operations[0].attributes)
