// releases: 16
// covers: the tosa dialect: elementwise, convolutions with quantization information, shapes, control flow, variables.
func.func @tosa(%t: tensor<4x8xf32>, %i: tensor<4x8xi32>, %b: tensor<4x8xi1>, %i8: tensor<4x8xi8>, %t3: tensor<2x4x8xf32>, %t3b: tensor<2x3x8xf32>, %t3c: tensor<2x8x3xf32>, %q3: tensor<2x4x8xi8>, %q3c: tensor<2x8x3xi8>, %ix: tensor<2x3xi32>, %img: tensor<1x8x8x2xf32>, %wt: tensor<4x3x3x2xf32>, %dw: tensor<3x3x2x2xf32>, %bias: tensor<4xf32>, %qimg: tensor<1x8x8x2xi8>, %qwt: tensor<4x3x3x2xi8>, %qbias: tensor<4xi32>, %fc: tensor<3x8xf32>, %bias3: tensor<3xf32>, %pads: tensor<2x2xi32>, %a: i32, %a8: i8, %cond: tensor<i1>, %i8t: tensor<64xi8>, %tab: tensor<256xi8>, %t32: tensor<4x32xf32>) {
  "tosa.div"(%i, %i) : (tensor<4x8xi32>, tensor<4x8xi32>) -> tensor<4x8xi32>
  "tosa.reduce_max"(%t) {axis = 1 : i64} : (tensor<4x8xf32>) -> tensor<4x1xf32>
  "tosa.reduce_min"(%t) {axis = 1 : i64} : (tensor<4x8xf32>) -> tensor<4x1xf32>
  "tosa.reduce_sum"(%t) {axis = 1 : i64} : (tensor<4x8xf32>) -> tensor<4x1xf32>
  "tosa.reduce_prod"(%t) {axis = 1 : i64} : (tensor<4x8xf32>) -> tensor<4x1xf32>
  "tosa.reduce_all"(%b) {axis = 0 : i64} : (tensor<4x8xi1>) -> tensor<1x8xi1>
  "tosa.reduce_any"(%b) {axis = 0 : i64} : (tensor<4x8xi1>) -> tensor<1x8xi1>
  "tosa.argmax"(%t) {axis = 1 : i64} : (tensor<4x8xf32>) -> tensor<4xi32>
  "tosa.reverse"(%t) {axis = 0 : i64} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  "tosa.concat"(%t, %t) {axis = 0 : i64} : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<8x8xf32>
  "tosa.mul"(%t, %t) {shift = 0 : i32} : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  "tosa.avg_pool2d"(%img) {kernel = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>} : (tensor<1x8x8x2xf32>) -> tensor<1x4x4x2xf32>
  "tosa.rescale"(%i8) {double_round = true, input_zp = 1 : i32, multiplier = array<i32: 1073741824>, output_zp = 0 : i32, per_channel = false, scale32 = true, shift = array<i32: 30>} : (tensor<4x8xi8>) -> tensor<4x8xi32>
  "tosa.custom"(%t) {identifier = "custom_test", config = "c", implementation_attrs = "bytes\00"} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
