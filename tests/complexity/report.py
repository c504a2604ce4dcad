"""The table and its summary."""

from __future__ import annotations

from collections.abc import Sequence

from complexity.judge import Cell

HEADER = (
    "family",
    "what",
    "verdict",
    "status",
    "bytes in",
    "bytes out",
    "seconds at n",
    "at 2n",
    "at 4n",
    "exponent of time",
    "MiB at n",
    "MiB at 2n",
    "MiB at 4n",
    "exponent of memory",
    "microseconds per byte",
    "bytes per byte",
)


def row(cell: Cell) -> list[str]:
    last = cell.last
    missing = [""] * (3 - len(cell.runs))
    return [
        cell.family,
        cell.entry,
        cell.verdict,
        last.status,
        str(last.bytes_in),
        str(last.bytes_out),
        *missing,
        *(f"{run.cpu:.3f}" for run in cell.runs),
        _number(cell.time_exponent),
        *missing,
        *(f"{run.memory / (1 << 20):.1f}" for run in cell.runs),
        _number(cell.memory_exponent),
        f"{last.cpu * 1e6 / last.bytes_in:.3f}",
        f"{last.memory / last.bytes_in:.1f}",
    ]


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.2f}"


def summary(cells: Sequence[Cell], seconds: float) -> str:
    families, names = {cell.family for cell in cells}, {cell.entry for cell in cells}
    seen = [cell for cell in cells if cell.time_exponent is not None]
    bad = [cell for cell in cells if not cell.is_fine]
    lines = [
        f"{len(cells)} cells in {seconds:.0f} s",
        f"{len(families)} families, {len(names)} commands and entry points",
        f"{len(cells) - len(seen)} were too quick, or stopped by a limit, to have an exponent",
        "",
        "The ten steepest:",
        *map(_line, sorted(seen, key=lambda cell: cell.time_exponent or 0, reverse=True)[:10]),
        "",
        "The ten with the most time for each byte:",
        *map(_line, sorted(cells, key=lambda cell: cell.last.cpu / cell.last.bytes_in, reverse=True)[:10]),
        "",
        "The ten with the most memory for each byte:",
        *map(_line, sorted(cells, key=lambda cell: cell.last.memory / cell.last.bytes_in, reverse=True)[:10]),
        "",
        f"Violations: {len(bad)}",
        *map(_line, sorted(bad, key=lambda cell: cell.last.cpu, reverse=True)),
    ]
    return "\n".join(lines)


def _line(cell: Cell) -> str:
    sizes = " / ".join(f"{run.bytes_in // 1000}" for run in cell.runs)
    times = " / ".join(f"{run.cpu:.2f}" for run in cell.runs)
    memory = " / ".join(f"{run.memory >> 20}" for run in cell.runs)
    exponents = f"exponents {_number(cell.time_exponent) or '-'}, {_number(cell.memory_exponent) or '-'}"
    return (
        f"  {cell.family}, {cell.entry}: {sizes} KB, {times} s, {memory} MiB, {exponents}, "
        f"{cell.last.status}: {cell.verdict}"
    )
