// Unary ops that say how exact a result has to be.
// since 1.10.0
module @accuracy {
  func.func @cbrt(%arg0: tensor<bf16>) -> tensor<bf16> {
    %0 = "stablehlo.cbrt"(%arg0) {result_accuracy = #stablehlo.result_accuracy<atol = 1.000000e-05, rtol = 0.000000e+00, ulps = 0, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : (tensor<bf16>) -> tensor<bf16>
    return %0 : tensor<bf16>
  }
  func.func @cosine(%arg0: tensor<bf16>) -> tensor<bf16> {
    %0 = "stablehlo.cosine"(%arg0) {result_accuracy = #stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<HIGHEST>>} : (tensor<bf16>) -> tensor<bf16>
    return %0 : tensor<bf16>
  }
  func.func @exponential(%arg0: tensor<bf16>) -> tensor<bf16> {
    %0 = "stablehlo.exponential"(%arg0) {result_accuracy = #stablehlo.result_accuracy<rtol = 1.000000e-01, ulps = 7, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : (tensor<bf16>) -> tensor<bf16>
    return %0 : tensor<bf16>
  }
  func.func @exponential_minus_one(%arg0: tensor<bf16>) -> tensor<bf16> {
    %0 = "stablehlo.exponential_minus_one"(%arg0) {result_accuracy = #stablehlo.result_accuracy<ulps = 1, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : (tensor<bf16>) -> tensor<bf16>
    return %0 : tensor<bf16>
  }
  func.func @log(%arg0: tensor<bf16>) -> tensor<bf16> {
    %0 = "stablehlo.log"(%arg0) {result_accuracy = #stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<DEFAULT>>} : (tensor<bf16>) -> tensor<bf16>
    return %0 : tensor<bf16>
  }
  func.func @log_plus_one(%arg0: tensor<bf16>) -> tensor<bf16> {
    %0 = "stablehlo.log_plus_one"(%arg0) {result_accuracy = #stablehlo.result_accuracy<atol = 1.000000e-05, rtol = 0.000000e+00, ulps = 0, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : (tensor<bf16>) -> tensor<bf16>
    return %0 : tensor<bf16>
  }
  func.func @logistic(%arg0: tensor<bf16>) -> tensor<bf16> {
    %0 = "stablehlo.logistic"(%arg0) {result_accuracy = #stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<HIGHEST>>} : (tensor<bf16>) -> tensor<bf16>
    return %0 : tensor<bf16>
  }
  func.func @rsqrt(%arg0: tensor<bf16>) -> tensor<bf16> {
    %0 = "stablehlo.rsqrt"(%arg0) {result_accuracy = #stablehlo.result_accuracy<rtol = 1.000000e-01, ulps = 7, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : (tensor<bf16>) -> tensor<bf16>
    return %0 : tensor<bf16>
  }
  func.func @sine(%arg0: tensor<bf16>) -> tensor<bf16> {
    %0 = "stablehlo.sine"(%arg0) {result_accuracy = #stablehlo.result_accuracy<ulps = 1, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : (tensor<bf16>) -> tensor<bf16>
    return %0 : tensor<bf16>
  }
  func.func @sqrt(%arg0: tensor<bf16>) -> tensor<bf16> {
    %0 = "stablehlo.sqrt"(%arg0) {result_accuracy = #stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<DEFAULT>>} : (tensor<bf16>) -> tensor<bf16>
    return %0 : tensor<bf16>
  }
  func.func @tanh(%arg0: tensor<bf16>) -> tensor<bf16> {
    %0 = "stablehlo.tanh"(%arg0) {result_accuracy = #stablehlo.result_accuracy<atol = 1.000000e-05, rtol = 0.000000e+00, ulps = 0, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : (tensor<bf16>) -> tensor<bf16>
    return %0 : tensor<bf16>
  }
  func.func @tan(%arg0: tensor<bf16>) -> tensor<bf16> {
    %0 = "stablehlo.tan"(%arg0) {result_accuracy = #stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<HIGHEST>>} : (tensor<bf16>) -> tensor<bf16>
    return %0 : tensor<bf16>
  }
}
