// Composites.
// since 0.19.0
module @composite {
  func.func @callee(%arg0: tensor<f32>) -> tensor<f32> {
    return %arg0 : tensor<f32>
  }
  func.func @composite(%arg0: tensor<f32>) -> tensor<f32> {
    %0 = "stablehlo.composite"(%arg0) {name = "a.b", decomposition = @callee, version = 1 : i32, composite_attributes = {a = 1 : i64, b = "x", c = [true, 1.500000e+00 : f32]}} : (tensor<f32>) -> tensor<f32>
    return %0 : tensor<f32>
  }
  func.func @composite_default(%arg0: tensor<f32>) -> tensor<f32> {
    %0 = "stablehlo.composite"(%arg0) {name = "a.b", decomposition = @callee} : (tensor<f32>) -> tensor<f32>
    return %0 : tensor<f32>
  }
}
