"""Attributes, types and locations as values, the attributes of operations, and text."""

import io
import math
import struct
from pathlib import Path
from typing import Any

import mlirbc
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support import jaxlib_oracle
from support.examples import worked_example
from support.sampling import examples

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples" / "two_layers.mlirbc"

CLASSES = {
    "7 : i32": "IntegerAttr",
    "true": "BoolAttr",
    "1.5 : f32": "FloatAttr",
    '"x"': "StringAttr",
    '"x" : i8': "StringAttr",
    "[1 : i8, unit]": "ArrayAttr",
    "{a = 1 : i64, b}": "DictAttr",
    "i32": "TypeAttr",
    "unit": "UnitAttr",
    "@a": "FlatSymbolRefAttr",
    "@a::@b": "SymbolRefAttr",
    "dense<1> : tensor<2xi32>": "DenseIntElementsAttr",
    "dense<true> : tensor<2xi1>": "DenseIntElementsAttr",
    "dense<1> : vector<2xindex>": "DenseIntElementsAttr",
    "dense<1.5> : vector<2xf32>": "DenseFPElementsAttr",
    "dense<1.5> : tensor<2xf8E4M3FN>": "DenseFPElementsAttr",
    "dense<(1.0,2.0)> : tensor<2xcomplex<f32>>": "DenseElementsAttr",
    'dense<"a"> : tensor<2x!toy.string>': "DenseStringElementsAttr",
    "sparse<[[0]], [1]> : tensor<3xi32>": "SparseElementsAttr",
    "array<i1: true>": "DenseBoolArrayAttr",
    "array<i8: 1>": "DenseI8ArrayAttr",
    "array<i16: 1>": "DenseI16ArrayAttr",
    "array<i32: 1>": "DenseI32ArrayAttr",
    "array<i64: 1>": "DenseI64ArrayAttr",
    "array<f32: 1.5>": "DenseF32ArrayAttr",
    "array<f64: 1.5>": "DenseF64ArrayAttr",
    "array<ui8: 1>": "DenseArrayAttr",
    "affine_map<(d0) -> (d0)>": "AffineMapAttr",
    "affine_set<(d0) : (d0 == 0)>": "IntegerSetAttr",
    "strided<[1], offset: ?>": "StridedLayoutAttr",
    "distinct[0]<unit>": "DistinctAttr",
    "#toy.pair<1, 2>": "OpaqueAttr",
    "loc(unknown)": "UnknownLoc",
    'loc("a":1:2)': "FileLineColLoc",
    'loc("a":1:2 to 3:4)': "FileLineColLoc",
    'loc("n")': "NameLoc",
    'loc(callsite("f" at "g"))': "CallSiteLoc",
    'loc(fused["f", "g"])': "FusedLoc",
}

TYPES = {
    "i32": "IntegerType",
    "si8": "IntegerType",
    "index": "IndexType",
    "none": "NoneType",
    "f16": "F16Type",
    "bf16": "BF16Type",
    "f32": "F32Type",
    "f64": "F64Type",
    "tf32": "FloatTF32Type",
    "f80": "F80Type",
    "f128": "F128Type",
    "f8E5M2": "Float8E5M2Type",
    "f8E4M3": "Float8E4M3Type",
    "f8E4M3FN": "Float8E4M3FNType",
    "f8E5M2FNUZ": "Float8E5M2FNUZType",
    "f8E4M3FNUZ": "Float8E4M3FNUZType",
    "f8E4M3B11FNUZ": "Float8E4M3B11FNUZType",
    "f8E3M4": "Float8E3M4Type",
    "f8E8M0FNU": "Float8E8M0FNUType",
    "f6E2M3FN": "Float6E2M3FNType",
    "f6E3M2FN": "Float6E3M2FNType",
    "f4E2M1FN": "Float4E2M1FNType",
    "complex<f32>": "ComplexType",
    "vector<2x[4]xf32>": "VectorType",
    "tensor<?x3xf32>": "RankedTensorType",
    'tensor<2xf32, "e">': "RankedTensorType",
    "tensor<*xf32>": "UnrankedTensorType",
    "memref<2x?xf32>": "MemRefType",
    "memref<2xf32, strided<[1], offset: ?>, 3>": "MemRefType",
    "memref<*xf32, 1>": "UnrankedMemRefType",
    "tuple<i32, f32>": "TupleType",
    "(i32) -> f32": "FunctionType",
    "!toy.pair<1>": "OpaqueType",
}


