"""`scripts/producers LIST...`: see there."""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

from assembly import texts
from producers import report
from producers.fetch import Build, Unavailable, builds, install
from producers.files import Files
from producers.producer import Producer

ROOT = Path(__file__).resolve().parents[2]
TEXTS = tuple(
    ROOT / "tests/data" / name for name in ("mlir", "dialects", "stablehlo", "iree", "assembly", "types")
)
LARGEST = 200_000
"""The number of bytes above which a text is left out, because a difference in it shows nothing."""
RESTARTS = 50


class Options(NamedTuple):
    """Where things are, and which texts are used."""

    cache: Path
    results: Path
    parts: Sequence[texts.TextPart]


def run(build: Build, options: Options) -> report.BuildRow:
    """Measures a build, and returns its row."""
    try:
        installed = install(build, options.cache)
    except Unavailable as error:
        return report.BuildRow(build.name, str(error))
    folder = options.results / build.name
    folder.mkdir(parents=True, exist_ok=True)
    database = options.cache / "files" / f"{build.name}.sqlite"
    database.parent.mkdir(parents=True, exist_ok=True)
    try:
        producer = Producer(installed, folder / "producer.log")
    except SystemExit as error:
        return report.BuildRow(build.name, str(error))
    files = Files(database)
    files.make(producer, options.parts)
    producer.close()
    names = folder / "names.txt"
    names.write_text("\n".join(part.name for part in options.parts))
    words = {
        "package": build.package,
        "version": build.version,
        "site": installed.site,
        "python": installed.python,
    }
    words |= {"database": database, "names": names, "results": folder}
    command = [sys.executable, "-m", "producers.measure"]
    command += [word for name, value in words.items() for word in (f"--{name}", str(value))]
    for _ in range(RESTARTS):
        with open(folder / "measure.log", "ab") as log:
            if subprocess.run(command, stderr=log, check=False).returncode == 0:
                break
    return report.row(build.name, folder, [part.name for part in options.parts], files)


def main() -> None:
    cache = Path(os.environ.get("MLIRBC_PRODUCERS_CACHE", Path.home() / ".cache" / "mlirbc-producers"))
    parser = argparse.ArgumentParser(prog="scripts/producers", description=__doc__)
    parser.add_argument("list", nargs="+", help="PACKAGE==VERSION, or a file with one on each line")
    parser.add_argument("--cache", type=Path, default=cache, help="where builds and their files are kept")
    parser.add_argument("--results", type=Path, default=Path("producers"), help="where results are written")
    parser.add_argument(
        "--texts", type=Path, action="append", default=[], help="a folder or repository with more texts"
    )
    parser.add_argument("--only", default="", help="only texts whose names contain this")
    parser.add_argument("--sample", type=int, metavar="N", help="only N texts, drawn by chance")
    parser.add_argument("--jobs", type=int, default=2, metavar="N", help="builds that are measured at a time")
    parser.add_argument(
        "--operations", type=int, default=20, metavar="N", help="rows of the list for each check"
    )
    arguments = parser.parse_args()
    parts = [part for part in texts.parts([*TEXTS, *arguments.texts]) if arguments.only in part.name]
    parts = [part for part in parts if len(part.text) < LARGEST]
    if arguments.sample is not None and arguments.sample < len(parts):
        parts = random.Random(0).sample(parts, arguments.sample)
    options = Options(arguments.cache.resolve(), arguments.results.resolve(), parts)
    with ThreadPoolExecutor(arguments.jobs) as pool:
        rows = list(pool.map(lambda build: run(build, options), builds(arguments.list)))
    print(report.table(rows))
    for row in rows:
        print(report.operations(row, arguments.operations), end="")


if __name__ == "__main__":
    main()
