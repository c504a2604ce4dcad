"""Aliases where an attribute is there twice or a dictionary is not sorted, which MLIR never writes."""

import mlirbc
import pytest

from support import oracles

TWICE = """
"t.a"() : () -> () loc("file":77:101)
"t.b"() : () -> () loc("file":77:102)
"t.c"() : () -> () loc("file":77:101)
"""
UNSORTED = """
"t.a"() {aa = affine_map<(d0) -> (d0)>, bb = affine_map<(d0) -> (d0 + 1)>} : () -> ()
"t.b"() {v = {aa = affine_map<(d0) -> (d0 + 2)>, bb = affine_map<(d0) -> (d0 + 3)>}} : () -> ()
"""


def written(release: int, text: str) -> bytes:
    oracles.require(release)
    args = ["--allow-unregistered-dialect", "--emit-bytecode"]
    return oracles.checked(oracles.run_mlir_opt(release, args, text))


def check(release: int, data: bytes) -> str:
    args = ["--allow-unregistered-dialect", "--mlir-print-op-generic", "--mlir-print-debuginfo"]
    theirs = oracles.checked(oracles.run_mlir_opt(release, args, data)).decode().removesuffix("\n")
    ours = mlirbc.read(data).get_asm(print_generic_op_form=True, enable_debug_info=True)
    assert ours.rstrip("\n") == theirs.rstrip("\n")
    return ours


@pytest.mark.parametrize("release", [16, 19, 22])
def test_a_location_that_occurs_twice_has_one_alias(release: int) -> None:
    data = written(release, TWICE)
    # The numbers 77 and 102, and 77 and 101.
    assert data.count(b"\x9b\xcd") == 1
    text = check(release, data.replace(b"\x9b\xcd", b"\x9b\xcb"))
    assert text.count('loc("file":77:101)') == 1


@pytest.mark.parametrize("release", [16, 19, 22])
def test_values_of_an_unsorted_dictionary_are_named_in_the_order_of_the_keys(release: int) -> None:
    data = written(release, UNSORTED)
    assert data.count(b"\0aa\0") == 1
    changed = data.replace(b"\0aa\0", b"\0zz\0")
    text = check(release, changed)
    assert "bb = #map, zz = #map1" in text
