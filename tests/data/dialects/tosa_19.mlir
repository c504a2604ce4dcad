// releases: 19
// covers: the tosa dialect: elementwise, convolutions with quantization information, shapes, control flow, variables.
func.func @tosa(%t: tensor<4x8xf32>, %i: tensor<4x8xi32>, %b: tensor<4x8xi1>, %i8: tensor<4x8xi8>, %t3: tensor<2x4x8xf32>, %t3b: tensor<2x3x8xf32>, %t3c: tensor<2x8x3xf32>, %q3: tensor<2x4x8xi8>, %q3c: tensor<2x8x3xi8>, %ix: tensor<2x3xi32>, %img: tensor<1x8x8x2xf32>, %wt: tensor<4x3x3x2xf32>, %dw: tensor<3x3x2x2xf32>, %bias: tensor<4xf32>, %qimg: tensor<1x8x8x2xi8>, %qwt: tensor<4x3x3x2xi8>, %qbias: tensor<4xi32>, %fc: tensor<3x8xf32>, %bias3: tensor<3xf32>, %pads: tensor<2x2xi32>, %a: i32, %a8: i8, %cond: tensor<i1>, %i8t: tensor<64xi8>, %tab: tensor<256xi8>, %t32: tensor<4x32xf32>) {
  "tosa.int_div"(%i, %i) : (tensor<4x8xi32>, tensor<4x8xi32>) -> tensor<4x8xi32>
  "tosa.reduce_prod"(%t) {axis = 1 : i32} : (tensor<4x8xf32>) -> tensor<4x1xf32>
  "tosa.mul"(%t, %t) {shift = 1 : i8} : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  "tosa.mul"(%t, %t) {shift = 0 : i8} : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  "tosa.rescale"(%i8) {double_round = true, input_zp = 1 : i32, multiplier = array<i32: 1073741824>, output_zp = 0 : i32, per_channel = false, scale32 = true, shift = array<i8: 30>} : (tensor<4x8xi8>) -> tensor<4x8xi32>
  return
}

module {
  tosa.variable @var = dense<7.0> : tensor<2xf32>
  tosa.variable @uninit : tensor<1x8xf32>
  func.func @use(%a: tensor<2xf32>) -> tensor<2xf32> {
    tosa.variable.write @var, %a : tensor<2xf32>
    %0 = tosa.variable.read @var : tensor<2xf32>
    return %0 : tensor<2xf32>
  }
}
