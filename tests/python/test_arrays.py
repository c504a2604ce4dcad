"""Elements as NumPy arrays and back; jaxlib's bindings and `ml_dtypes` are the oracles."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import mlirbc
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.sampling import examples

numpy = pytest.importorskip("numpy")

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples" / "two_layers.mlirbc"
DTYPES = ["?", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8", "c8", "c16"]
SMALL = [
    "bfloat16",
    "float8_e5m2",
    "float8_e4m3",
    "float8_e3m4",
    "float8_e4m3fn",
    "float8_e5m2fnuz",
    "float8_e4m3fnuz",
    "float8_e4m3b11fnuz",
    "float8_e8m0fnu",
    "float6_e2m3fn",
    "float6_e3m2fn",
    "float4_e2m1fn",
]


def same(left: Any, right: Any) -> None:
    assert left.dtype == right.dtype and left.shape == right.shape, (left, right)
    if left.dtype == object:
        assert left.tolist() == right.tolist()
    else:
        assert left.tobytes() == right.tobytes(), (left, right)


def parse(text: str) -> Any:
    return mlirbc.Attribute.parse(text)


# Round trips.


@given(st.sampled_from(DTYPES), st.lists(st.integers(0, 4), max_size=3), st.data())
@settings(deadline=None, max_examples=examples(300))
def test_arrays_come_back(code: str, shape: list[int], data: st.DataObject) -> None:
    dtype = numpy.dtype(code)
    count = int(numpy.prod(shape))
    raw = data.draw(st.binary(min_size=count * dtype.itemsize, max_size=count * dtype.itemsize))
    array = numpy.frombuffer(raw, numpy.uint8)
    array = (array & 1).astype(bool) if code == "?" else array.view(dtype)
    array = array.reshape(shape)
    if data.draw(st.booleans()) and count:
        array = numpy.broadcast_to(array.reshape(-1)[0], shape)
    is_signless = dtype.kind != "u"
    dense = mlirbc.DenseElementsAttr.get(array, signless=is_signless)
    same(dense.to_numpy(), numpy.ascontiguousarray(array).reshape(shape))
    assert dense.shape == shape and len(dense) == count
    parsed = parse(str(dense))
    assert parsed == dense and str(parsed) == str(dense)
    same(parsed.to_numpy(), dense.to_numpy())
    if count > 1 and all(item.tobytes() == array.reshape(-1)[0].tobytes() for item in array.reshape(-1)):
        assert dense.is_splat and set(dense.to_numpy().strides) == {0}


@pytest.mark.parametrize("name", SMALL)
def test_every_value_of_a_small_type_comes_back(name: str) -> None:
    ml_dtypes = pytest.importorskip("ml_dtypes")
    dtype = numpy.dtype(getattr(ml_dtypes, name))
    bits = 16 if name == "bfloat16" else int(name[5])
    raw = numpy.arange(1 << bits, dtype=numpy.uint16 if bits > 8 else numpy.uint8)
    array = raw.view(dtype).reshape(2, -1)
    dense = mlirbc.DenseElementsAttr.get(array)
    same(dense.to_numpy(), array)
    assert parse(str(dense)) == dense


@pytest.mark.parametrize("name", ["int1", "uint1", "int2", "uint2", "int4", "uint4"])
def test_every_value_of_a_small_integer_comes_back(name: str) -> None:
    dtype = numpy.dtype(getattr(pytest.importorskip("ml_dtypes"), name))
    width = int(name[-1])
    numbers = numpy.arange(1 << width) - (0 if name[0] == "u" else 1 << width - 1)
    array = numpy.concatenate([numbers, numbers[:1]]).astype(dtype)
    for is_signless in (True, False):
        dense = mlirbc.DenseElementsAttr.get(array, signless=is_signless)
        sign = "" if is_signless else "ui" if name[0] == "u" else "si"
        assert str(dense.element_type) == f"{sign or 'i'}{width}"
        same(numpy.asarray(dense, dtype=dtype), array)
        assert parse(str(dense)) == dense
    # Equal numbers in NumPy's own integers have the same bytes.
    wide = array.astype(numpy.int8)
    assert mlirbc.DenseElementsAttr.get(wide, type=dense.element_type) == dense


@pytest.mark.parametrize("name", ["complex32", "bcomplex32"])
def test_small_complex_numbers_come_back(name: str) -> None:
    dtype = numpy.dtype(getattr(pytest.importorskip("ml_dtypes"), name))
    array = numpy.array([1 + 2j, -0.5j, 3, numpy.inf]).astype(dtype)
    dense = mlirbc.DenseElementsAttr.get(array)
    assert str(dense.element_type) == f"complex<{'f16' if name == 'complex32' else 'bf16'}>"
    assert bytes(dense.raw_data) == array.tobytes()
    same(numpy.asarray(dense, dtype=dtype), array)


def test_every_type_of_ml_dtypes_has_a_type() -> None:
    ml_dtypes = pytest.importorskip("ml_dtypes")
    for name in dir(ml_dtypes):
        if name[0] == "_" or name in ("finfo", "iinfo", "real", "imag"):
            continue
        dtype = numpy.dtype(getattr(ml_dtypes, name))
        array = numpy.array([1, 0]).astype(dtype)
        dense = mlirbc.DenseElementsAttr.get(array)
        # Bytes of an element are as many as MLIR's, but for bits, which it packs.
        if dense.element_type != mlirbc.IntegerType.get_signless(1):
            assert len(dense.raw_data) == array.nbytes
        same(numpy.asarray(dense, dtype=dtype), array)


def test_floats_are_not_cut_to_integers() -> None:
    ml_dtypes = pytest.importorskip("ml_dtypes")
    i32 = mlirbc.IntegerType.get_signless(32)
    for values in (numpy.array([1.5], ml_dtypes.bfloat16), numpy.array([1.5], object)):
        with pytest.raises(ValueError, match="not integers"):
            mlirbc.DenseElementsAttr.get(values, type=i32)  # type: ignore[arg-type]


@given(st.integers(1, 130), st.booleans(), st.data())
@settings(deadline=None, max_examples=examples(200))
def test_integers_of_any_width(width: int, is_unsigned: bool, data: st.DataObject) -> None:
    low, high = (0, (1 << width) - 1) if is_unsigned else (-(1 << width - 1), (1 << width - 1) - 1)
    values = data.draw(st.lists(st.integers(low, high), min_size=1, max_size=20))
    signedness = mlirbc.IntegerType.Signedness
    kind = mlirbc.IntegerType.get(width, signedness.UNSIGNED if is_unsigned else signedness.SIGNED)
    dense = mlirbc.DenseIntElementsAttr.get(numpy.array(values, dtype=object), type=kind)
    array = dense.to_numpy()
    if width > 1:
        assert array.tolist() == values and list(dense) == values
        array_width = next((size for size in (8, 16, 32, 64) if size >= width), None)
        assert array.dtype == (
            object if array_width is None else f"{'u' if is_unsigned else ''}int{array_width}"
        )
    else:
        assert array.dtype == bool and array.tolist() == [value != 0 for value in values]
    assert parse(str(dense)) == dense
    attributes = [mlirbc.IntegerAttr.get(kind, value) for value in values]
    whole = mlirbc.RankedTensorType.get([len(values)], kind)
    assert mlirbc.DenseElementsAttr.get(attributes, type=whole) == dense


@given(st.lists(st.booleans(), max_size=70))
@settings(deadline=None)
def test_flags_of_every_number(flags: list[bool]) -> None:
    array = numpy.array(flags, bool)
    dense = mlirbc.DenseElementsAttr.get(array)
    same(dense.to_numpy(), array)
    assert [bool(dense[place]) for place in range(len(flags))] == flags  # type: ignore[index]
    i1 = mlirbc.IntegerType.get_signless(1)
    packed = numpy.packbits(array, bitorder="little")
    assert mlirbc.DenseElementsAttr.get(packed, type=i1, shape=[len(flags)]) == dense


def test_the_packings_of_flags() -> None:
    from mlirbc.arrays import unpack_bits

    def unpacked(data: bytes, count: int) -> list[bool]:
        return list(unpack_bits(memoryview(data), count).tolist())

    # A splat, one element in either era, packed, one byte each.
    assert unpacked(b"\xff", 20) == [True] and unpacked(b"\x00", 20) == [False]
    assert unpacked(b"\x01", 1) == unpacked(b"\xff", 1) == [True]
    assert unpacked(b"\x05", 3) == [True, False, True]
    assert unpacked(b"\x05\x01", 9) == [True, False, True, *[False] * 5, True]
    assert unpacked(b"\x01\x00\x01", 3) == [True, False, True]


# Views.


def test_nothing_is_copied_where_nothing_must_be() -> None:
    module = mlirbc.open(EXAMPLE)
    for attribute in module.attributes:
        if isinstance(attribute, mlirbc.DenseResourceElementsAttr):
            array, blob = attribute.to_numpy(), module.resources[attribute.key].value
            assert array.ctypes.data == numpy.asarray(blob).ctypes.data and not array.flags.writeable
    dense = mlirbc.DenseElementsAttr.get(numpy.arange(1000, dtype=numpy.int32))
    first, second = dense.to_numpy(), numpy.asarray(dense)
    assert first.ctypes.data == second.ctypes.data
    assert numpy.array(dense).flags.writeable
    assert numpy.asarray(dense, dtype=numpy.float64).dtype == numpy.float64
    with pytest.raises(ValueError):
        dense.__array__(numpy.float64, copy=False)
    array = mlirbc.DenseI64ArrayAttr.get([1, 2, 3])
    assert array.to_numpy().tolist() == [1, 2, 3] and array.to_numpy().dtype == numpy.int64


@pytest.mark.parametrize(
    ("text", "format", "strides", "values"),
    [
        ("dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>", "i", (8, 4), [[1, 2], [3, 4]]),
        ("dense<[1, 255]> : tensor<2xui8>", "B", (1,), [1, 255]),
        ("dense<[1, -2]> : tensor<2xi64>", "lq", (8,), [1, -2]),
        ("dense<7> : tensor<2x3xi16>", "h", (0, 0), [[7, 7, 7], [7, 7, 7]]),
        ("dense<[1.5, 2.5]> : vector<2xf32>", "f", (4,), [1.5, 2.5]),
        ("dense<0.5> : tensor<f64>", "d", (), 0.5),
        ("dense<[true, false, true]> : tensor<3xi1>", "?", (1,), [True, False, True]),
        ("array<i16: 1, 2>", "h", (2,), [1, 2]),
        ("sparse<[[1]], [7]> : tensor<2xi8>", "b", (1,), [0, 7]),
    ],
)
def test_buffers_are_those_of_the_arrays(text: str, format: str, strides: Any, values: Any) -> None:
    attribute: Any = mlirbc.Attribute.parse(text)
    view = memoryview(attribute)
    assert view.format in tuple(format) and view.strides == strides and view.tolist() == values
    assert view.readonly
    same(numpy.asarray(attribute), attribute.to_numpy())


def test_buffers_lie_where_the_file_has_them() -> None:
    module = mlirbc.open(EXAMPLE)
    for attribute in module.attributes:
        if isinstance(attribute, mlirbc.DenseResourceElementsAttr):
            blob = module.resources[attribute.key].value
            view = numpy.frombuffer(memoryview(attribute).cast("B"), numpy.uint8)
            assert view.ctypes.data == numpy.frombuffer(blob, numpy.uint8).ctypes.data


def test_what_no_buffer_can_say_has_none() -> None:
    with pytest.raises(TypeError):
        memoryview(mlirbc.UnitAttr.get())  # type: ignore[arg-type]
    pytest.importorskip("ml_dtypes")
    half = mlirbc.Attribute.parse("dense<[1.5, 2.5]> : tensor<2xbf16>")
    with pytest.raises(BufferError):
        memoryview(half)  # type: ignore[arg-type]
    assert numpy.asarray(half).dtype.name == "bfloat16"


def test_arrays_outlive_their_attribute_and_module() -> None:
    def array() -> Any:
        module = mlirbc.open(EXAMPLE)
        elements = [a for a in module.attributes if isinstance(a, mlirbc.DenseResourceElementsAttr)]
        return elements[0].to_numpy()

    weights = array()
    assert weights.shape == (4, 3) and weights[0, 0] == 1.0


# Single types.


def test_types_that_numpy_lacks() -> None:
    tf32 = parse("dense<[1.5, -0.25]> : tensor<2xtf32>").to_numpy()
    assert tf32.dtype == numpy.float32 and tf32.tolist() == [1.5, -0.25]
    for name in ("f80", "f128"):
        wide = parse(f"dense<[1.5, -2.0, 0.0]> : tensor<3x{name}>").to_numpy()
        assert wide.dtype in (numpy.longdouble, numpy.float64) and wide.tolist() == [1.5, -2.0, 0.0]
        dense = mlirbc.DenseElementsAttr.get(wide, type=mlirbc.Type.parse(name))
        assert list(dense) == [1.5, -2.0, 0.0]  # type: ignore[call-overload]
    pairs = parse("dense<[(1, 2), (3, -4)]> : tensor<2xcomplex<i8>>").to_numpy()
    assert pairs["real"].tolist() == [1, 3] and pairs["imag"].tolist() == [2, -4]
    half = parse("dense<(1.0, 2.0)> : tensor<2xcomplex<f16>>").to_numpy()
    assert half.dtype == numpy.complex64 and half.tolist() == [1 + 2j, 1 + 2j]
    assert parse("dense<5> : tensor<2xindex>").to_numpy().dtype == numpy.int64


def test_strings_and_sparse_elements() -> None:
    strings = parse('dense<[["a", "b"], ["c", "d"]]> : tensor<2x2x!toy.string>')
    assert strings.to_numpy().tolist() == [["a", "b"], ["c", "d"]]
    splat = parse('dense<"a"> : tensor<2x!toy.string>')
    assert splat.to_numpy().tolist() == ["a", "a"] and splat.is_splat
    sparse = parse("sparse<[[0, 1], [1, 0]], [1.5, 2.5]> : tensor<2x2xf32>")
    assert sparse.to_dense().tolist() == [[0, 1.5], [2.5, 0]]
    assert sparse.indices.to_numpy().tolist() == [[0, 1], [1, 0]]
    sparse_splat = parse("sparse<[[0], [2]], 7> : tensor<4xi8>")
    assert sparse_splat.to_dense().tolist() == [7, 0, 7, 0]


def test_without_elements() -> None:
    for text, shape in (("dense<> : tensor<0xf32>", (0,)), ("dense<> : tensor<2x0xi1>", (2, 0))):
        assert parse(text).to_numpy().shape == shape
    assert parse("dense<3> : tensor<i32>").to_numpy().shape == ()


def test_vhlo_tensors() -> None:
    """Written by StableHLO itself, as jaxlib brings it along."""
    ir = pytest.importorskip("jaxlib.mlir.ir")
    stablehlo = pytest.importorskip("jaxlib.mlir.dialects.stablehlo")
    texts = [*ORACLE[:3], *ORACLE[4:5], *ORACLE[8:]]
    texts = [text.replace("vector", "tensor") for text in texts if "index" not in text]
    ops = [f'  "stablehlo.constant"() {{value = {text}}} : () -> {text.split(" : ")[1]}' for text in texts]
    with ir.Context() as context:
        stablehlo.register_dialect(context)
        module = ir.Module.parse("module {\n" + "\n".join(ops) + "\n}")
        data = stablehlo.serialize_portable_artifact(module, stablehlo.get_minimum_version())
    artifact = mlirbc.read(data)
    constants = [op.attributes["value"] for op in artifact.body if op.name == "vhlo.constant_v1"]
    assert len(constants) == len(texts)
    for attribute, text in zip(constants, texts, strict=True):
        assert isinstance(attribute, mlirbc.TensorV1Attr)
        same(attribute.to_numpy(), parse(text).to_numpy())


# Refusals.


def test_what_does_not_fit_is_refused() -> None:
    i8, get = mlirbc.IntegerType.get_signless(8), mlirbc.DenseElementsAttr.get
    for build in (
        lambda: get(numpy.array([1, 2, 3]), shape=[2]),
        lambda: get(numpy.array([300]), type=i8),
        lambda: get(numpy.array([1.5]), type=i8),
        lambda: get(numpy.array(["a"])),
        lambda: get(numpy.array([1]), type=mlirbc.Type.parse("tensor<?xi64>")),
        lambda: get(numpy.array([1]), type=mlirbc.Type.parse("(i8) -> i8")),
        lambda: get([mlirbc.UnitAttr.get()], type=mlirbc.Type.parse("tensor<1xi8>")),
        lambda: mlirbc.DenseFPElementsAttr.get(numpy.array([1])),
        lambda: parse("dense<[1, 2]> : tensor<2xi8>").get_splat_value(),
    ):
        with pytest.raises(ValueError):
            build()
    with pytest.raises(IndexError):
        parse("dense<[1, 2]> : tensor<2xi8>")[2]
    resource = parse("dense_resource<nowhere> : tensor<2xf32>")
    with pytest.raises(KeyError):
        resource.to_numpy()


def test_splats() -> None:
    kind: Any = mlirbc.Type.parse("tensor<4x4xi1>")
    for value in (True, False):
        dense = mlirbc.DenseElementsAttr.get_splat(kind, mlirbc.BoolAttr.get(value))
        assert dense.is_splat and dense.get_splat_value() == mlirbc.BoolAttr.get(value)
        assert dense.to_numpy().strides == (0, 0) and dense.to_numpy().all() == value
    half = mlirbc.FloatAttr.get(mlirbc.BF16Type.get(), 0.5)
    dense = mlirbc.DenseElementsAttr.get([half], type=mlirbc.Type.parse("vector<8xbf16>"))
    assert dense.get_splat_value() == half and len(dense) == 8
    assert repr(mlirbc.DenseElementsAttr.get(numpy.arange(1 << 17))).startswith(
        "DenseIntElementsAttr(dense<__el"
    )


# Loading.


def test_numpy_is_loaded_when_it_is_needed() -> None:
    program = (
        "import sys, mlirbc\n"
        "a = mlirbc.Attribute.parse('dense<[1, 2]> : tensor<2xi8>')\n"
        "assert list(a) == [1, 2] and 'numpy' not in sys.modules and 'mlirbc.arrays' not in sys.modules\n"
        "a.to_numpy()\n"
        "assert 'numpy' in sys.modules\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


# The oracle.


ORACLE = [
    "dense<[[1, -2], [3, 4]]> : tensor<2x2xi8>",
    "dense<[1, 2]> : tensor<2xui8>",
    "dense<[1, -2]> : tensor<2xi16>",
    "dense<[1, -2]> : tensor<2xsi32>",
    "dense<7> : tensor<3x2xi64>",
    "dense<[1, 2]> : tensor<2xindex>",
    "dense<[1.5, -0.0]> : tensor<2xf16>",
    "dense<[1.5, 1.0e30]> : vector<2xf32>",
    "dense<1.5> : tensor<4xf64>",
    "dense<[true, false, true]> : tensor<3xi1>",
    "dense<true> : tensor<9xi1>",
    "dense<[true, false, true, true, false, false, true, true, false]> : tensor<9xi1>",
    "dense<[[1.0, 2.0]]> : tensor<1x2xbf16>",
    "dense<[1.0, 2.0]> : tensor<2xf8E4M3FN>",
]


@pytest.mark.parametrize("text", ORACLE)
def test_upstream_has_the_same_elements(text: str) -> None:
    ir = pytest.importorskip("jaxlib.mlir.ir")
    with ir.Context():
        upstream = ir.Attribute.parse(text)
        mine = parse(text)
        assert str(upstream) == str(mine) and type(upstream).__name__ == type(mine).__name__
        assert upstream.is_splat == mine.is_splat and len(upstream) == len(mine)
        try:
            theirs = numpy.array(upstream)
        except (TypeError, ValueError, BufferError) as error:
            pytest.skip(f"the oracle has no such arrays: {error}")
        if theirs.dtype != object and theirs.shape == mine.to_numpy().shape:
            assert theirs.tolist() == mine.to_numpy().tolist()


@pytest.mark.parametrize(
    "name", ["i1", "i2", "i4", "si4", "ui4", "f4E2M1FN", "f6E2M3FN", "f6E3M2FN", "f8E8M0FNU"]
)
def test_upstream_stores_elements_of_less_than_a_byte_alike(name: str) -> None:
    ir = pytest.importorskip("jaxlib.mlir.ir")
    is_float = name[0] == "f"
    values = "[1.0, 2.0, 1.0]" if is_float else "[1, 0, 1]"
    text = f"dense<{values}> : tensor<3x{name}>"
    with ir.Context(), ir.Location.unknown():
        upstream, mine = ir.Attribute.parse(text), parse(text)
        assert str(upstream) == str(mine)
        numbers = [float(value) if is_float else int(value) for value in mine.to_numpy()]
        assert numbers == ([1.0, 2.0, 1.0] if is_float else [1, 0, 1])
        file = ir.Module.parse(f'"builtin.module"() ({{^bb0:}}) {{x.a = {text}}} : () -> ()')
        import io

        data = io.BytesIO()
        file.operation.write_bytecode(data)
        read = mlirbc.read(data.getvalue()).operation.attributes["x.a"]
        assert isinstance(read, mlirbc.DenseElementsAttr) and isinstance(mine, mlirbc.DenseElementsAttr)
        assert read == mine and bytes(read.raw_data) == bytes(mine.raw_data)


@given(
    st.sampled_from(["?", "i1", "i2", "i4", "i8", "f2", "f4", "f8"]),
    st.lists(st.integers(1, 4), max_size=3),
    st.data(),
)
@settings(deadline=None)
def test_upstream_makes_the_same_attribute(code: str, shape: list[int], data: st.DataObject) -> None:
    ir = pytest.importorskip("jaxlib.mlir.ir")
    dtype = numpy.dtype(code)
    size = int(numpy.prod(shape)) * dtype.itemsize
    raw = numpy.frombuffer(data.draw(st.binary(min_size=size, max_size=size)), numpy.uint8)
    array = ((raw & 1).astype(bool) if code == "?" else raw.view(dtype)).reshape(shape)
    with ir.Context(), ir.Location.unknown():
        upstream = ir.DenseElementsAttr.get(array)
        assert str(upstream) == str(mlirbc.DenseElementsAttr.get(array))
        assert upstream.is_splat == mlirbc.DenseElementsAttr.get(array).is_splat


@pytest.mark.parametrize("backend", ["map", "read"])
def test_a_buffer_lives_as_long_as_the_array_of_it(backend: Any) -> None:
    """`numpy.frombuffer` keeps the object that it was given, and not the owner of its buffer."""
    resource = mlirbc.open(EXAMPLE, backend=backend).resources["layer0.weight"]
    array = numpy.frombuffer(resource, "<f4")
    again = numpy.frombuffer(resource, "<f4")
    assert again.ctypes.data == array.ctypes.data
    dense = mlirbc.Attribute.parse(f"dense<{[number % 7 for number in range(5000)]}> : tensor<5000xi4>")
    small = numpy.frombuffer(dense, "i1")
    del resource, dense, again
    buffers = [bytearray(b"\xff" * size) for size in (48, 5000) for _ in range(200)]
    assert array[:3].tolist() == [1, 0, -1] and len(buffers) == 400
    assert small.tolist() == [number % 7 for number in range(5000)]


def test_buffers_of_a_handle_that_is_used_again() -> None:
    edited = mlirbc.edit.Module.create()
    for number in range(20):
        kind = "i4" if number % 2 else "i32"
        edited.operation.attributes[f"a{number}"] = parse(
            f"dense<[{number % 8}, {number // 8}, 2]> : tensor<3x{kind}>"
        )
    module = mlirbc.read(edited.write())
    contents = [
        memoryview(item).tolist() for item in module.attributes if isinstance(item, mlirbc.DenseElementsAttr)
    ]
    assert sorted(contents) == sorted([number % 8, number // 8, 2] for number in range(20))
    for item in module.attributes:
        if isinstance(item, mlirbc.DenseElementsAttr):
            assert memoryview(item).tolist() == item.to_numpy().tolist()