# Classes, text, equality.


@pytest.mark.parametrize("text", CLASSES)
def test_attributes_are_of_their_class(text: str) -> None:
    attribute = mlirbc.Attribute.parse(text)
    cls = getattr(mlirbc, CLASSES[text])
    assert type(attribute) is cls and isinstance(attribute, mlirbc.Attribute)
    assert repr(attribute) == f"{CLASSES[text]}({attribute})"
    assert cls(attribute) == attribute and type(cls(attribute)) is cls
    base = mlirbc.Attribute(attribute)
    assert type(base) is mlirbc.Attribute and type(base.maybe_downcast()) is cls
    again = mlirbc.Attribute.parse(str(attribute))
    assert str(again) == str(attribute)
    if "distinct" not in text:
        assert again == attribute and hash(again) == hash(attribute) and len({again, attribute}) == 1


@pytest.mark.parametrize("text", TYPES)
def test_types_are_of_their_class(text: str) -> None:
    parsed = mlirbc.Type.parse(text)
    cls = getattr(mlirbc, TYPES[text])
    assert type(parsed) is cls and str(parsed) == text
    assert cls(parsed) == parsed and hash(cls(parsed)) == hash(parsed)
    assert type(mlirbc.Type(parsed).maybe_downcast()) is cls
    if isinstance(parsed, mlirbc.FloatType):
        assert cls.get() == parsed and parsed.width == mlirbc.FloatType(parsed).width


def test_casts_are_checked() -> None:
    unit = mlirbc.UnitAttr.get()
    with pytest.raises(ValueError, match=r"Cannot cast attribute to IntegerAttr \(from Attribute\(unit\)\)"):
        mlirbc.IntegerAttr(unit)
    with pytest.raises(ValueError, match="Cannot cast attribute to Location"):
        mlirbc.Location(unit)
    with pytest.raises(TypeError):
        mlirbc.IntegerAttr()
    with pytest.raises(TypeError):
        mlirbc.IntegerAttr("1")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="Cannot cast type to F32Type"):
        mlirbc.F32Type(mlirbc.F64Type.get())
    # Classes that are one in MLIR and two in its bindings.
    assert mlirbc.IntegerAttr(mlirbc.BoolAttr.get(True)).value == 1
    assert mlirbc.SymbolRefAttr(mlirbc.FlatSymbolRefAttr.get("a")).value == ["a"]
    assert isinstance(mlirbc.Location.unknown(), mlirbc.Attribute)


def test_values_are_equal_across_files() -> None:
    first, second = mlirbc.open(EXAMPLE), mlirbc.open(EXAMPLE)
    for left, right in zip(first.attributes, second.attributes, strict=True):
        assert left == right and hash(left) == hash(right) and left.index == right.index
    for a, b in zip(first.types, second.types, strict=True):
        assert a == b and hash(a) == hash(b) and a == mlirbc.Type.parse(str(a))
    assert first.types[0] != first.attributes[0] and first.types[0] != "f32"
    assert mlirbc.UnitAttr.get().index is None


def test_handles_outlive_their_module() -> None:
    types = list(mlirbc.open(EXAMPLE).types)
    location = mlirbc.open(EXAMPLE).operation.location
    assert str(types[0]) == "f32" and location.dialect == "builtin"


def test_a_map_that_somebody_holds_stays_that_of_its_operation() -> None:
    block = mlirbc.open(EXAMPLE).body.operations[0].regions[0].blocks[0]
    expected = [dict(block.operations[place].attributes) for place in range(len(block.operations))]
    # Handles of a loop are reused, and operations without attributes share a map.
    maps = [op.attributes for op in block.operations]
    assert [dict(attributes) for attributes in maps] == expected
    assert any(expected) and not all(expected)


