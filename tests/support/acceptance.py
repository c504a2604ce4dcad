"""Which release reads what another wrote: directly, and after `mlirbc convert --target`.

    scripts/acceptance                      the tables; takes a long time
    scripts/acceptance scf gpu              modules whose names begin like this
    scripts/acceptance --versions 4 6       only what was written in these versions
    scripts/acceptance --list               and each red cell, with the reason
    scripts/acceptance --texts FOLDER       MLIR's own test texts instead (`acceptance_texts.py`)

Producers write a module; consumers read it and print it in the generic form. What a consumer prints must be
what the producer prints, once both are brought to one spelling by `spelling.py`. `oracles.py` finds the three
`mlir-opt`; `MLIRBC_JAXLIB_PYTHON`, `MLIRBC_IREE_PYTHON` and `MLIRBC_CIRCT_PYTHON` name interpreters that have
these packages, otherwise the running one is tried; `MLIRBC_COMMAND` names the command. Releases in
`OLDER` need a variable of their own, such as `MLIRBC_JAXLIB_0_6_PYTHON`.
"""

import argparse
import atexit
import contextlib
import functools
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from support import acceptance_worker, generic_text, oracles, spelling

DATA = Path(__file__).resolve().parents[1] / "data"

TOOLS = {"llvm-16": 16, "llvm-19": 19, "llvm-22": 22}
PACKAGES = {"jaxlib-0.10": "jaxlib", "iree-3.13": "iree", "circt": "circt"}
OLDER = {"jaxlib-0.5": "jaxlib", "jaxlib-0.6": "jaxlib", "iree-3.0": "iree"}
NEWEST = "llvm-22"

OUTCOMES = ("accepted", "on request", "reported", "refused", "misread")
"""`on request`: `--drop-unsupported` was needed and nothing that a text shows is lost. `reported`: mlirbc did
not write the file, and said why. `refused`: the consumer did not read it. `misread`: it reads something else.
"""


@dataclass(frozen=True, slots=True)
class Module:
    """A text module and the `mlir-opt` that read it."""

    path: Path
    release: int
    flags: tuple[str, ...]
    versions: frozenset[int]

    @property
    def name(self) -> str:
        return self.path.stem


@dataclass(frozen=True, slots=True)
class BytecodeFile:
    """A file of bytecode, with its producer and the text that the producer prints."""

    module: str
    producer: str
    version: int
    data: bytes
    text: str


@dataclass(frozen=True, slots=True)
class Cell:
    """The outcome of one file with one consumer."""

    file: BytecodeFile
    consumer: str
    way: str
    outcome: str
    reason: str = ""


def modules() -> Iterator[Module]:
    """The text modules of the test data, once for each release that reads them."""
    for folder in ("mlir", "dialects"):
        for path in sorted((DATA / folder).glob("*.mlir")):
            head: dict[str, str] = {}
            for line in path.read_text("utf-8", "replace").splitlines():
                if not line.startswith("// "):
                    break
                key, _, value = line.removeprefix("// ").partition(": ")
                head.setdefault(key, value)
            if head.get("read-back") == "no" or path.stem.startswith("test") or "releases" not in head:
                continue
            versions = frozenset(int(word) for word in head.get("versions", "0 1 2 3 4 5 6").split())
            for release in map(int, head["releases"].split()):
                yield Module(path, release, tuple(head.get("flags", "").split()), versions)


# ---- producers and consumers ----


class Tool:
    """An `mlir-opt`."""

    def __init__(self, release: int) -> None:
        self.release = release

    def print(self, data: bytes, *, is_strict: bool = False) -> tuple[str | None, str]:
        """The generic text; with `is_strict` only of registered operations."""
        left_out = ("users", "unregistered") if is_strict else ("users",)
        args = [
            flag for flag in oracles.print_args(self.release) if not any(word in flag for word in left_out)
        ]
        try:
            output = oracles.run_mlir_opt(self.release, args, data)
        except subprocess.TimeoutExpired:
            return None, "no answer"
        if output.status != 0:
            return None, first_line(output.stderr)
        return output.stdout.decode("utf-8", "surrogateescape"), ""


