"""The reports of `write` and `save`, versions of dialects to write, and buffers that are in use."""

import pickle
import subprocess
import sys
from pathlib import Path

import mlirbc
import pytest
from mlirbc import edit
from mlirbc.fallback import WriteMode

from support import oracles

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples/two_layers.mlirbc"
USES = ROOT / "tests/data/bytecode/llvm-22/v6/uses_pairs.mlirbc"


def changed(**keywords: list[str]) -> edit.Module:
    edited = mlirbc.open(EXAMPLE, **keywords).edit()  # type: ignore[arg-type]
    main = edited.symbol("main")
    assert main is not None
    main.attributes["x.note"] = mlirbc.UnitAttr.get()
    return edited


def test_reading_and_writing_copies_everything(tmp_path: Path) -> None:
    module = mlirbc.open(EXAMPLE)
    data = module.write()
    size = EXAMPLE.stat().st_size
    assert isinstance(data, bytes) and data == EXAMPLE.read_bytes()
    report = data.report
    assert (report.mode, report.reason) == (WriteMode.VERBATIM, "nothing was changed")
    assert (report.bytes, report.bytes_copied, report.bytes_encoded, report.losses) == (size, size, 0, ())
    assert module.save(tmp_path / "a.mlirbc") == report
    assert str(report) == "verbatim: nothing was changed"
    assert module.edit().write().report == report


def test_written_bytes_are_bytes() -> None:
    module = mlirbc.open(EXAMPLE)
    for data in (module.write(), module.write(numbering="canonical"), module.edit().write()):
        plain = data[:]
        assert (type(data).__name__, type(plain)) == ("WrittenBytes", bytes)
        assert hash(data) == hash(plain) and {plain: 1}[data] == 1 and plain in {data}
        assert len(data) == data.report.bytes and mlirbc.read(data).operation.verify()


@pytest.mark.skipif(sys.platform != "linux", reason="needs /proc/self/status")
def test_written_bytes_are_in_memory_once(tmp_path: Path) -> None:
    size = 64 << 20
    edited = mlirbc.edit.Module.create()
    edited.operation.attributes["x.w"] = mlirbc.Attribute.parse(f"dense_resource<w> : tensor<{size}xi8>")
    edited.resources.add("w", bytes(size), alignment=64)
    edited.save(tmp_path / "large.mlirbc")
    code = f"""
import mlirbc
def peak(): return int(open("/proc/self/status").read().split("VmHWM:")[1].split()[0]) << 10
module = mlirbc.open({str(tmp_path / "large.mlirbc")!r}, backend="read")
module.operation.attributes
before = peak()
data = module.write()
print(peak() - before - len(data))
"""
    grown = int(subprocess.run([sys.executable, "-c", code], check=True, capture_output=True).stdout)
    assert grown < size // 2, grown


def test_bytes_without_the_report_go_to_other_processes() -> None:
    data = mlirbc.open(EXAMPLE).write()
    again = pickle.loads(pickle.dumps(data))
    assert type(again) is bytes and again == data


@pytest.mark.parametrize(
    ("numbering", "mode", "reason"),
    [
        (None, WriteMode.APPEND_ONLY, "its numbering was to be preserved"),
        ("preserve", WriteMode.APPEND_ONLY, "its numbering was to be preserved"),
        ("canonical", WriteMode.RENUMBER, "canonical numbering was requested"),
        ("strictest", WriteMode.RENUMBER, "everything in it can be decoded"),
    ],
)
def test_an_edit_decides_the_mode(
    numbering: str | None, mode: WriteMode, reason: str, tmp_path: Path
) -> None:
    edited = changed()
    report = edited.save(tmp_path / "a.mlirbc", numbering=numbering)  # type: ignore[arg-type]
    assert report.mode is mode and reason in report.reason
    assert report.bytes == (tmp_path / "a.mlirbc").stat().st_size
    assert report.bytes == report.bytes_copied + report.bytes_encoded
    assert 0 < report.bytes_encoded < report.bytes or mode is WriteMode.RENUMBER


def test_what_cannot_be_decoded_is_the_reason() -> None:
    report = changed(unknown_dialects=["cf"]).write(numbering="strictest").report
    assert report.mode is WriteMode.APPEND_ONLY
    assert "properties of cf.cond_br" in report.reason


def test_losses_are_in_the_report() -> None:
    for module in (mlirbc.open(USES), mlirbc.open(USES).edit()):
        with pytest.warns(UserWarning, match="left out"):
            report = module.write(version=2, drop_unsupported=True).report
        assert [(loss.kind, loss.name, loss.op) for loss in report.losses] == [
            ("use_list_orders", None, None)
        ]
        assert report.reason == "everything is numbered again for bytecode version 2"


@pytest.mark.parametrize("name", ["native_properties", "uses_pairs", "test_dialect_properties"])
def test_a_loss_says_where_it_is(name: str) -> None:
    module = mlirbc.open(USES.with_name(f"{name}.mlirbc"))
    paths: dict[str, str] = {}

    def visit(op: mlirbc.Operation) -> None:
        paths[op.path] = op.name

    module.walk(visit)
    for way in ({"version": 0}, {"target": "llvm-16", "strict": True}):
        try:
            module.write(**way)  # type: ignore[arg-type]
        except mlirbc.UnsupportedError as error:
            for loss in error.losses:
                assert (loss.path is None) == (loss.op is None)
                assert loss.path is None or paths[loss.path] == loss.op


