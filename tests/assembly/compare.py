"""Compares mlirbc with MLIR on the cases of a corpus.

Of each case: `printed`, the custom text of the bytecode; `generic`, its generic text; `bytes`, those of the
text; `again`, the module of the custom text that mlirbc prints; `lossless`, the module of its lossless text,
which must be that of the file. Modules are compared in canonical form without locations. Where MLIR itself
makes another module of a text, its module is the one to compare with. Text that differs from MLIR's must be
accepted by MLIR.
"""

from __future__ import annotations

import argparse
import collections
import contextlib
import difflib
import multiprocessing
import os
import re
import tempfile
import warnings
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple, Protocol

import mlirbc
from mlirbc._mlirbc import run_cli

from assembly import readers
from assembly.products import Refused

GENERIC_NAME = re.compile(r'^ *(?:%[^=]*= )?"([A-Za-z_0-9]+\.[^"]*)"\(', re.MULTILINE)
CUSTOM_NAME = re.compile(r'^ *(?:%[^=]*? = )?(?:"([^"]*)"\(|([A-Za-z_][\w.$]*)|(.{1,12}))')

CHECKS = ("printed", "generic", "bytes", "again", "lossless")


class Case(NamedTuple):
    """A row of `cases.tsv` in a folder of cases of a release."""

    folder: Path
    release: str
    name: str
    file: str
    lines: int

    def read(self, suffix: str) -> bytes:
        return (self.folder / f"{self.name}.{suffix}").read_bytes()


class CaseDifferences(NamedTuple):
    """The differences of a case by check, each with the names of operations and a description."""

    name: str
    is_of_test_dialect: bool
    operations: collections.Counter[str]
    unsupported: collections.Counter[str]
    differing: collections.Counter[str]
    differences: dict[str, tuple[list[str], str]]


def canonical(module: mlirbc.Module) -> bytes:
    return bytes(module.write(numbering="canonical", strip_locations=True, producer="p"))


def lines(text: bytes) -> list[str]:
    return text.decode("utf-8", "backslashreplace").rstrip("\n").split("\n")


def changed(before: list[str], after: list[str]) -> list[str]:
    return list(difflib.unified_diff(before, after, "mlir", "mlirbc", lineterm="", n=0))[2:]


def names_of(difference: list[str]) -> collections.Counter[str]:
    """The operations in the lines that MLIR prints and mlirbc does not."""
    names: collections.Counter[str] = collections.Counter()
    for line in difference:
        if line.startswith("-") and (match := CUSTOM_NAME.match(line[1:])):
            names[match[1] or match[2] or match[3]] += 1
    return names


