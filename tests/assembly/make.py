"""Makes a corpus of the texts of a release.

Each text is cut at `// -----`. A part that MLIR of the release accepts becomes a case of four files:
`NAME.mlir`, the part; `NAME.mlirbc`, its bytecode; `NAME.custom` and `NAME.generic`, what MLIR prints.
`cases.tsv` lists the names, with the file and the number of lines before the text in its locations;
`refused.tsv` has the others with MLIR's first error.
"""

from __future__ import annotations

import argparse
import itertools
import random
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from assembly import readers, texts
from assembly.products import Products

BATCH = 64


class Maker:
    """Makes cases in a folder; each thread has a reader of its own."""

    def __init__(self, release: str, folder: Path) -> None:
        self.release = release
        self.folder = folder
        self.local = threading.local()

    def make(self, parts: list[texts.TextPart]) -> list[tuple[texts.TextPart, Products | str]]:
        """Writes the files of each case."""
        if not hasattr(self.local, "reader"):
            self.local.reader = readers.reader(self.release)
        reader: readers.Reader = self.local.reader
        results = list(zip(parts, reader.products([part.text for part in parts]), strict=True))
        for part, products in results:
            if not isinstance(products, str):
                files = {"mlir": part.text, "mlirbc": products.bytecode}
                files |= {"custom": products.custom, "generic": products.generic}
                for suffix, data in files.items():
                    (self.folder / f"{part.name}.{suffix}").write_bytes(data)
        return results


def batches(parts: list[texts.TextPart]) -> Iterator[list[texts.TextPart]]:
    waiting = iter(parts)
    while batch := list(itertools.islice(waiting, BATCH)):
        yield batch


def products_in_order(
    pool: ThreadPoolExecutor, maker: Maker, parts: list[texts.TextPart], threads: int
) -> Iterator[list[tuple[texts.TextPart, Products | str]]]:
    """The products of MLIR for the parts, in their order; no more is begun than is asked for."""
    waiting = batches(parts)
    while group := list(itertools.islice(waiting, threads)):
        yield from pool.map(maker.make, group)


def main(words: list[str]) -> None:
    parser = argparse.ArgumentParser(prog="scripts/assembly make", description=__doc__)
    parser.add_argument("--release", required=True, help="llvm-16, llvm-19, llvm-22, or a build: iree-3.6")
    parser.add_argument("--only", default="", help="only parts whose names contain this")
    parser.add_argument("--sample", type=int, metavar="N", help="only N parts, drawn by chance")
    parser.add_argument("--accepted", type=int, metavar="N", help="parts by chance until N are accepted")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="another draw")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("folder", type=Path, help="where the cases are written")
    parser.add_argument("texts", nargs="+", type=Path, help=".mlir files, folders, or Git repositories")
    options = parser.parse_args(words)
    options.folder.mkdir(parents=True, exist_ok=True)
    (options.folder / "release.txt").write_text(options.release)
    parts = [part for part in texts.parts(options.texts) if options.only in part.name]
    if options.sample is not None or options.accepted is not None:
        count = len(parts) if options.sample is None else min(options.sample, len(parts))
        parts = random.Random(options.seed).sample(parts, count)
    maker = Maker(options.release, options.folder)
    target_count = len(parts) if options.accepted is None else options.accepted
    seen = accepted = 0
    with (
        ThreadPoolExecutor(options.threads) as pool,
        open(options.folder / "cases.tsv", "w") as cases,
        open(options.folder / "refused.tsv", "w") as refused,
    ):
        for part, products in itertools.chain.from_iterable(
            products_in_order(pool, maker, parts, options.threads)
        ):
            if accepted == target_count:
                break
            seen += 1
            if isinstance(products, str):
                refused.write(f"{part.name}\t{' '.join(products.split())[:300]}\n")
            else:
                cases.write(f"{part.name}\t{products.file}\t{products.lines}\n")
                accepted += 1
    print(f"{seen} parts, {accepted} accepted by {options.release}")
