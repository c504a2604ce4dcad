// An op that came later.
// since 1.4.0
module @tan {
  func.func @tan(%arg0: tensor<4xf32>) -> tensor<4xf32> {
    %0 = "stablehlo.tan"(%arg0) : (tensor<4xf32>) -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
  func.func @tan_complex(%arg0: tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>> {
    %0 = "stablehlo.tan"(%arg0) : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
    return %0 : tensor<4xcomplex<f32>>
  }
}
