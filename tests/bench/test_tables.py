"""The tables and the plots show the measurements; nothing is timed here."""

import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from bench import history, inputs, instructions, table


def measured(name: str, path: Path, peer: str) -> dict[str, float] | str:
    """Seconds by reader, in the place of a measurement."""
    seconds = {"mlirbc": 0.05, "jaxlib": 2.0, "iree": 3.0, "mlirbcc": 0.02}
    if peer == "netron":
        return "no such file"
    return {"seconds": seconds[peer]}


def test_a_row_has_the_ratio_the_goal_and_what_a_peer_wins(tmp_path: Path) -> None:
    row = table.PeerRow("decode", "small_modules", "decode_1", table._READERS, ratio=60, scale=0.001)
    result = table.run_row(row, tmp_path, 3, {"iree": "not here"}, measured)
    assert result.theirs == {"jaxlib": 2.0, "mlirbcc": 0.02}
    assert result.winners == ["mlirbcc"]
    assert result.faults == ["decode, netron: no such file"]
    name, ours, ratio, goal, verdict, *theirs = table.cells(result)
    assert (name, ours, ratio, goal, verdict) == ("decode", "50.0 ms", "40.0x", ">= 60x", "missed, 67% of it")
    assert theirs == ["2.00 s", "", "", "", "20.0 ms", ""]


@pytest.mark.parametrize(("at_most", "verdict"), [(0.06, "met"), (0.025, "missed, 50% of it")])
def test_a_goal_in_seconds(tmp_path: Path, at_most: float, verdict: str) -> None:
    row = table.PeerRow("columns", "small_modules", "columns", at_most=at_most, scale=0.001)
    assert table.cells(table.run_row(row, tmp_path, 1, {}, measured))[4] == verdict


def test_the_page_of_the_history_has_a_point_for_each_run() -> None:
    row = table.ROWS[0]
    runs = [
        {"commit": commit, "date": date, "rows": [{"name": row.name, "mlirbc": ours, "jaxlib": 2.0}]}
        for commit, date, ours in [("aaa", "2026-11-01", 0.06), ("bbb", "2026-11-25", 0.04)]
    ]
    plot = ET.fromstring(history.plot(row, runs).partition("</h2>")[2])
    titles = [title.text for title in plot.iter("title")]
    assert titles == [
        "mlirbc, aaa: 60.0 ms",
        "mlirbc, bbb: 40.0 ms",
        "jaxlib, aaa: 2.00 s",
        "jaxlib, bbb: 2.00 s",
    ]
    heights = [float(circle.attrib["cy"]) for circle in plot.iter("circle")]
    assert heights[0] < heights[1], "less is lower"
    assert history.page(runs).count("<svg") == 1


def test_the_runs_that_are_kept_have_known_rows() -> None:
    names = {row.name for row in table.ROWS}
    for run in history.runs():
        assert {row["name"] for row in run["rows"]} <= names, run["commit"]


def test_instructions_are_not_counted_without_valgrind(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", "")
    assert instructions.report(tmp_path / "mlirbc", tmp_path, is_update=False) == 0
    assert capsys.readouterr().out == "instructions are not counted: `valgrind` is not installed\n"


def test_many_operations_in_parts_are_those_at_once(tmp_path: Path) -> None:
    import mlirbc

    path = tmp_path / "many.mlirbc"
    inputs.write_many_ops(path, functions=5, ops=40, at_once=2)
    once = mlirbc.read(inputs.million_ops(4, functions=5, ops=40))
    assert str(mlirbc.open(path)) == str(once)
    assert mlirbc.open(path).op_counts() == once.op_counts()
