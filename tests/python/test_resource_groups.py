"""Resources of dialects other than builtin, and the order of resources without data."""

from pathlib import Path

import mlirbc
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support import oracles

TEXT = """
module attributes {
  test.q = #test.e1di64_elements<blob> : tensor<3xi64>, test.c = dense_resource<q> : tensor<3xi64>,
  test.d = dense_resource<blob> : tensor<3xi64>, test.e = #test.e1di64_elements<none> : tensor<3xi64>,
  test.f = dense_resource<p> : tensor<3xi64>, test.g = dense_resource<o> : tensor<3xi64>} {}
{-# dialect_resources: {
  builtin: { blob: "0x08000000010000000000000002000000000000000300000000000000",
             o: "0x08000000010000000000000002000000000000000300000000000000" },
  test: { blob: "0x08000000040000000000000005000000000000000600000000000000" } } #-}
"""
TABLE = {
    "dialect": "toy",
    "attribute": [{"code": 0, "name": "BlobAttr", "mnemonic": "blob", "fields": ["data: resource"]}],
}

Row = tuple[str, str, bool, bool]


def rows(module: mlirbc.Module) -> list[Row]:
    resources = module.resources.values()
    return [(resource.group, resource.key, resource.is_external, resource.has_data) for resource in resources]


def sent(*options: str) -> bytes:
    oracles.require(22)
    return oracles.checked(oracles.run_mlir_opt(22, ["--emit-bytecode", *options], TEXT))


def test_a_group_is_a_dialect_or_an_external_one() -> None:
    edited = mlirbc.edit.Module.create()
    edited.resources.add("w", b"builtin.")
    edited.resources.add("w", b"of test.", group="test", is_external=False, alignment=8)
    edited.resources.add("w", b"external", group="test", is_external=True)
    module = mlirbc.read(edited.write())
    assert rows(module) == [
        ("test", "w", True, True),
        ("builtin", "w", False, True),
        ("test", "w", False, True),
    ]
    values = [bytes(resource[:]) for resource in module.resources.values()]
    assert values == [b"external", b"builtin.", b"of test."]
    for group, is_external in (("builtin", False), ("test", False), ("test", True)):
        with pytest.raises(mlirbc.InvalidError, match="already has a resource with the key `w`"):
            edited.resources.add("w", b"", group=group, is_external=is_external)
        again = module.edit()
        with pytest.raises(mlirbc.InvalidError, match="already has a resource with the key `w`"):
            again.resources.add("w", b"", group=group, is_external=is_external)


def test_the_kind_of_a_group_is_stated() -> None:
    edited = mlirbc.edit.Module.create()
    with pytest.raises(TypeError, match="pass `group` and `is_external` together"):
        edited.resources.add("w", b"", group="test")  # type: ignore[call-overload]
    with pytest.raises(TypeError, match="pass `group` and `is_external` together"):
        edited.resources.add("w", b"", is_external=True)  # type: ignore[call-overload]
    with pytest.raises(mlirbc.InvalidError, match="a resource of a dialect is a blob"):
        edited.resources.add("w", True, group="test", is_external=False)
    for name in ("", "a.b"):
        with pytest.raises(mlirbc.InvalidError, match="is not the name of a dialect"):
            edited.resources.add("w", b"", group=name, is_external=False)
    assert rows(mlirbc.read(edited.write())) == []


def test_a_key_of_several_dialects_is_not_guessed() -> None:
    edited = mlirbc.edit.Module.create()
    edited.resources.add("w", b"1")
    edited.resources.add("w", b"2", group="test", is_external=False)
    with pytest.raises(mlirbc.InvalidError, match="the module has `2` resources with the key `w`"):
        edited.resources["w"] = b"3"
    with pytest.raises(mlirbc.InvalidError, match="the module has `2` resources with the key `w`"):
        del edited.resources["w"]
    assert [bytes(resource[:]) for resource in mlirbc.read(edited.write()).resources.values()] == [b"1", b"2"]


def test_adding_is_undone() -> None:
    edited = mlirbc.edit.Module.create()
    before = edited.write()
    mark = edited.checkpoint()
    edited.resources.add("w", b"2", group="test", is_external=False)
    edited.rollback(mark)
    assert edited.write() == before
    edited.resources.add("w", b"3", group="test", is_external=False)
    assert rows(mlirbc.read(edited.write())) == [("test", "w", False, True)]


