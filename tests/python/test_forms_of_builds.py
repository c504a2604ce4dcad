"""Custom text of builds without definitions of their own (`tests/data/forms`).

The expected text is what the build printed of its own file, and reads again.
"""

import re
from pathlib import Path

import mlirbc
import pytest

from producers.measure import Commands

FOLDER = Path(__file__).parents[1] / "data" / "forms"
FILES = sorted(FOLDER.glob("*.mlirbc"))
# The builds whose forms were observed; other versions have the forms of the builds around them.
OBSERVED = {
    "jaxlib-0.5.0": "jaxlib-0.5",
    "jaxlib-0.6.2": "jaxlib-0.6",
    "jaxlib-0.7.2": "jaxlib-0.7",
    "iree-base-compiler-3.0.0": "iree-3.0",
    "iree-base-compiler-3.4.0": "iree-3.4",
    "iree-base-compiler-3.6.0": "iree-3.6",
    "iree-base-compiler-3.8.0": "iree-3.8",
    "iree-base-compiler-3.10.0": "iree-3.10",
}


def build_of(path: Path) -> str:
    match = re.match(r"[a-z-]+-[\d.]+", path.stem)
    assert match is not None
    return match[0]


def test_each_build_has_files() -> None:
    assert {build_of(path) for path in FILES} >= {*OBSERVED, "jaxlib-0.8.0", "jaxlib-0.9.0"}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_files_are_printed_as_their_builds_print_them(path: Path) -> None:
    expected = path.with_suffix(".mlir").read_text().rstrip()
    assert mlirbc.open(path).operation.get_asm().rstrip() == expected
    if (release := OBSERVED.get(build_of(path))) is not None:
        assert mlirbc.open(path, release=release).operation.get_asm().rstrip() == expected


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_texts_of_builds_are_assembled_or_refused(path: Path, tmp_path: Path) -> None:
    text, out = path.with_suffix(".mlir").read_bytes(), tmp_path / "out.mlirbc"
    written = Commands(tmp_path).run("assemble", "--like", str(path), "-", "-o", str(out), text=text)
    if written.status == 0:
        module = mlirbc.open(path)
        assert mlirbc.open(out).operation.get_asm(print_generic_op_form=True) == module.operation.get_asm(
            print_generic_op_form=True
        )
