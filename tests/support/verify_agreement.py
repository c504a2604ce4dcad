"""Compares the refusals of `mlirbc verify` with the refusals of the reader of `mlir-opt`, on damaged files.

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
from typing import Any

from support import damage, oracles

ROOT = Path(__file__).parents[2]

DATA = ROOT / "tests" / "data" / "bytecode"
FOLDER = ROOT / "target" / "verify-agreement"

ARGUMENTS = ["--allow-unregistered-dialect", "--mlir-disable-threading", "--emit-bytecode", "-o", "/dev/null"]
NO_VERIFIER = "--mlir-very-unsafe-disable-verifier-on-parsing"
"""Known from release 20 on; before, messages of the verifier are recognised by their text."""

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


def corpus_files(release: int) -> list[Path]:
    """The files of a release that are damaged, small enough to be read often."""
    files = (DATA / f"llvm-{release}").rglob("*.mlirbc")
    return sorted(
        file for file in files if file.stat().st_size < 20_000 and file.stem not in SOME_READERS_REFUSE
    )


def samples(release: int, seed: int, count: int, kinds: list[str]) -> Iterator[Damaged]:
    """Up to `each` different files of each kind of damage."""
    files = {path: path.read_bytes() for path in corpus_files(release)}
    by_version: dict[str, list[Path]] = {}
    for path in files:
        by_version.setdefault(path.parent.name, []).append(path)
    for kind in kinds:
        random = Random(f"{seed} {release} {kind}")
        seen: set[bytes] = set()
        for _ in range(count * 20):
            if len(seen) == count:
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

OF_THE_READER = re.compile(r"^<stdin>:0:0: error: ")
OF_THE_VERIFIER = re.compile(
    r"^(\S+\.mlir:\d+:\d+|<unknown>:0|loc\(.*\)).*error: |^.*:\d+:\d+: error: '[\w$.-]+' op "
)
"""The reader complains of the file, the parser of the text of one attribute, the verifier of a place in the IR."""  # noqa: E501
AFTER_THE_READER = re.compile(r"(writeBytecodeToFile|IRNumberingState|OperationVerifier|mlir::verify\()")
IN_THE_READER = re.compile(r"(BytecodeReader|readBytecodeFile)")


def judge(status: int, errors: str, release: int) -> str:
    """The decision of the reader, from the end of a process that also verifies and writes."""
    if status == 0:
        return ACCEPTS
    if status != 1:
        trace = errors[errors.find("Stack dump") :]
        return ACCEPTS if AFTER_THE_READER.search(trace) and not IN_THE_READER.search(trace) else CRASHES
    first = next((line for line in errors.splitlines() if "error: " in line), "")
    is_verifier = release < 20 and OF_THE_VERIFIER.search(first) and not OF_THE_READER.search(first)
    return ACCEPTS if is_verifier else REJECTS


def ask(sample: Damaged) -> tuple[int, str]:
    """The exit status of `mlir-opt`, and its messages."""
    arguments = [*ARGUMENTS, NO_VERIFIER] if sample.release >= 20 else ARGUMENTS
    try:
        output = oracles.run_mlir_opt(sample.release, arguments, sample.data, timeout=60)
    except subprocess.TimeoutExpired:
        return 124, "takes more than a minute"
    return output.status, output.stderr.strip()[:6000]


# Ours.


def verify(command: list[str], sample: Damaged) -> tuple[str, dict[str, Any]]:
    done = subprocess.run(
        [*command, "verify", "--json", "-"], input=sample.data, capture_output=True, check=False, timeout=60
    )
    if done.returncode not in (0, 1, 3):
        return CRASHES, {"error": {"message": done.stderr.decode("utf-8", "replace")}}
    return REJECTS if done.returncode else ACCEPTS, json.loads(done.stdout)


def is_reported(errors: str, report: dict[str, Any]) -> bool:
    """Whether the report of `mlirbc verify` lists the subject of `mlir-opt`'s complaint as unchecked."""
    first = next((line for line in errors.splitlines() if "error: " in line), "")
    kinds = {row["kind"] for row in report.get("unchecked", ())}
    # Bytes of unknown layout may refer to an entry that is mentioned as broken.
    if report.get("broken_entries") and kinds & {"properties", "entries"} and OF_THE_READER.search(first):
        return True
    for row in report.get("unchecked", ()):
        dialect = re.escape(row["name"].split(".")[0])
        match row["kind"]:
            case "entries" | "resources":
                pattern = rf"dialect '?{dialect}'? (does not|is unknown)"
            case "versions":
                pattern = rf"dialect '{dialect}' does not implement the bytecode interface"
            case "text":
                # The parser names the text that it reads, not the file.
                pattern = rf"^(?!<stdin>).*error: |[#!'\"]{dialect}"
            case _:
                pattern = r"^<stdin>:0:0: error: (attempting|expected|invalid|array size|Properties)"
        if re.search(pattern, first):
            return True
    return False


# The table.


@dataclass
class Outcome:
    sample: Damaged
    theirs: str
    words: str
    ours: str
    report: dict[str, Any]

    @property
    def verdict(self) -> str:
        if CRASHES in (self.theirs, self.ours):
            return "crash"
        if self.theirs == self.ours:
            return f"both {'accept' if self.ours == ACCEPTS else 'reject'}"
        if self.ours == REJECTS:
            return "only we reject"
        return "not checked" if is_reported(self.words, self.report) else "only we accept"


