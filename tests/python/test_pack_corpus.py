"""`scripts/pack-corpus` measures a pack on what a tool printed and wrote, and finds differences."""

import shutil
from pathlib import Path

import pytest

from assembly import pack_corpus

DESIGN = Path(__file__).parents[1] / "data" / "packs" / "circt"
PACK = pack_corpus.PACKAGE / "circt-1.156.0.mlirpack"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    shutil.copy(DESIGN / "design.mlirbc", tmp_path / "design.mlirbc")
    (tmp_path / "design.custom").write_bytes((DESIGN / "design.mlir").read_bytes())
    return tmp_path


def row_of(folder: Path, capsys: pytest.CaptureFixture[str]) -> list[str]:
    pack_corpus.main([str(PACK), str(folder), "--processes", "1"])
    table = capsys.readouterr().out.splitlines()[-1]
    return [cell.strip() for cell in table.strip("|").split("|")]


def test_texts_of_the_tool_are_equal(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    release, known, with_form, in_corpus, occurrences, *checks = row_of(folder, capsys)
    assert release == "circt-1.156.0"
    assert int(with_form) <= int(known)
    equal, _, total = occurrences.partition(" of ")
    assert equal == total and int(total) >= int(in_corpus) > 0
    assert checks == ["1 of 1", "-", "1 of 1", "1 of 1"]


def test_a_different_text_is_counted(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = (folder / "design.custom").read_text()
    (folder / "design.custom").write_text(text.replace("hw.output ", "hw.output  "))
    equal, _, total = row_of(folder, capsys)[4].partition(" of ")
    assert int(equal) < int(total)
    assert row_of(folder, capsys)[5:] == ["0 of 1", "-", "1 of 1", "1 of 1"]


def test_a_text_alone_is_read_and_printed(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "design.mlirbc").unlink()
    assert row_of(folder, capsys)[5:] == ["1 of 1", "-", "1 of 1", "1 of 1"]
    (folder / "design.custom").write_text("module {\n  hw.nothing\n}\n")
    assert row_of(folder, capsys)[4:] == ["0 of 0", "0 of 1", "-", "0 of 1", "0 of 1"]
