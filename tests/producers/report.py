"""The table of builds, and the list of operations that differ."""

from __future__ import annotations

import collections
import json
from pathlib import Path
from typing import NamedTuple

from producers.files import Files

HEAD = (
    "| build | files | verified | generic equal | custom equal | canonical equal | re-read | same | said "
    "| refused after silence | something else |\n"
    "|---|---|---|---|---|---|---|---|---|---|---|"
)
SILENT = ("refused", "crashed", "other")


class BuildRow(NamedTuple):
    """The counts of a build, or why it was not measured."""

    name: str
    reason: str | None = None
    files: int = 0
    checks: dict[str, collections.Counter[str]] = {}  # noqa: RUF012
    cases: dict[tuple[str, str, str], list[str]] = {}  # noqa: RUF012


def row(name: str, folder: Path, names: list[str], files: Files) -> BuildRow:
    """Counts the results of a build, and writes them as `results.json`."""
    case_names = set(names)
    checks: dict[str, collections.Counter[str]] = collections.defaultdict(collections.Counter)
    cases: dict[tuple[str, str, str], list[str]] = collections.defaultdict(list)
    count = 0
    for line in (folder / "cases.jsonl").read_text().splitlines():
        result = json.loads(line)
        if result.get("case") not in case_names:
            continue
        count += 1
        for check, verdict in result["checks"].items():
            checks[check][verdict["verdict"]] += 1
            for operation in verdict.get("operations", ()):
                cases[check, verdict["verdict"], operation].append(result["case"])
    build_row = BuildRow(name, None, count, checks, cases)
    rows = [[*key, len(value), value[:5]] for key, value in sorted(cases.items())]
    (folder / "results.json").write_text(
        json.dumps({"build": name, "files": count, "checks": checks, "operations": rows}, indent=1)
    )
    return build_row


def table(rows: list[BuildRow]) -> str:
    """A row for each build."""
    return "\n".join([HEAD, *map(_cells, rows)])


def _cells(row: BuildRow) -> str:
    if row.reason is not None:
        return f"| {row.name} | {row.reason} |"
    cells = [row.name, str(row.files)]
    for check in ("verified", "generic", "custom", "canonical"):
        cells.append(share(row.checks.get(check, collections.Counter())["same"], row.files))
    read = collections.Counter[str]()
    for check, counts in row.checks.items():
        if check.endswith(", read"):
            read.update(counts)
    cells += [str(read.total()), share(read["same"], read.total()), str(read["said"])]
    cells += [str(read["refused"] + read["crashed"]), str(read["other"])]
    return f"| {' | '.join(cells)} |"


def share(count: int, total: int) -> str:
    """A percentage that is 100 only if nothing is missing."""
    return f"{int(10000 * count / total) / 100:g} %" if total else "-"


def operations(row: BuildRow, most: int) -> str:
    """The operations that differ by check, worst first, with the number of cases and an example."""
    order = [*SILENT, "said"]
    by_kind: dict[tuple[str, str], list[tuple[int, str, str]]] = collections.defaultdict(list)
    for (check, verdict, operation), cases in row.cases.items():
        by_kind[verdict, check].append((len(cases), operation, cases[0]))
    lines = []
    for verdict, check in sorted(by_kind, key=lambda kind: (order.index(kind[0]), kind[1])):
        listed = sorted(by_kind[verdict, check], key=lambda item: (-item[0], item[1]))
        if check in ("generic", "custom") or verdict in SILENT or check == "verified":
            lines.append(f"\n{row.name}: {check}: {verdict}")
            lines += [f"{count:6} {operation}  {case}" for count, operation, case in listed[:most]]
    return "\n".join(lines) + "\n" if lines else ""
