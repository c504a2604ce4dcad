"""`mlirbc.extract`, `mlirbc.merge` and `mlirbc.split` make modules that MLIR reads."""

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import mlirbc
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from mlirbc import InvalidError, UnsupportedError, testing

from support.oracles import checked, emit_args, require, run_mlir_opt
from support.sampling import examples

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples/two_layers.mlirbc"
DATA = ROOT / "tests/data/bytecode"

TEXT = """
module @m attributes {dlti.dl_spec = #dlti.dl_spec<>} {
  func.func @main(%x: f32) -> f32 {
    %0 = func.call @twice(%x) : (f32) -> f32
    %1 = "t.get"() {of = [@weights, {nested = @kernels::@step}]} : () -> f32
    return %0 : f32
  }
  func.func private @twice(%x: f32) -> f32 {
    %0 = arith.addf %x, %x : f32
    return %0 : f32
  }
  memref.global "private" @weights : memref<2xf32> = dense<[1.0, 2.0]>
  module @kernels {
    func.func @step() { func.call @helper() : () -> () return }
    func.func private @helper() { return }
    func.func @other() { return }
  }
  llvm.func internal @lost(%x: i32) -> i32 { llvm.return %x : i32 }
  llvm.func @uses(%x: i32) -> i32 {
    %0 = llvm.call @lost(%x) : (i32) -> i32
    llvm.return %0 : i32
  }
}
"""
FORMS = [(22, 6), (22, 3), (19, 6), (19, 1), (16, 0)]


def written(release: int, version: int, text: str = TEXT) -> mlirbc.Module:
    require(release)
    text = text.replace(" attributes {dlti.dl_spec = #dlti.dl_spec<>}", "") if release == 16 else text
    return mlirbc.read(checked(run_mlir_opt(release, emit_args(release, version), text)))


def accepted(module: mlirbc.Module, release: int) -> str:
    """The text that MLIR prints after its verifier."""
    return checked(run_mlir_opt(release, ["--allow-unregistered-dialect"], bytes(module.write()))).decode()


def canonical(module: mlirbc.Module) -> mlirbc.Module:
    return mlirbc.read(module.write(numbering="canonical"))


@pytest.mark.parametrize(("release", "version"), FORMS)
def test_mlir_reads_what_is_extracted(release: int, version: int) -> None:
    module = written(release, version)
    extracted = mlirbc.extract(module, ["@main"])
    assert extracted.symbols == ["@main", "@twice", "@weights", "@kernels::@step", "@kernels::@helper"]
    text = accepted(extracted.module, release)
    assert "@other" not in text
    assert "module @kernels" in text
    declared = mlirbc.extract(module, ["main", "uses"], declarations=True)
    assert declared.declared == ["@twice", "@weights", "@kernels::@step", "@lost"]
    text = accepted(declared.module, release)
    assert "func.func private @twice(f32) -> f32\n" in text
    assert 'memref.global "private" @weights : memref<2xf32>\n' in text
    assert "llvm.func @lost(i32) -> i32" in text


@pytest.mark.parametrize(("release", "version"), FORMS)
def test_parts_are_read_by_mlir_and_merge_to_the_module(release: int, version: int) -> None:
    module = written(release, version)
    parts = mlirbc.split(module)
    assert [part.symbols for part in parts] == [
        ["@main"], ["@twice"], ["@weights"], ["@kernels"], ["@lost"], ["@uses"],
    ]  # fmt: skip
    assert [need.symbol for need in parts[0].declares] == ["@twice", "@weights"]
    assert parts[0].includes == [mlirbc.symbols.Need("@kernels", "3-kernels.mlirbc")]
    for part in parts:
        accepted(part.module, release)
    merged = mlirbc.merge(parts)
    assert mlirbc.hash(merged.module, locations=True) == mlirbc.hash(canonical(module), locations=True)
    accepted(merged.module, release)


