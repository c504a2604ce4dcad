// releases: 16 19 22
// covers: the tosa dialect: elementwise, convolutions with quantization information, shapes, control flow, variables.
func.func @tosa(%t: tensor<4x8xf32>, %i: tensor<4x8xi32>, %b: tensor<4x8xi1>, %i8: tensor<4x8xi8>, %t3: tensor<2x4x8xf32>, %t3b: tensor<2x3x8xf32>, %t3c: tensor<2x8x3xf32>, %q3: tensor<2x4x8xi8>, %q3c: tensor<2x8x3xi8>, %ix: tensor<2x3xi32>, %img: tensor<1x8x8x2xf32>, %wt: tensor<4x3x3x2xf32>, %dw: tensor<3x3x2x2xf32>, %bias: tensor<4xf32>, %qimg: tensor<1x8x8x2xi8>, %qwt: tensor<4x3x3x2xi8>, %qbias: tensor<4xi32>, %fc: tensor<3x8xf32>, %bias3: tensor<3xf32>, %pads: tensor<2x2xi32>, %a: i32, %a8: i8, %cond: tensor<i1>, %i8t: tensor<64xi8>, %tab: tensor<256xi8>, %t32: tensor<4x32xf32>) {
  "tosa.abs"(%t) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  "tosa.ceil"(%t) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  "tosa.exp"(%t) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  "tosa.floor"(%t) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  "tosa.log"(%t) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  "tosa.reciprocal"(%t) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  "tosa.rsqrt"(%t) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  "tosa.sigmoid"(%t) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  "tosa.tanh"(%t) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  "tosa.identity"(%t) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  "tosa.bitwise_not"(%i) : (tensor<4x8xi32>) -> tensor<4x8xi32>
  "tosa.clz"(%i) : (tensor<4x8xi32>) -> tensor<4x8xi32>
  "tosa.logical_not"(%b) : (tensor<4x8xi1>) -> tensor<4x8xi1>
  "tosa.add"(%t, %t) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  "tosa.sub"(%t, %t) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  "tosa.maximum"(%t, %t) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  "tosa.minimum"(%t, %t) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  "tosa.pow"(%t, %t) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  "tosa.bitwise_and"(%i, %i) : (tensor<4x8xi32>, tensor<4x8xi32>) -> tensor<4x8xi32>
  "tosa.bitwise_or"(%i, %i) : (tensor<4x8xi32>, tensor<4x8xi32>) -> tensor<4x8xi32>
  "tosa.bitwise_xor"(%i, %i) : (tensor<4x8xi32>, tensor<4x8xi32>) -> tensor<4x8xi32>
  "tosa.logical_left_shift"(%i, %i) : (tensor<4x8xi32>, tensor<4x8xi32>) -> tensor<4x8xi32>
  "tosa.logical_right_shift"(%i, %i) : (tensor<4x8xi32>, tensor<4x8xi32>) -> tensor<4x8xi32>
  "tosa.logical_and"(%b, %b) : (tensor<4x8xi1>, tensor<4x8xi1>) -> tensor<4x8xi1>
  "tosa.logical_or"(%b, %b) : (tensor<4x8xi1>, tensor<4x8xi1>) -> tensor<4x8xi1>
  "tosa.logical_xor"(%b, %b) : (tensor<4x8xi1>, tensor<4x8xi1>) -> tensor<4x8xi1>
  "tosa.equal"(%t, %t) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xi1>
  "tosa.greater"(%t, %t) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xi1>
  "tosa.greater_equal"(%t, %t) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xi1>
  "tosa.arithmetic_right_shift"(%i, %i) {round = false} : (tensor<4x8xi32>, tensor<4x8xi32>) -> tensor<4x8xi32>
  "tosa.select"(%b, %t, %t) : (tensor<4x8xi1>, tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  "tosa.cast"(%t) : (tensor<4x8xf32>) -> tensor<4x8xi32>
  "tosa.table"(%i8t, %tab) : (tensor<64xi8>, tensor<256xi8>) -> tensor<64xi8>
  "tosa.gather"(%t3, %ix) : (tensor<2x4x8xf32>, tensor<2x3xi32>) -> tensor<2x3x8xf32>
  "tosa.scatter"(%t3, %ix, %t3b) : (tensor<2x4x8xf32>, tensor<2x3xi32>, tensor<2x3x8xf32>) -> tensor<2x4x8xf32>
  "tosa.max_pool2d"(%img) {kernel = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>} : (tensor<1x8x8x2xf32>) -> tensor<1x4x4x2xf32>
  "tosa.rfft2d"(%t3) : (tensor<2x4x8xf32>) -> (tensor<2x4x5xf32>, tensor<2x4x5xf32>)
  "tosa.cond_if"(%cond, %t) ({
    ^bb0(%x: tensor<4x8xf32>):
      "tosa.yield"(%x) : (tensor<4x8xf32>) -> ()
    }, {
    ^bb0(%x: tensor<4x8xf32>):
      "tosa.yield"(%x) : (tensor<4x8xf32>) -> ()
    }) : (tensor<i1>, tensor<4x8xf32>) -> tensor<4x8xf32>
  "tosa.while_loop"(%t) ({
    ^bb0(%x: tensor<4x8xf32>):
      %c_128 = "t.cond"() : () -> tensor<i1>
      "tosa.yield"(%c_128) : (tensor<i1>) -> ()
    }, {
    ^bb0(%x: tensor<4x8xf32>):
      "tosa.yield"(%x) : (tensor<4x8xf32>) -> ()
    }) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
