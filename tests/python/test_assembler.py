"""The assembler against the worked example of the format reference, and `mlir-opt` of three releases."""

import pytest

from support import oracles
from support.assembler import Buffer, Framing, SectionId, Wire, bad, flagged, varint, zigzag
from support.examples import rich, worked_example

NEWEST = bytes.fromhex(
    "4d4cef52 0d 7800"
    "01 19 050105 09 01030b 03070d1115"
    "03 17 0903 0109 07130b0f 0103 0b"
    "02 19 1f 03030507 050d 110105 0141"
    "04 43 05 0150010107 0433 030309 034201030301 05100105 030307 030100 070401050301"
    "06 0301 05 01"
    "00 43 0f050505050f0511"
    "6275696c74696e00 7400 6d6f64756c6500 6300 7200 7500 6b00"
    "08 0d 05 050101 0303"
)

OLDER = {
    # Version: dialect section, module op up to its region's blocks, region of t.r.
    4: ("050105090103050307 07090b", "0110010704 31", "030307 030100 070401050301"),
    3: ("05010501030503 0707090b", "0110010704 33", "030307 03010100 070401050301"),
    2: ("05010501030503 0707090b", "0110010704 31", "030307 030101 070401050301"),
    1: ("05010501030503 0707090b", "01100107", "030307 030101 070401050301"),
    0: ("05010301030503 0707090b", "01100107", "030307 030101 070401050301"),
}


def test_the_worked_example_comes_out_byte_for_byte() -> None:
    assert worked_example(6).encode().data == NEWEST
    assert len(NEWEST) == 131


def test_version_5_differs_in_the_version_byte_only() -> None:
    assert worked_example(5).encode().data == NEWEST[:4] + b"\x0b" + NEWEST[5:]


@pytest.mark.parametrize("version", OLDER)
def test_older_versions_of_the_worked_example(version: int) -> None:
    encoded = worked_example(version).encode()
    dialects, module, region = (bytes.fromhex(text) for text in OLDER[version])
    first, last = encoded.marks["data:1"]
    assert encoded.data[first:last] == dialects
    first, last = encoded.marks["data:4"]
    body = bytes.fromhex("030309 0302010301 05100105") + region
    assert encoded.data[first:last] == b"\x05" + module + body
    assert "section:8" not in encoded.marks


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, "01"),
        (5, "0b"),
        (127, "ff"),
        (128, "0202"),
        (300, "b204"),
        (2**16, "040008"),
        (2**56 - 1, "80ffffffffffffff"),
        (2**56, "000000000000000001"),
        (2**64 - 1, "00ffffffffffffffff"),
    ],
)
def test_varints_are_of_the_shortest_form(value: int, text: str) -> None:
    assert varint(value) == bytes.fromhex(text)


def test_varints_can_be_longer_than_needed() -> None:
    assert varint(6, 2) == bytes.fromhex("1a00")
    assert varint(6, 9) == bytes.fromhex("000600000000000000")


@pytest.mark.parametrize(
    ("value", "text"), [(-1, "03"), (0, "01"), (1, "05"), (-(2**63), "00ffffffffffffffff")]
)
def test_signed_varints(value: int, text: str) -> None:
    assert varint(zigzag(value)) == bytes.fromhex(text)


@pytest.mark.parametrize(("start", "text"), [(26, "85 57 41 cb cb cb"), (29, "85 57 41"), (30, "05 57")])
def test_a_section_is_flagged_only_where_its_body_would_be_misaligned(start: int, text: str) -> None:
    """The three outcomes for alignment 32: flag and padding, flag alone, nothing."""
    body = Buffer()
    body.align(32)
    body.raw(bytes(43))
    out = Buffer()
    out.raw(bytes(start))
    out.section(SectionId.RESOURCE, body, Framing())
    assert out.data[start:-43] == bytes.fromhex(text)
    assert out.alignment == 32


def accepts(release: int, data: bytes) -> str:
    """The text that `mlir-opt` prints for the file, which it must accept."""
    oracles.require(release)
    return oracles.checked(oracles.run_mlir_opt(release, oracles.print_args(release), data)).decode()


@pytest.mark.parametrize("version", range(7))
@pytest.mark.parametrize("release", [22, 19])
def test_upstream_accepts_what_is_written(release: int, version: int) -> None:
    text = accepts(release, rich(version).encode().data)
    assert '"t.branch"' in text and '"t.isolated"' in text
    assert "here.mlir" in text and "!t.opaque<i8>" in text


def test_the_first_release_accepts_what_is_written() -> None:
    assert '"t.branch"' in accepts(16, rich(0).encode().data)
    assert '"t.u"' in accepts(16, worked_example(0).encode().data)


@pytest.mark.parametrize("version", range(7))
@pytest.mark.parametrize("release", [22, 19])
def test_upstream_accepts_the_worked_example(release: int, version: int) -> None:
    text = accepts(release, worked_example(version).encode().data)
    assert '"t.u"' in text
    assert ("<{k = 5 : i8}>" in text) == (version >= 5)


def test_a_wire_is_written_as_it_is_and_marked() -> None:
    file = worked_example(6)
    file.top[0].region_count = bad(flagged(1, True), size=3)
    encoded = file.encode()
    first, last = encoded.marks["bad"]
    assert encoded.data[first:last] == varint(3, 3)
    assert len(encoded.data) == 131 + 2
    file.producer_end = b""
    file.version_number = Wire(b"\x1a\x00", "over-long")
    assert file.encode().data[4:6] == b"\x1a\x00"
    assert file.encode().marks["over-long"] == (4, 6)
