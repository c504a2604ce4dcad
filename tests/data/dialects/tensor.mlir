// releases: 16 19 22
// covers: the tensor dialect: slices with static and dynamic parts, padding, reshapes, gathers, encodings.
func.func @tensor(%t: tensor<?x4xf32>, %i: index, %f: f32, %s: tensor<8x16x4xf32>, %u: tensor<*xf32>, %sh: tensor<2xindex>, %x: tensor<1x2x3xi32>, %ix: tensor<6x1xindex>) {
  tensor.cast %t : tensor<?x4xf32> to tensor<4x4xf32>
  tensor.cast %u : tensor<*xf32> to tensor<?xf32>
  tensor.dim %t, %i : tensor<?x4xf32>
  tensor.empty() : tensor<5x6xf32>
  tensor.empty(%i, %i) : tensor<?x6x?xf32, "encoded">
  tensor.empty(%i) : tensor<?xcomplex<f64>>
  tensor.extract %t[%i, %i] : tensor<?x4xf32>
  tensor.extract_slice %s[0, 2, 0] [4, 4, 4] [1, 1, 1] : tensor<8x16x4xf32> to tensor<4x4x4xf32>
  tensor.extract_slice %s[%i, 2, %i] [1, %i, 4] [1, 2, %i] : tensor<8x16x4xf32> to tensor<?x4xf32>
  tensor.insert %f into %t[%i, %i] : tensor<?x4xf32>
  tensor.insert_slice %t into %s[%i, 2, 0] [1, %i, 4] [1, 1, 1] : tensor<?x4xf32> into tensor<8x16x4xf32>
  tensor.from_elements %f, %f : tensor<2xf32>
  tensor.from_elements %f, %f, %f, %f : tensor<2x2xf32>
  tensor.from_elements %i : tensor<index>
  tensor.from_elements : tensor<0xi8>
  tensor.gather %x[%ix] gather_dims([1]) : (tensor<1x2x3xi32>, tensor<6x1xindex>) -> tensor<6x1x1x3xi32>
  tensor.gather %x[%ix] gather_dims([1]) unique : (tensor<1x2x3xi32>, tensor<6x1xindex>) -> tensor<6x1x3xi32>
  tensor.gather %s[%ix] gather_dims([2]) unique : (tensor<8x16x4xf32>, tensor<6x1xindex>) -> tensor<6x8x16xf32>
  %g_21 = tensor.gather %s[%ix] gather_dims([2]) unique : (tensor<8x16x4xf32>, tensor<6x1xindex>) -> tensor<6x8x16x1xf32>
      tensor.scatter %g_21 into %s[%ix] scatter_dims([2]) unique : (tensor<6x8x16x1xf32>, tensor<8x16x4xf32>, tensor<6x1xindex>) -> tensor<8x16x4xf32>
  tensor.generate %i, %i {
    ^bb0(%a: index, %b: index):
      tensor.yield %f : f32
    } : tensor<?x?xf32>
  tensor.pad %t low[1, %i] high[0, 2] {
    ^bb0(%a: index, %b: index):
      tensor.yield %f : f32
    } : tensor<?x4xf32> to tensor<?x?xf32>
  tensor.pad %t nofold low[0, 0] high[0, 2] {
    ^bb0(%a: index, %b: index):
      tensor.yield %f : f32
    } : tensor<?x4xf32> to tensor<?x6xf32>
  tensor.rank %u : tensor<*xf32>
  tensor.reshape %u(%sh) : (tensor<*xf32>, tensor<2xindex>) -> tensor<?x?xf32>
  tensor.collapse_shape %s [[0, 1], [2]] : tensor<8x16x4xf32> into tensor<128x4xf32>
  tensor.collapse_shape %s [[0, 1, 2]] : tensor<8x16x4xf32> into tensor<512xf32>
  tensor.splat %f : tensor<8x16xf32>
  return
}

func.func private @types2(tensor<f32>, tensor<0xi1>, tensor<?x0x?xi64>, tensor<*xindex>, tensor<4xi8, #t.enc<1>>, tensor<4xi8, [1, "x"]>, tensor<1x!t.elem>, tensor<2xvector<4xf32>>, tensor<?xf32, affine_map<(d0) -> (d0)>>, tensor<4xcomplex<i32>>, tensor<3xf32, {a = 1 : i8}>)
