// Custom calls with typed arguments.
// since 1.3.0
module @custom_call_dictionary {
  func.func @custom_call_dictionary(%arg0: tensor<f32>) -> tensor<f32> {
    %0 = "stablehlo.custom_call"(%arg0) {call_target_name = "foo", api_version = 4 : i32, backend_config = {a = 1 : i32, b = -2.500000e+00 : f64, c = "x", d = {e = false, f = 255 : ui8}, g = [1, 2], h = dense<[1, 2]> : tensor<2xi64>, i = array<i64: 1, 2>, j = array<i1: true, false>}} : (tensor<f32>) -> tensor<f32>
    return %0 : tensor<f32>
  }
  func.func @custom_call_empty_dictionary(%arg0: tensor<f32>) -> tensor<f32> {
    %0 = "stablehlo.custom_call"(%arg0) {call_target_name = "foo", api_version = 4 : i32, backend_config = {}} : (tensor<f32>) -> tensor<f32>
    return %0 : tensor<f32>
  }
}
