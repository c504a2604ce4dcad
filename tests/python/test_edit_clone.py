"""Clones of operations, blocks and regions in other modules, and that MLIR reads them."""

import re
from pathlib import Path

import mlirbc
import mlirbc.edit
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mlirbc import InvalidError, StringAttr, Type, UnsupportedError, _mlirbc
from mlirbc.edit import InsertionPoint, Operation

from support.oracles import checked, require, run_mlir_opt, versions

ROOT = Path(__file__).parents[2]
DATA = ROOT / "tests/data/bytecode"
EXAMPLE = ROOT / "examples/two_layers.mlirbc"
FILES = sorted(path.relative_to(DATA).as_posix() for path in DATA.rglob("*.mlirbc"))
PRINT = [
    "--allow-unregistered-dialect",
    "--mlir-print-op-generic",
    "--mlir-print-local-scope",
    "--mlir-print-debuginfo",
]


def operation_named(edited: mlirbc.edit.Module, name: str) -> Operation:
    op = edited.symbol(name)
    assert op is not None
    return op


def assert_read_by_mlir(data: bytes, release: int) -> None:
    """MLIR reads it, and prints the same text as mlirbc."""
    require(release)
    theirs = checked(run_mlir_opt(release, PRINT, data)).decode()
    module = mlirbc.read(data)
    ours = module.operation.get_asm(enable_debug_info=True, use_local_scope=True, print_generic_op_form=True)
    assert ours.rstrip() in theirs


def blob(module: mlirbc.Module, key: str) -> bytes:
    return bytes(memoryview(module.resources[key]))


@pytest.mark.parametrize(("release", "version"), [(22, 6), (19, 6), (19, 3), (22, 1), (16, 0)])
def test_a_function_with_its_weights_is_cloned_between_files(
    tmp_path: Path, release: int, version: int
) -> None:
    source = mlirbc.open(EXAMPLE)
    target = mlirbc.edit.Module.create(release=f"llvm-{release}", version=version)
    target.resources.add("layer0.weight", bytes(range(48)))
    dense, main = source.body.operations
    for op in (dense, main):
        # The example has ranges as locations, which older releases lack.
        target.clone(op, drop_unsupported=True)
    assert [op.name for op in target.body] == ["func.func", "func.func"]
    target.verify(symbols=True)
    path = tmp_path / "target.mlirbc"
    target.save(path)
    again = mlirbc.open(path)
    assert blob(again, "layer0.weight") == bytes(range(48))
    assert blob(again, "layer0.weight_1") == blob(source, "layer0.weight")
    assert blob(again, "layer0.bias") == blob(source, "layer0.bias")
    assert_read_by_mlir(path.read_bytes(), release)


@pytest.mark.parametrize("release", [16, 19, 22])
def test_what_is_cloned_is_printed_by_mlir_as_by_mlirbc(release: int) -> None:
    """Every file of the corpus, into the next release."""
    count = 0
    for name in FILES[release % 7 :: 7]:
        module = mlirbc.open(DATA / name)
        # Releases differ in the test dialect, and in how they print keys; 16 and 19 keep the maps of
        # structured operations in an attribute as soon as they verify them.
        if module.operation.name != "builtin.module" or any(
            part in name for part in ("graph", "test_dialect", "quoted_key", "dialects_common")
        ):
            continue
        target = mlirbc.edit.Module.create(release=f"llvm-{release}", version=versions(release)[-1])
        for key, value in module.operation.attributes.items():
            if key.startswith("transform."):
                target.operation.attributes[key] = value
        mapping: dict[object, object] = {}
        try:
            for op in module.body:
                copy = target.clone(op, mapping=mapping)  # type: ignore[arg-type]
                mapping.update(zip(op.results, copy.results, strict=True))
        except UnsupportedError:
            continue
        data = target.write(verify=False)
        again = mlirbc.read(data)
        output = run_mlir_opt(release, PRINT, data)
        if output.status != 0:
            # The file itself is one that MLIR refuses as a part of this release.
            same = module.write(numbering="canonical", target=f"llvm-{release}", drop_unsupported=True)
            assert run_mlir_opt(release, PRINT, same).status != 0, name
            continue
        ours = again.operation.get_asm(
            enable_debug_info=True, use_local_scope=True, print_generic_op_form=True
        )
        assert ours.rstrip() in output.stdout.decode(), name
        count += 1
    assert count > 10


def test_names_operands_and_symbols_of_a_clone() -> None:
    source, target = mlirbc.open(EXAMPLE).edit(), mlirbc.open(EXAMPLE).edit()
    dense = operation_named(source, "dense")
    with pytest.raises(InvalidError, match="already defined"):
        dense.clone(into=target)
    copy = dense.clone(into=target, rename={"dense": "other"})
    assert operation_named(target, "other") == copy and list(target.body)[-1] == copy
    user = next(op for op in dense.regions[0].blocks[0] if op.operands)
    place = InsertionPoint.at_block_begin(copy.regions[0].blocks[0])
    with pytest.raises(InvalidError, match="defined outside"):
        user.clone(place)
    entry = copy.regions[0].blocks[0]
    mapping = {value: entry.arguments[0] for value in user.operands}
    inner = user.clone(place, mapping=mapping)
    assert inner.block == entry and inner.operands[0] == entry.arguments[0]
    # The next operation goes after it.
    assert user.clone(place, mapping=mapping).block == entry
    assert [op.name for op in entry][:2] == [user.name, user.name]
    with pytest.raises(InvalidError, match="not visible"):
        user.clone(InsertionPoint(target.body), mapping=mapping)
    with pytest.raises(TypeError):
        user.clone(place, mapping={value: dense.regions[0].blocks[0].arguments[0] for value in user.operands})
    with pytest.raises(TypeError):
        target.clone(user, InsertionPoint(source.body))
    inner.erase()
    with pytest.raises(InvalidError, match="erased"):
        inner.clone(into=source)
    target.write()


