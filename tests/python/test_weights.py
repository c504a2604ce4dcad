"""Weights by name, in safetensors files and back; `mlir-opt` and the safetensors package have their say."""

import json
import struct
import subprocess
import sys
from pathlib import Path

import mlirbc
import numpy as np
import pytest

from support import oracles

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples" / "two_layers.mlirbc"
CONSTANTS = ROOT / "tests" / "data" / "weights" / "constants.mlirbc"


def command(*args: str | Path) -> subprocess.CompletedProcess[str]:
    run = [sys.executable, "-m", "mlirbc", "weights", *map(str, args)]
    return subprocess.run(run, capture_output=True, text=True, check=False)


def succeed(*args: str | Path) -> str:
    done = command(*args)
    assert done.returncode == 0, done.stderr
    return done.stdout


def listed(path: Path, *options: str) -> dict[str, dict[str, object]]:
    return {row["name"]: row for row in json.loads(succeed(path, "--json", *options))}


def printed(path: Path) -> str:
    output = oracles.run_mlir_opt(22, ["--allow-unregistered-dialect"], path.read_bytes())
    return oracles.checked(output).decode()


def canonical(path: Path) -> bytes:
    return bytes(mlirbc.open(path).write(numbering="canonical"))


# ---- the mapping ----


def test_the_mapping_has_the_names_of_the_command() -> None:
    for path in (EXAMPLE, CONSTANTS, ROOT / "examples" / "mlp.jax"):
        # A module is one of the modules of an export.
        module, rows = mlirbc.open(path), listed(path, "--module", "main")
        assert list(module.weights) == list(rows) and len(module.weights) == len(rows)
        for name, weight in module.weights.items():
            row = rows[name]
            assert weight.name == name and name in module.weights
            assert (weight.kind, list(weight.shape), weight.nbytes) == (
                row["kind"],
                row["shape"],
                row["size"],
            )
            array = weight.to_numpy()
            assert (array.dtype, array.shape) == (weight.dtype, weight.shape)
            assert not array.flags.writeable
            # An operation may refer to it several times.
            assert 0 < len(weight.users) <= int(str(row["users"]))
    assert "layer0.wieght" not in mlirbc.open(EXAMPLE).weights
    with pytest.raises(KeyError):
        mlirbc.open(EXAMPLE).weights["layer0.wieght"]


def test_constants_are_named_by_location_symbol_and_number() -> None:
    names = list(mlirbc.open(CONSTANTS).weights)
    assert names[:3] == ["table", "main/0", "main/1"] and "named" in names and "res" in names
    # Resources are counted, too: the constant after one keeps its number when that changes.
    assert "main/7" in names and "main/6" not in names


def test_every_weight_can_be_assigned() -> None:
    module = mlirbc.open(CONSTANTS)
    edited = module.edit()
    for name, weight in module.weights.items():
        edited.weights[name] = weight.to_numpy()[::-1].copy()
        assert np.array_equal(edited.weights[name].to_numpy(), weight.to_numpy()[::-1])
    edited.verify()
    again = mlirbc.read(edited.write())
    for name, weight in module.weights.items():
        assert np.array_equal(again.weights[name].to_numpy(), weight.to_numpy()[::-1]), name
        assert again.weights[name].type == weight.type


def test_a_splat_becomes_a_constant() -> None:
    edited = mlirbc.open(CONSTANTS).edit()
    edited.weights["main/2"] = np.arange(100, dtype=np.float32)
    weight = mlirbc.read(edited.write()).weights["main/2"]
    assert weight.kind == "constant" and weight.to_numpy()[99] == 99


def test_weights_of_vhlo_can_be_assigned() -> None:
    edited = mlirbc.open(ROOT / "examples" / "mlp.jax").edit()
    new = np.arange(32, dtype=np.float32).reshape(8, 4)
    edited.weights["jit(mlp)/dot_general"] = new
    again = mlirbc.read(edited.write())
    assert np.array_equal(again.weights["jit(mlp)/dot_general"].to_numpy(), new)
    again.verify()


