"""Compares what `mlirbc check` says of files with what the readers do.

    scripts/acceptance --texts llvm-project/mlir/test --check --number 500

Files are compiled from texts as by `acceptance_texts.py`. Each one is checked for the reader of a pair and
given to that reader as it is, and converted. A miss is a file that `check` calls readable and the reader
refuses, or reads as something else; a false alarm is a file that `check` calls refused or misread and that
the reader reads as what it was.

Files with entities that MLIR's test dialect registers are left out: no tool that people run has the dialect,
and mlirbc has no definitions of its operations.
"""

import functools
import json
import re
import subprocess
import tempfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from support import acceptance, acceptance_texts, oracles

WAYS = ("as it is", "converted")

_NO_SUCH_OP = "the target does not have the operation"

_LACKING_OP = re.compile(r"([\w.]+) operations?: " + _NO_SUCH_OP)

_OPEN_DIALECTS = ("llvm", "nvvm", "rocdl", "shape", "spirv")
"""The readers accept operations of these dialects that they do not have."""

_TEST_OP = re.compile(r'"(test\.[\w.]+)"\(')

KINDS = ("right: read", "right: refused", "miss", "false alarm", "no check")


@dataclass(frozen=True, slots=True)
class Verdict:
    """The answer of `check` for one file in one way, and whether the reader agrees."""

    name: str
    source: str
    target: str
    way: str
    kind: str
    check: str
    reader: str


def checked(data: bytes, target: str) -> dict[str, Any]:
    """The JSON of `mlirbc check`; an error if it ends otherwise."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "in.mlirbc"
        path.write_bytes(data)
        words = [acceptance.command(), "check", str(path), "--target", target, "--json"]
        done = subprocess.run(words, capture_output=True, check=False, timeout=120)
    try:
        answer: dict[str, Any] = json.loads(done.stdout)
    except json.JSONDecodeError:
        return {"error": " ".join(done.stderr.decode("utf-8", "replace").split())[:400]}
    return answer


@functools.cache
def test_ops() -> frozenset[str]:
    """The operations of MLIR's test dialect in all releases."""
    folder = Path(__file__).parents[2] / "rust/mlirbc/data/releases"
    releases = [json.loads((folder / f"{name}.json").read_text("utf-8")) for name in acceptance.TOOLS]
    return frozenset(op for release in releases for op in release["ops"] if op.startswith("test."))


def has_test_dialect(text: str) -> bool:
    """Whether a text has anything that the test dialect registers."""
    has_entry = any(mark in text for mark in ("#test.", "!test.", "#test<", "!test<", '"transform.test_'))
    return has_entry or not test_ops().isdisjoint(_TEST_OP.findall(text))


def has_unregistered(data: bytes, target: str, complaint: str) -> bool:
    """Whether an `mlir-opt` does not have an operation of an open dialect that a complaint names.

    Every registered operation of these dialects has a custom form, and an unregistered one has none.
    """
    names = [name for name in _LACKING_OP.findall(complaint) if name.partition(".")[0] in _OPEN_DIALECTS]
    if not names or target not in acceptance.TOOLS:
        return False
    printed = oracles.run_mlir_opt(acceptance.TOOLS[target], ["--allow-unregistered-dialect"], data).stdout
    return any(f'"{name}"('.encode() in printed for name in names)


def kind_of(*, says_read: bool, is_read: bool) -> str:
    if says_read == is_read:
        return "right: read" if is_read else "right: refused"
    return "miss" if says_read else "false alarm"


def verdicts(file: acceptance.BytecodeFile, target: str) -> list[Verdict]:
    """The verdicts for a file as it is and converted."""
    report = checked(file.data, target)
    judged = functools.partial(Verdict, file.module, file.producer, target)
    if "error" in report:
        return [judged(way, "no check", report["error"], "") for way in WAYS]
    findings = [row for row in report["findings"] if row["outcome"] != "kept"]
    explanation = "; ".join(f"{row['name']}: {row['reason']}" for row in findings)
    outcome, reason = acceptance_texts.outcome(file, target, file.data)
    kind = kind_of(says_read=not findings, is_read=outcome == "accepted")
    outcomes = [judged(WAYS[0], kind, explanation, f"{outcome}: {reason}")]
    conversion = report["convert"]
    data, complaint = acceptance.convert(file.data, target)
    if (data is not None) != conversion["is_possible"]:
        explanation = f"`check` and `convert` disagree: {complaint}"
        return [*outcomes, judged(WAYS[1], "no check", explanation, "")]
    explanation = "" if data is not None else "; ".join(conversion["losses"]) or complaint
    if data is None:
        data, _ = acceptance.convert(file.data, target, "--drop-unsupported")
    if data is None:
        outcome, reason = "refused", "it is not written"
    else:
        # A reader that takes unregistered operations does not tell whether it has them.
        is_strict = _NO_SUCH_OP in explanation
        outcome, reason = acceptance_texts.outcome(file, target, data, is_strict=is_strict)
        if is_strict and outcome == "accepted" and has_unregistered(data, target, explanation):
            outcome, reason = "refused", "it does not register an operation"
    kind = kind_of(says_read=conversion["is_possible"], is_read=outcome == "accepted")
    return [*outcomes, judged(WAYS[1], kind, explanation, f"{outcome}: {reason}")]


def table(outcomes: list[Verdict]) -> str:
    """Markdown: by pair and way, how many files are of which kind."""
    counts = Counter((row.source, row.target, row.way, row.kind) for row in outcomes)
    lines = ["| from | to | file | files | " + " | ".join(KINDS) + " |", "|---" * (len(KINDS) + 4) + "|"]
    for source, target, way in dict.fromkeys((row.source, row.target, row.way) for row in outcomes):
        cells = [counts[source, target, way, kind] for kind in KINDS]
        lines.append(f"| {source} | {target} | {way} | {sum(cells)} | " + " | ".join(map(str, cells)) + " |")
    return "\n".join(lines)


def causes(outcomes: list[Verdict], way: str, kind: str) -> str:
    """Returns the answers of the reader in misses, or of `check` in false alarms, the most frequent first."""
    rows = [row for row in outcomes if (row.way, row.kind) == (way, kind)]
    texts = [row.reader if kind == "miss" else row.check for row in rows]
    counts = Counter(re.sub(r"\d+", "…", text)[:160] for text in texts)
    return "\n".join(f"{count:5}  {text}" for text, count in counts.most_common())


def report(
    folder: Path, pairs: list[tuple[str, str]], number: int, seed: int, workers: int, output: Path | None
) -> int:
    """Prints the table and the causes; 1 if there is a miss."""
    outcomes: list[Verdict] = []
    with ThreadPoolExecutor(workers) as jobs:
        files = acceptance_texts.samples(folder, {source for source, _ in pairs}, number, seed, jobs)
        for source, target in pairs:
            compared = [file for file in files[source] if not has_test_dialect(file.text)]
            for rows in jobs.map(functools.partial(verdicts, target=target), compared):
                outcomes += rows
    print(f"seed {seed}\n\n{table(outcomes)}\n")
    for way in WAYS:
        for kind in ("miss", "false alarm", "no check"):
            if listed := causes(outcomes, way, kind):
                print(f"{kind}, {way}:\n{listed}\n")
    for row in outcomes:
        if row.kind in ("miss", "no check"):
            print(
                f"{row.source} -> {row.target} {row.name}, {row.way}: {row.kind}: {row.check} | {row.reader}"
            )
    if output is not None:
        output.write_text(json.dumps([asdict(row) for row in outcomes], indent=1), "utf-8")
    return 1 if any(row.kind == "miss" for row in outcomes) else 0
