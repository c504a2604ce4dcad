"""Plots the tables of peers of earlier commits, which are kept in `history/`.

    scripts/bench --history OUT.html

Each file is what `scripts/bench --peers --json FILE` wrote. The page has a plot for each row: the time of
mlirbc, and beside it that of the first peer, on a logarithmic scale, with a horizontal line for the goal.
"""

import html
import json
import math
from pathlib import Path
from typing import Any

from bench.table import ROWS, PeerRow, shown

FOLDER = Path(__file__).parent / "history"
WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 640, 200, 70, 90, 16, 36
COLOURS = {
    "mlirbc": "#0b6bcb",
    "jaxlib": "#c2410c",
    "mlir-opt": "#7c3aed",
    "one": "#0f766e",
    "xdsl": "#be185d",
}


def runs(folder: Path = FOLDER) -> list[dict[str, Any]]:
    """The runs, the oldest first."""
    all_runs = [json.loads(path.read_text()) for path in sorted(folder.glob("*.json"))]
    return sorted(all_runs, key=lambda run: run["date"])


def page(all_runs: list[dict[str, Any]]) -> str:
    parts = [plot(row, all_runs) for row in ROWS]
    dates = f"{all_runs[0]['date']} to {all_runs[-1]['date']}" if all_runs else "no run yet"
    return (
        "<!doctype html><html lang='en'><meta charset='utf-8'><title>Benchmarks of mlirbc</title>"
        "<style>body{font:14px sans-serif;max-width:720px;margin:2em auto;color:#222}svg{width:100%}"
        "text{font:11px sans-serif}h2{font-size:15px;margin:1.6em 0 0}</style>"
        f"<h1>Benchmarks of mlirbc</h1><p>{len(all_runs)} runs, {dates}. Less is better; the scale is "
        f"logarithmic, and the dashed line is the goal.</p>{''.join(parts)}</html>\n"
    )


def series(row: PeerRow, all_runs: list[dict[str, Any]]) -> dict[str, list[tuple[int, float]]]:
    """By reader: the number of the run and the value."""
    lines: dict[str, list[tuple[int, float]]] = {}
    first = next(iter(row.peers), None)
    for number, run in enumerate(all_runs):
        run_row = next((run_row for run_row in run["rows"] if run_row["name"] == row.name), None)
        for reader in ("mlirbc", first):
            if run_row is not None and reader is not None and run_row.get(reader):
                lines.setdefault(reader, []).append((number, run_row[reader]))
    return lines


def plot(row: PeerRow, all_runs: list[dict[str, Any]]) -> str:
    lines = series(row, all_runs)
    if "mlirbc" not in lines:
        return ""
    goal = row.at_most
    first = next(iter(row.peers), None)
    if goal is None and row.ratio is not None and first in lines:
        goal = lines[first][-1][1] / row.ratio
    values = [value for line in lines.values() for _, value in line] + ([goal] if goal else [])
    low, high = math.log10(min(values)) - 0.1, math.log10(max(values)) + 0.1

    def x(number: int) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * (number / max(1, len(all_runs) - 1))

    def y(value: float) -> float:
        return TOP + (HEIGHT - TOP - BOTTOM) * (high - math.log10(value)) / (high - low)

    out = [f"<h2>{html.escape(row.name)}</h2><svg viewBox='0 0 {WIDTH} {HEIGHT}' role='img'>"]
    for power in range(math.ceil(low), math.floor(high) + 1):
        at = y(10.0**power)
        out.append(f"<line x1='{LEFT}' x2='{WIDTH - RIGHT}' y1='{at:.1f}' y2='{at:.1f}' stroke='#e5e7eb'/>")
        label = html.escape(shown(10.0**power, row.field))
        out.append(f"<text x='{LEFT - 6}' y='{at + 4:.1f}' text-anchor='end'>{label}</text>")
    if goal:
        at = y(goal)
        line = f"x1='{LEFT}' x2='{WIDTH - RIGHT}' y1='{at:.1f}' y2='{at:.1f}'"
        out.append(f"<line {line} stroke='#15803d' stroke-dasharray='5 4'/>")
    for reader, line_of in lines.items():
        colour = COLOURS.get(reader, "#555")
        points = " ".join(f"{x(number):.1f},{y(value):.1f}" for number, value in line_of)
        out.append(f"<polyline points='{points}' fill='none' stroke='{colour}' stroke-width='2'/>")
        for number, value in line_of:
            title = html.escape(f"{reader}, {all_runs[number]['commit']}: {shown(value, row.field)}")
            circle = f"<circle cx='{x(number):.1f}' cy='{y(value):.1f}' r='3' fill='{colour}'>"
            out.append(f"{circle}<title>{title}</title></circle>")
        number, value = line_of[-1]
        label = html.escape(f"{reader} {shown(value, row.field)}")
        out.append(f"<text x='{x(number) + 7:.1f}' y='{y(value) + 4:.1f}' fill='{colour}'>{label}</text>")
    for number in sorted({0, len(all_runs) - 1}):
        label = html.escape(all_runs[number]["date"])
        out.append(f"<text x='{x(number):.1f}' y='{HEIGHT - 14}' text-anchor='middle'>{label}</text>")
    out.append("</svg>")
    return "".join(out)


def write(out: Path) -> int:
    all_runs = runs()
    out.write_text(page(all_runs))
    print(f"{len(all_runs)} runs: {out}")
    return 0
