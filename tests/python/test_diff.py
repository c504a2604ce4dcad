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
    other = TEXT.replace("%c = arith.constant 1 : i32", "%c = arith.constant 7 : i32")
    oracles.require(release)
    one, two = (_written(text, release, 0) for text in (TEXT, other))
    assert mlirbc.hash(one) == mlirbc.hash(BEFORE)
    found = mlirbc.diff(one, two)
    assert [change.kind for change in found.changes] == ["changed"]
    change = found.changes[0]
    assert change.symbol == "@scale"
    assert [(one.what, one.name, one.before, one.after) for one in change.details] == [
        ("attribute", "value", "1 : i32", "7 : i32")
    ]


def test_the_difference_as_text_and_page() -> None:
    found = mlirbc.diff(BEFORE, AFTER)
    assert repr(found) == "<mlirbc.Difference 2 added, 2 removed, 5 changed, 1 renamed>"
    assert "by at most 0.5, on average 0.125" in str(found)
    assert json.loads(found.to_json())["counts"] == found.counts
    page = found.to_html()
    assert "http:" not in page and "https:" not in page
    assert BEFORE in page
    assert found._repr_html_() in page
    with pytest.raises(ValueError, match="no module has the symbol `none`"):
        mlirbc.diff(BEFORE, AFTER, symbol="none")
    with pytest.raises(FileNotFoundError):
        mlirbc.diff(BEFORE, "no/such/file.mlirbc")
    with pytest.raises(mlirbc.ReadError):
        mlirbc.hash(mlirbc.read(b"ML\xefR\x0d"))


def test_names_from_a_file_are_escaped() -> None:
    one, two = (mlirbc.parse(f'"t.a"() {{n = "<b>{n}"}} : () -> ()') for n in (1, 2))
    page = mlirbc.diff(mlirbc.read(one.write()), mlirbc.read(two.write())).to_html()
    assert "<b>" not in page
    assert "&lt;b&gt;" in page


def test_locations_are_compared_when_asked_for() -> None:
    texts = (f'"t.a"() : () -> () loc("f":{n}:1)' for n in (1, 2))
    one, two = (mlirbc.read(mlirbc.parse(text).write()) for text in texts)
    assert mlirbc.diff(one, two).equal
    assert mlirbc.hash(one) == mlirbc.hash(two)
    assert mlirbc.hash(one, locations=True) != mlirbc.hash(two, locations=True)
    details = [
        detail for change in mlirbc.diff(one, two, locations=True).changes for detail in change.details
    ]
    assert [detail.what for detail in details] == ["location"]
