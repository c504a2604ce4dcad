"""The benchmarks' inputs, scaled down, are valid for upstream; nothing is timed here."""

import struct
from pathlib import Path

import pytest

from bench import inputs
from support import jaxlib_oracle, oracles


def printed(data: bytes | Path) -> str:
    oracles.require(22)
    return oracles.checked(oracles.run_mlir_opt(22, oracles.print_args(22), data)).decode()


@pytest.mark.parametrize(("functions", "ops"), [(3, 40), (1, 300), (130, 2)])
@pytest.mark.parametrize("version", [4, 6])
def test_million_ops_is_valid_in_the_small(version: int, functions: int, ops: int) -> None:
    text = printed(inputs.million_ops(version, functions, ops, is_func=version < 5))
    assert text.count('"func.func"' if version < 5 else '"f.func"') == functions
    assert text.count("model.py") == functions * ops
    for line in (1, functions * ops):
        assert f'"model.py":{line}:' in text


def test_three_of_ten_operations_have_two_operands() -> None:
    text = printed(inputs.million_ops(functions=2, ops=1000))
    assert text.count('"arith.addf"') == 2 * 300
    assert text.count('"arith.negf"') == 2 * 699


@pytest.mark.parametrize("shape", ["plain", "inside", "isolated"])
def test_nested_regions_are_valid_in_the_small(shape: str) -> None:
    text = printed(inputs.nested_regions(60, shape))
    assert text.count('"t.nested"') == 61 + (shape == "inside")


@pytest.mark.parametrize("kind", ["types", "attributes", "locations"])
def test_chains_are_valid_in_the_small(kind: str) -> None:
    text = printed(inputs.chain(kind, 50))
    assert text.count({"types": "tuple<", "attributes": "[", "locations": '"k"'}[kind]) >= 50


def test_small_modules_are_valid_and_differ(tmp_path: Path) -> None:
    path = tmp_path / "small"
    inputs.write_small_modules(path, 50)
    modules = inputs.read_small_modules(path)
    assert len(set(modules)) == 50
    assert "file_7.mlir" in printed(modules[7])


def test_resources_sit_where_the_directory_says(tmp_path: Path) -> None:
    path = tmp_path / "resources.mlirbc"
    # Large enough for upstream to map the file, and so to find it as aligned as it is.
    inputs.write_resources(path, blobs=4, size=300_000, alignment=64)
    data = path.read_bytes()
    for number in range(1, 4):
        offsets = [n for n in range(0, len(data), 64) if data[n : n + 8] == struct.pack("<Q", number)]
        assert len(offsets) == 1
    printed(path)


def test_stablehlo_is_valid_in_the_small() -> None:
    oracle = jaxlib_oracle.require()
    text = oracle.print(inputs.stablehlo_text(functions=3, ops=40), locations=True).decode()
    assert text.count('"func.func"') == 3
    assert text.count('"stablehlo.') == 3 * 44
    assert text.count('= loc("model.py":') == 3 * 45
