// releases: 16 19 22
// covers: the linalg dialect: generic operations with maps and iterator types, named operations, structured regions.
func.func @linalg(%t: tensor<4x8xf32>, %ti: tensor<4x8xi32>, %tb: tensor<4x8xi1>, %f: f32, %m: memref<?x?xf32>, %d: f64, %a: i32, %s: tensor<f32>, %r: tensor<4xf32>, %u: tensor<8x4xf32>, %i: index) {
  %x_0, %y_0, %z_0 = "t.make"() : () -> (tensor<8xf32>, tensor<3xf32>, tensor<6xf32>)
      linalg.conv_1d ins(%x_0, %y_0 : tensor<8xf32>, tensor<3xf32>) outs(%z_0 : tensor<6xf32>) -> tensor<6xf32>
  %x_1, %y_1, %z_1 = "t.make"() : () -> (tensor<8x8xf32>, tensor<3x3xf32>, tensor<6x6xf32>)
      linalg.conv_2d ins(%x_1, %y_1 : tensor<8x8xf32>, tensor<3x3xf32>) outs(%z_1 : tensor<6x6xf32>) -> tensor<6x6xf32>
  %x_2, %y_2, %z_2 = "t.make"() : () -> (tensor<8x8x8xf32>, tensor<3x3x3xf32>, tensor<6x6x6xf32>)
      linalg.conv_3d ins(%x_2, %y_2 : tensor<8x8x8xf32>, tensor<3x3x3xf32>) outs(%z_2 : tensor<6x6x6xf32>) -> tensor<6x6x6xf32>
  %x_3, %y_3, %z_3 = "t.make"() : () -> (tensor<1x8x2xf32>, tensor<3x2x4xf32>, tensor<1x6x4xf32>)
      linalg.conv_1d_nwc_wcf {dilations = dense<1> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>} ins(%x_3, %y_3 : tensor<1x8x2xf32>, tensor<3x2x4xf32>) outs(%z_3 : tensor<1x6x4xf32>) -> tensor<1x6x4xf32>
  %x_4, %y_4, %z_4 = "t.make"() : () -> (tensor<1x2x8xf32>, tensor<4x2x3xf32>, tensor<1x4x6xf32>)
      linalg.conv_1d_ncw_fcw {dilations = dense<1> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>} ins(%x_4, %y_4 : tensor<1x2x8xf32>, tensor<4x2x3xf32>) outs(%z_4 : tensor<1x4x6xf32>) -> tensor<1x4x6xf32>
  %x_5, %y_5, %z_5 = "t.make"() : () -> (tensor<1x8x8x2xf32>, tensor<3x3x2x4xf32>, tensor<1x6x6x4xf32>)
      linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x_5, %y_5 : tensor<1x8x8x2xf32>, tensor<3x3x2x4xf32>) outs(%z_5 : tensor<1x6x6x4xf32>) -> tensor<1x6x6x4xf32>
  %x_6, %y_6, %z_6 = "t.make"() : () -> (tensor<1x8x8x2xf32>, tensor<3x3x2x4xf32>, tensor<1x6x6x4xf32>)
      linalg.conv_2d_nhwc_hwcf ins(%x_6, %y_6 : tensor<1x8x8x2xf32>, tensor<3x3x2x4xf32>) outs(%z_6 : tensor<1x6x6x4xf32>) -> tensor<1x6x6x4xf32>
  %x_7, %y_7, %z_7 = "t.make"() : () -> (tensor<1x8x8x2xf32>, tensor<4x3x3x2xf32>, tensor<1x6x6x4xf32>)
      linalg.conv_2d_nhwc_fhwc {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x_7, %y_7 : tensor<1x8x8x2xf32>, tensor<4x3x3x2xf32>) outs(%z_7 : tensor<1x6x6x4xf32>) -> tensor<1x6x6x4xf32>
  %x_8, %y_8, %z_8 = "t.make"() : () -> (tensor<1x2x8x8xf32>, tensor<4x2x3x3xf32>, tensor<1x4x6x6xf32>)
      linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x_8, %y_8 : tensor<1x2x8x8xf32>, tensor<4x2x3x3xf32>) outs(%z_8 : tensor<1x4x6x6xf32>) -> tensor<1x4x6x6xf32>
  %x_12, %y_12, %z_12 = "t.make"() : () -> (tensor<1x8x8x8x2xf32>, tensor<3x3x3x2x4xf32>, tensor<1x6x6x6x4xf32>)
      linalg.conv_3d_ndhwc_dhwcf {dilations = dense<1> : tensor<3xi64>, strides = dense<1> : tensor<3xi64>} ins(%x_12, %y_12 : tensor<1x8x8x8x2xf32>, tensor<3x3x3x2x4xf32>) outs(%z_12 : tensor<1x6x6x6x4xf32>) -> tensor<1x6x6x6x4xf32>
  %x_14, %y_14, %z_14 = "t.make"() : () -> (tensor<1x8x2xf32>, tensor<3x2xf32>, tensor<1x6x2xf32>)
      linalg.depthwise_conv_1d_nwc_wc {dilations = dense<1> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>} ins(%x_14, %y_14 : tensor<1x8x2xf32>, tensor<3x2xf32>) outs(%z_14 : tensor<1x6x2xf32>) -> tensor<1x6x2xf32>
  %x_16, %y_16, %z_16 = "t.make"() : () -> (tensor<1x8x2xf32>, tensor<3x2x4xf32>, tensor<1x6x2x4xf32>)
      linalg.depthwise_conv_1d_nwc_wcm {dilations = dense<1> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>} ins(%x_16, %y_16 : tensor<1x8x2xf32>, tensor<3x2x4xf32>) outs(%z_16 : tensor<1x6x2x4xf32>) -> tensor<1x6x2x4xf32>
  %x_17, %y_17, %z_17 = "t.make"() : () -> (tensor<1x8x8x2xf32>, tensor<3x3x2xf32>, tensor<1x6x6x2xf32>)
      linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x_17, %y_17 : tensor<1x8x8x2xf32>, tensor<3x3x2xf32>) outs(%z_17 : tensor<1x6x6x2xf32>) -> tensor<1x6x6x2xf32>
  %x_18, %y_18, %z_18 = "t.make"() : () -> (tensor<1x2x8x8xf32>, tensor<2x3x3xf32>, tensor<1x2x6x6xf32>)
      linalg.depthwise_conv_2d_nchw_chw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x_18, %y_18 : tensor<1x2x8x8xf32>, tensor<2x3x3xf32>) outs(%z_18 : tensor<1x2x6x6xf32>) -> tensor<1x2x6x6xf32>
  %x_19, %y_19, %z_19 = "t.make"() : () -> (tensor<1x8x8x2xf32>, tensor<3x3x2x4xf32>, tensor<1x6x6x2x4xf32>)
      linalg.depthwise_conv_2d_nhwc_hwcm {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x_19, %y_19 : tensor<1x8x8x2xf32>, tensor<3x3x2x4xf32>) outs(%z_19 : tensor<1x6x6x2x4xf32>) -> tensor<1x6x6x2x4xf32>
  %x_20, %y_20, %z_20 = "t.make"() : () -> (tensor<1x8x8x8x2xf32>, tensor<3x3x3x2xf32>, tensor<1x6x6x6x2xf32>)
      linalg.depthwise_conv_3d_ndhwc_dhwc {dilations = dense<1> : tensor<3xi64>, strides = dense<1> : tensor<3xi64>} ins(%x_20, %y_20 : tensor<1x8x8x8x2xf32>, tensor<3x3x3x2xf32>) outs(%z_20 : tensor<1x6x6x6x2xf32>) -> tensor<1x6x6x6x2xf32>
  %x_22, %y_22, %z_22 = "t.make"() : () -> (tensor<1x8x8x8x2xf32>, tensor<3x3x3x2x4xf32>, tensor<1x6x6x6x2x4xf32>)
      linalg.depthwise_conv_3d_ndhwc_dhwcm {dilations = dense<1> : tensor<3xi64>, strides = dense<1> : tensor<3xi64>} ins(%x_22, %y_22 : tensor<1x8x8x8x2xf32>, tensor<3x3x3x2x4xf32>) outs(%z_22 : tensor<1x6x6x6x2x4xf32>) -> tensor<1x6x6x6x2x4xf32>
  %x_23, %y_23, %z_23 = "t.make"() : () -> (tensor<1x8x8x2xf32>, tensor<3x3xf32>, tensor<1x6x6x2xf32>)
      linalg.pooling_nhwc_sum {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x_23, %y_23 : tensor<1x8x8x2xf32>, tensor<3x3xf32>) outs(%z_23 : tensor<1x6x6x2xf32>) -> tensor<1x6x6x2xf32>
  %x_24, %y_24, %z_24 = "t.make"() : () -> (tensor<1x2x8x8xf32>, tensor<3x3xf32>, tensor<1x2x6x6xf32>)
      linalg.pooling_nchw_sum {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x_24, %y_24 : tensor<1x2x8x8xf32>, tensor<3x3xf32>) outs(%z_24 : tensor<1x2x6x6xf32>) -> tensor<1x2x6x6xf32>
  %x_25, %y_25, %z_25 = "t.make"() : () -> (tensor<1x8x2xf32>, tensor<3xf32>, tensor<1x6x2xf32>)
      linalg.pooling_nwc_sum {dilations = dense<1> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>} ins(%x_25, %y_25 : tensor<1x8x2xf32>, tensor<3xf32>) outs(%z_25 : tensor<1x6x2xf32>) -> tensor<1x6x2xf32>
  %x_26, %y_26, %z_26 = "t.make"() : () -> (tensor<1x2x8xf32>, tensor<3xf32>, tensor<1x2x6xf32>)
      linalg.pooling_ncw_sum {dilations = dense<1> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>} ins(%x_26, %y_26 : tensor<1x2x8xf32>, tensor<3xf32>) outs(%z_26 : tensor<1x2x6xf32>) -> tensor<1x2x6xf32>
  %x_27, %y_27, %z_27 = "t.make"() : () -> (tensor<1x8x8x8x2xf32>, tensor<3x3x3xf32>, tensor<1x6x6x6x2xf32>)
      linalg.pooling_ndhwc_sum {dilations = dense<1> : tensor<3xi64>, strides = dense<1> : tensor<3xi64>} ins(%x_27, %y_27 : tensor<1x8x8x8x2xf32>, tensor<3x3x3xf32>) outs(%z_27 : tensor<1x6x6x6x2xf32>) -> tensor<1x6x6x6x2xf32>
  %x_28, %y_28, %z_28 = "t.make"() : () -> (tensor<1x8x8x2xf32>, tensor<3x3xf32>, tensor<1x6x6x2xf32>)
      linalg.pooling_nhwc_max {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x_28, %y_28 : tensor<1x8x8x2xf32>, tensor<3x3xf32>) outs(%z_28 : tensor<1x6x6x2xf32>) -> tensor<1x6x6x2xf32>
  %x_29, %y_29, %z_29 = "t.make"() : () -> (tensor<1x2x8x8xf32>, tensor<3x3xf32>, tensor<1x2x6x6xf32>)
      linalg.pooling_nchw_max {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x_29, %y_29 : tensor<1x2x8x8xf32>, tensor<3x3xf32>) outs(%z_29 : tensor<1x2x6x6xf32>) -> tensor<1x2x6x6xf32>
  %x_30, %y_30, %z_30 = "t.make"() : () -> (tensor<1x8x2xf32>, tensor<3xf32>, tensor<1x6x2xf32>)
      linalg.pooling_nwc_max {dilations = dense<1> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>} ins(%x_30, %y_30 : tensor<1x8x2xf32>, tensor<3xf32>) outs(%z_30 : tensor<1x6x2xf32>) -> tensor<1x6x2xf32>
  %x_31, %y_31, %z_31 = "t.make"() : () -> (tensor<1x8x2xf32>, tensor<3xf32>, tensor<1x6x2xf32>)
      linalg.pooling_nwc_max ins(%x_31, %y_31 : tensor<1x8x2xf32>, tensor<3xf32>) outs(%z_31 : tensor<1x6x2xf32>) -> tensor<1x6x2xf32>
  %x_32, %y_32, %z_32 = "t.make"() : () -> (tensor<1x2x8xf32>, tensor<3xf32>, tensor<1x2x6xf32>)
      linalg.pooling_ncw_max {dilations = dense<1> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>} ins(%x_32, %y_32 : tensor<1x2x8xf32>, tensor<3xf32>) outs(%z_32 : tensor<1x2x6xf32>) -> tensor<1x2x6xf32>
  %x_33, %y_33, %z_33 = "t.make"() : () -> (tensor<1x8x8x8x2xf32>, tensor<3x3x3xf32>, tensor<1x6x6x6x2xf32>)
      linalg.pooling_ndhwc_max {dilations = dense<1> : tensor<3xi64>, strides = dense<1> : tensor<3xi64>} ins(%x_33, %y_33 : tensor<1x8x8x8x2xf32>, tensor<3x3x3xf32>) outs(%z_33 : tensor<1x6x6x6x2xf32>) -> tensor<1x6x6x6x2xf32>
  %x_34, %y_34, %z_34 = "t.make"() : () -> (tensor<1x8x8x2xf32>, tensor<3x3xf32>, tensor<1x6x6x2xf32>)
      linalg.pooling_nhwc_min {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x_34, %y_34 : tensor<1x8x8x2xf32>, tensor<3x3xf32>) outs(%z_34 : tensor<1x6x6x2xf32>) -> tensor<1x6x6x2xf32>
  %x_36, %y_36, %z_36 = "t.make"() : () -> (tensor<1x8x2xf32>, tensor<3xf32>, tensor<1x6x2xf32>)
      linalg.pooling_nwc_min {dilations = dense<1> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>} ins(%x_36, %y_36 : tensor<1x8x2xf32>, tensor<3xf32>) outs(%z_36 : tensor<1x6x2xf32>) -> tensor<1x6x2xf32>
  %x_38, %y_38, %z_38 = "t.make"() : () -> (tensor<1x8x8x8x2xf32>, tensor<3x3x3xf32>, tensor<1x6x6x6x2xf32>)
      linalg.pooling_ndhwc_min {dilations = dense<1> : tensor<3xi64>, strides = dense<1> : tensor<3xi64>} ins(%x_38, %y_38 : tensor<1x8x8x8x2xf32>, tensor<3x3x3xf32>) outs(%z_38 : tensor<1x6x6x6x2xf32>) -> tensor<1x6x6x6x2xf32>
  %x_39, %y_39, %z_39 = "t.make"() : () -> (tensor<1x8x8x2xi32>, tensor<3x3xi32>, tensor<1x6x6x2xi32>)
      linalg.pooling_nhwc_max_unsigned {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x_39, %y_39 : tensor<1x8x8x2xi32>, tensor<3x3xi32>) outs(%z_39 : tensor<1x6x6x2xi32>) -> tensor<1x6x6x2xi32>
  %x_40, %y_40, %z_40 = "t.make"() : () -> (tensor<1x8x8x2xi32>, tensor<3x3xi32>, tensor<1x6x6x2xi32>)
      linalg.pooling_nhwc_min_unsigned {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x_40, %y_40 : tensor<1x8x8x2xi32>, tensor<3x3xi32>) outs(%z_40 : tensor<1x6x6x2xi32>) -> tensor<1x6x6x2xi32>
  %x_41, %y_41, %z_41 = "t.make"() : () -> (tensor<1x8x2xi32>, tensor<3xi32>, tensor<1x6x2xi32>)
      linalg.pooling_nwc_max_unsigned {dilations = dense<1> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>} ins(%x_41, %y_41 : tensor<1x8x2xi32>, tensor<3xi32>) outs(%z_41 : tensor<1x6x2xi32>) -> tensor<1x6x2xi32>
  %x_42, %y_42, %z_42 = "t.make"() : () -> (tensor<1x8x2xi32>, tensor<3xi32>, tensor<1x6x2xi32>)
      linalg.pooling_nwc_min_unsigned {dilations = dense<1> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>} ins(%x_42, %y_42 : tensor<1x8x2xi32>, tensor<3xi32>) outs(%z_42 : tensor<1x6x2xi32>) -> tensor<1x6x2xi32>
  %x_43, %y_43, %z_43 = "t.make"() : () -> (tensor<4x8xf32>, tensor<8x16xf32>, tensor<4x16xf32>)
      linalg.matmul ins(%x_43, %y_43 : tensor<4x8xf32>, tensor<8x16xf32>) outs(%z_43 : tensor<4x16xf32>) -> tensor<4x16xf32>
  %x_47, %y_47, %z_47 = "t.make"() : () -> (tensor<4x8xf32>, tensor<8xf32>, tensor<4xf32>)
      linalg.matvec ins(%x_47, %y_47 : tensor<4x8xf32>, tensor<8xf32>) outs(%z_47 : tensor<4xf32>) -> tensor<4xf32>
  %x_48, %y_48, %z_48 = "t.make"() : () -> (tensor<4xf32>, tensor<4x8xf32>, tensor<8xf32>)
      linalg.vecmat ins(%x_48, %y_48 : tensor<4xf32>, tensor<4x8xf32>) outs(%z_48 : tensor<8xf32>) -> tensor<8xf32>
  %x_49, %y_49, %z_49 = "t.make"() : () -> (tensor<4xf32>, tensor<4xf32>, tensor<f32>)
      linalg.dot ins(%x_49, %y_49 : tensor<4xf32>, tensor<4xf32>) outs(%z_49 : tensor<f32>) -> tensor<f32>
  %x_50, %y_50, %z_50 = "t.make"() : () -> (tensor<2x4x8xf32>, tensor<2x8x16xf32>, tensor<2x4x16xf32>)
      linalg.batch_matmul ins(%x_50, %y_50 : tensor<2x4x8xf32>, tensor<2x8x16xf32>) outs(%z_50 : tensor<2x4x16xf32>) -> tensor<2x4x16xf32>
  %x_53, %y_53, %z_53 = "t.make"() : () -> (tensor<2x4x8xf32>, tensor<2x8xf32>, tensor<2x4xf32>)
      linalg.batch_matvec ins(%x_53, %y_53 : tensor<2x4x8xf32>, tensor<2x8xf32>) outs(%z_53 : tensor<2x4xf32>) -> tensor<2x4xf32>
  %x_55, %y_55, %z_55 = "t.make"() : () -> (tensor<2x4x8xf32>, tensor<2x8x16xf32>, tensor<4x16xf32>)
      linalg.batch_reduce_matmul ins(%x_55, %y_55 : tensor<2x4x8xf32>, tensor<2x8x16xf32>) outs(%z_55 : tensor<4x16xf32>) -> tensor<4x16xf32>
  %x_56, %y_56, %z_56 = "t.make"() : () -> (tensor<2x4x8x1xf32>, tensor<3x4x16x1xf32>, tensor<2x3x8x16xf32>)
      linalg.mmt4d ins(%x_56, %y_56 : tensor<2x4x8x1xf32>, tensor<3x4x16x1xf32>) outs(%z_56 : tensor<2x3x8x16xf32>) -> tensor<2x3x8x16xf32>
  %x_58, %y_58, %z_58, %p_58 = "t.make"() : () -> (tensor<1x8x8x2xi8>, tensor<3x3x2x4xi8>, tensor<1x6x6x4xi32>, i32)
      linalg.conv_2d_nhwc_hwcf_q {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x_58, %y_58, %p_58, %p_58 : tensor<1x8x8x2xi8>, tensor<3x3x2x4xi8>, i32, i32) outs(%z_58 : tensor<1x6x6x4xi32>) -> tensor<1x6x6x4xi32>
  %x_61, %y_61, %z_61, %p_61 = "t.make"() : () -> (tensor<1x8x8x8x2xi8>, tensor<3x3x3x2x4xi8>, tensor<1x6x6x6x4xi32>, i32)
      linalg.conv_3d_ndhwc_dhwcf_q {dilations = dense<1> : tensor<3xi64>, strides = dense<1> : tensor<3xi64>} ins(%x_61, %y_61, %p_61, %p_61 : tensor<1x8x8x8x2xi8>, tensor<3x3x3x2x4xi8>, i32, i32) outs(%z_61 : tensor<1x6x6x6x4xi32>) -> tensor<1x6x6x6x4xi32>
  %x_62, %y_62, %z_62, %p_62 = "t.make"() : () -> (tensor<1x8x8x2xi8>, tensor<3x3x2xi8>, tensor<1x6x6x2xi32>, i32)
      linalg.depthwise_conv_2d_nhwc_hwc_q {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x_62, %y_62, %p_62, %p_62 : tensor<1x8x8x2xi8>, tensor<3x3x2xi8>, i32, i32) outs(%z_62 : tensor<1x6x6x2xi32>) -> tensor<1x6x6x2xi32>
  %x_63, %y_63, %z_63, %p_63 = "t.make"() : () -> (tensor<1x8x8x2xi8>, tensor<3x3x2x4xi8>, tensor<1x6x6x2x4xi32>, i32)
      linalg.depthwise_conv_2d_nhwc_hwcm_q {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x_63, %y_63, %p_63, %p_63 : tensor<1x8x8x2xi8>, tensor<3x3x2x4xi8>, i32, i32) outs(%z_63 : tensor<1x6x6x2x4xi32>) -> tensor<1x6x6x2x4xi32>
  %x_66, %y_66, %z_66, %p_66 = "t.make"() : () -> (tensor<4x8xi8>, tensor<8x16xi8>, tensor<4x16xi32>, i32)
      linalg.quantized_matmul ins(%x_66, %y_66, %p_66, %p_66 : tensor<4x8xi8>, tensor<8x16xi8>, i32, i32) outs(%z_66 : tensor<4x16xi32>) -> tensor<4x16xi32>
  %x_67, %y_67, %z_67, %p_67 = "t.make"() : () -> (tensor<2x4x8xi8>, tensor<2x8x16xi8>, tensor<2x4x16xi32>, i32)
      linalg.quantized_batch_matmul ins(%x_67, %y_67, %p_67, %p_67 : tensor<2x4x8xi8>, tensor<2x8x16xi8>, i32, i32) outs(%z_67 : tensor<2x4x16xi32>) -> tensor<2x4x16xi32>
  linalg.copy ins(%t : tensor<4x8xf32>) outs(%t : tensor<4x8xf32>) -> tensor<4x8xf32>
  linalg.copy {cast = #linalg.type_fn<cast_unsigned>} ins(%t : tensor<4x8xf32>) outs(%t : tensor<4x8xf32>) -> tensor<4x8xf32>
  linalg.fill ins(%f : f32) outs(%t : tensor<4x8xf32>) -> tensor<4x8xf32>
  linalg.fill ins(%f : f32) outs(%m : memref<?x?xf32>)
  linalg.fill_rng_2d ins(%d, %d, %a : f64, f64, i32) outs(%t : tensor<4x8xf32>) -> tensor<4x8xf32>
  linalg.matmul {cast = #linalg.type_fn<cast_unsigned>} ins(%m, %m : memref<?x?xf32>, memref<?x?xf32>) outs(%m : memref<?x?xf32>)
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1, d0)>], iterator_types = ["parallel", "parallel"]} ins(%m : memref<?x?xf32>) outs(%m : memref<?x?xf32>) {
    ^bb0(%p: f32, %q: f32):
      %x_103 = linalg.index 1 : index
      linalg.yield %p : f32
    }
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> ()>], iterator_types = ["reduction", "reduction"], doc = "a doc string", library_call = "lib"} ins(%t : tensor<4x8xf32>) outs(%s : tensor<f32>) attrs = {t.x = 1} {
    ^bb0(%p: f32, %q: f32):
      linalg.yield %q : f32
    } -> tensor<f32>
  linalg.map { math.absf } ins(%t : tensor<4x8xf32>) outs(%t : tensor<4x8xf32>)
  linalg.reduce ins(%t : tensor<4x8xf32>) outs(%r : tensor<4xf32>) dimensions = [1]
    (%p: f32, %q: f32) {
      linalg.yield %p : f32
    }
  linalg.reduce { arith.addf } ins(%t : tensor<4x8xf32>) outs(%r : tensor<4xf32>) dimensions = [1]
  linalg.transpose ins(%t : tensor<4x8xf32>) outs(%u : tensor<8x4xf32>) permutation = [1, 0]
  linalg.broadcast ins(%r : tensor<4xf32>) outs(%t : tensor<4x8xf32>) dimensions = [1]
  return
}
