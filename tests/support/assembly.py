"""Compares custom assembly with that of `mlir-opt`, over a folder of cases.

A case is `NAME.mlirbc`, `NAME.custom` (what `mlir-opt NAME.mlirbc` prints) and `NAME.generic` (the same with
`--mlir-print-op-generic`). Run by `scripts/assembly`.
"""

import argparse
import collections
import concurrent.futures
import difflib
import pathlib
import re
import subprocess
from typing import NamedTuple

ROOT = pathlib.Path(__file__).resolve().parents[2]
GENERIC_NAME = re.compile(r'^ *(?:%[^=]*= )?"([a-z_0-9]+\.[^"]*)"\(', re.MULTILINE)
CUSTOM_NAME = re.compile(r'^ *(?:%[^=]*? = )?(?:"([^"]*)"\(|([A-Za-z_][\w.$]*)|(.{1,12}))')


class Comparison(NamedTuple):
    """What one case showed."""

    case: str
    operations: "collections.Counter[str]"
    printed_generic: "collections.Counter[str]"
    expected_generic: "collections.Counter[str]"
    differing: "collections.Counter[str]"
    error: str
    difference: str


def names(pattern: re.Pattern[str], text: str) -> "collections.Counter[str]":
    return collections.Counter(pattern.findall(text))


def compare(tool: str, case: pathlib.Path) -> Comparison:
    expected = case.with_suffix(".custom").read_text()
    operations = names(GENERIC_NAME, case.with_suffix(".generic").read_text())
    done = subprocess.run(
        [tool, "print", str(case)], capture_output=True, text=True, check=False, timeout=600
    )
    printed = done.stdout
    # `mlir-opt` ends each module with an empty line.
    differing: collections.Counter[str] = collections.Counter()
    difference = ""
    if printed.rstrip("\n") != expected.rstrip("\n"):
        before, after = expected.rstrip("\n").split("\n"), printed.rstrip("\n").split("\n")
        lines = list(difflib.unified_diff(before, after, lineterm="", n=0))[2:]
        difference = "\n".join(lines)
        for line in lines:
            if line.startswith("-") and (found := CUSTOM_NAME.match(line[1:])):
                differing[found[1] or found[2] or found[3]] += 1
    error = "" if done.returncode == 0 else done.stderr.strip()
    found = names(GENERIC_NAME, printed), names(GENERIC_NAME, expected)
    return Comparison(case.stem, operations, *found, differing, error, difference)


def is_of_test_dialect(one: Comparison) -> bool:
    return any(name.startswith("test.") for name in one.operations)


def table(done: list[Comparison]) -> str:
    kinds: dict[str, set[str]] = collections.defaultdict(set)
    custom: dict[str, set[str]] = collections.defaultdict(set)
    total: collections.Counter[str] = collections.Counter()
    equal: collections.Counter[str] = collections.Counter()
    for one in done:
        wrong = one.printed_generic - one.expected_generic
        for name, count in one.operations.items():
            dialect = name.split(".")[0]
            kinds[dialect].add(name)
            if not wrong[name]:
                custom[dialect].add(name)
            total[dialect] += count
            short = name.partition(".")[2]
            bad = max(wrong[name], one.differing[name], one.differing[short])
            equal[dialect] += max(0, count - bad)
    rows = ["| dialect | operations | in custom form | occurrences equal | total |", "|---|---|---|---|---|"]
    for dialect in sorted(kinds, key=lambda name: -total[name]):
        counts = len(kinds[dialect]), len(custom[dialect]), equal[dialect], total[dialect]
        rows.append(f"| {dialect} | {' | '.join(map(str, counts))} |")
    return "\n".join(rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--tool", default=str(ROOT / "target/debug/mlirbc"))
    parser.add_argument("--cases", default="", help="only cases whose names contain this")
    parser.add_argument("--differences", action="store_true", help="print the lines that differ")
    parser.add_argument("--table", action="store_true", help="print the table by dialect")
    parser.add_argument("--all", action="store_true", help="also cases with operations of the dialect `test`")
    given = parser.parse_args()
    cases = sorted(path for path in given.folder.glob("*.mlirbc") if given.cases in path.name)
    cases = [path for path in cases if path.with_suffix(".custom").exists()]
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        done = list(pool.map(lambda case: compare(given.tool, case), cases))
    if not given.all:
        done = [one for one in done if not is_of_test_dialect(one)]
    by_operation: dict[str, set[str]] = collections.defaultdict(set)
    for one in done:
        for name in (one.printed_generic - one.expected_generic) or one.differing:
            by_operation[name].add(one.case)
        if given.differences and (one.difference or one.error):
            print(f"=== {one.case}\n{one.error[:400]}\n{one.difference}")
    for name, found in sorted(by_operation.items(), key=lambda item: (-len(item[1]), item[0])):
        print(f"{len(found):5} {name}  {' '.join(sorted(found)[:2])}")
    if given.table:
        print(table(done))
    equal = sum(not one.difference and not one.error for one in done)
    print(f"{equal} of {len(done)} cases are equal ({100 * equal / max(1, len(done)):.1f} %)")


if __name__ == "__main__":
    main()
