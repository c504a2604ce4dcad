"""Counts names and comments that are hard to read for a newcomer.

    python -m support.english            the figures of the repository
    python -m support.english --list     and each place, with file and line

`tests/data/english.json` has the largest allowed figures; `test_english.py` compares. The figures are per
1,000 comments, lines, or types. A comment is a block of lines in Rust, and a line or a docstring in Python.
"""

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).parents[2]

_SKIPPED = frozenset({"target", ".venv", ".git", "_build", "node_modules"})

_START = re.compile(
    r"(Of|What|Those|That|The same|Each of|Such|It|They|One|Whose)\b"
    r"(?! (this|the|these|each) (module|file|function)\b)"
)
_CHAIN = re.compile(
    r"\b(that of|those of|those that|that which|each of them|one of them|both of them"
    r"|what it (is|has|does)|what is|what has|what they|which is that|of it\b|of them\b|have none"
    r"|has none|that has it|who has)\b",
    re.IGNORECASE,
)
_EMPTY_WORDS = (
    "own|other|others|one|found|given|known|of|left|there|here|what|such|both|rest|each|these|those|now|then|made|kept|said"
    "|asked|wanted"
)
_RUST_LOCAL = re.compile(rf"\blet (mut )?\(?({_EMPTY_WORDS})\b")
_PYTHON_LOCAL = re.compile(rf"^\s+({_EMPTY_WORDS})\s*(:[^=]+)?=[^=]")
_TYPE = re.compile(r"\b(?:struct|enum|trait|type|class) (\w+)")
_EMPTY_TYPE = re.compile(
    "Value|Places?|Open|Parts?|Rows?|Known|Steps?|Frames?|Found|Given|Draft|Forms?|Own|Kept|Held|Made|Seen|Side"
    "|Items|Pieces?|What|Thing"
)
_RUST_COMMENT = re.compile(r"\s*//[/!]?\s*(\S.*)")
_PYTHON_COMMENT = re.compile(r'[ \t]*(?:"""|#)[ \t]*(\S.*)')

MEASURES = {
    "comments that begin with a pronoun": "comments",
    "comments with a chain of pronouns": "comments",
    "locals that name nothing": "lines",
    "types that name nothing": "types",
}
"""The measures, with the number by which each is divided."""


@dataclass(slots=True)
class Count:
    """The totals of a repository, and the places of each measure."""

    totals: dict[str, int] = field(default_factory=lambda: dict.fromkeys(("comments", "lines", "types"), 0))
    places: dict[str, list[str]] = field(default_factory=lambda: {measure: [] for measure in MEASURES})

    def figures(self) -> dict[str, float]:
        """Each measure per 1,000."""
        return {
            measure: round(1000 * len(self.places[measure]) / max(1, self.totals[total]), 2)
            for measure, total in MEASURES.items()
        }


def comments(lines: list[str], *, is_python: bool) -> Iterator[tuple[int, str]]:
    """The first line of each comment, with its number."""
    pattern = _PYTHON_COMMENT if is_python else _RUST_COMMENT
    last = -1
    for number, line in enumerate(lines, 1):
        match = pattern.match(line)
        if match is None:
            continue
        if is_python or number != last + 1:
            yield number, match[1]
        last = number


def count_file(count: Count, path: Path) -> None:
    """Adds the figures of one file."""
    is_python = path.suffix == ".py"
    lines = path.read_text("utf-8").splitlines()
    name = path.relative_to(ROOT)
    count.totals["lines"] += len(lines)
    begins, chain, local, vague = (count.places[measure] for measure in MEASURES)
    for number, comment in comments(lines, is_python=is_python):
        count.totals["comments"] += 1
        place = f"{name}:{number}: {comment}"
        if _START.match(comment):
            begins.append(place)
        if _CHAIN.search(comment):
            chain.append(place)
    pattern = _PYTHON_LOCAL if is_python else _RUST_LOCAL
    for number, line in enumerate(lines, 1):
        place = f"{name}:{number}: {line.strip()}"
        if pattern.search(line):
            local.append(place)
        match = _TYPE.search(line)
        if match is not None and not line.lstrip().startswith(("//", "#", "*")):
            count.totals["types"] += 1
            if _EMPTY_TYPE.fullmatch(match[1]):
                vague.append(place)


def count_repository() -> Count:
    """The figures of all sources in Rust and Python."""
    count = Count()
    for suffix in ("rs", "py"):
        for path in sorted(ROOT.rglob(f"*.{suffix}")):
            if _SKIPPED.isdisjoint(path.relative_to(ROOT).parts):
                count_file(count, path)
    return count


def main() -> None:
    count = count_repository()
    for measure, figure in count.figures().items():
        print(f"{figure:6.2f}  {measure}, per 1,000 {MEASURES[measure]}")
    if "--list" in sys.argv[1:]:
        for measure, places in count.places.items():
            print(f"\n{measure}:", *places, sep="\n")


if __name__ == "__main__":
    main()