class Package:
    """MLIR in a Python package, in a process of its own: it ends over some input."""

    def __init__(self, python: str, package: str) -> None:
        self.command = [python, acceptance_worker.__file__, package]
        self.process: subprocess.Popen[bytes] | None = None
        self.lock = threading.Lock()
        atexit.register(self.close)

    def ask(self, *question: bytes) -> list[bytes] | None:
        with self.lock:
            if self.process is None:
                pipe, null = subprocess.PIPE, subprocess.DEVNULL
                self.process = subprocess.Popen(self.command, stdin=pipe, stdout=pipe, stderr=null)
            assert self.process.stdin is not None
            assert self.process.stdout is not None
            # Some processes hang rather than end.
            timer = threading.Timer(30, self.process.kill)
            timer.start()
            try:
                acceptance_worker.send(self.process.stdin, *question)
                return acceptance_worker.receive(self.process.stdout)
            except (EOFError, BrokenPipeError):
                self.close()
                return None
            finally:
                timer.cancel()

    def close(self) -> None:
        """Ends the process."""
        process, self.process = self.process, None
        if process is not None:
            process.kill()
            with contextlib.suppress(BrokenPipeError):
                process.communicate()
            for pipe in (process.stdin, process.stdout):
                with contextlib.suppress(BrokenPipeError):
                    if pipe is not None:
                        pipe.close()

    def print(self, data: bytes, *, is_strict: bool = False) -> tuple[str | None, str]:
        """The generic text; with `is_strict` only of registered operations."""
        answer = self.ask(b"print registered" if is_strict else b"print", data)
        if answer is None:
            return None, "the process ended"
        if answer[0] != b"ok":
            return None, first_line(answer[1].decode("utf-8", "replace"))
        return answer[1].decode("utf-8", "surrogateescape"), ""

    def write(self, text: str, *, is_registered: bool = False) -> bytes | None:
        """The bytecode of a text; with `is_registered` only if the package has all dialects in it."""
        question = b"write registered" if is_registered else b"write"
        answer = self.ask(question, text.encode("utf-8", "surrogateescape"))
        return answer[1] if answer is not None and answer[0] == b"ok" else None


def first_line(text: str) -> str:
    """Returns the first line with an error, without the location."""
    lines = [line for line in text.splitlines() if "error" in line] or text.strip().splitlines()
    return re.sub(r"^.*?error: ", "", lines[0])[:240] if lines else ""


@functools.cache
def peers() -> dict[str, Tool | Package]:
    """Returns all tools and packages that are installed."""
    available: dict[str, Tool | Package] = {}
    for name, release in TOOLS.items():
        if oracles.find(release) is not None:
            available[name] = Tool(release)
    for name, package in PACKAGES.items():
        python = os.environ.get(f"MLIRBC_{package.upper()}_PYTHON", sys.executable)
        peer = Package(python, package)
        if peer.print(b"module {}")[0] is not None:
            available[name] = peer
    for name, package in OLDER.items():
        older = os.environ.get(f"MLIRBC_{re.sub(r'[-.]', '_', name).upper()}_PYTHON")
        if older is not None:
            available[name] = peer = Package(older, package)
            if peer.print(b"module {}")[0] is None:
                raise SystemExit(f"{older} does not have {package}")
    return available


@functools.cache
def command() -> str:
    """The command `mlirbc`."""
    beside = shutil.which("mlirbc", path=str(Path(sys.executable).parent))
    path = os.environ.get("MLIRBC_COMMAND") or beside or shutil.which("mlirbc")
    if path is None:
        raise SystemExit("no mlirbc; install it or set MLIRBC_COMMAND")
    return path


# ---- one cell ----


def make(module: Module, version: int) -> BytecodeFile | None:
    """Returns the module as its `mlir-opt` writes it."""
    args = [*oracles.emit_args(module.release, version), *module.flags]
    output = oracles.run_mlir_opt(module.release, args, Path(module.path.name), cwd=module.path.parent)
    if output.status != 0:
        return None
    producer = f"llvm-{module.release}"
    text, _ = peers()[producer].print(output.stdout)
    return None if text is None else BytecodeFile(module.name, producer, version, output.stdout, text)


