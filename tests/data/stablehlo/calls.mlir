// Calls, custom calls, tuples, tokens and transfers.
// since 0.9.0
module @calls {
  func.func @callee(%arg0: tensor<f32>) -> tensor<f32> {
    return %arg0 : tensor<f32>
  }
  func.func @call(%arg0: tensor<f32>) -> tensor<f32> {
    %0 = call @callee(%arg0) : (tensor<f32>) -> tensor<f32>
    %1 = func.call @callee(%0) : (tensor<f32>) -> tensor<f32>
    return %1 : tensor<f32>
  }
  func.func @tuple(%arg0: tensor<f32>, %arg1: tensor<i32>) -> tuple<tensor<f32>, tensor<i32>> {
    %0 = "stablehlo.tuple"(%arg0, %arg1) : (tensor<f32>, tensor<i32>) -> tuple<tensor<f32>, tensor<i32>>
    return %0 : tuple<tensor<f32>, tensor<i32>>
  }
  func.func @get_tuple_element(%arg0: tuple<tensor<f32>, tensor<i32>>) -> tensor<f32> {
    %0 = "stablehlo.get_tuple_element"(%arg0) {index = 0 : i32} : (tuple<tensor<f32>, tensor<i32>>) -> tensor<f32>
    return %0 : tensor<f32>
  }
  func.func @create_token() -> !stablehlo.token {
    %0 = "stablehlo.create_token"() : () -> !stablehlo.token
    return %0 : !stablehlo.token
  }
  func.func @after_all(%arg0: !stablehlo.token, %arg1: !stablehlo.token) -> !stablehlo.token {
    %0 = "stablehlo.after_all"(%arg0, %arg1) : (!stablehlo.token, !stablehlo.token) -> !stablehlo.token
    return %0 : !stablehlo.token
  }
  func.func @infeed(%arg0: !stablehlo.token) -> (tensor<f32>, !stablehlo.token) {
    %0:2 = "stablehlo.infeed"(%arg0) {infeed_config = "foo", layout = [[]]} : (!stablehlo.token) -> (tensor<f32>, !stablehlo.token)
    return %0#0, %0#1 : tensor<f32>, !stablehlo.token
  }
  func.func @infeed_layout(%arg0: !stablehlo.token) -> (tensor<3x3xi32>, !stablehlo.token) {
    %0:2 = "stablehlo.infeed"(%arg0) {infeed_config = "", layout = [[0, 1]]} : (!stablehlo.token) -> (tensor<3x3xi32>, !stablehlo.token)
    return %0#0, %0#1 : tensor<3x3xi32>, !stablehlo.token
  }
  func.func @outfeed(%arg0: tensor<f32>, %arg1: !stablehlo.token) -> !stablehlo.token {
    %0 = "stablehlo.outfeed"(%arg0, %arg1) {outfeed_config = "foo"} : (tensor<f32>, !stablehlo.token) -> !stablehlo.token
    return %0 : !stablehlo.token
  }
  func.func @recv_1(%arg0: !stablehlo.token) -> (tensor<f32>, !stablehlo.token) {
    %0:2 = "stablehlo.recv"(%arg0) {channel_handle = #stablehlo.channel_handle<handle = 5, type = 1>, is_host_transfer = false} : (!stablehlo.token) -> (tensor<f32>, !stablehlo.token)
    return %0#0, %0#1 : tensor<f32>, !stablehlo.token
  }
  func.func @recv_3(%arg0: !stablehlo.token) -> (tensor<f32>, !stablehlo.token) {
    %0:2 = "stablehlo.recv"(%arg0) {channel_handle = #stablehlo.channel_handle<handle = 5, type = 3>, is_host_transfer = true} : (!stablehlo.token) -> (tensor<f32>, !stablehlo.token)
    return %0#0, %0#1 : tensor<f32>, !stablehlo.token
  }
  func.func @send_1(%arg0: tensor<f32>, %arg1: !stablehlo.token) -> !stablehlo.token {
    %0 = "stablehlo.send"(%arg0, %arg1) {channel_handle = #stablehlo.channel_handle<handle = 5, type = 1>, is_host_transfer = false} : (tensor<f32>, !stablehlo.token) -> !stablehlo.token
    return %0 : !stablehlo.token
  }
  func.func @send_2(%arg0: tensor<f32>, %arg1: !stablehlo.token) -> !stablehlo.token {
    %0 = "stablehlo.send"(%arg0, %arg1) {channel_handle = #stablehlo.channel_handle<handle = 5, type = 2>, is_host_transfer = true} : (tensor<f32>, !stablehlo.token) -> !stablehlo.token
    return %0 : !stablehlo.token
  }
  func.func @custom_call(%arg0: tensor<f32>) -> tensor<f32> {
    %0 = "stablehlo.custom_call"(%arg0) {call_target_name = "foo"} : (tensor<f32>) -> tensor<f32>
    return %0 : tensor<f32>
  }
  func.func @custom_call_api_0(%arg0: tensor<f32>) -> tensor<f32> {
    %0 = "stablehlo.custom_call"(%arg0) {call_target_name = "foo", api_version = 0 : i32, backend_config = "\08\03\1A\02"} : (tensor<f32>) -> tensor<f32>
    return %0 : tensor<f32>
  }
  func.func @custom_call_api_1(%arg0: tensor<f32>) -> tensor<f32> {
    %0 = "stablehlo.custom_call"(%arg0) {call_target_name = "foo", api_version = 1 : i32, backend_config = "\08\03\1A\02"} : (tensor<f32>) -> tensor<f32>
    return %0 : tensor<f32>
  }
  func.func @custom_call_api_2(%arg0: tensor<f32>) -> tensor<f32> {
    %0 = "stablehlo.custom_call"(%arg0) {call_target_name = "foo", api_version = 2 : i32, backend_config = "\08\03\1A\02"} : (tensor<f32>) -> tensor<f32>
    return %0 : tensor<f32>
  }
  func.func @custom_call_api_3(%arg0: tensor<f32>) -> tensor<f32> {
    %0 = "stablehlo.custom_call"(%arg0) {call_target_name = "foo", api_version = 3 : i32, backend_config = "\08\03\1A\02"} : (tensor<f32>) -> tensor<f32>
    return %0 : tensor<f32>
  }
  func.func @custom_call_full(%arg0: tensor<2x3xf32>, %arg1: tensor<5x5xi32>) -> tuple<tensor<2x3xf32>, tensor<5xi32>> {
    %0 = "stablehlo.custom_call"(%arg0, %arg1) {call_target_name = "foo", has_side_effect = true, backend_config = "", api_version = 2 : i32, called_computations = [@callee], operand_layouts = [dense<[1, 0]> : tensor<2xindex>, dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>]} : (tensor<2x3xf32>, tensor<5x5xi32>) -> tuple<tensor<2x3xf32>, tensor<5xi32>>
    return %0 : tuple<tensor<2x3xf32>, tensor<5xi32>>
  }
}
