"""Measures a pack on texts and bytecode that the tools of its project wrote; see `scripts/pack-corpus`.

A folder has a file `NAME.custom` for each case, the text that the tool prints, and beside it `NAME.mlirbc`,
`NAME.generic`, or neither. With bytecode, mlirbc prints the bytecode; else it prints the module of the
generic text or, without one, of the custom text itself. Folders of `scripts/assembly make` have both, and
`NAME.mlir`, whose bytecode must be that of the tool.
"""

from __future__ import annotations

import argparse
import collections
import contextlib
import gzip
import json
import multiprocessing
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import mlirbc

from assembly import compare

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "packages/mlirbc-dialects/mlirbc_dialects"
CHECKS = ("printed", "bytes", "again", "verified")


class PackFacts(NamedTuple):
    """A release of a pack, and its operations; the value says whether mlirbc knows the custom form."""

    release: str
    operations: dict[str, bool]


class Measured(NamedTuple):
    """The results of a case: checks that ran, their differences, and operations by number."""

    name: str
    checks: set[str]
    differences: dict[str, tuple[list[str], str]]
    operations: collections.Counter[str]
    equal: collections.Counter[str]
    generic: set[str]


def rows_of(pack: Path) -> Iterator[dict[str, Any]]:
    data = pack.read_bytes()
    text = gzip.decompress(data) if data.startswith(b"\x1f\x8b") else data
    yield from (json.loads(line) for line in text.decode("utf-8").splitlines())


def facts_of(pack: Path, release: str | None) -> PackFacts:
    """The operations of a release of a pack, by default of the newest one."""
    rows = rows_of(pack)
    names = [row["name"] for row in next(rows)["releases"]]
    chosen = names[-1] if release is None else release
    number = names.index(chosen)
    operations = {
        row["op"]: row.get("format", "custom") != "custom" or "form" in row
        for row in rows
        if "op" in row and number in row.get("in", [number])
    }
    return PackFacts(chosen, operations)


class Case:
    """A case of a folder, which is read as a file of one release."""

    def __init__(self, folder: Path, name: str, release: str, origin: tuple[str, int] | None) -> None:
        self.folder = folder
        self.name = name
        self.release = release
        self.origin = origin

    def read(self, suffix: str) -> bytes | None:
        path = self.folder / f"{self.name}.{suffix}"
        return path.read_bytes() if path.is_file() else None

    def compared(self) -> compare.CaseDifferences | None:
        """The comparison of a case with all four files."""
        if self.origin is None or self.read("mlir") is None or self.read("generic") is None:
            return None
        file, lines = self.origin
        compared = compare.compare(compare.Case(self.folder, self.release, self.name, file, lines))
        # The comparison writes in the canonical order, `mlirbc assemble` in the order of the text.
        if compared.differences.get("bytes", ([], ""))[1] == "only bytes" and lines == 0:
            text = mlirbc.parse(self.read("mlir") or b"", target=self.release, file=file)
            if bytes(text.write()) == self.read("mlirbc"):
                del compared.differences["bytes"]
        return compared

    def module(self) -> mlirbc.Module:
        """The module of the bytecode, of the generic text, or of the custom text."""
        if (data := self.read("mlirbc")) is not None:
            return mlirbc.read(data, release=self.release)
        text = self.read("generic") or self.read("custom")
        assert text is not None
        return mlirbc.parse(text, target=self.release)


def measure(case: Case) -> Measured:
    warnings.simplefilter("ignore")
    checks = {"printed", "again", "verified"} | ({"bytes"} if case.read("mlir") else set())
    compared = case.compared()
    differences = dict(compared.differences) if compared is not None else {}
    names: collections.Counter[str] = collections.Counter()
    missed: collections.Counter[str] = collections.Counter()
    generic: set[str] = set()
    try:
        module = case.module()
        names.update(module.op_counts())
        if compared is None:
            differences |= print_and_parse(case, module)
        with contextlib.suppress(KeyError):
            generic = set(compare.GENERIC_NAME.findall(module.operation.get_asm()))
        verify(module, differences)
    except mlirbc.Error as error:
        # A module that cannot be read fails every check, and has no equal operation.
        refused = compare.operations_of(error), str(error)[:1500]
        differences |= dict.fromkeys(checks, refused)
        names.update(compare.names_of([f"-{line}" for line in compare.lines(case.read("custom") or b"")]))
        missed.update(names)
    for name in differences.get("printed", ([], ""))[1].split("\n"):
        if name.startswith("-"):
            missed.update(compare.names_of([name]))
    equal = collections.Counter(
        {name: max(0, count - missed[name] - missed[name.partition(".")[2]]) for name, count in names.items()}
    )
    return Measured(case.name, checks, differences, names, equal, generic)


