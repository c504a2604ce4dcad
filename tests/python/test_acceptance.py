"""A sample of the acceptance matrix: what mlirbc converts for a release is read there, and as what it was.

`scripts/acceptance` has all of it.
"""

import mlirbc
import pytest

from support import acceptance, generic_text, oracles

SAMPLE = (
    "arguments",
    "cfg",
    "dialects_common",
    "dialects_llvm",
    "func_19_22",
    "native_properties",
    "segments",
)
UNEXPECTED = ("misread",)


def sample() -> list[acceptance.Module]:
    return [module for module in acceptance.modules() if module.name in SAMPLE]


@pytest.mark.parametrize("module", sample(), ids=lambda module: f"{module.name}-{module.release}")
def test_what_is_converted_is_read_as_what_it_was(module: acceptance.Module) -> None:
    for release in oracles.RELEASES:
        oracles.require(release)
    cells = acceptance.cells(module, (0, 6), ("through", "any"), acceptance.TOOLS)
    wrong = [cell for cell in cells if cell.outcome in UNEXPECTED]
    assert not wrong, [(cell.made.version, cell.consumer, cell.way, cell.reason) for cell in wrong]
    assert any(cell.outcome == "accepted" for cell in cells)


def test_atomic_kinds_are_renumbered() -> None:
    """The numbers mean something else in newer releases, and nothing in a file says so."""
    oracles.require(19)
    oracles.require(22)
    text = """
    func.func @f(%m: memref<4xf32>, %v: f32, %i: index) {
      %0 = memref.atomic_rmw maximumf %v, %m[%i] : (f32, memref<4xf32>) -> f32
      return
    }"""
    emitted = oracles.checked(oracles.run_mlir_opt(19, oracles.emit_args(19, 6), text))
    data, complaint = acceptance.convert(emitted, "llvm-22")
    assert data is not None, complaint
    printed = oracles.checked(oracles.run_mlir_opt(22, [], data)).decode()
    assert "memref.atomic_rmw maximumf" in printed
    back, complaint = acceptance.convert(data, "llvm-19")
    assert back is not None, complaint
    assert "memref.atomic_rmw maximumf" in oracles.checked(oracles.run_mlir_opt(19, [], back)).decode()
    # No form is right for both.
    assert acceptance.convert(emitted, "any")[0] is None


def test_values_that_a_reader_drops_in_silence_are_told() -> None:
    """19 knows nothing of `range`; 22 takes it for its own, of another class, and reads the op without it."""
    oracles.require(19)
    oracles.require(22)
    text = """
    llvm.func @f() {
      %0 = "rocdl.workitem.id.y"() {range = [0 : i64, 64 : i64]} : () -> i32
      llvm.return
    }"""
    emitted = oracles.checked(oracles.run_mlir_opt(19, oracles.emit_args(19, 4), text))
    printed = oracles.checked(oracles.run_mlir_opt(22, [], emitted)).decode()
    assert "rocdl.workitem.id.y" in printed and "64" not in printed
    for target in ("any", "llvm-22"):
        data, complaint = acceptance.convert(emitted, target)
        assert data is None
        assert (
            "1 rocdl.workitem.id.y operation: the target does not accept the class of property `range`"
            in complaint
        )
    # Where nobody drops it, it stays.
    data, complaint = acceptance.convert(emitted, "llvm-19")
    assert data is not None, complaint
    assert "64" in oracles.checked(oracles.run_mlir_opt(19, [], data)).decode()


def there_and_back(text: str, source: int, target: int) -> str:
    """Returns the text that the target prints, after checking that the way back restores the module."""
    for release in (source, target):
        oracles.require(release)
    flags = ["--allow-unregistered-dialect"]
    version = 6 if source > 16 else 0
    emitted = oracles.checked(oracles.run_mlir_opt(source, oracles.emit_args(source, version), text))
    data, complaint = acceptance.convert(emitted, f"llvm-{target}")
    assert data is not None, complaint
    back, complaint = acceptance.convert(data, f"llvm-{source}")
    assert back is not None, complaint
    before, after = (
        oracles.checked(oracles.run_mlir_opt(source, flags, module)).decode() for module in (emitted, back)
    )
    assert after == before
    return oracles.checked(oracles.run_mlir_opt(target, flags, data)).decode()


