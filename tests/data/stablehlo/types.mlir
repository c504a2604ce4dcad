// Types of arguments and results; attributes of arguments and results.
// since 0.9.0
module @types {
  func.func private @element_i1(tensor<i1>, tensor<3x?xi1>) -> tensor<0xi1>
  func.func private @element_i4(tensor<i4>, tensor<3x?xi4>) -> tensor<0xi4>
  func.func private @element_i8(tensor<i8>, tensor<3x?xi8>) -> tensor<0xi8>
  func.func private @element_i16(tensor<i16>, tensor<3x?xi16>) -> tensor<0xi16>
  func.func private @element_i32(tensor<i32>, tensor<3x?xi32>) -> tensor<0xi32>
  func.func private @element_i64(tensor<i64>, tensor<3x?xi64>) -> tensor<0xi64>
  func.func private @element_ui4(tensor<ui4>, tensor<3x?xui4>) -> tensor<0xui4>
  func.func private @element_ui8(tensor<ui8>, tensor<3x?xui8>) -> tensor<0xui8>
  func.func private @element_ui16(tensor<ui16>, tensor<3x?xui16>) -> tensor<0xui16>
  func.func private @element_ui32(tensor<ui32>, tensor<3x?xui32>) -> tensor<0xui32>
  func.func private @element_ui64(tensor<ui64>, tensor<3x?xui64>) -> tensor<0xui64>
  func.func private @element_bf16(tensor<bf16>, tensor<3x?xbf16>) -> tensor<0xbf16>
  func.func private @element_f16(tensor<f16>, tensor<3x?xf16>) -> tensor<0xf16>
  func.func private @element_f32(tensor<f32>, tensor<3x?xf32>) -> tensor<0xf32>
  func.func private @element_f64(tensor<f64>, tensor<3x?xf64>) -> tensor<0xf64>
  func.func private @element_f8E4M3FN(tensor<f8E4M3FN>, tensor<3x?xf8E4M3FN>) -> tensor<0xf8E4M3FN>
  func.func private @element_f8E5M2(tensor<f8E5M2>, tensor<3x?xf8E5M2>) -> tensor<0xf8E5M2>
  func.func private @element_index(tensor<index>, tensor<3x?xindex>) -> tensor<0xindex>
  func.func private @element_complex_f32(tensor<complex<f32>>, tensor<3x?xcomplex<f32>>) -> tensor<0xcomplex<f32>>
  func.func private @element_complex_f64(tensor<complex<f64>>, tensor<3x?xcomplex<f64>>) -> tensor<0xcomplex<f64>>
  func.func private @token(!stablehlo.token) -> !stablehlo.token
  func.func private @tuple(tuple<tensor<f32>, tuple<>, tuple<tensor<2xi32>, !stablehlo.token>>) -> tuple<tensor<f32>, tuple<>, tuple<tensor<2xi32>, !stablehlo.token>>
  func.func private @quantized(tensor<2x!quant.uniform<i8:f32, 3.400000e+01:16>>) -> tensor<2x!quant.uniform<i8:f32, 3.400000e+01:16>>
  func.func private @quantized_narrow(tensor<2x!quant.uniform<u8<1:254>:f32, 1.000000e-20:128>>) -> tensor<2x!quant.uniform<u8<1:254>:f32, 1.000000e-20:128>>
  func.func private @quantized_i4(tensor<2x!quant.uniform<i4:f16, 1.000000e-01>>) -> tensor<2x!quant.uniform<i4:f16, 1.000000e-01>>
  func.func private @quantized_i32(tensor<!quant.uniform<i32:f32, 1.000000e+00>>) -> tensor<!quant.uniform<i32:f32, 1.000000e+00>>
  func.func private @bounded(tensor<?x4x?xf32, #stablehlo.bounds<16, ?, 3>>) -> tensor<?x4x?xf32, #stablehlo.bounds<16, ?, 3>>
  func.func private @unranked(tensor<*xf32>) -> tensor<*xf32>
  func.func private @witness(!shape.witness) -> !shape.witness
  func.func private @scalar_index(index) -> index
  func.func private @scalar_f32(f32) -> f32
  func.func private @function((tensor<f32>, index) -> (tensor<i1>, index)) -> ((tensor<f32>, index) -> (tensor<i1>, index))
  func.func private @function_empty(() -> ()) -> (() -> ())
  func.func private @large(tensor<9223372036854775807xi1>) -> tensor<9223372036854775807xi1>
  func.func public @attributes(%arg0: tensor<f32> {jax.buffer_donor = true, mhlo.layout_mode = "default"}, %arg1: tensor<f32>, %arg2: tensor<2xi4> {a.array = [1, "x", 2.500000e+00 : f32], a.dict = {b = 1 : ui8, c = false}, a.type = tensor<2xf32>, a.integer = -3 : i4, a.float = 1.000000e+300 : f64, a.bf16 = -5.000000e-01 : bf16, a.index = 7 : index, a.empty = [], a.tensor = dense<[1, 2]> : tensor<2xi16>, a.indices = dense<[0, 3, -1]> : tensor<3xindex>}) -> (tensor<f32> {jax.result_info = "result[\22\\0\22]\0A"}, tensor<f32>) {
    return %arg0, %arg1 : tensor<f32>, tensor<f32>
  }
}
