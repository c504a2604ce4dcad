"""Files of builds between or beside the known ones.

Expected values are what the build itself wrote and printed (`tests/data/producers`). What is not known of a
build may be opaque, or an error; it may not be another value.
"""

from pathlib import Path

import mlirbc
import pytest
from mlirbc._mlirbc import run_cli

from producers.measure import Commands

FOLDER = Path(__file__).parents[1] / "data" / "producers"
FILES = sorted(FOLDER.glob("*.mlirbc"))
OPAQUE = b"<<PROPERTIES"


def lines(text: bytes) -> list[bytes]:
    # An alias may be used in opaque properties only.
    return [line for line in text.rstrip(b"\n").split(b"\n") if not line.startswith(b"#loc")]


def without_locations(data: bytes) -> bytes:
    return bytes(mlirbc.read(data).write(numbering="canonical", strip_locations=True))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_files_are_read_as_their_builds_print_them(path: Path) -> None:
    module = mlirbc.open(path)
    module.verify()
    printed = lines(module.operation.get_asm(binary=True, print_generic_op_form=True))
    expected = lines(path.with_suffix(".generic").read_bytes())
    assert len(printed) == len(expected)
    assert [
        line for line, text in zip(printed, expected, strict=True) if line != text and OPAQUE not in line
    ] == []


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_canonical_files_are_what_their_builds_write_again(path: Path) -> None:
    try:
        written = bytes(mlirbc.open(path).write(numbering="canonical"))
    except mlirbc.UnsupportedError as error:
        assert {loss.kind for loss in error.losses} == {"opaque_properties"}
    else:
        assert written == path.read_bytes()


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_generic_texts_are_assembled_like_the_files_of_their_builds(path: Path, tmp_path: Path) -> None:
    text, out = path.with_suffix(".generic"), tmp_path / "out.mlirbc"
    status = run_cli(["mlirbc", "assemble", "--like", str(path), str(text), "-o", str(out)])
    module = mlirbc.open(path)
    if any(op.is_opaque for op in walk(module)):
        return
    assert status == 0
    assert without_locations(out.read_bytes()) == without_locations(path.read_bytes())


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_custom_texts_are_assembled_as_their_builds_do_or_refused(path: Path, tmp_path: Path) -> None:
    text = path.with_suffix(".mlir").read_bytes()
    # The build read the text from a buffer, whose name in locations is standard input here.
    written = Commands(tmp_path).run(
        "assemble", "--like", str(path), "-", "-o", str(tmp_path / "out"), text=text
    )
    # If the layout is unknown, attributes are written to the dictionary.
    is_opaque = any(op.is_opaque for op in walk(mlirbc.open(path)))
    if written.status == 0 and not is_opaque:
        assert written.data == path.read_bytes()


def walk(module: mlirbc.Module) -> list[mlirbc.Operation]:
    operations: list[mlirbc.Operation] = []

    def keep(op: mlirbc.Operation) -> None:
        operations.append(op)

    module.walk(keep)
    return operations
