"""The table of peers: what mlirbc and every other reader take for the same job, in turns, in one run.

    scripts/bench --peers [--cache FOLDER] [--repeats 3] [--clock cpu] [--json FILE] [LINE ...]

`bench.peers` says which peers need an environment variable. Peers that cannot be had are left out, and named.
"""

import json
import os
import platform
import subprocess
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from typing import Any

from bench import inputs, peers

MB = 1_000_000
CLOCK = "MLIRBC_BENCH_CLOCK"
PEERS = ("jaxlib", "mlir-opt", "iree", "xdsl", "mlirbcc", "netron")
SLOW = ("iree", "xdsl", "netron")
"""Measured once: their figures are not close to any other."""


@dataclass(frozen=True)
class Row:
    name: str
    input: str
    ours: str
    peers: dict[str, str] = field(default_factory=dict)
    """The measure of each peer."""
    field: str = "seconds"
    ratio: float | None = None
    """The goal: the time of the first peer, divided by ours."""
    at_most: float | None = None
    """The goal in seconds or bytes."""
    scale: float = 1.0
    clock: str | None = None
    """Instead of the one that was asked for."""


_READERS = {"jaxlib": "jaxlib_parsed", "iree": "iree_parsed", "mlirbcc": "mlirbcc", "netron": "netron"}
_TO_4 = {"mlir-opt": "oracle_to_version_4"}

ROWS = [
    Row("decode all bodies", "million_ops", "decode_1", _READERS, ratio=60),
    Row("count by name", "million_ops", "counts", _READERS, ratio=120),
    Row(
        "symbol names of all functions, from opening",
        "million_ops",
        "symbols",
        {"jaxlib": "jaxlib_symbols", "iree": "iree_symbols"},
        at_most=4e-3,
    ),
    Row(
        "Python loop over name, operands and attributes",
        "million_ops",
        "visited",
        {"jaxlib": "jaxlib_visited", "iree": "iree_visited"},
        ratio=20,
    ),
    Row(
        "the same through `walk(callback)`",
        "million_ops",
        "walked",
        {"jaxlib": "jaxlib_walked", "iree": "iree_walked"},
        ratio=6,
    ),
    Row("an empty loop over a million objects", "million_ops", "floor"),
    Row("columns after decoding", "million_ops", "columns", at_most=5e-3),
    Row(
        "text, generic",
        "million_ops",
        "generic",
        {"jaxlib": "jaxlib_generic", "iree": "iree_generic"},
        ratio=20,
    ),
    Row(
        "text, generic, of a tenth",
        "million_ops",
        "generic",
        {"xdsl": "xdsl_generic", "jaxlib": "jaxlib_generic"},
        scale=0.1,
    ),
    Row(
        "text, generic, the whole process",
        "million_ops",
        "printed_generic",
        {"mlir-opt": "oracle_printed_generic"},
    ),
    Row(
        "canonical write, the first time in a process",
        "million_ops_of_jaxlib",
        "written_first",
        {"jaxlib": "jaxlib_written", "iree": "iree_written"},
        ratio=14,
    ),
    Row("version 6 to 4, the whole process", "million_ops_v6", "to_version_4", _TO_4, ratio=14),
    Row("… memory", "million_ops_v6", "to_version_4", _TO_4, "peak", at_most=100 * MB),
    Row(
        "`convert --target jaxlib-0.10`, the whole process",
        "million_ops_of_llvm_22",
        "for_jaxlib",
        _TO_4,
        at_most=0.3,
    ),
    Row(
        "two threads over one, in a fresh process",
        "million_ops",
        "decode_2",
        {"one": "decode_1"},
        ratio=1.8,
        clock="wall",
    ),
    Row(
        "verify 200,000 attributes, types and locations",
        "distinct_entries",
        "verified",
        {"jaxlib": "jaxlib_parsed", "iree": "iree_parsed"},
        ratio=20,
    ),
]


