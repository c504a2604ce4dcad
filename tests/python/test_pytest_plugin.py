"""The plug-in for pytest, in sessions of its own."""

import os
import subprocess
import sys
from importlib.metadata import entry_points
from pathlib import Path

import pytest

pytest_plugins = ["pytester"]

EXAMPLE = Path(__file__).parents[2] / "examples" / "two_layers.mlirbc"


@pytest.fixture
def folder(pytester: pytest.Pytester) -> Path:
    """A folder of a valid file, a file that is refused, and a hidden one."""
    pytester.makeini("[pytest]\n")
    folder = pytester.mkdir("crashes")
    (folder / "inner").mkdir()
    (folder / "inner" / "valid.mlirbc").write_bytes(EXAMPLE.read_bytes())
    (folder / "cut").write_bytes(EXAMPLE.read_bytes()[:200])
    (folder / ".hidden").write_bytes(b"")
    return folder


def run(pytester: pytest.Pytester, *arguments: str | Path) -> pytest.RunResult:
    # The package of this checkout may not be installed, and then has no entry point.
    is_installed = any(point.value == "pytest_mlirbc" for point in entry_points(group="pytest11"))
    plugin = () if is_installed else ("-p", "pytest_mlirbc")
    return pytester.runpytest_subprocess(*plugin, "-v", *arguments)


def test_each_file_of_the_folder_is_a_test(pytester: pytest.Pytester, folder: Path) -> None:
    result = run(pytester, "--mlirbc-crashes", folder.name, "-rP")
    result.assert_outcomes(passed=2)
    result.stdout.fnmatch_lines(["crashes/cut PASSED*", "crashes/inner/valid*mlirbc PASSED*"])
    result.stdout.fnmatch_lines(["mlirbc.read.truncated at byte *", "a module of 34 operations"])


def test_texts_are_parsed(pytester: pytest.Pytester, folder: Path) -> None:
    (folder / "good.mlir").write_bytes(EXAMPLE.with_suffix(".mlir").read_bytes())
    (folder / "wrong.mlir").write_text("module { wrong }")
    result = run(pytester, "--mlirbc-crashes", folder.name, "-rP", "-k", "mlir and not mlirbc")
    result.assert_outcomes(passed=2, deselected=2)
    result.stdout.fnmatch_lines(["a module of 34 operations", "mlirbc.invalid.assembly.*"])


def test_a_file_is_a_test(pytester: pytest.Pytester, folder: Path) -> None:
    result = run(pytester, "--mlirbc-crashes", folder / "cut")
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines(["cut PASSED*"])


def test_no_identifier_looks_like_a_test_within_a_file(pytester: pytest.Pytester, folder: Path) -> None:
    (folder / "a::b").write_bytes(b"")
    result = run(pytester, "--mlirbc-crashes", folder.name, "--collect-only", "-qq")
    result.stdout.fnmatch_lines(["crashes/a__b", "crashes/cut", "crashes/inner/valid.mlirbc"])
    result.stdout.no_fnmatch_line("*::*")


def test_tests_are_chosen_by_name(pytester: pytest.Pytester, folder: Path) -> None:
    run(pytester, "--mlirbc-crashes", folder.name, "-k", "cut").assert_outcomes(passed=1, deselected=1)


def test_folders_of_the_configuration_count_unless_tests_are_named(
    pytester: pytest.Pytester, folder: Path
) -> None:
    pytester.makeini(f"[pytest]\nmlirbc_crashes = {folder.name}\n")
    named = pytester.makepyfile(test_other="def test_other(): pass")
    run(pytester).assert_outcomes(passed=3)
    run(pytester, named).assert_outcomes(passed=1)


def test_a_folder_that_is_not_there_is_an_error(pytester: pytest.Pytester) -> None:
    result = run(pytester, "--mlirbc-crashes", "nowhere")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*the file or folder of files for mlirbc does not exist: *nowhere"])


@pytest.mark.parametrize(
    ("defect", "says"),
    [
        ("raise KeyError(path)", "*cut: mlirbc raised another exception than mlirbc.Error"),
        ("import time; time.sleep(60)", "*cut: mlirbc did not end within 3 seconds"),
        pytest.param(
            "import os, signal; os.kill(os.getpid(), signal.SIGSEGV)",
            "*cut: mlirbc was ended by SIGSEGV",
            marks=pytest.mark.skipif(sys.platform == "win32", reason="signals end processes on POSIX only"),
        ),
    ],
)
def test_a_planted_defect_fails_with_what_happened(
    pytester: pytest.Pytester, folder: Path, monkeypatch: pytest.MonkeyPatch, defect: str, says: str
) -> None:
    # Python runs this file when the process starts that reads the damaged one.
    pytester.makepyfile(
        sitecustomize=f"""
        import sys
        if sys.argv[0] == "-m" and sys.orig_argv[-2] == "pytest_mlirbc.examine":
            import mlirbc
            def open(path):
                {defect}
            mlirbc.open = open
        """
    )
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(pytester.path), *filter(None, sys.path)]))
    result = run(pytester, "--mlirbc-crashes", folder.name, "--mlirbc-deadline", "3", "-k", "cut")
    result.assert_outcomes(failed=1, deselected=1)
    result.stdout.fnmatch_lines([says, "To see it again: python -m pytest_mlirbc.examine *cut"])


def test_the_plug_in_does_not_load_mlirbc() -> None:
    program = "import sys, pytest_mlirbc; print('mlirbc' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
