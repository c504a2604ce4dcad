"""`mlirbc print` against MLIR as jaxlib brings it along: portable artifacts of every version, and StableHLO.

The second line of each module of `tests/data/stablehlo` says which version of VHLO is the first to hold it.
"""

import difflib
import itertools
from pathlib import Path

import pytest

from support import jaxlib_oracle
from support.printing import print_module

DATA = Path(__file__).resolve().parents[1] / "data/stablehlo"
MODULES = sorted(path.stem for path in DATA.glob("*.mlir"))

VERSIONS = [f"0.{minor}.0" for minor in range(9, 21)] + [f"1.{minor}.0" for minor in range(21)]
"""All versions of VHLO up to the newest that mlirbc's tables know."""

NOT_NATIVE = {
    "constants": "its quantized constants are accepted in artifacts only, where nothing is verified",
    "elementwise": "its quantized values are accepted in artifacts only, where nothing is verified",
}
"""Modules that cannot be written as StableHLO itself, and why."""


def number(version: str) -> tuple[int, ...]:
    return tuple(map(int, version.split(".")))


def since(module: str) -> str:
    return (DATA / f"{module}.mlir").read_text("utf-8").splitlines()[1].removeprefix("// since ")


def text_of(module: str) -> str:
    """The module without what jaxlib has no dialect for."""
    lines = (DATA / f"{module}.mlir").read_text("utf-8").splitlines(keepends=True)
    return "".join(line for line in lines if "!shape.witness" not in line)


def assert_same(data: bytes, folder: Path) -> None:
    oracle = jaxlib_oracle.require()
    path = folder / "module.mlirbc"
    path.write_bytes(data)
    for locations in (False, True):
        theirs = oracle.print(data, locations=locations)
        mine = print_module(path, folder / "module.mlir", *(["--locations"] if locations else []))
        # One of them ends with the empty line that `mlir-opt` prints.
        texts = [
            text.rstrip(b"\n").decode("utf-8", "backslashreplace").splitlines() for text in (theirs, mine)
        ]
        lines = difflib.unified_diff(*texts, "jaxlib", "mlirbc", lineterm="", n=0)
        shown = [line[:400] for line in itertools.islice(lines, 12)]
        assert not shown, "\n".join(shown)


@pytest.mark.parametrize("module", [name for name in MODULES if since(name)[0].isdigit()])
def test_artifacts_of_every_version(module: str, tmp_path: Path) -> None:
    oracle = jaxlib_oracle.require()
    newest, first = oracle.stablehlo.get_current_version(), since(module)
    if number(first) > number(newest):
        pytest.skip(f"VHLO {first} is not in this jaxlib, which ends at {newest}")
    text = text_of(module)
    wanted = [version for version in VERSIONS if number(first) <= number(version) <= number(newest)]
    assert newest in wanted, f"VHLO {newest} is newer than the tables"
    for version in wanted:
        assert_same(oracle.stablehlo.serialize_portable_artifact_str(text, version), tmp_path)


@pytest.mark.parametrize("module", MODULES)
def test_stablehlo_itself(module: str, tmp_path: Path) -> None:
    oracle = jaxlib_oracle.require()
    first, newest = since(module), oracle.stablehlo.get_current_version()
    if first[0].isdigit() and number(first) > number(newest):
        pytest.skip(f"VHLO {first} is not in this jaxlib, which ends at {newest}")
    text = text_of(module)
    if module in NOT_NATIVE:
        with pytest.raises(oracle.ir.MLIRError):
            oracle.write(text)
    else:
        assert_same(oracle.write(text), tmp_path)