@pytest.mark.parametrize("numbering", ["preserve", "canonical"])
def test_values_refer_to_the_resources_of_their_dialect(numbering: str) -> None:
    toy = mlirbc.dialects.dialect(TABLE)
    empty = mlirbc.read(mlirbc.edit.Module.create().write(), dialects=[TABLE])
    edited = empty.edit()
    edited.operation.attributes["toy.a"] = toy.attribute("blob", "w")
    edited.operation.attributes["toy.b"] = mlirbc.Attribute.parse("dense_resource<w> : tensor<1xi8>")
    edited.resources.add("w", b"1")
    edited.resources.add("w", b"2345", group="toy", is_external=False)
    module = mlirbc.read(edited.write(numbering=numbering), dialects=[TABLE])  # type: ignore[arg-type]
    assert sorted(rows(module)) == [("builtin", "w", False, True), ("toy", "w", False, True)]
    data_by_group = {resource.group: bytes(resource[:]) for resource in module.resources.values()}
    assert data_by_group == {"builtin": b"1", "toy": b"2345"}
    # Copies to another module keep the dialects.
    copy = empty.edit()
    for name in ("toy.a", "toy.b"):
        copy.operation.attributes[name] = module.operation.attributes[name]
    copied = mlirbc.read(copy.write(numbering=numbering), dialects=[TABLE])  # type: ignore[arg-type]
    assert {resource.group: bytes(resource[:]) for resource in copied.resources.values()} == data_by_group


def test_mlir_reads_resources_of_the_test_dialect() -> None:
    """`mlir-opt` declares the resources of the `test` dialect: its text writer renames a second one of the
    same name, which it finds in the text of the attribute."""
    oracles.require(22)
    edited = mlirbc.edit.Module.create()
    edited.operation.attributes["test.a"] = mlirbc.Attribute.parse(
        "#test.e1di64_elements<blob> : tensor<3xi64>"
    )
    edited.operation.attributes["test.b"] = mlirbc.Attribute.parse("dense_resource<blob> : tensor<3xi64>")
    edited.resources.add("blob", bytes(24), alignment=8)
    edited.resources.add("blob", bytes(range(24)), group="test", is_external=False, alignment=8)
    again = oracles.checked(oracles.run_mlir_opt(22, ["--emit-bytecode"], edited.write()))
    assert rows(mlirbc.read(again)) == [("builtin", "blob", False, True), ("test", "blob_1", False, False)]
    edited.resources.add("other", bytes(3), group="nowhere", is_external=False)
    refused = oracles.run_mlir_opt(22, [], edited.write())
    assert refused.status == 1 and "nowhere" in refused.stderr


@pytest.mark.parametrize("options", [(), ("--elide-resource-data-from-bytecode",)])
def test_resources_have_the_order_of_mlir(options: tuple[str, ...], tmp_path: Path) -> None:
    stripped = bool(options)
    written = mlirbc.read(sent()).write(numbering="canonical", strip_resources=stripped)
    assert rows(mlirbc.read(written)) == rows(mlirbc.read(sent(*options)))
    if not stripped:
        assert written == sent()


GROUPS = st.sampled_from(["builtin", "test", "toy", "other"])
ADDED = st.lists(st.tuples(GROUPS, st.sampled_from("abcd"), st.binary(max_size=9)), max_size=12)


@settings(deadline=None)
@given(added=ADDED)
def test_random_resources_stay_in_their_dialects(added: list[tuple[str, str, bytes]]) -> None:
    edited = mlirbc.edit.Module.create()
    expected: dict[tuple[str, str], bytes] = {}
    for group, key, data in added:
        if (group, key) in expected:
            with pytest.raises(mlirbc.InvalidError):
                edited.resources.add(key, data, group=group, is_external=False)
        else:
            edited.resources.add(key, data, group=group, is_external=False)
            expected[group, key] = data
    module = mlirbc.read(edited.write())
    module.verify()
    actual = {(resource.group, resource.key): bytes(resource[:]) for resource in module.resources.values()}
    assert actual == expected and not any(resource.is_external for resource in module.resources.values())
    rewritten = mlirbc.read(module.edit().write())
    assert {(resource.group, resource.key) for resource in rewritten.resources.values()} == expected.keys()
