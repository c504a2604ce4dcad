"""A pytest plug-in that makes tests of a folder of files that crashed a reader, or were refused by one.

With `pytest --mlirbc-crashes FOLDER`, or `mlirbc_crashes = ["FOLDER"]` in the configuration, each file
of the folder is a test; a single file can be given, too. It passes if reading, printing and verifying the
file ends in a module or in `mlirbc.Error` in time. Files that end in `.mlir` are parsed as text.

The plug-in is a package of its own, so that pytest does not import mlirbc unless these tests are collected.
"""

import os
import shlex
import signal as signals
import subprocess
import sys
from pathlib import Path

import pytest
from _pytest._code.code import TerminalRepr

__all__ = ["CrashFile", "CrashFolder", "Failed", "pytest_addoption", "pytest_collection_modifyitems"]

_SECONDS = 10.0


def pytest_addoption(parser: pytest.Parser) -> None:
    """Adds the options."""
    group = parser.getgroup("mlirbc")
    group.addoption(
        "--mlirbc-crashes",
        action="append",
        metavar="FOLDER|FILE",
        help="test that mlirbc reads or refuses each file of this folder, or this file; may be repeated",
    )
    group.addoption(
        "--mlirbc-deadline",
        type=float,
        metavar="SECONDS",
        help=f"stop such a test after so long (by default {_SECONDS:g})",
    )
    parser.addini(
        "mlirbc_crashes", "folders of files, and files, that mlirbc has to read or refuse", "paths", []
    )
    parser.addini(
        "mlirbc_deadline", "the seconds after which such a test is stopped", "string", str(_SECONDS)
    )


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(
    session: pytest.Session, config: pytest.Config, items: list[pytest.Item]
) -> None:
    """Adds a test for each file of the folders, before others choose among the tests."""
    folders = [config.invocation_params.dir / name for name in config.getoption("mlirbc_crashes") or []]
    # Tests that are named on the command line replace the tests of the configuration.
    if config.args_source is not pytest.Config.ArgsSource.ARGS:
        folders += config.getini("mlirbc_crashes")
    for folder in folders:
        if not folder.exists():
            raise pytest.UsageError(f"the file or folder of files for mlirbc does not exist: {folder}")
        collector = CrashFolder.from_parent(session, path=folder, name=folder.name, nodeid=folder.name)
        items += collector.collect()


class CrashFolder(pytest.Collector):
    """A folder of files, or one file."""

    def collect(self) -> list["CrashFile"]:
        """A test for each file in it and in folders in it, hidden ones left out, in their order by name."""
        if not self.path.is_dir():
            return [self._test(self.path, self.path.name, self.path.name)]
        files = sorted(
            path
            for path in self.path.rglob("*")
            if path.is_file() and not any(part.startswith(".") for part in path.relative_to(self.path).parts)
        )
        names = [path.relative_to(self.path).as_posix() for path in files]
        return [
            self._test(path, name, f"{self.path.name}/{name}")
            for path, name in zip(files, names, strict=True)
        ]

    def _test(self, path: Path, name: str, identifier: str) -> "CrashFile":
        # With `::`, tools would take the part before it for a file of tests.
        identifier = identifier.replace("::", "__")
        return CrashFile.from_parent(self, path=path, name=name, nodeid=identifier)


class Failed(Exception):
    """mlirbc neither read nor refused the file; the text describes the failure."""


class CrashFile(pytest.Item):
    """A file that mlirbc must read or refuse."""

    def runtest(self) -> None:
        """Reads the file in another process, which may crash."""
        deadline = self.config.getoption("mlirbc_deadline")
        seconds = float(self.config.getini("mlirbc_deadline") if deadline is None else deadline)
        command = [sys.executable, "-m", "pytest_mlirbc.examine", str(self.path)]
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
        try:
            done = subprocess.run(
                command, capture_output=True, timeout=seconds, env=environment, check=False, text=True
            )
        except subprocess.TimeoutExpired:
            raise Failed(f"mlirbc did not end within {seconds:g} seconds") from None
        if done.returncode < 0:
            number = -done.returncode
            signal_names = {signal.value: signal.name for signal in signals.Signals}
            raise Failed(f"mlirbc was ended by {signal_names.get(number, f'signal {number}')}\n{done.stderr}")
        if done.returncode:
            raise Failed(f"mlirbc raised another exception than mlirbc.Error\n{done.stderr}")
        self.add_report_section("call", "mlirbc", done.stdout)

    def repr_failure(
        self, excinfo: pytest.ExceptionInfo[BaseException], style: str | None = None
    ) -> str | TerminalRepr:
        """The failure, and the command that reproduces it."""
        if isinstance(excinfo.value, Failed):
            again = f"python -m pytest_mlirbc.examine {shlex.quote(str(self.path))}"
            return f"{self.path}: {str(excinfo.value).strip()}\nTo see it again: {again}"
        return super().repr_failure(excinfo)

    def reportinfo(self) -> tuple[Path, None, str]:
        """The file, and its name."""
        return self.path, None, self.name