def test_a_new_resource_is_not_copied(tmp_path: Path) -> None:
    weights = tmp_path / "w.bin"
    weights.write_bytes(bytes(48))
    edited = mlirbc.open(EXAMPLE).edit()
    edited.resources["layer0.weight"] = weights
    report = edited.write().report
    assert report.bytes_encoded >= 48 and report.bytes_copied > 0


# ---- versions of dialects ----


@pytest.mark.parametrize(
    "version", ["1.0.0", (1, 0, 0), b"\x03\x01\x01", mlirbc.versions.OpaqueVersion(b"\x03\x01\x01")]
)
def test_a_version_can_be_given_in_several_forms(version: str) -> None:
    data = mlirbc.open(EXAMPLE).write(dialect_versions={"vhlo": version})
    assert mlirbc.versions.dialect_versions(mlirbc.read(data)) == {"vhlo": (1, 0, 0)}
    assert data.report.mode is WriteMode.APPEND_ONLY
    assert str(mlirbc.read(data)) == str(mlirbc.open(EXAMPLE))


@pytest.mark.parametrize("keywords", [{}, {"numbering": "canonical"}, {"version": 4}])
def test_mlir_reads_the_file(keywords: dict[str, str]) -> None:
    oracles.require(22)
    for module in (mlirbc.open(EXAMPLE), changed()):
        data = module.write(dialect_versions={"test": "2.0"}, **keywords)  # type: ignore[call-arg, arg-type]
        arguments = ["--allow-unregistered-dialect", "--mlir-print-op-generic"]
        oracles.checked(oracles.run_mlir_opt(22, arguments, data))
        assert mlirbc.versions.dialect_versions(mlirbc.read(data)) == {"test": (2, 0)}


def test_versions_that_cannot_be_written_are_refused() -> None:
    module = mlirbc.open(EXAMPLE)
    with pytest.raises(
        mlirbc.UnsupportedError, match=r"version 9\.0\.0 of dialect vhlo is newer than 1\.20\.0"
    ):
        module.write(dialect_versions={"vhlo": "9.0.0"})
    data = module.write(dialect_versions={"vhlo": "9.0.0"}, allow_newer_versions=True)
    assert mlirbc.versions.dialect_version(mlirbc.read(data), "vhlo") == (9, 0, 0)
    with pytest.raises(mlirbc.InvalidError, match=r"no table says how version 1\.0 of dialect toy"):
        module.write(dialect_versions={"toy": "1.0"})
    with pytest.raises(mlirbc.InvalidError, match=r"expected a dialect version such as `1\.0\.0`"):
        module.write(dialect_versions={"vhlo": "newest"})
    with pytest.raises(TypeError, match="text, numbers or bytes, not float"):
        module.write(dialect_versions={"vhlo": 1.0})  # type: ignore[dict-item]
    with pytest.raises(mlirbc.UnsupportedError, match="version of dialect vhlo") as caught:
        module.write(dialect_versions={"vhlo": "1.0.0"}, version=0)
    assert [loss.kind for loss in caught.value.losses] == ["dialect_version"]


def test_encodings_follow_the_version() -> None:
    oracles.require(22)
    text = '"foo.op"() {a = #test.attr_params<42, 24>} : () -> ()\n'
    module = mlirbc.read(oracles.checked(oracles.run_mlir_opt(22, oracles.emit_args(22, 6), text)))
    for version in ("1.2", "2.0"):
        data = module.write(dialect_versions={"test": version})
        arguments = ["--allow-unregistered-dialect", "--mlir-print-op-generic"]
        assert b"#test.attr_params<42, 24>" in oracles.checked(oracles.run_mlir_opt(22, arguments, data))


# ---- buffers ----


def test_closing_names_the_resource_that_is_in_use() -> None:
    module = mlirbc.open(EXAMPLE)
    weight = memoryview(module.resources["layer0.weight"])
    value = module.resources["layer1.bias"].value
    with pytest.raises(BufferError, match=r'"layer0\.weight" and of 1 more is still in use'):
        module.close()
    assert not module.closed and len(module.resources) == 6
    del value
    with pytest.raises(BufferError, match=r'"layer0\.weight" is still in use'):
        module.close()
    second = mlirbc.open(EXAMPLE)
    second.close()
    weight.release()
    module.close()
    assert module.closed


def test_leaving_a_with_block_keeps_buffers() -> None:
    with mlirbc.open(EXAMPLE) as module:
        weight = memoryview(module.resources["layer0.weight"])
    assert module.closed and weight.nbytes == 48


def test_closing_names_the_resource_of_an_array() -> None:
    pytest.importorskip("numpy")
    module = mlirbc.open(EXAMPLE)
    arrays = []
    for op in module.body.operations[1].regions[0].blocks[0].operations:
        value = op.attributes.get("value")
        if isinstance(value, mlirbc.DenseResourceElementsAttr):
            arrays.append(value.to_numpy())
    assert arrays
    with pytest.raises(BufferError, match="a buffer of the resource"):
        module.close()
    arrays.clear()
    module.close()