def remake(file: BytecodeFile, producer: str) -> BytecodeFile | None:
    """Returns the module written by a Python package, which reads the text and writes version 6."""
    peer = peers()[producer]
    assert isinstance(peer, Package)
    data = peer.write(file.text)
    if not data:
        return None
    text, _ = peer.print(data)
    return None if text is None else BytecodeFile(file.module, producer, 6, data, text)


def convert(data: bytes, target: str, *more: str) -> tuple[bytes | None, str]:
    """Converts a file; returns its bytes, or none and the message."""
    with tempfile.TemporaryDirectory() as folder:
        source, output = Path(folder) / "in.mlirbc", Path(folder) / "out.mlirbc"
        source.write_bytes(data)
        words = [command(), "convert", str(source), "--target", target, "-o", str(output), *more]
        # CIRCT has only `builtin` among upstream's dialects.
        words += ["--schemas", str(DATA / "circt.json")]
        done = subprocess.run(words, capture_output=True, check=False, timeout=120)
        if done.returncode != 0:
            complaint = " ".join(done.stderr.decode("utf-8", "replace").split())
            return None, complaint[:400]
        return output.read_bytes(), done.stderr.decode("utf-8", "replace")


def is_same(file: BytecodeFile, consumer: str, text: str, *, has_ranges: bool = True) -> str:
    """Nothing, or the first difference."""
    try:
        mine = spelling.normal(file.text, file.producer, consumer, has_ranges=has_ranges)
        theirs = spelling.normal(text, consumer, file.producer, has_ranges=has_ranges)
    except generic_text.GenericTextError as error:
        return f"text that cannot be compared: {error}"
    for one, other in zip(mine, theirs, strict=False):
        if one != other:
            parts = [f"{a}  |  {b}" for a, b in zip(one, other, strict=True) if a != b]
            return f"{one[0]}: {'; '.join(parts)}"
    return "" if len(mine) == len(theirs) else f"{len(mine)} ops, {len(theirs)} ops"


def read(
    file: BytecodeFile, consumer: str, data: bytes, *, has_ranges: bool = True, is_strict: bool = False
) -> tuple[str, str]:
    text, complaint = peers()[consumer].print(data, is_strict=is_strict)
    if text is None:
        return "refused", complaint
    difference = is_same(file, consumer, text, has_ranges=has_ranges)
    return ("misread", difference) if difference else ("accepted", "")


def direct(file: BytecodeFile, consumer: str) -> Cell:
    return Cell(file, consumer, "direct", *read(file, consumer, file.data))


def through(file: BytecodeFile, consumer: str, target: str | None = None) -> Cell:
    way = target or "through"
    target = target or consumer
    data, complaint = convert(file.data, target)
    if data is not None:
        return Cell(file, consumer, way, *read(file, consumer, data))
    data, _ = convert(file.data, target, "--drop-unsupported")
    if data is not None and read(file, consumer, data)[0] == "accepted":
        return Cell(file, consumer, way, "on request", complaint)
    return Cell(file, consumer, way, "reported", complaint)


def produced(module: Module, versions: Iterable[int]) -> Iterator[BytecodeFile]:
    """All files of one module: in each version, and by the packages from the newest of LLVM's."""
    last = None
    for version in oracles.versions(module.release):
        if version in module.versions and version in versions:
            file = make(module, version)
            if file is not None:
                yield file
                last = file
    if last is not None and module.release == TOOLS[NEWEST]:
        for name in PACKAGES:
            if name in peers() and (file := remake(last, name)):
                yield file


def cells(
    module: Module, versions: Iterable[int], ways: Iterable[str], consumers: Iterable[str] | None = None
) -> list[Cell]:
    """Each file of a module with each consumer."""
    results = []
    for file in produced(module, versions):
        for consumer in consumers or peers():
            if consumer not in peers():
                continue
            if "direct" in ways:
                results.append(direct(file, consumer))
            if "through" in ways:
                results.append(through(file, consumer))
            if "any" in ways:
                results.append(through(file, consumer, "any"))
    return results


