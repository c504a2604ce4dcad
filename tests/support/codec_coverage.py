"""Compares rows of the dialect tables with MLIR on the same entries.

    PYTHONPATH=tests python -m support.codec_coverage [DIALECT]

Prints a Markdown table: row, entries decoded, encoded, agreed upon.

Entries are made from noise by `mlirbc.testing`, in files of one operation. An extension module built with
`--features testing` has the functions; `scripts/setup test` builds it so.
"""

import argparse
import atexit
import functools
import random
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from mlirbc import _mlirbc

from support import jaxlib_oracle, oracles
from support.printing import print_module

JAXLIB = jaxlib_oracle.Worker()
atexit.register(JAXLIB.close)


class Oracle(Enum):
    """Who knows a row."""

    MLIR_OPT_16 = "mlir-opt 16"
    MLIR_OPT_22 = "mlir-opt 22"
    JAXLIB = "jaxlib"


class Verdict(Enum):
    """The verdict of the oracle on a file."""

    AGREED = "agreed"
    REFUSED = "refused"
    """Its verifier wants other values, or it ends itself over them."""
    DIFFERENT = "different"


@dataclass(frozen=True, slots=True)
class CodecRow:
    """A layout of a code."""

    id: str
    name: str

    @property
    def dialect(self) -> str:
        return self.id.partition("/")[0]

    @property
    def oracle(self) -> Oracle | None:
        dialect, sort, code, layout = self.id.split("/")
        if dialect == "builtin":
            if (sort, code) == ("type", "20"):
                return {"0": Oracle.MLIR_OPT_22, "1": Oracle.MLIR_OPT_16}.get(layout)
            is_after_22 = int(code) > (20 if sort == "type" else 22)
            return Oracle.JAXLIB if is_after_22 else Oracle.MLIR_OPT_22
        if dialect in ("quant", "llvm", "test"):
            return Oracle.MLIR_OPT_22
        return Oracle.JAXLIB if layout == "0" else None


class Disagreement(AssertionError):
    """The oracle reads something else."""


def is_there() -> bool:
    """Whether the extension module can make files."""
    return hasattr(_mlirbc, "_generate")


@functools.cache
def rows() -> tuple[CodecRow, ...]:
    """All rows; none without the functions."""
    if not is_there():
        return ()
    return tuple(CodecRow(*pair) for pair in _mlirbc._rows())


def generate(row: CodecRow, noise: bytes) -> bytes:
    """A file with an entry of that row."""
    data: bytes = _mlirbc._generate(row.id, noise)
    return data


def recode(data: bytes) -> Counter[str]:
    """How often each row occurs in a file; every entry is written as it was read."""
    occurrences: Counter[str] = Counter()
    for row, original, encoded in _mlirbc._recode(data):
        assert encoded == original, f"{row}: {original.hex()} became {encoded.hex()}"
        occurrences[row] += 1
    return occurrences


def ask(row: CodecRow, data: bytes, folder: Path) -> Verdict:
    """Compares the texts, and the bytes that the oracle and mlirbc write for the same entries."""
    path = folder / "generated.mlirbc"
    path.write_bytes(data)
    mine = print_module(path, folder / "generated.mlir", "--generic").rstrip(b"\n")
    if row.oracle is Oracle.JAXLIB:
        answer = JAXLIB.read_and_write(data)
        if answer is None:
            return Verdict.REFUSED
        theirs, written = answer[0].rstrip(b"\n"), answer[1]
    else:
        release = 16 if row.oracle is Oracle.MLIR_OPT_16 else 22
        args = ["--allow-unregistered-dialect", "--mlir-print-op-generic"]
        printed = oracles.run_mlir_opt(release, args, path)
        if printed.status != 0:
            return Verdict.REFUSED
        theirs = printed.stdout.rstrip(b"\n")
        written = oracles.checked(oracles.run_mlir_opt(release, oracles.emit_args(release, 6), path))
    if mine != theirs:
        raise Disagreement(
            f"{row.id} ({row.name})\nmlirbc: {shown(mine)}\noracle: {shown(theirs)}\n{data.hex()}"
        )
    # mlirbc also writes the entries of the oracle's file back to the byte, and prints the same text.
    recode(written)
    path.write_bytes(written)
    again = print_module(path, folder / "generated.mlir", "--generic").rstrip(b"\n")
    if again != theirs:
        raise Disagreement(f"{row.id} ({row.name}), written\nmlirbc: {shown(again)}\noracle: {shown(theirs)}")
    return Verdict.AGREED


def shown(text: bytes) -> str:
    """The line of a module in which texts differ."""
    return text.decode("utf-8", "backslashreplace").replace('"builtin.module"() ({', "")[:1500]


def noises(row: CodecRow, count: int) -> Iterator[bytes]:
    """Reproducible noise."""
    source = random.Random(row.id)
    for _ in range(count):
        yield source.randbytes(source.choice([0, 8, 32, 128]))


def coverage(selected: tuple[CodecRow, ...], count: int) -> str:
    """The table."""
    lines = [
        "| row | name | decoded | encoded | oracle | "
        + " | ".join(verdict.value for verdict in Verdict)
        + " |",
        "|" + "---|" * 8,
    ]
    occurrences: Counter[str] = Counter()
    verdicts: Counter[tuple[str, Verdict]] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        for row in selected:
            for noise in noises(row, count):
                data = generate(row, noise)
                occurrences += recode(data)
                if row.oracle is None:
                    continue
                try:
                    verdicts[row.id, ask(row, data, Path(folder))] += 1
                except Disagreement as problem:
                    verdicts[row.id, Verdict.DIFFERENT] += 1
                    if verdicts[row.id, Verdict.DIFFERENT] == 1:
                        print(problem, file=sys.stderr)
    for row in selected:
        oracle = row.oracle.value if row.oracle else ""
        counts = [str(verdicts[row.id, verdict]) if row.oracle else "" for verdict in Verdict]
        cells = [row.id, row.name, str(occurrences[row.id]), str(occurrences[row.id]), oracle, *counts]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument(
        "rows", nargs="*", help="beginnings of rows, like `builtin/type`; all of them by default"
    )
    parser.add_argument("--count", type=int, default=16, help="files for each row")
    arguments = parser.parse_args()
    if not is_there():
        print("the extension module was built without `--features testing`", file=sys.stderr)
        return 2
    selected = tuple(row for row in rows() if not arguments.rows or row.id.startswith(tuple(arguments.rows)))
    print(coverage(selected, arguments.count))
    return 0


if __name__ == "__main__":
    sys.exit(main())