@pytest.mark.parametrize(
    "array", [np.zeros(3, np.float32), np.zeros(4, np.float64), np.zeros((2, 2), np.float32), b"1234"]
)
def test_another_dtype_or_shape_is_refused(array: object) -> None:
    edited = mlirbc.open(EXAMPLE).edit()
    with pytest.raises(mlirbc.InvalidError) as refused:
        edited.weights["layer0.bias"] = array
    assert refused.value.identifier == "mlirbc.invalid.weights"
    assert "float32 (4,)" in str(refused.value)
    assert not edited.is_changed


def test_any_object_with_dlpack_is_taken() -> None:
    class Tensor:
        def __init__(self, array: np.ndarray) -> None:
            self.array = array

        def __dlpack__(self, **arguments: object) -> object:
            return self.array.__dlpack__(**arguments)

        def __dlpack_device__(self) -> tuple[int, int]:
            return self.array.__dlpack_device__()

    edited = mlirbc.open(EXAMPLE).edit()
    edited.weights["layer1.bias"] = Tensor(np.array([3, 4], np.float32))
    assert edited.weights["layer1.bias"].to_numpy().tolist() == [3, 4]
    assert np.from_dlpack(mlirbc.open(EXAMPLE).weights["layer1.bias"]).tolist() == [0.125, -0.125]


# ---- files ----


def test_the_safetensors_package_reads_an_export(tmp_path: Path) -> None:
    safetensors = pytest.importorskip("safetensors")
    dtypes = {"float32": "F32", "bfloat16": "BF16", "bool": "BOOL", "int64": "I64", "int32": "I32"}
    for source in (EXAMPLE, CONSTANTS):
        path = tmp_path / "out.safetensors"
        succeed("export", source, "-o", path)
        theirs = dict(safetensors.deserialize(path.read_bytes()))
        weights = mlirbc.open(source).weights
        assert set(theirs) == {name for name, weight in weights.items() if weight.kind != "splat"}
        for name, tensor in theirs.items():
            array = weights[name].to_numpy()
            assert tensor["shape"][: array.ndim] == list(array.shape)
            if tensor["dtype"] in ("U8", "F8_E4M3"):
                # Bytes of `i4`, `i24`, complex numbers, and a dtype that NumPy does not have.
                assert len(tensor["data"]) == weights[name].nbytes
            else:
                assert tensor["dtype"] == dtypes[array.dtype.name]
                assert bytes(tensor["data"]) == array.tobytes(), name


def test_a_file_of_the_safetensors_package_is_imported(tmp_path: Path) -> None:
    safetensors = pytest.importorskip("safetensors.numpy")
    arrays = {name: weight.to_numpy() * 2 for name, weight in mlirbc.open(EXAMPLE).weights.items()}
    safetensors.save_file(arrays, tmp_path / "in.safetensors")
    succeed("import", EXAMPLE, tmp_path / "in.safetensors", "-o", tmp_path / "new.mlirbc")
    module = mlirbc.open(tmp_path / "new.mlirbc")
    for name, array in arrays.items():
        assert np.array_equal(module.weights[name].to_numpy(), array)


@pytest.mark.parametrize("source", [EXAMPLE, CONSTANTS])
def test_an_export_imported_again_changes_nothing(source: Path, tmp_path: Path) -> None:
    succeed("export", source, "-o", tmp_path / "out.safetensors")
    succeed("import", source, tmp_path / "out.safetensors", "-o", tmp_path / "new.mlirbc")
    assert canonical(tmp_path / "new.mlirbc") == canonical(source)


def test_externalized_constants_are_accepted_and_come_back(tmp_path: Path) -> None:
    oracles.require(22)
    whole = tmp_path / "whole.mlirbc"
    keys, side, back = (tmp_path / name for name in ("keys.mlirbc", "side.safetensors", "back.mlirbc"))
    # Without the resource, which `inline` alone would turn into a constant as well.
    text = (CONSTANTS.with_suffix(".mlir")).read_text().partition("{-#")[0]
    text = "\n".join(line for line in text.splitlines() if "<res>" not in line)
    flags = ["--allow-unregistered-dialect", "--emit-bytecode", "--mlir-print-debuginfo"]
    whole.write_bytes(oracles.checked(oracles.run_mlir_opt(22, flags, text)))
    for extra, again in (([], []), (["--to", side], ["--from", side])):
        succeed("externalize", whole, "--min-size", "1", "-o", keys, *extra)
        rows = listed(keys)
        assert list(rows) == list(listed(whole))
        assert rows["main/0"]["kind"] == "resource" and rows["main/0"]["has_data"] is not bool(extra)
        # A constant in an array stays.
        assert rows["main/9"]["kind"] == "constant"
        assert "dense_resource<table>" in printed(keys)
        succeed("inline", keys, "-o", back, *again)
        assert printed(back) == printed(whole)
        assert canonical(back) == canonical(whole)