@dataclass
class Result:
    """The medians of a row."""

    row: Row
    ours: float | None
    theirs: dict[str, float]
    faults: list[str]

    @property
    def ratio(self) -> float | None:
        first = next(iter(self.row.peers), None)
        return self.theirs[first] / self.ours if first in self.theirs and self.ours else None

    @property
    def share(self) -> float | None:
        """How much of the goal is reached; 1 and above is all of it."""
        if self.row.at_most is not None:
            return self.row.at_most / self.ours if self.ours else None
        return self.ratio / self.row.ratio if self.ratio is not None and self.row.ratio else None

    @property
    def winners(self) -> list[str]:
        return [peer for peer, value in self.theirs.items() if self.ours is not None and value < self.ours]

    def as_json(self) -> dict[str, Any]:
        return {"name": self.row.name, "unit": self.row.field, "mlirbc": self.ours, **self.theirs}


def shown(value: float | None, unit: str) -> str:
    if value is None:
        return "-"
    if unit != "seconds":
        return f"{value / MB:.0f} MB"
    return (
        f"{value:.2f} s"
        if value >= 1
        else f"{value * 1e3:.1f} ms"
        if value >= 1e-3
        else f"{value * 1e6:.0f} us"
    )


def goal(row: Row) -> str:
    goals = [f"<= {shown(row.at_most, row.field)}"] if row.at_most is not None else []
    return ", ".join(goals + ([f">= {row.ratio:g}x"] if row.ratio is not None else []))


def run_row(row: Row, cache: Path, repeats: int, absent: dict[str, str], measure: Any) -> Result:
    path = inputs.prepare(cache, row.input, row.scale)
    found: dict[str, list[float]] = {}
    faults: list[str] = []
    asked = os.environ.get(CLOCK, "wall")
    os.environ[CLOCK] = row.clock or asked
    for turn in range(repeats):
        for peer, name in (("mlirbc", row.ours), *row.peers.items()):
            if peer in absent or (turn and peer in SLOW) or (turn and peer not in found):
                continue
            numbers = measure(name, path, peer)
            if isinstance(numbers, str):
                faults.append(f"{row.name}, {peer}: {numbers}")
            else:
                found.setdefault(peer, []).append(numbers[row.field])
    os.environ[CLOCK] = asked
    medians = {peer: median(values) for peer, values in found.items()}
    return Result(row, medians.pop("mlirbc", None), medians, faults)


def cells(result: Result) -> list[str]:
    row = result.row
    share, ratio = result.share, result.ratio
    verdict = "" if share is None else "met" if share >= 1 else f"missed, {share:.0%} of it"
    ours = shown(result.ours, row.field)
    # A row that compares mlirbc with itself has no column for a peer.
    alone = [shown(value, row.field) for peer, value in result.theirs.items() if peer not in PEERS]
    return [
        row.name,
        ours + (f" (one: {alone[0]})" if alone else ""),
        f"{ratio:.1f}x" if ratio is not None else "",
        goal(row),
        verdict,
        *(shown(result.theirs[peer], row.field) if peer in result.theirs else "" for peer in PEERS),
    ]


def report(wanted: list[str], cache: Path, repeats: int, clock: str, out: Path | None, measure: Any) -> int:
    absent = {peer: why for peer in PEERS if (why := peers.missing(peer)) is not None}
    commit = subprocess.run(
        ["git", "describe", "--always", "--dirty"], capture_output=True, text=True, check=False
    )
    seconds = "seconds of the processor" if clock == "cpu" else "seconds"
    print(f"{platform.machine()}, Python {platform.python_version()}, {commit.stdout.strip()}, ", end="")
    print(f"{seconds}, medians of {repeats}\n")
    head = ["", "mlirbc", "ratio", "goal", "", *PEERS]
    print("| " + " | ".join(head) + " |\n|" + "---|" * len(head))
    results = []
    for row in ROWS:
        if wanted and not any(word in row.name or word in row.input for word in wanted):
            continue
        results.append(run_row(row, cache, repeats, absent, measure))
        print("| " + " | ".join(cells(results[-1])) + " |", flush=True)
    notes = [f"{peer}: not measured, {why}" for peer, why in absent.items()]
    for result in results:
        notes += [f"{result.row.name}: {peer} takes less" for peer in result.winners if peer in PEERS]
        notes += result.faults
    print("\n" + "\n".join(f"- {note}" for note in notes))
    if out is not None:
        run = {
            "commit": commit.stdout.strip(),
            "date": datetime.now(UTC).date().isoformat(),
            "clock": clock,
            "repeats": repeats,
            "rows": [result.as_json() for result in results],
        }
        out.write_text(json.dumps(run, indent=1) + "\n")
    return 1 if any(result.faults for result in results) else 0
