"""The parts of `scripts/producers` that need no build."""

import collections
from pathlib import Path

import pytest

from producers import differences, report
from producers.fetch import BESIDE, Build, builds
from producers.measure import Commands, Results


def test_a_list_has_requirements_and_files_with_them(tmp_path: Path) -> None:
    listed = tmp_path / "list.txt"
    listed.write_text("# builds\njaxlib==0.7.0  # of June\n\ncirct==1.162.0\n")
    assert builds([str(listed), "flydsl==0.5.0"]) == [
        Build("jaxlib", "0.7.0"),
        Build("circt", "1.162.0"),
        Build("flydsl", "0.5.0"),
    ]
    with pytest.raises(SystemExit, match="expected PACKAGE==VERSION or a file, found `jaxlib`"):
        builds(["jaxlib"])
    package, libraries = next(iter(BESIDE.items()))
    assert Build(package, "1.0").requirements == [f"{name}==1.0" for name in (package, *libraries)]


def test_commands_are_run_with_their_input_and_what_they_say(tmp_path: Path) -> None:
    commands = Commands(tmp_path)
    text = b'"t.a"() : () -> ()\n'
    written = commands.run("assemble", "-", "-o", str(tmp_path / "out"), text=text)
    assert (written.status, written.messages, written.data[:4]) == (0, "", b"ML\xefR")
    (tmp_path / "in.mlirbc").write_bytes(written.data)
    again = commands.run("assemble", "-", "-o", str(tmp_path / "out"), text=b'"t.a"(')
    assert again.status == 3
    assert "mlirbc.invalid.assembly" in again.messages
    assert again.data == b""


def test_results_go_on_and_count_a_case_that_ended_the_process(tmp_path: Path) -> None:
    path = tmp_path / "cases.jsonl"
    results = Results(path)
    results.append({"begin": "a"})
    results.append({"case": "a", "checks": {}})
    results.append({"begin": "b"})
    assert Results(path).done == {"a", "b"}
    path.write_text('{"mlirbc": "another"}\n{"case": "a", "checks": {}}\n')
    assert Results(path).done == set()


def test_differences_name_operations() -> None:
    before = b'module {\n  %0 = "a.b"(%x) {k = 1} : () -> ()\n  c.d %0\n}'
    after = b'module {\n  %0 = "a.b"(%x) {k = 2} : () -> ()\n  c.d %1\n}'
    assert differences.operations(differences.lines(before, after)) == ["a.b", "c.d"]
    assert differences.mentioned("error: \"-\":1:2: 'a.b' op needs 3 regions") == ["a.b"]
    assert differences.mentioned("error: invalid Attribute index: 17") == [
        "error: invalid Attribute index: N"
    ]


def test_the_table_has_a_row_for_each_build_and_rounds_down() -> None:
    counts = collections.Counter({"same": 9999, "other": 1})
    read = collections.Counter({"same": 7, "said": 2, "refused": 1, "crashed": 1, "other": 3})
    row = report.BuildRow("b-1", None, 10000, {"generic": counts, "canonical, read": read}, {})
    cells = report.table([row, report.BuildRow("c-1", "needs CPython 3.13")]).split("\n")[2:]
    assert cells[0] == "| b-1 | 10000 | 0 % | 99.99 % | 0 % | 0 % | 14 | 50 % | 2 | 2 | 3 |"
    assert cells[1] == "| c-1 | needs CPython 3.13 |"
