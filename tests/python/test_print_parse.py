"""Generated modules are printed, parsed, and the same again."""

import warnings
from typing import get_args

import mlirbc
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from mlirbc import _mlirbc, testing

RELEASES = _mlirbc._generated_releases()
# Modules, functions, casts and unregistered operations. Known not to be the same again:
# `irdl.dialect` with an empty body, `ml_program.global` without a visibility, and `cf.switch` with
# case values in a tensor.
FEATURES = [feature for feature in get_args(testing.Feature) if feature != "control_flow"]
NO_OTHERS: list[str] = []
some = settings(deadline=None, max_examples=15, suppress_health_check=[HealthCheck.too_slow])


def generic(module: mlirbc.Module, *, locations: bool) -> str:
    text = module.operation.get_asm(print_generic_op_form=True, enable_debug_info=locations)
    assert isinstance(text, str)
    return text


def parsed(text: str | bytes, release: str, module: mlirbc.Module) -> mlirbc.Module:
    return mlirbc.parse(text, target=release, bytecode_version=module.bytecode.version)


@some
@given(st.data(), st.sampled_from(RELEASES))
def test_custom_text_parses_to_the_same_module(data: st.DataObject, release: str) -> None:
    module = data.draw(
        testing.modules(releases=[release], dialects=NO_OTHERS, features=FEATURES, max_operations=6)
    )
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
    assert generic(parsed(text, release, module), locations=True) == text


@some
@given(st.data(), st.sampled_from(RELEASES))
def test_lossless_text_has_all_of_the_module(data: st.DataObject, release: str) -> None:
    module = data.draw(
        testing.modules(releases=[release], dialects=NO_OTHERS, features=FEATURES, max_operations=6)
    )
    text = module.operation.get_asm(lossless=True, enable_debug_info=True, binary=True)
    again = parsed(text, release, module)
    assert generic(again, locations=True) == generic(module, locations=True)
    assert again.operation.get_asm(lossless=True, enable_debug_info=True, binary=True) == text
