"""Values whose bytes are damaged: only errors of mlirbc leave the package, and MLIR's rules hold."""

import itertools
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import mlirbc
import pytest

from support import oracles

numpy = pytest.importorskip("numpy")

DATA = Path(__file__).parents[1] / "data"
FILES = [
    DATA / "bytecode" / "llvm-22" / "v6" / "elements.mlirbc",
    DATA / "bytecode" / "llvm-19" / "v6" / "elements.mlirbc",
    DATA / "bytecode" / "llvm-22" / "v6" / "attributes.mlirbc",
    DATA / "bytecode" / "llvm-22" / "v6" / "resources.mlirbc",
]
UNREGISTERED = ["--allow-unregistered-dialect"]
MLIR = """\
"builtin.module"() ({
^bb0:
}) {x.a = sparse<[[0], [2]], [1, 5]> : tensor<4xi8>,
    x.b = sparse<[[0, 1], [1, 0]], ["a", "b"]> : tensor<2x2x!x.s>,
    x.c = dense<[(1.0, 2.0), (3.0, 4.0)]> : tensor<2xcomplex<f32>>,
    x.d = dense<[1, 2, 3]> : tensor<3xi3>,
    x.e = dense<[1.0, 2.0]> : tensor<2xf80>,
    x.f = array<i1: true, false>,
    x.g = dense<7> : vector<2x3xi70>} : () -> ()
"""


def questions(value: Any) -> Iterator[Callable[[], object]]:
    """Questions to a value, as far as its class supports them."""
    kind = type(value)
    if hasattr(kind, "to_numpy"):
        yield value.to_numpy
        yield lambda: memoryview(value)
    for name in ("type", "shape", "element_type", "raw_data", "is_splat", "values", "indices", "strides"):
        yield lambda name=name: getattr(value, name, None)
    if hasattr(kind, "__len__"):
        yield lambda: len(value)
    if hasattr(kind, "__iter__"):
        yield lambda: list(itertools.islice(iter(value), 4))
    if hasattr(kind, "get_splat_value") and hasattr(kind, "is_splat"):
        yield lambda: value.get_splat_value() if value.is_splat else None
    yield lambda: (str(value), repr(value), hash(value), value == value)
    yield lambda: value.fields


def ask_everything(data: bytes) -> int:
    """Asks all values of a file everything; how often the answer was an error of mlirbc."""
    refused = 0
    try:
        module = mlirbc.read(data, limits=mlirbc.Limits(max_memory=64 << 20))
        values = [*module.attributes, *module.types]
    except mlirbc.Error:
        return 1
    for value in values:
        for ask in questions(value):
            try:
                ask()
            except mlirbc.Error:
                refused += 1
            except BufferError:
                pass  # what `memoryview` says of arrays of objects
            except KeyError:
                # Documented: the file does not have the resource.
                assert isinstance(value, mlirbc.DenseResourceElementsAttr)
            except ValueError as error:
                # Documented: a shape without a rank, a splat that is none.
                assert "rank" in str(error) or "splat" in str(error) or "element of" in str(error), error
    return refused


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parts[-3]}-{path.stem}")
def test_only_errors_of_mlirbc_leave_the_package(path: Path) -> None:
    whole = path.read_bytes()
    ask_everything(whole)
    chance = random.Random(path.stem)
    refused = 0
    for _ in range(60):
        data = bytearray(whole)
        for _ in range(chance.choice((1, 1, 2, 4))):
            data[chance.randrange(6, len(data))] = chance.choice(
                (0, 1, 3, 0x7F, 0x80, 0xFF, chance.randrange(256))
            )
        refused += ask_everything(bytes(data))
    assert refused, "no damage did any harm"


@pytest.mark.parametrize("release", oracles.RELEASES)
def test_damage_to_elements_of_every_kind(release: int) -> None:
    oracles.require(release)
    whole = oracles.checked(oracles.run_mlir_opt(release, ["--emit-bytecode", *UNREGISTERED], MLIR))
    chance = random.Random(release)
    for place in range(8, len(whole)):
        data = bytearray(whole)
        data[place] = chance.choice((0, 0xFF, data[place] ^ 1 << chance.randrange(8)))
        ask_everything(bytes(data))


# Sparse elements.


@pytest.mark.parametrize("release", oracles.RELEASES)
@pytest.mark.parametrize("index", [-1, 4, 9, -(1 << 63)])
def test_sparse_indices_lie_within_the_shape(release: int, index: int) -> None:
    oracles.require(release)
    text = MLIR.split(",\n")[0] + "} : () -> ()"
    whole = oracles.checked(oracles.run_mlir_opt(release, ["--emit-bytecode", *UNREGISTERED], text))
    pair = (0).to_bytes(8, "little") + (2).to_bytes(8, "little")
    data = whole.replace(pair, pair[:8] + index.to_bytes(8, "little", signed=True))
    assert data != whole
    mlirbc.read(whole).verify()
    # Its reader trusts the indices where assertions are off; its parser refuses what it prints.
    printed = oracles.checked(oracles.run_mlir_opt(release, ["--mlir-print-op-generic", *UNREGISTERED], data))
    assert "sparse index #1" in oracles.run_mlir_opt(release, UNREGISTERED, printed).stderr
    module = mlirbc.read(data)
    with pytest.raises(mlirbc.ReadError) as refused:
        module.verify()
    assert refused.value.identifier == "mlirbc.read.entry.elements"
    assert refused.value.found == f"`{index}`"
    assert module.operation is not None
    sparse: Any = module.operation.attributes["x.a"]
    with pytest.raises(mlirbc.ReadError) as refused:
        sparse.to_numpy()
    assert refused.value.identifier == "mlirbc.read.entry.elements"
    assert refused.value.found == f"`{index}`"


def test_verify_looks_at_sparse_elements_of_large_tables_too() -> None:
    elements = ", ".join(f"sparse<[[0], [1]], [{number}, 5]> : tensor<4xi32>" for number in range(9000))
    edited = mlirbc.edit.Module.create()
    edited.operation.attributes["x.a"] = mlirbc.Attribute.parse(f"[{elements}]")
    whole = edited.write()
    mlirbc.read(whole).verify()
    pair = (0).to_bytes(8, "little") + (1).to_bytes(8, "little")
    data = whole.replace(pair, pair[:8] + (4).to_bytes(8, "little"))
    assert data != whole
    with pytest.raises(mlirbc.ReadError, match="expected an index from `0` to below the size `4`"):
        mlirbc.read(data).verify()
