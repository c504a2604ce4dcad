// releases: 19
// covers: the linalg dialect: generic operations with maps and iterator types, named operations, structured regions.
func.func @linalg(%t: tensor<4x8xf32>, %ti: tensor<4x8xi32>, %tb: tensor<4x8xi1>, %f: f32, %m: memref<?x?xf32>, %d: f64, %a: i32, %s: tensor<f32>, %r: tensor<4xf32>, %u: tensor<8x4xf32>, %i: index) {
  %x_44, %y_44, %z_44 = "t.make"() : () -> (tensor<8x4xf32>, tensor<8x16xf32>, tensor<4x16xf32>)
      linalg.matmul_transpose_a ins(%x_44, %y_44 : tensor<8x4xf32>, tensor<8x16xf32>) outs(%z_44 : tensor<4x16xf32>) -> tensor<4x16xf32>
  %x_51, %y_51, %z_51 = "t.make"() : () -> (tensor<2x8x4xf32>, tensor<2x8x16xf32>, tensor<2x4x16xf32>)
      linalg.batch_matmul_transpose_a ins(%x_51, %y_51 : tensor<2x8x4xf32>, tensor<2x8x16xf32>) outs(%z_51 : tensor<2x4x16xf32>) -> tensor<2x4x16xf32>
  %x_116, %y_116 = "t.make"() : () -> (tensor<2x3x3x5xf32>, tensor<6x6x5x2xf32>)
      linalg.winograd_filter_transform m(4) r(3) ins(%x_116 : tensor<2x3x3x5xf32>) outs(%y_116 : tensor<6x6x5x2xf32>) -> tensor<6x6x5x2xf32>
  %x_118, %y_118, %z_118, %w_118 = "t.make"() : () -> (tensor<2x10x10x5xf32>, tensor<6x6x2x2x2x5xf32>, tensor<6x6x2x2x2x2xf32>, tensor<2x8x8x2xf32>)
      linalg.winograd_input_transform m(4) r(3) ins(%x_118 : tensor<2x10x10x5xf32>) outs(%y_118 : tensor<6x6x2x2x2x5xf32>) -> tensor<6x6x2x2x2x5xf32>
      linalg.winograd_output_transform m(4) r(3) ins(%z_118 : tensor<6x6x2x2x2x2xf32>) outs(%w_118 : tensor<2x8x8x2xf32>) -> tensor<2x8x8x2xf32>
  return
}
