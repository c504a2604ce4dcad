"""Exports for older releases of JAX, which call them and give the same numbers.

The files in `tests/data/containers/releases` come from these releases. Calling needs their interpreters:
`MLIRBC_OLDER_JAX` names a folder with virtual environments named after versions.
"""

import json
import os
import subprocess
import sys
import warnings
from pathlib import Path

import mlirbc
import pytest

from support import jaxlib_oracle

ROOT = Path(__file__).parents[2]
DATA = ROOT / "tests" / "data" / "containers"
MLP = ROOT / "examples" / "mlp.jax"
TOLERANCE = 1e-5


def interpreter(version: str) -> str:
    folder = os.environ.get("MLIRBC_OLDER_JAX")
    if not folder:
        pytest.skip("MLIRBC_OLDER_JAX does not name a folder with older releases of JAX")
    python = Path(folder) / version / "bin" / "python"
    if not python.exists():
        pytest.skip(f"{python} is not there")
    return str(python)


@pytest.fixture(scope="module")
def exports(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Exports of the JAX of this interpreter, with arguments and results."""
    jaxlib_oracle.require_jax()
    folder = tmp_path_factory.mktemp("exports")
    command = [sys.executable, "-m", "jax_conversions.programs", str(folder)]
    subprocess.run(command, cwd=ROOT / "tests", check=True, capture_output=True)
    return folder


@pytest.mark.parametrize("version", ["0.8.0", "0.7.2", "0.6.2", "0.5.0"])
def test_older_releases_call_what_was_converted_for_them(version: str, exports: Path, tmp_path: Path) -> None:
    python = interpreter(version)
    names = [path.stem for path in exports.glob("*.jax") if "key" not in path.stem or version >= "0.6"]
    for name in names:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)
            mlirbc.open_artifact(exports / f"{name}.jax").for_jax(version).save(tmp_path / f"{name}.jax")
        (tmp_path / f"{name}.npz").write_bytes((exports / f"{name}.npz").read_bytes())
    command = [python, str(ROOT / "tests" / "jax_conversions" / "call.py"), str(tmp_path), *names]
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    records = [json.loads(line) for line in output.splitlines() if line.startswith("{")]
    assert {record["name"] for record in records} == set(names)
    for record in records:
        assert "error" not in record, record
        for key in ("difference", "vjp", "second"):
            assert record.get(key, 0) < TOLERANCE, record


@pytest.mark.parametrize("version", ["0.9.0", "0.8.3", "0.8.0", "0.7.2", "0.6.2"])
def test_fields_are_those_that_the_release_writes(version: str) -> None:
    newest = mlirbc.open_artifact(DATA / "releases" / "0.10.2.jax")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        converted = newest.for_jax(version)
    written = mlirbc.open_artifact(DATA / "releases" / f"{version}.jax")
    assert converted.diff(written).fields == ()


def test_what_is_lost_is_a_warning() -> None:
    sharded = mlirbc.open_artifact(DATA / "sharded.jax")
    with pytest.warns(UserWarning, match="shardings are written as tiles"):
        older = sharded.for_jax("0.8.0")
    assert older.jax_reader("0.8.0").calls
    with pytest.warns(UserWarning, match=r"JAX 0\.10\.9 is not known; the file is for 0\.10\.2"):
        same = sharded.for_jax("0.10.9")
    assert same.write() == (DATA / "sharded.jax").read_bytes()


def test_what_has_no_form_is_an_error() -> None:
    key = mlirbc.open_artifact(DATA / "key.jax")
    with pytest.raises(mlirbc.UnsupportedError, match="key<fry>"):
        key.for_jax("0.5.0")
    with pytest.raises(mlirbc.InvalidError, match="not a release of JAX"):
        key.for_jax("0.1")
    # A module alone has no container.
    module = mlirbc.open_artifact(mlirbc.open(MLP).write())
    assert module.for_jax("0.7.2").module().bytecode.producer == "StableHLO_v1.13.0"
