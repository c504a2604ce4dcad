"""Files for the target `any`: each `mlir-opt` reads the same module, or mlirbc names one that does not."""

import random
from pathlib import Path

import pytest

from support import acceptance, acceptance_texts, oracles

DATA = Path(__file__).parents[1] / "data"
SILENT = ("refused by the reader after silence", "read as something else")


@pytest.mark.parametrize("folder", ["conversion", "mlir"])
def test_a_file_for_any_is_read_by_each_release_or_refused(folder: str) -> None:
    for release in oracles.RELEASES:
        oracles.require(release)
    pairs = [(f"llvm-{release}", acceptance_texts.ANY) for release in oracles.RELEASES]
    seed = random.randrange(1000)
    judged = list(acceptance_texts.results(DATA / folder, pairs, number=6, seed=seed, workers=2))
    assert not [result for result in judged if result.kind in SILENT], seed
    # Most of the other files have forms that differ between releases.
    assert folder == "conversion" or any(result.kind == "same" for result in judged)


@pytest.mark.parametrize(
    ("name", "expected_reason"),
    [
        ("scf_parallel.16", "llvm-19, llvm-22, llvm-23"),
        ("scf_parallel.22", "llvm-16 cannot read it as it is"),
        ("vector_insert.16", "llvm-19, llvm-22, llvm-23"),
        ("sparse.16", "llvm-19, llvm-22, llvm-23"),
    ],
)
def test_the_release_that_has_another_form_is_named(name: str, expected_reason: str) -> None:
    """Each conversion for one release succeeds; no file can hold both forms."""
    data, complaint = acceptance.convert((DATA / "conversion" / f"{name}.mlirbc").read_bytes(), "any")
    assert data is None
    assert expected_reason in complaint
