// Constants of types that came after 0.9.0.
// since 1.8.0
module @constants_later {
  func.func @constants() {
    %0 = "stablehlo.constant"() {value = dense<[-2, 1, 1, -1]> : tensor<4xi2>} : () -> tensor<4xi2>
    %1 = "stablehlo.constant"() {value = dense<-1> : tensor<3xi2>} : () -> tensor<3xi2>
    %2 = "stablehlo.constant"() {value = dense<1> : tensor<i2>} : () -> tensor<i2>
    %3 = "stablehlo.constant"() {value = dense<> : tensor<0xi2>} : () -> tensor<0xi2>
    %4 = "stablehlo.constant"() {value = dense<[0, 3, 1]> : tensor<3xui2>} : () -> tensor<3xui2>
    %5 = "stablehlo.constant"() {value = dense<1> : tensor<2x2xui2>} : () -> tensor<2x2xui2>
    %6 = "stablehlo.constant"() {value = dense<[0.000000e+00, 1.500000e+00, -1.000000e+00, 5.000000e-01]> : tensor<4xf8E4M3FNUZ>} : () -> tensor<4xf8E4M3FNUZ>
    %7 = "stablehlo.constant"() {value = dense<1.000000e+00> : tensor<2xf8E4M3FNUZ>} : () -> tensor<2xf8E4M3FNUZ>
    %8 = "stablehlo.constant"() {value = dense<[0.000000e+00, 1.500000e+00, -1.000000e+00, 5.000000e-01]> : tensor<4xf8E5M2FNUZ>} : () -> tensor<4xf8E5M2FNUZ>
    %9 = "stablehlo.constant"() {value = dense<1.000000e+00> : tensor<2xf8E5M2FNUZ>} : () -> tensor<2xf8E5M2FNUZ>
    %10 = "stablehlo.constant"() {value = dense<[0.000000e+00, 1.500000e+00, -1.000000e+00, 5.000000e-01]> : tensor<4xf8E4M3B11FNUZ>} : () -> tensor<4xf8E4M3B11FNUZ>
    %11 = "stablehlo.constant"() {value = dense<1.000000e+00> : tensor<2xf8E4M3B11FNUZ>} : () -> tensor<2xf8E4M3B11FNUZ>
    %12 = "stablehlo.constant"() {value = dense<[0.000000e+00, 1.500000e+00, -1.000000e+00, 5.000000e-01]> : tensor<4xf8E4M3>} : () -> tensor<4xf8E4M3>
    %13 = "stablehlo.constant"() {value = dense<1.000000e+00> : tensor<2xf8E4M3>} : () -> tensor<2xf8E4M3>
    %14 = "stablehlo.constant"() {value = dense<[0.000000e+00, 1.500000e+00, -1.000000e+00, 5.000000e-01]> : tensor<4xf8E3M4>} : () -> tensor<4xf8E3M4>
    %15 = "stablehlo.constant"() {value = dense<1.000000e+00> : tensor<2xf8E3M4>} : () -> tensor<2xf8E3M4>
    %16 = "stablehlo.constant"() {value = dense<[0.000000e+00, 1.500000e+00, -1.000000e+00, 5.000000e-01]> : tensor<4xf4E2M1FN>} : () -> tensor<4xf4E2M1FN>
    %17 = "stablehlo.constant"() {value = dense<1.000000e+00> : tensor<2xf4E2M1FN>} : () -> tensor<2xf4E2M1FN>
    %18 = "stablehlo.constant"() {value = dense<[0.000000e+00, 1.500000e+00, -1.000000e+00, 5.000000e-01]> : tensor<4xf6E2M3FN>} : () -> tensor<4xf6E2M3FN>
    %19 = "stablehlo.constant"() {value = dense<1.000000e+00> : tensor<2xf6E2M3FN>} : () -> tensor<2xf6E2M3FN>
    %20 = "stablehlo.constant"() {value = dense<[0.000000e+00, 1.500000e+00, -1.000000e+00, 5.000000e-01]> : tensor<4xf6E3M2FN>} : () -> tensor<4xf6E3M2FN>
    %21 = "stablehlo.constant"() {value = dense<1.000000e+00> : tensor<2xf6E3M2FN>} : () -> tensor<2xf6E3M2FN>
    %22 = "stablehlo.constant"() {value = dense<[1.000000e+00, 2.000000e+00, 5.000000e-01]> : tensor<3xf8E8M0FNU>} : () -> tensor<3xf8E8M0FNU>
    return
  }
}
