"""Compares `mlirbc assemble --verify` with the verifier of `mlir-opt`, on damaged modules and LLVM texts.

The modules are in `tests/data/rules`. Each is printed in generic form, and one line of it is changed; the
seed decides which. LLVM texts are the parts of its `invalid*.mlir` files, which `--texts` names. A text
that cannot be parsed counts as refused by both sides.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from random import Random

from support import oracles

ROOT = Path(__file__).parents[2]
MODULES = ROOT / "tests" / "data" / "rules"
FOLDER = ROOT / "target" / "rule-agreement"

SCALARS = ["i1", "i32", "i64", "f16", "f32", "f64", "index"]
MARK = re.compile(r"^// -----.*$", re.MULTILINE)


@dataclass(frozen=True)
class Sample:
    """A text, and how it came about."""

    kind: str
    source: str
    text: str


class Unchanged(Exception):
    """The line has nothing of the kind that was to be damaged."""


def _chosen(random: Random, pattern: str, line: str) -> re.Match[str]:
    matches = list(re.finditer(pattern, line))
    if not matches:
        raise Unchanged
    return random.choice(matches)


def _replaced(line: str, match: re.Match[str], text: str, group: int = 0) -> str:
    return line[: match.start(group)] + text + line[match.end(group) :]


def _retyped(line: str, random: Random) -> str:
    match = _chosen(random, r"(?<![\w.])(i1|i32|i64|f16|f32|f64|index)(?![\w.])", line)
    return _replaced(line, match, random.choice([name for name in SCALARS if name != match[0]]))


def _resized(line: str, random: Random) -> str:
    match = _chosen(random, r"(?<=[<x])(\d+|\?)(?=x)", line)
    return _replaced(line, match, random.choice(["3", "5", "?"]))


def _operands(line: str) -> tuple[re.Match[str], list[str], list[str]]:
    """The list of operands of an operation, and their types."""
    match = re.search(r'"\(((?:%[\w#]+(?:, )?)*)\)(.*) : \(((?:[^()]|\([^()]*\))*)\) -> ', line)
    if match is None or not match[1]:
        raise Unchanged
    types = re.split(r", (?![^<]*>)", match[3])
    names = match[1].split(", ")
    if len(types) != len(names):
        raise Unchanged
    return match, names, types


def _with_operands(line: str, match: re.Match[str], names: list[str], types: list[str]) -> str:
    line = _replaced(line, match, ", ".join(types), 3)
    return _replaced(line, match, ", ".join(names), 1)


def _without_operand(line: str, random: Random) -> str:
    match, names, types = _operands(line)
    place = random.randrange(len(names))
    return _with_operands(line, match, names[:place] + names[place + 1 :], types[:place] + types[place + 1 :])


def _doubled_operand(line: str, random: Random) -> str:
    match, names, types = _operands(line)
    place = random.randrange(len(names))
    return _with_operands(line, match, [*names, names[place]], [*types, types[place]])


def _swapped_operands(line: str, random: Random) -> str:
    match, names, types = _operands(line)
    if len(names) < 2:
        raise Unchanged
    left, right = random.sample(range(len(names)), 2)
    names[left], names[right] = names[right], names[left]
    types[left], types[right] = types[right], types[left]
    return _with_operands(line, match, names, types)


def _without_attribute(line: str, random: Random) -> str:
    match = re.search(r"<\{(.*)\}>", line)
    if match is None:
        raise Unchanged
    attributes = re.split(r", (?=\w+ = )", match[1])
    attributes.pop(random.randrange(len(attributes)))
    return _replaced(line, match, ", ".join(attributes), 1)


def _renumbered(line: str, random: Random) -> str:
    match = _chosen(random, r"(?<=[ \[])-?\d+(?=[,\]]| : )", line)
    return _replaced(line, match, str(int(match[0]) + random.choice([-9, -1, 1, 7])))


def _renamed_symbol(line: str, random: Random) -> str:
    return _replaced(line, _chosen(random, r"@\w+", line), "@missing")


def _other_name(line: str, random: Random) -> str:
    match = _chosen(random, r'(?<=sym_name = ")\w+', line)
    return _replaced(line, match, "renamed")


def _without_line(line: str, random: Random) -> str:
    if not re.match(r' *"[\w.]+"\(', line) or line.rstrip().endswith("({"):
        raise Unchanged
    return ""


def _renamed_operation(line: str, random: Random) -> str:
    match = _chosen(
        random, r'"(arith\.\w+|memref\.\w+|scf\.yield|func\.return|affine\.yield|linalg\.yield)"', line
    )
    names = ["arith.addf", "arith.addi", "memref.load", "scf.yield", "func.return", "arith.select"]
    return _replaced(line, match, random.choice([name for name in names if name != match[1]]), 1)


KINDS: dict[str, Callable[[str, Random], str]] = {
    "another type": _retyped,
    "another size": _resized,
    "no operand": _without_operand,
    "operand twice": _doubled_operand,
    "operands swapped": _swapped_operands,
    "no attribute": _without_attribute,
    "another number": _renumbered,
    "unknown symbol": _renamed_symbol,
    "renamed symbol": _other_name,
    "no operation": _without_line,
    "another operation": _renamed_operation,
}


def damaged(count: int, seed: int) -> Iterator[Sample]:
    """Different texts of every module and kind of damage, `count` in all."""
    arguments = ["--mlir-print-op-generic", "--mlir-print-local-scope"]
    modules = {
        path.stem: oracles.run_mlir_opt(22, arguments, path).stdout.decode()
        for path in sorted(MODULES.glob("*.mlir"))
    }
    random = Random(seed)
    seen: set[str] = set()
    pairs = [(name, kind) for name in modules for kind in KINDS]
    for turn in range(count * 40):
        if len(seen) == count:
            return
        name, kind = pairs[turn % len(pairs)]
        lines = modules[name].splitlines()
        place = random.randrange(1, len(lines) - 1)
        try:
            lines[place] = KINDS[kind](lines[place], random)
        except Unchanged:
            continue
        text = "\n".join(lines) + "\n"
        if text not in seen:
            seen.add(text)
            yield Sample(kind, name, text)


def parts(folder: Path, pattern: str) -> Iterator[Sample]:
    """The parts of the texts in a folder whose names match a pattern."""
    for path in sorted(folder.rglob(pattern)):
        for number, text in enumerate(MARK.split(path.read_text(errors="replace"))):
            if text.strip():
                yield Sample(path.parent.name, f"{path.relative_to(folder)}#{number}", text)


def theirs(release: int, sample: Sample) -> str:
    arguments = ["--allow-unregistered-dialect", "--mlir-disable-threading", "-o", "/dev/null"]
    output = oracles.run_mlir_opt(release, arguments, sample.text)
    return "accepts" if output.status == 0 else "refuses"


def ours(command: str, release: int, sample: Sample) -> tuple[str, str]:
    arguments = ["assemble", "-", "-o", "/dev/null", "--quiet", "--verify", "--target", f"llvm-{release}"]
    done = subprocess.run(
        [command, *arguments], input=sample.text.encode(), capture_output=True, check=False, timeout=120
    )
    words = done.stderr.decode("utf-8", "replace")
    if done.returncode == 0:
        return "accepts", ""
    return ("refuses" if done.returncode in (1, 3) else "crashes"), words


def _judged(sample: Sample, release: int, command: str) -> tuple[str, tuple[str, str]]:
    return theirs(release, sample), ours(command, release, sample)


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--count", type=int, default=660, help="the number of damaged modules")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--release", type=int, default=22, choices=oracles.RELEASES)
    parser.add_argument("--texts", type=Path, help="compare the texts in this folder instead")
    parser.add_argument("--pattern", default="invalid*.mlir", help="which of these texts")
    parser.add_argument("--mlirbc", default="mlirbc", help="the command to compare")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    samples = list(
        parts(options.texts, options.pattern) if options.texts else damaged(options.count, options.seed)
    )
    with ThreadPoolExecutor(options.jobs) as pool:
        judged = list(
            pool.map(lambda sample: _judged(sample, options.release, options.mlirbc), samples),
        )
    rows: dict[str, Counter[str]] = {}
    FOLDER.mkdir(parents=True, exist_ok=True)
    for stale in FOLDER.iterdir():
        stale.unlink()
    for number, (sample, (reference, (verdict, words))) in enumerate(zip(samples, judged, strict=True)):
        rows.setdefault(sample.kind, Counter())[f"{reference} {verdict}"] += 1
        if reference != verdict:
            name = f"{number:04}-{reference}-{verdict}.mlir"
            (FOLDER / name).write_text(f"// {sample.source}: {sample.kind}\n{sample.text}// {words}")
    total = sum(rows.values(), Counter())
    for kind, row in [*sorted(rows.items()), ("all", total)]:
        caught, missed = row["refuses refuses"], row["refuses accepts"]
        accepted, wrong = row["accepts accepts"], row["accepts refuses"]
        print(
            f"{kind:24} caught {caught:5} of {caught + missed:5},"
            f" refused of accepted {wrong:4} of {wrong + accepted:5}"
        )
    print(f"the texts on which they differ are below {FOLDER.relative_to(ROOT)}")
    return 1 if total["accepts refuses"] else 0


if __name__ == "__main__":
    sys.exit(main())
