"""Finds how many operands, results and regions builds require, for `rust/mlirbc/data/operations/counts.tsv`.

    python3 tools/operations/counts.py iree-3.4=PYTHON jaxlib-0.6=PYTHON …

The releases with definitions (`NAME.jsonl`) say how many parts an operation has. Where they differ, each build is given
the operation with the parts of each release, and its verifier says whether the numbers are right. A build has the numbers of
a release if it accepts all of them, and refuses those that only other releases have; `-` are numbers of no release. `PYTHON` is an interpreter with the
package of the build. Rows of builds that are not named remain.
"""

import argparse
import itertools
import json
import pathlib
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterable
from typing import Any, NamedTuple

ROOT = pathlib.Path(__file__).resolve().parents[2]
DATA = ROOT / "rust/mlirbc/data"
TABLE = DATA / "operations/counts.tsv"
HEAD = """\
# The release whose numbers of operands, results and regions an operation has in builds (tools/operations/counts.py).
"""
WORKER = r"""
import json, sys
sys.path.insert(0, sys.argv[2])
from support import acceptance_worker
ir, make = getattr(acceptance_worker, sys.argv[1])()
context = make()
for line in sys.stdin:
    try:
        with context:
            ir.Module.parse(json.loads(line))
        print(json.dumps(""), flush=True)
    except Exception as error:
        print(json.dumps(str(error)), flush=True)
"""
COMPLAINT = re.compile(
    r"expected \d+ (?:or more )?(?:operand|result|region)|requires (?:zero|one|a single|a?t? ?least|\d+)"
    r"|(?:operand|result|region) group starting at|incorrect number of (?:operand|result|region)"
)


NONE = "-"
# The operands, results and regions that no operation has.
IMPOSSIBLE = (61, 0, 61)


class Range(NamedTuple):
    """The least and the most of a part, and whether more are certainly refused."""

    least: int
    most: float
    is_exact: bool

    def tells(self, count: int) -> bool | None:
        """Whether a number is accepted, if that is certain."""
        if self.least <= count <= self.most:
            return True
        return False if count < self.least or self.is_exact else None


class PartRanges(NamedTuple):
    """The operands, the results and the regions of an operation."""

    operands: Range
    results: Range
    regions: Range

    def tells(self, counts: tuple[int, ...]) -> bool | None:
        """Whether numbers of the three are accepted, if that is certain."""
        verdicts = [part.tells(count) for part, count in zip(self, counts, strict=True)]
        if False in verdicts:
            return False
        return None if None in verdicts else True


def range_of(rows: list[list[Any]]) -> Range:
    """The numbers that a part may have; a row with more than a name and a constraint is optional or variadic."""
    kinds = [row[2] if len(row) > 2 else None for row in rows]
    most = sum(1 if kind in (None, "?") else float("inf") for kind in kinds)
    return Range(kinds.count(None), most, not any(kinds))


def parts_of(row: dict[str, Any]) -> PartRanges:
    regions = row.get("regions", [])
    is_exact = not any(len(region) > 2 for region in regions)
    return PartRanges(
        range_of(row.get("operands", [])),
        range_of(row.get("results", [])),
        Range(len(regions), len(regions) if is_exact else float("inf"), is_exact),
    )


def definitions() -> dict[str, dict[str, PartRanges]]:
    """By release, the parts of the operations that its own file defines."""
    ranges_by_release = {}
    for path in sorted((DATA / "operations").glob("llvm-*.jsonl")):
        rows = (json.loads(line) for line in path.read_text("utf-8").splitlines()[1:])
        ranges_by_release[path.stem] = {row["op"]: parts_of(row) for row in rows if "op" in row}
    return ranges_by_release


def tried(all_parts: list[PartRanges]) -> list[tuple[int, ...]]:
    """Numbers of the three parts by which releases differ."""
    sides = []
    for part in zip(*all_parts, strict=True):
        ends = {limits.least for limits in part} | {
            int(limits.most) for limits in part if limits.most != float("inf")
        }
        sides.append(sorted(ends))
    return [*itertools.product(*sides), IMPOSSIBLE]


def text_of(name: str, counts: tuple[int, ...]) -> str:
    """An operation with as many parts, in generic form."""
    operands, results, regions = counts
    types = ", ".join(["f32"] * operands)
    result_types = ", ".join(["f32"] * results)
    values = ", ".join(f"%v#{number}" if operands > 1 else "%v" for number in range(operands))
    lines = []
    if operands:
        count = f":{operands}" if operands > 1 else ""
        lines.append(f'%v{count} = "builtin.unrealized_conversion_cast"() : () -> ({types})')
    bodies = f" ({', '.join(['{}'] * regions)})" if regions else ""
    prefix = f"%r{f':{results}' if results > 1 else ''} = " if results else ""
    lines.append(f'{prefix}"{name}"({values}){bodies} : ({types}) -> ({result_types})')
    return "\n".join(lines)


