"""The text of a module is a file as bytecode is."""

import io
from pathlib import Path

import mlirbc
import pytest

from support import messages, oracles

TEXTS = sorted(Path("tests/data/mlir").glob("*.mlir"))
STABLEHLO = "%0 = stablehlo.constant dense<1> : tensor<i32>\n"


def run(*words: str | Path) -> int:
    return mlirbc._mlirbc.run_cli(["mlirbc", *map(str, words)])


def generic(text: bytes) -> bytes:
    args = ["--allow-unregistered-dialect", "--split-input-file", "--mlir-print-op-generic"]
    return oracles.checked(oracles.run_mlir_opt(22, args, text))


def test_open_reads_text_by_content(tmp_path: Path) -> None:
    path = tmp_path / "a.mlirbc"
    path.write_text(STABLEHLO)
    assert mlirbc.open(path).release.name == "jaxlib-0.10"
    assert mlirbc.open(STABLEHLO.encode()).op_counts() == mlirbc.open(path).op_counts()
    assert mlirbc.open(io.BytesIO(STABLEHLO.encode())).op_counts()["stablehlo.constant"] == 1
    assert mlirbc.open_artifact(path).modules[0].path == "main"
    with pytest.raises(mlirbc.InvalidError, match=r"llvm-22 has no dialect `stablehlo`, at .*a.mlirbc:1:6"):
        mlirbc.open(path, release="llvm-22")
    assert mlirbc.open(b"module {}", release="llvm-19").release.name == "llvm-19"


def test_other_files_are_no_text(tmp_path: Path) -> None:
    for content, identifier in (
        (b"", "mlirbc.read.empty"),
        (b"\x01\x02\x03\x04", "mlirbc.read.magic"),
        (b"\x7fTileIR\0\x0d\x01", "mlirbc.read.other_format"),
        (b'{"a": 1}', "mlirbc.invalid.assembly.syntax"),
    ):
        path = tmp_path / "a.mlir"
        path.write_bytes(content)
        with pytest.raises(mlirbc.Error) as raised:
            mlirbc.open(path)
        assert raised.value.identifier == identifier


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.stem)
def test_formatted_texts_mean_the_same_to_mlir(path: Path, tmp_path: Path) -> None:
    oracles.require(22)
    source = path.read_bytes()
    if b"test.with_properties" in source:
        pytest.skip("mlirbc knows no properties of MLIR's dialect `test`, and assembles them as attributes")
    before = oracles.run_mlir_opt(22, ["--allow-unregistered-dialect", "--split-input-file"], source)
    if before.status != 0:
        pytest.skip("another release wrote the text")
    copy = tmp_path / "a.mlir"
    copy.write_bytes(source)
    status = run("fmt", "-i", copy)
    if status == 1:
        assert b"loc(" in source
        return
    if status == 3:
        assert b"test: {" in source, "only resources of the dialect `test` are unknown"
        return
    assert status == 0
    formatted = copy.read_bytes()
    assert generic(formatted) == generic(source)
    assert run("fmt", "--check", copy) == 0
    for line in source.splitlines():
        if line.strip().startswith(b"//") and b"// -----" not in line:
            assert line.strip() in formatted


def test_parts_are_read_as_mlir_reads_them(tmp_path: Path) -> None:
    oracles.require(22)
    text = "func.func @f() {\n  return\n}\n// -----\nmodule @m {\n  func.func private @g()\n}\n"
    source = tmp_path / "a.mlir"
    source.write_text(text)
    assert run("assemble", source, "--split", "-o", tmp_path / "parts") == 0
    parts = sorted((tmp_path / "parts").iterdir())
    assert [part.name for part in parts] == ["a.0.mlirbc", "a.1.mlirbc"]
    read = [oracles.checked(oracles.run_mlir_opt(22, [], part)).decode() for part in parts]
    split = oracles.checked(oracles.run_mlir_opt(22, ["--split-input-file"], text)).decode()
    assert [part.strip() for part in read] == [part.strip() for part in split.split("// -----")]


@pytest.mark.parametrize("mistake", messages.mistakes(), ids=lambda mistake: mistake.title)
def test_messages_are_at_the_line_of_mlir(mistake: messages.Mistake) -> None:
    oracles.require(22)
    mine, theirs = messages.message_of_mlirbc(mistake.text), messages.message_of_mlir_opt(mistake.text)
    assert mine is not None and theirs is not None
    assert abs(mine.line - theirs.line) <= 1
    assert ";" in mine.sentence, "a message has a hint"
