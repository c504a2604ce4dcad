// Ops that move elements: broadcast, slice, pad, transpose and the like, and their dynamic forms.
// since 0.9.0
module @shape {
  func.func @broadcast(%arg0: tensor<16xf32>) -> tensor<2x3x16xf32> {
    %0 = "stablehlo.broadcast"(%arg0) {broadcast_sizes = array<i64: 2, 3>} : (tensor<16xf32>) -> tensor<2x3x16xf32>
    return %0 : tensor<2x3x16xf32>
  }
  func.func @broadcast_in_dim(%arg0: tensor<16xf32>) -> tensor<16x16xf32> {
    %0 = "stablehlo.broadcast_in_dim"(%arg0) {broadcast_dimensions = array<i64: 1>} : (tensor<16xf32>) -> tensor<16x16xf32>
    return %0 : tensor<16x16xf32>
  }
  func.func @broadcast_in_dim_empty(%arg0: tensor<f32>) -> tensor<16x16xf32> {
    %0 = "stablehlo.broadcast_in_dim"(%arg0) {broadcast_dimensions = array<i64>} : (tensor<f32>) -> tensor<16x16xf32>
    return %0 : tensor<16x16xf32>
  }
  func.func @dynamic_broadcast_in_dim(%arg0: tensor<?x?xf32>, %arg1: tensor<2xindex>) -> tensor<?x?xf32> {
    %0 = "stablehlo.dynamic_broadcast_in_dim"(%arg0, %arg1) {broadcast_dimensions = array<i64: 0, 1>, known_expanding_dimensions = array<i64: 0>, known_nonexpanding_dimensions = array<i64: 1>} : (tensor<?x?xf32>, tensor<2xindex>) -> tensor<?x?xf32>
    return %0 : tensor<?x?xf32>
  }
  func.func @concatenate(%arg0: tensor<8xf32>, %arg1: tensor<8xf32>) -> tensor<16xf32> {
    %0 = "stablehlo.concatenate"(%arg0, %arg1) {dimension = 0 : i64} : (tensor<8xf32>, tensor<8xf32>) -> tensor<16xf32>
    return %0 : tensor<16xf32>
  }
  func.func @iota() -> tensor<16x4xi32> {
    %0 = "stablehlo.iota"() {iota_dimension = 1 : i64} : () -> tensor<16x4xi32>
    return %0 : tensor<16x4xi32>
  }
  func.func @dynamic_iota(%arg0: tensor<1xindex>) -> tensor<?xf32> {
    %0 = "stablehlo.dynamic_iota"(%arg0) {iota_dimension = 0 : i64} : (tensor<1xindex>) -> tensor<?xf32>
    return %0 : tensor<?xf32>
  }
  func.func @pad(%arg0: tensor<8xf32>, %arg1: tensor<f32>) -> tensor<16xf32> {
    %0 = "stablehlo.pad"(%arg0, %arg1) {edge_padding_low = array<i64: 4>, edge_padding_high = array<i64: 4>, interior_padding = array<i64: 0>} : (tensor<8xf32>, tensor<f32>) -> tensor<16xf32>
    return %0 : tensor<16xf32>
  }
  func.func @dynamic_pad(%arg0: tensor<?xf32>, %arg1: tensor<f32>, %arg2: tensor<1xindex>, %arg3: tensor<1xindex>, %arg4: tensor<1xindex>) -> tensor<?xf32> {
    %0 = "stablehlo.dynamic_pad"(%arg0, %arg1, %arg2, %arg3, %arg4) : (tensor<?xf32>, tensor<f32>, tensor<1xindex>, tensor<1xindex>, tensor<1xindex>) -> tensor<?xf32>
    return %0 : tensor<?xf32>
  }
  func.func @reshape(%arg0: tensor<16xf32>) -> tensor<4x4xf32> {
    %0 = "stablehlo.reshape"(%arg0) : (tensor<16xf32>) -> tensor<4x4xf32>
    return %0 : tensor<4x4xf32>
  }
  func.func @dynamic_reshape(%arg0: tensor<16xf32>, %arg1: tensor<2xindex>) -> tensor<?x?xf32> {
    %0 = "stablehlo.dynamic_reshape"(%arg0, %arg1) : (tensor<16xf32>, tensor<2xindex>) -> tensor<?x?xf32>
    return %0 : tensor<?x?xf32>
  }
  func.func @reverse(%arg0: tensor<4x4xf32>) -> tensor<4x4xf32> {
    %0 = "stablehlo.reverse"(%arg0) {dimensions = array<i64: 0, 1>} : (tensor<4x4xf32>) -> tensor<4x4xf32>
    return %0 : tensor<4x4xf32>
  }
  func.func @slice(%arg0: tensor<16xf32>) -> tensor<4xf32> {
    %0 = "stablehlo.slice"(%arg0) {start_indices = array<i64: 0>, limit_indices = array<i64: 7>, strides = array<i64: 2>} : (tensor<16xf32>) -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
  func.func @dynamic_slice(%arg0: tensor<16xf32>, %arg1: tensor<i64>) -> tensor<4xf32> {
    %0 = "stablehlo.dynamic_slice"(%arg0, %arg1) {slice_sizes = array<i64: 4>} : (tensor<16xf32>, tensor<i64>) -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
  func.func @real_dynamic_slice(%arg0: tensor<?xf32>, %arg1: tensor<1xindex>, %arg2: tensor<1xindex>, %arg3: tensor<1xindex>) -> tensor<?xf32> {
    %0 = "stablehlo.real_dynamic_slice"(%arg0, %arg1, %arg2, %arg3) : (tensor<?xf32>, tensor<1xindex>, tensor<1xindex>, tensor<1xindex>) -> tensor<?xf32>
    return %0 : tensor<?xf32>
  }
  func.func @dynamic_update_slice(%arg0: tensor<16xf32>, %arg1: tensor<4xf32>, %arg2: tensor<i64>) -> tensor<16xf32> {
    %0 = "stablehlo.dynamic_update_slice"(%arg0, %arg1, %arg2) : (tensor<16xf32>, tensor<4xf32>, tensor<i64>) -> tensor<16xf32>
    return %0 : tensor<16xf32>
  }
  func.func @transpose(%arg0: tensor<16x8xf32>) -> tensor<8x16xf32> {
    %0 = "stablehlo.transpose"(%arg0) {permutation = array<i64: 1, 0>} : (tensor<16x8xf32>) -> tensor<8x16xf32>
    return %0 : tensor<8x16xf32>
  }
  func.func @get_dimension_size(%arg0: tensor<1xf32>) -> tensor<i32> {
    %0 = "stablehlo.get_dimension_size"(%arg0) {dimension = 0 : i64} : (tensor<1xf32>) -> tensor<i32>
    return %0 : tensor<i32>
  }
  func.func @set_dimension_size(%arg0: tensor<1x16xf32>, %arg1: tensor<i32>) -> tensor<1x?xf32, #stablehlo.bounds<?, 16>> {
    %0 = "stablehlo.set_dimension_size"(%arg0, %arg1) {dimension = 1 : i64} : (tensor<1x16xf32>, tensor<i32>) -> tensor<1x?xf32, #stablehlo.bounds<?, 16>>
    return %0 : tensor<1x?xf32, #stablehlo.bounds<?, 16>>
  }
  func.func @bounded_add(%arg0: tensor<?x?xf32, #stablehlo.bounds<3, ?>>, %arg1: tensor<?x?xf32, #stablehlo.bounds<3, ?>>) -> tensor<?x?xf32, #stablehlo.bounds<3, ?>> {
    %0 = "stablehlo.add"(%arg0, %arg1) : (tensor<?x?xf32, #stablehlo.bounds<3, ?>>, tensor<?x?xf32, #stablehlo.bounds<3, ?>>) -> tensor<?x?xf32, #stablehlo.bounds<3, ?>>
    return %0 : tensor<?x?xf32, #stablehlo.bounds<3, ?>>
  }
  func.func @torch_index_select(%arg0: tensor<5x1x5xf32>, %arg1: tensor<2xi32>) -> tensor<2x1x5xf32> {
    %0 = "stablehlo.torch_index_select"(%arg0, %arg1) {dim = 0 : i64, batch_dims = 0 : i64} : (tensor<5x1x5xf32>, tensor<2xi32>) -> tensor<2x1x5xf32>
    return %0 : tensor<2x1x5xf32>
  }
  func.func @optimization_barrier(%arg0: tensor<f32>) -> tensor<f32> {
    %0 = "stablehlo.optimization_barrier"(%arg0) : (tensor<f32>) -> tensor<f32>
    return %0 : tensor<f32>
  }
}