def test_resources_come_back_as_resources(tmp_path: Path) -> None:
    keys, side, back = (tmp_path / name for name in ("keys.mlirbc", "side.safetensors", "back.mlirbc"))
    for source in (EXAMPLE, CONSTANTS):
        succeed("externalize", source, "--min-size", "1", "--to", side, "-o", keys)
        succeed("inline", keys, "--from", side, "-o", back)
        assert canonical(back) == canonical(source)


def test_operations_that_require_constants_keep_them(tmp_path: Path) -> None:
    # `case_values` of `cf.switch` is a `DenseIntElementsAttr`; the constant is the same attribute.
    text = """
func.func @f(%arg0: i32) -> vector<3xi32> {
  %0 = arith.constant dense<[1, 2, 3]> : vector<3xi32>
  cf.switch %arg0 : i32, [default: ^bb1, 1: ^bb1, 2: ^bb1, 3: ^bb1]
^bb1:
  return %0 : vector<3xi32>
}"""
    for module, kind in ((text, "constant"), (text.replace("1: ^bb1, 2", "4: ^bb1, 2"), "resource")):
        path = tmp_path / "in.mlirbc"
        path.write_bytes(mlirbc.parse(module, target="llvm-22").write())
        assert [row["kind"] for row in listed(path).values()] == ["constant"]
        done = command("externalize", path, "--min-size", "1", "-o", tmp_path / "out.mlirbc")
        assert done.returncode == 0 and ("requires a constant" in done.stderr) == (kind == "constant")
        assert [row["kind"] for row in listed(tmp_path / "out.mlirbc").values()] == [kind]


def test_types_of_metadata_are_checked(tmp_path: Path) -> None:
    path = tmp_path / "in.safetensors"
    for kind, status in (("constant tensor<4xi4>", 0), ("constant tensor<4xi5>", 1), ("", 0)):
        tensor = {"dtype": "U8", "shape": [4], "data_offsets": [0, 4]}
        header = json.dumps({"__metadata__": {"mlirbc.weight.main/0": kind}, "main/0": tensor}).encode()
        path.write_bytes(struct.pack("<Q", len(header)) + header + b"\1\2\3\4")
        done = command("import", CONSTANTS, path, "--allow-missing", "-o", tmp_path / "out.mlirbc")
        assert done.returncode == status, done.stderr
        assert status == 0 or "`main/0` is tensor<4xi4>, but tensor<4xi5> in the file" in done.stderr


@pytest.mark.parametrize("name", ["gap", "long_header", "past_end"])
def test_a_header_that_lies_is_refused(name: str, tmp_path: Path) -> None:
    out = tmp_path / "out.mlirbc"
    done = command("import", EXAMPLE, CONSTANTS.with_name(f"{name}.safetensors"), "-o", out)
    assert done.returncode == 3 and "mlirbc.read.safetensors" in done.stderr and " at 0x" in done.stderr
    assert not out.exists()


def test_a_weight_without_data_says_so() -> None:
    weight = mlirbc.open(CONSTANTS.with_name("constants.keys.mlirbc")).weights["table"]
    assert not weight.has_data and weight.nbytes == 0 and "no data" in repr(weight)
    with pytest.raises(BufferError, match="no data for the weight 'table'"):
        weight.to_numpy()


def test_weights_are_a_table_in_a_notebook() -> None:
    weights = mlirbc.open(EXAMPLE).weights
    table = weights._repr_html_()
    assert table.count("<tr>") == 1 + len(weights)
    assert "<td>layer1.bias</td><td>resource</td><td>tensor&lt;2xf32&gt;</td><td>8</td>" in table
