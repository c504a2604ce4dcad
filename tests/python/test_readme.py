"""What the README shows is what happens."""

import contextlib
import io
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text()
BLOCK = re.compile(r"^```python\n(.*?)^```\n(?:\n```text\n(.*?)^```\n)?", re.DOTALL | re.MULTILINE)
BLOCKS = BLOCK.findall(README)


def run(source: str) -> str:
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(source, "README.md", "exec"), {"__name__": "__main__"})
    return out.getvalue()


def test_the_readme_has_examples() -> None:
    assert len(BLOCKS) >= 3 and sum(bool(expected) for _, expected in BLOCKS) >= 2


@pytest.mark.parametrize("number", range(len(BLOCKS)))
def test_python_examples_print_what_the_readme_says(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    source, expected = BLOCKS[number]
    if "numpy" in source:
        pytest.importorskip("numpy")
    monkeypatch.chdir(ROOT)
    printed = run(source)
    assert printed, "an example prints something"
    if expected:
        assert printed == expected
