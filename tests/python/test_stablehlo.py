"""`mlirbc print` against MLIR as jaxlib brings it along: portable artifacts of every version, and StableHLO.

The second line of each module of `tests/data/stablehlo` says which version of VHLO is the first to hold it.
"""

import difflib
import itertools
from pathlib import Path

import mlirbc
import pytest

from artifacts.products import Oracle
from support import jaxlib_oracle
from support.printing import print_module

DATA = Path(__file__).resolve().parents[1] / "data/stablehlo"
MODULES = sorted(path.stem for path in DATA.glob("*.mlir"))

VERSIONS = [f"0.{minor}.0" for minor in range(9, 21)] + [f"1.{minor}.0" for minor in range(21)]
"""All versions of VHLO up to the newest that mlirbc's tables know."""


def number(version: str) -> tuple[int, ...]:
    return tuple(map(int, version.split(".")))


def since(module: str) -> str:
    return (DATA / f"{module}.mlir").read_text("utf-8").splitlines()[1].removeprefix("// since ")


def text_of(module: str) -> str:
    """The module without parts for which jaxlib has no dialect."""
    lines = (DATA / f"{module}.mlir").read_text("utf-8").splitlines(keepends=True)
    return "".join(line for line in lines if "!shape.witness" not in line)


STORAGE = (
    *("i8", "u8", "i4<-7:7>", "u4<1:14>", "i32", "u32", "si8", "ui8", "si4<-7:7>", "ui4<1:14>"),
    *("f8E5M2", "f8E4M3FN", "f4E2M1FN", "f8E5M2<-3:57344>", "f8E4M3FN<-100:100>", "f4E2M1FN<-6:5>"),
)
"""Storage of quantized types; floats, and integers with a sign, are printed as types after LLVM 22."""


def assert_same(data: bytes, folder: Path) -> None:
    oracle = jaxlib_oracle.require()
    path = folder / "module.mlirbc"
    path.write_bytes(data)
    for locations in (False, True):
        theirs = oracle.print(data, locations=locations)
        mine = print_module(
            path, folder / "module.mlir", "--generic", *(["--locations"] if locations else [])
        )
        # A text may end with the empty line that `mlir-opt` prints.
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
    versions = [version for version in VERSIONS if number(first) <= number(version) <= number(newest)]
    assert newest in versions, f"VHLO {newest} is newer than the tables"
    for version in versions:
        data = oracle.stablehlo.serialize_portable_artifact_str(text, version)
        assert_same(data, tmp_path)
        assert mlirbc.read(data).write(numbering="canonical") == data, version


@pytest.mark.parametrize("module", MODULES)
def test_stablehlo_itself(module: str, tmp_path: Path) -> None:
    oracle = jaxlib_oracle.require()
    first, newest = since(module), oracle.stablehlo.get_current_version()
    if first[0].isdigit() and number(first) > number(newest):
        pytest.skip(f"VHLO {first} is not in this jaxlib, which ends at {newest}")
    text = text_of(module)
    try:
        data = oracle.write(text)
    except oracle.ir.MLIRError:
        # Values of dialects that no test before has loaded into the context of the oracle.
        assert module in ("constants", "elementwise")
        return
    assert_same(data, tmp_path)


def test_storage_of_quantized_types(tmp_path: Path) -> None:
    jaxlib_oracle.require()
    oracle = Oracle()
    types = [f"!quant.any<{storage}{end}>" for storage in STORAGE for end in ("", ":f32")]
    text = f'"test.types"() {{types = [{", ".join(types)}]}} : () -> ()'
    with oracle.context:
        module = oracle.ir.Module.parse(text)
        (tmp_path / "module.mlirbc").write_bytes(oracle.bytecode(module))
        theirs = oracle.text(module)
    mine = print_module(tmp_path / "module.mlirbc", tmp_path / "module.mlir", "--generic")
    assert mine.rstrip() == theirs.rstrip()


@pytest.mark.parametrize("version", ["1.11.0", "1.17.0"])
def test_other_dialects_in_artifacts_are_written_again(version: str) -> None:
    jaxlib_oracle.require()
    oracle = Oracle()
    text = """
        func.func @main(%arg0: tensor<2xf32>) -> tensor<2xf32> {
          %0 = arith.constant dense<1.0> : tensor<2xf32>
          %1 = stablehlo.add %arg0, %0 : tensor<2xf32>
          return %1 : tensor<2xf32>
        }"""
    with oracle.context:
        module = oracle.ir.Module.parse(text)
        data = oracle.stablehlo.serialize_portable_artifact(module, version, allow_other_dialects=True)
    assert "arith.constant" in {op.name for op in operations(data)}
    assert mlirbc.read(data).write(numbering="canonical") == data


def operations(data: bytes) -> list[mlirbc.Operation]:
    visited: list[mlirbc.Operation] = []
    mlirbc.read(data).walk(visited.append)
    return visited
