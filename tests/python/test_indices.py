"""Indices of tables have types of their own, and no number means "nothing"."""

import json
import re
from pathlib import Path

import pytest

from support import english

SOURCES = english.ROOT / "rust/mlirbc/src"
MAXIMA = english.ROOT / "tests/data/indices.json"

QUANTITIES = re.compile(
    r"(?:.*_)?(?:bits?|width|count|counts|len|size|sizes|number|numbers|depth|version|release|llvm|line|column"
    r"|offset|most|least|total|position|start|end|rounds|phase|steps?|ops|values|results|operands|regions|blocks"
    r"|arguments|edges|rank|number_of|schema|since|until|patch|day|days|flags)"
)
"""Names of counts, widths and positions, which stay integers."""

DECLARATION = re.compile(r"\b(?:r#)?(\w+): (?:&(?:mut )?|Option<|Vec<|Box<|\[|\()*u32\b")
NOTHING = re.compile(r"\bu32::MAX\b")


def count(source: str) -> dict[str, int]:
    """Count the bare indices that a source declares, and the numbers that may mean "nothing"."""
    code = "\n".join(line for line in source.splitlines() if not line.lstrip().startswith("//"))
    names = [name for name in DECLARATION.findall(code) if not QUANTITIES.fullmatch(name)]
    return {"indices": len(names), "nothing": len(NOTHING.findall(code))}


def count_folder(folder: Path) -> dict[str, int]:
    """Count a folder of the core."""
    counts = [count(path.read_text("utf-8")) for path in sorted(folder.rglob("*.rs"))]
    return {measure: sum(row[measure] for row in counts) for measure in ("indices", "nothing")}


def test_bare_indices_only_become_fewer() -> None:
    maxima: dict[str, dict[str, int]] = json.loads(MAXIMA.read_text("utf-8"))
    folders = {path.name: count_folder(path) for path in sorted(SOURCES.iterdir()) if path.is_dir()}
    folders = {name: counts for name, counts in folders.items() if any(counts.values())}
    more = {
        name: counts
        for name, counts in folders.items()
        if any(counts[measure] > maxima.get(name, {}).get(measure, 0) for measure in counts)
    }
    assert not more, f"use an index type of `format/id.rs`, and `Option` for nothing: {more}"
    assert folders == maxima, f"lower the maxima in {MAXIMA.name} to these counts"


@pytest.mark.parametrize(
    ("source", "indices", "nothing"),
    [
        ("fn a(index: u32, r#type: Option<u32>, list: &[u32], pairs: Vec<(u32, u32)>)", 4, 0),
        ("fn a(width: u32, operand_count: u32, index: usize, id: AttrId)", 0, 0),
        ("const NONE: u32 = u32::MAX; // u32", 1, 1),
        ("// A parameter index: u32 or u32::MAX in a comment", 0, 0),
    ],
)
def test_what_is_counted(source: str, indices: int, nothing: int) -> None:
    assert count(source) == {"indices": indices, "nothing": nothing}
