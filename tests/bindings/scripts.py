"""Runs scripts of public projects with their own bindings and with `mlirbc.mlir`, and compares the outputs.

Each script is a row of `scripts.toml`: its repository, commit and licence, the files that it needs, the
prefix of the bindings in its sources, and the build that has these bindings. Nothing of the projects is part
of this repository: the files are read from clones.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from dataclasses import dataclass, field
from pathlib import Path

TIMEOUT = 600
TABLE = Path(__file__).with_name("scripts.toml")
PACKS = Path(__file__).parents[2] / "packages" / "mlirbc-dialects" / "mlirbc_dialects"
OURS = "mlirbc.mlir"

# A part of a pytest run that is the same with all bindings: one line for each test.
_OUTCOME = re.compile(r"^(PASSED|FAILED|ERROR|SKIPPED|XFAIL|XPASS)\s+\S+")


@dataclass(frozen=True)
class Script:
    """A script of a public project, and how to run it."""

    name: str
    repository: str
    """The owner and the name on GitHub."""
    commit: str
    licence: str
    files: list[str]
    """The files and folders that it needs."""
    run: list[str]
    """The arguments of Python; a test of pytest begins with `-m pytest`."""
    prefix: str
    """The package of the bindings in the sources."""
    bindings: str
    """The package of the build that mlirbc is compared with."""
    build: str
    """The name of the build, for the table of the documentation."""
    reason: str = ""
    """Why the output differs; empty if it is the same."""
    pack: str = ""
    """The pack with the dialects of the project."""
    path: str = "."
    """The folder of the files from which modules are imported."""
    extras: str = ""
    """The folder of the modules that the project adds to `extras` of the bindings."""
    prelude: str = ""
    """Python code that runs before the script with the bindings of the project."""
    stubs: list[str] = field(default_factory=list)
    """Modules that the files import, but the script does not use; they are replaced by empty modules."""


def load_scripts() -> list[Script]:
    """The rows of the table."""
    rows = tomllib.loads(TABLE.read_text("utf-8"))["script"]
    return [Script(**row) for row in rows]


def with_prefix(source: str, old: str, new: str) -> str:
    """The source with imports from the package `new` in place of `old`."""
    parent, _, last = old.rpartition(".")
    source = re.sub(rf"(?m)^(\s*)from {re.escape(old)} import", rf"\1from {new} import", source)
    source = re.sub(rf"(?m)^(\s*)import {re.escape(old)}$", rf"\1import {new} as {last}", source)
    source = re.sub(rf"(?m)^(\s*)import {re.escape(old)} as\b", rf"\1import {new} as", source)
    if parent:
        pattern = rf"(?m)^(\s*)from {re.escape(parent)} import {last}\b"
        source = re.sub(pattern, rf"\1import {new} as {last}", source)
    names = "ir|dialects|extras|passmanager|rewrite|execution_engine|runtime|support|_mlir_libs"
    return re.sub(rf"(?<![\w.\"'<]){re.escape(old)}\.(?=({names})\b)", f"{new}.", source)


def export(script: Script, clone: Path, folder: Path, bindings: str) -> None:
    """Writes the files of a script into a folder, with the prefix of `bindings`."""
    git = ["git", "-C", str(clone), "archive", "--format=tar", script.commit, "--", *script.files]
    archive = subprocess.run(git, check=True, capture_output=True).stdout
    subprocess.run(["tar", "-x", "-C", str(folder)], input=archive, check=True)
    for path in folder.rglob("*.py"):
        path.write_text(with_prefix(path.read_text("utf-8"), script.prefix, bindings), "utf-8")


def _beginning(script: Script, bindings: str) -> str:
    """The Python code that runs before the script."""
    lines = ["import importlib, sys, types"]
    for name in script.stubs:
        lines.append(f"sys.modules[{name!r}] = types.ModuleType({name!r})")
    if bindings != OURS:
        lines.append(script.prelude)
    if script.pack and bindings == OURS:
        lines.append(f"import mlirbc; mlirbc.dialects.load({str(PACKS / script.pack)!r})")
    if script.extras:
        folder = f"importlib.import_module('{bindings}.extras').__path__.append({script.extras!r})"
        lines.append(folder)
    return "\n".join(lines)


_RUNNER = """
import runpy
arguments = sys.argv[1:]
if arguments[0] == "-m":
    sys.argv = arguments[1:]
    runpy.run_module(arguments[1], run_name="__main__", alter_sys=True)
