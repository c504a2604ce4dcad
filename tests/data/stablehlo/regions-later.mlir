// Gathers and scatters with batching dimensions; reductions that promote.
// since 1.1.0
module @regions_later {
  func.func @gather(%arg0: tensor<5x2x4x9xf32>, %arg1: tensor<5x1x5x2xi32>) -> tensor<5x1x5x8xf32> {
    %0 = "stablehlo.gather"(%arg0, %arg1) {dimension_numbers = #stablehlo.gather<offset_dims = [3], collapsed_slice_dims = [1, 2], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1, 2], index_vector_dim = 3>, slice_sizes = array<i64: 1, 1, 1, 8>} : (tensor<5x2x4x9xf32>, tensor<5x1x5x2xi32>) -> tensor<5x1x5x8xf32>
    return %0 : tensor<5x1x5x8xf32>
  }
  func.func @scatter(%arg0: tensor<5x200x100x300xf32>, %arg1: tensor<5x10x2xi32>, %arg2: tensor<5x10x300xf32>) -> tensor<5x200x100x300xf32> {
    %0 = "stablehlo.scatter"(%arg0, %arg1, %arg2) ({
      ^bb0(%x0: tensor<f32>, %x1: tensor<f32>):
        %r0 = "stablehlo.add"(%x0, %x1) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%r0) : (tensor<f32>) -> ()
    }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [1, 2], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1, 2], index_vector_dim = 2>} : (tensor<5x200x100x300xf32>, tensor<5x10x2xi32>, tensor<5x10x300xf32>) -> tensor<5x200x100x300xf32>
    return %0 : tensor<5x200x100x300xf32>
  }
  func.func @reduce_promoting(%arg0: tensor<4x4xf32>, %arg1: tensor<f32>) -> tensor<4xf64> {
    %0 = "stablehlo.reduce"(%arg0, %arg1) ({
      ^bb0(%x0: tensor<f64>, %x1: tensor<f64>):
        %r0 = "stablehlo.add"(%x0, %x1) : (tensor<f64>, tensor<f64>) -> tensor<f64>
        "stablehlo.return"(%r0) : (tensor<f64>) -> ()
    }) {dimensions = array<i64: 0>} : (tensor<4x4xf32>, tensor<f32>) -> tensor<4xf64>
    return %0 : tensor<4xf64>
  }
}
