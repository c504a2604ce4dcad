"""Attributes that some releases read from the dictionary of an operation and others as a property."""

import io
import tomllib
from pathlib import Path

import mlirbc
import pytest

from support import jaxlib_oracle, oracles
from support.assembler import Block, File, Op, Region, varints

DATA = Path(__file__).parents[2] / "rust/mlirbc/data"

KERNELS = """
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @step(%a: memref<4xf32>) kernel { gpu.return }
    gpu.func @plain(%a: memref<4xf32>) { gpu.return }
  }
}
"""


def kernels(data: bytes, written_for: str | None = None) -> list[bool]:
    """For each `gpu.func`, whether it is a kernel in the place where its release looks for that."""
    module = mlirbc.read(data, release=written_for)
    release = module.release.nearest or ""
    is_property = release.startswith(("jaxlib", "iree"))
    functions = module.body.operations[0].regions[0].blocks[0].operations
    flags = []
    for op in functions:
        if op.name == "gpu.func":
            assert op.attributes["sym_name"].value in ("step", "plain")
            assert is_property == ("kernel" in op.properties) or op.attributes["sym_name"].value == "plain"
            flags.append(
                "kernel" in op.properties if is_property else "gpu.kernel" in op.discardable_attributes
            )
    return flags


@pytest.mark.parametrize("release", [16, 19, 22])
def test_a_kernel_of_a_release_is_one_for_a_newer_build(release: int) -> None:
    oracles.require(release)
    jaxlib = jaxlib_oracle.require()
    version = 0 if release == 16 else 6
    args = oracles.emit_args(release, version)
    data = oracles.checked(oracles.run_mlir_opt(release, args, KERNELS))
    assert kernels(data) == [True, False]
    for target in ("jaxlib-0.10", "iree-3.13"):
        new = mlirbc.read(data).write(target=target)
        # Below version 5 only the release tells which attributes are inherent.
        assert kernels(new, target) == [True, False], target
    text = jaxlib.print(mlirbc.read(data).write(target="jaxlib-0.10")).decode()
    functions = [line for line in text.splitlines() if '"gpu.func"' in line]
    assert [", kernel" in line for line in functions] == [True, False]
    assert "gpu.kernel" not in text


@pytest.mark.parametrize("release", [16, 19, 22])
def test_a_kernel_of_a_newer_build_is_one_for_a_release(release: int) -> None:
    oracles.require(release)
    jaxlib = jaxlib_oracle.require()
    with jaxlib.context:
        file = io.BytesIO()
        jaxlib.ir.Module.parse(KERNELS).operation.write_bytecode(file)
    data = file.getvalue()
    assert kernels(data) == [True, False]
    new = mlirbc.read(data).write(target=f"llvm-{release}")
    assert kernels(new) == [True, False]
    text = oracles.checked(oracles.run_mlir_opt(release, [], new)).decode()
    functions = [line for line in text.splitlines() if "gpu.func" in line]
    assert [" kernel" in line for line in functions] == [True, False]
    with pytest.raises(mlirbc.UnsupportedError, match="kernel"):
        mlirbc.read(data).write(target="any")


def test_sizes_that_16_reads_from_the_dictionary() -> None:
    oracles.require(16)
    oracles.require(22)
    text = KERNELS.replace(" kernel {", " kernel attributes {gpu.known_block_size = array<i32: 8, 1, 1>} {")
    data = oracles.checked(oracles.run_mlir_opt(16, oracles.emit_args(16, 0), text))
    new = mlirbc.read(data).write(target="llvm-22")
    function = mlirbc.read(new).body.operations[0].regions[0].blocks[0].operations[0]
    assert str(function.properties["known_block_size"]) == "array<i32: 8, 1, 1>"
    assert b"known_block_size = array<i32: 8, 1, 1>" in oracles.checked(oracles.run_mlir_opt(22, [], new))
    back = oracles.checked(oracles.run_mlir_opt(16, [], mlirbc.read(new).write(target="llvm-16")))
    assert b"gpu.known_block_size = array<i32: 8, 1, 1>" in back


