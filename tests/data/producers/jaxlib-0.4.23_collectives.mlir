func.func @gather(%arg0: tensor<2x4xf32>) -> tensor<2x8xf32> {
  %0 = "stablehlo.all_gather"(%arg0) {
    all_gather_dim = 1 : i64,
    replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>
  } : (tensor<2x4xf32>) -> tensor<2x8xf32>
  %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<2x8xf32>) -> tensor<8x2xf32>
  %2 = stablehlo.transpose %1, dims = [1, 0] {test.note = "x"} : (tensor<8x2xf32>) -> tensor<2x8xf32>
  return %2 : tensor<2x8xf32>
}
