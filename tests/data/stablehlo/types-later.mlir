// Types that came after 0.9.0.
// since 1.15.0
module @types_later {
  func.func private @element_i2(tensor<i2>, tensor<3x?xi2>) -> tensor<0xi2>
  func.func private @element_ui2(tensor<ui2>, tensor<3x?xui2>) -> tensor<0xui2>
  func.func private @element_f8E4M3FNUZ(tensor<f8E4M3FNUZ>, tensor<3x?xf8E4M3FNUZ>) -> tensor<0xf8E4M3FNUZ>
  func.func private @element_f8E5M2FNUZ(tensor<f8E5M2FNUZ>, tensor<3x?xf8E5M2FNUZ>) -> tensor<0xf8E5M2FNUZ>
  func.func private @element_f8E4M3B11FNUZ(tensor<f8E4M3B11FNUZ>, tensor<3x?xf8E4M3B11FNUZ>) -> tensor<0xf8E4M3B11FNUZ>
  func.func private @element_f8E4M3(tensor<f8E4M3>, tensor<3x?xf8E4M3>) -> tensor<0xf8E4M3>
  func.func private @element_f8E3M4(tensor<f8E3M4>, tensor<3x?xf8E3M4>) -> tensor<0xf8E3M4>
  func.func private @element_f4E2M1FN(tensor<f4E2M1FN>, tensor<3x?xf4E2M1FN>) -> tensor<0xf4E2M1FN>
  func.func private @element_f6E2M3FN(tensor<f6E2M3FN>, tensor<3x?xf6E2M3FN>) -> tensor<0xf6E2M3FN>
  func.func private @element_f6E3M2FN(tensor<f6E3M2FN>, tensor<3x?xf6E3M2FN>) -> tensor<0xf6E3M2FN>
  func.func private @element_f8E8M0FNU(tensor<f8E8M0FNU>, tensor<3x?xf8E8M0FNU>) -> tensor<0xf8E8M0FNU>
  func.func private @element_tf32(tensor<tf32>, tensor<3x?xtf32>) -> tensor<0xtf32>
  func.func private @future(!stablehlo.future<tensor<2xf32>, tensor<i1>>) -> !stablehlo.future<tensor<2xf32>, tensor<i1>>
  func.func private @quantized_per_axis(tensor<4x3x!quant.uniform<i8:f32:1, {3.400000e+01:16, 3.400000e+01:-2, 5.000000e-01}>>) -> tensor<4x3x!quant.uniform<i8:f32:1, {3.400000e+01:16, 3.400000e+01:-2, 5.000000e-01}>>
  func.func private @quantized_per_axis_narrow(tensor<2x!quant.uniform<i8<-127:127>:bf16:0, {1.000000e-03, 2.000000e+03:1}>>) -> tensor<2x!quant.uniform<i8<-127:127>:bf16:0, {1.000000e-03, 2.000000e+03:1}>>
  func.func private @buffer(memref<2x?xf32>) -> memref<2x?xf32>
  func.func private @buffer_scalar(memref<i32>) -> memref<i32>
  func.func private @none(none) -> none
}
