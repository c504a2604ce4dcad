"""Compares mlirbc with jaxlib on the corpus: a table by family, and the differences by cause."""

from __future__ import annotations

import argparse
import os
import re
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import NamedTuple

from mlirbc import _mlirbc

from artifacts.products import VERSIONS

COLUMNS = {
    "verified": "`mlirbc verify` accepts the artifact",
    "printed": "`mlirbc print` gives jaxlib's text of the artifact",
    "locations": "the same with `--locations`",
    "rewritten": "`mlirbc convert --canonical` gives the artifact's bytes again, of each version",
    "native printed": "`mlirbc print` gives jaxlib's text of the StableHLO module",
    "native locations": "the same with `--locations`",
    "native rewritten": "`mlirbc convert --canonical` gives the bytes of the StableHLO module again",
    "deserialized": "`mlirbc convert --to stablehlo` gives a module with jaxlib's text",
    "deserialized locations": "the same with locations",
    "deserialized bytes": "it has the bytes that jaxlib writes",
    **{
        f"to {version}": f"`mlirbc convert --to vhlo={version}` gives jaxlib's bytes, or both refuse"
        for version in VERSIONS
    },
}


class Result(NamedTuple):
    """The result of one question to mlirbc; without a cause there is no difference."""

    column: str
    file: str
    cause: str | None


class Ran(NamedTuple):
    status: int
    report: str


def run(*words: str) -> Ran:
    """Runs the command in this process; its standard error is what it reports."""
    old_stderr = os.dup(2)
    with tempfile.TemporaryFile() as report:
        os.dup2(report.fileno(), 2)
        try:
            status = _mlirbc.run_cli(["mlirbc", *words])
        except BaseException as error:  # a panic is no `Exception`
            status = 101
            report.write(f"panic: {error}".encode())
        finally:
            os.dup2(old_stderr, 2)
            os.close(old_stderr)
        report.seek(0)
        return Ran(status, report.read().decode("utf-8", "replace"))


def questions(stem: Path, columns: frozenset[str]) -> list[Result]:
    with tempfile.TemporaryDirectory() as folder:
        return [result for result in _all(stem, Path(folder), columns)]


def _all(stem: Path, folder: Path, columns: frozenset[str]) -> Iterator[Result]:
    artifact, native = _beside(stem, ".mlirbc"), _beside(stem, ".native.mlirbc")
    if artifact.exists() and _beside(stem, ".vhlo.txt").exists():
        if "verified" in columns:
            ran = run("verify", "--quiet", str(artifact))
            yield Result("verified", str(artifact), _reason(ran))
        for column, words, suffix in (
            ("printed", (), ".vhlo.txt"),
            ("locations", ("--locations",), ".vhlo.loc.txt"),
        ):
            if column in columns:
                yield Result(column, str(artifact), _text(artifact, words, _beside(stem, suffix), folder))
    if "rewritten" in columns:
        # JAX's own writing first; older ones are of the compilers of their time.
        for path in (artifact, *(_beside(stem, f".v{version}.mlirbc") for version in VERSIONS)):
            if path.exists():
                yield Result("rewritten", str(path), _bytes(path, ("--canonical",), path, folder))
    if not native.exists():
        return
    for column, words, suffix in (
        ("native printed", (), ".stablehlo.txt"),
        ("native locations", ("--locations",), ".stablehlo.loc.txt"),
    ):
        if column in columns:
            yield Result(column, str(native), _text(native, words, _beside(stem, suffix), folder))
    if "native rewritten" in columns:
        yield Result("native rewritten", str(native), _bytes(native, ("--canonical",), native, folder))
    is_text, of_text = _beside(stem, ".mlir").exists(), _beside(stem, ".deserialized.mlirbc").exists()
    if artifact.exists() and "deserialized" in columns and is_text == of_text:
        yield from _deserialized(stem, artifact, folder)
    for version in VERSIONS:
        if f"to {version}" in columns:
            cause = _serialized(native, version, _beside(stem, f".v{version}.mlirbc"), folder)
            yield Result(f"to {version}", str(native), cause)


def _deserialized(stem: Path, artifact: Path, folder: Path) -> Iterator[Result]:
    # The module of a text lacks defaults that its artifact has.
    of_text = _beside(stem, ".deserialized.mlirbc")
    theirs = of_text if of_text.exists() else _beside(stem, ".native.mlirbc")
    kind = ".deserialized" if of_text.exists() else ".stablehlo"
    out = folder / "deserialized.mlirbc"
    out.unlink(missing_ok=True)
    reason = _reason(run("convert", str(artifact), "--to", "stablehlo", "-o", str(out)))
    if reason is None:
        text = _text(out, (), _beside(stem, f"{kind}.txt"), folder)
        located = _text(out, ("--locations",), _beside(stem, f"{kind}.loc.txt"), folder)
        same = None if out.read_bytes() == theirs.read_bytes() else _differing_bytes(out, theirs, folder)
    else:
        text = located = same = reason
    yield Result("deserialized", str(artifact), text)
    yield Result("deserialized locations", str(artifact), located)
    yield Result("deserialized bytes", str(artifact), same)


def _serialized(native: Path, version: str, theirs: Path, folder: Path) -> str | None:
    out = folder / "serialized.mlirbc"
    out.unlink(missing_ok=True)
    ran = run("convert", str(native), "--to", f"vhlo={version}", "-o", str(out))
    if ran.status == 0 and not theirs.exists():
        return "written, but jaxlib refuses"
    if ran.status == 1 and not theirs.exists():
        return None
    if ran.status:
        return _reason(ran)
    return None if out.read_bytes() == theirs.read_bytes() else _differing_bytes(out, theirs, folder)