def table(results: list[Cell], way: str) -> str:
    """Markdown: by producer and version, and consumer, how many files had which outcome."""
    mine = [cell for cell in results if cell.way == way]
    counts = Counter((cell.file.producer, cell.file.version, cell.consumer, cell.outcome) for cell in mine)
    rows = sorted({(cell.file.producer, cell.file.version) for cell in mine})
    consumers = [name for name in (*TOOLS, *PACKAGES) if any(cell.consumer == name for cell in mine)]
    shown = [outcome for outcome in OUTCOMES if any(cell.outcome == outcome for cell in mine)]
    lines = [f"| {way}: {' / '.join(shown)} | " + " | ".join(consumers) + " |"]
    lines.append("|---" * (len(consumers) + 1) + "|")
    for producer, version in rows:
        texts = [" / ".join(str(counts[producer, version, c, o]) for o in shown) for c in consumers]
        lines.append(f"| {producer} v{version} | " + " | ".join(texts) + " |")
    return "\n".join(lines)


def share(results: list[Cell], way: str, among: Iterable[str], *, is_other: bool = True) -> str:
    """How much of each other's files they read."""
    names = set(among)
    mine = [
        cell
        for cell in results
        if cell.way == way and cell.file.producer in names and cell.consumer in names
        if not is_other or cell.file.producer != cell.consumer
    ]
    good = sum(cell.outcome in ("accepted", "on request") for cell in mine)
    wrong = sum(cell.outcome == "misread" for cell in mine)
    return f"{way}: {good} of {len(mine)} read ({100 * good / max(1, len(mine)):.1f} %), {wrong} misread"


def main() -> int:
    if any(word.partition("=")[0] == "--texts" for word in sys.argv[1:]):
        from support import acceptance_texts

        return acceptance_texts.main(sys.argv[1:])
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("modules", nargs="*", help="beginnings of the names of modules; all by default")
    parser.add_argument("--versions", type=int, nargs="+", default=list(range(7)))
    parser.add_argument("--releases", type=int, nargs="+", default=list(TOOLS.values()))
    parser.add_argument("--consumers", nargs="+", help="their names; all by default")
    parser.add_argument("--ways", nargs="+", default=["direct", "through"], help="direct, through, any")
    parser.add_argument("--minutes", type=float, default=600, help="begin nothing new after that")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--list", action="store_true", help="name what is not accepted, and why")
    arguments = parser.parse_args()
    selected = [
        module
        for module in modules()
        if module.release in arguments.releases and f"llvm-{module.release}" in peers()
        if not arguments.modules or module.name.startswith(tuple(arguments.modules))
    ]
    cells_of = functools.partial(
        cells, versions=arguments.versions, ways=arguments.ways, consumers=arguments.consumers
    )
    end = time.monotonic() + 60 * arguments.minutes

    def in_time(module: Module) -> list[Cell]:
        return cells_of(module) if time.monotonic() < end else []

    with ThreadPoolExecutor(arguments.jobs) as pool:
        results = [cell for some in pool.map(in_time, selected) for cell in some]
    if time.monotonic() >= end:
        print(f"Only {len({cell.file.module for cell in results})} of the modules: there was no more time.\n")
    for peer in peers().values():
        if isinstance(peer, Package):
            peer.close()
    living = [name for name in (NEWEST, *PACKAGES) if name in peers()]
    for way in arguments.ways:
        print(table(results, way))
        print()
        print(f"All of each other's files, {share(results, way, peers())}")
        print(f"{', '.join(living)} of each other's files, {share(results, way, living)}")
        print()
    if arguments.list:
        for cell in results:
            if cell.outcome != "accepted" and cell.way != "direct":
                file = cell.file
                print(
                    f"{file.module} {file.producer} v{file.version} -> {cell.consumer}, {cell.way}: ", end=""
                )
                print(f"{cell.outcome}: {cell.reason}".encode("utf-8", "replace").decode())
    return 1 if any(cell.outcome == "misread" for cell in results if cell.way != "direct") else 0


if __name__ == "__main__":
    sys.exit(main())
