// releases: 16 19
// covers: the tosa dialect: elementwise, convolutions with quantization information, shapes, control flow, variables.
func.func @tosa(%t: tensor<4x8xf32>, %i: tensor<4x8xi32>, %b: tensor<4x8xi1>, %i8: tensor<4x8xi8>, %t3: tensor<2x4x8xf32>, %t3b: tensor<2x3x8xf32>, %t3c: tensor<2x8x3xf32>, %q3: tensor<2x4x8xi8>, %q3c: tensor<2x8x3xi8>, %ix: tensor<2x3xi32>, %img: tensor<1x8x8x2xf32>, %wt: tensor<4x3x3x2xf32>, %dw: tensor<3x3x2x2xf32>, %bias: tensor<4xf32>, %qimg: tensor<1x8x8x2xi8>, %qwt: tensor<4x3x3x2xi8>, %qbias: tensor<4xi32>, %fc: tensor<3x8xf32>, %bias3: tensor<3xf32>, %pads: tensor<2x2xi32>, %a: i32, %a8: i8, %cond: tensor<i1>, %i8t: tensor<64xi8>, %tab: tensor<256xi8>, %t32: tensor<4x32xf32>) {
  "tosa.const"() {value = dense<[1, 2]> : tensor<2xi32>} : () -> tensor<2xi32>
  "tosa.negate"(%t) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  "tosa.negate"(%i8) {quantization_info = #tosa.unary_quant<input_zp = 1, output_zp = -2>} : (tensor<4x8xi8>) -> tensor<4x8xi8>
  "tosa.clamp"(%t) {min_fp = 0.0 : f32, max_fp = 6.0 : f32, min_int = 0 : i64, max_int = 6 : i64} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  "tosa.reshape"(%t) {new_shape = array<i64: 8, 4>} : (tensor<4x8xf32>) -> tensor<8x4xf32>
  "tosa.slice"(%t) {start = array<i64: 1, 2>, size = array<i64: 2, 3>} : (tensor<4x8xf32>) -> tensor<2x3xf32>
  "tosa.tile"(%t) {multiples = array<i64: 2, 1>} : (tensor<4x8xf32>) -> tensor<8x8xf32>
  %p_94 = "tosa.const"() {value = dense<[1, 0]> : tensor<2xi32>} : () -> tensor<2xi32>
      "tosa.transpose"(%t, %p_94) : (tensor<4x8xf32>, tensor<2xi32>) -> tensor<8x4xf32>
  "tosa.matmul"(%t3, %t3c) : (tensor<2x4x8xf32>, tensor<2x8x3xf32>) -> tensor<2x4x3xf32>
  "tosa.matmul"(%q3, %q3c) {quantization_info = #tosa.matmul_quant<a_zp = 1, b_zp = 2>} : (tensor<2x4x8xi8>, tensor<2x8x3xi8>) -> tensor<2x4x3xi32>
  "tosa.avg_pool2d"(%img) {acc_type = f32, kernel = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>} : (tensor<1x8x8x2xf32>) -> tensor<1x4x4x2xf32>
  "tosa.conv2d"(%img, %wt, %bias) {pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x8x8x2xf32>, tensor<4x3x3x2xf32>, tensor<4xf32>) -> tensor<1x6x6x4xf32>
  "tosa.conv2d"(%qimg, %qwt, %qbias) {pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>, quantization_info = #tosa.conv_quant<input_zp = 1, weight_zp = 2>} : (tensor<1x8x8x2xi8>, tensor<4x3x3x2xi8>, tensor<4xi32>) -> tensor<1x6x6x4xi32>
  "tosa.depthwise_conv2d"(%img, %dw, %bias) {pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x8x8x2xf32>, tensor<3x3x2x2xf32>, tensor<4xf32>) -> tensor<1x6x6x4xf32>
  "tosa.transpose_conv2d"(%img, %wt, %bias) {out_pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, out_shape = array<i64: 1, 10, 10, 4>} : (tensor<1x8x8x2xf32>, tensor<4x3x3x2xf32>, tensor<4xf32>) -> tensor<1x10x10x4xf32>
  %v_110, %k_110 = "t.make"() : () -> (tensor<1x4x8x8x2xf32>, tensor<4x1x3x3x2xf32>)
      "tosa.conv3d"(%v_110, %k_110, %bias) {pad = array<i64: 0, 0, 0, 0, 0, 0>, stride = array<i64: 1, 1, 1>, dilation = array<i64: 1, 1, 1>} : (tensor<1x4x8x8x2xf32>, tensor<4x1x3x3x2xf32>, tensor<4xf32>) -> tensor<1x4x6x6x4xf32>
  "tosa.fully_connected"(%t, %fc, %bias3) : (tensor<4x8xf32>, tensor<3x8xf32>, tensor<3xf32>) -> tensor<4x3xf32>
  "tosa.resize"(%img) {scale = array<i64: 4, 2, 4, 2>, offset = array<i64: -1, -1>, border = array<i64: 1, 1>, mode = "BILINEAR"} : (tensor<1x8x8x2xf32>) -> tensor<1x15x15x2xf32>
  "tosa.resize"(%img) {scale = array<i64: 4, 2, 4, 2>, offset = array<i64: -1, -1>, border = array<i64: 1, 1>, mode = "BILINEAR"} : (tensor<1x8x8x2xf32>) -> tensor<1x?x?x2xf32>
  "tosa.pad"(%t, %pads) : (tensor<4x8xf32>, tensor<2x2xi32>) -> tensor<?x?xf32>
  "tosa.pad"(%t, %pads) {quantization_info = #tosa.pad_quant<input_zp = 42>} : (tensor<4x8xf32>, tensor<2x2xi32>) -> tensor<?x?xf32>
  "tosa.apply_scale"(%a, %a, %a8) {double_round = true} : (i32, i32, i8) -> i32
  return
}
