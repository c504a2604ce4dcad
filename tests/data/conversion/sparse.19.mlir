func.func private @s(tensor<8x8xf32, #sparse_tensor.encoding<{ map = (d0, d1) -> (d1 : dense, d0 : compressed(nonunique)), posWidth = 32 }>>)