@pytest.mark.parametrize(
    ("first", "second"), [((22, 6), (22, 6)), ((22, 6), (19, 1)), ((19, 6), (16, 0)), ((16, 0), (16, 0))]
)
def test_mlir_reads_what_is_merged(first: tuple[int, int], second: tuple[int, int]) -> None:
    first_module = written(
        *first, "func.func @a() { call @h() : () -> () return }\nfunc.func private @h() { return }"
    )
    second_module = written(
        *second,
        "func.func @b() { call @h() : () -> () call @a() : () -> () return }\n"
        "func.func private @h() { call @b() : () -> () return }\nfunc.func private @a()",
    )
    merged = mlirbc.merge([first_module, second_module])
    assert merged.renamed == [mlirbc.symbols.Renamed(1, "h", "h_0")]
    assert merged.linked == ["@a"]
    text = accepted(merged.module, first[0])
    assert "call @h_0()" in text
    assert text.count("func.func") == 4


def test_a_release_that_lacks_something_is_an_error() -> None:
    new = mlirbc.open(EXAMPLE)
    old = mlirbc.edit.Module.create(release="llvm-16", version=0)
    for name, value in new.operation.attributes.items():
        old.operation.attributes[name] = value
    # The locations of the example are ranges.
    with pytest.raises(UnsupportedError, match="location ranges"):
        mlirbc.merge([mlirbc.read(old.write()), new])


def test_what_does_not_fit_is_named() -> None:
    texts = (
        "module attributes {a.b = 1 : i32} {}",
        "module {}",
        'func.func @f() { "t.a"() : () -> () return }',
        "func.func @f() { return }",
    )
    with_attribute, bare, first, second = (mlirbc.read(mlirbc.parse(text).write()) for text in texts)
    with pytest.raises(InvalidError, match=r"differ in `a\.b`"):
        mlirbc.merge([with_attribute, bare])
    with pytest.raises(InvalidError, match="different public symbols `@f`") as raised:
        mlirbc.merge([first, second])
    assert raised.value.identifier == "mlirbc.invalid.merge"
    assert len(mlirbc.merge([first, second], rename=True).module.body.operations) == 2
    with pytest.raises(InvalidError, match="there is no symbol `nope`"):
        mlirbc.extract(first, ["nope"])
    with pytest.raises(ValueError, match="no modules"):
        mlirbc.merge([])


def internal(module: mlirbc.Module) -> list[str]:
    return [key for key, resource in module.resources.items() if not resource.is_external]


def test_resources_go_along() -> None:
    module = mlirbc.open(EXAMPLE)
    dense, main = mlirbc.split(module)
    assert internal(dense.module) == []
    keys = internal(main.module)
    assert keys == internal(module)
    edited = module.edit()
    edited.resources["layer0.bias"] = bytes(16)
    edited.rename_symbol("main", "other")
    changed = mlirbc.read(edited.write())
    merged = mlirbc.merge([module, changed])
    assert merged.resources == [mlirbc.symbols.Renamed(1, "layer0.bias", "layer0.bias_1")]
    assert bytes(memoryview(merged.module.resources["layer0.bias_1"])) == bytes(16)


def resolves(module: mlirbc.Module) -> bool:
    try:
        module.edit().verify(symbols=True)
    except mlirbc.Error:
        return False
    return True


@settings(deadline=None, max_examples=examples(120), suppress_health_check=list(HealthCheck))
@given(testing.modules(max_operations=10), st.data())
def test_generated_modules_are_split_and_merged(module: mlirbc.Module, chooser: st.DataObject) -> None:
    try:
        parts = mlirbc.split(module)
    except mlirbc.Error:
        # Some are not symbol tables, or have contents that no table describes.
        return
    merged = mlirbc.merge(parts).module
    merged.verify()
    # The key tells encodings of this attribute in different versions of the dialect apart.
    if "#test.attr_params" not in module.operation.get_asm(print_generic_op_form=True):
        assert mlirbc.hash(merged, locations=True) == mlirbc.hash(canonical(module), locations=True)
    symbols = [symbol for part in parts for symbol in part.symbols]
    if symbols:
        name = chooser.draw(st.sampled_from(symbols))
        extracted = mlirbc.extract(module, [name])
        assert name in extracted.symbols
        extracted.module.verify()
        if resolves(module) and not extracted.unknown:
            assert resolves(extracted.module)


