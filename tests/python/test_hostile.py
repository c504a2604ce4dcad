"""Files with one fault each: the verdicts of mlirbc and of upstream."""

import contextlib
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import mlirbc
import pytest

from support import hostile, oracles
from support.cases import ACCEPTS, CASES, REJECTS, UNSAFE, Case, base
from support.walks import outcome, walk_everything

REJECTED = [case for case in CASES.values() if case.identifier is not None]
ACCEPTED = [case for case in CASES.values() if case.identifier is None]
RUNNABLE = [case for case in CASES.values() if case.upstream != UNSAFE]

SECTION_NAMES = {
    "String",
    "Dialect",
    "AttrType",
    "AttrTypeOffset",
    "IR",
    "Resource",
    "ResourceOffset",
    "DialectVersions",
    "Properties",
}


def names(case: Case) -> str:
    return case.name


def verify(case: Case) -> mlirbc.Error | None:
    """The error of reading and verifying the case's file, or nothing if there is none."""
    limits = mlirbc.Limits(**case.limits) if case.limits else None
    try:
        mlirbc.read(case.build().data, limits=limits).verify()
    except mlirbc.Error as error:
        return error
    return None


@pytest.mark.parametrize("version", range(7))
def test_the_file_that_cases_deviate_from_is_accepted(version: int) -> None:
    mlirbc.read(base(version).file.encode().data).verify()


@pytest.mark.timeout(20)
@pytest.mark.parametrize("case", ACCEPTED, ids=names)
def test_unusual_files_are_read(case: Case) -> None:
    error = verify(case)
    assert error is None, f"{case.rule}: {error}"


@pytest.mark.timeout(20)
@pytest.mark.parametrize("case", REJECTED, ids=names)
def test_what_is_wrong_is_named_with_its_place(case: Case) -> None:
    error = verify(case)
    if error is None:
        assert case.or_accepted, f"{case.rule}: accepted, expected mlirbc.{case.identifier}"
        return
    identifiers = {f"mlirbc.{identifier}" for identifier in (case.identifier, *case.or_identifiers)}
    assert error.identifier in identifiers, f"{case.rule}: {error}"
    if error.identifier == f"mlirbc.{case.identifier}":
        assert type(error) is getattr(mlirbc, case.error)
    if case.sections:
        assert error.section in case.sections
    assert error.section is None or error.section in SECTION_NAMES
    if case.error != "LimitError":
        first, last = case.span
        assert error.offset is not None
        assert first <= error.offset <= last
    if case.expects and error.identifier == "mlirbc.read.index":
        assert error.expected is not None
        assert case.expects in error.expected.lower()
        assert re.search(r"\d", error.expected), "the bound is missing"
    assert error.message and not error.message.endswith(".")


@pytest.mark.parametrize("case", REJECTED, ids=names)
def test_the_identifier_is_a_documented_one(case: Case) -> None:
    documented = {identifier for identifier, *_ in mlirbc.error_identifiers()}
    assert {f"mlirbc.{identifier}" for identifier in (case.identifier, *case.or_identifiers)} <= documented


@pytest.mark.parametrize("case", REJECTED, ids=names)
def test_a_walk_says_the_same_as_verify(case: Case) -> None:
    """A walk over everything meets the error that `verify` reports, or gets by without meeting it.

    A walk reads no more of the attribute directory than its counts, so it may stumble over what they cause.
    """
    if case.limits:
        pytest.skip("the limits count what is done, and the two do different things")
    walked = outcome(lambda: walk_everything(mlirbc.read(case.build().data)))
    error = verify(case)
    if isinstance(walked, tuple) and error is not None and error.section != "AttrTypeOffset":
        assert walked[0] == error.identifier


# Upstream.

ARGUMENTS = ["--allow-unregistered-dialect", "--emit-bytecode", "-o", "/dev/null"]
NO_VERIFIER = "--mlir-very-unsafe-disable-verifier-on-parsing"
"""Only the reader matters. Bytecode has a shared attribute once; text would repeat it without end."""


