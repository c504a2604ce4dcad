"""`scripts/assembly` makes a corpus of texts and finds differences in it."""

from pathlib import Path

import pytest

from assembly import compare, make
from support import oracles

TEXT = """
func.func @first(%a: i32) -> i32 {
  %0 = arith.addi %a, %a : i32
  return %0 : i32
}
// -----
func.func @refused() {
  retrun
}
// -----
// Only a comment.
// -----
"t.last"() {a = 1 : i32} : () -> ()
"""


@pytest.mark.parametrize("release", oracles.RELEASES)
def test_parts_that_mlir_accepts_become_cases(
    release: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    oracles.require(release)
    text = tmp_path / "text.mlir"
    text.write_text(TEXT)
    corpus = tmp_path / "corpus"
    make.main(["--release", f"llvm-{release}", str(corpus), str(text)])
    assert capsys.readouterr().out == f"3 parts, 2 accepted by llvm-{release}\n"
    cases = compare.cases_of(corpus, "")
    assert [case.name for case in cases] == ["text.000", "text.003"]
    refused = (corpus / "refused.tsv").read_text()
    assert refused.startswith("text.001\t") and "retrun" in refused
    found = [compare.compare(case) for case in cases]
    assert [one.differences for one in found] == [{}, {}]
    assert dict(found[0].operations) == {
        "builtin.module": 1,
        "func.func": 1,
        "arith.addi": 1,
        "func.return": 1,
    }


def test_differences_are_found(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    oracles.require(22)
    text = tmp_path / "text.mlir"
    text.write_text(TEXT)
    corpus = tmp_path / "corpus"
    make.main(["--release", "llvm-22", str(corpus), str(text)])
    # As if MLIR had made these of the first part.
    for suffix in "custom", "generic", "mlir":
        path = corpus / f"text.000.{suffix}"
        path.write_text(path.read_text().replace("arith.addi", "arith.muli"))
    found = compare.compare(compare.cases_of(corpus, "text.000")[0])
    # Texts that differ are printed by MLIR once more, from the file.
    assert found.differences.keys() == {"bytes"}
    names, difference = found.differences["bytes"]
    assert names == ["arith.addi"] and "arith.muli" in difference
