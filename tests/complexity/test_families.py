"""The families have files that are read, of a size in proportion to n. The judge can say no."""

import os
import shutil
import subprocess
import sys

import mlirbc
import pytest

import complexity.families  # noqa: F401 (registers them)
from complexity.build import FAMILIES, Family
from complexity.families.grammar import SHAPES
from complexity.judge import is_small, judge
from complexity.measure import Measure
from support.sampling import sample

MLIR_OPT = shutil.which("mlir-opt-22")

REFUSED = {"attributes.cyclic", "types.cyclic"}
"""Families that no reader may accept."""
TEXT_OF_NO_ENTRY = {"text.unbalanced", "text.unterminated_strings"}
"""Text that is not one attribute: every reader of the text must refuse it."""


@pytest.fixture(autouse=True)
def _deep() -> object:
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(1_000_000)
    yield
    sys.setrecursionlimit(before)


@pytest.mark.parametrize("family", FAMILIES.values(), ids=lambda family: family.name)
def test_sizes_are_in_proportion_and_files_are_read(family: Family) -> None:
    n = max(8, family.base // 32)
    single, double = family.build(n), family.build(2 * n)
    assert 1.5 < len(double) / len(single) < 2.6
    if family.is_text:
        if family.is_valid:
            mlirbc.parse(single.decode(), target=family.target)
        else:
            with pytest.raises(mlirbc.Error):
                mlirbc.parse(single.decode(), target=family.target)
        return
    module = mlirbc.read(single)
    if family.name in REFUSED:
        with pytest.raises(mlirbc.ReadError):
            module.verify()
    elif family.name not in TEXT_OF_NO_ENTRY:
        module.verify()


TEXTS = [family for family in FAMILIES.values() if family.is_text]
SAMPLE = sample(TEXTS, 4, lambda family: family.name)


def test_most_constructs_have_families() -> None:
    assert len(TEXTS) > 700
    shapes = {family.name.rsplit(".", 1)[1] for family in TEXTS if family.name.startswith("grammar.")}
    assert shapes == {shape.name for shape in SHAPES}


@pytest.mark.skipif(MLIR_OPT is None, reason="mlir-opt 22 is not installed")
@pytest.mark.parametrize(
    "family", sample(TEXTS, 4, lambda family: family.name), ids=lambda family: family.name
)
def test_mlir_says_the_same_about_texts(family: Family) -> None:
    """The texts are so small that MLIR, which recurses into nested constructs, does not run out of stack."""
    if family.oracle == "cannot":
        pytest.skip("of another release, or too large")
    assert MLIR_OPT is not None
    command = [
        MLIR_OPT,
        "--allow-unregistered-dialect",
        "--split-input-file",
        "--emit-bytecode",
        "-o",
        os.devnull,
    ]
    run = subprocess.run(command, input=family.build(8), capture_output=True, check=False)
    assert (run.returncode == 0) == (family.oracle == "accepts"), run.stderr.decode()


def _measures(*seconds: float, bytes_out: float = 0) -> list[Measure]:
    sizes = (50_000, 100_000, 200_000)
    return [
        Measure("ok", cpu, 1 << 20, size, int(size * size * bytes_out))
        for cpu, size in zip(seconds, sizes, strict=True)
    ]


def test_quadratic_time_is_steep() -> None:
    assert judge("f", "print", _measures(0.01, 0.04, 0.16), is_python=False).verdict == "STEEP"


def test_linear_time_is_fine() -> None:
    assert judge("f", "print", _measures(0.01, 0.02, 0.041), is_python=False).verdict == "linear"


def test_quadratic_time_for_quadratic_text_is_fine() -> None:
    runs = _measures(0.01, 0.04, 0.16, bytes_out=1e-3)
    assert judge("f", "print", runs, is_python=False).verdict == "linear"


def test_much_time_for_each_byte_is_slow() -> None:
    assert judge("f", "print", _measures(0.25, 0.5, 1.0), is_python=False).verdict == "SLOW"


def test_a_killed_run_is_no_small_one() -> None:
    killed = Measure("signal 24", 0.001, 0, 1000, 0)
    assert not is_small(killed)
    assert judge("f", "print", [killed], is_python=False).verdict == "TIMEOUT"


def test_much_memory_is_large() -> None:
    run = Measure("ok", 0.01, 100 << 20, 1000, 0)
    assert judge("f", "print", [run], is_python=False).verdict == "LARGE"