def test_handles_that_somebody_holds_stay_what_they_are() -> None:
    module = mlirbc.open(EXAMPLE)
    ops = list(module.body.operations[0].regions[0].blocks[0])
    held = [op.location for op in ops]
    texts = [str(op.location) for op in ops]
    assert [str(location) for location in held] == texts
    assert len(set(texts)) > 1


# Numbers, strings, collections.


@given(st.integers(1, 200), st.data())
@settings(deadline=None)
def test_integers_keep_their_value(width: int, data: st.DataObject) -> None:
    value = data.draw(st.integers(-(1 << width - 1), (1 << width - 1) - 1))
    attribute = mlirbc.IntegerAttr.get(mlirbc.IntegerType.get_signed(width), value)
    assert attribute.value == value == int(attribute)
    assert mlirbc.Attribute.parse(str(attribute)) == attribute
    unsigned = mlirbc.IntegerAttr.get(mlirbc.IntegerType.get_unsigned(width), abs(value))
    assert unsigned.value == abs(value)
    with pytest.raises(mlirbc.InvalidError):
        mlirbc.IntegerAttr.get(mlirbc.IntegerType.get_signed(width), 1 << width - 1)
    with pytest.raises(ValueError):
        mlirbc.IntegerAttr.get(mlirbc.IntegerType.get_signless(width), 1 << width)


@given(st.floats(width=64))
@settings(deadline=None)
def test_doubles_keep_their_bits(value: float) -> None:
    attribute = mlirbc.FloatAttr.get_f64(value)
    assert struct.pack("<d", attribute.value) == struct.pack("<d", value) or math.isnan(value)
    assert mlirbc.Attribute.parse(str(attribute)) == attribute


@pytest.mark.parametrize("name", [name for name, cls in TYPES.items() if "f" in name and "Float" in cls])
def test_small_floats_agree_with_ml_dtypes(name: str) -> None:
    numpy = pytest.importorskip("numpy")
    ml_dtypes = pytest.importorskip("ml_dtypes")
    from mlirbc import _mlirbc, arrays

    if name not in arrays.ML_DTYPES or name == "bf16":
        pytest.skip("no dtype of 8 bits or less")
    dtype = numpy.dtype(getattr(ml_dtypes, arrays.ML_DTYPES[name]))
    bits = numpy.arange(1 << (_mlirbc._float_width(name) or 0), dtype=numpy.uint8)
    theirs = bits.view(dtype).astype(numpy.float64)
    mine = numpy.array([_mlirbc._decode_float(name, int(pattern)) for pattern in bits])
    numpy.testing.assert_array_equal(mine, theirs)
    for pattern, value in zip(bits.tolist(), mine.tolist(), strict=True):
        if not math.isnan(value):
            assert _mlirbc._encode_float(name, value) == pattern
    # Between two neighbours the nearer one, and the even one where both are as near.
    finite = numpy.unique(mine[numpy.isfinite(mine)])
    between = numpy.concatenate([(finite[1:] + finite[:-1]) / 2, finite[:-1] * 0.3 + finite[1:] * 0.7])
    expected = between.astype(numpy.float32).astype(dtype).view(numpy.uint8)
    for value, want in zip(between.astype(numpy.float32).tolist(), expected.tolist(), strict=True):
        if name == "f8E8M0FNU" or (value == 0 and name.endswith("FNUZ")):
            continue
        assert _mlirbc._encode_float(name, value) == want, value


@given(st.floats(width=32), st.sampled_from(["f16", "f32", "bf16"]))
@settings(deadline=None)
def test_floats_are_rounded_as_numpy_rounds(value: float, name: str) -> None:
    numpy = pytest.importorskip("numpy")
    from mlirbc import _mlirbc, arrays

    if name == "bf16":
        pytest.importorskip("ml_dtypes")
    dtype = arrays.ml_dtype(name) if name == "bf16" else numpy.dtype(arrays.NATIVE[name])
    with numpy.errstate(over="ignore"):
        expected = numpy.array([value], numpy.float64).astype(numpy.float32).astype(dtype)
    if not math.isnan(value):
        assert _mlirbc._encode_float(name, value) == int.from_bytes(expected.tobytes(), "little")


