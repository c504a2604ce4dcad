// What calls learnt late: composites with regions, buffers, futures, pairs of transfers.
// since 1.17.0
module @calls_later {
  func.func @callee(%arg0: tensor<f32>) -> tensor<f32> {
    return %arg0 : tensor<f32>
  }
  func.func @composite_region(%arg0: tensor<f32>) -> tensor<f32> {
    %0 = "stablehlo.composite"(%arg0) ({
      %r0 = "stablehlo.add"(%arg0, %arg0) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%r0) : (tensor<f32>) -> ()
    }) {name = "a.c", decomposition = @callee, composite_attributes = {}} : (tensor<f32>) -> tensor<f32>
    return %0 : tensor<f32>
  }
  func.func @custom_call_create_buffer() -> memref<2xf32> {
    %0 = "stablehlo.custom_call"() {call_target_name = "CreateBuffer", api_version = 4 : i32} : () -> memref<2xf32>
    return %0 : memref<2xf32>
  }
  func.func @custom_call_buffer(%arg0: memref<2xf32>) -> memref<2xf32> {
    %0 = "stablehlo.custom_call"(%arg0) {call_target_name = "foo", api_version = 4 : i32, output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>]} : (memref<2xf32>) -> memref<2xf32>
    return %0 : memref<2xf32>
  }
  func.func @custom_call_future(%arg0: !stablehlo.future<tensor<2xf32>>) -> tensor<2xf32> {
    %0 = "stablehlo.custom_call"(%arg0) {call_target_name = "foo"} : (!stablehlo.future<tensor<2xf32>>) -> tensor<2xf32>
    return %0 : tensor<2xf32>
  }
  func.func @recv(%arg0: !stablehlo.token) -> (tensor<f32>, !stablehlo.token) {
    %0:2 = "stablehlo.recv"(%arg0) {channel_handle = #stablehlo.channel_handle<handle = 0, type = 1>, source_target_pairs = dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>} : (!stablehlo.token) -> (tensor<f32>, !stablehlo.token)
    return %0#0, %0#1 : tensor<f32>, !stablehlo.token
  }
  func.func @send(%arg0: tensor<f32>, %arg1: !stablehlo.token) -> !stablehlo.token {
    %0 = "stablehlo.send"(%arg0, %arg1) {channel_handle = #stablehlo.channel_handle<handle = 0, type = 1>, source_target_pairs = dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>} : (tensor<f32>, !stablehlo.token) -> !stablehlo.token
    return %0 : !stablehlo.token
  }
  func.func @async(%arg0: tensor<4x4xf32>) -> tensor<4x4xf32> {
    %0 = "stablehlo.async_start"(%arg0) ({
    ^bb0(%b0: tensor<4x4xf32>):
      %1 = "stablehlo.all_reduce"(%b0) ({
      ^bb0(%x0: tensor<f32>, %x1: tensor<f32>):
        %r0 = "stablehlo.add"(%x0, %x1) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%r0) : (tensor<f32>) -> ()
      }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4x4xf32>) -> tensor<4x4xf32>
      "stablehlo.return"(%1) : (tensor<4x4xf32>) -> ()
    }) : (tensor<4x4xf32>) -> !stablehlo.future<tensor<4x4xf32>>
    %2 = "stablehlo.async_done"(%0) : (!stablehlo.future<tensor<4x4xf32>>) -> tensor<4x4xf32>
    return %2 : tensor<4x4xf32>
  }
}
