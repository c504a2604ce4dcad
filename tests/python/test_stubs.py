"""The stub says what the extension module has, no more and no less."""

import subprocess
import sys
from pathlib import Path

import mlirbc
import pytest

HERE = Path(__file__).parent


def test_the_stub_and_the_module_agree(tmp_path: Path) -> None:
    pytest.importorskip("mypy.stubtest")
    command = [sys.executable, "-m", "mypy.stubtest", "mlirbc", "--ignore-missing-stub"]
    command += ["--allowlist", str(HERE / "stubtest_allowlist.txt"), "--ignore-unused-allowlist"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_package_is_marked_as_typed() -> None:
    assert (Path(mlirbc.__file__).parent / "py.typed").exists()


def test_every_public_name_is_there_and_documented() -> None:
    for name in mlirbc.__all__:
        thing = getattr(mlirbc, name)
        if name != "__version__":
            assert thing.__doc__, f"{name} has no docstring"
