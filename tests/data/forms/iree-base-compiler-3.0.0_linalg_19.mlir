module {
  func.func @linalg(%arg0: tensor<4x8xf32>, %arg1: tensor<4x8xi32>, %arg2: tensor<4x8xi1>, %arg3: f32, %arg4: memref<?x?xf32>, %arg5: f64, %arg6: i32, %arg7: tensor<f32>, %arg8: tensor<4xf32>, %arg9: tensor<8x4xf32>, %arg10: index) {
    %0:3 = "t.make"() : () -> (tensor<8x4xf32>, tensor<8x16xf32>, tensor<4x16xf32>)
    %1 = linalg.matmul_transpose_a ins(%0#0, %0#1 : tensor<8x4xf32>, tensor<8x16xf32>) outs(%0#2 : tensor<4x16xf32>) -> tensor<4x16xf32>
    %2:3 = "t.make"() : () -> (tensor<2x8x4xf32>, tensor<2x8x16xf32>, tensor<2x4x16xf32>)
    %3 = linalg.batch_matmul_transpose_a ins(%2#0, %2#1 : tensor<2x8x4xf32>, tensor<2x8x16xf32>) outs(%2#2 : tensor<2x4x16xf32>) -> tensor<2x4x16xf32>
    %4:2 = "t.make"() : () -> (tensor<2x3x3x5xf32>, tensor<6x6x5x2xf32>)
    %5 = linalg.winograd_filter_transform m(4) r(3) ins(%4#0 : tensor<2x3x3x5xf32>) outs(%4#1 : tensor<6x6x5x2xf32>) -> tensor<6x6x5x2xf32>
    %6:4 = "t.make"() : () -> (tensor<2x10x10x5xf32>, tensor<6x6x2x2x2x5xf32>, tensor<6x6x2x2x2x2xf32>, tensor<2x8x8x2xf32>)
    %7 = linalg.winograd_input_transform m(4) r(3) ins(%6#0 : tensor<2x10x10x5xf32>) outs(%6#1 : tensor<6x6x2x2x2x5xf32>) -> tensor<6x6x2x2x2x5xf32>
    %8 = linalg.winograd_output_transform m(4) r(3) ins(%6#2 : tensor<6x6x2x2x2x2xf32>) outs(%6#3 : tensor<2x8x8x2xf32>) -> tensor<2x8x8x2xf32>
    return
  }
}