def test_a_clone_with_another_name_within_the_module() -> None:
    edited = mlirbc.open(EXAMPLE).edit()
    copy = operation_named(edited, "dense").clone(rename={"dense": "second"})
    assert operation_named(edited, "second") == copy
    assert [op.attributes["sym_name"].value for op in edited.body] == ["dense", "second", "main"]
    edited.verify(symbols=True)
    assert_read_by_mlir(edited.write(), 22)


def test_blocks_and_regions() -> None:
    source = mlirbc.open(EXAMPLE)
    edited = mlirbc.edit.Module.create()
    holder = Operation.create("test.holder", regions=1, ip=InsertionPoint(edited.body))
    into = holder.regions[0]
    region = source.body.operations[0].regions[0]
    assert edited.clone_blocks(region, into) == list(into.blocks)
    first = edited.clone_blocks(region.blocks[0], into, 0)[0]
    assert into.blocks[0] == first and len(into.blocks) == len(region.blocks) + 1
    assert [op.name for op in first] == [op.name for op in region.blocks[0]]
    assert into.blocks[1].clone().region == into
    assert len(into.clone_into(into)) == 3
    mlirbc.read(edited.write(verify=False)).verify()
    older = mlirbc.edit.Module.create(release="llvm-19")
    function = Operation.create(
        "func.func",
        attributes={
            "sym_name": StringAttr.get("f"),
            "function_type": source.body.operations[0].attributes["function_type"],
        },
        regions=1,
        ip=InsertionPoint(older.body),
    )
    older.clone_blocks(region, function.regions[0], drop_unsupported=True)
    assert_read_by_mlir(older.write(), 19)
    with pytest.raises(IndexError, match="out of range"):
        older.clone_blocks(region, function.regions[0], 9, drop_unsupported=True)


def test_a_release_without_the_operation_says_so() -> None:
    source = mlirbc.edit.Module.create()
    with InsertionPoint(source.body):
        step = Operation.create("vector.step", [Type.parse("vector<4xindex>")])
    target = mlirbc.edit.Module.create(release="llvm-16", version=0)
    with pytest.raises(UnsupportedError, match=r"vector\.step"):
        step.clone(into=target)
    assert not list(target.body)


def test_a_clone_that_its_target_lacks_names_a_target_that_has_it() -> None:
    source = mlirbc.edit.Module.create()
    with InsertionPoint(source.body):
        step = Operation.create("vector.step", [Type.parse("vector<4xindex>")])
    with pytest.raises(UnsupportedError) as refused:
        step.clone(into=mlirbc.edit.Module.create(release="llvm-16", version=0))
    assert refused.value.hint is not None and "--drop-unsupported" not in refused.value.hint
    assert 'Module.create(release="llvm-22", version=6)' in refused.value.hint
    target = mlirbc.edit.Module.create(release="llvm-22", version=6)
    assert step.clone(into=target).name == "vector.step"


def test_the_target_of_a_clone_of_vhlo_is_a_release_of_stablehlo() -> None:
    pytest.importorskip("jaxlib", reason="jaxlib writes the artifact")
    from jaxlib import _jax

    text = "func.func public @f(%x: tensor<2xf32>) -> tensor<2xf32> { return %x : tensor<2xf32> }"
    artifact = mlirbc.read(_jax.mlir.serialize_portable_artifact(f"module {{ {text} }}", "1.9.0"))
    op = next(iter(artifact.edit().body.operations))
    with pytest.raises(UnsupportedError, match="the target does not have the operation") as refused:
        op.clone(into=mlirbc.edit.Module.create())
    form = re.search(r'Module.create\(release="([^"]+)", version=(\d+)\)', refused.value.hint or "")
    assert form is not None
    target = mlirbc.edit.Module.create(release=form[1], version=int(form[2]))
    op.clone(into=target)
    assert [copy.name for copy in mlirbc.read(target.write()).body.operations] == ["vhlo.func_v1"]


def test_different_versions_of_a_dialect_are_refused() -> None:
    source, target = mlirbc.edit.Module.create(), mlirbc.edit.Module.create()
    for module, version in ((source, b"\x05"), (target, b"\x07")):
        Operation.create("foo.op", ip=InsertionPoint(module.body))
        _mlirbc._EditedTables(module._editor).set_dialect_version("foo", version, True)
    op = next(iter(source.body))
    with pytest.raises(UnsupportedError, match="different versions of the dialect"):
        op.clone(into=target)
    # A module without the dialect takes over its version.
    new = mlirbc.edit.Module.create()
    op.clone(into=new)
    versions = {dialect.name: dialect.version for dialect in mlirbc.read(new.write()).dialects}
    assert versions["foo"] == b"\x05"


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_any_operation_of_any_file_is_cloned_or_refused(data: st.DataObject) -> None:
    module = mlirbc.open(DATA / data.draw(st.sampled_from(FILES)))
    ops = [module.operation]
    for op in ops:
        ops += [inner for region in op.regions for block in region.blocks for inner in block.operations]
    op = data.draw(st.sampled_from(ops))
    release, version = data.draw(st.sampled_from([("llvm-22", 6), ("llvm-19", 4), ("llvm-16", 0)]))
    target = mlirbc.edit.Module.create(release=release, version=version)
    before = target.write()
    try:
        copy = target.clone(op, drop_unsupported=data.draw(st.booleans()))
    except (InvalidError, UnsupportedError):
        assert target.write() == before
        return
    assert copy.name
    mlirbc.read(target.write(verify=False)).verify()
