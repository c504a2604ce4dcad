"""Finds by which definitions builds print operations, for `rust/mlirbc/data/operations/observations.tsv`.

    python3 tools/operations/observations.py assume llvm-22  # all builds print by this release
    maturin develop --release                               # mlirbc with that table
    python3 tools/operations/observations.py compare llvm-22 jaxlib-0.8=CACHE/files/jaxlib-0.8.3.sqlite
    python3 tools/operations/observations.py collect         # the table says what was seen

`scripts/producers` makes the databases: the files that a build writes, and the texts that it prints.
Assume and compare each release with definitions, and `nothing`, which stands for an empty table. A line
of a text is compared without the names of values, and counts for the operation that it begins with.

A build has a row for an operation if it prints all of its lines by one assumption and not by another
one, or if no release of LLVM has the operation; `-` is a form that no assumption gives, although the
empty table gives one.
"""

import argparse
import collections
import datetime
import difflib
import json
import pathlib
import re
import sqlite3
import string
import tomllib
from typing import Any, NamedTuple

ROOT = pathlib.Path(__file__).resolve().parents[2]
DATA = ROOT / "rust/mlirbc/data"
TABLE = DATA / "operations/observations.tsv"
VERDICTS = ROOT / "target/observations"
NOTHING = "nothing"
LETTERS = string.ascii_letters
HEAD = """\
# Builds that print an operation as the definitions of a release say (tools/operations/observations.py).
"""
# Releases that define the dialects of projects.
PROJECTS = {"stablehlo-1.20", "iree-3.13"}
VALUE = re.compile(r"(?<![\w$.])%[\w$.#:-]+")
OPERATION = re.compile(r"(?:%[^=]*= )?([a-z_][\w$]*(?:\.[\w$]+)*)(?=[ <(\[{]|$)")
GENERIC = re.compile(r'(?:%[^=]*= )?"([^"]+)"\(')
MOST_LINES = 4000


class Row(NamedTuple):
    """How often lines of an operation were equal, different, and in generic form."""

    equal: int
    different: int
    generic: int


def operations(release: str) -> set[str]:
    """The operations that the file of a release defines."""
    path = DATA / f"operations/{release}.jsonl"
    rows = (json.loads(line) for line in path.read_text("utf-8").splitlines()[1:])
    return {row["op"] for row in rows if "op" in row}


def releases() -> list[str]:
    return sorted(path.stem for path in (DATA / "operations").glob("*.jsonl"))


def upstream() -> set[str]:
    """The operations that releases of LLVM define."""
    return {name for release in releases() if release.startswith("llvm-") for name in operations(release)}


def write(builds: list[str], rows: dict[str, dict[str, list[str]]]) -> None:
    """Writes the table: for each operation and release, the builds."""
    letters = dict(zip(builds, LETTERS, strict=False))
    lines = [f"# {letter}\t{build}" for build, letter in letters.items()]
    for name, columns in sorted(rows.items(), key=lambda row: row[0].encode()):
        cells = [
            f"{release}:{''.join(letters[one] for one in builds if one in of)}"
            for release, of in sorted(columns.items())
        ]
        lines.append("\t".join([name, *cells]))
    TABLE.write_text(HEAD + "\n".join(lines) + "\n", "utf-8")


def known() -> list[dict[str, Any]]:
    """The rows of releases and builds."""
    rows: list[dict[str, Any]] = tomllib.loads((DATA / "releases.toml").read_text("utf-8"))["release"]
    return rows


def known_builds() -> list[str]:
    """The development builds without definitions, the oldest first."""
    rows = [row for row in known() if row.get("is_development") and row["definitions"][0] != row["name"]]
    return [row["name"] for row in sorted(rows, key=lambda row: str(row["revision"]))]


def nearest(build: str) -> list[str]:
    """The releases with definitions, the nearest ones to a build first, and those of LLVM before others."""
    days = {row["name"]: datetime.date.fromisoformat(row["revision"]) for row in known()}
    return sorted(releases(), key=lambda one: (abs(days[one] - days[build]), not one.startswith("llvm-")))


def assume(release: str) -> None:
    """Writes a table in which all builds print by a release, and the dialects of projects by their own."""
    builds, rows = known_builds(), {}
    if release != NOTHING:
        own = upstream()
        for project in sorted(PROJECTS):
            rows.update({name: {project: builds} for name in operations(project) - own})
        continued = operations("llvm-23") if release == "iree-3.13" else set()
        rows.update({name: {release: builds} for name in operations(release) | continued})
    write(builds, rows)


def named(line: str, names: dict[str, str]) -> tuple[str | None, bool]:
    """The operation that a line begins with, and whether it is in generic form."""
    text = line.strip()
    if match := GENERIC.match(text):
        return match[1], True
    match = OPERATION.match(text)
    if match is None:
        return None, False
    return (match[1] if "." in match[1] and match[1] in names.values() else names.get(match[1])), False


def stems(generic: str) -> dict[str, str]:
    """The full names of operations by names without a dialect, where that is clear, and by themselves."""
    found: dict[str, set[str]] = collections.defaultdict(set)
    for line in generic.split("\n"):
        if match := GENERIC.match(line.strip()):
            found[match[1].partition(".")[2]].add(match[1])
            found[match[1]].add(match[1])
    return {stem: next(iter(full)) for stem, full in found.items() if len(full) == 1}


