func.func @tosa(%x: tensor<1x8x8x4xf32>, %w: tensor<8x3x3x4xf32>, %b: tensor<8xf32>) -> tensor<1x6x6xi32> {
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %0 = tosa.conv2d %x, %w, %b, %z, %z {acc_type = f32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x8x8x4xf32>, tensor<8x3x3x4xf32>, tensor<8xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x6x6x8xf32>
  %1 = tosa.clamp %0 {min_val = 0.0 : f32, max_val = 6.0 : f32} : (tensor<1x6x6x8xf32>) -> tensor<1x6x6x8xf32>
  %2 = tosa.add %0, %1 : (tensor<1x6x6x8xf32>, tensor<1x6x6x8xf32>) -> tensor<1x6x6x8xf32>
  %3 = tosa.reduce_sum %2 {axis = 3 : i32} : (tensor<1x6x6x8xf32>) -> tensor<1x6x6x1xf32>
  %4 = tosa.const_shape {values = dense<[1, 36, 1]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %5 = tosa.reshape %3, %4 : (tensor<1x6x6x1xf32>, !tosa.shape<3>) -> tensor<1x36x1xf32>
  %6 = tosa.concat %5, %5 {axis = 2 : i32} : (tensor<1x36x1xf32>, tensor<1x36x1xf32>) -> tensor<1x36x2xf32>
  %7 = tosa.transpose %6 {perms = array<i32: 0, 2, 1>} : (tensor<1x36x2xf32>) -> tensor<1x2x36xf32>
  %8 = tosa.matmul %6, %7, %z, %z : (tensor<1x36x2xf32>, tensor<1x2x36xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x36x36xf32>
  %9 = tosa.argmax %2 {axis = 3 : i32} : (tensor<1x6x6x8xf32>) -> tensor<1x6x6xi32>
  return %9 : tensor<1x6x6xi32>
}
