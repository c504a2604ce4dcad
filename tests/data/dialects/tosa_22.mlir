// releases: 22
// covers: the tosa dialect: elementwise, convolutions with quantization information, shapes, control flow, variables.
func.func @tosa(%t: tensor<4x8xf32>, %i: tensor<4x8xi32>, %b: tensor<4x8xi1>, %i8: tensor<4x8xi8>, %t3: tensor<2x4x8xf32>, %t3b: tensor<2x3x8xf32>, %t3c: tensor<2x8x3xf32>, %q3: tensor<2x4x8xi8>, %q3c: tensor<2x8x3xi8>, %ix: tensor<2x3xi32>, %img: tensor<1x8x8x2xf32>, %wt: tensor<4x3x3x2xf32>, %dw: tensor<3x3x2x2xf32>, %bias: tensor<4xf32>, %qimg: tensor<1x8x8x2xi8>, %qwt: tensor<4x3x3x2xi8>, %qbias: tensor<4xi32>, %fc: tensor<3x8xf32>, %bias3: tensor<3xf32>, %pads: tensor<2x2xi32>, %a: i32, %a8: i8, %cond: tensor<i1>, %i8t: tensor<64xi8>, %tab: tensor<256xi8>, %t32: tensor<4x32xf32>) {
  tosa.maximum %t, %t {nan_mode = IGNORE} : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  tosa.minimum %t, %t {nan_mode = IGNORE} : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  "tosa.intdiv"(%i, %i) : (tensor<4x8xi32>, tensor<4x8xi32>) -> tensor<4x8xi32>
  "tosa.reduce_product"(%t) {axis = 1 : i32} : (tensor<4x8xf32>) -> tensor<4x1xf32>
  tosa.reduce_max %t {axis = 0 : i32, nan_mode = PROPAGATE} : (tensor<4x8xf32>) -> tensor<1x8xf32>
  %s_75 = "tosa.const"() {values = dense<0> : tensor<1xi8>} : () -> tensor<1xi8>
      tosa.mul %t, %t, %s_75 : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<1xi8>) -> tensor<4x8xf32>
  "tosa.const"() {values = dense<[1.0, -2.0]> : tensor<2xf32>} : () -> tensor<2xf32>
  %s_78 = "tosa.const"() {values = dense<0> : tensor<4xi4>} : () -> tensor<4xi4>
  %z_81 = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
      tosa.negate %t, %z_81, %z_81 : (tensor<4x8xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<4x8xf32>
  tosa.clamp %t {min_val = -3.40282347E+38 : f32, max_val = 6.0 : f32} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  tosa.clamp %i8 {min_val = -128 : i8, max_val = 6 : i8, nan_mode = IGNORE} : (tensor<4x8xi8>) -> tensor<4x8xi8>
  %s_88 = tosa.const_shape {values = dense<[8, 4]> : tensor<2xindex>} : () -> !tosa.shape<2>
      tosa.reshape %t, %s_88 : (tensor<4x8xf32>, !tosa.shape<2>) -> tensor<8x4xf32>
      %a_88 = tosa.add_shape %s_88, %s_88 : (!tosa.shape<2>, !tosa.shape<2>) -> !tosa.shape<2>
      %m_88 = tosa.mul_shape %s_88, %a_88 : (!tosa.shape<2>, !tosa.shape<2>) -> !tosa.shape<2>
      %u_88 = tosa.sub_shape %s_88, %a_88 : (!tosa.shape<2>, !tosa.shape<2>) -> !tosa.shape<2>
  %s_89 = tosa.const_shape {values = dense<2> : tensor<2xindex>} : () -> !tosa.shape<2>
      tosa.tile %t, %s_89 : (tensor<4x8xf32>, !tosa.shape<2>) -> tensor<8x16xf32>
  %s_90 = tosa.const_shape {values = dense<[1, 2]> : tensor<2xindex>} : () -> !tosa.shape<2>
      tosa.slice %t, %s_90, %s_90 : (tensor<4x8xf32>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<1x2xf32>
  %s_91 = tosa.const_shape {values = dense<> : tensor<0xindex>} : () -> !tosa.shape<0>
  tosa.transpose %t {perms = array<i32: 1, 0>} : (tensor<4x8xf32>) -> tensor<8x4xf32>
  %z_101 = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
      tosa.matmul %t3, %t3c, %z_101, %z_101 : (tensor<2x4x8xf32>, tensor<2x8x3xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<2x4x3xf32>
  %z_105 = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
      tosa.avg_pool2d %img, %z_105, %z_105 {acc_type = f32, kernel = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>} : (tensor<1x8x8x2xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x4x4x2xf32>
      tosa.conv2d %img, %wt, %bias, %z_105, %z_105 {acc_type = f32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>, local_bound = true} : (tensor<1x8x8x2xf32>, tensor<4x3x3x2xf32>, tensor<4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x6x6x4xf32>
      tosa.depthwise_conv2d %img, %dw, %bias, %z_105, %z_105 {acc_type = f32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x8x8x2xf32>, tensor<3x3x2x2xf32>, tensor<4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x6x6x4xf32>
      tosa.transpose_conv2d %img, %wt, %bias, %z_105, %z_105 {acc_type = f32, out_pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x8x8x2xf32>, tensor<4x3x3x2xf32>, tensor<4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x10x10x4xf32>
  %v_111, %k_111 = "t.make"() : () -> (tensor<1x4x8x8x2xf32>, tensor<4x1x3x3x2xf32>)
      %z_111 = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
      tosa.conv3d %v_111, %k_111, %bias, %z_111, %z_111 {acc_type = f32, pad = array<i64: 0, 0, 0, 0, 0, 0>, stride = array<i64: 1, 1, 1>, dilation = array<i64: 1, 1, 1>} : (tensor<1x4x8x8x2xf32>, tensor<4x1x3x3x2xf32>, tensor<4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x4x6x6x4xf32>
  %s_118 = tosa.const_shape {values = dense<[16, 1, 16, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
      %o_118 = tosa.const_shape {values = dense<0> : tensor<2xindex>} : () -> !tosa.shape<2>
      tosa.resize %img, %s_118, %o_118, %o_118 {mode = NEAREST_NEIGHBOR} : (tensor<1x8x8x2xf32>, !tosa.shape<4>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<1x?x?x2xf32>
  %m_121, %s_121, %zi_121, %zo_121 = "t.make"() : () -> (tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>)
      tosa.rescale %i8, %m_121, %s_121, %zi_121, %zo_121 {scale32 = true, rounding_mode = DOUBLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<4x8xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<4x8xi32>
  %s_124 = tosa.const_shape {values = dense<[0, 1, 0, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
      %c_124 = "tosa.const"() {values = dense<3.14> : tensor<1xf32>} : () -> tensor<1xf32>
      tosa.pad %t, %s_124, %c_124 : (tensor<4x8xf32>, !tosa.shape<4>, tensor<1xf32>) -> tensor<5x9xf32>
  tosa.apply_scale %a, %a, %a8 {rounding_mode = SINGLE_ROUND} : (i32, i32, i8) -> i32
  tosa.cast_to_block_scaled %t32 {block_size = BLOCK_SIZE_32} : (tensor<4x32xf32>) -> (tensor<4x32xf8E4M3FN>, tensor<4x1xf8E8M0FNU>)
  %s_132 = tosa.const_shape {values = dense<2> : tensor<2xindex>} : () -> !tosa.shape<2>
      %a_132 = tosa.div_ceil_shape %s_132, %s_132 : (!tosa.shape<2>, !tosa.shape<2>) -> !tosa.shape<2>
      %b_132 = tosa.div_floor_shape %s_132, %s_132 : (!tosa.shape<2>, !tosa.shape<2>) -> !tosa.shape<2>
      %c_132 = tosa.mod_shape %s_132, %s_132 : (!tosa.shape<2>, !tosa.shape<2>) -> !tosa.shape<2>
      %d_132 = tosa.max_shape %s_132, %s_132 : (!tosa.shape<2>, !tosa.shape<2>) -> !tosa.shape<2>
      %e_132 = tosa.min_shape %s_132, %s_132 : (!tosa.shape<2>, !tosa.shape<2>) -> !tosa.shape<2>
      %f2_132 = tosa.exp2_shape %s_132 : (!tosa.shape<2>) -> !tosa.shape<2>
      %g_132 = tosa.log2_ceil_shape %s_132 : (!tosa.shape<2>) -> !tosa.shape<2>
      %h_132 = tosa.log2_floor_shape %s_132 : (!tosa.shape<2>) -> !tosa.shape<2>
      %i_132 = tosa.concat_shape %s_132, %s_132 : (!tosa.shape<2>, !tosa.shape<2>) -> !tosa.shape<4>
      %j_132 = tosa.dim %t {axis = 0 : i32} : (tensor<4x8xf32>) -> !tosa.shape<1>
  return
}

module attributes {tosa.target_env = #tosa.target_env<specification_version = "1.0", level = "8k", profiles = [pro_int, pro_fp], extensions = [int16, int4]>} {
  tosa.variable @var = dense<7.0> : tensor<2xf32>
  tosa.variable @uninit : tensor<1x8xf32>
  func.func @use(%a: tensor<2xf32>) -> tensor<2xf32> {
    tosa.variable_write @var, %a : tensor<2xf32>
    %0 = tosa.variable_read @var : tensor<2xf32>
    return %0 : tensor<2xf32>
  }
}

tosa.variable @var = dense<7.0> : tensor<2xf32>
tosa.variable @uninit : tensor<1x8xf32>
tosa.variable @dynamic : tensor<1x?xi8>
func.func @use_variable(%a: tensor<2xf32>) -> tensor<2xf32> {
  tosa.variable_write @var, %a : tensor<2xf32>
  %0 = tosa.variable_read @var : tensor<2xf32>
  return %0 : tensor<2xf32>
}
