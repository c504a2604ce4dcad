func.func @f(%a: tensor<128x256xf32>, %d: tensor<8x16x16x16xf32>) -> tensor<128x256xf32> {
  %0 = tensor.pack %a inner_dims_pos = [0, 1] inner_tiles = [16, 16] into %d : tensor<128x256xf32> -> tensor<8x16x16x16xf32>
  %1 = tensor.unpack %0 inner_dims_pos = [0, 1] inner_tiles = [16, 16] into %a : tensor<8x16x16x16xf32> -> tensor<128x256xf32>
  return %1 : tensor<128x256xf32>
}
