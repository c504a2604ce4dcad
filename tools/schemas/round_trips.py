"""Compares the text that mlirbc prints with the text that the writer of a file prints.

Each text is given to a build, which writes it as bytecode, reads that and prints it in the generic form;
`mlirbc print` of the bytecode must be the same text. A row of the table it prints: the build, the texts that
it takes, the releases that mlirbc takes their files for, in how many files it leaves something opaque, how
many are printed alike.

    round_trips.py --mlirbc mlirbc --tool llvm-21=mlir-opt-21 --python jaxlib-0.5=DIRECTORY TEXT...
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

_FLAGS = ("--allow-unregistered-dialect", "--mlir-print-op-generic")
_WRITER = """
import sys
sys.path.insert(0, sys.argv[1])
from builds import BUILDS
build = BUILDS[sys.argv[2]]()
for line in sys.stdin:
    source, text, code = line.split("\\t")
    try:
        module = build._ir.Module.parse(open(source).read(), context=build.context)
        module.operation.write_bytecode(open(code.strip(), "wb"))
        module = build._ir.Module.parse(open(code.strip(), "rb").read(), context=build.context)
        asm = module.operation.get_asm(print_generic_op_form=True)
        open(text, "w").write(asm)
    except Exception:
        pass
"""


def written_by_tool(tool: str, source: Path, text: Path, code: Path) -> None:
    """Have a command-line tool print and write a text."""
    writing = [tool, "--allow-unregistered-dialect", "--emit-bytecode", str(source)]
    wrote = subprocess.run(writing, capture_output=True, check=False)
    if wrote.returncode == 0:
        code.write_bytes(wrote.stdout)
        shown = subprocess.run([tool, *_FLAGS, str(code)], capture_output=True, check=False)
        if shown.returncode == 0:
            text.write_bytes(shown.stdout)


def written_by_python(directory: str, kind: str, jobs: list[tuple[Path, Path, Path]]) -> None:
    """Have the Python classes of a package print and write texts. It may crash at one: the rest follows."""
    environment = {**os.environ, "PYTHONPATH": directory}
    while jobs:
        lines = "".join("\t".join(map(str, job)) + "\n" for job in jobs)
        folder = str(Path(__file__).parent)
        command = [sys.executable, "-c", _WRITER, folder, kind]
        run = subprocess.run(command, input=lines.encode(), capture_output=True, env=environment, check=False)
        if run.returncode >= 0:
            return
        done = [place for place, (_, text, _) in enumerate(jobs) if text.exists()]
        jobs = jobs[max(done, default=-1) + 2 :]


def main(arguments: list[str] | None = None) -> int:
    """Print one row for each build."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--mlirbc", default="mlirbc")
    parser.add_argument("--tool", action="append", default=[], metavar="RELEASE=COMMAND")
    parser.add_argument("--python", action="append", default=[], metavar="RELEASE=DIRECTORY")
    parser.add_argument("--keep", type=Path, help="a directory for the files of differing texts")
    parser.add_argument("texts", nargs="+", type=Path)
    options = parser.parse_args(arguments)
    print("| release | texts | read as | partly opaque | printed alike |\n|---|---|---|---|---|")
    for kind, argument in [("tool", item) for item in options.tool] + [
        ("python", item) for item in options.python
    ]:
        release, _, how = argument.partition("=")
        with tempfile.TemporaryDirectory() as scratch:
            root = options.keep / release if options.keep else Path(scratch)
            root.mkdir(parents=True, exist_ok=True)
            jobs = [
                (p.resolve(), root / f"{i}.mlir", root / f"{i}.mlirbc") for i, p in enumerate(options.texts)
            ]
            if kind == "tool":
                for job in jobs:
                    written_by_tool(how, *job)
            else:
                written_by_python(how, release.partition("-")[0], jobs)
            print(row(options.mlirbc, release, jobs), flush=True)
    return 0


def row(mlirbc: str, release: str, jobs: list[tuple[Path, Path, Path]]) -> str:
    """Compare the files of one build."""
    names: Counter[str] = Counter()
    total = opaque = alike = 0
    for source, text, code in jobs:
        if not (text.exists() and code.exists()):
            continue
        total += 1
        info = subprocess.run([mlirbc, "info", "--json", code], capture_output=True, check=False)
        names[str(json.loads(info.stdout or "{}").get("release", {}).get("nearest"))] += 1
        run = subprocess.run([mlirbc, "print", "--generic", code], capture_output=True, check=False)
        expected, shown = text.read_bytes().strip(), run.stdout.strip()
        opaque += run.returncode != 0
        if expected == shown:
            alike += 1
        else:
            text.with_suffix(".ours").write_bytes(run.stdout + run.stderr)
            print(f"{release}: {source.name} differs, see {text.stem}", file=sys.stderr)
    read_as = ", ".join(f"{name} {count}" for name, count in names.most_common())
    return f"| {release} | {total} | {read_as} | {opaque} | {alike} |"


if __name__ == "__main__":
    sys.exit(main())
