// releases: 22
// covers: the linalg dialect: generic operations with maps and iterator types, named operations, structured regions.
func.func @linalg(%t: tensor<4x8xf32>, %ti: tensor<4x8xi32>, %tb: tensor<4x8xi1>, %f: f32, %m: memref<?x?xf32>, %d: f64, %a: i32, %s: tensor<f32>, %r: tensor<4xf32>, %u: tensor<8x4xf32>, %i: index) {
  %x_11, %y_11, %z_11 = "t.make"() : () -> (tensor<1x8x8x2x2xf32>, tensor<2x4x3x3x2xf32>, tensor<1x6x6x2x4xf32>)
      linalg.conv_2d_nhwgc_gfhwc {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x_11, %y_11 : tensor<1x8x8x2x2xf32>, tensor<2x4x3x3x2xf32>) outs(%z_11 : tensor<1x6x6x2x4xf32>) -> tensor<1x6x6x2x4xf32>
  %x_60, %y_60, %z_60, %p_60 = "t.make"() : () -> (tensor<1x2x8x8xi8>, tensor<4x2x3x3xi8>, tensor<1x4x6x6xi32>, i32)
      linalg.conv_2d_nchw_fchw_q {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x_60, %y_60, %p_60, %p_60 : tensor<1x2x8x8xi8>, tensor<4x2x3x3xi8>, i32, i32) outs(%z_60 : tensor<1x4x6x6xi32>) -> tensor<1x4x6x6xi32>
  %x_65, %y_65, %z_65, %p_65 = "t.make"() : () -> (tensor<1x8x8x2x2xi8>, tensor<2x4x3x3x2xi8>, tensor<1x6x6x2x4xi32>, i32)
      linalg.conv_2d_nhwgc_gfhwc_q {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x_65, %y_65, %p_65, %p_65 : tensor<1x8x8x2x2xi8>, tensor<2x4x3x3x2xi8>, i32, i32) outs(%z_65 : tensor<1x6x6x2x4xi32>) -> tensor<1x6x6x2x4xi32>
  linalg.matmul indexing_maps = [affine_map<(d0, d1, d2) -> (d2, d0)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>] ins(%m, %m : memref<?x?xf32>, memref<?x?xf32>) outs(%m : memref<?x?xf32>)
  linalg.contract indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>] ins(%m, %m : memref<?x?xf32>, memref<?x?xf32>) outs(%m : memref<?x?xf32>)
  linalg.elementwise kind=#linalg.elementwise_kind<exp> ins(%t : tensor<4x8xf32>) outs(%t : tensor<4x8xf32>) -> tensor<4x8xf32>
  linalg.elementwise kind=#linalg.elementwise_kind<add> indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>] ins(%t, %t : tensor<4x8xf32>, tensor<4x8xf32>) outs(%t : tensor<4x8xf32>) -> tensor<4x8xf32>
  linalg.map ins(%t : tensor<4x8xf32>) outs(%t : tensor<4x8xf32>)
    (%p: f32, %q: f32) {
      linalg.yield %p : f32
    }
  %e_113 = tensor.empty() : tensor<2x4x2x2xf32>
      %p_113 = linalg.pack %t inner_dims_pos = [0, 1] inner_tiles = [2, 2] into %e_113 : tensor<4x8xf32> -> tensor<2x4x2x2xf32>
      %q_113 = linalg.unpack %p_113 inner_dims_pos = [0, 1] inner_tiles = [2, 2] into %t : tensor<2x4x2x2xf32> -> tensor<4x8xf32>
  %e_114 = tensor.empty(%i) : tensor<?x2x2x3xf32>
      %p_114 = linalg.pack %t padding_value(%f : f32) outer_dims_perm = [1, 0] inner_dims_pos = [0, 1] inner_tiles = [2, 3] into %e_114 : tensor<4x8xf32> -> tensor<?x2x2x3xf32>
  %x_115, %y_115 = "t.make"() : () -> (tensor<2x3x3x5xf32>, tensor<6x6x5x2xf32>)
      linalg.winograd_filter_transform fmr(F_4_3) ins(%x_115 : tensor<2x3x3x5xf32>) outs(%y_115 : tensor<6x6x5x2xf32>) -> tensor<6x6x5x2xf32>
  %x_117, %y_117, %z_117, %w_117 = "t.make"() : () -> (tensor<2x10x10x5xf32>, tensor<6x6x2x2x2x5xf32>, tensor<6x6x2x2x2x2xf32>, tensor<2x8x8x2xf32>)
      linalg.winograd_input_transform fmr(F_4_3) ins(%x_117 : tensor<2x10x10x5xf32>) outs(%y_117 : tensor<6x6x2x2x2x5xf32>) -> tensor<6x6x2x2x2x5xf32>
      linalg.winograd_output_transform fmr(F_4_3) ins(%z_117 : tensor<6x6x2x2x2x2xf32>) outs(%w_117 : tensor<2x8x8x2xf32>) -> tensor<2x8x8x2xf32>
  return
}
