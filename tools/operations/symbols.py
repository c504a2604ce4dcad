"""Finds since when builds have an attribute or a type, for `rust/mlirbc/data/operations/symbols.tsv`.

    python3 tools/operations/symbols.py iree-3.4=PYTHON jaxlib-0.6=PYTHON …

Releases have different attributes and types (`attribute_fields.tsv`, `words.tsv`). Each build is given those that not all
releases have, and its parser says whether it knows the name. `PYTHON` is an interpreter with the package of the build. A row has
the builds at which the answer changes, in the order of their revisions: `-` before one that lacks the name, `+` before one that
has it. Names about which all builds say the same have no row, and builds without the dialect say nothing.
"""

import argparse
import pathlib
import re
import sys
from collections import defaultdict
from itertools import pairwise

from counts import DATA, answers_of, by_age

TABLE = DATA / "operations/symbols.tsv"
HEAD = """\
# The builds between which an attribute or a type came or went (tools/operations/symbols.py).
"""
UNKNOWN = re.compile(
    r"unknown (?: ?attribute|type|SPIR-V type|\w+ type)|provides no (?:type|attribute) parsing hook"
)
ABSENT = re.compile(r"unregistered|not found|allow-unregistered")


def differing() -> list[str]:
    """The names that some releases have and others lack."""
    releases: dict[str, set[str]] = defaultdict(set)
    for line in (DATA / "operations/attribute_fields.tsv").read_text("utf-8").splitlines():
        release, name, *_ = line.split("\t")
        releases[release].add(name.rstrip("?"))
    for line in (DATA / "operations/words.tsv").read_text("utf-8").splitlines():
        release, kind, words = line.split("\t")
        if kind in "#!":
            releases[release] |= {kind + word for word in words.split(" ")}
    every = set().union(*releases.values())
    return sorted(name for name in every if not all(name in names for names in releases.values()))


def text_of(name: str) -> str:
    """A module with an attribute or a type without parameters."""
    if name.startswith("!"):
        return f"func.func private @f({name}<>)"
    return f"module attributes {{test.a = {name}<>}} {{}}"


def has(error: str | None) -> bool | None:
    """Whether a build has a name, by its error; `None` if it lacks the dialect."""
    if error is None or ABSENT.search(error):
        return None
    return not UNKNOWN.search(error)


def changes(builds: dict[str, bool]) -> list[str]:
    """The builds on both sides of each change."""
    order = by_age(builds)
    cells = []
    for before, after in pairwise(order):
        if builds[before] != builds[after]:
            cells += [f"{'+' if builds[build] else '-'}{build}" for build in (before, after)]
    return cells


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("builds", nargs="+", metavar="BUILD=PYTHON")
    names = differing()
    table: dict[str, dict[str, bool]] = {name: {} for name in names}
    for build, _, python in (word.partition("=") for word in parser.parse_args().builds):
        verdicts = [has(error) for error in answers_of(build, pathlib.Path(python), map(text_of, names))]
        for name, verdict in zip(names, verdicts, strict=True):
            if verdict is not None:
                table[name][build] = verdict
        answered = sum(verdict is not None for verdict in verdicts)
        print(f"{build}: {answered} of {len(names)} names", file=sys.stderr)
    rows = ["\t".join([name, *cells]) + "\n" for name in names if (cells := changes(table[name]))]
    TABLE.write_text(HEAD + "".join(rows), "utf-8")


if __name__ == "__main__":
    main()
