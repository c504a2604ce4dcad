"""MLIR as the reader of texts: `mlir-opt` of a release, or the Python bindings of a build."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Protocol

from assembly import bindings
from assembly.builds import BuildReader
from assembly.products import Products, Refused, first_line
from support import oracles
from support.jaxlib_oracle import receive, send


class Reader(Protocol):
    """MLIR as a reader of texts and bytecode."""

    def products(self, texts: list[bytes]) -> list[Products | str]:
        """The products of each text, or why MLIR refuses it."""

    def bytecode(self, text: bytes) -> bytes:
        """The bytecode that MLIR writes for a text; raises `Refused`."""

    def custom(self, bytecode: bytes) -> bytes:
        """The text that MLIR prints for a file; raises `Refused`."""

    def generic(self, bytecode: bytes) -> bytes:
        """As `custom`, in generic form."""


class MlirOpt:
    """`mlir-opt` of a release, which reads many texts in a process: starting one takes longer than a text."""

    def __init__(self, release: int, program: str | None = None) -> None:
        self.release = release
        self.program = program

    def bytecode(self, text: bytes) -> bytes:
        return self._run(["--emit-bytecode"], text)

    def custom(self, bytecode: bytes) -> bytes:
        return self._run([], bytecode)

    def generic(self, bytecode: bytes) -> bytes:
        return self._run(["--mlir-print-op-generic"], bytecode)

    def products(self, texts: list[bytes]) -> list[Products | str]:
        joined = b"\n// -----\n".join(texts)
        separator = b"\n// -----\n" if self.release == 16 else b"// -----\n"
        all_outputs, errors = [], ""
        for args in ["--emit-bytecode"], [], ["--mlir-print-op-generic"]:
            try:
                done = self._start([*args, "--split-input-file"], joined)
            except Refused as error:
                done, errors = None, str(error)
            outputs = done.stdout.split(separator) if done and done.status in (0, 1) else []
            if done and not outputs:
                errors = f"ends its process: {first_line(done.stderr)}"
            elif done:
                errors = errors or done.stderr
            if len(outputs) != len(texts):
                # MLIR ended over a text, or a text has a separator in it.
                if len(texts) == 1:
                    return [errors or "has a separator"]
                return [result for text in texts for result in self.products([text])]
            all_outputs.append(outputs)
        all_products: list[Products | str] = []
        line = 1
        for text, bytecode, custom, generic in zip(texts, *all_outputs, strict=True):
            if bytecode and custom.strip() and generic.strip():
                file, lines = "<stdin>", line - 1
                if self.release == 16 or (self.release < 22 and len(texts) > 1):
                    # A part begins with the end of the line that has the mark before it.
                    mark = max(line - 1, 1)
                    file, lines = f"within split at <stdin>:{mark} offset ", line - mark
                all_products.append(Products(bytecode, custom, generic, file, lines))
            else:
                all_products.append(self._reason(errors, line, line + text.count(b"\n")))
            line += text.count(b"\n") + 2
        return all_products

    def _reason(self, errors: str, first: int, last: int) -> str:
        """The first error between two lines of the joined text."""
        if self.release < 22:
            mark = max(first - 1, 1)
            match = re.search(rf"(?m)^within split at <stdin>:{mark} offset :(.*error: .*)$", errors)
            return match[1] if match else "unknown"
        for error in re.finditer(r"(?m)^<stdin>:(\d+):(\d+: error: .*)$", errors):
            if first <= int(error[1]) <= last:
                return f"{int(error[1]) - first + 1}:{error[2]}"
        return "unknown"

    def _run(self, args: list[str], data: bytes) -> bytes:
        done = self._start(args, data)
        if done.status != 0:
            raise Refused(first_line(done.stderr))
        return done.stdout

    def _start(self, args: list[str], data: bytes) -> oracles.Output:
        if self.program is not None:
            command = [self.program, "--allow-unregistered-dialect", *args, "-"]
            done = subprocess.run(command, input=data, capture_output=True, check=False)
            return oracles.Output(done.returncode, done.stdout, done.stderr.decode("utf-8", "replace"))
        try:
            return oracles.run_mlir_opt(self.release, ["--allow-unregistered-dialect", *args], data)
        except subprocess.TimeoutExpired as error:
            raise Refused("does not end") from error


class Bindings:
    """The Python bindings of a build, in a process that is started again when MLIR ends it."""

    def __init__(self, python: str) -> None:
        self.command = [python, str(Path(bindings.__file__))]
        self.process: subprocess.Popen[bytes] | None = None

    def bytecode(self, text: bytes) -> bytes:
        return self._ask("bytecode", text)

    def custom(self, bytecode: bytes) -> bytes:
        return self._ask("custom", bytecode)

    def generic(self, bytecode: bytes) -> bytes:
        return self._ask("generic", bytecode)

    def products(self, texts: list[bytes]) -> list[Products | str]:
        all_products: list[Products | str] = []
        for text in texts:
            # A context renames resources whose names it has already.
            must_be_alone = b"resource" in text
            try:
                bytecode = self.bytecode(text)
                if must_be_alone:
                    self._end()
                custom = self.custom(bytecode)
                if must_be_alone:
                    self._end()
                generic = self.generic(bytecode)
                all_products.append(Products(bytecode, custom, generic, "-", 0))
            except Refused as error:
                all_products.append(str(error))
            if must_be_alone:
                self._end()
        return all_products

    def _end(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None

    def _ask(self, question: str, data: bytes) -> bytes:
        if self.process is None:
            pipe = subprocess.PIPE
            self.process = subprocess.Popen(self.command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL)
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        try:
            send(self.process.stdin, question.encode())
            send(self.process.stdin, data)
            status, answer = (receive(self.process.stdout) for _ in range(2))
        except BrokenPipeError:
            status = answer = None
        if status is None or answer is None:
            self._end()
            raise Refused("ends its process")
        if status != b"ok":
            raise Refused(first_line(answer.decode("utf-8", "replace")))
        return answer


INTERPRETERS = {"jaxlib-0.10": "MLIRBC_JAX_PYTHON", "iree-3.13": "MLIRBC_IREE_PYTHON"}
"""Builds that an interpreter has whose name is in a variable; others are installed."""


def reader(release: str) -> Reader:
    """The reader of `llvm-16`, `llvm-19`, `llvm-22`, of a build of a package of PyPI, or of a program."""
    if os.path.sep in release:
        return MlirOpt(22, release)
    family, _, version = release.partition("-")
    if family == "llvm":
        if oracles.find(int(version)) is None:
            raise SystemExit(f"no mlir-opt of LLVM {version}; install it or set MLIRBC_MLIR_OPT_{version}")
        return MlirOpt(int(version))
    python = os.environ.get(INTERPRETERS.get(release, ""))
    if python is not None or release == "jaxlib-0.10":
        return Bindings(python or sys.executable)
    return BuildReader(release)
