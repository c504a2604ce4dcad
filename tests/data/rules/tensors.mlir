func.func @tensors(%t: tensor<4x?xf32>, %i: index, %v: f32) -> (tensor<4x?xf32>, f32) {
  %0 = tensor.extract %t[%i, %i] : tensor<4x?xf32>
  %1 = tensor.insert %v into %t[%i, %i] : tensor<4x?xf32>
  %2 = tensor.empty(%i) : tensor<4x?xf32>
  %3 = tensor.extract_slice %t[0, 0] [2, 2] [1, 1] : tensor<4x?xf32> to tensor<2x2xf32>
  %4 = tensor.insert_slice %3 into %2[0, 0] [2, 2] [1, 1] : tensor<2x2xf32> into tensor<4x?xf32>
  %5 = tensor.generate %i {
  ^bb0(%a: index, %b: index):
    tensor.yield %v : f32
  } : tensor<4x?xf32>
  %6 = tensor.pad %3 low[1, 0] high[1, 2] {
  ^bb0(%a: index, %b: index):
    tensor.yield %v : f32
  } : tensor<2x2xf32> to tensor<4x4xf32>
  %7 = tensor.collapse_shape %6 [[0, 1]] : tensor<4x4xf32> into tensor<16xf32>
  %8 = tensor.expand_shape %7 [[0, 1]] output_shape [2, 8] : tensor<16xf32> into tensor<2x8xf32>
  %9 = tensor.concat dim(0) %8, %8 : (tensor<2x8xf32>, tensor<2x8xf32>) -> tensor<4x8xf32>
  %10 = tensor.from_elements %v, %v : tensor<2xf32>
  %11 = tensor.cast %9 : tensor<4x8xf32> to tensor<4x?xf32>
  %12 = arith.addf %11, %5 : tensor<4x?xf32>
  %13 = arith.addf %12, %4 : tensor<4x?xf32>
  %14 = arith.addf %13, %1 : tensor<4x?xf32>
  return %14, %0 : tensor<4x?xf32>, f32
}
