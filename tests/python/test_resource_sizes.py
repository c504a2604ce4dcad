"""Resources and the types that refer to them: sizes, other modules, arrays; `mlir-opt` has its say."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import mlirbc
import pytest

from support import oracles

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples" / "two_layers.mlirbc"
UNREGISTERED = ["--allow-unregistered-dialect"]


def attribute(module: mlirbc.Module, name: str) -> Any:
    assert module.operation is not None
    return module.operation.attributes[name]


def with_resource(key: str, data: bytes, kind: str, release: int = 22) -> mlirbc.Module:
    """A module whose attribute `x.w` refers to a resource with these bytes."""
    oracles.require(release)
    blob = (4).to_bytes(4, "little") + data
    text = (
        f'"builtin.module"() ({{\n^bb0:\n}}) {{x.w = dense_resource<{key}> : {kind}}} : () -> ()\n'
        f'{{-# dialect_resources: {{ builtin: {{ {key}: "0x{blob.hex()}" }} }} #-}}'
    )
    args = ["--emit-bytecode", *UNREGISTERED]
    return mlirbc.read(oracles.checked(oracles.run_mlir_opt(release, args, text)))


# Sizes.


def test_a_resource_of_another_size_is_refused_unless_asked_for() -> None:
    edited = mlirbc.open(EXAMPLE).edit()
    for content in (b"", bytes(16), bytes(49)):
        with pytest.raises(mlirbc.InvalidError) as refused:
            edited.resources["layer0.weight"] = content
        assert refused.value.identifier == "mlirbc.invalid.resource_size"
        assert "requires `48`" in str(refused.value)
        assert f"`{len(content)}` bytes" in str(refused.value) and "resize=True" in (refused.value.hint or "")
    assert not edited.is_changed
    edited.resources.replace("layer0.weight", bytes(16), resize=True)
    edited.verify()
    back = mlirbc.read(edited.write())
    back.verify()  # as MLIR's reader, which accepts it
    assert back.resources["layer0.weight"].size == 16
    theirs = oracles.run_mlir_opt(22, UNREGISTERED, edited.write()) if oracles.find(22) else None
    assert theirs is None or theirs.status == 0, theirs


@pytest.mark.parametrize(
    ("kind", "sizes", "wrong"),
    [
        ("tensor<3xi1>", (3, 1), 2),
        ("tensor<3xi4>", (3, 2), 1),
        ("tensor<2xf80>", (20,), 32),
        ("tensor<2xcomplex<f32>>", (16,), 8),
        ("tensor<2xindex>", (16,), 8),
        ("tensor<0xf32>", (0,), 4),
        ("vector<4xbf16>", (8,), 16),
    ],
)
def test_the_size_is_that_of_the_type(kind: str, sizes: tuple[int, ...], wrong: int) -> None:
    module = with_resource("w", bytes(sizes[0]), kind)
    edited = module.edit()
    for size in sizes:
        edited.resources["w"] = bytes(size)
        edited.verify()
    with pytest.raises(mlirbc.InvalidError, match="resource `w` has"):
        edited.resources["w"] = bytes(wrong)


def test_of_elements_of_unknown_width_nothing_is_said() -> None:
    edited = mlirbc.edit.Module.create()
    edited.operation.attributes["x.w"] = mlirbc.Attribute.parse("dense_resource<w> : tensor<4x!toy.t>")
    edited.resources.add("w", b"123")
    edited.verify()


def test_the_attribute_may_come_first_and_is_checked_when_it_comes_last() -> None:
    edited = mlirbc.open(EXAMPLE).edit()
    edited.operation.attributes["x.w"] = mlirbc.Attribute.parse(
        "dense_resource<layer0.weight> : tensor<4xf32>"
    )
    edited.resources["layer0.weight"] = bytes(16)
    edited.verify()
    edited.resources.add("new", bytes(3))
    edited.operation.attributes["x.new"] = mlirbc.Attribute.parse("dense_resource<new> : tensor<4xf32>")
    with pytest.raises(mlirbc.InvalidError, match=r"resource `new` has .* requires `16`"):
        edited.verify()
    with pytest.raises(mlirbc.InvalidError, match=r"resource `new` has .* requires `16`"):
        edited.write()
    edited.write(verify=False)


def test_the_command_refuses_it_too(tmp_path: Path) -> None:
    small, out = tmp_path / "small", tmp_path / "out.mlirbc"
    small.write_bytes(bytes(16))
    command = [sys.executable, "-m", "mlirbc", "resources", str(EXAMPLE)]
    command += ["--replace", f"layer0.weight={small}", "-o", str(out)]
    refused = subprocess.run(command, capture_output=True, text=True, check=False)
    assert refused.returncode == 1 and "requires `48`" in refused.stderr and "--resize" in refused.stderr
    assert not out.exists()
    subprocess.run([*command, "--resize"], check=True)
    assert mlirbc.open(out).resources["layer0.weight"].size == 16


# Other modules.


def rewritten(data: bytes, release: int = 22) -> mlirbc.Module:
    """The module that MLIR reads and writes."""
    args = oracles.emit_args(release, 6)
    return mlirbc.read(oracles.checked(oracles.run_mlir_opt(release, args, data)))


@pytest.mark.parametrize("nested", [False, True])
def test_an_attribute_of_another_module_brings_its_resource(nested: bool) -> None:
    source = with_resource("theirs", b"0123456789abcdef", "tensor<4xf32>")
    edited = mlirbc.open(EXAMPLE).edit()
    value = attribute(source, "x.w")
    edited.operation.attributes["x.w"] = mlirbc.ArrayAttr.get([value]) if nested else value
    edited.verify()
    back = mlirbc.read(edited.write())
    assert bytes(back.resources["theirs"].value) == b"0123456789abcdef"
    assert back.resources["theirs"].alignment == source.resources["theirs"].alignment
    read = attribute(back, "x.w")
    assert (read[0] if nested else read).key == "theirs"
    canonical = mlirbc.read(edited.write(numbering="canonical"))
    assert bytes(canonical.resources["theirs"].value) == b"0123456789abcdef"
    theirs = rewritten(edited.write())
    assert bytes(theirs.resources["theirs"].value) == b"0123456789abcdef"


def test_resources_of_one_key_and_other_content_are_renamed() -> None:
    first = with_resource("w", b"0123456789abcdef", "tensor<4xf32>")
    second = with_resource("w", b"ABCDEFGHIJKLMNOP", "tensor<4xf32>")
    third = with_resource("w", b"0123456789abcdef", "tensor<4xf32>")
    edited = first.edit()
    for name, module in (("x.second", second), ("x.third", third), ("x.again", second)):
        edited.operation.attributes[name] = attribute(module, "x.w")
    back = mlirbc.read(edited.write())
    keys = {name: attribute(back, name).key for name in ("x.w", "x.second", "x.third", "x.again")}
    assert keys == {"x.w": "w", "x.second": "w_1", "x.third": "w", "x.again": "w_1"}
    assert bytes(back.resources["w_1"].value) == b"ABCDEFGHIJKLMNOP" and len(back.resources) == 2
    theirs = rewritten(edited.write())
    assert keys == {name: attribute(theirs, name).key for name in keys}
    assert {key: bytes(resource.value) for key, resource in theirs.resources.items()} == {
        "w": b"0123456789abcdef",
        "w_1": b"ABCDEFGHIJKLMNOP",
    }


def test_a_resource_that_was_replaced_is_not_taken_for_that_of_the_file() -> None:
    first = with_resource("w", b"0123456789abcdef", "tensor<4xf32>")
    same = with_resource("w", b"0123456789abcdef", "tensor<4xf32>")
    edited = first.edit()
    edited.resources["w"] = b"ABCDEFGHIJKLMNOP"
    edited.operation.attributes["x.same"] = attribute(same, "x.w")
    back = mlirbc.read(edited.write())
    assert attribute(back, "x.same").key == "w_1"
    assert bytes(back.resources["w_1"].value) == b"0123456789abcdef"
    assert bytes(back.resources["w"].value) == b"ABCDEFGHIJKLMNOP"


def test_a_large_resource_is_brought_without_a_copy(tmp_path: Path) -> None:
    size = 64 << 20
    module = mlirbc.edit.Module.create()
    module.operation.attributes["x.w"] = mlirbc.Attribute.parse(f"dense_resource<w> : tensor<{size}xi8>")
    module.resources.add("w", bytes(size), alignment=64)
    large, out = tmp_path / "large.mlirbc", tmp_path / "out.mlirbc"
    module.save(large)
    code = f"""