@given(st.text())
@settings(deadline=None)
def test_strings_keep_their_text(text: str) -> None:
    try:
        text.encode()
    except UnicodeEncodeError:
        return
    attribute = mlirbc.StringAttr.get(text)
    assert attribute.value == text and attribute.value_bytes == text.encode()
    assert mlirbc.Attribute.parse(str(attribute)) == attribute


def test_strings_may_be_any_bytes() -> None:
    attribute = mlirbc.StringAttr.get(b"\xff\x00a")
    assert attribute.value_bytes == b"\xff\x00a" and attribute == mlirbc.StringAttr.get(attribute.value)
    assert str(attribute) == r'"\FF\00a"'


def test_collections() -> None:
    array: Any = mlirbc.Attribute.parse("[1 : i8, unit]")
    assert len(array) == 2 and array[-1] == mlirbc.UnitAttr.get() and list(array) == [array[0], array[1]]
    assert mlirbc.ArrayAttr.get(list(array)) == array and len(array + array) == 4
    with pytest.raises(IndexError):
        array[2]
    dictionary: Any = mlirbc.Attribute.parse("{b = 1 : i8, a}")
    assert (
        list(dictionary) == ["a", "b"]
        and "a" in dictionary
        and "c" not in dictionary
        and len(dictionary) == 2
    )
    assert dictionary["b"] == array[0] and dictionary[0] == mlirbc.NamedAttribute("a", mlirbc.UnitAttr.get())
    assert mlirbc.DictAttr.get(dict(dictionary.items())) == dictionary
    with pytest.raises(KeyError):
        dictionary["c"]
    with pytest.raises(IndexError):
        dictionary[2]
    with pytest.raises(TypeError):
        mlirbc.ArrayAttr.get([1])  # type: ignore[list-item]


def test_distinct_attributes_are_equal_to_themselves_alone() -> None:
    first, second = (mlirbc.DistinctAttr.get(mlirbc.UnitAttr.get()) for _ in range(2))
    assert first == first and first != second and mlirbc.ArrayAttr.get([first])[0] == first


# Types.


def test_shaped_types() -> None:
    dynamic = mlirbc.ShapedType.get_dynamic_size()
    tensor: Any = mlirbc.Type.parse("tensor<2x?xf32>")
    assert tensor.shape == [2, dynamic] and tensor.rank == 2 and not tensor.has_static_shape
    assert mlirbc.RankedTensorType.get([2, dynamic], mlirbc.F32Type.get()) == tensor
    unranked: Any = mlirbc.Type.parse("tensor<*xf32>")
    assert not unranked.has_rank and not unranked.has_static_shape
    for name in ("shape", "rank"):
        with pytest.raises(ValueError, match="rank"):
            getattr(unranked, name)
    with pytest.raises(IndexError):
        tensor.get_dim_size(2)
    scalar: Any = mlirbc.Type.parse("tensor<f32>")
    assert scalar.has_rank and scalar.shape == [] and scalar.has_static_shape
    vector: Any = mlirbc.Type.parse("vector<2x[4]xf32>")
    assert vector.scalable and vector.scalable_dims == [False, True]
    assert mlirbc.VectorType.get([2, 4], mlirbc.F32Type.get(), scalable=[False, True]) == vector
    memref: Any = mlirbc.Type.parse("memref<2x?x3xf32>")
    assert memref.get_strides_and_offset() == ([dynamic, 3, 1], 0) and memref.memory_space is None
    assert mlirbc.MemRefType.get([2, dynamic, 3], mlirbc.F32Type.get()) == memref
    layout = mlirbc.StridedLayoutAttr.get(dynamic, [1])
    strided = mlirbc.MemRefType.get([2], mlirbc.F32Type.get(), layout, mlirbc.Attribute.parse("3 : i64"))
    assert str(strided) == "memref<2xf32, strided<[1], offset: ?>, 3>"
    assert strided.layout == layout and strided.get_strides_and_offset() == ([1], dynamic)


