"""`verify(ops=True)` and the verifier of `mlir-opt` refuse the same damaged modules."""

import mlirbc

from support import oracles, rule_agreement, sampling

CAUGHT = 0.97
"""The part of the damaged modules that `mlir-opt` refuses, and that must be refused."""


def is_refused(text: str) -> bool:
    try:
        mlirbc.parse(text, target="llvm-22").verify(ops=True)
    except mlirbc.Error:
        return True
    return False


def test_damaged_modules_are_refused_where_the_verifier_refuses_them() -> None:
    oracles.require(22)
    samples = list(rule_agreement.damaged(660 if sampling.WHOLE else 132, seed=3))
    refused = [sample for sample in samples if rule_agreement.theirs(22, sample) == "refuses"]
    accepted = [sample for sample in samples if sample not in refused]
    assert [sample.text for sample in accepted if is_refused(sample.text)] == []
    caught = sum(is_refused(sample.text) for sample in refused)
    assert caught >= CAUGHT * len(refused), f"{caught} of {len(refused)}"
    assert len(refused) > len(samples) / 2 and accepted


def test_good_modules_are_accepted() -> None:
    for path in sorted(rule_agreement.MODULES.glob("*.mlir")):
        mlirbc.parse(path.read_text(), target="llvm-22").verify(ops=True)


def test_cases_have_the_verdicts_of_mlir_opt() -> None:
    cases = (rule_agreement.MODULES / "cases.txt").read_text().split("// -----\n")
    for case in cases if sampling.WHOLE else cases[::9]:
        heading, text = case.split("\n", 1)
        sample = rule_agreement.Sample("case", heading, text)
        refused_by = [
            str(release)
            for release in oracles.RELEASES
            if rule_agreement.theirs(release, sample) == "refuses"
        ]
        assert heading == f"// refused by: {' '.join(refused_by) or 'none'}", text