class Comparison:
    """Compares one case after the other."""

    def __init__(self, case: Case) -> None:
        self.case = case
        self.differences: dict[str, tuple[list[str], str]] = {}
        self.data = case.read("mlirbc")
        self.module = mlirbc.read(self.data, release=case.release)
        self.custom = case.read("custom")

    def compare(self) -> CaseDifferences:
        generic = self.case.read("generic").decode("utf-8", "backslashreplace")
        operations = collections.Counter(GENERIC_NAME.findall(generic))
        self._attempt("generic", self._generic)
        self._attempt("bytes", self._bytes)
        self._attempt("printed", self._printed)
        self._attempt("again", lambda: self._text("again", lossless=False))
        self._attempt("lossless", lambda: self._text("lossless", lossless=True))
        is_test = is_of_test_dialect(operations, generic)
        return CaseDifferences(
            self.case.name, is_test, operations, self.unsupported, self.differing, self.differences
        )

    def _attempt(self, check: str, run: Callable[[], None]) -> None:
        try:
            run()
        except mlirbc.Error as error:
            self.differences[check] = operations_of(error), str(error)[:1500]

    def _generic(self) -> None:
        mine = self.module.operation.get_asm(binary=True, print_generic_op_form=True)
        # MLIR may print a text in another way than the file with the same module.
        if lines(mine) != lines(self.case.read("generic")):
            try:
                theirs = reader_of(self.case.release).generic(self.data)
            except Refused:
                theirs = self.case.read("generic")
            self._same_lines("generic", theirs, mine)

    def _printed(self) -> None:
        self.unsupported: collections.Counter[str] = collections.Counter()
        self.differing: collections.Counter[str] = collections.Counter()
        mine = self.module.operation.get_asm(binary=True)
        if lines(mine) == lines(self.custom):
            return
        # MLIR refuses a few of its own files.
        with contextlib.suppress(Refused):
            self.custom = reader_of(self.case.release).custom(self.data)
        names = [
            collections.Counter(GENERIC_NAME.findall("\n".join(lines(text)))) for text in (mine, self.custom)
        ]
        self.unsupported = names[0] - names[1]
        difference = self._same_lines("printed", self.custom, mine)
        self.differing = names_of(difference)
        if difference and self._refuses(mine) and not self._refuses(self.custom):
            names_found, description = self.differences["printed"]
            self.differences["printed"] = names_found, f"REFUSED BY MLIR\n{description}"

    def _same_lines(self, check: str, theirs: bytes, mine: bytes) -> list[str]:
        difference = changed(lines(theirs), lines(mine))
        if difference:
            self.differences[check] = sorted(names_of(difference)), "\n".join(difference)
        return difference

    def _bytes(self) -> None:
        text, release, file = self.case.read("mlir"), self.case.release, self.case.file
        # Before release 22 the lines before a part belong to it.
        is_part = self.case.lines > 0 and not file.startswith("within split at ")
        text = text if is_part else b"\n" * self.case.lines + text
        # This raises an error if the text is wrong.
        module = mlirbc.parse(text, target=release, file=file)
        if is_part:
            written = assembled_at(text, release, file, self.case.lines)
        else:
            written = bytes(module.write(numbering="canonical"))
        if written != self.data:
            mine = mlirbc.read(written, release=release)
            self._same_module("bytes", self.module, mine, locations=True)

    def _text(self, check: str, *, lossless: bool) -> None:
        text = self.module.operation.get_asm(binary=True, lossless=lossless)
        try:
            mine = mlirbc.parse(text, target=self.case.release)
        except mlirbc.Error:
            # MLIR prints text that it cannot read.
            if not lossless and "printed" not in self.differences and self._refuses(text):
                return
            raise
        if canonical(mine) == canonical(self.module):
            return
        try:
            theirs = reader_of(self.case.release).bytecode(text)
        except Refused as error:
            self.differences[check] = [], f"REFUSED BY MLIR: {error}"
            return
        reference = mlirbc.read(theirs, release=self.case.release)
        if canonical(mine) != canonical(reference):
            self._same_module(check, reference, mine, locations=False)
        elif lossless:
            before, after = (generic_lines(module, locations=False) for module in (self.module, mine))
            # A text has no orders of uses, which MLIR restores from a file only.
            if difference := changed(before, after):
                self.differences[check] = sorted(names_of(difference)), "LOST\n" + "\n".join(difference)

    def _refuses(self, text: bytes) -> bool:
        try:
            reader_of(self.case.release).bytecode(text)
        except Refused:
            return True
        return False

    def _same_module(
        self, check: str, theirs: mlirbc.Module, mine: mlirbc.Module, *, locations: bool
    ) -> None:
        before, after = (generic_lines(module, locations) for module in (theirs, mine))
        difference = changed(before, after)
        description = "\n".join(difference) or "only bytes"
        self.differences[check] = sorted(names_of(difference)) or ["(only bytes)"], description


def assembled_at(text: bytes, release: str, file: str, lines: int) -> bytes:
    """The bytes that `mlirbc assemble --split` writes for a part of a text, which is after so many lines."""
    with tempfile.TemporaryDirectory() as folder:
        # The name of a file is in locations as it is given.
        before = os.getcwd()
        os.chdir(folder)
        try:
            Path(file).write_bytes(b"\n" * (lines - 1) + b"// -----\n" + text)
            status = run_cli(["mlirbc", "assemble", "--split", "--target", release, file, "-o", "out"])
            assert status == 0, f"`mlirbc assemble` ends with status {status}"
            return Path("out", f"{Path(file).stem}.1.mlirbc").read_bytes()
        finally:
            os.chdir(before)


def generic_lines(module: mlirbc.Module, locations: bool) -> list[str]:
    return lines(
        module.operation.get_asm(
            binary=True, print_generic_op_form=True, use_local_scope=True, enable_debug_info=locations
        )
    )


def operations_of(error: mlirbc.Error) -> list[str]:
    """The operation in the line of a text that an error shows, or the beginning of its message."""
    text = str(error)
    shown = next((line for line in text.split("\n")[1:] if line.strip()), "")
    match = CUSTOM_NAME.match(shown)
    return [match[1] or match[2] or match[3]] if match else [error.identifier]


_READERS: dict[str, readers.Reader] = {}
_BUILDS: dict[str, str] = {}
"""The build that made a corpus, by the release of the pack that is compared with it."""


def name_reader(release: str, reader: str) -> None:
    """Lets a build or a program read the texts of a release."""
    _BUILDS[release] = reader


def reader_of(release: str) -> readers.Reader:
    if release not in _READERS:
        _READERS[release] = readers.reader(_BUILDS.get(release, release))
    return _READERS[release]


