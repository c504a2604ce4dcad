"""Compares what `mlirbc verify` refuses with what the reader of `mlir-opt` refuses, on damaged files.

Prints a table by kind of damage and leaves the files on which they differ below `target/verify-agreement/`.
What `mlir-opt` said is kept there too, so that a second run asks only `mlirbc`.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from random import Random

ROOT = Path(__file__).parents[2]
sys.path.append(str(ROOT / "tests" / "python"))

import damage
import oracles

DATA = ROOT / "tests" / "data" / "bytecode"
FOLDER = ROOT / "target" / "verify-agreement"

ARGUMENTS = ["--allow-unregistered-dialect", "--mlir-disable-threading", "--emit-bytecode", "-o", "/dev/null"]
NO_VERIFIER = "--mlir-very-unsafe-disable-verifier-on-parsing"
"""Known from release 20 on; before, what the verifier says is told apart by its messages."""

ACCEPTS, REJECTS, CRASHES = "accepts", "rejects", "crashes"


@dataclass(frozen=True)
class Damaged:
    """A file, and how it came about."""

    release: int
    kind: str
    source: str
    data: bytes

    @property
    def digest(self) -> str:
        return hashlib.sha256(self.data).hexdigest()[:16]


SOME_READERS_REFUSE = ("resources_aligned_32", "resources_aligned_64", "resources_aligned_4096")
"""Good files that need their buffer aligned, which it is not when it comes through standard input."""


def kept(release: int) -> list[Path]:
    """The files of a release that are damaged, small enough to be read often."""
    files = (DATA / f"llvm-{release}").rglob("*.mlirbc")
    return sorted(
        file for file in files if file.stat().st_size < 20_000 and file.stem not in SOME_READERS_REFUSE
    )


def samples(release: int, seed: int, each: int, kinds: list[str]) -> Iterator[Damaged]:
    """Up to `each` different files of each kind of damage."""
    files = {path: path.read_bytes() for path in kept(release)}
    by_version: dict[str, list[Path]] = {}
    for path in files:
        by_version.setdefault(path.parent.name, []).append(path)
    for kind in kinds:
        random = Random(f"{seed} {release} {kind}")
        seen: set[bytes] = set()
        for _ in range(each * 20):
            if len(seen) == each:
                break
            path = random.choice(by_version[random.choice(sorted(by_version))])
            try:
                data = damage.damage(kind, files[path], random)
            except (damage.Undamaged, IndexError):
                continue
            if data not in seen:
                seen.add(data)
                yield Damaged(release, kind, f"{path.parent.name}/{path.stem}", data)


# The reference.

OF_THE_VERIFIER = re.compile(
    r"error: ('[\w$.-]+' op |operand #\d+ does not dominate|block with no terminator|empty block"
    r"|invalid properties|expected a terminator)"
)
IN_THE_READER = re.compile(r"(BytecodeReader|readBytecodeFile)")
AFTER_THE_READER = re.compile(r"(writeBytecodeToFile|OperationVerifier|mlir::verify\()")


def judge(status: int, errors: str, release: int) -> str:
    """What the reader decided, from the end of a process that also verifies and writes."""
    if status == 0:
        return ACCEPTS
    if status not in (0, 1):
        trace = errors[errors.find("Stack dump") :]
        return ACCEPTS if AFTER_THE_READER.search(trace) and not IN_THE_READER.search(trace) else CRASHES
    first = next((line for line in errors.splitlines() if "error: " in line), "")
    return ACCEPTS if release < 20 and OF_THE_VERIFIER.search(first) else REJECTS


def ask(sample: Damaged) -> tuple[str, str]:
    arguments = [*ARGUMENTS, NO_VERIFIER] if sample.release >= 20 else ARGUMENTS
    try:
        output = oracles.run_mlir_opt(sample.release, arguments, sample.data, timeout=60)
    except subprocess.TimeoutExpired:
        return CRASHES, "takes more than a minute"
    return judge(output.status, output.stderr, sample.release), output.stderr.strip()[:1500]


# Ours.


def verify(command: list[str], sample: Damaged, folder: Path) -> tuple[str, str]:
    path = folder / f"{sample.digest}.mlirbc"
    path.write_bytes(sample.data)
    done = subprocess.run(
        [*command, "verify", "--quiet", str(path)], capture_output=True, check=False, timeout=60
    )
    path.unlink()
    verdict = {0: ACCEPTS, 1: REJECTS}.get(done.returncode, CRASHES)
    return verdict, done.stderr.decode("utf-8", "replace").strip().replace(str(path), "FILE")


# The table.


@dataclass
class Outcome:
    sample: Damaged
    theirs: tuple[str, str]
    ours: tuple[str, str]

    @property
    def verdict(self) -> str:
        if CRASHES in (self.theirs[0], self.ours[0]):
            return "crash"
        if self.theirs[0] == self.ours[0]:
            return f"both {'accept' if self.ours[0] == ACCEPTS else 'reject'}"
        return "only we accept" if self.ours[0] == ACCEPTS else "only we reject"


COLUMNS = ["both accept", "both reject", "only we accept", "only we reject", "crash"]


def compare(tests: list[Damaged], command: list[str], jobs: int, folder: Path) -> list[Outcome]:
    folder.mkdir(parents=True, exist_ok=True)
    cache = folder / "reference.json"
    known: dict[str, list[str]] = json.loads(cache.read_text()) if cache.exists() else {}

    def one(sample: Damaged) -> Outcome:
        key = f"{sample.release} {sample.digest}"
        answer = known.get(key)
        theirs = (answer[0], answer[1]) if answer else ask(sample)
        known[key] = list(theirs)
        return Outcome(sample, theirs, verify(command, sample, folder))

    with ThreadPoolExecutor(jobs) as pool:
        outcomes = list(pool.map(one, tests))
    cache.write_text(json.dumps(known))
    return outcomes


def table(outcomes: list[Outcome]) -> str:
    rows: dict[str, Counter[str]] = {}
    for outcome in outcomes:
        rows.setdefault(outcome.sample.kind, Counter())[outcome.verdict] += 1
    rows["all"] = sum(rows.values(), Counter())
    width = max(map(len, rows))
    lines = [" ".join([f"{'damage':{width}}", *(f"{name:>14}" for name in COLUMNS)])]
    for kind, row in rows.items():
        lines.append(" ".join([f"{kind:{width}}", *(f"{row[name]:14}" for name in COLUMNS)]))
    total = rows["all"]
    agree, differ = total["both accept"] + total["both reject"], total["only we accept"] + total["only we reject"]
    lines.append(f"{agree} of {agree + differ} agree: {100 * agree / max(1, agree + differ):.2f} %")
    return "\n".join(lines)


def keep(outcomes: list[Outcome], folder: Path) -> None:
    """Writes the files on which the two differ, and what each said."""
    for name in ("only-we-accept", "only-we-reject", "crash"):
        place = folder / name
        place.mkdir(exist_ok=True)
        for stale in place.iterdir():
            stale.unlink()
    for outcome in outcomes:
        if outcome.verdict.startswith("both"):
            continue
        sample = outcome.sample
        stem = f"{sample.release}-{sample.kind}-{sample.source}-{sample.digest}".replace(" ", "_").replace("/", "-")
        place = folder / outcome.verdict.replace(" ", "-") / stem
        place.with_suffix(".mlirbc").write_bytes(sample.data)
        place.with_suffix(".txt").write_text(f"mlir-opt: {outcome.theirs[1]}\nmlirbc: {outcome.ours[1]}\n")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--each", type=int, default=50, help="files of each kind of damage and release")
    parser.add_argument("--release", type=int, action="append", choices=oracles.RELEASES)
    parser.add_argument("--kind", action="append", choices=sorted(damage.KINDS))
    parser.add_argument("--mlirbc", default="mlirbc", help="the command to compare")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--examples", type=int, default=20, help="how many differences are shown")
    options = parser.parse_args()
    tests = [
        sample
        for release in options.release or oracles.RELEASES
        for sample in samples(release, options.seed, options.each, options.kind or list(damage.KINDS))
    ]
    outcomes = compare(tests, [options.mlirbc], options.jobs, FOLDER)
    keep(outcomes, FOLDER)
    print(table(outcomes))
    different = [outcome for outcome in outcomes if outcome.verdict.startswith("only")]
    for outcome in different[: options.examples]:
        sample = outcome.sample
        print(f"\n{outcome.verdict}: llvm-{sample.release} {sample.source}, {sample.kind}, {sample.digest}")
        print(f"  mlir-opt: {outcome.theirs[1][:300]}\n  mlirbc:   {outcome.ours[1][:300]}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