import resource, mlirbc
def peak(): return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss << 10
module = mlirbc.open({str(large)!r}, backend="read")
edited = mlirbc.open({str(EXAMPLE)!r}).edit()
before = peak()
edited.operation.attributes["x.w"] = module.operation.attributes["x.w"]
edited.save({str(out)!r})
print(peak() - before)
"""
    grown = int(subprocess.run([sys.executable, "-c", code], check=True, capture_output=True).stdout)
    assert grown < size // 2, grown
    assert mlirbc.open(out).resources["w"].size == size


# Arrays, sizes, names.


def test_arrays_of_any_dtype_are_taken() -> None:
    numpy = pytest.importorskip("numpy")
    ml_dtypes = pytest.importorskip("ml_dtypes")
    array = numpy.arange(24, dtype=numpy.float32).astype(ml_dtypes.bfloat16)
    edited = mlirbc.open(EXAMPLE).edit()
    edited.resources["layer0.weight"] = array.reshape(4, 6)
    edited.resources.add("scalar", numpy.array(1.5, dtype=ml_dtypes.bfloat16))
    back = mlirbc.read(edited.write())
    assert bytes(back.resources["layer0.weight"].value) == array.tobytes()
    assert back.resources["scalar"].size == 2
    for strided in (array[::2], array.reshape(4, 6).T):
        with pytest.raises(BufferError, match="not contiguous"):
            edited.resources.replace("layer0.weight", strided, resize=True)


def test_sizes_are_those_of_the_content() -> None:
    resources = mlirbc.open(EXAMPLE).resources
    assert repr(resources["layer0.weight"]) == '<mlirbc.Resource "layer0.weight" of builtin, 48 bytes>'
    assert [resources[key].size for key in ("layer0.weight", "note", "trained")] == [48, 22, 1]
    assert repr(resources["note"]).endswith(", 22 bytes>")
    command = [sys.executable, "-m", "mlirbc", "resources", str(EXAMPLE), "--json"]
    listed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    import json

    assert [row["size"] for row in json.loads(listed)] == [resource.size for resource in resources.values()]
