"""Views of a portable artifact: weights by layer, StableHLO in pages and notebooks, the release of a text."""

import logging
import re
import subprocess
import sys
from pathlib import Path

import mlirbc
import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

from support import jaxlib_oracle

DATA = Path(__file__).parents[2] / "tests" / "data" / "artifacts"
LAYERS = DATA / "layers.jax"


def test_weights_of_an_export_survive_a_tool_without_64_bits(tmp_path: Path) -> None:
    # JAX makes int64 int32 unless it is told not to, which a permutation among the weights does not survive.
    tensors, output = tmp_path / "a.safetensors", tmp_path / "new.jax"
    run = [sys.executable, "-m", "mlirbc", "weights"]
    subprocess.run([*run, "export", LAYERS, "-o", tensors], check=True)
    theirs = load_file(tensors)
    assert {name for name in theirs if "Dense_1" in name} == {
        "jit(<lambda>)/Dense_1/dot_general",
        "jit(<lambda>)/Dense_1/broadcast_in_dim",
    }
    narrowed = {
        name: array.astype(np.int32) if array.dtype == np.int64 else np.asarray(array * 2, array.dtype)
        for name, array in theirs.items()
    }
    save_file(narrowed, tensors)
    subprocess.run([*run, "import", LAYERS, tensors, "-o", output], check=True)
    old, new = mlirbc.open(LAYERS).weights, mlirbc.open(output).weights
    assert list(new) == list(old)
    for name, weight in old.items():
        assert np.array_equal(new[name].to_numpy(), weight.to_numpy() * 2)


def test_a_weight_is_not_an_equal_permutation() -> None:
    text = (
        "%0 = arith.constant dense<[1, 0]> : tensor<2xi64>\n"
        '"stablehlo.transpose"(%0) {permutation = dense<[1, 0]> : tensor<2xi64>} : (tensor<2xi64>) -> ()'
    )
    edited = mlirbc.parse(text).edit()
    edited.weights["constant/0"] = np.array([7, 8])
    assert edited.weights["constant/0"].to_numpy().tolist() == [7, 8]
    written = str(mlirbc.read(edited.write()))
    assert "arith.constant dense<[7, 8]>" in written and "permutation = dense<[1, 0]>" in written


def test_pages_and_notebooks_show_stablehlo() -> None:
    module = mlirbc.open(LAYERS)
    page = mlirbc.explore(module)
    assert "stablehlo.dot_general" in page and "vhlo.dot_general" not in page
    assert "This is the StableHLO module in a portable artifact." in page
    assert "vhlo.dot_general" in mlirbc.explore(module, vhlo=True)
    cell = re.sub("<[^>]*>", "", module._repr_html_())
    assert "stablehlo.convolution" in cell and "vhlo." not in cell
    main = module.body.operations[0].regions[0].blocks[0]
    dot = next(op for op in main.operations if op.name == "vhlo.dot_general_v2")
    cell = re.sub("<[^>]*>", "", dot._repr_html_())
    # The heading has the name in the file, and the note explains it.
    assert "Operation vhlo.dot_general_v2" in cell and cell.count("vhlo.") == 1
    assert "stablehlo.dot_general" in cell and "the operations in the file are those of VHLO" in cell


def test_a_text_finds_its_release(caplog: pytest.LogCaptureFixture) -> None:
    text = (DATA / "layers.mlir").read_text()
    with caplog.at_level(logging.DEBUG, "mlirbc"):
        module = mlirbc.parse(text)
    assert module.write() == mlirbc.parse(text, target="jaxlib-0.10").write()
    assert (
        "parsed the text for jaxlib-0.10, because llvm-22 does not have the dialect `stablehlo`"
        in caplog.text
    )
    # JAX reads it as what it printed.
    oracle = jaxlib_oracle.find()
    if oracle is None:
        pytest.skip("jaxlib is not installed")
    read = [oracle.ir.Module.parse(source, oracle.context) for source in (module.write(), text)]
    assert str(read[0]) == str(read[1])


def test_texts_that_assemble_keep_their_release() -> None:
    text = '"stablehlo.abs"() : () -> ()\n%0 = arith.constant 1 : i32'
    assert mlirbc.parse(text).write() == mlirbc.parse(text, target="llvm-22").write()


def test_an_unknown_dialect_names_releases() -> None:
    with pytest.raises(mlirbc.InvalidError, match=r"`jaxlib-0\.10`.*choose a release") as refused:
        mlirbc.parse("%0 = stablehlo.constant dense<1> : tensor<i32>", target="llvm-22")
    assert refused.value.identifier == "mlirbc.invalid.assembly.operation"
    with pytest.raises(mlirbc.InvalidError, match="frobnicate"):
        mlirbc.parse("frobnicate.it")
