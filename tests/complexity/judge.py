"""Judges the growth of a cell from its measures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log

from complexity.limits import EXCEPTIONS, NOISE, SMALL, STEEP, most_memory, most_seconds
from complexity.measure import Measure


@dataclass(frozen=True)
class Cell:
    family: str
    entry: str
    runs: tuple[Measure, ...]
    """At n, 2n and 4n; at 4n alone when that was too little to say anything."""
    time_exponent: float | None
    memory_exponent: float | None
    verdicts: tuple[str, ...]

    @property
    def last(self) -> Measure:
        return self.runs[-1]

    @property
    def is_fine(self) -> bool:
        return not self.verdicts

    @property
    def verdict(self) -> str:
        return ", ".join(self.verdicts) or ("linear" if len(self.runs) > 1 else "small")


def is_small(run: Measure) -> bool:
    """Whether the cost is too small to show growth, so that the other sizes need no run."""
    return run.cpu < NOISE and run.memory < SMALL and not run.status.startswith("signal")


def judge(family: str, entry: str, runs: Sequence[Measure], is_python: bool) -> Cell:
    verdicts: list[str] = []
    for run in runs:
        if run.status.startswith("signal") or run.status in ("no answer", "MemoryError", "exit 101"):
            verdicts.append("TIMEOUT" if run.status == "signal 24" else f"CRASH {run.status}")
            break
    last = runs[-1]
    if last.cpu > most_seconds(entry, last.bytes_in, last.bytes_out, last.status):
        verdicts.append("SLOW")
    if last.memory > most_memory(entry, last.bytes_in, last.bytes_out, is_python):
        verdicts.append("LARGE")
    time_exponent = memory_exponent = None
    # A limit that is reached at one of the sizes bends the curve.
    comparable = [run for run in runs if run.status == last.status]
    if len(comparable) > 1 and not last.status.startswith("mlirbc.limit"):
        first = comparable[0]
        # Bytes written are work like bytes read: indentation, which is quadratic, is text too.
        time_work = log(_work(last, 1 / 8) / _work(first, 1 / 8))
        memory_work = log(_work(last, is_python) / _work(first, is_python))
        # Texts that are all cut at the limit are equally long, and then time says nothing about growth.
        if last.cpu >= NOISE and time_work > log(2):
            time_exponent = log(last.cpu / max(first.cpu, NOISE / 16)) / time_work
        # The first bytes of memory do not show: a child begins with the memory of the process that made it.
        if last.memory >= SMALL and memory_work > log(2):
            memory_exponent = log(last.memory / max(first.memory, SMALL // 4)) / memory_work
        if time_exponent is not None and time_exponent > STEEP and family not in EXCEPTIONS:
            verdicts.append("STEEP")
        if memory_exponent is not None and memory_exponent > STEEP:
            verdicts.append("STEEP IN MEMORY")
    return Cell(family, entry, tuple(runs), time_exponent, memory_exponent, tuple(verdicts))


def _work(run: Measure, share: float) -> float:
    return run.bytes_in + share * run.bytes_out