else:
    sys.argv = arguments
    runpy.run_path(arguments[0], run_name="__main__")
"""


@dataclass(frozen=True)
class Build:
    """A package of bindings, the interpreter that has it, and further folders with packages."""

    bindings: str
    python: str
    packages: list[str]


def output(script: Script, clone: Path, build: Build) -> tuple[str, str]:
    """The output of a script, and its errors."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        export(script, clone, folder, build.bindings)
        paths = [str(folder / script.path), *build.packages]
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths), "PYTHONDONTWRITEBYTECODE": "1"}
        code = _beginning(script, build.bindings) + _RUNNER
        command = [build.python, "-W", "ignore", "-c", code, *script.run]
        done = subprocess.run(
            command, cwd=folder, env=environment, capture_output=True, text=True, timeout=TIMEOUT, check=False
        )
        text = done.stdout.replace(name, "FOLDER")
        if "pytest" in script.run:
            lines = [match[0].rstrip() for line in text.splitlines() if (match := _OUTCOME.match(line))]
            text = "\n".join(sorted(lines))
        return f"{text}\nexit status {done.returncode}\n", done.stdout[-3000:] + done.stderr[-6000:]


def compare(script: Script, options: argparse.Namespace) -> bool:
    """Runs a script twice and prints the result; returns whether the table has the same result."""
    clone = find_clone(options.clones, script.repository)
    build = Build(script.bindings, options.python[script.bindings], options.packages)
    mlirbc = Build(OURS, sys.executable, [*options.package_of_mlirbc, *options.packages])
    theirs, trouble = output(script, clone, build)
    ours, errors = output(script, clone, mlirbc)
    theirs = theirs.replace(script.bindings, OURS)
    is_same = ours == theirs
    has_own_result = theirs.endswith("exit status 0\n") or "PASSED" in theirs
    print(f"{'same' if is_same else 'DIFFERENT'}  {script.name}  {script.reason}".rstrip())
    if options.verbose:
        print(f"---- {script.bindings}\n{theirs}{trouble}\n---- {OURS}\n{ours}{errors}")
    if is_same and not has_own_result:
        print(f"{script.name} fails with its own bindings, too")
    return is_same == (not script.reason) and (has_own_result or bool(script.reason))


def find_clone(folder: Path, repository: str) -> Path:
    """The clone of a repository, which is made if it is missing."""
    name = repository.replace("/", "+")
    for clone in (folder / name / "repo", folder / name):
        if (clone / "HEAD").exists() or (clone / ".git").exists():
            return clone
    clone = folder / name
    git = shutil.which("git") or "git"
    command = [
        git,
        "clone",
        "--filter=blob:none",
        "--no-checkout",
        f"https://github.com/{repository}",
        str(clone),
    ]
    subprocess.run(command, check=True)
    return clone


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("clones", type=Path, help="the folder of the clones, such as `llvm+circt`")
    python = "the interpreter that has a package of bindings"
    parser.add_argument("--python", action="append", default=[], metavar="PACKAGE=PYTHON", help=python)
    packages = "a folder with pytest, filecheck and what else scripts import"
    parser.add_argument("--packages", action="append", default=[], help=packages)
    parser.add_argument("--only", default="", help="run the scripts whose names contain this text")
    parser.add_argument("--verbose", action="store_true", help="show the outputs")
    options = parser.parse_args()
    options.python = dict(row.split("=", 1) for row in options.python)
    options.package_of_mlirbc = [row for row in os.environ.get("PYTHONPATH", "").split(os.pathsep) if row]
    scripts = [script for script in load_scripts() if options.only in script.name]
    runnable = [script for script in scripts if script.bindings in options.python]
    for script in scripts:
        if script not in runnable:
            print(f"skipped  {script.name}: no --python {script.bindings}=…")
    expected = [compare(script, options) for script in runnable]
    count = f"{sum(expected)} of {len(runnable)} as in the table"
    print(f"{count}, which has {sum(not script.reason for script in scripts)} with the same output")
    return int(not all(expected))


if __name__ == "__main__":
    sys.exit(main())
