"""Runs the benchmarks and prints a table; nothing in the tests depends on how fast a machine is.

    scripts/bench [--cache FOLDER] [--repeats 5] [LINE ...]
    scripts/bench --peers ...          every reader that can be had, side by side (bench/table.py)
    scripts/bench --instructions ...   instruction counts on small inputs (bench/instructions.py)
    scripts/bench --scale ...          up to a hundred million operations (bench/scale.py)
    scripts/bench --history OUT.html   a page with plots of earlier tables of peers (bench/history.py)

Every measurement is a process of its own. Where there is a peer, the two take turns; medians are compared.
The peer is MLIR's own reader as jaxlib has it (`pip install jaxlib==0.10.2`); without it those lines say so.
"""

import argparse
import importlib.util
import json
import os
import platform
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from bench import history, inputs, instructions, peers, scale, table

MB = 1_000_000


@dataclass(frozen=True)
class Line:
    """A question of the benchmark: a number of ours, alone or beside another one."""

    name: str
    input: str
    ours: str
    field: str = "seconds"
    at_most: float | None = None
    """In the unit of the field."""
    against: str | None = None
    """The measure to be compared with; the ratio is theirs to ours."""
    at_least: float | None = None
    """The ratio."""
    aim: float | None = None
    against_input: str | None = None


