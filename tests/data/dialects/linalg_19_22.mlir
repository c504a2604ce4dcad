// releases: 19 22
// covers: the linalg dialect: generic operations with maps and iterator types, named operations, structured regions.
func.func @linalg(%t: tensor<4x8xf32>, %ti: tensor<4x8xi32>, %tb: tensor<4x8xi1>, %f: f32, %m: memref<?x?xf32>, %d: f64, %a: i32, %s: tensor<f32>, %r: tensor<4xf32>, %u: tensor<8x4xf32>, %i: index) {
  %x_9, %y_9, %z_9 = "t.make"() : () -> (tensor<1x2x2x8x8xf32>, tensor<4x2x2x3x3xf32>, tensor<1x2x4x6x6xf32>)
      linalg.conv_2d_ngchw_fgchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x_9, %y_9 : tensor<1x2x2x8x8xf32>, tensor<4x2x2x3x3xf32>) outs(%z_9 : tensor<1x2x4x6x6xf32>) -> tensor<1x2x4x6x6xf32>
  %x_10, %y_10, %z_10 = "t.make"() : () -> (tensor<1x2x2x8x8xf32>, tensor<2x4x2x3x3xf32>, tensor<1x2x4x6x6xf32>)
      linalg.conv_2d_ngchw_gfchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x_10, %y_10 : tensor<1x2x2x8x8xf32>, tensor<2x4x2x3x3xf32>) outs(%z_10 : tensor<1x2x4x6x6xf32>) -> tensor<1x2x4x6x6xf32>
  %x_13, %y_13, %z_13 = "t.make"() : () -> (tensor<1x2x8x8x8xf32>, tensor<4x2x3x3x3xf32>, tensor<1x4x6x6x6xf32>)
      linalg.conv_3d_ncdhw_fcdhw {dilations = dense<1> : tensor<3xi64>, strides = dense<1> : tensor<3xi64>} ins(%x_13, %y_13 : tensor<1x2x8x8x8xf32>, tensor<4x2x3x3x3xf32>) outs(%z_13 : tensor<1x4x6x6x6xf32>) -> tensor<1x4x6x6x6xf32>
  %x_15, %y_15, %z_15 = "t.make"() : () -> (tensor<1x2x8xf32>, tensor<2x3xf32>, tensor<1x2x6xf32>)
      linalg.depthwise_conv_1d_ncw_cw {dilations = dense<1> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>} ins(%x_15, %y_15 : tensor<1x2x8xf32>, tensor<2x3xf32>) outs(%z_15 : tensor<1x2x6xf32>) -> tensor<1x2x6xf32>
  %x_21, %y_21, %z_21 = "t.make"() : () -> (tensor<1x2x8x8x8xf32>, tensor<2x3x3x3xf32>, tensor<1x2x6x6x6xf32>)
      linalg.depthwise_conv_3d_ncdhw_cdhw {dilations = dense<1> : tensor<3xi64>, strides = dense<1> : tensor<3xi64>} ins(%x_21, %y_21 : tensor<1x2x8x8x8xf32>, tensor<2x3x3x3xf32>) outs(%z_21 : tensor<1x2x6x6x6xf32>) -> tensor<1x2x6x6x6xf32>
  %x_54, %y_54, %z_54 = "t.make"() : () -> (tensor<2x4xf32>, tensor<2x4x8xf32>, tensor<2x8xf32>)
      linalg.batch_vecmat ins(%x_54, %y_54 : tensor<2x4xf32>, tensor<2x4x8xf32>) outs(%z_54 : tensor<2x8xf32>) -> tensor<2x8xf32>
  %x_57, %y_57, %z_57 = "t.make"() : () -> (tensor<1x2x4x8x1xf32>, tensor<1x3x4x16x1xf32>, tensor<1x2x3x8x16xf32>)
      linalg.batch_mmt4d ins(%x_57, %y_57 : tensor<1x2x4x8x1xf32>, tensor<1x3x4x16x1xf32>) outs(%z_57 : tensor<1x2x3x8x16xf32>) -> tensor<1x2x3x8x16xf32>
  %x_59, %y_59, %z_59, %p_59 = "t.make"() : () -> (tensor<1x8x8x2xi8>, tensor<4x3x3x2xi8>, tensor<1x6x6x4xi32>, i32)
      linalg.conv_2d_nhwc_fhwc_q {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x_59, %y_59, %p_59, %p_59 : tensor<1x8x8x2xi8>, tensor<4x3x3x2xi8>, i32, i32) outs(%z_59 : tensor<1x6x6x4xi32>) -> tensor<1x6x6x4xi32>
  %x_64, %y_64, %z_64, %p_64 = "t.make"() : () -> (tensor<1x2x2x8x8xi8>, tensor<2x4x2x3x3xi8>, tensor<1x2x4x6x6xi32>, i32)
      linalg.conv_2d_ngchw_gfchw_q {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x_64, %y_64, %p_64, %p_64 : tensor<1x2x2x8x8xi8>, tensor<2x4x2x3x3xi8>, i32, i32) outs(%z_64 : tensor<1x2x4x6x6xi32>) -> tensor<1x2x4x6x6xi32>
  linalg.abs ins(%t : tensor<4x8xf32>) outs(%t : tensor<4x8xf32>) -> tensor<4x8xf32>
  linalg.ceil ins(%t : tensor<4x8xf32>) outs(%t : tensor<4x8xf32>) -> tensor<4x8xf32>
  linalg.erf ins(%t : tensor<4x8xf32>) outs(%t : tensor<4x8xf32>) -> tensor<4x8xf32>
  linalg.exp ins(%t : tensor<4x8xf32>) outs(%t : tensor<4x8xf32>) -> tensor<4x8xf32>
  linalg.floor ins(%t : tensor<4x8xf32>) outs(%t : tensor<4x8xf32>) -> tensor<4x8xf32>
  linalg.log ins(%t : tensor<4x8xf32>) outs(%t : tensor<4x8xf32>) -> tensor<4x8xf32>
  linalg.negf ins(%t : tensor<4x8xf32>) outs(%t : tensor<4x8xf32>) -> tensor<4x8xf32>
  linalg.reciprocal ins(%t : tensor<4x8xf32>) outs(%t : tensor<4x8xf32>) -> tensor<4x8xf32>
  linalg.round ins(%t : tensor<4x8xf32>) outs(%t : tensor<4x8xf32>) -> tensor<4x8xf32>
  linalg.rsqrt ins(%t : tensor<4x8xf32>) outs(%t : tensor<4x8xf32>) -> tensor<4x8xf32>
  linalg.sqrt ins(%t : tensor<4x8xf32>) outs(%t : tensor<4x8xf32>) -> tensor<4x8xf32>
  linalg.square ins(%t : tensor<4x8xf32>) outs(%t : tensor<4x8xf32>) -> tensor<4x8xf32>
  linalg.tanh ins(%t : tensor<4x8xf32>) outs(%t : tensor<4x8xf32>) -> tensor<4x8xf32>
  linalg.add ins(%t, %t : tensor<4x8xf32>, tensor<4x8xf32>) outs(%t : tensor<4x8xf32>) -> tensor<4x8xf32>
  linalg.div ins(%t, %t : tensor<4x8xf32>, tensor<4x8xf32>) outs(%t : tensor<4x8xf32>) -> tensor<4x8xf32>
  linalg.max ins(%t, %t : tensor<4x8xf32>, tensor<4x8xf32>) outs(%t : tensor<4x8xf32>) -> tensor<4x8xf32>
  linalg.min ins(%t, %t : tensor<4x8xf32>, tensor<4x8xf32>) outs(%t : tensor<4x8xf32>) -> tensor<4x8xf32>
  linalg.mul ins(%t, %t : tensor<4x8xf32>, tensor<4x8xf32>) outs(%t : tensor<4x8xf32>) -> tensor<4x8xf32>
  linalg.powf ins(%t, %t : tensor<4x8xf32>, tensor<4x8xf32>) outs(%t : tensor<4x8xf32>) -> tensor<4x8xf32>
  linalg.sub ins(%t, %t : tensor<4x8xf32>, tensor<4x8xf32>) outs(%t : tensor<4x8xf32>) -> tensor<4x8xf32>
  linalg.div_unsigned ins(%ti, %ti : tensor<4x8xi32>, tensor<4x8xi32>) outs(%ti : tensor<4x8xi32>) -> tensor<4x8xi32>
  linalg.select ins(%tb, %t, %t : tensor<4x8xi1>, tensor<4x8xf32>, tensor<4x8xf32>) outs(%t : tensor<4x8xf32>) -> tensor<4x8xf32>
  linalg.softmax dimension(1) ins(%t : tensor<4x8xf32>) outs(%t : tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
