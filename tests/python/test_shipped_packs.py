"""The packs of `mlirbc-dialects` print and read what tools of their projects wrote."""

from pathlib import Path

import mlirbc
import pytest

from assembly import pack_corpus

CORPUS = Path(__file__).parents[1] / "data" / "packs" / "corpus"
RELEASES = {"mosaic": "mosaic-0.10"}


@pytest.mark.parametrize("folder", sorted(CORPUS.iterdir()), ids=lambda folder: folder.name)
def test_texts_of_tools_are_printed_and_read(folder: Path) -> None:
    pack = pack_corpus.PACKAGE / f"{folder.name}.mlirpack"
    facts = pack_corpus.facts_of(pack, RELEASES.get(folder.name))
    mlirbc.dialects.load(pack)
    cases = pack_corpus.cases_of(folder, facts.release, "")
    assert cases
    for case in cases:
        measured = pack_corpus.measure(case)
        assert measured.differences == {}
        assert any(name in facts.operations for name in measured.operations)
        assert measured.equal == measured.operations