@pytest.mark.parametrize("target", [19, 22])
def test_what_16_calls_otherwise_or_leaves_out(target: int) -> None:
    text = """
    func.func @f(%m: memref<8x8xf32>, %v: vector<8xf32>, %n: index) -> f32 {
      %c0 = arith.constant 0 : index
      %z = arith.constant 0.0 : f32
      %a = vector.transfer_read %m[%c0, %c0], %z : memref<8x8xf32>, vector<4x4xf32>
      vector.transfer_write %a, %m[%c0, %c0] : vector<4x4xf32>, memref<8x8xf32>
      %s = vector.shuffle %a, %a [0, 4] : vector<4x4xf32>, vector<4x4xf32>
      %t = vector.transpose %a, [1, 0] : vector<4x4xf32> to vector<4x4xf32>
      %e = vector.extract %t[2] : vector<4x4xf32>
      %b = vector.reduction <maxf>, %v : vector<8xf32> into f32
      %c = arith.maxf %b, %z : f32
      affine.for %i = 0 to %n {
        affine.for %j = affine_map<(d0)[s0] -> (d0 + s0)>(%i)[%n] to 100 step 2 {
          %x = affine.load %m[%i, %j] : memref<8x8xf32>
        }
      }
      %r = affine.for %k = 0 to 8 iter_args(%acc = %c) -> f32 {
        %y = arith.minf %acc, %z : f32
        affine.yield %y : f32
      }
      return %r : f32
    }"""
    printed = there_and_back(text, 16, target)
    assert "arith.maximumf" in printed
    assert "vector.reduction <maximumf>" in printed
    assert "affine.for %arg4 = #map(%arg3)[%arg2] to 100 step 2" in printed
    assert "vector.shuffle %0, %0 [0, 4]" in printed
    # All that is not in bounds is not printed.
    assert "%cst : memref<8x8xf32>, vector<4x4xf32>" in printed


def test_layouts_are_lists_of_entries_or_of_keys_and_values() -> None:
    text = """
    module attributes {
      dlti.dl_spec = #dlti.dl_spec<i32 = dense<[32, 64]> : vector<2xi64>, "dlti.endianness" = "little">,
      dlti.target_system_spec = #dlti.target_system_spec<
        "CPU" = #dlti.target_device_spec<"a" = 64 : i32, "b" = "x">,
        "GPU" = #dlti.target_device_spec<"a" = 1 : i8>>
    } {}"""
    printed = there_and_back(text, 22, 19)
    assert '#dlti.target_device_spec<#dlti.dl_entry<"a", 64 : i32>, #dlti.dl_entry<"b", "x">>' in printed


@pytest.mark.parametrize(("own", "target"), [(19, 22), (22, 19), (16, 22), (22, 16)])
def test_blocks_end_with_an_op_where_they_have_to(own: int, target: int) -> None:
    text = """
    module attributes {gpu.container_module} {
      gpu.module @a { gpu.func @f() kernel { gpu.return } }
      gpu.module @b { gpu.func @g(%x: i32) { gpu.return } func.func private @h() }
      gpu.module @empty {}
      func.func private @behind()
    }"""
    printed = there_and_back(text, own, target)
    assert printed.count("gpu.module @") == 3
    assert "gpu.module_end" not in printed
    assert "@behind" in printed


@pytest.mark.parametrize("target", ["jaxlib-0.10", "iree-3.13", "llvm-19"])
def test_versions_that_a_target_does_not_read_are_left_out(target: str) -> None:
    """MLIR refuses the version of a dialect that it has no reader for."""
    oracles.require(22)
    emitted = oracles.checked(oracles.run_mlir_opt(22, oracles.emit_args(22, 6), '"test.op"() : () -> ()'))
    data, complaint = acceptance.convert(emitted, target)
    assert data is not None, complaint
    (version,) = (dialect.version for dialect in mlirbc.read(data).dialects if dialect.name == "test")
    assert (version is not None) == (target == "llvm-19")
    if target in acceptance.peers():
        assert acceptance.peers()[target].print(data)[0] is not None


def test_text_with_properties_that_are_no_dictionary() -> None:
    op = generic_text.parse('"t.op"() <"text"> : () -> ()\n').operations[0]
    assert op.properties == '"text"'