@pytest.mark.parametrize(
    "build",
    [
        lambda: mlirbc.RankedTensorType.get([-1], mlirbc.F32Type.get()),
        lambda: mlirbc.VectorType.get([0], mlirbc.F32Type.get()),
        lambda: mlirbc.ComplexType.get(mlirbc.IndexType.get()),
        lambda: mlirbc.IntegerType.get_signless(1 << 24),
        lambda: mlirbc.IntegerType.get_signless(-1),
        lambda: mlirbc.IntegerAttr.get(mlirbc.F32Type.get(), 1),
        lambda: mlirbc.FloatAttr.get(mlirbc.IndexType.get(), 1.0),
        lambda: mlirbc.DenseI8ArrayAttr.get([256]),
        lambda: mlirbc.Attribute.parse("[1, 2"),
        lambda: mlirbc.Type.parse("foo"),
        lambda: mlirbc.OpaqueAttr.get("", b"x"),
    ],
)
def test_what_does_not_fit_is_refused(build: Any) -> None:
    with pytest.raises(mlirbc.InvalidError) as caught:
        build()
    assert isinstance(caught.value, ValueError) and caught.value.identifier.startswith("mlirbc.invalid.")


# Locations.


def test_locations() -> None:
    file, named = mlirbc.Location.file("a", 1, 2), mlirbc.Location.name("n")
    assert (file.filename, file.start_line, file.start_col, file.end_line, file.end_col) == ("a", 1, 2, 1, 2)
    span = mlirbc.Location.file("a", 1, 2, 3, 4)
    assert (span.start_line, span.start_col, span.end_line, span.end_col) == (1, 2, 3, 4)
    assert mlirbc.FileLineColLoc.get("a", 1, 2, 1, 2) == file == mlirbc.Location.file("a", line=1, col=2)
    assert named.name_str == "n" and named.child_loc == mlirbc.Location.unknown()
    site = mlirbc.Location.callsite(file, [named, span])
    assert str(site) == 'loc(callsite("a":1:2 at callsite("n" at "a":1:2 to 3:4)))'
    assert site.callee == file and site.attr is site
    with pytest.raises(ValueError):
        mlirbc.Location.callsite(file, [])
    with pytest.raises(ValueError):
        mlirbc.Location.parse("unit")
    with pytest.raises(ValueError):
        mlirbc.Location.from_attr(mlirbc.UnitAttr.get())


def test_fused_locations_fold_as_in_mlir() -> None:
    unknown, file, named = (
        mlirbc.Location.unknown(),
        mlirbc.Location.file("a", 1, 2),
        mlirbc.Location.name("n"),
    )
    unit = mlirbc.UnitAttr.get()
    fused = mlirbc.Location.fused
    assert fused([]) == fused([unknown]) == unknown and fused([file, unknown, file]) == file
    assert str(fused([file, named])) == 'loc(fused["a":1:2, "n"])'
    assert str(fused([fused([file, named]), mlirbc.Location.name("m")])) == 'loc(fused["a":1:2, "n", "m"])'
    assert str(fused([fused([file, named]), file], unit)) == 'loc(fused<unit>[fused["a":1:2, "n"], "a":1:2])'
    assert str(fused([], unit)) == "loc(fused<unit>[unknown])"


# Operations.


def test_attributes_are_inherent_and_discardable_ones() -> None:
    module = mlirbc.open(EXAMPLE)
    main = module.body.operations[1]
    names = ["example.entry", "function_type", "sym_name"]
    assert list(main.attributes) == main.attributes.keys() == names and len(main.attributes) == 3
    assert main.discardable_attributes.keys() == ["example.entry"]
    assert dict(main.properties).keys() == {"function_type", "sym_name"}
    assert main.attributes[-1].name == "sym_name" and main.attributes[-1].attr == main.attributes["sym_name"]
    assert "sym_name" in main.attributes and "x" not in main.attributes and 1 not in main.attributes
    for missing, error in (("x", KeyError), (3, IndexError), (-4, IndexError)):
        with pytest.raises(error):
            main.attributes[missing]  # type: ignore[index]
    assert main.attributes.get("x", 1) == 1
    branch = main.regions[0].blocks[0].operations[-1]
    assert branch.properties["operandSegmentSizes"] == [1, 1, 0]
    assert str(branch.attributes["operandSegmentSizes"]) == "array<i32: 1, 1, 0>"
    assert branch.operand_groups == {
        "condition": [branch.operands[0]],
        "trueDestOperands": [branch.operands[1]],
        "falseDestOperands": [],
    }
    assert main.operand_groups == main.result_groups == {}


