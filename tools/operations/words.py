#!/usr/bin/env python3
"""Writes the names in texts of attributes and types that only some releases have.

    words.py --release 16 LLVM-TBLGEN INCLUDE MLIR-OPT --release 19 LLVM-TBLGEN INCLUDE MLIR-OPT \
        --out rust/mlirbc/data/operations/words.tsv

`INCLUDE:MORE` reads the files of the first folder, which include those of others. A row has the release, what
the words are, and the words: `#` for attributes and `!` for types by their names, or the dialect that has the
cases of enumerations which are printed within its attributes and types.

Records name attributes and types, and `mlir-opt` says which of them a release has: some that have a record in
one release are C++ in another one. Names of dialects that it does not have are left out: their text is kept.
"""

import argparse
import re
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tblgen import Records, files, run

# Dialects with C++ that prints words of their enumerations in any attribute or type.
PRINTED_ANYWHERE = ("spirv",)

# Types that no release has a record of.
WITHOUT_RECORDS = (
    *(
        "array",
        "arm.tensor",
        "coopmatrix",
        "image",
        "jointmatrix",
        "matrix",
        "ptr",
        "rtarray",
        "sampled_image",
        "struct",
    ),
)

UNKNOWN = re.compile(r"error: (unknown |.* provides no (?:type|attribute) parsing hook)")

CASE = re.compile(r"Enum(?:Attr)?Case(?:Bit|None)?<\s*\"([^\"]+)\"")


def names(records: Records) -> set[tuple[str, str]]:
    """The attributes and types with a name."""
    named = set()
    for sigil, kind in (("#", "AttrDef"), ("!", "TypeDef")):
        for record in records.instances(kind):
            dialect = records.named(record["dialect"])
            if dialect is not None and record.get("mnemonic"):
                named.add((sigil, f"{dialect['name']}.{record['mnemonic']}"))
    return named


def words(tblgen: str, include: str) -> set[tuple[str, str]]:
    folder, *more = (Path(part) for part in include.split(":"))
    rows = set()
    for file in files(folder / "mlir" / "Dialect"):
        text = file.read_text("utf-8", "replace")
        for dialect in PRINTED_ANYWHERE:
            if file.parent.parent.name.lower() == dialect:
                rows |= {(dialect, word) for word in CASE.findall(text)}
        if ("AttrDef" in text or "TypeDef" in text) and (records := run(tblgen, file, [folder, *more])):
            rows |= names(records)
    return rows


def has(tool: str, name: str) -> bool:
    """Whether a release has an attribute or a type, or does not have its dialect."""
    text = f"module attributes {{test.a = {name}<>}} {{}}"
    if name.startswith("!"):
        text = f"func.func private @f({name}<>)"
    result = subprocess.run([tool], input=text, capture_output=True, text=True, check=False)
    return UNKNOWN.search(result.stderr) is None


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--release", required=True, action="append", nargs=4)
    parser.add_argument("--out", required=True, type=Path)
    options = parser.parse_args()
    rows_by_release = {
        int(release): words(tblgen, include) for release, tblgen, include, _ in options.release
    }
    names = {row for rows in rows_by_release.values() for row in rows if row[0] in "#!"}
    names |= {("!", f"spirv.{name}") for name in WITHOUT_RECORDS}
    known_by_release = {}
    for release, _, _, tool in options.release:
        with ThreadPoolExecutor() as jobs:
            answers = jobs.map(lambda row, tool=tool: has(tool, "".join(row)), names)
            cases = {row for row in rows_by_release[int(release)] if row[0] not in "#!"}
            known_by_release[int(release)] = cases | {
                row for row, answer in zip(names, answers, strict=True) if answer
            }
    common = set.intersection(*known_by_release.values())
    lines = []
    for release, mine in sorted(known_by_release.items()):
        release_rows = mine - common
        for kind in sorted({kind for kind, _ in release_rows}):
            listed = sorted(word for row_kind, word in release_rows if row_kind == kind)
            lines.append(f"{release}\t{kind}\t{' '.join(listed)}\n")
    options.out.write_text("".join(lines))


if __name__ == "__main__":
    main()