MOVED = [
    (row["op"], row["at"], row["before"], row["after"])
    for row in tomllib.loads((DATA / "translation" / "releases.toml").read_text())["property"]
    if "*" not in row["op"] and row.get("before") and row["before"] != row["after"]
]


WRITTEN = {"llvm-16": 16, "llvm-19": 19, "llvm-22": 22, "jaxlib-0.10": 23, "iree-3.13": 24}
DAYS = {
    row["name"]: row["revision"]
    for row in tomllib.loads((DATA / "releases.toml").read_text())["release"]
    if row["name"] in WRITTEN
}


def releases_around(at: int | str) -> tuple[str, str]:
    """The newest release before a change, and the oldest after it, among releases that tests can write."""
    is_after = {
        name: number >= at if isinstance(at, int) else DAYS[name] >= at for name, number in WRITTEN.items()
    }
    older = max((name for name in WRITTEN if not is_after[name]), key=WRITTEN.__getitem__)
    newer = min((name for name in WRITTEN if is_after[name]), key=WRITTEN.__getitem__)
    return older, newer


@pytest.mark.parametrize(("op", "at", "before", "after"), MOVED)
@pytest.mark.parametrize("is_up", [True, False])
def test_an_attribute_that_would_gain_a_meaning_is_reported(
    op: str, at: int | str, before: str, after: str, is_up: bool
) -> None:
    """`gpu.kernel` means nothing in 23, and marks a kernel in 22."""
    source, target = releases_around(at) if is_up else releases_around(at)[::-1]
    name = after if is_up else before
    file = File(version=0 if source == "llvm-16" else 6, producer=b"a test")
    location, unit = file.attribute(varints(15)), file.attribute(varints(7))
    key = file.attribute(varints(2, file.string(name)))
    inner = Op(
        file.op_name(op, registered=True), location, attributes=file.attribute(varints(1, 1, key, unit))
    )
    top = file.op_name("builtin.module", registered=True)
    file.top.append(Op(top, location, regions=[Region([Block([inner])])], isolated=True))
    module = mlirbc.read(file.encode().data, release=source)
    operation = module.body.operations[0]
    if name in operation.properties:
        pytest.skip(f"{name} is a property of {op} in {source}, too")
    with pytest.raises(mlirbc.UnsupportedError) as caught:
        module.write(target=target)
    losses = {(loss.kind, loss.name) for loss in caught.value.losses}
    assert ("gains_meaning", name) in losses
    if losses != {("gains_meaning", name)}:
        return
    with pytest.warns(UserWarning, match="is a property in the target, but not in the release of the file"):
        without = mlirbc.read(module.write(target=target, drop_unsupported=True))
    (dropped,) = without.body.operations
    assert name not in dropped.attributes and name not in dropped.properties


def test_no_function_becomes_a_kernel_on_the_way() -> None:
    oracles.require(22)
    jaxlib = jaxlib_oracle.require()
    with jaxlib.context:
        file = io.BytesIO()
        jaxlib.ir.Module.parse(KERNELS).operation.write_bytecode(file)
    edited = mlirbc.read(file.getvalue()).edit()
    plain = edited.symbol("kernels::plain")
    assert plain is not None
    plain.attributes["gpu.kernel"] = mlirbc.UnitAttr.get()
    module = mlirbc.read(edited.write())
    assert kernels(edited.write()) == [True, False]
    with pytest.raises(
        mlirbc.UnsupportedError,
        match=r"1 gpu\.func operation: attribute `gpu\.kernel` is a property in the target",
    ):
        module.write(target="llvm-22")
    with pytest.warns(UserWarning, match="gpu.kernel"):
        new = module.write(target="llvm-22", drop_unsupported=True)
    assert kernels(new) == [True, False]
    oracles.checked(oracles.run_mlir_opt(22, [], new))
