"""Folders that hold a model: a SavedModel, a model of Orbax and a folder of torch_xla."""

import hashlib
import subprocess
import sys
from pathlib import Path

import mlirbc
import pytest

MODELS = Path(__file__).parent.parent / "data" / "containers" / "models"

# The file with the modules; path, offset, size and SHA-256 of each module, without mlirbc.
ANSWERS = {
    "saved_model": (
        "saved_model.pb",
        [
            (
                "__inference_serve_14/XlaCallModule",
                3730,
                931,
                "478c84707502b479124a95ab86f8d1d06a4a5ffad0347334442c93f4486634fa",
            ),
            (
                "__inference_helper_11/XlaCallModule",
                10938,
                743,
                "a7f03645ed72e51a2abbc4a635dad850b2d8f4ee772967e750b8c5fff5c3a4dc",
            ),
        ],
    ),
    "orbax": (
        "manifest.pb",
        [("serving", 30, 823, "64fb21e05ef5e77089189a663c0bcc6b80da965c7f06930ea0ee3254c96ca48b")],
    ),
    "torch_xla": (
        "functions/forward.bytecode",
        [("main", 0, 823, "64fb21e05ef5e77089189a663c0bcc6b80da965c7f06930ea0ee3254c96ca48b")],
    ),
}


def run(*arguments: str | Path) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-m", "mlirbc", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("name", ANSWERS)
def test_modules_are_those_of_the_answers(name: str) -> None:
    file, expected = ANSWERS[name]
    artifact = mlirbc.open_artifact(MODELS / name / file)
    content = (MODELS / name / file).read_bytes()
    actual = [
        (row.path, row.offset, row.size, hashlib.sha256(content[row.offset :][: row.size]).hexdigest())
        for row in artifact.modules
    ]
    assert actual == expected


@pytest.mark.parametrize(
    "command", ["print", "info", "verify", "hash", "size", "cost", "weights", "ops", "resources"]
)
@pytest.mark.parametrize("name", ANSWERS)
def test_every_command_takes_the_folder(name: str, command: str) -> None:
    result = run(command, MODELS / name)
    assert result.returncode == 0, result.stderr
    assert result.stdout or command == "resources"


@pytest.mark.parametrize("name", ANSWERS)
def test_a_folder_is_its_file_for_two_files(name: str) -> None:
    file, _ = ANSWERS[name]
    assert run("diff", MODELS / name, MODELS / name / file).returncode == 0
    assert run("diff", MODELS / name, "examples/mlp.jax").returncode == 1


@pytest.mark.parametrize("name", ANSWERS)
def test_a_stripped_model_has_its_other_files(name: str, tmp_path: Path) -> None:
    file, modules = ANSWERS[name]
    assert run("strip", MODELS / name, "-o", tmp_path / "out").returncode == 0
    files = {path.relative_to(MODELS / name) for path in (MODELS / name).rglob("*") if path.is_file()}
    written = {path.relative_to(tmp_path / "out") for path in (tmp_path / "out").rglob("*") if path.is_file()}
    assert written == files
    for path in files - {Path(file)}:
        assert (tmp_path / "out" / path).read_bytes() == (MODELS / name / path).read_bytes()
    stripped = mlirbc.open_artifact(tmp_path / "out" / file)
    assert [row.path for row in stripped.modules] == [row[0] for row in modules]
    assert (tmp_path / "out" / file).stat().st_size < (MODELS / name / file).stat().st_size
    if name == "saved_model":
        # TensorFlow loads a file of this size with the same result.
        assert (tmp_path / "out" / file).stat().st_size == 13495


def test_one_module_is_addressed_by_path_or_number() -> None:
    for choice in ("1", "__inference_helper_11", "__inference_helper_11/XlaCallModule"):
        result = run("print", MODELS / "saved_model", "--module", choice)
        assert "sine" in result.stdout or "multiply" in result.stdout


def test_lengths_that_lie_are_errors_with_an_offset() -> None:
    content = bytearray((MODELS / "saved_model" / "saved_model.pb").read_bytes())
    # The length of the meta graph, in two bytes after its key.
    content[3:5] = b"\xff\x7f"
    with pytest.raises(mlirbc.ReadError) as raised:
        mlirbc.open(bytes(content))
    assert raised.value.identifier == "mlirbc.read.protobuf"
    assert raised.value.offset is not None
