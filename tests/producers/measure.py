"""Measures mlirbc with the files of one build, in a process that may end over a case and is started again.

Results are lines of JSON, one when a case begins and one when it is done, so an interrupted measurement goes
on where it stopped. The first line is a stamp of the mlirbc that is measured; with another mlirbc, all cases
are measured again.
"""

from __future__ import annotations

import argparse
import contextlib
import faulthandler
import hashlib
import json
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple, TypedDict

import mlirbc._mlirbc
from mlirbc._mlirbc import run_cli

from producers import differences
from producers.bindings import NEWEST
from producers.fetch import Build, Installed
from producers.files import OLD_VERSIONS, Case, Files
from producers.producer import Crashed, Producer, Refused

EVERYTHING = "everything"
PATIENCE = 300
"""Seconds after which a case that does not end is given up."""


class Verdict(TypedDict, total=False):
    """The result of a check: a word, the operations that it is about, and the message."""

    verdict: str
    operations: list[str]
    message: str


class Output(NamedTuple):
    """The results of a command of mlirbc: its exit status, its standard error, and the file that it wrote."""

    status: int
    messages: str
    data: bytes

    @property
    def is_silent(self) -> bool:
        return self.status == 0 and not self.messages


class Commands:
    """Runs commands of mlirbc in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def run(self, *words: str, text: bytes = b"") -> Output:
        """Runs a command in the folder that reads `text` from standard input and writes `out`."""
        out = self.folder / "out"
        out.unlink(missing_ok=True)
        (self.folder / "stdin").write_bytes(text)
        notes = self.folder / "stderr"
        with contextlib.ExitStack() as stack:
            stdin = stack.enter_context(open(self.folder / "stdin", "rb"))
            stderr = stack.enter_context(open(notes, "wb"))
            for target, descriptor in (stdin, 0), (stderr, 1), (stderr, 2):
                stack.enter_context(redirected(target.fileno(), descriptor))
            status = run_cli(["mlirbc", *words])
        messages = notes.read_text("utf-8", "replace")
        return Output(status, messages, out.read_bytes() if out.exists() else b"")


@contextlib.contextmanager
def redirected(target: int, descriptor: int) -> Iterator[None]:
    """Redirects a descriptor to another one."""
    before = os.dup(descriptor)
    os.dup2(target, descriptor)
    try:
        yield
    finally:
        os.dup2(before, descriptor)
        os.close(before)


class Comparison:
    """Compares one case after the other."""

    def __init__(self, producer: Producer, commands: Commands, examples: differences.Examples) -> None:
        self.producer = producer
        self.commands = commands
        self.examples = examples

    def compare(self, case: Case) -> dict[str, Verdict]:
        """The verdict of each check."""
        self.case = case
        folder = self.commands.folder
        (folder / "in.mlirbc").write_bytes(case.bytecode)
        # `--quiet` is left out, because messages about errors are results.
        verified = self.commands.run("verify", "in.mlirbc")
        verdicts = {"verified": self._accepted(verified, "verify")}
        for check in "generic", "custom", "generic with locations", "custom with locations":
            form, _, located = check.partition(" ")
            options = ["--generic"] * (form == "generic") + ["--locations"] * bool(located)
            printed = self.commands.run("print", *options, "in.mlirbc", "-o", "out")
            verdicts[check] = self._same_text(printed, check)
        canonical = self.commands.run("convert", "--canonical", "in.mlirbc", "-o", "out")
        verdicts["canonical"] = self._same_bytes(canonical)
        verdicts["canonical, read"] = self._read(canonical, case.products[NEWEST], "canonical")
        for version in (*OLD_VERSIONS, newest(case.bytecode)):
            written = self.commands.run("convert", "--bytecode-version", version, "in.mlirbc", "-o", "out")
            counted = version if version in OLD_VERSIONS else NEWEST
            verdicts[f"version {counted}, read"] = self._read(
                written, case.products[counted], f"version-{counted}"
            )
        for form in "custom", "generic":
            text = case.products[f"{form} with locations"]
            written = self.commands.run("assemble", "--like", "in.mlirbc", "-", "-o", "out", text=text)
            verdicts[f"assembled {form}, read"] = self._read(written, text, f"assembled-{form}")
        return verdicts

    def _accepted(self, output: Output, check: str) -> Verdict:
        if output.status == 0:
            return {"verdict": "same"}
        return self._kept("said", check, differences.mentioned(output.messages), output.messages, {})

    def _same_text(self, printed: Output, check: str) -> Verdict:
        theirs = self.case.products[check]
        if printed.data.strip() == theirs.strip():
            return {"verdict": "same"}
        difference = differences.lines(theirs, printed.data)
        texts = {"producer.mlir": theirs, "mlirbc.mlir": printed.data}
        verdict = "other" if printed.status == 0 else "said"
        return self._kept(verdict, check, differences.operations(difference), "\n".join(difference), texts)

    def _same_bytes(self, written: Output) -> Verdict:
        if written.data == self.case.products[NEWEST]:
            return {"verdict": "same"}
        if written.status != 0:
            return self._kept(
                "said", "canonical", differences.mentioned(written.messages), written.messages, {}
            )
        return {"verdict": "other", "operations": []}

    def _read(self, written: Output, build_file: bytes, check: str) -> Verdict:
        """Compares the build's reading of a file of mlirbc with its reading of its own text or file."""
        if written.status != 0:
            return self._kept("said", check, differences.mentioned(written.messages), written.messages, {})
        if written.data in (build_file, self.case.bytecode):
            return {"verdict": "same"}
        files = {"mlirbc.mlirbc": written.data, "own": build_file}
        silent = not written.messages
        try:
            mine = self._everything(written.data)
        except Refused as error:
            try:
                self._everything(build_file)
            except Refused:
                return {"verdict": "same", "message": "the build does not read its own"}
            verdict = "crashed" if isinstance(error, Crashed) else "refused"
            message = f"{error}\n{written.messages}"
            names = differences.mentioned(str(error))
            return self._kept(verdict if silent else "said", check, names, message, files)
        theirs = self.case.products[EVERYTHING]
        if mine != theirs:
            with contextlib.suppress(Refused):
                theirs = self._everything(build_file)
        if mine == theirs:
            return {"verdict": "same"}
        difference = differences.lines(theirs, mine)
        files |= {"producer.mlir": theirs, "read.mlir": mine}
        message = "\n".join([*difference, written.messages])
        names = differences.operations(difference)
        return self._kept("other" if silent else "said", check, names, message, files)

    def _everything(self, data: bytes) -> bytes:
        return self.producer.products(data, EVERYTHING)[0]

    def _kept(
        self, verdict: str, check: str, names: list[str], message: str, files: dict[str, bytes]
    ) -> Verdict:
        """A verdict that is no success; the files of the first few of a kind are kept."""
        all_files = {"file.mlirbc": self.case.bytecode, "message.txt": message.encode(), **files}
        self.examples.keep(f"{check}.{verdict}", names, self.case.name, len(self.case.bytecode), all_files)
        return {"verdict": verdict, "operations": names, "message": message[:600]}