LINES = [
    Line("open 4 GiB of resources", "resources_4gib", "open_resources", at_most=0.2e-3),
    Line("… resident", "resources_4gib", "open_resources", "resident", at_most=30 * MB),
    Line("… of the file", "resources_4gib", "open_resources", "touched", at_most=128 * 1024),
    Line("sizes in 4 GiB of resources", "resources_4gib", "sizes", at_most=5e-3),
    Line("… of the file", "resources_4gib", "sizes", "touched", at_most=128 * 1024),
    Line("weights in 4 GiB of resources", "resources_4gib", "weights", at_most=20e-3),
    Line("… memory it takes", "resources_4gib", "weights", "grown", at_most=16 * MB),
    Line("… of the file", "resources_4gib", "weights", "touched", at_most=128 * 1024),
    Line("weights in a million ops", "million_ops", "weights"),
    Line("sizes in a million ops", "million_ops", "sizes"),
    Line("hash a million ops", "million_ops", "hashed"),
    Line("hash 4 GiB of resources", "resources_4gib", "hashed_file"),
    Line("extract one of the functions of a million ops", "million_ops", "extracted", against="decode_1"),
    Line("merge a million ops with themselves", "million_ops", "merged"),
    Line("split a million ops", "million_ops", "split"),
    # The ratio compares decoding both modules with comparing them.
    Line(
        "diff of a million ops with one changed",
        "million_ops",
        "diffed",
        against="decoded_both",
        at_least=1 / 3,
    ),
    Line("… in one function", "million_ops_one_function", "diffed", against="decoded_both", at_least=1 / 3),
    Line("a blob as an array", "resources_4gib", "blob_as_array", at_most=0.1e-3),
    Line("… memory it takes", "resources_4gib", "blob_as_array", "grown", at_most=64 * 1024),
    # A copy takes as long, give or take a fifth.
    Line("edit and save 4 GiB", "resources_4gib_dense", "edited", against="copied", at_least=1 / 1.2),
    Line("… resident", "resources_4gib_dense", "edited", "resident", at_most=60 * MB),
    Line("convert 4 GiB to version 4", "resources_4gib_dense", "converted", against="copied"),
    Line("… resident", "resources_4gib_dense", "converted", "resident", at_most=60 * MB),
    Line("decode a million ops", "million_ops", "decode_1", against="peer_parse", at_least=25, aim=45),
    Line(
        "… in one function", "million_ops_one_function", "decode_1", against="peer_parse", at_least=25, aim=45
    ),
    Line("… ops of no known dialect", "million_ops_v6", "decode_1", against="peer_parse"),
    Line("… memory it takes", "million_ops", "decode_memory", "grown", at_most=80 * MB, against="peer_parse"),
    Line("decode with two threads", "million_ops", "decode_again_2", against="decode_again_1", at_least=1.7),
    Line("… in a fresh process", "million_ops", "decode_2", against="decode_1"),
    Line("count a million ops by name", "million_ops", "counts", against="peer_parse", at_least=60, aim=100),
    Line("names at the top level", "million_ops", "top_level_names", at_most=3e-3),
    Line("loop over a million ops", "million_ops", "loop", against="peer_loop", at_least=10, aim=16),
    Line(
        "write a million ops canonically",
        "million_ops_of_jaxlib",
        "written",
        against="peer_written",
        at_least=10,
    ),
    Line("… for the first time", "million_ops_of_jaxlib", "written", "first", against="peer_written"),
    # Every attribute gets another number, so nothing can be copied.
    Line("… of another order", "million_ops", "written", against="peer_written", at_least=10),
    Line(
        "convert a million ops of LLVM 22 for jaxlib",
        "million_ops_of_llvm_22",
        "for_jaxlib",
        against="oracle_to_version_4",
        at_least=10,
    ),
    Line(
        "… memory it takes",
        "million_ops_of_llvm_22",
        "for_jaxlib",
        "peak",
        against="oracle_to_version_4",
    ),
    Line(
        "write a million ops of version 6 in version 4",
        "million_ops_v6",
        "to_version_4",
        against="oracle_to_version_4",
        at_least=10,
    ),
    Line(
        "deserialize an artifact",
        "artifact_of_million_ops",
        "deserialized",
        against="peer_deserialized",
        at_least=10,
    ),
    Line(
        "… memory it takes",
        "artifact_of_million_ops",
        "deserialized",
        "grown",
        at_most=200 * MB,
        against="peer_deserialized",
    ),
    Line(
        "serialize an artifact",
        "stablehlo_of_million_ops",
        "serialized",
        against="peer_serialized",
        at_least=10,
    ),
    Line(
        "… memory it takes",
        "stablehlo_of_million_ops",
        "serialized",
        "grown",
        at_most=200 * MB,
        against="peer_serialized",
    ),
    Line("print a million ops", "million_ops", "printed", against="oracle_printed", at_least=10),
    Line("… memory it takes", "million_ops", "printed", "peak", at_most=100 * MB, against="oracle_printed"),
    Line(
        "… in generic form",
        "million_ops",
        "printed_generic",
        against="oracle_printed_generic",
        at_least=10,
    ),
    Line(
        "assemble a million ops", "million_ops", "assembled", against="oracle_assembled", at_least=5, aim=10
    ),
    Line("… memory it takes", "million_ops", "assembled", "peak", against="oracle_assembled"),
    Line(
        "… in generic form",
        "million_ops",
        "assembled_generic",
        against="oracle_assembled_generic",
        at_least=5,
        aim=10,
    ),
    Line("… as `str`, by jaxlib's printer", "million_ops", "text", against="peer_text", at_least=10),
    Line("check 200,000 entries", "distinct_entries", "verified", against="peer_parse", at_least=10),
    Line("import", "million_ops", "imported", at_most=50e-3),
    Line("tables and schemas", "chain_types_1000", "first_print", at_most=10e-3),
    Line("columns of a million ops", "million_ops", "columns", at_most=10e-3),
    # The directory of a million attributes takes most of the time; the specification is one attribute.
    Line("a first layout query", "million_ops", "layout_first", at_most=50e-3),
    Line("a million layout queries", "million_ops", "layout_queries", at_most=1.0),
    Line(
        "each of 10,000 small modules", "small_modules", "many_small", at_most=5e-6, against="peer_many_small"
    ),
    # For each file: 10 to 50 KB of StableHLO, and as few operations as a test has.
    Line("scan 10,000 files, two processes", "small_files", "scanned", against="peer_scanned", at_least=20),
    Line("… in one process", "small_files", "scanned_here", against="peer_scanned"),
    Line("… by the command", "small_files", "scanned_by_command", against="peer_scanned"),
    Line("scan 10,000 tiny files, two processes", "tiny_files", "scanned", against="peer_scanned"),
    Line("… in one process", "tiny_files", "scanned_here", against="peer_scanned"),
    Line("… by the command", "tiny_files", "scanned_by_command", against="peer_scanned"),
    *(
        Line(
            f"100,000 nested regions, {shape}",
            f"nested_regions_{shape}_100000",
            "nested",
            against="nested",
            against_input=f"nested_regions_{shape}_{half}",
            at_least=ratio,
        )
        for shape in ("plain", "inside", "isolated")
        # Linear is 0.5 and 0.25; quadratic would be half and a quarter of that.
        for half, ratio in ((50_000, 0.35), (25_000, 0.15))
    ),
    *(
        Line(
            f"100,000 nested {kind}",
            f"chain_{kind}_100000",
            "verified",
            against="verified",
            against_input=f"chain_{kind}_10000",
            at_least=0.04,
        )
        for kind in ("types", "attributes", "locations")
    ),
]


def measure(name: str, path: Path, peer: str = "mlirbc") -> dict[str, float] | str:
    """The numbers of one run in a fresh process, or the last line of its complaint."""
    python = peers.program(peer) if peer == "iree" else sys.executable
    command = [python, str(Path(__file__).with_name("measurement.py")), name, str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=1800)
    if done.returncode != 0:
        lines = done.stderr.strip().splitlines() or [f"ended with status {done.returncode}"]
        return lines[-1]
    numbers: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return numbers


