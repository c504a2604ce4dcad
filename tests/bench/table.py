"""The table of peers: the times of mlirbc and of every other reader for the same job, in turns, in one run.

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
class PeerRow:
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
    PeerRow("decode all bodies", "million_ops", "decode_1", _READERS, ratio=60),
    PeerRow("count by name", "million_ops", "counts", _READERS, ratio=120),
    PeerRow(
        "symbol names of all functions, from opening",
        "million_ops",
        "symbols",
        {"jaxlib": "jaxlib_symbols", "iree": "iree_symbols"},
        at_most=4e-3,
    ),
    PeerRow(
        "Python loop over name, operands and attributes",
        "million_ops",
        "visited",
        {"jaxlib": "jaxlib_visited", "iree": "iree_visited"},
        ratio=20,
    ),
    PeerRow(
        "the same through `walk(callback)`",
        "million_ops",
        "walked",
        {"jaxlib": "jaxlib_walked", "iree": "iree_walked"},
        ratio=6,
    ),
    PeerRow("an empty loop over a million objects", "million_ops", "floor"),
    PeerRow("columns after decoding", "million_ops", "columns", at_most=5e-3),
    PeerRow(
        "text, generic",
        "million_ops",
        "generic",
        {"jaxlib": "jaxlib_generic", "iree": "iree_generic"},
        ratio=20,
    ),
    PeerRow(
        "text, generic, of a tenth",
        "million_ops",
        "generic",
        {"xdsl": "xdsl_generic", "jaxlib": "jaxlib_generic"},
        scale=0.1,
    ),
    PeerRow(
        "text, generic, the whole process",
        "million_ops",
        "printed_generic",
        {"mlir-opt": "oracle_printed_generic"},
    ),
    PeerRow(
        "canonical write, the first time in a process",
        "million_ops_of_jaxlib",
        "written_first",
        {"jaxlib": "jaxlib_written", "iree": "iree_written"},
        ratio=14,
    ),
    PeerRow("version 6 to 4, the whole process", "million_ops_v6", "to_version_4", _TO_4, ratio=14),
    PeerRow("… memory", "million_ops_v6", "to_version_4", _TO_4, "peak", at_most=100 * MB),
    PeerRow(
        "`convert --target jaxlib-0.10`, the whole process",
        "million_ops_of_llvm_22",
        "for_jaxlib",
        _TO_4,
        at_most=0.3,
    ),
    PeerRow(
        "two threads over one, in a fresh process",
        "million_ops",
        "decode_2",
        {"one": "decode_1"},
        ratio=1.8,
        clock="wall",
    ),
    PeerRow(
        "verify 200,000 attributes, types and locations",
        "distinct_entries",
        "verified",
        {"jaxlib": "jaxlib_parsed", "iree": "iree_parsed"},
        ratio=20,
    ),
    PeerRow(
        "an exported model: `verify --ops`, the whole process",
        "exported_transformer",
        "verified_operations",
        {"jaxlib": "jaxlib_verified"},
        ratio=5,
    ),
    *(
        PeerRow(
            f"{'an' if kind == 'opened' else 'an edited'} exported model: {title}",
            "exported_transformer",
            f"{kind}_{loop}",
            {"jaxlib": f"jaxlib_{loop}"},
            ratio=floor if kind == "opened" else floor / 2,
        )
        for kind in ("opened", "edited")
        for loop, title, floor in (
            ("names", "names", 6),
            ("attribute_names", "names of attributes", 5),
            ("items", "`attributes.items()`", 4),
            ("contains", "`name in attributes`", 5),
            ("types", "types of results", 6),
            ("type_texts", "`str(type)`", 8),
            ("shapes", "shapes of results", 4),
            ("operands", "operands", 8),
            ("owners", "owners of operands", 8),
            ("locations", "`str(location)`", 5),
            ("module_text", "`str(module)`", 9),
        )
    ),
    *(
        PeerRow(
            f"an LLVM module with properties: {title}",
            "llvm_properties",
            f"opened_{loop}",
            {"jaxlib": f"jaxlib_{loop}"},
            ratio=floor,
        )
        for loop, title, floor in (
            ("attribute_counts", "`len(attributes)`", 5),
            ("attribute_names", "names of attributes", 5),
            ("items", "`attributes.items()`", 4),
        )
    ),
]


@dataclass
class Result:
    """The medians of a row."""

    row: PeerRow
    ours: float | None
    theirs: dict[str, float]
    faults: list[str]

    @property
    def ratio(self) -> float | None:
        first = next(iter(self.row.peers), None)
        return self.theirs[first] / self.ours if first in self.theirs and self.ours else None

    @property
    def share(self) -> float | None:
        """The share of the goal that is reached; 1 and above is the whole goal."""
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


def goal(row: PeerRow) -> str:
    goals = [f"<= {shown(row.at_most, row.field)}"] if row.at_most is not None else []
    return ", ".join(goals + ([f">= {row.ratio:g}x"] if row.ratio is not None else []))


def run_row(row: PeerRow, cache: Path, repeats: int, absent: dict[str, str], measure: Any) -> Result:
    path = inputs.prepare(cache, row.input, row.scale)
    times: dict[str, list[float]] = {}
    faults: list[str] = []
    requested_clock = os.environ.get(CLOCK, "wall")
    os.environ[CLOCK] = row.clock or requested_clock
    for turn in range(repeats):
        for peer, name in (("mlirbc", row.ours), *row.peers.items()):
            if peer in absent or (turn and peer in SLOW) or (turn and peer not in times):
                continue
            numbers = measure(name, path, peer)
            if isinstance(numbers, str):
                faults.append(f"{row.name}, {peer}: {numbers}")
            else:
                times.setdefault(peer, []).append(numbers[row.field])
    os.environ[CLOCK] = requested_clock
    medians = {peer: median(values) for peer, values in times.items()}
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


def report(filters: list[str], cache: Path, repeats: int, clock: str, out: Path | None, measure: Any) -> int:
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
        if filters and not any(word in row.name or word in row.input for word in filters):
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
