module {
  func.func @linalg(%arg0: tensor<4x8xf32>, %arg1: tensor<4x8xi32>, %arg2: tensor<4x8xi1>, %arg3: f32, %arg4: memref<?x?xf32>, %arg5: f64, %arg6: i32, %arg7: tensor<f32>, %arg8: tensor<4xf32>, %arg9: tensor<8x4xf32>, %arg10: index) {
    %0:3 = "t.make"() : () -> (tensor<4x8xf32>, tensor<16x8xf32>, tensor<4x16xf32>)
    %1 = linalg.matmul_transpose_b ins(%0#0, %0#1 : tensor<4x8xf32>, tensor<16x8xf32>) outs(%0#2 : tensor<4x16xf32>) -> tensor<4x16xf32>
    %2:3 = "t.make"() : () -> (tensor<2x4x8xf32>, tensor<2x16x8xf32>, tensor<2x4x16xf32>)
    %3 = linalg.batch_matmul_transpose_b ins(%2#0, %2#1 : tensor<2x4x8xf32>, tensor<2x16x8xf32>) outs(%2#2 : tensor<2x4x16xf32>) -> tensor<2x4x16xf32>
    %4 = linalg.elemwise_unary ins(%arg0 : tensor<4x8xf32>) outs(%arg0 : tensor<4x8xf32>) -> tensor<4x8xf32>
    %5 = linalg.elemwise_unary {cast = #linalg.type_fn<cast_signed>, fun = #linalg.unary_fn<abs>} ins(%arg0 : tensor<4x8xf32>) outs(%arg0 : tensor<4x8xf32>) -> tensor<4x8xf32>
    %6 = linalg.elemwise_binary {fun = #linalg.binary_fn<mul>} ins(%arg0, %arg0 : tensor<4x8xf32>, tensor<4x8xf32>) outs(%arg0 : tensor<4x8xf32>) -> tensor<4x8xf32>
    %mapped = linalg.map ins(%arg0 : tensor<4x8xf32>) outs(%arg0 : tensor<4x8xf32>)
      (%in: f32) {
        linalg.yield %in : f32
      }
    return
  }
}