def shown(value: float, field: str) -> str:
    if field in ("seconds", "first"):
        for factor, unit in ((1, "s"), (1e3, "ms")):
            if value * factor >= 1:
                return f"{value * factor:.2f} {unit}"
        return f"{value * 1e6:.2f} us"
    return f"{value / MB:.2f} MB"


@dataclass
class Result:
    line: Line
    ours: str
    theirs: str
    ratio: str
    floor: str
    verdict: str

    def row(self) -> Iterable[str]:
        return self.line.name, self.ours, self.theirs, self.ratio, self.floor, self.verdict


def run_line(line: Line, cache: Path, repeats: int, has_peer: bool) -> Result:
    path = inputs.prepare(cache, line.input)
    peer_path = inputs.prepare(cache, line.against_input) if line.against_input else path
    against = line.against if line.against and (has_peer or not line.against.startswith("peer")) else None
    ours: list[float] = []
    theirs: list[float] = []
    for _ in range(repeats):
        for name, where, values in ((line.ours, path, ours), (against, peer_path, theirs)):
            if name is None:
                continue
            numbers = measure(name, where)
            if isinstance(numbers, str):
                return Result(line, "-", "-", "-", "-", f"FAILED {name}: {numbers}")
            values.append(numbers[line.field])
    our_median = median(ours)
    floors, verdicts = [], []
    if line.at_most is not None:
        floors.append(f"<= {shown(line.at_most, line.field)}")
        verdicts.append(our_median <= line.at_most)
    ratio = median(theirs) / our_median if theirs and our_median else None
    if line.at_least is not None:
        floors.append(f">= {line.at_least:g}x" + (f" (aim {line.aim:g}x)" if line.aim else ""))
        verdicts.append(ratio is not None and ratio >= line.at_least)
    missing = line.against is not None and against is None
    verdict = "ok" if all(verdicts) else "MISSED"
    if missing and line.at_least is not None:
        verdict = "peer missing"
    return Result(
        line,
        shown(our_median, line.field),
        "peer missing" if missing else shown(median(theirs), line.field) if theirs else "",
        f"{ratio:.2f}x" if ratio is not None else "",
        ", ".join(floors),
        verdict if floors else "",
    )


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "lines", nargs="*", metavar="LINE", help="only lines whose name or input contains this"
    )
    parser.add_argument("--cache", type=Path, help="where inputs are kept; a temporary folder if not given")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--clock", choices=["wall", "cpu"], default="wall", help="cpu: for a busy machine")
    parser.add_argument("--peers", action="store_true", help="the table of peers")
    parser.add_argument("--instructions", action="store_true", help="instruction counts on small inputs")
    parser.add_argument(
        "--program", type=Path, default=Path("target/debug/mlirbc"), help="whose instructions"
    )
    parser.add_argument(
        "--update", action="store_true", help="keep the instruction counts for the next comparison"
    )
    parser.add_argument("--scale", action="store_true", help="time and memory by operation")
    parser.add_argument("--millions", default="1,10,100", help="how many millions")
    parser.add_argument("--history", type=Path, metavar="OUT.html", help="plot earlier tables of peers")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the table of peers to FILE, too")
    options = parser.parse_args()
    os.environ["MLIRBC_BENCH_CLOCK"] = options.clock

    if options.history:
        return history.write(options.history)

    def run(cache: Path) -> int:
        if options.instructions:
            return instructions.report(options.program, cache, options.update)
        if options.scale:
            return scale.report(cache, [int(number) for number in options.millions.split(",")], measure)
        if options.peers:
            filters, repeats = options.lines, options.repeats
            return table.report(filters, cache, repeats, options.clock, options.json, measure)
        return report(options.lines, cache, options.repeats)

    if options.cache is None:
        with tempfile.TemporaryDirectory(prefix="mlirbc-bench-") as folder:
            return run(Path(folder))
    return run(options.cache)


def report(filters: list[str], cache: Path, repeats: int) -> int:
    has_peer = importlib.util.find_spec("jaxlib") is not None
    print(f"{platform.machine()}, Python {platform.python_version()}, medians of {repeats}")
    template = "{:<34} {:>12} {:>14} {:>10}  {:<24} {}"
    print(template.format("", "mlirbc", "other", "ratio", "floor", ""))
    missed = 0
    for line in LINES:
        if filters and not any(word in line.name or word in line.input for word in filters):
            continue
        result = run_line(line, cache, repeats, has_peer)
        missed += result.verdict.startswith(("MISSED", "FAILED"))
        print(template.format(*result.row()), flush=True)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
