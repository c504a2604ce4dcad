"""Makes corpora of the operations whose form in a build is not known, for `observations.py`.

    scripts/assembly make --release llvm-22 CORPUS llvm-project/mlir/test        # and of other releases
    python3 tools/operations/probe_forms.py iree-3.8 PROBES CORPUS...
    python3 tools/operations/observations.py observe iree-3.8=PROBES
    python3 tools/operations/probe_forms.py iree-3.8 tests/data/builds PROBES --join

Takes from the generic texts of the corpora those that have such an operation, each with as few others as
possible, until the build has accepted some of each. `rest.txt` in the folder has the operations of which it
accepted none. `--join` writes one file of the build for a test, with a text of each operation that was
observed: texts that mlirbc prints and assembles as the build does. Needs mlirbc with the feature `testing`.
"""

import argparse
import collections
import contextlib
import pathlib
import re

import mlirbc
import observations
from mlirbc import _mlirbc

from assembly import texts
from assembly.builds import BuildReader
from assembly.compare import canonical
from assembly.make import Maker
from assembly.products import Products, Refused

NAME = re.compile(rb'"([a-z_][\w$]*\.[\w$.]+)"\(')
ENOUGH = 6
MOST_TRIES = 40
LONGEST = 1500
MOST_JOINED = 3


def unknown(build: str) -> set[bytes]:
    """The operations whose form in a build is not known."""
    names: list[str] = _mlirbc._unknown_forms(build)
    return {name.encode() for name in names}


def index(parts: list[texts.TextPart], operations: set[bytes]) -> dict[bytes, list[texts.TextPart]]:
    """The parts that have each operation, the shortest ones first."""
    parts_by_operation: dict[bytes, list[texts.TextPart]] = collections.defaultdict(list)
    for part in sorted(parts, key=lambda part: len(part.text)):
        for name in operations.intersection(NAME.findall(part.text)):
            parts_by_operation[name].append(part)
    return parts_by_operation


def spread(parts: list[texts.TextPart]) -> list[texts.TextPart]:
    """Short parts first, then long ones: forms differ by clauses that short texts do not have."""
    half = MOST_TRIES // 2
    long_parts = parts[half:]
    return parts[:half] + long_parts[:: max(1, len(long_parts) // half)]


def probe(build: str, folder: pathlib.Path, parts: list[texts.TextPart]) -> None:
    """Writes the corpus of a build."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "release.txt").write_text(build)
    operations = unknown(build)
    maker = Maker(build, folder)
    accepted: collections.Counter[bytes] = collections.Counter()
    answers: dict[str, Products | str] = {}
    for name, candidates in sorted(index(parts, operations).items()):
        for part in spread(candidates):
            if accepted[name] >= ENOUGH:
                break
            if part.name not in answers:
                ((_, answers[part.name]),) = maker.make([part])
                if not isinstance(answers[part.name], str):
                    accepted.update(operations.intersection(NAME.findall(part.text)))
    cases = {name: products for name, products in answers.items() if not isinstance(products, str)}
    rows = (f"{name}\t{products.file}\t{products.lines}\n" for name, products in cases.items())
    (folder / "cases.tsv").write_text("".join(rows))
    missing = sorted(name.decode() for name in operations if not accepted[name])
    (folder / "rest.txt").write_text("\n".join(missing) + "\n")
    covered = len(operations) - len(missing)
    print(f"{build}: {len(operations)} operations, {covered} in {len(cases)} texts of {len(answers)}")


def is_alike(build: str, reader: BuildReader, text: bytes) -> bool:
    """Whether a text is printed as by the build, and assembled to the same module."""
    data = reader.bytecode(text)
    custom = reader.custom(data)
    module = mlirbc.read(data, release=build)
    if module.operation.get_asm(binary=True).strip() != custom.strip():
        return False
    try:
        return canonical(mlirbc.parse(custom, target=build)) == canonical(module)
    except mlirbc.Error:
        return False


def join(build: str, folder: pathlib.Path, corpora: list[pathlib.Path]) -> None:
    """Has a build write a module with the shortest modules that have the operations it was asked about."""
    rows = observations.written().items()
    observed = {
        name.encode() for name, columns in rows if any(build in builds for builds in columns.values())
    }
    parts = index([part for part in texts.parts(corpora) if len(part.text) < LONGEST], observed)
    reader = BuildReader(build)
    body, data, covered = b"", b"", set[bytes]()
    for name, candidates in sorted(parts.items()):
        # Aliases are outside of modules, and their names would be the same.
        local = [part.text for part in candidates if part.text.startswith(texts.MODULE)]
        for text in [] if name in covered else local[:MOST_JOINED]:
            with contextlib.suppress(Refused):
                if not is_alike(build, reader, text):
                    continue
                data = reader.bytecode(b"".join((texts.MODULE, body, text, texts.MODULE_END, b"\n")))
                body += text
                covered |= observed.intersection(NAME.findall(text))
                break
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{build}.mlirbc").write_bytes(data)
    (folder / f"{build}.mlir").write_bytes(reader.custom(data))
    print(f"{build}: {len(covered)} of {len(observed)} observed operations, {len(data)} bytes")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("build", help="the name of a build, as in iree-3.8")
    parser.add_argument("folder", type=pathlib.Path, help="where the cases are written")
    parser.add_argument("--join", action="store_true", help="write one file with texts of the corpora")
    parser.add_argument("corpora", nargs="+", type=pathlib.Path, help="corpora of `scripts/assembly make`")
    options = parser.parse_args()
    if options.join:
        join(options.build, options.folder, options.corpora)
    else:
        probe(options.build, options.folder, list(texts.parts(options.corpora)))


if __name__ == "__main__":
    main()
