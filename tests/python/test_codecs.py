"""Every row of every dialect table, with entries made from noise, against MLIR itself.

`tests/support/codec_coverage.py` knows which oracle a row has and what is compared.
"""

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from support import codec_coverage, jaxlib_oracle, oracles
from support.codec_coverage import CodecRow, Oracle, Verdict

pytestmark = pytest.mark.skipif(
    not codec_coverage.is_there() and not oracles.must_be_there(),
    reason="the extension module was built without `--features testing`",
)

NO_ORACLE: dict[str, str] = {
    "builtin/type/20/2": "written by development builds between 16 and 17 alone",
    "stablehlo/attribute/7/1": "written before 1.1.0, which no jaxlib at hand is",
    "stablehlo/attribute/11/1": "written before 1.1.0, which no jaxlib at hand is",
}
"""Rows that no installed tool can be asked about, and why."""

NEVER_ACCEPTED: dict[str, str] = {
    "builtin/attribute/24/0": "came after the LLVM of jaxlib 0.10.2",
    "builtin/attribute/25/0": "came after the LLVM of jaxlib 0.10.2",
    "builtin/type/34/0": "came after the LLVM of jaxlib 0.10.2",
    "sdy/attribute/17/0": "came after jaxlib 0.10.2",
}
"""Rows of which the oracle takes no entry, and why."""

DIFFERENT: dict[str, str] = {}
"""Rows whose text is known to be another one than the oracle's."""

EXAMPLES = {Oracle.MLIR_OPT_16: 8, Oracle.MLIR_OPT_22: 8, Oracle.JAXLIB: 25, None: 25}
"""A file costs two processes, unless the oracle is in this one."""


def test_the_extension_module_can_make_files() -> None:
    assert codec_coverage.is_there()
    assert len(codec_coverage.rows()) > 150


@pytest.mark.parametrize("row", codec_coverage.rows(), ids=lambda row: row.id)
def test_entries_are_what_the_oracle_reads(row: CodecRow, tmp_path: Path) -> None:
    if row.oracle is Oracle.JAXLIB:
        jaxlib_oracle.require()
    elif row.oracle is not None:
        oracles.require(16 if row.oracle is Oracle.MLIR_OPT_16 else 22)
    verdicts: Counter[Verdict] = Counter()
    recoded: Counter[str] = Counter()

    # Every run has the same files: whether the oracle takes one at all must not be a matter of luck.
    @settings(
        max_examples=EXAMPLES[row.oracle],
        deadline=None,
        derandomize=True,
        database=None,
        phases=(Phase.explicit, Phase.generate, Phase.shrink),
        suppress_health_check=list(HealthCheck),
    )
    @given(st.binary(max_size=200))
    def check(noise: bytes) -> None:
        data = codec_coverage.generate(row, noise)
        recoded.update(codec_coverage.recode(data))
        if row.oracle is None:
            return
        try:
            verdicts[codec_coverage.ask(row, data, tmp_path)] += 1
        except codec_coverage.Disagreement:
            verdicts[Verdict.DIFFERENT] += 1
            if row.id not in DIFFERENT:
                raise

    check()
    assert recoded[row.id] > 0, "no entry of the row was made"
    assert (row.oracle is None) == (row.id in NO_ORACLE)
    if row.oracle is not None:
        assert (verdicts[Verdict.DIFFERENT] > 0) == (row.id in DIFFERENT), verdicts
    if row.oracle is not None and row.id not in DIFFERENT:
        assert (verdicts[Verdict.AGREED] == 0) == (row.id in NEVER_ACCEPTED), verdicts
