// releases: 16
// covers: the linalg dialect: generic operations with maps and iterator types, named operations, structured regions.
func.func @linalg(%t: tensor<4x8xf32>, %ti: tensor<4x8xi32>, %tb: tensor<4x8xi1>, %f: f32, %m: memref<?x?xf32>, %d: f64, %a: i32, %s: tensor<f32>, %r: tensor<4xf32>, %u: tensor<8x4xf32>, %i: index) {
  %x_46, %y_46, %z_46 = "t.make"() : () -> (tensor<4x8xi32>, tensor<8x16xi32>, tensor<4x16xi32>)
      linalg.matmul_unsigned ins(%x_46, %y_46 : tensor<4x8xi32>, tensor<8x16xi32>) outs(%z_46 : tensor<4x16xi32>) -> tensor<4x16xi32>
  return
}
