"""Elements by DLPack, out and in; NumPy and the runtime of jaxlib are the other side."""

from pathlib import Path
from typing import Any

import mlirbc
import pytest

numpy = pytest.importorskip("numpy")
ml_dtypes = pytest.importorskip("ml_dtypes")

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples" / "two_layers.mlirbc"
NUMPY = ["bool", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8", "c8", "c16"]
WHOLE_BYTES = [
    "bfloat16",
    "float8_e3m4",
    "float8_e4m3",
    "float8_e4m3b11fnuz",
    "float8_e4m3fn",
    "float8_e4m3fnuz",
    "float8_e5m2",
    "float8_e5m2fnuz",
    "float8_e8m0fnu",
]
PACKED = ["float4_e2m1fn", "float6_e2m3fn", "float6_e3m2fn"]


class Tensor:
    """As libraries without NumPy have them: all they do is to exchange, once if it is a capsule."""

    def __init__(self, of: Any, device: tuple[int, int] = (1, 0)) -> None:
        self.of, self.device = of, device

    def __dlpack__(self, **keywords: Any) -> Any:
        return self.of.__dlpack__(**keywords) if hasattr(self.of, "__dlpack__") else self.of

    def __dlpack_device__(self) -> tuple[int, int]:
        return self.device


def dtype_of(name: str) -> Any:
    return numpy.dtype(getattr(ml_dtypes, name, None) or name)


def array_of(name: str) -> Any:
    return numpy.array([[1, 0, 2], [1, 2, 1]]).astype(dtype_of(name))


def same(left: Any, right: Any) -> None:
    assert left.dtype == right.dtype and left.shape == right.shape and left.tobytes() == right.tobytes()


@pytest.mark.parametrize("name", [*NUMPY, *WHOLE_BYTES])
def test_elements_go_out_and_come_back(name: str) -> None:
    from mlirbc._dlpack import from_dlpack

    array = array_of(name)
    dense = mlirbc.DenseElementsAttr.get(array, signless=array.dtype.kind != "u")
    assert dense.__dlpack_device__() == (1, 0)
    back = from_dlpack(Tensor(dense))
    same(back, array)
    assert not back.flags.writeable
    if dense.to_numpy().base is not None and name != "bool":
        assert back.ctypes.data == dense.to_numpy().ctypes.data
    assert mlirbc.DenseElementsAttr.get(Tensor(dense), signless=array.dtype.kind != "u") == dense
    assert mlirbc.DenseElementsAttr.get(Tensor(dense), type=dense.type) == dense


@pytest.mark.parametrize("name", [*NUMPY, *WHOLE_BYTES])
def test_the_runtime_of_jaxlib_agrees_about_types(name: str) -> None:
    from mlirbc._dlpack import from_dlpack

    xla_client: Any = pytest.importorskip("jaxlib.xla_client")
    jax: Any = pytest.importorskip("jaxlib._jax")
    array = array_of(name)
    dense = mlirbc.DenseElementsAttr.get(array, signless=array.dtype.kind != "u")
    device = xla_client.make_cpu_client().local_devices()[0]
    # The runtime refuses unknown codes, and hands out the same codes.
    theirs = jax.dlpack_managed_tensor_to_buffer(dense.__dlpack__(), device, None)
    same(from_dlpack(Tensor(jax.buffer_to_dlpack_managed_tensor(theirs, None))), array)


def test_numpy_takes_what_it_has_types_for() -> None:
    dense = mlirbc.DenseElementsAttr.get(numpy.arange(6, dtype=numpy.int32).reshape(2, 3))
    array = numpy.from_dlpack(dense)
    assert array.tolist() == [[0, 1, 2], [3, 4, 5]] and array.ctypes.data == dense.to_numpy().ctypes.data
    assert numpy.from_dlpack(dense, copy=True).flags.writeable
    # A splat is one element.
    splat = numpy.from_dlpack(mlirbc.Attribute.parse("dense<7> : tensor<2x3xi8>"))
    assert splat.tolist() == [[7] * 3] * 2 and set(splat.strides) == {0}
    assert numpy.from_dlpack(mlirbc.DenseF32ArrayAttr.get([0.5])).tolist() == [0.5]


def test_before_version_1_there_are_copies() -> None:
    dense = mlirbc.DenseElementsAttr.get(numpy.arange(6, dtype=numpy.int32))
    for keywords in ({}, {"max_version": None}, {"max_version": (0, 8)}):
        capsule = dense.__dlpack__(**keywords)
        assert '"dltensor"' in repr(capsule)
        array = numpy.from_dlpack(Tensor(capsule))
        assert array.ctypes.data != dense.to_numpy().ctypes.data
    with pytest.raises(BufferError, match="max_version"):
        dense.__dlpack__(copy=False)
    assert '"dltensor_versioned"' in repr(dense.__dlpack__(max_version=(1, 0), copy=False))


def test_resources() -> None:
    module = mlirbc.open(EXAMPLE)
    for buffer in (module.resources["layer0.weight"], module.resources["layer0.weight"].value):
        assert isinstance(buffer, mlirbc.Resource | mlirbc.Blob)
        array = numpy.from_dlpack(buffer)
        assert array.dtype == numpy.uint8 and array.shape == (48,) and not array.flags.writeable
        assert array.ctypes.data == numpy.frombuffer(buffer, numpy.uint8).ctypes.data
        assert buffer.__dlpack_device__() == (1, 0)
    weights = [item for item in module.attributes if isinstance(item, mlirbc.DenseResourceElementsAttr)]
    assert numpy.from_dlpack(weights[0]).shape == (4, 3)
    edited = module.edit()
    for name in ("i4", *WHOLE_BYTES):
        edited.resources.add(name, Tensor(array_of(name)) if name == "i4" else array_of(name))
    edited.resources.add("ours", Tensor(weights[0]))
    edited.resources["layer0.weight"] = Tensor(numpy.full((4, 3), 2, "<f4"))
    again = mlirbc.read(edited.write()).resources
    for name in ("i4", *WHOLE_BYTES):
        assert bytes(again[name][:]) == array_of(name).tobytes()
    assert again["ours"][:] == module.resources["layer0.weight"][:]
    assert again["layer0.weight"][:] == numpy.full(12, 2, "<f4").tobytes()
    with pytest.raises(BufferError, match="not contiguous"):
        edited.resources.add("cut", Tensor(numpy.zeros((4, 4))[:, ::2]))


@pytest.mark.parametrize("name", PACKED)
def test_elements_of_less_than_a_byte_are_refused(name: str) -> None:
    dense = mlirbc.DenseElementsAttr.get(array_of(name))
    for keywords in ({}, {"max_version": (1, 0)}):
        with pytest.raises(BufferError, match=f"no elements of {name}.*dtype=numpy.float32"):
            dense.__dlpack__(**keywords)
    # As the message says.
    assert numpy.asarray(dense, dtype=numpy.float32).tolist() == array_of(name).astype("f4").tolist()


def test_packed_elements_are_refused() -> None:
    from mlirbc._dlpack import _tensor, from_dlpack

    for field, value in (("bits", 4), ("lanes", 2)):
        capsule = numpy.zeros(4, numpy.uint8).__dlpack__()
        setattr(_tensor(capsule), field, value)
        with pytest.raises(BufferError, match="unpack them"):
            from_dlpack(Tensor(capsule))


def test_what_cannot_be_taken_is_refused() -> None:
    from mlirbc._dlpack import from_dlpack

    array = numpy.zeros(4, numpy.uint8)
    with pytest.raises(BufferError, match="copy them to the host"):
        from_dlpack(Tensor(array, device=(2, 0)))
    with pytest.raises(BufferError, match="no one has used"):
        from_dlpack(Tensor(5))
    used = array.__dlpack__()
    numpy.from_dlpack(Tensor(used))
    with pytest.raises(BufferError, match="no one has used"):
        from_dlpack(Tensor(used))
    unknown = array.__dlpack__()
    from mlirbc._dlpack import _tensor

    _tensor(unknown).code = 99
    with pytest.raises(BufferError):
        from_dlpack(Tensor(unknown))
    with pytest.raises(BufferError, match="strings"):
        mlirbc.Attribute.parse('dense<"a"> : tensor<2x!toy.string>').__dlpack__()  # type: ignore[attr-defined]
    with pytest.raises(KeyError):
        mlirbc.Attribute.parse("dense_resource<missing> : tensor<2xi8>").__dlpack__()  # type: ignore[attr-defined]