def accepts(name: str, error: str) -> bool | None:
    """Whether the verifier takes the numbers; `None` if the build lacks the operation, or does not tell."""
    # The verifier begins its errors with the name of the operation; the parser does not.
    about = [line for line in error.splitlines() if f"'{name}' op " in line]
    if not error:
        return True
    if not about or any("unregistered" in line for line in about):
        return None
    return not any(COMPLAINT.search(line) for line in about)


def answers_of(build: str, python: pathlib.Path, sources: Iterable[str]) -> list[str | None]:
    """The errors of a build for texts, `""` without one; `None` where the build crashes."""
    texts = list(sources)
    command = [str(python), "-c", WORKER, re.split(r"[-.]", build)[0], str(ROOT / "tests")]
    answers: list[str | None] = []
    while len(answers) < len(texts):
        lines = "".join(json.dumps(text) + "\n" for text in texts[len(answers) :])
        result = subprocess.run(command, input=lines, capture_output=True, text=True, check=False)
        answers += [json.loads(line) for line in result.stdout.splitlines()]
        if result.returncode != 0:
            answers.append(None)
    return answers


def observed(
    build: str, python: pathlib.Path, ranges_by_operation: dict[str, dict[str, PartRanges]]
) -> dict[str, str]:
    """The release whose numbers an operation has in a build, by operation."""
    cases = [
        (name, counts)
        for name, parts in ranges_by_operation.items()
        for counts in tried(list(parts.values()))
    ]
    answers = answers_of(build, python, (text_of(*case) for case in cases))
    told: dict[str, dict[tuple[int, ...], bool]] = {}
    for (name, counts), error in zip(cases, answers, strict=True):
        is_accepted = None if error is None else accepts(name, error)
        if is_accepted is not None:
            told.setdefault(name, {})[counts] = is_accepted
    release_by_operation = {}
    for name, verdicts in told.items():
        # A dialect may accept operations that it does not know.
        if verdicts.pop(IMPOSSIBLE, True):
            continue
        fitting = [
            release
            for release, parts in ranges_by_operation[name].items()
            if all(parts.tells(counts) in (None, is_accepted) for counts, is_accepted in verdicts.items())
        ]
        if len({ranges_by_operation[name][release] for release in fitting}) == 1:
            release_by_operation[name] = fitting[0]
        elif not fitting:
            release_by_operation[name] = NONE
    return release_by_operation


def differing() -> dict[str, dict[str, PartRanges]]:
    """The operations whose parts differ between releases, with the parts in each."""
    of_release = definitions()
    names = sorted(set().union(*of_release.values()))
    every = {
        name: {release: rows[name] for release, rows in of_release.items() if name in rows} for name in names
    }
    return {name: parts for name, parts in every.items() if len(set(parts.values())) > 1}


def read() -> dict[str, dict[str, str]]:
    """The table: by operation and build, the release."""
    table: dict[str, dict[str, str]] = {}
    for line in TABLE.read_text("utf-8").splitlines() if TABLE.exists() else []:
        if not line.startswith("#"):
            name, *cells = line.split("\t")
            pairs = (cell.split(":") for cell in cells)
            table[name] = {build: release for release, builds in pairs for build in builds.split(",")}
    return table


def by_age(builds: Iterable[str]) -> list[str]:
    """Builds in the order of their revisions."""
    releases = tomllib.loads((DATA / "releases.toml").read_text("utf-8"))["release"]
    days = {row["name"]: row["revision"] for row in releases}
    return sorted(builds, key=lambda build: (days[build], build))


def write(table: dict[str, dict[str, str]]) -> None:
    lines = []
    for name, builds in sorted(table.items(), key=lambda row: row[0].encode()):
        by_release: dict[str, list[str]] = {}
        for build in by_age(builds):
            by_release.setdefault(builds[build], []).append(build)
        cells = [
            f"{release}:{','.join(release_builds)}" for release, release_builds in sorted(by_release.items())
        ]
        if cells:
            lines.append("\t".join([name, *cells]) + "\n")
    TABLE.write_text(HEAD + "".join(lines), "utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("builds", nargs="+", metavar="BUILD=PYTHON")
    ranges_by_operation, table = differing(), read()
    for build, _, python in (word.partition("=") for word in parser.parse_args().builds):
        release_by_operation = observed(build, pathlib.Path(python), ranges_by_operation)
        for name in ranges_by_operation:
            row = table.setdefault(name, {})
            row.pop(build, None)
            if name in release_by_operation:
                row[build] = release_by_operation[name]
        print(
            f"{build}: {len(release_by_operation)} of {len(ranges_by_operation)} operations", file=sys.stderr
        )
    write({name: row for name, row in table.items() if name in ranges_by_operation})


if __name__ == "__main__":
    main()