def _text(file: Path, words: tuple[str, ...], theirs: Path, folder: Path) -> str | None:
    out = folder / "text.mlir"
    out.unlink(missing_ok=True)
    ran = run("print", "--generic", str(file), "-o", str(out), *words)
    if ran.status:
        return _reason(ran)
    mine, expected = out.read_bytes().rstrip(b"\n"), theirs.read_bytes().rstrip(b"\n")
    return None if mine == expected else _differing_text(mine, expected)


def _bytes(file: Path, words: tuple[str, ...], theirs: Path, folder: Path) -> str | None:
    out = folder / "bytes.mlirbc"
    out.unlink(missing_ok=True)
    ran = run("convert", str(file), "-o", str(out), *words)
    if ran.status:
        return _reason(ran)
    return None if out.read_bytes() == theirs.read_bytes() else _differing_bytes(out, theirs, folder)


def _differing_bytes(mine: Path, theirs: Path, folder: Path) -> str:
    texts = []
    for path in (mine, theirs):
        out = folder / "compared.mlir"
        out.unlink(missing_ok=True)
        ran = run("print", "--generic", str(path), "-o", str(out), "--locations")
        if ran.status:
            return f"other bytes; {path.name if path == mine else 'theirs'} does not print: {_reason(ran)}"
        texts.append(out.read_bytes())
    if texts[0] != texts[1]:
        return "other bytes and text: " + _differing_text(*texts)
    our_data, their_data = mine.read_bytes(), theirs.read_bytes()
    pairs = enumerate(zip(our_data, their_data, strict=False))
    at = next((at for at, (a, b) in pairs if a != b), min(len(our_data), len(their_data)))
    shown = " | ".join(data[max(0, at - 4) : at + 12].hex(" ") for data in (our_data, their_data))
    return f"other bytes, same text: {len(our_data) - len(their_data):+} bytes, first at {at}: {shown}"


def _differing_text(mine: bytes, theirs: bytes) -> str:
    our_lines, their_lines = (text.decode("utf-8", "backslashreplace").split("\n") for text in (mine, theirs))
    pairs = zip(
        [*our_lines, *["<end>"] * len(their_lines)], [*their_lines, *["<end>"] * len(our_lines)], strict=False
    )
    a, b = next((a, b) for a, b in pairs if a != b)
    at = next((at for at, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
    start = max(0, at - 40)
    return f"mine <<{a[start : at + 60]}>> jaxlib <<{b[start : at + 60]}>>"


def _reason(ran: Ran) -> str | None:
    if not ran.status:
        return None
    lines = [line for line in ran.report.splitlines() if line]
    return f"exit {ran.status}: {lines[0] if lines else ''}"


def _beside(stem: Path, suffix: str) -> Path:
    return stem.with_name(stem.name + suffix)


def _kind(cause: str) -> str:
    """A cause without the parts that differ between files."""
    cause = re.sub(r"(/\S+?/)?[\w.-]+\.mlirbc", "FILE", cause)
    return re.sub(r"\b(0x[0-9a-f]+|\d+)\b", "N", cause)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--part", action="append", help="a folder of the corpus; all by default")
    parser.add_argument("--only", default="", help="modules whose names have this in them")
    parser.add_argument("--column", action="append", help="what is compared; everything by default")
    parser.add_argument("--differences", type=Path, help="where the differences are written, by cause")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    columns = frozenset(options.column or COLUMNS)
    parts = options.part or ["jax", "jax-old", "stablehlo", "shardy"]
    stems: list[tuple[str, Path]] = []
    for part in parts:
        names = {
            path.name.removesuffix(".stablehlo.txt")
            for path in (options.folder / part).glob("*.stablehlo.txt")
        }
        for name in sorted(names):
            if options.only in name:
                family = f"jax {name.split('.')[0]}" if part == "jax" else part
                family = "stablehlo kept" if name.endswith(".kept") else family
                stems.append((family, options.folder / part / name))
    counts: dict[str, dict[str, list[int]]] = defaultdict(lambda: defaultdict(lambda: [0, 0]))
    causes: dict[tuple[str, str], list[tuple[str, str]]] = defaultdict(list)
    with ProcessPoolExecutor(options.jobs) as pool:
        answers = pool.map(partial(questions, columns=columns), [stem for _, stem in stems], chunksize=8)
        for (family, _), results in zip(stems, answers, strict=True):
            for result in results:
                for name in (family, "all"):
                    cell = counts[name][result.column]
                    cell[0] += result.cause is None
                    cell[1] += 1
                if result.cause is not None:
                    causes[result.column, _kind(result.cause)].append((result.file, result.cause))
    shown = [column for column in COLUMNS if column in counts["all"]]
    print("\t".join(["family", "modules", *shown]))
    for name in sorted(counts, key=lambda name: (name == "all", name)):
        modules = len(stems) if name == "all" else sum(family == name for family, _ in stems)
        cells = [f"{counts[name][column][0]}/{counts[name][column][1]}" for column in shown]
        print("\t".join([name, str(modules), *cells]))
    lines = []
    for (column, _), files in sorted(
        causes.items(), key=lambda item: (shown.index(item[0][0]), -len(item[1]))
    ):
        lines.append(f"{column}: {len(files)} x {files[0][1]}")
        lines += [f"    {file}" for file, _ in files[:4]]
    if options.differences:
        options.differences.write_text("\n".join(lines) + "\n", "utf-8")


if __name__ == "__main__":
    main()
