"""Transactions: everything or nothing."""

from pathlib import Path

import mlirbc
import mlirbc.edit
import pytest
from mlirbc import InvalidError, StringAttr
from mlirbc.edit import InsertionPoint, Operation

EXAMPLE = Path(__file__).parents[2] / "examples/two_layers.mlirbc"


class Failure(Exception):
    pass


def change(edited: mlirbc.edit.Module) -> Operation:
    edited.rename_symbol("main", "start")
    edited.resources["layer0.weight"] = bytes(48)
    edited.resources.add("new", b"1234")
    dense = edited.symbol("dense")
    assert dense is not None
    dense.attributes["example.note"] = StringAttr.get("x")
    dense.regions[0].blocks[0].insert_argument(0, mlirbc.Type.parse("i1"))
    return Operation.create("test.new", ip=InsertionPoint(edited.body))


def test_an_exception_undoes_what_the_block_did() -> None:
    edited = mlirbc.open(EXAMPLE).edit()
    dense = edited.symbol("dense")
    assert dense is not None
    dense.attributes["example.before"] = StringAttr.get("kept")
    expected = edited.write()
    listed = list(edited.body)
    arguments = list(dense.regions[0].blocks[0].arguments)
    new: list[Operation] = []
    with pytest.raises(Failure), edited.transaction():
        new.append(change(edited))
        assert edited.write() != expected
        raise Failure
    assert edited.write() == expected
    assert list(edited.body) == listed
    assert list(dense.regions[0].blocks[0].arguments) == arguments
    assert dense.attributes["example.before"].value == "kept"
    for use in (lambda: new[0].name, lambda: new[0].erase(), lambda: new[0].clone()):
        with pytest.raises(InvalidError, match="rolled back"):
            use()
    assert Operation.create("test.next", ip=InsertionPoint(edited.body)) != new[0]


def test_without_an_exception_the_edits_stay() -> None:
    edited = mlirbc.open(EXAMPLE).edit()
    with edited.transaction() as inside:
        assert inside is edited
        new = change(edited)
    assert new.name == "test.new" and edited.symbol("start") is not None
    with mlirbc.open(EXAMPLE).edit() as second:
        change(second)
    assert second.write() == edited.write() or second.symbol("start") is not None


def test_edit_as_a_context_undoes_its_block() -> None:
    module = mlirbc.open(EXAMPLE)
    edited_modules = []
    with pytest.raises(Failure), module.edit() as edited:
        edited_modules.append(edited)
        change(edited)
        raise Failure
    assert not edited_modules[0].is_changed
    assert edited_modules[0].write() == EXAMPLE.read_bytes()


def test_transactions_nest() -> None:
    edited = mlirbc.open(EXAMPLE).edit()
    with edited.transaction():
        edited.rename_symbol("main", "outer")
        with pytest.raises(Failure), edited.transaction():
            edited.rename_symbol("outer", "inner")
            raise Failure
        assert edited.symbol("outer") is not None
    assert edited.symbol("outer") is not None and edited.symbol("inner") is None


def test_checkpoints() -> None:
    edited, unrelated = mlirbc.open(EXAMPLE).edit(), mlirbc.open(EXAMPLE).edit()
    first = edited.checkpoint()
    edited.rename_symbol("main", "a")
    second = edited.checkpoint()
    edited.rename_symbol("a", "b")
    edited.rollback(second)
    assert edited.symbol("a") is not None
    edited.rollback(first)
    assert edited.symbol("main") is not None and not edited.is_changed
    with pytest.raises(InvalidError, match="undone"):
        edited.rollback(second)
    with pytest.raises(TypeError):
        unrelated.rollback(first)
    edited.rename_symbol("main", "c")
    edited.rollback(first)
    assert edited.write() == EXAMPLE.read_bytes()
