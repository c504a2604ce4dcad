"""`mlirbc.hash` and `mlirbc.diff`, of files that `mlir-opt` wrote in several releases and versions."""

import json
from pathlib import Path

import mlirbc
import pytest

from support import oracles

TEXT = Path("tests/data/diff/before.mlir").read_text("utf-8")
BEFORE, AFTER = (f"tests/data/diff/{name}.mlirbc" for name in ("before", "after"))


def _written(text: str, release: int, version: int) -> mlirbc.Module:
    output = oracles.run_mlir_opt(release, oracles.emit_args(release, version), text)
    return mlirbc.read(oracles.checked(output))


@pytest.mark.parametrize("release", [16, 19, 22])
def test_releases_and_versions_have_one_key(release: int) -> None:
    oracles.require(release)
    for version in oracles.versions(release):
        module = _written(TEXT, release, version)
        assert mlirbc.hash(module) == mlirbc.hash(BEFORE)
        assert mlirbc.diff(module, BEFORE).equal
    assert mlirbc.hash(AFTER) != mlirbc.hash(BEFORE)


@pytest.mark.parametrize("release", [16, 19, 22])
def test_a_changed_line_is_reported(release: int) -> None:
    assert "%c = arith.constant 1 : i32" in TEXT
    changed_text = TEXT.replace("%c = arith.constant 1 : i32", "%c = arith.constant 7 : i32")
    oracles.require(release)
    first, second = (_written(text, release, 0) for text in (TEXT, changed_text))
    assert mlirbc.hash(first) == mlirbc.hash(BEFORE)
    difference = mlirbc.diff(first, second)
    assert [change.kind for change in difference.changes] == ["changed"]
    change = difference.changes[0]
    assert change.symbol == "@scale"
    assert [(detail.what, detail.name, detail.before, detail.after) for detail in change.details] == [
        ("attribute", "value", "1 : i32", "7 : i32")
    ]


def test_the_difference_as_text_and_page() -> None:
    difference = mlirbc.diff(BEFORE, AFTER)
    assert repr(difference) == "<mlirbc.Difference 2 added, 2 removed, 5 changed, 1 renamed>"
    assert "by at most 0.5, on average 0.125" in str(difference)
    assert json.loads(difference.to_json())["counts"] == difference.counts
    page = difference.to_html()
    assert "http:" not in page and "https:" not in page
    assert BEFORE in page
    assert difference._repr_html_() in page
    with pytest.raises(ValueError, match="no module has the symbol `none`"):
        mlirbc.diff(BEFORE, AFTER, symbol="none")
    with pytest.raises(FileNotFoundError):
        mlirbc.diff(BEFORE, "no/such/file.mlirbc")
    with pytest.raises(mlirbc.ReadError):
        mlirbc.hash(mlirbc.read(b"ML\xefR\x0d"))


def test_names_from_a_file_are_escaped() -> None:
    first, second = (mlirbc.parse(f'"t.a"() {{n = "<b>{n}"}} : () -> ()') for n in (1, 2))
    page = mlirbc.diff(mlirbc.read(first.write()), mlirbc.read(second.write())).to_html()
    assert "<b>" not in page
    assert "&lt;b&gt;" in page


def test_locations_are_compared_when_asked_for() -> None:
    texts = (f'"t.a"() : () -> () loc("f":{n}:1)' for n in (1, 2))
    first, second = (mlirbc.read(mlirbc.parse(text).write()) for text in texts)
    assert mlirbc.diff(first, second).equal
    assert mlirbc.hash(first) == mlirbc.hash(second)
    assert mlirbc.hash(first, locations=True) != mlirbc.hash(second, locations=True)
    details = [
        detail for change in mlirbc.diff(first, second, locations=True).changes for detail in change.details
    ]
    assert [detail.what for detail in details] == ["location"]