COLUMNS = ["both accept", "both reject", "not checked", "only we accept", "only we reject", "crash"]
"""`not checked`: we accept, `mlir-opt` does not, and the report names the unchecked parts."""


def compare(tests: list[Damaged], command: list[str], jobs: int, folder: Path) -> list[Outcome]:
    folder.mkdir(parents=True, exist_ok=True)
    cache = folder / "reference.json"
    answers: dict[str, tuple[int, str]] = json.loads(cache.read_text()) if cache.exists() else {}

    def compare_one(sample: Damaged) -> Outcome:
        key = f"{sample.release} {sample.digest}"
        if key not in answers:
            answers[key] = ask(sample)
        status, words = answers[key]
        return Outcome(sample, judge(status, words, sample.release), words, *verify(command, sample))

    with ThreadPoolExecutor(jobs) as pool:
        outcomes = list(pool.map(compare_one, tests))
    cache.write_text(json.dumps(answers))
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
    agree = total["both accept"] + total["both reject"]
    differ = total["only we accept"] + total["only we reject"]
    for description, count in (
        ("that were checked", agree + differ),
        ("in all", agree + differ + total["not checked"]),
    ):
        lines.append(f"{agree} of {count} {description} agree: {100 * agree / max(1, count):.2f} %")
    return "\n".join(lines)


def keep(outcomes: list[Outcome], folder: Path) -> None:
    """Writes the files on which the two differ, and both messages."""
    for name in ("not-checked", "only-we-accept", "only-we-reject", "crash"):
        place = folder / name
        place.mkdir(exist_ok=True)
        for stale in place.iterdir():
            stale.unlink()
    for outcome in outcomes:
        if outcome.verdict.startswith("both"):
            continue
        sample = outcome.sample
        stem = f"{sample.release}-{sample.kind}-{sample.source}-{sample.digest}".replace(" ", "_").replace(
            "/", "-"
        )
        place = folder / outcome.verdict.replace(" ", "-") / stem
        place.with_suffix(".mlirbc").write_bytes(sample.data)
        place.with_suffix(".txt").write_text(
            f"mlir-opt: {outcome.words}\nmlirbc: {json.dumps(outcome.report)}\n"
        )


# Good files.

GOOD = [ROOT / "tests" / "data", ROOT / "examples"]
"""Where files are that some MLIR wrote, and texts that `mlir-opt` writes as such."""

DAMAGED_ON_PURPOSE = "hostile"
NOT_READ_BACK = "_noread"
"""At the end of the names of texts that MLIR writes as something that it does not read."""


def good_files() -> Iterator[tuple[str, bytes]]:
    """The stored files, and the files that each release writes for the stored texts at each version."""
    for folder in GOOD:
        for path in sorted(folder.rglob("*.mlirbc")):
            if DAMAGED_ON_PURPOSE not in path.parts:
                yield str(path.relative_to(ROOT)), path.read_bytes()


def written(text: Path, release: int) -> Iterator[tuple[str, bytes]]:
    """Nothing where the release does not read the text, or cannot write it at a version."""
    for version in oracles.versions(release):
        try:
            output = oracles.run_mlir_opt(
                release, oracles.emit_args(release, version), text.read_bytes(), timeout=60
            )
        except subprocess.TimeoutExpired:
            continue
        if output.status == 0:
            yield f"{text} by {release} as {version}", output.stdout


def check_good(command: list[str], jobs: int, more: list[Path]) -> int:
    """The number of good files that are refused; prints each refusal."""
    folders = [*GOOD, *more]
    texts = [path for folder in folders for path in sorted(folder.rglob("*.mlir"))]
    texts = [path for path in texts if not path.stem.endswith(NOT_READ_BACK)]
    tasks = [(text, release) for text in texts for release in oracles.RELEASES]

    def refused(files: Iterator[tuple[str, bytes]]) -> tuple[int, list[str]]:
        count, bad = 0, []
        for name, data in files:
            count += 1
            outcome, report = verify(command, Damaged(0, "none", name, data))
            if outcome != ACCEPTS:
                bad.append(f"{name}: {report['error']['message']}")
        return count, bad

    with ThreadPoolExecutor(jobs) as pool:
        results = list(pool.map(lambda task: refused(written(*task)), tasks))
    results.append(refused(good_files()))
    count, bad = sum(count for count, _ in results), [line for _, lines in results for line in lines]
    print("\n".join([*bad, f"{len(bad)} of {count} good files are refused"]))
    return len(bad)


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--each", type=int, default=50, help="files of each kind of damage and release")
    parser.add_argument("--release", type=int, action="append", choices=oracles.RELEASES)
    parser.add_argument("--kind", action="append", choices=sorted(damage.KINDS))
    parser.add_argument("--mlirbc", default="mlirbc", help="the command to compare")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--examples", type=int, default=20, help="how many differences are shown")
    parser.add_argument("--good", action="store_true", help="check that no good file is refused, instead")
    parser.add_argument("--texts", type=Path, action="append", default=[], help="a folder with more texts")
    options = parser.parse_args()
    if options.good:
        return 1 if check_good([options.mlirbc], options.jobs, options.texts) else 0
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
        ours = outcome.report.get("error") or outcome.report.get("unchecked")
        print(f"  mlir-opt: {outcome.words[:300]}\n  mlirbc:   {json.dumps(ours)[:300]}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
