"""Names and comments stay as readable as they are."""

import json
import re
import subprocess
from pathlib import Path

import pytest

from support import english

MAXIMA = english.ROOT / "tests/data/english.json"
SLACK = 1.0
"""A figure that is lower by more than this lowers the maximum."""
MOST_WORDS = 20_000


def test_figures_are_within_their_maxima_which_only_fall() -> None:
    maxima: dict[str, float] = json.loads(MAXIMA.read_text("utf-8"))
    count = english.count_repository()
    figures = count.figures()
    assert figures.keys() == maxima.keys()
    for measure, figure in figures.items():
        assert figure <= maxima[measure], (
            f"{measure}: {figure} per 1,000 {english.MEASURES[measure]}, at most {maxima[measure]}; "
            "`python -m support.english --list` lists the places"
        )
        assert figure >= maxima[measure] - SLACK, (
            f"{measure}: {figure}; lower the maximum in {MAXIMA.name} to it"
        )


def test_a_comment_is_counted_once() -> None:
    lines = ["// Of these,", "// those that", "let x = 1;", "/// Returns the name."]
    assert list(english.comments(lines, is_python=False)) == [(1, "Of these,"), (4, "Returns the name.")]
    assert list(english.comments(['    """Reads."""', "    # Why."], is_python=True)) == [
        (1, 'Reads."""'),
        (2, "Why."),
    ]


COMPARED = ("cli.md", "cli-output.md", "errors.md", "supported.md")
"""Pages whose text is output of the program, which other tests compare."""


def test_pages_do_not_grow() -> None:
    """Words of the pages outside of their code blocks. The maximum only falls."""
    pages = [*english.ROOT.glob("*.md"), *english.ROOT.glob("docs/*.md"), *english.ROOT.glob("docs/*/*.md")]
    texts = [path.read_text("utf-8") for path in pages if path.name not in COMPARED]
    words = sum(len(re.sub(r"```.*?```", "", text, flags=re.DOTALL).split()) for text in texts)
    assert words <= MOST_WORDS, f"{words} words; say something in fewer words, or leave out what a test says"


@pytest.mark.parametrize(
    ("message", "complaint"),
    [
        ("Read sizes\n\nReaders ignore them.\n", ""),
        ("Read sizes\n\nReaders ignore them.\n# A comment.\n", ""),
        ("Merge branch 'names'\n", ""),
        ("Read sizes\n", "expected a body"),
        ("Read sizes\n\n# A comment.\n", "expected a body"),
        ("Read sizes\nReaders ignore them.\n", "expected an empty line"),
        ("R" * 71 + "\n\nWhy.\n", "71 characters"),
    ],
)
def test_the_hook_checks_commit_messages(tmp_path: Path, message: str, complaint: str) -> None:
    path = tmp_path / "message"
    path.write_text(message, "utf-8")
    hook = english.ROOT / "scripts/hooks/commit-msg"
    done = subprocess.run([hook, path], capture_output=True, check=False, timeout=20, text=True)
    assert complaint in done.stderr and bool(complaint) == bool(done.returncode), done.stderr
