"""Modules, operations, attributes, types, limits and errors in `pickle` and `copy`."""

import copy
import os
import pickle
import shutil
from pathlib import Path

import mlirbc
import pytest
from hypothesis import HealthCheck, given, settings
from mlirbc import testing

EXAMPLES = Path(__file__).parent.parent.parent / "examples"
TWO_LAYERS = EXAMPLES / "two_layers.mlirbc"


def again(value):
    return pickle.loads(pickle.dumps(value))


def test_a_module_of_a_file_is_pickled_as_its_path():
    module = mlirbc.open(TWO_LAYERS)
    assert len(pickle.dumps(module)) < 400
    assert again(module).get_asm() == module.get_asm()


def test_a_path_means_the_same_file_after_the_folder_changed(tmp_path, monkeypatch):
    monkeypatch.chdir(EXAMPLES)
    data = pickle.dumps(mlirbc.open("two_layers.mlirbc"))
    monkeypatch.chdir(tmp_path)
    assert pickle.loads(data).op_counts()["func.func"] == 2


def test_a_file_that_changed_is_refused(tmp_path):
    file = tmp_path / "a.mlirbc"
    shutil.copy(TWO_LAYERS, file)
    data = pickle.dumps(mlirbc.open(file))
    os.utime(file, ns=(1, 1))
    with pytest.raises(OSError, match="has changed since"):
        pickle.loads(data)


def test_keywords_are_kept():
    limits = mlirbc.Limits(max_depth=7, max_memory=1 << 20)
    module = mlirbc.open(TWO_LAYERS, limits=limits, release="llvm-19", backend="read")
    assert again(module).release.name == "llvm-19"
    assert again(limits) == limits
    shallow = again(mlirbc.open(TWO_LAYERS, limits=mlirbc.Limits(max_depth=1)))
    with pytest.raises(mlirbc.LimitError):
        shallow.verify()
    assert again(mlirbc.open(EXAMPLES / "mlp.jax", module=1)).container.module == 1
    assert again(mlirbc.open(EXAMPLES / "mlp.jax", module="fun_vjp_jax")).container.module == 1


def test_a_module_without_a_file_is_pickled_as_its_bytes():
    data = TWO_LAYERS.read_bytes()
    assert again(mlirbc.read(data)).get_asm() == mlirbc.open(TWO_LAYERS).get_asm()
    assert again(mlirbc.read(bytearray(data))).op_counts() == mlirbc.open(TWO_LAYERS).op_counts()
    parsed = mlirbc.parse("func.func private @f(i32) -> i32", target="llvm-19")
    assert again(parsed).get_asm() == parsed.get_asm()
    assert again(parsed).release.name == parsed.release.name


def test_a_module_with_its_own_tables_is_refused():
    table = mlirbc.DialectTable.from_toml('dialect = "own"')
    assert again(mlirbc.open(TWO_LAYERS, dialects=[])).bytecode.version == 6
    module = mlirbc.open(TWO_LAYERS, dialects=[table])
    with pytest.raises(TypeError, match="dialects or schemas of its own"):
        pickle.dumps(module)


def test_a_closed_module_is_refused():
    module = mlirbc.open(TWO_LAYERS)
    module.close()
    with pytest.raises(ValueError, match="closed"):
        pickle.dumps(module)


def test_operations_are_pickled_with_their_position():
    module = mlirbc.open(TWO_LAYERS)
    operations = []
    module.walk(lambda op: operations.append(op))
    restored = again(operations)
    assert [op.path for op in restored] == [op.path for op in operations]
    assert [op.get_asm() for op in restored] == [op.get_asm() for op in operations]
    # All operations share one module.
    assert len(pickle.dumps(operations)) < 100 * len(operations)


@settings(max_examples=30, deadline=None, suppress_health_check=list(HealthCheck))
@given(testing.operations(max_operations=8))
def test_any_operation(op):
    assert again(op).path == op.path
    assert again(op).name == op.name


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(testing.attributes())
def test_any_attribute(attribute):
    restored = again(attribute)
    assert type(restored) is type(attribute)
    # A distinct attribute is equal to itself only.
    assert restored == attribute or "distinct[" in str(attribute)
    assert str(restored) == str(attribute)


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(testing.types())
def test_any_type(kind):
    restored = again(kind)
    assert type(restored) is type(kind)
    assert str(restored) == str(kind)


def test_an_attribute_brings_its_resource():
    module = mlirbc.open(TWO_LAYERS)
    [weight, *_] = [a for a in module.attributes if isinstance(a, mlirbc.DenseResourceElementsAttr)]
    assert again(weight).to_numpy().tolist() == weight.to_numpy().tolist()


def test_errors_keep_their_fields():
    with pytest.raises(mlirbc.ReadError) as read:
        mlirbc.read(b"ML\xefR\x0d")
    with pytest.raises(mlirbc.InvalidError) as invalid:
        mlirbc.parse("foo\nbar")
    uses = TWO_LAYERS.parent.parent / "tests/data/bytecode/llvm-22/v6/uses_pairs.mlirbc"
    with pytest.raises(mlirbc.UnsupportedError) as unsupported:
        mlirbc.open(uses).write(version=0)
    for error in (read.value, invalid.value, unsupported.value):
        restored = again(error)
        assert type(restored) is type(error)
        assert str(restored) == str(error)
        for field in ("identifier", "message", "offset", "section", "expected", "found", "path", "hint"):
            assert getattr(restored, field) == getattr(error, field)
    assert again(unsupported.value).losses == unsupported.value.losses
    assert len(again(invalid.value).errors) == len(invalid.value.errors)


def test_copies_are_the_same_object():
    module = mlirbc.open(TWO_LAYERS)
    op = module.body.operations[0]
    attribute, kind = module.attributes[0], module.types[0]
    for value in (module, op, attribute, kind):
        assert copy.copy(value) is value
        assert copy.deepcopy([value])[0] is value
