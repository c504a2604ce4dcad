func.func @f(%a: tensor<12x5xf32>, %m: memref<12xf32>) -> tensor<3x4x5xf32> {
  %0 = tensor.expand_shape %a [[0, 1], [2]] : tensor<12x5xf32> into tensor<3x4x5xf32>
  %1 = tensor.expand_shape %a [[0, 1], [2]] : tensor<12x5xf32> into tensor<6x2x5xf32>
  %2 = memref.expand_shape %m [[0, 1]] : memref<12xf32> into memref<3x4xf32>
  return %0 : tensor<3x4x5xf32>
}
