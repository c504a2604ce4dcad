"""Nested scopes, hooks of one call, and copies into a module with another layout."""

import warnings
from collections.abc import Mapping
from typing import Any

import mlirbc
import pytest
from mlirbc import DataLayout
from mlirbc.layout import LayoutWarning, SizeChange, VectorLayout

RFC = """module attributes {datalayout.spec = [#datalayout.entry<"endianness", "big">,
                                              #datalayout.entry<"toy.lanes", 2>]} {
  module attributes {datalayout.spec = [#datalayout.entry<"toy.lanes", 4>]} { "toy.op"() : () -> () }
}"""


class Toy:
    """A layout that keeps the entries that it sees."""

    def __init__(self) -> None:
        self.entries: list[tuple[str, str]] = []

    def size_in_bits(self, type: Any, layout: DataLayout, entries: Any) -> int:
        self.entries = [(str(key), str(value)) for key, value in entries]
        return 24

    def abi_alignment(self, type: Any, layout: DataLayout, entries: Any) -> int:
        return 4

    def is_memory_reference(self, type: Any) -> bool:
        return "ref" in str(type)


def test_a_query_of_an_operation() -> None:
    module = mlirbc.parse(RFC)
    for top in (module, module.edit()):
        inner = list(top.body.operations)[-1]
        layout = DataLayout(inner, rules="rfc")
        assert str(layout.query("endianness")) == str(layout.endianness) == '"big"'
        assert str(layout.query("toy.lanes")) == "4 : i64"
        assert {entry.key: str(entry.value) for entry in layout.entries} == {
            "endianness": '"big"',
            "toy.lanes": "4 : i64",
        }
        with pytest.raises(mlirbc.InvalidError) as caught:
            DataLayout(inner).query("endianness")
        assert caught.value.identifier == "mlirbc.layout.no_queryable_attribute"


def test_a_number_is_a_vector_policy() -> None:
    vectors = VectorLayout(alignment=4)
    assert repr(vectors) == "VectorLayout(alignment=4, max=None, elements='bytes')"
    assert DataLayout.from_specs([], vectors=vectors).get_type_abi_alignment("vector<16xf32>") == 4
    for wrong in (0, 3):
        with pytest.raises(ValueError, match="power of two"):
            VectorLayout(alignment=wrong)
    with pytest.raises(ValueError, match="'size', 'element' or a number of bytes"):
        VectorLayout(alignment="4")  # type: ignore[arg-type]


def of_width(op: str, attributes: Mapping[str, mlirbc.Attribute], region: int | None) -> str | None:
    assert region == 0
    width = attributes.get("target.width")
    if not isinstance(width, mlirbc.IntegerAttr):
        return None
    return f"#dlti.dl_spec<!llvm.ptr = dense<{width.value}> : vector<3xi64>>"


NESTED = """module attributes {dlti.dl_spec = #dlti.dl_spec<index = 16 : i32>} {
  module attributes {target.width = 32} { "toy.op"() : () -> () }
}"""


def test_a_hook_for_some_modules() -> None:
    module = mlirbc.parse(NESTED)
    inner = module.body.operations[0]

    def facts(place: Any) -> tuple[int | None, object]:
        layout = DataLayout(place)
        return layout.get_type_index_bitwidth("index"), layout.get_type_size("!llvm.ptr")

    mlirbc.layout.register_specification("builtin.module", of_width)
    try:
        edited = next(iter(module.edit().body.operations))
        assert facts(module) == facts(module.operation) == (16, 8)
        assert facts(inner) == facts(inner.regions[0].blocks[0].operations[0]) == facts(edited) == (16, 4)
        mlirbc.layout.verify(module)
    finally:
        assert mlirbc.layout.unregister_specification("builtin.module")
    assert not mlirbc.layout.unregister_specification("builtin.module")
    assert facts(inner) == (16, 8)


def test_arguments_of_one_call() -> None:
    class Most:
        def combine(self, key: str, outer: Any, inner: Any) -> Any:
            return max(outer, inner, key=lambda item: item.value)

    module = mlirbc.parse(NESTED)
    inner = module.body.operations[0]
    hooks = {"builtin.module": of_width}
    assert DataLayout(inner, specifications=hooks).get_type_size("!llvm.ptr") == 4
    assert DataLayout(inner).get_type_size("!llvm.ptr") == 8
    specs = [f'#dlti.dl_spec<"toyonce.n" = {n}>' for n in (3, 1)]
    assert str(DataLayout.from_specs(specs, identifiers={"toyonce": Most()}).entries[0].value) == "3 : i64"
    toy = mlirbc.parse('"toyonce.m"() <{}> {dlti.dl_spec = #dlti.dl_spec<!toyonce.t = 1>} : () -> ()')
    types = {"toyonce.t": Toy()}
    for options in ({}, {"scopes": {"toyonce.m": True}}, {"types": types}):
        with pytest.raises(mlirbc.InvalidError):
            mlirbc.layout.verify(toy, **options)  # type: ignore[arg-type]
    mlirbc.layout.verify(toy, types=types, scopes={"toyonce.m": True})
    mlirbc.layout.verify(module, specifications=hooks)
    with pytest.raises(mlirbc.InvalidError):
        mlirbc.layout.verify(module, specifications={"builtin.module": lambda *_: "#dlti.map<>"})