@pytest.mark.parametrize("case", RUNNABLE, ids=names)
def test_upstream_says_what_the_table_says(case: Case) -> None:
    oracles.require(22)
    output = oracles.run_mlir_opt(22, [*ARGUMENTS, NO_VERIFIER], case.build().data, timeout=30)
    assert output.status in (0, 1), "a crash: the case is unsafe"
    assert (ACCEPTS if output.status == 0 else REJECTS) == case.upstream, output.stderr
    assert case.says in output.stderr


@pytest.mark.parametrize("version", range(7))
def test_upstream_accepts_the_file_that_cases_deviate_from(version: int) -> None:
    oracles.require(22)
    oracles.checked(oracles.run_mlir_opt(22, ARGUMENTS, base(version).file.encode().data))


# The table.


def test_a_verdict_other_than_upstreams_has_a_reason() -> None:
    ours = {case.name: ACCEPTS if case.identifier is None else REJECTS for case in CASES.values()}
    assert not [case.name for case in RUNNABLE if case.upstream != ours[case.name] and not case.differs]


def test_every_rule_of_the_format_that_is_ours_to_check_has_a_case() -> None:
    rules = {case.rule for case in CASES.values()}
    required_rules = (
        "B1 B2 B3 B4 B5 B6 H1 H2 H3 H4 S1 S2 X1 D1 A1 A2 A3 A6 A7 P1 P2 P4 R1 R2 R6 R7 I1 I2 I3 I4 I5"
    )
    assert set(required_rules.split()) <= rules


def test_no_two_files_are_equal() -> None:
    seen: dict[bytes, str] = {}
    for case in CASES.values():
        if case.limits or case.name.startswith("nesting."):
            continue
        first_name = seen.setdefault(case.build().data, case.name)
        assert first_name == case.name, f"{first_name} and {case.name} are the same file"


def test_the_files_in_the_tree_are_those_of_the_table() -> None:
    """Run `PYTHONPATH=tests python -m support.hostile --write` after a change of the table."""
    files = hostile.contents()
    assert sorted(files) == sorted(path.name for path in hostile.FOLDER.iterdir())
    for name, data in files.items():
        assert (hostile.FOLDER / name).read_bytes() == data, name
    assert sum(map(len, files.values())) < 400_000


def test_the_index_says_where_each_complaint_belongs() -> None:
    for name, row in json.loads(hostile.INDEX.read_text()).items():
        size = (hostile.FOLDER / name).stat().st_size
        if row["verdict"] == "reject":
            first, last = row["offset"]
            assert 0 <= first <= last
            assert first <= size, name


def test_a_terminal_gets_escapes(tmp_path: Path) -> None:
    pty = pytest.importorskip("pty")
    data = CASES["entry.text_with_escapes"].build().data
    file = tmp_path / "escapes.mlirbc"
    file.write_bytes(data)
    command = [sys.executable, "-m", "mlirbc", "print", str(file)]
    raw = subprocess.run(command, capture_output=True, check=True).stdout.decode()
    assert "\x1b" in raw and "\u202e" in raw
    master, terminal = pty.openpty()
    # Colours are escapes of ours.
    with subprocess.Popen(command, stdout=terminal, env={**os.environ, "NO_COLOR": "1"}):
        os.close(terminal)
        shown = b""
        # Linux reports the end as an error.
        with contextlib.suppress(OSError):
            while piece := os.read(master, 1 << 16):
                shown += piece
    os.close(master)
    assert b"#t.x<" in shown
    assert all(byte in b"\r\n" or 0x20 <= byte < 0x7F for byte in shown), shown
    assert b"\\u{1b}[2J" in shown and b"\\u{202e}" in shown


def test_repr_and_messages_have_escapes() -> None:
    module = mlirbc.read(CASES["entry.text_with_escapes"].build().data)
    texts: list[str] = []
    module.walk(lambda op: texts.extend(repr(op.attributes[place]) for place in range(len(op.attributes))))
    assert any("\\u{1b}" in text for text in texts)
    assert all(text.isprintable() for text in texts)
    attribute = mlirbc.Attribute.parse('#t.x<"\x1b[2J\u202e">')
    assert "\x1b" in str(attribute)
    assert repr(attribute).isprintable()
