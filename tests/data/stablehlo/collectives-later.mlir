// Ops between replicas that came after 0.9.0, and those that took several operands.
// since 1.5.0
module @collectives_later {
  func.func @collective_broadcast(%arg0: tensor<16x8xf32>) -> tensor<16x8xf32> {
    %0 = "stablehlo.collective_broadcast"(%arg0) {replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>} : (tensor<16x8xf32>) -> tensor<16x8xf32>
    return %0 : tensor<16x8xf32>
  }
  func.func @all_reduce(%arg0: tensor<2xf32>, %arg1: tensor<3xf32>) -> (tensor<2xf32>, tensor<3xf32>) {
    %0:2 = "stablehlo.all_reduce"(%arg0, %arg1) ({
      ^bb0(%x0: tensor<f32>, %x1: tensor<f32>):
        %r0 = "stablehlo.add"(%x0, %x1) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%r0) : (tensor<f32>) -> ()
    }) {replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>} : (tensor<2xf32>, tensor<3xf32>) -> (tensor<2xf32>, tensor<3xf32>)
    return %0#0, %0#1 : tensor<2xf32>, tensor<3xf32>
  }
  func.func @all_gather(%arg0: tensor<16x8xf32>, %arg1: tensor<4x8xf32>) -> (tensor<16x16xf32>, tensor<4x16xf32>) {
    %0:2 = "stablehlo.all_gather"(%arg0, %arg1) {all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>} : (tensor<16x8xf32>, tensor<4x8xf32>) -> (tensor<16x16xf32>, tensor<4x16xf32>)
    return %0#0, %0#1 : tensor<16x16xf32>, tensor<4x16xf32>
  }
  func.func @all_to_all(%arg0: tensor<4x16xf32>, %arg1: tensor<5x16xf32>) -> (tensor<16x4xf32>, tensor<20x4xf32>) {
    %0:2 = "stablehlo.all_to_all"(%arg0, %arg1) {split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 4 : i64, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>} : (tensor<4x16xf32>, tensor<5x16xf32>) -> (tensor<16x4xf32>, tensor<20x4xf32>)
    return %0#0, %0#1 : tensor<16x4xf32>, tensor<20x4xf32>
  }
}
