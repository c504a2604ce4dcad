"""Runs the suite; `scripts/complexity --help` says how."""

from __future__ import annotations

import argparse
import queue
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from fnmatch import fnmatch
from hashlib import sha256
from pathlib import Path

import complexity.families  # noqa: F401 (registers them)
from complexity.build import FAMILIES, Family
from complexity.commands import ASSEMBLED, COMMANDS, TEXT_COMMANDS
from complexity.entry_names import entry_names
from complexity.judge import Cell, is_small, judge
from complexity.measure import Machine, Measure
from complexity.report import HEADER, row, summary

SIZES = (1, 2, 4)


def main() -> int:
    options = _options()
    python_names = [] if options.no_python else entry_names(options.python)
    commands = [] if options.no_commands else [*COMMANDS]
    names = [name for name in [*commands, *python_names] if _fits(name, options.command)]
    of_texts = [name for name in TEXT_COMMANDS if commands and _fits(name, options.command)]
    of_texts.extend(name for name in ASSEMBLED if name in names)
    families = [family for family in FAMILIES.values() if _fits(family.name, options.only)]
    if options.texts:
        families = [family for family in families if family.is_text]
    families = families[:: options.every]
    if options.list:
        print("\n".join([*(family.name for family in families), "", *names, *of_texts]))
        return 0
    waiting: queue.Queue[Family] = queue.Queue()
    # Families of one group cost alike; mixed, the first minutes show some of everything.
    for family in sorted(families, key=lambda family: sha256(family.name.encode()).digest()):
        waiting.put(family)
    cells: list[Cell] = []
    lock = threading.Lock()
    started = time.monotonic()
    with options.output.open("w") as table, tempfile.TemporaryDirectory() as scratch:
        print("\t".join(HEADER), file=table)

        def run_all(number: int) -> None:
            files, folder = options.keep or Path(scratch), Path(scratch) / f"job{number}"
            with Machine(files, folder, options.binary, options.python) as machine:
                while not waiting.empty():
                    try:
                        family = waiting.get_nowait()
                    except queue.Empty:
                        return
                    for name in of_texts if family.is_text else names:
                        cell = measure_cell(machine, family, name, options.scale)
                        with lock:
                            cells.append(cell)
                            print("\t".join(row(cell)), file=table, flush=True)
                            if not cell.is_fine:
                                print(f"{cell.family}, {cell.entry}: {cell.verdict}", flush=True)
                    if not options.keep:
                        for path in files.glob(f"{family.name}.[0-9]*.mlirbc"):
                            path.unlink()

        jobs = [threading.Thread(target=run_all, args=(number,)) for number in range(options.jobs)]
        for job in jobs:
            job.start()
        for job in jobs:
            job.join()
    print(summary(cells, time.monotonic() - started))
    expected = sum(len(of_texts if family.is_text else names) for family in families)
    if len(cells) != expected:
        print(f"{expected - len(cells)} cells were not measured")
        return 1
    return int(any(not cell.is_fine for cell in cells))


def measure_cell(machine: Machine, family: Family, entry: str, scale: float) -> Cell:
    """The largest size first: most cells are done with that."""
    is_python = entry not in COMMANDS and entry not in TEXT_COMMANDS

    def run(size: int) -> Measure:
        n = max(8, int(size * scale * family.base))
        if not family.is_text or entry in TEXT_COMMANDS:
            return machine.run(entry, machine.file(family.name, n), family.name)
        path = machine.assembled(family, n)
        if path is None:
            return Measure("not assembled", 0.0, 0, 1, 0)
        return machine.run(entry, path, family.name)

    last = run(SIZES[-1])
    if is_small(last):
        return judge(family.name, entry, [last], is_python)
    best = [*map(run, SIZES[:-1]), last]
    # Other work of the machine makes a run longer, never shorter: bad results are measured again.
    for _ in range(2):
        cell = judge(family.name, entry, best, is_python)
        if cell.is_fine or cell.last.cpu > 0.5:
            break
        best = [_better(*pair) for pair in zip(best, map(run, SIZES), strict=True)]
    return judge(family.name, entry, best, is_python)


def _better(first: Measure, second: Measure) -> Measure:
    return first if first.cpu <= second.cpu else second


def _fits(name: str, patterns: Sequence[str]) -> bool:
    return not patterns or any(fnmatch(name, pattern) for pattern in patterns)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="scripts/complexity", description=__doc__)
    parser.add_argument(
        "--only", action="append", default=[], metavar="FAMILY", help="may have *, may be repeated"
    )
    parser.add_argument(
        "--command", action="append", default=[], metavar="NAME", help="a command or entry point"
    )
    parser.add_argument("--list", action="store_true", help="list families, commands and entry points")
    parser.add_argument("--texts", action="store_true", help="only families of texts")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only every Nth of the families")
    parser.add_argument("--no-python", action="store_true", help="leave out the Python entry points")
    parser.add_argument("--no-commands", action="store_true", help="leave out the commands")
    parser.add_argument("--scale", type=float, default=1.0, help="of the sizes; 0.5 for half as many bytes")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--output", type=Path, default=Path("complexity.tsv"), help="where the table goes")
    parser.add_argument("--binary", type=Path, required=True, help="the command `mlirbc`")
    parser.add_argument("--python", default=sys.executable, help="an interpreter that has the package")
    parser.add_argument("--keep", type=Path, help="a folder to keep the files in, and to find them in")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