def test_a_wrong_release_leaves_properties_opaque_or_says_so() -> None:
    module = mlirbc.open(EXAMPLE, release="stablehlo-1.20")
    assert module.release.origin == "specified by the caller"
    main = module.body.operations[1]
    assert main.properties.opaque == main.property_blob or len(main.properties) == 2
    with pytest.raises(mlirbc.Error):
        _ = mlirbc.open(EXAMPLE, release="no-such-release").release


def test_schemas_and_dialects_of_a_module(tmp_path: Path) -> None:
    with pytest.raises(mlirbc.InvalidError) as caught:
        mlirbc.dialects.table(
            {"dialect": "toy", "attribute": [{"code": 0, "name": "A", "fields": ["x: nothing"]}]}
        )
    assert "nothing" in str(caught.value) and '"A"' in str(caught.value)
    path = tmp_path / "toy.toml"
    path.write_text('dialect = "toy"\n')
    assert mlirbc.dialects.table(path).dialect == "toy"
    table = {
        "dialect": "toy",
        "classes": {"Any": ["A"]},
        "enums": {"Colour": {0: "red", 1: "green"}},
        "attribute": [
            {"code": 0, "name": "A", "mnemonic": "a", "fields": ["x: varint as enum(Colour)"], "asm": "<{x}>"}
        ],
    }
    module = mlirbc.open(EXAMPLE, dialects=[table, path])  # type: ignore[list-item]
    assert module.operation.name == "builtin.module"
    schema = {
        "format": "mlirbc-properties/1",
        "release": "mine-1",
        "version": "1.0",
        "producers": ["MLIR22"],
        "includes": ["llvm-22"],
        "ops": {},
    }
    assert mlirbc.open(EXAMPLE, schemas=[schema], release="mine-1").release.name == "mine-1"
    with pytest.raises(mlirbc.InvalidError):
        mlirbc.open(EXAMPLE, schemas=[{}])


# Text.


@pytest.mark.filterwarnings("ignore::mlirbc.OmissionWarning")
def test_text_is_the_same_whichever_way_it_is_had(capsys: pytest.CaptureFixture[str]) -> None:
    module = mlirbc.open(EXAMPLE)
    text = str(module)
    assert text == module.get_asm() == module.operation.get_asm() == module.get_asm(binary=True).decode()
    for thing in (module, module.operation):
        characters, octets = io.StringIO(), io.BytesIO()
        thing.print(file=characters)
        thing.print(file=octets, binary=True)
        assert characters.getvalue() == text and octets.getvalue().decode() == text
        thing.print()
        assert capsys.readouterr().out == text
    assert "loc(" in module.get_asm(enable_debug_info=True) and "loc(" not in text
    assert '"0x' in text and '"0x' not in module.get_asm(large_resource_limit=0)
    assert str(module.body.operations[0]) in text.replace("\n  ", "\n")
    generic = module.get_asm(print_generic_op_form=True)
    assert generic.startswith('"builtin.module"') and text.startswith("module @two_layers")


def test_the_limits_are_those_of_the_bindings() -> None:
    """The limit of elements leaves resources alone; characters of resources are counted with quotes."""
    oracle = jaxlib_oracle.require()
    text = """"t.op"() {a = dense<[1, 2, 3]> : tensor<3xi8>, b = dense_resource<b> : tensor<2xi8>} : () -> ()
        {-# dialect_resources: { builtin: { b: "0x010000000102" } } #-}"""
    limits: list[dict[str, int]] = [{"large_elements_limit": limit} for limit in (0, 2, 3)]
    limits += [{"large_resource_limit": limit} for limit in (0, 15, 16)]
    with oracle.context:
        theirs, file = oracle.ir.Module.parse(text).operation, io.BytesIO()
        theirs.write_bytecode(file)
        module = mlirbc.read(file.getvalue())
        for limit in limits:
            assert module.get_asm(print_generic_op_form=True, **limit) == theirs.get_asm(
                print_generic_op_form=True, **limit
            ), limit  # type: ignore[call-overload]