def test_types_with_a_rule_are_refused() -> None:
    for name in ("f80", "i32", "index", "llvm.ptr", "vector"):
        for call in (
            lambda name=name: mlirbc.layout.register_type(name, Toy()),
            lambda name=name: DataLayout.from_specs([], types={name: Toy()}),
            lambda name=name: mlirbc.layout.table(
                {"type": [{"name": name, "size_in_bits": 1, "abi_alignment": 1}]}
            ),
        ):
            with pytest.raises(mlirbc.InvalidError, match="has a rule in MLIR") as caught:
                call()
            assert caught.value.identifier == "mlirbc.layout.fixed_rule"


def test_a_hook_sees_entries_with_names() -> None:
    toy = Toy()
    spec = '[#datalayout.entry<"toy.lanes", 4>, #datalayout.entry<!toy.t, 1>]'
    layout = DataLayout.from_specs([spec], rules="rfc", types={"toy.t": toy})
    assert layout.get_type_size("!toy.t") == 3
    assert toy.entries == [("!toy.t", "1 : i64"), ("toy.lanes", "4 : i64")]
    assert [layout.is_memory_reference(text) for text in ("!toy.t", "!toy.t<ref>", "memref<1xi8>")] == [
        False,
        True,
        True,
    ]
    assert [layout.has_layout(text) for text in ("!toy.t", "!toy.other", "memref<1xi8>")] == [
        True,
        False,
        True,
    ]


def with_index(width: int, body: str = "") -> mlirbc.Module:
    return mlirbc.parse(
        f"module attributes {{dlti.dl_spec = #dlti.dl_spec<index = {width} : i32>}} {{ {body} }}"
    )


def test_a_clone_reports_types_of_another_size() -> None:
    source = with_index(
        32, "func.func @f(%a: vector<2xindex>, %b: i8) { func.return }  func.func private @g(i8, index)"
    )
    f, g = source.body.operations
    edited = source.edit()
    for target in (with_index(32).edit(), edited):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            target.clone(f, rename={"f": "h"})
    target = with_index(64).edit()
    with pytest.warns(LayoutWarning, match=r"vector<2xindex> from 64 bits to 128 bits") as seen:
        copy = target.clone(f)
    assert [warning.filename for warning in seen] == [__file__]
    with pytest.warns(LayoutWarning, match=r"sizes change: index from 32 bits to 64 bits$"):
        target.clone(g)
    first = edited[f]
    vector = mlirbc.Type.parse("vector<2xindex>")
    assert mlirbc.layout.size_changes(first, copy) == [SizeChange(vector, 64, 128)]
    assert mlirbc.layout.size_changes(copy, first) == [SizeChange(vector, 128, 64)]
    assert mlirbc.layout.size_changes(first, first) == mlirbc.layout.size_changes([], []) == []
    region = target.symbol("f").regions[0]
    with pytest.warns(LayoutWarning, match="vector"):
        blocks = target.clone_blocks(f.regions[0], region)
    assert mlirbc.layout.size_changes(first.regions[0].blocks, blocks) == [SizeChange(vector, 64, 128)]
    with target.transaction(), warnings.catch_warnings():
        warnings.simplefilter("error")
        before = len(target.body.operations)
    with pytest.raises(LayoutWarning), target.transaction(), warnings.catch_warnings():
        warnings.simplefilter("error")
        target.clone(f, rename={"f": "refused"})
    assert len(target.body.operations) == before


def test_a_clone_reports_specifications_that_do_not_combine() -> None:
    spec = '#dlti.dl_spec<"dlti.endianness" = "{}">'
    big, little = (
        f"module attributes {{dlti.dl_spec = {spec.format(value)}}} {{}}" for value in ("big", "little")
    )
    inner = mlirbc.parse(f"module {{ {big} }}").body.operations[0]
    target = mlirbc.parse(little).edit()
    with pytest.warns(LayoutWarning, match=r"the data layout of the copy is invalid: .*dlti\.endianness"):
        target.clone(inner)
