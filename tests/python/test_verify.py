"""Verification of large tables: a look at all entries at once and the walk from those in use must agree."""

import mlirbc
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bench import inputs

# Enough for the look at all entries; under the smaller limit there is only the walk.
LARGE = inputs.distinct_entries(12_000)
WALK = mlirbc.Limits(max_depth=32)


def verdict(data: bytes, limits: mlirbc.Limits | None = None) -> str:
    try:
        mlirbc.read(data, limits=limits).verify()
    except mlirbc.Error as error:
        return str(error)
    return "fine"


def test_a_large_table_is_fine() -> None:
    assert verdict(LARGE) == verdict(LARGE, WALK) == "fine"


@pytest.mark.parametrize("kind", ["types", "attributes", "locations"])
def test_a_deep_chain_is_left_to_the_walk(kind: str) -> None:
    data = inputs.chain(kind, 20_000)
    assert verdict(data, mlirbc.Limits(max_depth=30_000)) == "fine"
    assert "nested less deep" in verdict(data, mlirbc.Limits(max_depth=10_000))


@settings(max_examples=150, deadline=None)
@given(
    st.lists(
        st.tuples(st.floats(0, 1, exclude_max=True), st.integers(1, 255)),
        min_size=1,
        max_size=3,
    )
)
def test_whatever_is_wrong_the_verdict_is_that_of_the_walk(flips: list[tuple[float, int]]) -> None:
    data = bytearray(LARGE)
    for place, bits in flips:
        data[int(place * len(data))] ^= bits
    assert verdict(bytes(data)) == verdict(bytes(data), WALK)
