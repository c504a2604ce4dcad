"""Data layout under the rules of the RFC, and the additions of both sets of rules to MLIR's own."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import mlirbc
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mlirbc import DataLayout
from mlirbc.layout import TypeTable, VectorLayout

EXAMPLE = Path(__file__).parents[2] / "examples" / "two_layers.mlirbc"
SPEC = (
    "[#datalayout.entry<i24, {size = 32, abi = 32, preferred = 64}>,"
    " #datalayout.entry<index, {size = 32, abi = 32}>]"
)


def rfc(*specs: Any, **options: Any) -> DataLayout:
    return DataLayout.from_specs(specs, rules="rfc", **options)


def test_entries_of_the_rfc() -> None:
    layout = rfc(SPEC)
    assert (layout.get_type_size("i24"), layout.get_type_abi_alignment("i24")) == (4, 4)
    assert layout.get_type_preferred_alignment("i24") == 8
    assert layout.get_type_size("memref<?xf32>") == 20
    assert layout.get_type_size("tuple<i8, i24>") == 8
    for spec in (
        SPEC,
        mlirbc.Attribute.parse(SPEC),
        mlirbc.layout.DltiAttr("#dlti.dl_spec<index = 32 : i32>"),
    ):
        assert rfc(spec).get_type_size("index") == 4
    with pytest.raises(mlirbc.InvalidError):
        DataLayout.from_specs([SPEC])
    for call in (
        lambda: DataLayout.from_specs([], rules="x"),
        lambda: mlirbc.layout.verify(module_with(), rules="x"),
    ):  # type: ignore[arg-type]
        with pytest.raises(ValueError, match="'mlir' or 'rfc'"):
            call()


@given(
    st.recursive(st.text(max_size=5), lambda inner: st.lists(inner, max_size=3).map(", ".join), max_leaves=5)
)
def test_any_text_is_a_specification_or_an_error(text: str) -> None:
    for spec in (text, f"[{text}]", f"[#datalayout.entry<{text}>]", f"[#datalayout.entry<i8, {{{text}}}>]"):
        try:
            rfc(spec)
        except mlirbc.Error as error:
            assert error.identifier.startswith(("mlirbc.invalid", "mlirbc.layout"))


@pytest.mark.parametrize(
    ("text", "identifier"),
    [
        ("[1]", "layout.not_an_entry"),
        ("[#datalayout.entry<i8>]", "invalid.text"),
        ("[#datalayout.entry<i8, {}>]", "layout.entry_arity"),
        ("[#datalayout.entry<i8, {abi = 0}>]", "layout.zero_alignment"),
        ("[#datalayout.entry<i8, {abi = 8, color = 1}>]", "layout.entry_kind"),
        ("[#datalayout.entry<i8, {abi = 16, preferred = 8}>]", "layout.preferred_below_abi"),
        ("[#datalayout.entry<i8, {abi = 8}>, #datalayout.entry<i8, {abi = 8}>]", "layout.duplicate_key"),
    ],
)
def test_malformed_entries(text: str, identifier: str) -> None:
    with pytest.raises(mlirbc.InvalidError) as caught:
        rfc(text)
    assert caught.value.identifier == f"mlirbc.{identifier}"


def test_vectors() -> None:
    layout = rfc(vectors=VectorLayout(alignment="element"))
    assert layout.get_type_abi_alignment("vector<4xf32>") == 4
    assert layout.get_type_size("vector<3xf32>") == 16
    assert DataLayout.from_specs([], vectors=VectorLayout(max=8)).get_type_abi_alignment("vector<4xf32>") == 8
    packed = DataLayout.from_specs([], vectors=VectorLayout(elements="packed"))
    assert packed.get_type_size_in_bits("vector<4xi1>") == 4
    assert VectorLayout() == VectorLayout(alignment="size") != VectorLayout(max=8)
    for wrong in ({"alignment": "x"}, {"elements": "x"}, {"max": 3}, {"max": 0}):
        with pytest.raises(ValueError):
            VectorLayout(**wrong)  # type: ignore[arg-type]


def test_accesses() -> None:
    layout = DataLayout.from_specs([])
    assert [layout.access_alignment("f64", stated) for stated in (None, 1, 8, 64)] == [8, 8, 8, 64]
    for text, stated in (("f64", 0), ("f64", 12), ("i0", None), ("tensor<1xi8>", 1)):
        with pytest.raises(mlirbc.InvalidError):
            layout.access_alignment(text, stated)
    with pytest.raises(OverflowError):
        layout.access_alignment("f64", -1)


# ---- hooks ----


def module_with(**attributes: str) -> mlirbc.Module:
    """An operation with two regions in a module, with attributes of the module."""
    edited = mlirbc.edit.Module.create()
    for name, text in attributes.items():
        edited.operation.attributes[name] = mlirbc.Attribute.parse(text)
    widths = {f"hook.width{region}": mlirbc.Attribute.parse(f"{16 << region} : i32") for region in (0, 1)}
    op = edited.detached("hook.op", regions=2, attributes=widths)
    edited.body.operations.append(op)
    for region in op.regions:
        region.blocks.append().operations.append(edited.detached("hook.leaf"))
    return mlirbc.read(edited.write())


@pytest.fixture
def hook() -> Iterator[Any]:
    """Registers a hook for `hook.op`, and takes it away."""
    yield lambda function: mlirbc.layout.register_specification("hook.op", function)
    mlirbc.layout.unregister_specification("hook.op")


def by_region(op: str, attributes: Mapping[str, mlirbc.Attribute], region: int | None) -> str | None:
    assert op == "hook.op" and sorted(attributes) == ["hook.width0", "hook.width1"]
    return None if region is None else f"#dlti.dl_spec<index = {attributes[f'hook.width{region}']}>"


@pytest.mark.parametrize("rules", ["mlir", "rfc"])
def test_layouts_of_regions(hook: Any, rules: Any) -> None:
    hook(by_region)
    module = module_with()
    for top in (module, module.edit()):
        op = list(top.body.operations)[-1]
        assert DataLayout(op, rules=rules).get_type_index_bitwidth("index") == 64
        for region, width in zip(op.regions, (16, 32), strict=True):
            leaf = next(iter(region.blocks[0].operations))
            for place in (region, leaf):
                layout = DataLayout(place, rules=rules)
                assert layout.get_type_index_bitwidth("index") == width
                assert layout.scopes[0][1].startswith("registered for region")
    mlirbc.layout.verify(module, rules=rules)
    with pytest.raises(TypeError, match="or a region"):
        DataLayout(module.edit().body)  # type: ignore[arg-type]


def test_an_edit_is_seen_in_the_layout_of_a_region(hook: Any) -> None:
    hook(by_region)
    edited = module_with().edit()
    op = list(edited.body.operations)[-1]
    layout = DataLayout(op.regions[1])
    assert layout.get_type_index_bitwidth("index") == 32
    op.attributes["hook.width1"] = mlirbc.Attribute.parse("8 : i32")
    assert layout.get_type_index_bitwidth("index") == 8


def test_hooks_that_fail(hook: Any) -> None:
    module = module_with()
    op = module.body.operations[-1]

    def raises(error: Exception) -> Any:
        def hook(*_: object) -> None:
            raise error

        return hook

    def verify() -> None:
        mlirbc.layout.verify(module)

    hook(raises(RuntimeError("broken")))
    for call in (lambda: DataLayout(op), lambda: DataLayout(op.regions[0]), verify):
        with pytest.raises(RuntimeError, match="broken"):
            call()
    hook(raises(ValueError("not mine")))
    for call in (lambda: DataLayout(op), verify):
        with pytest.raises(mlirbc.InvalidError, match=r"not mine.*hook\.op"):
            call()
    for answer, error in ((5, TypeError), ("#dlti.map<>", mlirbc.InvalidError), ("x", mlirbc.InvalidError)):
        hook(lambda *_, answer=answer: answer)
        with pytest.raises(error):
            DataLayout(op)


def test_hooks_that_ask_again(hook: Any) -> None:
    module = module_with()
    edited = module.edit()
    places = [module.body.operations[-1], list(edited.body.operations)[-1]]
    depth = 0

    def asks(name: str, attributes: object, region: int | None) -> None:
        nonlocal depth
        depth += 1
        if depth < 10:
            assert DataLayout(place).entries == []

    def asks_itself(name: str, attributes: object, region: int | None) -> None:
        DataLayout(place)

    class AsksItself:
        def combine(self, key: str, outer: Any, inner: Any) -> Any:
            return DataLayout.from_specs(levels).entries[0].value

    for place in places:
        hook(asks)
        depth = 0
        DataLayout(place)
        assert depth == 10
        hook(asks_itself)
        with pytest.raises(mlirbc.LimitError, match="queries itself"):
            DataLayout(place)
    levels = [f'#dlti.dl_spec<"asksitself.level" = {level}>' for level in (1, 2)]
    mlirbc.layout.register_identifiers("asksitself", AsksItself())
    with pytest.raises(mlirbc.LimitError, match="queries itself"):
        DataLayout.from_specs(levels)


def test_identifiers_of_a_dialect() -> None:
    class Rules:
        def verify(self, key: str, value: mlirbc.Attribute) -> None:
            if not isinstance(value, mlirbc.IntegerAttr):
                raise ValueError(f"{key} is a number")

        def combine(self, key: str, outer: Any, inner: Any) -> Any:
            match key:
                case "pyrules.most":
                    return max(outer, inner, key=lambda item: item.value)
                case "pyrules.fixed":
                    raise ValueError("it is fixed")
                case "pyrules.broken":
                    raise KeyError(key)
            return 5

    mlirbc.layout.register_identifiers("pyrules", Rules())

    def entry_values(key: str, *values: object, rules: Any) -> list[int]:
        specs = [f'#dlti.dl_spec<"pyrules.{key}" = {value}>' for value in values]
        return [entry.value.value for entry in DataLayout.from_specs(specs, rules=rules).entries]  # type: ignore[attr-defined]

    for rules in ("mlir", "rfc"):
        assert entry_values("most", 1, 3, 2, rules=rules) == [3]
        assert entry_values("fixed", 1, 1, rules=rules) == [1]
        with pytest.raises(mlirbc.InvalidError, match="it is fixed") as caught:
            entry_values("fixed", 1, 2, rules=rules)
        assert caught.value.identifier == "mlirbc.layout.specs_do_not_combine"
        with pytest.raises(mlirbc.InvalidError, match="is a number"):
            entry_values("most", '"a"', rules=rules)
        with pytest.raises(KeyError):
            entry_values("broken", 1, 2, rules=rules)
        with pytest.raises(TypeError, match="not an attribute"):
            entry_values("other", 1, 2, rules=rules)


def test_types_that_contain_themselves() -> None:
    class Cycle:
        def size_in_bits(self, type: Any, layout: DataLayout, entries: Any) -> Any:
            return layout.get_type_size_in_bits("tuple<i8, !cyclepy.t>")

        def abi_alignment(self, type: Any, layout: DataLayout, entries: Any) -> int:
            return 1

    layout = rfc(types={"cyclepy.t": Cycle()})
    for text in ("!cyclepy.t", "tuple<!cyclepy.t>", "vector<2x!cyclepy.t>", "!llvm.struct<(!cyclepy.t)>"):
        with pytest.raises(mlirbc.LimitError):
            layout.get_type_size(text)


# ---- other tables ----


def test_tables_by_type() -> None:
    module = module_with(**{"x.costs": '#dlti.map<i8 = 1, f32 = 4, "default" = 9>'})
    edited = module.edit()
    op = list(edited.body.operations)[-1]
    op.attributes["x.costs"] = mlirbc.Attribute.parse("[#datalayout.entry<i8, 2>]")
    module = mlirbc.read(edited.write())
    leaf = module.body.operations[-1].regions[0].blocks[0].operations[0]
    outer, inner = TypeTable(module.operation, "x.costs"), TypeTable(leaf, "x.costs")
    assert str(outer.get("i8")) == "1 : i64" and str(inner.get(mlirbc.Type.parse("i8"))) == "2 : i64"
    assert inner.get("i16") is None and [str(value) for _, value in inner.of_class("i16")] == ["2 : i64"]
    assert str(inner.identifier("default")) == "9 : i64" and inner.identifier("other") is None
    assert [str(key) for key, _ in inner.entries] == ["i8", "f32", "default"] and len(inner) == 3
    assert not TypeTable(leaf, "x.other").entries
    for wrong in ("1 : i8", "[1]", '#dlti.target_system_spec<"a" = #dlti.target_device_spec<"b" = 1>>'):
        with pytest.raises(mlirbc.InvalidError):
            TypeTable.from_attributes([wrong])
