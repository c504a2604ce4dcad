"""Custom assembly of StableHLO, CHLO and Shardy, compared with jaxlib's."""

import mlirbc
import pytest
from test_shardy import PROGRAM as SHARDY

from support import jaxlib_oracle

OPERATIONS = """
func.func @main(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>, %i: tensor<2x3xi32>, %p: tensor<2x3xi1>)
    -> tensor<2x3xf32> {
  %c = stablehlo.constant dense<1> : tensor<i32>
  %zero = stablehlo.constant {a = 1 : i8} dense<0.0> : tensor<f32>
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0], precision = [HIGH, DEFAULT]
      : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  %1 = stablehlo.reduce(%a init: %zero) applies stablehlo.add across dimensions = [0]
      : (tensor<2x3xf32>, tensor<f32>) -> tensor<3xf32>
  %2:2 = stablehlo.reduce(%a init: %zero), (%a init: %zero) across dimensions = [0, 1]
      : (tensor<2x3xf32>, tensor<2x3xf32>, tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>)
      reducer(%x: tensor<f32>, %y: tensor<f32>) (%z: tensor<f32>, %w: tensor<f32>) {
    %s = stablehlo.add %x, %y : tensor<f32>
    %t = stablehlo.maximum %z, %w : tensor<f32>
    stablehlo.return %s, %t : tensor<f32>, tensor<f32>
  }
  %3:2 = stablehlo.while(%n = %c, %v = %a) : tensor<i32>, tensor<2x3xf32>
  cond {
    %t = stablehlo.compare LT, %n, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %t : tensor<i1>
  } do {
    %m = stablehlo.add %n, %c : tensor<i32>
    stablehlo.return %m, %v : tensor<i32>, tensor<2x3xf32>
  }
  %4 = stablehlo.select %p, %a, %a : tensor<2x3xi1>, tensor<2x3xf32>
  %5 = stablehlo.complex %a, %a : tensor<2x3xcomplex<f32>>
  %6 = stablehlo.slice %a [0:2:2, 1:3] : (tensor<2x3xf32>) -> tensor<1x2xf32>
  %7 = stablehlo.reduce_precision %a, format = e5m10 : tensor<2x3xf32>
  %8 = stablehlo.custom_call @"a target"(%a) {has_side_effect = true, backend_config = ""}
      : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %9 = stablehlo.dynamic_slice %a, %c, %c, sizes = [1, 1]
      : (tensor<2x3xf32>, tensor<i32>, tensor<i32>) -> tensor<1x1xf32>
  %10 = chlo.erf_inv %a : tensor<2x3xf32> -> tensor<2x3xf32>
  %11 = stablehlo.iota dim = 0 : tensor<4xui8>
  %12:2 = stablehlo.optimization_barrier %a, %i : tensor<2x3xf32>, tensor<2x3xi32>
  return %4 : tensor<2x3xf32>
}
func.func @convolution(%a: tensor<1x8x8x3xf32>, %k: tensor<3x3x3x4xf32>) -> tensor<1x4x4x4xf32> {
  %0 = stablehlo.convolution(%a, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
      window = {stride = [2, 2], pad = [[0, 1], [0, 1]], rhs_dilate = [1, 1], reverse = [false, false]}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<1x8x8x3xf32>, tensor<3x3x3x4xf32>) -> tensor<1x4x4x4xf32>
  return %0 : tensor<1x4x4x4xf32>
}
"""


@pytest.mark.parametrize("program", [OPERATIONS, SHARDY], ids=["stablehlo", "shardy"])
def test_programs_print_as_in_jaxlib(program: str) -> None:
    oracle = jaxlib_oracle.require()
    with oracle.context:
        expected = oracle.ir.Module.parse(program).operation.get_asm()
    text = mlirbc.read(oracle.write(program)).operation.get_asm(print_generic_op_form=False)
    assert text.strip().splitlines() == expected.strip().splitlines()
