"""Counts the instructions of commands on small inputs, and compares them with the counts of the last commit.

    scripts/bench --instructions [--program target/debug/mlirbc] [--update]

A count does not depend on how busy the machine is, and nearly not on the machine, so it shows what a time
hides: a change of one percent. It depends on the compiler and on the profile, so nothing limits it: the
table is for whoever reads the log. `--update` writes the counts to `instructions.json`, which belongs into a
commit that changes them.
"""

import json
import re
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

from bench import inputs

COUNTS = Path(__file__).with_suffix(".json")


@dataclass(frozen=True)
class Count:
    name: str
    command: tuple[str, ...]
    """With `IN` for the input and `OUT` for a file to write."""
    input: str
    scale: float = 1.0


COUNTS_OF = [
    Count("start", ("--version",), "million_ops", 0.002),
    Count("info, 2,000 operations", ("info", "IN"), "million_ops", 0.002),
    Count("count, 2,000 operations", ("ops", "--count", "IN"), "million_ops", 0.002),
    Count("count, 20,000 operations", ("ops", "--count", "IN"), "million_ops", 0.02),
    Count("verify, 2,000 operations", ("verify", "IN"), "million_ops", 0.002),
    Count("verify, 10,000 entries", ("verify", "IN"), "distinct_entries", 0.05),
    Count("print, 2,000 operations", ("print", "IN", "-o", "OUT"), "million_ops", 0.002),
    Count(
        "print --generic, 2,000 operations", ("print", "--generic", "IN", "-o", "OUT"), "million_ops", 0.002
    ),
    Count("hash, 2,000 operations", ("hash", "IN"), "million_ops", 0.002),
    Count(
        "convert to version 4, 2,000 operations",
        ("convert", "--bytecode-version", "4", "IN", "-o", "OUT"),
        "million_ops_v6",
        0.002,
    ),
    Count(
        "convert to llvm-22, 2,000 operations",
        ("convert", "--target", "llvm-22", "IN", "-o", "OUT"),
        "million_ops",
        0.002,
    ),
    Count("size, 2,000 operations", ("size", "IN"), "million_ops", 0.002),
    Count("1,000 nested regions", ("verify", "IN"), "nested_regions_plain_100000", 0.01),
]


def counted(program: Path, count: Count, path: Path) -> int | str:
    """The instructions of one run, or why there are none."""
    with tempfile.TemporaryDirectory() as folder:
        places = {"IN": str(path), "OUT": str(Path(folder, "out"))}
        profile = Path(folder, "profile")
        valgrind = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={profile}"]
        command = [*valgrind, str(program), *(places.get(word, word) for word in count.command)]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=600)
        if done.returncode != 0:
            return (done.stderr.strip().splitlines() or ["no output"])[-1]
        total = re.search(r"^(?:summary|totals): (\d+)", profile.read_text(), re.MULTILINE)
        return int(total[1]) if total else "the profile has no total"


def report(program: Path, cache: Path, is_update: bool) -> int:
    """Prints the table. The status is 0 unless something cannot be counted that could be before."""
    if shutil.which("valgrind") is None:
        print("instructions are not counted: `valgrind` is not installed")
        return 0
    if not program.exists():
        print(f"instructions are not counted: there is no {program}; `cargo build -p mlirbc-cli` makes it")
        return 0
    earlier_counts: dict[str, int] = json.loads(COUNTS.read_text()) if COUNTS.exists() else {}
    print(f"{'':<40} {'instructions':>14} {'last commit':>14} {'change':>8}")
    counts: dict[str, int] = {}
    faults = 0
    for count in COUNTS_OF:
        number = counted(program, count, inputs.prepare(cache, count.input, count.scale))
        if isinstance(number, str):
            print(f"{count.name:<40} failed: {number}")
            faults += 1
            continue
        counts[count.name] = number
        before = earlier_counts.get(count.name)
        change = f"{number / before - 1:+.2%}" if before else "new"
        print(f"{count.name:<40} {number:>14,} {before or 0:>14,} {change:>8}", flush=True)
    if is_update:
        COUNTS.write_text(json.dumps(counts, indent=1) + "\n")
    return 1 if faults else 0