def compare(case: Case) -> CaseDifferences:
    warnings.simplefilter("ignore")
    return Comparison(case).compare()


def is_of_test_dialect(operations: Iterable[str], generic: str) -> bool:
    """Whether anything of LLVM's test dialect occurs, or of its test extensions of other dialects."""
    starts = ("test.", "transform.test.", "transform.test_")
    return "#test." in generic or "!test." in generic or any(name.startswith(starts) for name in operations)


def table(done: list[CaseDifferences]) -> str:
    kinds: dict[str, set[str]] = collections.defaultdict(set)
    generic: dict[str, set[str]] = collections.defaultdict(set)
    total: collections.Counter[str] = collections.Counter()
    equal: collections.Counter[str] = collections.Counter()
    for result in done:
        for name, count in result.operations.items():
            dialect = name.split(".")[0]
            kinds[dialect].add(name)
            if result.unsupported[name]:
                generic[dialect].add(name)
            total[dialect] += count
            short = name.partition(".")[2]
            bad = max(result.unsupported[name], result.differing[name], result.differing[short])
            equal[dialect] += max(0, count - bad)
    rows = ["| dialect | operations | in custom form | occurrences equal | total |", "|---|---|---|---|---|"]
    for dialect in sorted(kinds, key=lambda name: (-total[name], name)):
        custom = len(kinds[dialect] - generic[dialect])
        rows.append(f"| {dialect} | {len(kinds[dialect])} | {custom} | {equal[dialect]} | {total[dialect]} |")
    return "\n".join(rows)


def cases_of(folder: Path, only: str) -> list[Case]:
    release = (folder / "release.txt").read_text().strip()
    rows = (row.split("\t") for row in (folder / "cases.tsv").read_text().splitlines())
    return [Case(folder, release, name, file, int(before)) for name, file, before in rows if only in name]


def main(words: list[str]) -> None:
    parser = argparse.ArgumentParser(prog="scripts/assembly", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", default="", help="only cases whose names contain this")
    parser.add_argument("--names", type=Path, metavar="FILE", help="only the cases that a file lists")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument(
        "--differences", type=Path, metavar="FILE", help="write every difference to this file"
    )
    parser.add_argument(
        "--pack", type=Path, action="append", default=[], help="a pack with the release of the corpus"
    )
    parser.add_argument(
        "--release", help="the release by which mlirbc reads, if it is not that of the corpus"
    )
    parser.add_argument("--table", action="store_true", help="print the table by dialect")
    parser.add_argument("--all", action="store_true", help="also cases with operations of the dialect `test`")
    options = parser.parse_args(words)
    for pack in options.pack:
        mlirbc.dialects.load(pack)
    cases = cases_of(options.folder.resolve(), options.only)
    if options.names is not None:
        names = set(options.names.read_text().split())
        cases = [case for case in cases if case.name in names]
    # Here, because a worker that ended for want of a reader would be replaced for ever.
    for release in {case.release for case in cases}:
        readers.reader(release)
    if options.release is not None:
        _BUILDS.update((options.release, case.release) for case in cases)
        cases = [case._replace(release=options.release) for case in cases]
    with multiprocessing.Pool(options.processes) as pool:
        done = list(pool.imap(compare, cases, chunksize=16))
    if not options.all:
        done = [result for result in done if not result.is_of_test_dialect]
    if options.differences is not None:
        options.differences.write_text("".join(described(result) for result in done))
    for check in CHECKS:
        report(check, done)
    if options.table:
        print(table(done))
    for check in CHECKS:
        equal = sum(check not in result.differences for result in done)
        print(f"{check:9} {equal} of {len(done)} cases are equal ({100 * equal / max(1, len(done)):.2f} %)")


def report(check: str, done: list[CaseDifferences]) -> None:
    """The operations of a check that differ, by the number of cases."""
    by_operation: dict[str, list[str]] = collections.defaultdict(list)
    for result in done:
        for name in result.differences.get(check, ([], ""))[0]:
            by_operation[name].append(result.name)
    for name, names in sorted(by_operation.items(), key=lambda item: (-len(item[1]), item[0])):
        print(f"{check:9} {len(names):5} {name}  {' '.join(names[:2])}")


class NamedDifferences(Protocol):
    """The differences of a case, by check."""

    @property
    def name(self) -> str: ...
    @property
    def differences(self) -> dict[str, tuple[list[str], str]]: ...


def described(result: NamedDifferences) -> str:
    return "".join(
        f"=== {result.name} {check} [{' '.join(names)}]\n{text[:4000]}\n"
        for check, (names, text) in result.differences.items()
    )
