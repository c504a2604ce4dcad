"""Finds by which definitions builds print operations, for `rust/mlirbc/data/operations/observations.tsv`.

    python3 tools/operations/observations.py observe jaxlib-0.8=CORPUS iree-3.8=CACHE/files/NAME.sqlite
    python3 tools/operations/observations.py collect         # the table says what was seen, too

`scripts/assembly make` makes corpora, folders with the files that a build writes and the texts that it
prints; `scripts/producers` makes databases of them. `observe` prints the files as if all builds had the
forms of one release with definitions, for `nothing`, an empty table, and, where that gives another text
than the build, for each release with definitions. It needs mlirbc with the feature `testing`. A line of a
text is compared without the names of values, and counts for the operation that it begins with or belongs
to.

A build has a row for an operation if it prints all of its lines by one assumption and not by another one,
or if no release of LLVM has the operation; `-` is a form that no assumption gives, although the empty
table gives one. `collect` keeps rows of builds about which the corpora say nothing.
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
import subprocess
import sys
import tomllib
import warnings
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
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
# Builds that define some operations in another way, which `forms.py` writes.
FORMS = {"iree-3.6", "iree-3.8"}
VALUE = re.compile(r"(?<![\w$.])%[\w$.#:-]+")
OPERATION = re.compile(r"(?:%[^=]*= )?([a-z_][\w$]*(?:\.[\w$]+)*)(?=[ <(\[{]|$)")
GENERIC_NAME = re.compile(r'"([a-z_][\w$]*\.[\w$.]+)"\(')
GENERIC = re.compile(r'(?:%[^=]*= )?"([^"]+)"\(')
MOST_LINES = 4000
Rows = dict[str, dict[str, list[str]]]
"""For each operation and release, the builds that print the operation as that release does."""


class LineCounts(NamedTuple):
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
    """The releases with definitions, and the builds with forms of some operations."""
    return sorted(path.stem for path in (DATA / "operations").glob("*.jsonl"))


def upstream() -> set[str]:
    """The operations that releases of LLVM define."""
    return {name for release in releases() if release.startswith("llvm-") for name in operations(release)}


def table(builds: list[str], rows: Rows) -> str:
    """The text of the table: for each operation and release, the letters of the builds."""
    letters = dict(zip(builds, LETTERS, strict=False))
    lines = [f"# {letter}\t{build}" for build, letter in letters.items()]
    for name, columns in sorted(rows.items(), key=lambda row: row[0].encode()):
        cells = [
            f"{release}:{''.join(letters[build] for build in builds if build in printing)}"
            for release, printing in sorted(columns.items())
        ]
        lines.append("\t".join([name, *cells]))
    return HEAD + "\n".join(lines) + "\n"


def written() -> Rows:
    """The rows that the table has."""
    letters: dict[str, str] = {}
    rows: Rows = {}
    for line in TABLE.read_text("utf-8").splitlines()[1:]:
        name, *cells = line.split("\t")
        if name.startswith("# "):
            letters[name[2:]] = cells[0]
            continue
        columns = (cell.split(":") for cell in cells)
        rows[name] = {release: [letters[letter] for letter in marks] for release, marks in columns}
    return rows


def release_rows() -> list[dict[str, Any]]:
    """The rows of releases and builds."""
    rows: list[dict[str, Any]] = tomllib.loads((DATA / "releases.toml").read_text("utf-8"))["release"]
    return rows


def known_builds() -> list[str]:
    """The development builds without definitions, the oldest first."""
    rows = [
        row for row in release_rows() if row.get("is_development") and row["definitions"][0] != row["name"]
    ]
    return [row["name"] for row in sorted(rows, key=lambda row: str(row["revision"]))]


def nearest(build: str) -> list[str]:
    """The releases with definitions, nearest to a build first, and releases of LLVM before others."""
    days = {row["name"]: datetime.date.fromisoformat(row["revision"]) for row in release_rows()}
    return sorted(
        releases(), key=lambda release: (abs(days[release] - days[build]), not release.startswith("llvm-"))
    )


def assumption(release: str) -> str:
    """A table in which all builds print by a release, and the dialects of projects by their own."""
    rows: Rows = {}
    builds = known_builds()
    if release != NOTHING:
        upstream_operations = upstream()
        for project in sorted(PROJECTS):
            rows.update({name: {project: builds} for name in operations(project) - upstream_operations})
        continued = operations("llvm-23") if release == "iree-3.13" else set()
        rows.update({name: {release: builds} for name in operations(release) | continued})
    return table(builds, rows)


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
    full_names: dict[str, set[str]] = collections.defaultdict(set)
    for line in generic.split("\n"):
        if match := GENERIC.match(line.strip()):
            full_names[match[1].partition(".")[2]].add(match[1])
            full_names[match[1]].add(match[1])
    return {stem: next(iter(full)) for stem, full in full_names.items() if len(full) == 1}


def owners(lines: list[str], names: dict[str, str]) -> Iterator[tuple[str | None, bool, bool]]:
    """The operation of each line, whether that is in generic form, and whether the line begins with it.

    A line that does not begin with an operation belongs to the one before it that is not in another one.
    """
    around: list[tuple[int, str | None, bool]] = []
    for line in lines:
        depth = len(line) - len(line.lstrip())
        name, is_generic = named(line, names)
        while around and around[-1][0] > depth:
            around.pop()
        if name is not None:
            around.append((depth, name, is_generic))
            yield name, is_generic, True
        elif around:
            yield around[-1][1], around[-1][2], False
        else:
            yield None, False, False


def compared(theirs: str, printed: str, generic: str, counts: dict[str, list[int]], is_alike: bool) -> None:
    """Counts lines of a text that equal the lines of the build; other lines count if the generic texts are
    alike.
    """
    names = stems(generic)
    lines = [text.rstrip().split("\n") for text in (theirs, printed)]
    first, second = ([VALUE.sub("%", line) for line in side] for side in lines)
    # Where an operation in generic form contains others, their lines are elsewhere.
    anywhere, stripped = set(first), {line.strip() for line in first}
    owned = list(owners(lines[1], names))
    for tag, _, _, start, end in difflib.SequenceMatcher(None, first, second, autojunk=False).get_opcodes():
        if tag != "equal" and not is_alike:
            continue
        for plain, (name, is_generic, is_first) in zip(second[start:end], owned[start:end], strict=True):
            is_equal = tag == "equal" or (plain.strip() in stripped if is_first else plain in anywhere)
            if name is not None and (is_first or not (is_equal or is_generic)):
                counts[name][0 if is_equal else 2 if is_generic else 1] += 1


def cases(path: pathlib.Path) -> Iterator[tuple[str, bytes, str, str]]:
    """The names and files of a database or of a corpus, with the custom and the generic text of the build."""
    if path.is_dir():
        for row in (path / "cases.tsv").read_text("utf-8").splitlines():
            name = row.split("\t")[0]
            data, custom, generic = (
                (path / f"{name}.{kind}").read_bytes() for kind in ("mlirbc", "custom", "generic")
            )
            yield name, data, custom.decode("utf-8", "replace"), generic.decode("utf-8", "replace")
    else:
        query = 'select name, bytecode, "custom", "generic" from cases where refused is null'
        for name, data, custom, generic in sqlite3.connect(path).execute(query):
            yield name, data, custom.decode("utf-8", "replace"), generic.decode("utf-8", "replace")


def compare(assumed: str, sources: list[str]) -> None:
    """Prints the files of builds by an assumption, and writes the counts of compared lines."""
    import mlirbc
    from mlirbc import _mlirbc

    if not _mlirbc._assume_forms(assumption(assumed)):
        raise SystemExit("mlirbc has an assumption already")
    warnings.simplefilter("ignore")
    VERDICTS.mkdir(parents=True, exist_ok=True)
    for build, _, path in (word.partition("=") for word in sources):
        counts: dict[str, list[int]] = collections.defaultdict(lambda: [0, 0, 0])
        equal = total = 0
        agreed: set[str] = set()
        settled = VERDICTS / f"{build}@{pathlib.Path(path).stem}.txt"
        # All forms around a build give the texts that are equal without an assumption.
        names = set(settled.read_text("utf-8").splitlines()) if assumed != NOTHING else set()
        for name, data, theirs, text in cases(pathlib.Path(path)):
            if theirs.count("\n") > MOST_LINES or name in names:
                continue
            total += 1
            try:
                module = mlirbc.read(data, release=build)
                printed = module.operation.get_asm()
                is_equal = printed.strip() == theirs.strip()
                is_alike = (
                    is_equal or module.operation.get_asm(print_generic_op_form=True).strip() == text.strip()
                )
            except mlirbc.Error:
                continue
            equal += is_equal
            if is_equal and assumed == NOTHING:
                names.add(name)
                agreed.update(GENERIC_NAME.findall(text))
                continue
            compared(theirs, printed, text, counts, is_alike)
        if assumed == NOTHING:
            settled.write_text("\n".join(sorted(names)), "utf-8")
            settled.with_suffix(".agreed").write_text("\n".join(sorted(agreed)), "utf-8")
        (VERDICTS / f"{assumed}@{build}@{pathlib.Path(path).stem}.json").write_text(json.dumps(counts))
        print(f"{assumed} {build}: {equal} of {total} files are equal", flush=True)


def observe(sources: list[str], jobs: int) -> None:
    """Compares by each assumption, in a process of its own: the table of a process is used once."""

    def run(assumed: str) -> None:
        subprocess.run([sys.executable, __file__, "compare", assumed, *sources], check=True)

    run(NOTHING)
    families = {source.rpartition("-")[0] for source in (word.partition("=")[0] for word in sources)}
    excluded = {form for form in FORMS if form.rpartition("-")[0] not in families} | {
        "llvm-16",
        "stablehlo-1.20",
    }
    with ThreadPoolExecutor(jobs) as pool:
        list(pool.map(run, [release for release in releases() if release not in excluded]))


def seen() -> dict[str, dict[str, dict[str, LineCounts]]]:
    """The counts of compared lines, by build, operation and assumption."""
    counts_by_build: dict[str, dict[str, dict[str, LineCounts]]] = {}
    for path in sorted(VERDICTS.glob("*.json")):
        assumed, build, _ = path.stem.split("@")
        for name, counts in json.loads(path.read_text()).items():
            rows = counts_by_build.setdefault(build, {}).setdefault(name, {})
            before = rows.get(assumed, LineCounts(0, 0, 0))
            rows[assumed] = LineCounts(
                *(earlier + added for earlier, added in zip(before, counts, strict=True))
            )
    return counts_by_build


def verdict(rows: dict[str, LineCounts], assumptions: list[str], is_upstream: bool) -> str | None:
    """The release by which a build prints an operation, `-` for none, or nothing if that is not clear.

    The assumptions are in the order in which they are preferred. An operation that no line has by an
    assumption is a terminator that the custom form of its parent leaves out.
    """
    none = LineCounts(0, 0, 0)
    nothing = rows.get(NOTHING, none)
    if (
        assumptions
        and nothing.generic
        and not is_upstream
        and all(rows.get(release, none) == none for release in assumptions)
    ):
        return assumptions[0]
    seen_rows = {release: rows.get(release, none) for release in assumptions}
    fitting = [release for release, row in seen_rows.items() if row.equal and not row.different]
    if not fitting:
        # If no line has the operation by an assumption, it is inside of another operation's line.
        has_form = any(row.equal or row == none for row in seen_rows.values())
        return "-" if nothing.different and not nothing.equal and not has_form else None
    best = max(fitting, key=lambda release: seen_rows[release].equal)
    return best if seen_rows[best].equal > nothing.equal else None


def found_rows() -> Rows:
    """The rows that follow from the compared lines."""
    builds, upstream_operations = known_builds(), upstream()
    defined = {release: operations(release) for release in releases()}
    rows: Rows = {}
    equal = agreed()
    for build, operations_seen in seen().items():
        for name, assumed in operations_seen.items():
            if name in upstream_operations:
                assumptions = [release for release in nearest(build) if name in defined[release]]
                decision = verdict(assumed, assumptions, True)
            else:
                projects = [release for release in sorted(PROJECTS) if name in defined[release]]
                form_builds = [release for release in sorted(FORMS) if name in defined[release]]
                # Every other assumption but the empty table has the forms of projects.
                forms = [row for release, row in assumed.items() if release not in (NOTHING, *form_builds)]
                merged = {release: max(forms, default=LineCounts(0, 0, 0)) for release in projects}
                merged |= {
                    release: assumed[release] for release in (NOTHING, *form_builds) if release in assumed
                }
                decision = verdict(merged, [*projects, *form_builds], False)
            if decision == "-" and name in equal[build]:
                continue
            if decision is not None and build in builds:
                rows.setdefault(name, {}).setdefault(decision, []).append(build)
    return rows


def agreed() -> dict[str, set[str]]:
    """By build, the operations in files that are equal without an assumption."""
    operations_by_build: dict[str, set[str]] = collections.defaultdict(set)
    for path in VERDICTS.glob("*.agreed"):
        operations_by_build[path.stem.split("@")[0]].update(path.read_text("utf-8").splitlines())
    return operations_by_build


def neighbours(rows: Rows) -> Rows:
    """Rows of builds that print an operation like the releases around them, where another build has its own
    form.
    """
    neighbour_rows: Rows = {}
    defined = {release: operations(release) for release in releases() if release.startswith("llvm-")}
    around = {row["name"]: {row.get("before"), row.get("after")} for row in release_rows()}
    for build, names in agreed().items():
        for name in sorted(names):
            columns = rows.get(name, {})
            has_own = any(build in builds for builds in columns.values())
            fitting = [
                release for release in nearest(build) if release in around[build] and name in defined[release]
            ]
            if FORMS.intersection(columns) and fitting and not has_own:
                neighbour_rows.setdefault(name, {}).setdefault(fitting[0], []).append(build)
    return neighbour_rows


def collect() -> None:
    """Writes the table: the observed rows, and rows of builds without observations."""
    rows = found_rows()
    for name, columns in neighbours(rows).items():
        rows[name] |= columns
    for name, columns in written().items():
        settled = {build for builds in rows.get(name, {}).values() for build in builds}
        for release, builds in columns.items():
            unsettled = [build for build in builds if build not in settled]
            if changed := [
                build for build in builds if build in settled and build not in rows[name].get(release, [])
            ]:
                print(f"{name}: {release} no longer holds for {', '.join(changed)}")
            if unsettled:
                rows.setdefault(name, {}).setdefault(release, []).extend(unsettled)
    TABLE.write_text(table(known_builds(), rows), "utf-8")
    print(f"{len(rows)} operations")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    commands = parser.add_subparsers(dest="command", required=True)
    observing = commands.add_parser("observe")
    observing.add_argument("--jobs", type=int, default=2)
    observing.add_argument("sources", nargs="+", metavar="BUILD=PATH")
    comparing = commands.add_parser("compare")
    comparing.add_argument("assumed", choices=[NOTHING, *releases()])
    comparing.add_argument("sources", nargs="+", metavar="BUILD=PATH")
    commands.add_parser("collect")
    options = parser.parse_args()
    match options.command:
        case "observe":
            observe(options.sources, options.jobs)
        case "compare":
            compare(options.assumed, options.sources)
        case _:
            collect()


if __name__ == "__main__":
    main()