def newest(bytecode: bytes) -> str:
    """The version of a file, which is the byte after the magic number, twice as large and odd."""
    return str(bytecode[4] >> 1)


def stamp() -> str:
    """A digest of the extension module."""
    return hashlib.sha256(Path(mlirbc._mlirbc.__file__).read_bytes()).hexdigest()


class Results:
    """The lines of a file of results."""

    def __init__(self, path: Path) -> None:
        self.path = path
        rows = [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []
        if not rows or rows[0] != {"mlirbc": stamp()}:
            path.write_text("")
            rows = []
            self.append({"mlirbc": stamp()})
        self.done = {row["case"] for row in rows if "checks" in row}
        begun = [row["begin"] for row in rows if "begin" in row]
        if begun and begun[-1] not in self.done:
            # The process ended over it.
            self.append({"case": begun[-1], "checks": {"mlirbc": {"verdict": "crashed"}}})
            self.done.add(begun[-1])

    def append(self, row: object) -> None:
        with open(self.path, "a") as file:
            file.write(json.dumps(row) + "\n")


def main() -> None:
    parser = argparse.ArgumentParser(prog="producers.measure")
    parser.add_argument("--package", required=True)
    parser.add_argument("--version", required=True)
    for name in ("--site", "--python", "--database", "--names", "--results"):
        parser.add_argument(name, type=Path, required=True)
    options = parser.parse_args()
    results = Results(options.results / "cases.jsonl")
    files = Files(options.database)
    installed = Installed(Build(options.package, options.version), options.site, options.python)
    producer = Producer(installed, options.results / "producer.log")
    examples = differences.Examples(options.results / "examples")
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        comparison = Comparison(producer, Commands(Path(folder)), examples)
        for name in options.names.read_text().split():
            if name in results.done:
                continue
            case = files.case(name)
            if isinstance(case, str):
                continue
            faulthandler.dump_traceback_later(PATIENCE, exit=True)
            results.append({"begin": name})
            results.append({"case": name, "size": len(case.bytecode), "checks": comparison.compare(case)})
            faulthandler.cancel_dump_traceback_later()
    producer.close()


if __name__ == "__main__":
    main()
