"""Runs MLIR's tests of its Python bindings, each function in a process of its own, and prints a table."""

import argparse
import io
import json
import os
import sys
import traceback
from contextlib import redirect_stdout
from dataclasses import asdict, dataclass
from pathlib import Path

from bindings.cases import Case, cases
from bindings.filecheck import Mismatch, check

TIMEOUT = 60


@dataclass(frozen=True)
class Result:
    """The outcome of a case: passed, or the reason why it failed."""

    name: str
    reason: str | None


def _output(case: Case, path: Path) -> str:
    output = io.StringIO()
    with redirect_stdout(output):
        names = {"__name__": "__main__", "__file__": str(path)}
        exec(compile(case.source, str(path), "exec"), names)
    return output.getvalue()


def _reason(case: Case, path: Path, verbose: bool) -> str | None:
    """Why a case fails; None if it passes."""
    output = ""
    try:
        output = _output(case, path)
        check(output, case.expected)
    except Mismatch as mismatch:
        if verbose:
            print(output, file=sys.stderr)
        return str(mismatch)
    except BaseException as error:
        if verbose:
            traceback.print_exc()
        lines = (str(error) or "no message").splitlines()
        return f"{type(error).__name__}: {lines[0]}"
    return None


def _alone(case: Case, path: Path, verbose: bool) -> str | None:
    """Runs a case in a child process: what a case leaves behind must not reach the next one."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        if not verbose:
            os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        _in_child(case, path, verbose, writer)
    os.close(writer)
    with os.fdopen(reader, "rb") as pipe:
        answer = pipe.read()
    _, status = os.waitpid(child, 0)
    if not answer:
        return f"the process ended with status {status}"
    reason: str | None = json.loads(answer)
    return reason


def _in_child(case: Case, path: Path, verbose: bool, writer: int) -> None:
    import signal

    signal.alarm(TIMEOUT)
    sys.path.insert(0, str(path.parent))
    os.chdir(path.parent)
    reason = _reason(case, path, verbose)
    os.write(writer, json.dumps(reason).encode()[:60_000])
    sys.stdout.flush()
    os._exit(0)


def run(folder: Path, prefix: str, only: str, verbose: bool) -> list[Result]:
    """Runs the test files of a folder."""
    results = []
    for path in sorted(folder.rglob("*.py")):
        if "custom_dialect" in path.parts or "RUN:" not in path.read_text("utf-8"):
            continue
        for case in cases(path, prefix):
            name = f"{path.relative_to(folder)}::{case.name}"
            if only in name:
                results.append(Result(name, _alone(case, path, verbose)))
    return results


def compared(results: list[Result], table: Path) -> list[str]:
    """How the results differ from a table of names, builds that pass, and reasons why mlirbc fails."""
    rows = [line.split("\t") for line in table.read_text("utf-8").splitlines() if line and line[0] != "#"]
    reasons = {row[0]: row[2] if len(row) > 2 else "" for row in rows}
    differences = []
    for result in results:
        reason = reasons.get(result.name)
        if reason is None:
            differences.append(f"{result.name} is not in the table")
        elif reason and result.reason is None:
            differences.append(f"{result.name} passes now; remove its reason from the table")
        elif not reason and result.reason is not None:
            differences.append(f"{result.name} fails: {result.reason}")
    return differences


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tests", type=Path, help="the folder mlir/test/python of LLVM's sources")
    parser.add_argument("--folder", default="ir", help="the folder with the tests to run")
    parser.add_argument("--prefix", default="mlirbc.mlir", help="the package that replaces `mlir`")
    parser.add_argument("--only", default="", help="run the cases whose names contain this text")
    parser.add_argument("--verbose", action="store_true", help="show tracebacks and outputs")
    parser.add_argument("--json", type=Path, help="write the results to this file")
    options = parser.parse_args()
    results = run(options.tests / options.folder, options.prefix, options.only, options.verbose)
    for result in results:
        print(f"{'pass' if result.reason is None else 'FAIL'}  {result.name}  {result.reason or ''}".rstrip())
    passed = sum(result.reason is None for result in results)
    print(f"{passed} of {len(results)} pass")
    if options.json:
        text = json.dumps([asdict(result) for result in results], indent=1)
        options.json.write_text(text + "\n", "utf-8")
    table = Path(__file__).with_name(f"{options.folder}.tsv")
    if not table.exists() or options.prefix != "mlirbc.mlir":
        return 0
    differences = compared(results, table)
    print("\n".join(differences))
    return int(bool(differences))


if __name__ == "__main__":
    sys.exit(main())
