"""What becomes of MLIR's own test texts when they are converted between releases.

    scripts/acceptance --texts llvm-project/mlir/test             a sample with a new seed
    scripts/acceptance --texts mlir/test --seed 7 --number 1000   that sample again
    scripts/acceptance --texts mlir/test --pairs 19:22 22:19 --list

A text is a part of a file between `// -----` lines. For each pair of releases, texts are drawn until the
first release has compiled `--number` of them. Its bytecode is converted, and what the second release prints
is compared with what the first one prints, both in one spelling (`spelling.py`).
"""

import argparse
import functools
import json
import random
import re
import subprocess
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path

from support import acceptance, generic_text, oracles

PAIRS = ("16:19", "19:16", "16:22", "22:16", "19:22", "22:19")

CLASSES = (
    "same",
    "harmless note",
    "lost and said",
    "refused: no such operation",
    "refused without need",
    "refused by the reader after silence",
    "read as something else",
)
"""`harmless note`: converted, and mlirbc told something. `refused without need`: `--drop-unsupported` makes a
file that the reader reads as what it was. `lost and said`: every other refusal of mlirbc."""

FAULTS = CLASSES[-3:]

_SPLIT = re.compile(r"^// -----.*$", re.MULTILINE)
_NO_SUCH_OP = "the target does not have the operation"


@dataclass(frozen=True, slots=True)
class Text:
    """A part of a file."""

    path: str
    part: int
    text: str

    @property
    def name(self) -> str:
        return f"{self.path}#{self.part}"


@dataclass(frozen=True, slots=True)
class Result:
    """The class of one text for one pair of releases."""

    name: str
    source: int
    target: int
    kind: str
    reason: str


def texts(folder: Path) -> list[Text]:
    """All parts of the files below a folder, in the order of their names."""
    found = []
    for path in sorted(folder.rglob("*.mlir")):
        whole = path.read_text("utf-8", "replace")
        # The release that wrote such a file does not always read it.
        parts = [] if "// read-back: no" in whole or path.stem.endswith("_noread") else _SPLIT.split(whole)
        for part, text in enumerate(parts):
            if any(line.strip() and not line.lstrip().startswith("//") for line in text.splitlines()):
                found.append(Text(str(path.relative_to(folder)), part, text))
    return found


def compiled(text: Text, release: int) -> acceptance.Made | None:
    """The bytecode of a text, unless the release refuses it or prints nothing that can be compared."""
    version = oracles.versions(release)[-1]
    try:
        output = oracles.run_mlir_opt(release, oracles.emit_args(release, version), text.text, timeout=30)
    except subprocess.TimeoutExpired:
        return None
    if output.status != 0 or not output.stdout:
        return None
    producer = f"llvm-{release}"
    printed, _ = acceptance.peers()[producer].print(output.stdout)
    if printed is None:
        return None
    try:
        generic_text.parse(printed)
    except generic_text.GenericTextError:
        return None
    return acceptance.Made(text.name, producer, version, output.stdout, printed)


def judge(made: acceptance.Made, target: int) -> tuple[str, str]:
    """The class of a file, and the reason."""
    consumer = f"llvm-{target}"
    data, said = acceptance.convert(made.data, consumer)
    if data is not None:
        outcome, reason = acceptance.read(made, consumer, data)
        if outcome == "refused":
            return "refused by the reader after silence", reason
        if outcome == "misread":
            return "read as something else", reason
        return ("harmless note", said.strip()) if said.strip() else ("same", "")
    said = re.sub(r"^\S*: error\[[\w.]*\]: ", "", said).partition("; help:")[0]
    if _NO_SUCH_OP in said:
        return "refused: no such operation", said
    less, _ = acceptance.convert(made.data, consumer, "--drop-unsupported")
    if less is not None and acceptance.read(made, consumer, less)[0] == "accepted":
        return "refused without need", said
    return "lost and said", said


def sample(drawn: list[Text], source: int, number: int, jobs: ThreadPoolExecutor) -> list[acceptance.Made]:
    """The first texts that the release compiles."""
    rest = iter(drawn)
    made: list[acceptance.Made] = []
    while len(made) < number and (some := list(islice(rest, 100))):
        made += filter(None, jobs.map(functools.partial(compiled, release=source), some))
    return made[:number]


def results(
    folder: Path, pairs: list[tuple[int, int]], number: int, seed: int, workers: int
) -> Iterator[Result]:
    """One result for each text and each pair."""
    drawn = texts(folder)
    random.Random(seed).shuffle(drawn)
    with ThreadPoolExecutor(workers) as jobs:
        samples = {source: sample(drawn, source, number, jobs) for source in sorted({s for s, _ in pairs})}
        for source, target in pairs:
            judged = jobs.map(functools.partial(judge, target=target), samples[source])
            for made, (kind, reason) in zip(samples[source], judged, strict=True):
                yield Result(made.module, source, target, kind, reason)


def table(found: list[Result]) -> str:
    """Markdown: by pair, how many texts are of which class."""
    counts = Counter((result.source, result.target, result.kind) for result in found)
    lines = ["| from | to | texts | " + " | ".join(CLASSES) + " |", "|---" * (len(CLASSES) + 3) + "|"]
    for source, target in dict.fromkeys((result.source, result.target) for result in found):
        row = [counts[source, target, kind] for kind in CLASSES]
        lines.append(f"| {source} | {target} | {sum(row)} | " + " | ".join(map(str, row)) + " |")
    return "\n".join(lines)


_CAUSE = re.compile(r"\d+")


def causes(found: list[Result], kind: str) -> str:
    """The reasons of one class without numbers, the most frequent ones first."""
    counts = Counter(_CAUSE.sub("…", result.reason)[:160] for result in found if result.kind == kind)
    return "\n".join(f"{count:5}  {reason}" for reason, count in counts.most_common())


def pair(text: str) -> tuple[int, int]:
    source, _, target = text.partition(":")
    if not {source, target} <= {str(release) for release in oracles.RELEASES} or source == target:
        raise argparse.ArgumentTypeError(f"expected two releases like `19:22`, found `{text}`")
    return int(source), int(target)


def main(words: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="scripts/acceptance", description=(__doc__ or "").partition("\n")[0]
    )
    parser.add_argument("--texts", type=Path, required=True, help="a folder with texts, such as mlir/test")
    parser.add_argument("--seed", type=int, default=int(time.time()), help="a new one by default")
    parser.add_argument("--number", type=int, default=300, help="texts for each pair")
    parser.add_argument("--pairs", type=pair, nargs="+", default=[pair(text) for text in PAIRS])
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--json", type=Path, help="also write each result to this file")
    parser.add_argument("--list", action="store_true", help="name the texts of the last three classes")
    arguments = parser.parse_args(words)
    found = list(results(arguments.texts, arguments.pairs, arguments.number, arguments.seed, arguments.jobs))
    print(f"seed {arguments.seed}\n\n{table(found)}\n")
    for kind in CLASSES[1:]:
        if listed := causes(found, kind):
            print(f"{kind}:\n{listed}\n")
    if arguments.list:
        for result in found:
            if result.kind in FAULTS:
                print(f"{result.source} -> {result.target} {result.name}: {result.kind}: {result.reason}")
    if arguments.json is not None:
        arguments.json.write_text(json.dumps([asdict(result) for result in found], indent=1), "utf-8")
    return 1 if any(result.kind == "read as something else" for result in found) else 0
