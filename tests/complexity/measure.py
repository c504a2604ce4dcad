"""Runs one cell (a family's file, given to a command or to an entry point) and measures it."""

from __future__ import annotations

import json
import os
import re
import resource
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from complexity.build import FAMILIES, Family
from complexity.commands import ASSEMBLE, COMMANDS, TEXT_COMMANDS
from complexity.limits import CPU_SECONDS, MEMORY

HERE = Path(__file__).parent


@dataclass(frozen=True)
class Measure:
    status: str
    """`ok`, the identifier of the error, or how it died."""
    cpu: float
    memory: int
    bytes_in: int
    bytes_out: int


class Machine:
    """Runs cells one after the other, with a folder and a Python process of its own."""

    def __init__(self, files: Path, folder: Path, binary: Path, python: str) -> None:
        self.files, self.folder, self.binary, self.python = files, folder, binary, python
        for created in (files, folder):
            created.mkdir(parents=True, exist_ok=True)
        self._worker: subprocess.Popen[str] | None = None
        self._base = Measure("ok", 0.0, 0, 0, 0)
        self._assembled: set[Path] = set()
        # The measure of an entry point for a file of one operation: `query` starts DuckDB.
        self._bases: dict[str, Measure] = {}

    def __enter__(self) -> Machine:
        trivial = self.folder / "trivial.mlirbc"
        _generate("ops.flat.v6", 1, trivial)
        runs = [self._command(COMMANDS["verify"], trivial, {}) for _ in range(5)]
        self._base = min(runs, key=lambda run: run.cpu)
        return self

    def __exit__(self, *_: object) -> None:
        self._end_worker()

    def file(self, family: str, n: int) -> Path:
        """The file, generated in a process of its own unless it is there."""
        path = self.files / f"{family}.{n}.mlirbc"
        if not path.exists():
            _generate(family, n, path)
        return path

    def assembled(self, family: Family, n: int) -> Path | None:
        """The module of a text, made by the command that is measured; `None` if it cannot make it."""
        text = self.file(family.name, n)
        path = text.with_suffix(".assembled.mlirbc")
        if path not in self._assembled:
            run = self._command(ASSEMBLE, text, {"TARGET": family.target})
            self._assembled.add(path)
            if run.status == "ok":
                (self.folder / "out.mlirbc").rename(path)
        return path if path.exists() else None

    def run(self, entry: str, path: Path, family: str) -> Measure:
        if entry not in COMMANDS and entry not in TEXT_COMMANDS:
            if entry not in self._bases:
                self._bases[entry] = self._entry_point(entry, self.folder / "trivial.mlirbc")
            return _without(self._entry_point(entry, path), self._bases[entry])
        target = FAMILIES[family].target
        places = {"TARGET": target}
        if "LIKE" in TEXT_COMMANDS.get(entry, ()):
            places["LIKE"] = str(self._like(target))
        run = self._command({**COMMANDS, **TEXT_COMMANDS}[entry], path, places)
        return _without(run, self._base)

    def _like(self, target: str) -> Path:
        path = self.folder / f"{target}.mlirbc"
        if not path.exists():
            text = self.folder / "empty.mlir"
            text.write_text("module {}\n")
            self._command(ASSEMBLE, text, {"TARGET": target})
            (self.folder / "out.mlirbc").rename(path)
        return path

    def _command(self, words: Sequence[str], path: Path, places: Mapping[str, str]) -> Measure:
        target, output = self.folder / "out.mlirbc", self.folder / "stdout"
        places = {"FILE": str(path), "OUT": str(target), **places}
        arguments = [str(self.binary), *(places.get(word, word) for word in words)]
        target.unlink(missing_ok=True)
        with output.open("wb") as out, (self.folder / "stderr").open("wb") as err:
            child = subprocess.Popen(arguments, stdout=out, stderr=err, preexec_fn=_limit)
            _, status, usage = os.wait4(child.pid, 0)
            child.returncode = status
        written = output.stat().st_size + (target.stat().st_size if target.exists() else 0)
        os.truncate(output, 0)
        cpu = usage.ru_utime + usage.ru_stime
        return Measure(self._status(status), cpu, usage.ru_maxrss * 1024, path.stat().st_size, written)

    def _status(self, status: int) -> str:
        if os.WIFSIGNALED(status):
            return f"signal {os.WTERMSIG(status)}"
        code = os.waitstatus_to_exitcode(status)
        if code == 0:
            return "ok"
        with (self.folder / "stderr").open("rb") as err:
            text = err.read(1 << 16).decode(errors="replace")
        match = re.search(r"error\[(mlirbc[a-z0-9._]*)\]", text)
        return match[1] if match else f"exit {code}"

    def _entry_point(self, entry: str, path: Path) -> Measure:
        if self._worker is None:
            command = [self.python, "-m", "complexity.worker"]
            self._worker = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert self._worker.stdin is not None
        assert self._worker.stdout is not None
        print(json.dumps({"entry": entry, "path": str(path)}), file=self._worker.stdin, flush=True)
        answer = json.loads(self._worker.stdout.readline())
        size = path.stat().st_size
        return Measure(answer["status"], answer["cpu"], answer["memory"], size, answer["out"])

    def _end_worker(self) -> None:
        if self._worker is not None:
            assert self._worker.stdin is not None
            self._worker.stdin.close()
            self._worker.wait()


def _without(run: Measure, base: Measure) -> Measure:
    memory, cpu = max(0, run.memory - base.memory), max(0.0, run.cpu - base.cpu)
    return Measure(run.status, cpu, memory, run.bytes_in, run.bytes_out)


def _generate(family: str, n: int, path: Path) -> None:
    command = [sys.executable, "-m", "complexity.generate", family, str(n), str(path)]
    subprocess.run(command, check=True)


def _limit() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS + 1))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
