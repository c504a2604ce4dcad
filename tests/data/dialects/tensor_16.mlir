// releases: 16
// covers: the tensor dialect: slices with static and dynamic parts, padding, reshapes, gathers, encodings.
func.func @tensor(%t: tensor<?x4xf32>, %i: index, %f: f32, %s: tensor<8x16x4xf32>, %u: tensor<*xf32>, %sh: tensor<2xindex>, %x: tensor<1x2x3xi32>, %ix: tensor<6x1xindex>) {
  tensor.expand_shape %t [[0, 1], [2]] : tensor<?x4xf32> into tensor<?x2x4xf32>
  return
}
