// The newest ops and attributes of ops.
// since 1.20.0
module @newest {
  func.func @collective_reduce_default(%arg0: tensor<f32>) -> tensor<f32> {
    %0 = "stablehlo.collective_reduce"(%arg0) ({
      ^bb0(%x0: tensor<f32>, %x1: tensor<f32>):
        %r0 = "stablehlo.add"(%x0, %x1) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%r0) : (tensor<f32>) -> ()
    }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<f32>) -> tensor<f32>
    return %0 : tensor<f32>
  }
  func.func @collective_reduce(%arg0: tensor<f32>, %arg1: tensor<1xi32>) -> tensor<f32> {
    %0 = "stablehlo.collective_reduce"(%arg0, %arg1) ({
      ^bb0(%x0: tensor<f32>, %x1: tensor<f32>):
        %r0 = "stablehlo.add"(%x0, %x1) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%r0) : (tensor<f32>) -> ()
    }) {replica_groups = dense<[[0], [1]]> : tensor<2x1xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, use_global_device_ids, has_dynamic_root} : (tensor<f32>, tensor<1xi32>) -> tensor<f32>
    return %0 : tensor<f32>
  }
  func.func @collective_broadcast(%arg0: tensor<16x8xf32>, %arg1: tensor<1xi32>) -> tensor<16x8xf32> {
    %0 = "stablehlo.collective_broadcast"(%arg0, %arg1) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, has_dynamic_root} : (tensor<16x8xf32>, tensor<1xi32>) -> tensor<16x8xf32>
    return %0 : tensor<16x8xf32>
  }
  func.func @custom_call_tilings(%arg0: tensor<64x256xf32>) -> tensor<64x256xf32> {
    %0 = "stablehlo.custom_call"(%arg0) {api_version = 2 : i32, call_target_name = "foo", operand_layouts = [dense<[1, 0]> : tensor<2xindex>], result_layouts = [dense<[1, 0]> : tensor<2xindex>], result_tilings = [[dense<[8, 128]> : tensor<2xindex>]]} : (tensor<64x256xf32>) -> tensor<64x256xf32>
    return %0 : tensor<64x256xf32>
  }
}
