"""Verification of large tables: a look at all entries at once and the walk from those in use must agree."""

import mlirbc
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bench import inputs
from support.assembler import Block, File, Op, Region, varints
from support.sampling import examples

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
    assert "nested more than `10000` levels deep" in verdict(data, mlirbc.Limits(max_depth=10_000))


@settings(max_examples=examples(150), deadline=None)
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


def test_what_was_not_checked_and_what_is_broken_is_reported() -> None:
    """Blobs of an operation without a schema, text of a dialect, and entries that nothing refers to."""
    file = File(version=6, producer=b"MLIR22.1.8")
    location = file.attribute(varints(15))
    top, op = file.op_name("builtin.module"), file.op_name("x.op", registered=True)
    text = file.attribute("#x.text<1>", dialect="x")
    name = file.attribute(varints(2, file.string("x.a")))
    dictionary = file.attribute(varints(1, 1, name, text))
    blobs = [file.property(bytes([number])) for number in (1, 2)]
    ops = [Op(op, location, attributes=dictionary, properties=blob) for blob in blobs]
    file.top.append(Op(top, location, regions=[Region([Block(ops)])], isolated=True))
    whole = mlirbc.read(file.encode().data).verify()
    assert (whole.release, whole.broken_entries, whole.first_broken_entry) == ("llvm-22", 0, None)
    unchecked = {(row.kind, row.name): row.count for row in whole.unchecked}
    assert unchecked == {("text", "x"): 1, ("properties", "x.op"): 2}
    assert whole.left_out == 0
    for broken in (1, 2):
        # An array of an attribute that the file does not have.
        file.attribute(varints(0, 1, 1000))
        verification = mlirbc.read(file.encode().data).verify()
        assert verification.broken_entries == broken
        error = verification.first_broken_entry
        assert error is not None and error.offset is not None
        assert verification.unchecked == whole.unchecked
    # Only entries that something refers to are read, so this one decides.
    used = file.attribute(varints(1, 1, name, 1000))
    ops[0].attributes = used
    with pytest.raises(mlirbc.Error) as caught:
        mlirbc.read(file.encode().data).verify()
    assert caught.value.identifier == error.identifier