def verify(module: mlirbc.Module, differences: dict[str, tuple[list[str], str]]) -> None:
    try:
        module.verify(ops=True)
    except mlirbc.Error as error:
        differences["verified"] = compare.operations_of(error), str(error)[:1500]


def print_and_parse(case: Case, module: mlirbc.Module) -> dict[str, tuple[list[str], str]]:
    """Differences of the printed text, and of the module of the tool's text."""
    differences: dict[str, tuple[list[str], str]] = {}
    custom = case.read("custom")
    assert custom is not None
    changes = compare.changed(compare.lines(custom), compare.lines(module.operation.get_asm(binary=True)))
    if changes:
        differences["printed"] = sorted(compare.names_of(changes)), "\n".join(changes)
    try:
        again = mlirbc.parse(custom, target=case.release)
        if compare.canonical(again) != compare.canonical(module):
            differences["again"] = ["(other module)"], "the module of the text is another one"
    except mlirbc.Error as error:
        differences["again"] = compare.operations_of(error), str(error)[:1500]
    return differences


def cases_of(folder: Path, release: str, only: str) -> list[Case]:
    """The cases of a folder, with their origins if `scripts/assembly make` has made it."""
    table = folder / "cases.tsv"
    rows = [row.split("\t") for row in table.read_text().splitlines()] if table.is_file() else []
    origins = {name: (file, int(lines)) for name, file, lines in rows}
    names = list(origins) or sorted(path.name.removesuffix(".custom") for path in folder.glob("*.custom"))
    return [Case(folder, name, release, origins.get(name)) for name in names if only in name]


def row(pack: str, facts: PackFacts, done: list[Measured]) -> str:
    """The row of a pack in the table."""
    total: collections.Counter[str] = collections.Counter()
    equal: collections.Counter[str] = collections.Counter()
    for result in done:
        for name, count in result.operations.items():
            if name in facts.operations:
                total[name] += count
                equal[name] += result.equal[name]
    columns = [pack, str(len(facts.operations)), str(sum(facts.operations.values()))]
    columns += [str(len(total)), f"{sum(equal.values())} of {sum(total.values())}"]
    for check in CHECKS:
        ran = [result for result in done if check in result.checks]
        passed = sum(check not in result.differences for result in ran)
        columns.append(f"{passed} of {len(ran)}" if ran else "-")
    return "| " + " | ".join(columns) + " |"


HEADING = (
    "| pack | operations | with a form | in the corpus | occurrences equal | printed | bytes | read again "
    "| `verify --ops` |\n|---|---|---|---|---|---|---|---|---|"
)


def report(done: list[Measured]) -> None:
    """The operations that differ, by the number of cases."""
    for check in CHECKS:
        cases: dict[str, list[str]] = collections.defaultdict(list)
        for result in done:
            for name in result.differences.get(check, ([], ""))[0]:
                cases[name].append(result.name)
        for name, names in sorted(cases.items(), key=lambda item: (-len(item[1]), item[0])):
            print(f"{check:9} {len(names):5} {name}  {' '.join(names[:2])}")


def prepare(pack: Path, release: str, reader: str) -> None:
    """Loads the pack in a process that measures."""
    mlirbc.dialects.load(pack)
    compare.name_reader(release, reader)


def main(words: list[str]) -> None:
    parser = argparse.ArgumentParser(prog="scripts/pack-corpus", description=__doc__)
    parser.add_argument("pack", help="a file, or the name of a shipped pack: circt-1.156.0")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--release", help="the release of the pack, by default the newest one")
    parser.add_argument("--tool", type=Path, help="the project's `mlir-opt`, which reads what differs")
    parser.add_argument("--only", default="", help="only cases whose names contain this")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument(
        "--differences", type=Path, metavar="FILE", help="write every difference to this file"
    )
    options = parser.parse_args(words)
    shipped = PACKAGE / f"{options.pack}.mlirpack"
    pack = shipped if shipped.is_file() else Path(options.pack)
    facts = facts_of(pack, options.release)
    cases = cases_of(options.folder.resolve(), facts.release, options.only)
    recorded = options.folder / "release.txt"
    build = recorded.read_text().strip() if recorded.is_file() else facts.release
    reader = (pack, facts.release, str(options.tool) if options.tool else build)
    # A fork of a process with threads may hang.
    with multiprocessing.get_context("spawn").Pool(options.processes, prepare, reader) as pool:
        done = list(pool.imap(measure, cases, chunksize=8))
    if options.differences is not None:
        options.differences.write_text("".join(compare.described(result) for result in done))
    report(done)
    print(HEADING)
    print(row(facts.release, facts, done))