def test_regions_may_be_left_out() -> None:
    module = mlirbc.open(EXAMPLE)
    assert module.get_asm(skip_regions=True, print_generic_op_form=True).startswith(
        '"builtin.module"() <{sym_name = "two_layers"}> ({...}) {example.framework = '
    )
    custom = 'module @two_layers attributes {example.framework = "by hand", example.revision = 3 : i32} {...}'
    assert module.get_asm(skip_regions=True).startswith(custom)
    loop = module.body.operations[0].regions[0].blocks[0].operations[5]
    file = io.StringIO()
    loop.print(file=file, skip_regions=True)
    assert file.getvalue() == loop.get_asm(skip_regions=True)
    head, _, tail = str(loop).partition("{\n")
    assert loop.get_asm(skip_regions=True) == f"{head}{{...}}{tail.rpartition('}')[2]}"


def test_attributes_are_the_inherent_and_the_discardable_ones() -> None:
    for path in (EXAMPLE, *sorted((ROOT / "tests/data/bytecode").glob("llvm-*/v[056]/segments.mlirbc"))):
        module = mlirbc.open(path)

        def check(op: mlirbc.Operation) -> None:
            expected = dict(op.discardable_attributes)
            inherent = {name for name, value in op.properties.items() if isinstance(value, mlirbc.Attribute)}
            expected.update({name: value for name, value in op.properties.items() if name in inherent})
            actual = dict(op.attributes)
            segments = actual.keys() - expected.keys()
            assert segments <= {"operandSegmentSizes", "resultSegmentSizes"}
            assert all(list(actual[name]) == op.properties[name] for name in segments)
            assert {name: actual[name] for name in expected} == expected

        module.walk(check)


# Affine maps and sets.


def expressions() -> st.SearchStrategy[tuple[Any, ...]]:
    """How to build one: with numbers and symbols wherever a product or a quotient needs them."""
    numbers = st.tuples(st.just("constant"), st.sampled_from([-5, -2, -1, 0, 1, 2, 3, 4, 8, 100]))
    symbols = st.tuples(st.just("symbol"), st.integers(0, 1))
    leaves = st.one_of(st.tuples(st.just("dim"), st.integers(0, 2)), symbols, numbers)

    def larger(inner: st.SearchStrategy[tuple[Any, ...]]) -> st.SearchStrategy[tuple[Any, ...]]:
        names = st.sampled_from(["mul", "mod", "floor_div", "ceil_div"])
        products = st.tuples(names, inner, st.one_of(numbers, symbols))
        return st.one_of(st.tuples(st.just("add"), inner, inner), products)

    return st.recursive(leaves, larger, max_leaves=8)


def build(plan: tuple[Any, ...], bindings: Any) -> Any:
    name, *operands = plan
    if name not in ("dim", "symbol", "constant"):
        operands = [build(operand, bindings) for operand in operands]
    return getattr(bindings, f"get_{name}")(*operands)


def tree(expression: Any) -> tuple[Any, ...]:
    kind = type(expression).__name__
    if kind == "AffineConstantExpr":
        return kind, expression.value
    if kind in ("AffineDimExpr", "AffineSymbolExpr"):
        return kind, expression.position
    return kind, tree(expression.lhs), tree(expression.rhs)


@settings(max_examples=examples(300), deadline=None)
@given(plan=expressions())
def test_affine_expressions_are_those_of_the_bindings(plan: tuple[Any, ...]) -> None:
    oracle = jaxlib_oracle.require()
    mine = build(plan, mlirbc.AffineExpr)
    with oracle.context:
        theirs = build(plan, oracle.ir.AffineExpr).maybe_downcast()
        assert str(mine) == str(theirs)
        assert tree(mine) == tree(theirs)
        theirs = oracle.ir.AffineMap.get(3, 2, [theirs, oracle.ir.AffineExpr.get_dim(0)])
        text = str(oracle.ir.AffineMapAttr.get(theirs))
    affine_map = mlirbc.AffineMap.get(3, 2, [mine, mlirbc.AffineExpr.get_dim(0)])
    assert str(mlirbc.AffineMapAttr.get(affine_map)) == text
    assert affine_map.results == [mine, mlirbc.AffineExpr.get_dim(0)]
    assert (affine_map.n_dims, affine_map.n_symbols, affine_map.n_inputs) == (3, 2, 5)


