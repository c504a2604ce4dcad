// releases: 19 22
// covers: the tosa dialect: elementwise, convolutions with quantization information, shapes, control flow, variables.
func.func @tosa(%t: tensor<4x8xf32>, %i: tensor<4x8xi32>, %b: tensor<4x8xi1>, %i8: tensor<4x8xi8>, %t3: tensor<2x4x8xf32>, %t3b: tensor<2x3x8xf32>, %t3c: tensor<2x8x3xf32>, %q3: tensor<2x4x8xi8>, %q3c: tensor<2x8x3xi8>, %ix: tensor<2x3xi32>, %img: tensor<1x8x8x2xf32>, %wt: tensor<4x3x3x2xf32>, %dw: tensor<3x3x2x2xf32>, %bias: tensor<4xf32>, %qimg: tensor<1x8x8x2xi8>, %qwt: tensor<4x3x3x2xi8>, %qbias: tensor<4xi32>, %fc: tensor<3x8xf32>, %bias3: tensor<3xf32>, %pads: tensor<2x2xi32>, %a: i32, %a8: i8, %cond: tensor<i1>, %i8t: tensor<64xi8>, %tab: tensor<256xi8>, %t32: tensor<4x32xf32>) {
  tosa.abs %t : (tensor<4x8xf32>) -> tensor<4x8xf32>
  tosa.ceil %t : (tensor<4x8xf32>) -> tensor<4x8xf32>
  tosa.exp %t : (tensor<4x8xf32>) -> tensor<4x8xf32>
  tosa.floor %t : (tensor<4x8xf32>) -> tensor<4x8xf32>
  tosa.log %t : (tensor<4x8xf32>) -> tensor<4x8xf32>
  tosa.reciprocal %t : (tensor<4x8xf32>) -> tensor<4x8xf32>
  tosa.rsqrt %t : (tensor<4x8xf32>) -> tensor<4x8xf32>
  tosa.sigmoid %t : (tensor<4x8xf32>) -> tensor<4x8xf32>
  tosa.tanh %t : (tensor<4x8xf32>) -> tensor<4x8xf32>
  tosa.erf %t : (tensor<4x8xf32>) -> tensor<4x8xf32>
  "tosa.erf"(%t) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  tosa.cos %t : (tensor<4x8xf32>) -> tensor<4x8xf32>
  "tosa.cos"(%t) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  tosa.sin %t : (tensor<4x8xf32>) -> tensor<4x8xf32>
  "tosa.sin"(%t) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  tosa.identity %t : (tensor<4x8xf32>) -> tensor<4x8xf32>
  "tosa.reduce_max"(%t) {axis = 1 : i32} : (tensor<4x8xf32>) -> tensor<4x1xf32>
  "tosa.reduce_min"(%t) {axis = 1 : i32} : (tensor<4x8xf32>) -> tensor<4x1xf32>
  "tosa.reduce_sum"(%t) {axis = 1 : i32} : (tensor<4x8xf32>) -> tensor<4x1xf32>
  "tosa.reduce_all"(%b) {axis = 0 : i32} : (tensor<4x8xi1>) -> tensor<1x8xi1>
  "tosa.reduce_any"(%b) {axis = 0 : i32} : (tensor<4x8xi1>) -> tensor<1x8xi1>
  "tosa.argmax"(%t) {axis = 1 : i32} : (tensor<4x8xf32>) -> tensor<4xi32>
  "tosa.reverse"(%t) {axis = 0 : i32} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  "tosa.concat"(%t, %t) {axis = 0 : i32} : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<8x8xf32>
  "tosa.fft2d"(%t3, %t3) {inverse = false} : (tensor<2x4x8xf32>, tensor<2x4x8xf32>) -> (tensor<2x4x8xf32>, tensor<2x4x8xf32>)
  tosa.rfft2d %t3 {local_bound = true} : (tensor<2x4x8xf32>) -> (tensor<2x4x5xf32>, tensor<2x4x5xf32>)
  "tosa.custom"(%t) {operator_name = "custom_test", domain_name = "tosa", implementation_attrs = "bytes\FF"} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
