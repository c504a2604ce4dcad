"""The table of hostile files; with `--write`, run as a script, it puts them into `tests/data/hostile`."""

import argparse
import json
import sys
from pathlib import Path

from support import cases_container, cases_ir, cases_resources, cases_tables
from support.cases import CASES, Case

MODULES = (cases_container, cases_tables, cases_resources, cases_ir)
"""Importing these fills the table."""

FOLDER = Path(__file__).parents[1] / "data" / "hostile"
INDEX = FOLDER / "index.json"


def describe(case: Case) -> dict[str, object]:
    """The entry of a file in the index."""
    row: dict[str, object] = {"rule": case.rule, "verdict": "accept" if case.identifier is None else "reject"}
    if case.identifier is not None:
        row["identifier"] = f"mlirbc.{case.identifier}"
        row["error"] = case.error
        row["offset"] = list(case.span)
    if case.or_identifiers:
        row["or_identifiers"] = [f"mlirbc.{identifier}" for identifier in case.or_identifiers]
    if case.or_accepted:
        row["or_accepted"] = True
    if case.sections:
        row["sections"] = list(case.sections)
    if case.limits:
        row["limits"] = dict(case.limits)
    row["upstream"] = case.upstream
    if case.differs:
        row["differs"] = case.differs
    return row


def file_name(case: Case) -> str:
    return f"{case.name.replace('^', '_')}.mlirbc"


def contents() -> dict[str, bytes]:
    """The files, index included, by name."""
    files = {file_name(case): case.build().data for case in CASES.values()}
    rows = {file_name(case): describe(case) for case in CASES.values()}
    files[INDEX.name] = (
        "{\n"
        + ",\n".join(f"{json.dumps(name)}: {json.dumps(row)}" for name, row in sorted(rows.items()))
        + "\n}\n"
    ).encode()
    return files


def write(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    files = contents()
    for stale in folder.iterdir():
        if stale.name not in files:
            stale.unlink()
    for name, data in files.items():
        (folder / name).write_bytes(data)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="write the files and their index")
    options = parser.parse_args()
    files = contents()
    if options.write:
        write(FOLDER)
    print(f"{len(CASES)} cases, {sum(map(len, files.values()))} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
