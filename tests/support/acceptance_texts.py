"""Converts MLIR's own test texts between releases, and compares them with the originals.

    scripts/acceptance --texts llvm-project/mlir/test             a sample with a new seed
    scripts/acceptance --texts mlir/test --seed 7 --number 1000   that sample again
    scripts/acceptance --texts mlir/test --pairs 19:22 22:19 --list
    scripts/acceptance --texts mlir/test --pairs 16:any iree-3.13:iree-3.0
    scripts/acceptance --texts mlir/test --check --number 500
    scripts/acceptance --texts mlir/test --back   and the output of the second release, converted back

A text is a part of a file between `// -----` lines. For each pair of releases, texts are drawn until the
first release has compiled `--number` of them. Its bytecode is converted, and what the second release prints
is compared with what the first one prints, both in one spelling (`spelling.py`). A release is a number of
LLVM or the name of a package (`acceptance.py`); what is written for `any` is compared with what each
`mlir-opt` prints.

With `--check`, what `mlirbc check` says of each file, as it is and converted, is compared with what the
reader does (`acceptance_checks.py`).
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

ANY = "any"

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
_SHORTENED = "cannot represent location ranges"


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
    source: str
    target: str
    kind: str
    reason: str
    back: str = ""
    """The class of the way back, if the second release read the file."""
    back_reason: str = ""


def texts(folder: Path) -> list[Text]:
    """All parts of the files below a folder, in the order of their names."""
    collected = []
    for path in sorted(folder.rglob("*.mlir")):
        whole = path.read_text("utf-8", "replace")
        # The release that wrote such a file does not always read it.
        parts = [] if "// read-back: no" in whole or path.stem.endswith("_noread") else _SPLIT.split(whole)
        for part, text in enumerate(parts):
            if any(line.strip() and not line.lstrip().startswith("//") for line in text.splitlines()):
                collected.append(Text(str(path.relative_to(folder)), part, text))
    return collected


def compiled(text: Text, release: str) -> acceptance.BytecodeFile | None:
    """The bytecode of a text, unless the release refuses it or prints nothing that can be compared."""
    peer = acceptance.peers()[release]
    if isinstance(peer, acceptance.Tool):
        version = oracles.versions(peer.release)[-1]
        try:
            output = oracles.run_mlir_opt(
                peer.release, oracles.emit_args(peer.release, version), text.text, timeout=30
            )
        except subprocess.TimeoutExpired:
            return None
        data = output.stdout if output.status == 0 else b""
    else:
        # Entities that a package does not know stay text, which says nothing about conversions.
        version, data = 6, peer.write(text.text, is_registered=True) or b""
    if not data:
        return None
    printed, _ = peer.print(data)
    # `mlir-opt` 19 and 22 copy a small file to memory without the alignment of its resources, and then refuse
    # the file, also their own.
    if printed is None or "dialect_resources" in printed:
        return None
    try:
        generic_text.parse(printed)
    except generic_text.GenericTextError:
        return None
    return acceptance.BytecodeFile(text.name, release, version, data, printed)


def readers(target: str) -> list[str]:
    """Returns the releases that read files for a target."""
    return list(acceptance.TOOLS) if target == ANY else [target]


def outcome(
    file: acceptance.BytecodeFile,
    target: str,
    data: bytes,
    *,
    has_ranges: bool = True,
    is_strict: bool = False,
) -> tuple[str, str]:
    """Returns the worst answer of the readers of a target."""
    answers = []
    for consumer in readers(target):
        kind, reason = acceptance.read(file, consumer, data, has_ranges=has_ranges, is_strict=is_strict)
        named = f"{consumer}: {reason}" if target == ANY and reason else reason
        answers.append((acceptance.OUTCOMES.index(kind), kind, named))
    _, kind, reason = max(answers)
    return kind, reason


def judge(file: acceptance.BytecodeFile, target: str) -> tuple[str, str]:
    """The class of a file, and the reason."""
    return judge_data(file, file.data, target)


def judge_data(file: acceptance.BytecodeFile, source: bytes, target: str) -> tuple[str, str]:
    """The class of bytecode for the module of `file`."""
    data, message = acceptance.convert(source, target)
    if data is not None:
        kind, reason = outcome(file, target, data, has_ranges=_SHORTENED not in message)
        if kind == "refused":
            return "refused by the reader after silence", reason
        if kind == "misread":
            return "read as something else", reason
        return ("harmless note", message.strip()) if message.strip() else ("same", "")
    message = re.sub(r"^\S*: error\[[\w.]*\]: ", "", message).partition("; help:")[0]
    if _NO_SUCH_OP in message:
        return "refused: no such operation", message
    less, _ = acceptance.convert(source, target, "--drop-unsupported")
    if less is not None and outcome(file, target, less)[0] == "accepted":
        return "refused without need", message
    return "lost and said", message


def judge_back(file: acceptance.BytecodeFile, target: str) -> tuple[str, str]:
    """The class of the output of the second release, converted for the first one.

    What the first one reads then must be its own text. Packages do not write what they read.
    """
    if target not in acceptance.TOOLS:
        return "", ""
    data, _ = acceptance.convert(file.data, target)
    if data is None:
        return "", ""
    number = int(target.removeprefix("llvm-"))
    args = oracles.emit_args(number, oracles.versions(number)[-1])
    output = oracles.run_mlir_opt(number, args, data, timeout=30)
    if output.status != 0:
        return "", ""
    return judge_data(file, output.stdout, file.producer)


def judge_both(file: acceptance.BytecodeFile, target: str, is_back: bool) -> Result:
    """The classes of both ways."""
    kind, reason = judge(file, target)
    is_read = is_back and kind in CLASSES[:2]
    back = judge_back(file, target) if is_read else ("", "")
    return Result(file.module, file.producer, target, kind, reason, *back)


def sample(
    drawn: list[Text], source: str, number: int, jobs: ThreadPoolExecutor
) -> list[acceptance.BytecodeFile]:
    """The first texts that the release compiles."""
    remaining = iter(drawn)
    files: list[acceptance.BytecodeFile] = []
    while len(files) < number and (some := list(islice(remaining, 100))):
        files += filter(None, jobs.map(functools.partial(compiled, release=source), some))
    return files[:number]


def samples(
    folder: Path, sources: set[str], number: int, seed: int, jobs: ThreadPoolExecutor
) -> dict[str, list[acceptance.BytecodeFile]]:
    """The files of each source."""
    drawn = texts(folder)
    random.Random(seed).shuffle(drawn)
    return {source: sample(drawn, source, number, jobs) for source in sorted(sources)}


def results(
    folder: Path,
    pairs: list[tuple[str, str]],
    number: int,
    seed: int,
    workers: int,
    is_back: bool = False,
) -> Iterator[Result]:
    """Yields one result for each text and each pair."""
    with ThreadPoolExecutor(workers) as jobs:
        files = samples(folder, {source for source, _ in pairs}, number, seed, jobs)
        for source, target in pairs:
            yield from jobs.map(functools.partial(judge_both, target=target, is_back=is_back), files[source])


def ways_back(judged: list[Result]) -> list[Result]:
    """The ways back as results of their own."""
    rows = [result for result in judged if result.back]
    return [Result(row.name, row.target, row.source, row.back, row.back_reason) for row in rows]


def table(judged: list[Result]) -> str:
    """Markdown: by pair, how many texts are of which class."""
    counts = Counter((result.source, result.target, result.kind) for result in judged)
    lines = ["| from | to | texts | " + " | ".join(CLASSES) + " |", "|---" * (len(CLASSES) + 3) + "|"]
    for source, target in dict.fromkeys((result.source, result.target) for result in judged):
        row = [counts[source, target, kind] for kind in CLASSES]
        lines.append(f"| {source} | {target} | {sum(row)} | " + " | ".join(map(str, row)) + " |")
    return "\n".join(lines)


_CAUSE = re.compile(r"^/\S*/in\.mlirbc: |\d+")


def causes(judged: list[Result], kind: str) -> str:
    """The reasons of one class without numbers, the most frequent ones first."""
    counts = Counter(_CAUSE.sub("…", result.reason)[:160] for result in judged if result.kind == kind)
    return "\n".join(f"{count:5}  {reason}" for reason, count in counts.most_common())


def report(title: str, judged: list[Result], *, is_listed: bool) -> None:
    """Prints the table, and the causes of each class."""
    print(f"{title}{table(judged)}\n")
    for kind in CLASSES[1:]:
        if listed := causes(judged, kind):
            print(f"{kind}:\n{listed}\n")
    for result in judged if is_listed else ():
        if result.kind in FAULTS:
            print(f"{result.source} -> {result.target} {result.name}: {result.kind}: {result.reason}")


def release(text: str) -> str:
    """The name of a release that is there: `19` is `llvm-19`."""
    name = f"llvm-{text}" if text.isdigit() else text
    if name not in acceptance.peers():
        raise argparse.ArgumentTypeError(f"`{text}` is not a release that is installed")
    return name


def pair(text: str) -> tuple[str, str]:
    source, _, target = text.partition(":")
    if not source or not target or source == target:
        raise argparse.ArgumentTypeError(f"expected two releases like `19:22`, found `{text}`")
    return release(source), ANY if target == ANY else release(target)


def main(words: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="scripts/acceptance", description=(__doc__ or "").partition("\n")[0]
    )
    parser.add_argument("--texts", type=Path, required=True, help="a folder with texts, such as mlir/test")
    parser.add_argument("--seed", type=int, default=int(time.time()), help="a new one by default")
    parser.add_argument("--number", type=int, default=300, help="texts for each pair")
    parser.add_argument("--pairs", type=pair, nargs="+", help="two releases like `19:22`")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--json", type=Path, help="also write each result to this file")
    parser.add_argument(
        "--check", action="store_true", help="compare `mlirbc check` with the readers instead"
    )
    parser.add_argument("--list", action="store_true", help="name the texts of the last three classes")
    parser.add_argument(
        "--back", action="store_true", help="also convert what the second release writes back"
    )
    arguments = parser.parse_args(words)
    pairs = arguments.pairs or [pair(text) for text in PAIRS]
    if arguments.check:
        from support import acceptance_checks

        return acceptance_checks.report(
            arguments.texts, pairs, arguments.number, arguments.seed, arguments.jobs, arguments.json
        )
    judged = list(
        results(arguments.texts, pairs, arguments.number, arguments.seed, arguments.jobs, arguments.back)
    )
    for peer in acceptance.peers().values():
        if isinstance(peer, acceptance.Package):
            peer.close()
    print(f"seed {arguments.seed}\n")
    for title, rows in (("", judged), ("The way back:\n\n", ways_back(judged))):
        if rows:
            report(title, rows, is_listed=arguments.list)
    if arguments.json is not None:
        arguments.json.write_text(json.dumps([asdict(result) for result in judged], indent=1), "utf-8")
    changed = (result for result in [*judged, *ways_back(judged)] if result.kind == "read as something else")
    return 1 if any(changed) else 0