@pytest.mark.parametrize(
    "path", sorted(DATA.rglob("*.mlirbc")), ids=lambda path: path.relative_to(DATA).as_posix()
)
def test_files_of_mlir_are_split_and_merged(path: Path) -> None:
    module = mlirbc.open(path)
    try:
        parts = mlirbc.split(module)
    except (InvalidError, UnsupportedError):
        return
    merged = mlirbc.merge(parts).module
    assert mlirbc.hash(merged) == mlirbc.hash(canonical(module))


def run(*arguments: str | Path, status: int = 0) -> str:
    command = [sys.executable, "-m", "mlirbc", *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == status, done.stderr
    return done.stdout if status == 0 else done.stderr


def test_the_commands_write_files_and_a_manifest(tmp_path: Path) -> None:
    folder = tmp_path / "parts"
    shown = json.loads(run("split", EXAMPLE, "-o", folder, "--json"))
    manifest = json.loads((folder / "manifest.json").read_text())
    assert manifest == shown
    assert [part["file"] for part in manifest["parts"]] == ["0-dense.mlirbc", "1-main.mlirbc"]
    whole = tmp_path / "whole.mlirbc"
    run("merge", folder, "-o", whole)
    assert mlirbc.hash(whole) == mlirbc.hash(EXAMPLE)
    manifest["parts"][0]["file"] = "../whole.mlirbc"
    (folder / "manifest.json").write_text(json.dumps(manifest))
    assert "not the name of a file" in run("merge", folder, "-o", whole, status=1)
    assert "cannot both" in run("extract", EXAMPLE, "@main", "--json", "-o", "-", status=2)
    report = json.loads(run("extract", EXAMPLE, "@main", "--json", "-o", whole))
    assert report["symbols"] == ["@dense", "@main"]


def tampered(folder: Path, change: "Callable[[list[dict[str, object]]], object]") -> str:
    """The error of `merge` for a folder of `split` whose manifest was changed."""
    run("split", EXAMPLE, "-o", folder)
    path = folder / "manifest.json"
    manifest = json.loads(path.read_text())
    change(manifest["parts"])
    path.write_text(json.dumps(manifest))
    return run("merge", folder, "-o", folder / "whole.mlirbc", status=1)


def test_a_manifest_has_each_operation_once(tmp_path: Path) -> None:
    def number(numbers: list[int]) -> "Callable[[list[dict[str, object]]], object]":
        return lambda parts: parts[1].update(operations=numbers)

    assert f"it has operation `{10**18}` of 2" in tampered(tmp_path, number([10**18]))
    assert "operation `0` is in it twice" in tampered(tmp_path, number([0]))
    assert "it has operation `1` of 1" in tampered(tmp_path, lambda parts: parts[0].update(operations=[]))
    assert "`0-dense.mlirbc` twice" in tampered(
        tmp_path, lambda parts: parts[1].update(file=parts[0]["file"])
    )


@pytest.mark.skipif(sys.platform == "win32", reason="links need a privilege")
@pytest.mark.parametrize("name", ["manifest.json", "1-main.mlirbc"])
def test_a_folder_of_parts_has_no_links(tmp_path: Path, name: str) -> None:
    folder = tmp_path / "parts"
    run("split", EXAMPLE, "-o", folder)
    (folder / name).rename(tmp_path / name)
    (folder / name).symlink_to(tmp_path / name)
    refused = run("merge", folder, "-o", tmp_path / "whole.mlirbc", status=1)
    assert f"{name}` is not a regular file" in refused


@pytest.mark.skipif(sys.platform != "linux", reason="system calls are listed on Linux")
@pytest.mark.skipif(shutil.which("strace") is None, reason="strace is not installed")
def test_a_folder_of_parts_is_synced_once(tmp_path: Path) -> None:
    source = tmp_path / "many.mlirbc"
    mlirbc.parse("".join(f"func.func @f{n}() {{ return }}\n" for n in range(40))).save(source)
    words = [sys.executable, "-m", "mlirbc", "split", str(source), "-o", str(tmp_path / "parts")]
    trace = ["strace", "-f", "-o", str(tmp_path / "calls"), "-e", "trace=fsync,fdatasync,syncfs"]
    subprocess.run([*trace, *words], check=True, capture_output=True)
    calls = (tmp_path / "calls").read_text()
    assert calls.count("syncfs(") == 1
    # The manifest, which is written last, and its folder.
    assert calls.count("fsync(") == 2
