"""The description of the release that wrote a module."""

from pathlib import Path

import mlirbc
import pytest

DATA = Path(__file__).parents[1] / "data"


def renamed(path: Path, producer: bytes) -> mlirbc.Module:
    data = path.read_bytes()
    return mlirbc.read(data[:5] + producer + data[data.index(b"\0", 5) :])


@pytest.mark.parametrize(
    ("producer", "kind", "name", "llvm", "around"),
    [
        (b"MLIR22.1.8", "exact", "llvm-22", 22, (None, None)),
        (b"MLIR24.0.0git", "development", None, 24, ("llvm-23", None)),
        (b"MLIR18.0.0git", "development", None, 18, ("llvm-17", "llvm-18")),
        (b"StableHLO_v1.9.0", "portable", None, None, (None, None)),
        (b"IREE", "unknown", None, None, (None, None)),
    ],
)
def test_files_of_one_producer_have_one_description(
    producer: bytes, kind: str, name: str | None, llvm: int | None, around: tuple[str | None, str | None]
) -> None:
    folder = DATA / "bytecode/llvm-22/v6"
    for file in ("dialects_common", "unregistered", "empty"):
        release = renamed(folder / f"{file}.mlirbc", producer).release
        assert (release.kind, release.name, release.llvm) == (kind, name, llvm)
        assert (release.after, release.before) == around


def test_a_false_producer_is_contradicted_with_operation_and_offset() -> None:
    release = renamed(DATA / "bytecode/llvm-22/v6/dialects_common.mlirbc", b"MLIR19.1.7").release
    assert release.name == "llvm-19"
    assert release.evidence.fits == ("llvm-22",)
    row = next(row for row in release.evidence.contradictions if row.operation == "func.func")
    assert row.offset is not None and f"{row.offset:#x}" in row.message
    assert str(row) == row.message and row.message in release.contradicted


def test_a_development_version_is_nearest_to_a_known_build() -> None:
    with mlirbc.open(DATA / "between/jaxlib-0.7.0_cf.mlirbc") as module:
        release = module.release
    assert release.name is None
    assert release.nearest in mlirbc.known_releases()
    assert set(release.layouts_from) <= set(mlirbc.known_releases())
    assert "between llvm-20 and llvm-21" in str(release)
