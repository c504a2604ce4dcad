"""Files by unknown producers from before there were properties, held against jaxlib."""

import io

import mlirbc
import pytest

jaxlib_ir = pytest.importorskip("jaxlib.mlir.ir", reason="jaxlib is not installed")

SOURCE = """
module @m attributes {test.kept = 1 : i32} {
  func.func public @main(%a: tensor<4xf32>) -> tensor<2x4xf32> {
    %0 = "stablehlo.broadcast_in_dim"(%a) {broadcast_dimensions = array<i64: 1>, test.x}
      : (tensor<4xf32>) -> tensor<2x4xf32>
    %1 = stablehlo.concatenate %0, dim = 0 : (tensor<2x4xf32>) -> tensor<2x4xf32>
    %2 = "stablehlo.custom_call"(%1) {call_target_name = "f", api_version = 1 : i32}
      : (tensor<2x4xf32>) -> tensor<2x4xf32>
    return %2 : tensor<2x4xf32>
  }
}
"""


def written(version: int, producer: bytes) -> tuple[bytes, str]:
    """The module in an old version by another producer, and its text as jaxlib prints it."""
    from jaxlib.mlir._mlir_libs import _jax_mlir_ext
    from jaxlib.mlir.dialects import stablehlo

    registry = jaxlib_ir.DialectRegistry()
    _jax_mlir_ext.register_dialects(registry)
    context = jaxlib_ir.Context()
    context.append_dialect_registry(registry)
    stablehlo.register_dialect(context)
    context.allow_unregistered_dialects = True
    module = jaxlib_ir.Module.parse(SOURCE, context=context)
    file = io.BytesIO()
    module.operation.write_bytecode(file, desired_version=version)
    data = file.getvalue()
    end = data.index(b"\0", 5)
    data = data[:5] + producer + data[end:]
    again = jaxlib_ir.Module.parse(data, context=context)
    return data, again.operation.get_asm(print_generic_op_form=True)


@pytest.mark.parametrize("version", range(5))
def test_inherent_attributes_are_printed_as_properties(version: int) -> None:
    data, expected = written(version, b"SomeTool")
    with mlirbc.read(data) as module:
        assert module.release.origin == "the producer string `SomeTool` is not known"
        assert module.operation.get_asm(print_generic_op_form=True).strip() == expected.strip()