def compared(theirs: str, own: str, generic: str, counts: dict[str, list[int]], is_alike: bool) -> None:
    """Counts lines of a text that equal those of the build, and others if the generic texts are alike."""
    names = stems(generic)
    lines = [text.rstrip().split("\n") for text in (theirs, own)]
    first, second = ([VALUE.sub("%", line) for line in side] for side in lines)
    # Where an operation in generic form contains others, their lines are elsewhere.
    anywhere = {line.strip() for line in first}
    for tag, _, _, start, end in difflib.SequenceMatcher(None, first, second, autojunk=False).get_opcodes():
        if tag != "equal" and not is_alike:
            continue
        for line, plain in zip(lines[1][start:end], second[start:end], strict=True):
            name, is_generic = named(line, names)
            is_equal = tag == "equal" or plain.strip() in anywhere
            if name is not None:
                counts[name][0 if is_equal else 2 if is_generic else 1] += 1


def compare(assumed: str, databases: list[str]) -> None:
    """Prints the files of builds, and writes what was seen."""
    import mlirbc

    VERDICTS.mkdir(parents=True, exist_ok=True)
    for build, _, path in (word.partition("=") for word in databases):
        counts: dict[str, list[int]] = collections.defaultdict(lambda: [0, 0, 0])
        query = 'select bytecode, "custom", "generic" from cases where refused is null'
        equal = total = 0
        for data, custom, generic in sqlite3.connect(path).execute(query):
            theirs, text = custom.decode("utf-8", "replace"), generic.decode("utf-8", "replace")
            if theirs.count("\n") > MOST_LINES:
                continue
            total += 1
            try:
                module = mlirbc.read(data, release=build)
                own = module.operation.get_asm()
            except mlirbc.Error:
                continue
            equal += own.strip() == theirs.strip()
            is_alike = module.operation.get_asm(print_generic_op_form=True).strip() == text.strip()
            compared(theirs, own, text, counts, is_alike)
        (VERDICTS / f"{assumed}@{build}@{pathlib.Path(path).stem}.json").write_text(json.dumps(counts))
        print(f"{assumed} {build}: {equal} of {total} files are equal", flush=True)


def seen() -> dict[str, dict[str, dict[str, Row]]]:
    """What was seen: by build, operation and assumption."""
    found: dict[str, dict[str, dict[str, Row]]] = {}
    for path in sorted(VERDICTS.glob("*.json")):
        assumed, build, _ = path.stem.split("@")
        for name, counts in json.loads(path.read_text()).items():
            rows = found.setdefault(build, {}).setdefault(name, {})
            before = rows.get(assumed, Row(0, 0, 0))
            rows[assumed] = Row(*(one + other for one, other in zip(before, counts, strict=True)))
    return found


def verdict(rows: dict[str, Row], assumptions: list[str], is_upstream: bool) -> str | None:
    """The release by which a build prints an operation, `-` for none, or nothing if that is not clear.

    The assumptions are in the order in which they are preferred. An operation that no line has by an
    assumption is a terminator that the custom form of its parent leaves out.
    """
    none = Row(0, 0, 0)
    nothing = rows.get(NOTHING, none)
    if (
        assumptions
        and nothing.generic
        and not is_upstream
        and all(rows.get(one, none) == none for one in assumptions)
    ):
        return assumptions[0]
    fitting = [one for one in assumptions if one in rows and rows[one].equal and not rows[one].different]
    if not fitting:
        return "-" if nothing.different > nothing.equal else None
    best = max(fitting, key=lambda one: rows[one].equal)
    is_known = rows[best].equal == nothing.equal and not nothing.different
    return None if is_known else best


def collect() -> None:
    """Writes the table from what was seen."""
    builds, own = known_builds(), upstream()
    defined = {release: operations(release) for release in releases()}
    rows: dict[str, dict[str, list[str]]] = {}
    for build, operations_seen in seen().items():
        for name, assumed in operations_seen.items():
            if name in own:
                assumptions = [one for one in nearest(build) if name in defined[one]]
                found = verdict(assumed, assumptions, True)
            else:
                projects = [one for one in sorted(PROJECTS) if name in defined[one]]
                # Every assumption but the empty table has the forms of projects.
                forms = [row for assumption, row in assumed.items() if assumption != NOTHING]
                merged = {one: max(forms, default=Row(0, 0, 0)) for one in projects}
                merged[NOTHING] = assumed.get(NOTHING, Row(0, 0, 0))
                found = verdict(merged, projects, False)
            if found is not None and build in builds:
                rows.setdefault(name, {}).setdefault(found, []).append(build)
    write(builds, rows)
    print(f"{len(rows)} operations")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("assume").add_argument("release", choices=[NOTHING, *releases()])
    comparing = commands.add_parser("compare")
    comparing.add_argument("assumed", choices=[NOTHING, *releases()])
    comparing.add_argument("databases", nargs="+", metavar="BUILD=DATABASE")
    commands.add_parser("collect")
    given = parser.parse_args()
    match given.command:
        case "assume":
            assume(given.release)
        case "compare":
            compare(given.assumed, given.databases)
        case _:
            collect()


if __name__ == "__main__":
    main()
