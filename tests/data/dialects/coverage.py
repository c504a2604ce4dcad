"""Says which operations that a release registers are in the texts of this folder.

    PYTHONPATH=tests python tests/data/dialects/coverage.py 22         counts for each dialect
    PYTHONPATH=tests python tests/data/dialects/coverage.py 22 llvm   also the names that are missing in those

The names of the registered operations come from the binary itself: every word in it, and in the libraries
it loads, that looks like one is shown to `mlir-opt` without any operands, and it tells which it knows.
"""

import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from support import oracles

HERE = Path(__file__).resolve().parent
WORD = re.compile(rb"(?<![\w.])[a-z_0-9]+(?:\.[A-Za-z_0-9]+)+(?![\w.])")
UNKNOWN = re.compile(r"unregistered operation '([^']+)'|'?([\w.]+)'? (?:op )?created with unregistered")


def dialects(release: int) -> set[str]:
    """The dialects that `mlir-opt --help` lists."""
    text = oracles.checked(oracles.run_mlir_opt(release, ["--help"], "")).decode()
    match = re.search(r"Available Dialects: (.*)", text)
    assert match is not None, text[:200]
    return set(match[1].replace(" ", "").split(","))


def candidates(release: int) -> list[str]:
    """Every word of the binary and of the MLIR libraries it loads that may be the name of an operation."""
    binary = oracles.find(release)
    assert binary is not None, f"no mlir-opt of LLVM {release}"
    linked = subprocess.run(["ldd", binary], capture_output=True, text=True, check=True).stdout
    paths = [binary, *(Path(path) for path in re.findall(r"=> (\S*libMLIR\S*)", linked))]
    words = {word.decode() for path in paths for word in WORD.findall(path.read_bytes())}
    known_dialects = dialects(release)
    return sorted(word for word in words if word.split(".")[0] in known_dialects)


def registered(release: int, names: Sequence[str]) -> Iterator[str]:
    """The names that `mlir-opt` knows, including a name that makes it crash."""
    text = "\n// -----\n".join(f'"{name}"() : () -> ()' for name in names)
    output = oracles.run_mlir_opt(release, ["--split-input-file"], text)
    if output.status >= 0:
        unknown = {name for match in UNKNOWN.findall(output.stderr) for name in match}
        yield from (name for name in names if name not in unknown)
    elif len(names) == 1:
        yield from names
    else:
        half = len(names) // 2
        yield from registered(release, names[:half])
        yield from registered(release, names[half:])


def used(release: int) -> set[str]:
    """Names of all operations in the texts of that release."""
    names: set[str] = set()
    args = ["--allow-unregistered-dialect", "--mlir-print-op-generic", "--mlir-print-local-scope"]
    for path in sorted(HERE.glob("*.mlir")):
        head = path.read_text("utf-8", "surrogateescape").split("\n", 1)[0]
        if str(release) in head.removeprefix("// releases: ").split():
            text = oracles.checked(oracles.run_mlir_opt(release, args, path))
            names.update(re.findall(r'"([\w.]+)"\(', text.decode("utf-8", "replace")))
    return names


def main() -> None:
    release, *listed_dialects = int(sys.argv[1]), *sys.argv[2:]
    names = candidates(release)
    registered_names = {
        name for i in range(0, len(names), 64) for name in registered(release, names[i : i + 64])
    }
    missing = sorted(registered_names - used(release))
    total = Counter(name.split(".")[0] for name in registered_names)
    missing_counts = Counter(name.split(".")[0] for name in missing)
    print(f"LLVM {release}: {len(registered_names) - len(missing)} of {len(registered_names)} operations")
    for dialect in sorted(total):
        print(f"  {dialect}: {total[dialect] - missing_counts[dialect]} of {total[dialect]}")
    for name in missing:
        if name.split(".")[0] in listed_dialects:
            print(f"missing: {name}")


if __name__ == "__main__":
    main()
