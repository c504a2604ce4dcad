"""`scripts/assembly` makes a corpus of texts and finds differences in it."""

import subprocess
import sys
from pathlib import Path

import pytest

from assembly import compare, make, texts
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
    results = [compare.compare(case) for case in cases]
    assert [result.differences for result in results] == [{}, {}]
    assert dict(results[0].operations) == {
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
    result = compare.compare(compare.cases_of(corpus, "text.000")[0])
    # Texts that differ are printed by MLIR once more, from the file.
    assert result.differences.keys() == {"bytes"}
    names, difference = result.differences["bytes"]
    assert names == ["arith.addi"] and "arith.muli" in difference


def test_generic_texts_of_a_corpus_are_cut_into_operations(tmp_path: Path) -> None:
    corpus = tmp_path / "corpus"
    corpus.mkdir()
    (corpus / "cases.tsv").write_text("two\t<stdin>\t0\none\t<stdin>\t0\n")
    function = '  "func.func"() ({{\n    "t.{name}"() : () -> ()\n  }}) : () -> ()\n'
    bodies = [function.format(name=name) for name in ("first", "second")]
    whole = ['#map = affine_map<() -> ()>\n"builtin.module"() ({\n', *bodies, "}) : () -> ()\n"]
    (corpus / "two.generic").write_text("".join(whole))
    (corpus / "one.generic").write_text('"builtin.module"() ({\n' + bodies[0] + "}) : () -> ()\n")
    parts = {part.name: part.text.decode() for part in texts.parts([corpus])}
    assert list(parts) == ["two", "two.000", "two.001", "one"]
    assert parts["two.001"] == "".join((whole[0], bodies[1], whole[3]))


def test_parts_of_one_name_keep_the_name_of_their_source(tmp_path: Path) -> None:
    for folder, text in ("a", "x"), ("b", "x"), ("c", "y"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "same.mlir").write_text(text)
    names = [part.name for part in texts.parts([tmp_path / folder for folder in "abc"])]
    assert names == ["same.000", "c.same.000"]


def test_making_ends_when_enough_parts_are_accepted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    oracles.require(22)
    text = tmp_path / "text.mlir"
    text.write_text("\n// -----\n".join(f'"t.a{number}"() : () -> ()' for number in range(100)))
    corpus = tmp_path / "corpus"
    make.main(["--release", "llvm-22", "--accepted", "5", str(corpus), str(text)])
    assert capsys.readouterr().out == "5 parts, 5 accepted by llvm-22\n"
    assert len(compare.cases_of(corpus, "")) == 5


def test_an_assumption_is_taken_once() -> None:
    program = "from mlirbc import _mlirbc; print(_mlirbc._assume_forms(''), _mlirbc._assume_forms(''))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "True False\n"