@pytest.mark.parametrize(
    "text",
    [
        "() -> ()",
        "(d0) -> ()",
        "(d0, d1) -> (d0, d1)",
        "(d0, d1, d2) -> (d2, d0, d1)",
        "(d0, d1, d2) -> (d2, d0)",
        "(d0, d1) -> (d0, d0)",
        "(d0)[s0, s1] -> (d0)",
        "(d0)[s0] -> (d0 * s0 - 1, -d0, 300, d0 mod 9223372036854775807)",
    ],
)
def test_maps_come_back_from_their_parts(text: str) -> None:
    attribute = mlirbc.Attribute.parse(f"affine_map<{text}>")
    assert isinstance(attribute, mlirbc.AffineMapAttr)
    value = attribute.value
    assert str(value) == text and repr(value) == f"AffineMap({text})"
    again = mlirbc.AffineMap.get(value.n_dims, value.n_symbols, value.results)
    assert again == value and hash(again) == hash(value) and again != text
    assert mlirbc.AffineMapAttr.get(again) == attribute
    assert (attribute.n_dims, attribute.n_symbols) == (value.n_dims, value.n_symbols)


def test_sets_come_back_from_their_parts() -> None:
    attribute = mlirbc.Attribute.parse("affine_set<(d0, d1)[s0] : (d0 - s0 >= 0, d1 == 0, -d0 + 9 >= 0)>")
    assert isinstance(attribute, mlirbc.IntegerSetAttr)
    value = attribute.value
    parts = [(constraint.expr, constraint.is_eq) for constraint in value.constraints]
    again = mlirbc.IntegerSet.get(value.n_dims, value.n_symbols, *zip(*parts, strict=True))  # type: ignore[arg-type]
    assert again == value and mlirbc.IntegerSetAttr.get(again) == attribute
    assert (value.n_dims, value.n_symbols, value.n_inputs) == (2, 1, 3)
    assert (value.n_equalities, value.n_inequalities) == (1, 2)


def test_what_is_not_affine_is_refused() -> None:
    d0 = mlirbc.AffineExpr.get_dim(0)
    for wrong in (
        lambda: mlirbc.AffineExpr.get_dim(4096),
        lambda: mlirbc.AffineExpr.get_symbol(-1),
        lambda: mlirbc.AffineExpr.get_constant(1 << 63),
        lambda: mlirbc.AffineMap.get(0, 0, [d0]),
        lambda: mlirbc.AffineMap.get(1, 0, [mlirbc.AffineExpr.get_symbol(0)]),
        lambda: mlirbc.AffineMap.get_permutation([0, 2]),
        lambda: mlirbc.IntegerSet.get(1, 0, [], []),
        lambda: mlirbc.IntegerSet.get(1, 0, [d0], []),
        lambda: mlirbc.IntegerSet.get(0, 0, [d0], [True]),
    ):
        with pytest.raises(ValueError):
            wrong()
    assert 3 - d0 == -1 * d0 + 3 and 2 * d0 == d0 * 2 and 1 + d0 - 1 == d0 and d0 != "d0"


def test_a_file_that_refuses_ends_the_print() -> None:
    class Full:
        def write(self, text: str) -> None:
            raise OSError("full")

    with pytest.raises(OSError, match="full"):
        mlirbc.open(EXAMPLE).print(file=Full())


def test_characters_are_not_cut_between_pieces() -> None:
    """Text goes to a file in pieces of 64 KiB, wherever they end."""
    file = worked_example(6)
    file.strings.values[file.strings.values.index(b"k")] = ("ä€𝄞" * 20000).encode()
    module = mlirbc.read(file.encode().data)
    pieces: list[str] = []

    class RecordingFile:
        def write(self, text: str) -> None:
            text.encode()
            pieces.append(text)

    module.print(file=RecordingFile())
    assert "".join(pieces) == str(module)
