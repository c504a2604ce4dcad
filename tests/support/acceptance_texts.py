"""What becomes of MLIR's own test texts when they are converted between releases.

    scripts/acceptance --texts llvm-project/mlir/test             a sample with a new seed
    scripts/acceptance --texts mlir/test --seed 7 --number 1000   that sample again
    scripts/acceptance --texts mlir/test --pairs 19:22 22:19 --list

    scripts/acceptance --texts mlir/test --back   and what the second release writes, converted back

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
    back: str = ""
    """The class of the way back, if the second release read the file."""
    back_reason: str = ""


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
    return judge_data(made, made.data, target)


def judge_data(made: acceptance.Made, source: bytes, target: int) -> tuple[str, str]:
    """The class of bytecode that says what `made` says."""
    consumer = f"llvm-{target}"
    data, said = acceptance.convert(source, consumer)
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
    less, _ = acceptance.convert(source, consumer, "--drop-unsupported")
    if less is not None and acceptance.read(made, consumer, less)[0] == "accepted":
        return "refused without need", said
    return "lost and said", said


def judge_back(made: acceptance.Made, target: int) -> tuple[str, str]:
    """The class of what the second release writes, converted for the first one.

    What the first one reads then must be its own text.
    """
    data, _ = acceptance.convert(made.data, f"llvm-{target}")
    if data is None:
        return "", ""
    args = oracles.emit_args(target, oracles.versions(target)[-1])
    output = oracles.run_mlir_opt(target, args, data, timeout=30)
    if output.status != 0:
        return "", ""
    return judge_data(made, output.stdout, int(made.producer.removeprefix("llvm-")))


def judge_both(made: acceptance.Made, target: int, is_back: bool) -> Result:
    """The classes of both ways."""
    source = int(made.producer.removeprefix("llvm-"))
    kind, reason = judge(made, target)
    is_read = is_back and kind in CLASSES[:2]
    back = judge_back(made, target) if is_read else ("", "")
    return Result(made.module, source, target, kind, reason, *back)


def sample(drawn: list[Text], source: int, number: int, jobs: ThreadPoolExecutor) -> list[acceptance.Made]:
    """The first texts that the release compiles."""
    rest = iter(drawn)
    made: list[acceptance.Made] = []
    while len(made) < number and (some := list(islice(rest, 100))):
        made += filter(None, jobs.map(functools.partial(compiled, release=source), some))
    return made[:number]


def results(
    folder: Path,
    pairs: list[tuple[int, int]],
    number: int,
    seed: int,
    workers: int,
    is_back: bool = False,
) -> Iterator[Result]:
    """One result for each text and each pair."""
    drawn = texts(folder)
    random.Random(seed).shuffle(drawn)
    with ThreadPoolExecutor(workers) as jobs:
        samples = {source: sample(drawn, source, number, jobs) for source in sorted({s for s, _ in pairs})}
        for source, target in pairs:
            yield from jobs.map(
                functools.partial(judge_both, target=target, is_back=is_back), samples[source]
            )


def ways_back(found: list[Result]) -> list[Result]:
    """The ways back as results of their own."""
    rows = [result for result in found if result.back]
    return [Result(row.name, row.target, row.source, row.back, row.back_reason) for row in rows]


def table(found: list[Result]) -> str:
    """Markdown: by pair, how many texts are of which class."""
    counts = Counter((result.source, result.target, result.kind) for result in found)
    lines = ["| from | to | texts | " + " | ".join(CLASSES) + " |", "|---" * (len(CLASSES) + 3) + "|"]
    for source, target in dict.fromkeys((result.source, result.target) for result in found):
        row = [counts[source, target, kind] for kind in CLASSES]
        lines.append(f"| {source} | {target} | {sum(row)} | " + " | ".join(map(str, row)) + " |")
    return "\n".join(lines)


_CAUSE = re.compile(r"^/\S*/in\.mlirbc: |\d+")


def causes(found: list[Result], kind: str) -> str:
    """The reasons of one class without numbers, the most frequent ones first."""
    counts = Counter(_CAUSE.sub("…", result.reason)[:160] for result in found if result.kind == kind)
    return "\n".join(f"{count:5}  {reason}" for reason, count in counts.most_common())


def report(title: str, found: list[Result], *, is_listed: bool) -> None:
    """Prints the table, and the causes of each class."""
    print(f"{title}{table(found)}\n")
    for kind in CLASSES[1:]:
        if listed := causes(found, kind):
            print(f"{kind}:\n{listed}\n")
    for result in found if is_listed else ():
        if result.kind in FAULTS:
            print(f"{result.source} -> {result.target} {result.name}: {result.kind}: {result.reason}")


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
    parser.add_argument(
        "--back", action="store_true", help="also convert what the second release writes back"
    )
    arguments = parser.parse_args(words)
    found = list(
        results(
            arguments.texts, arguments.pairs, arguments.number, arguments.seed, arguments.jobs, arguments.back
        )
    )
    print(f"seed {arguments.seed}\n")
    for title, rows in (("", found), ("The way back:\n\n", ways_back(found))):
        if rows:
            report(title, rows, is_listed=arguments.list)
    if arguments.json is not None:
        arguments.json.write_text(json.dumps([asdict(result) for result in found], indent=1), "utf-8")
    changed = (result for result in [*found, *ways_back(found)] if result.kind == "read as something else")
    return 1 if any(changed) else 0
