// releases: 16 19
// covers: the linalg dialect: generic operations with maps and iterator types, named operations, structured regions.
func.func @linalg(%t: tensor<4x8xf32>, %ti: tensor<4x8xi32>, %tb: tensor<4x8xi1>, %f: f32, %m: memref<?x?xf32>, %d: f64, %a: i32, %s: tensor<f32>, %r: tensor<4xf32>, %u: tensor<8x4xf32>, %i: index) {
  %x_45, %y_45, %z_45 = "t.make"() : () -> (tensor<4x8xf32>, tensor<16x8xf32>, tensor<4x16xf32>)
      linalg.matmul_transpose_b ins(%x_45, %y_45 : tensor<4x8xf32>, tensor<16x8xf32>) outs(%z_45 : tensor<4x16xf32>) -> tensor<4x16xf32>
  %x_52, %y_52, %z_52 = "t.make"() : () -> (tensor<2x4x8xf32>, tensor<2x16x8xf32>, tensor<2x4x16xf32>)
      linalg.batch_matmul_transpose_b ins(%x_52, %y_52 : tensor<2x4x8xf32>, tensor<2x16x8xf32>) outs(%z_52 : tensor<2x4x16xf32>) -> tensor<2x4x16xf32>
  linalg.elemwise_unary ins(%t : tensor<4x8xf32>) outs(%t : tensor<4x8xf32>) -> tensor<4x8xf32>
  linalg.elemwise_unary {fun = #linalg.unary_fn<abs>, cast = #linalg.type_fn<cast_signed>} ins(%t : tensor<4x8xf32>) outs(%t : tensor<4x8xf32>) -> tensor<4x8xf32>
  linalg.elemwise_binary {fun = #linalg.binary_fn<mul>} ins(%t, %t : tensor<4x8xf32>, tensor<4x8xf32>) outs(%t : tensor<4x8xf32>) -> tensor<4x8xf32>
  linalg.map ins(%t : tensor<4x8xf32>) outs(%t : tensor<4x8xf32>)
    (%p: f32) {
      linalg.yield %p : f32
    }
  return
}
