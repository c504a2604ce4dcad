func.func private @s(tensor<8x8xf32, #sparse_tensor.encoding<{ dimLevelType = [ "dense", "compressed-nu" ], dimOrdering = affine_map<(i, j) -> (j, i)>, pointerBitWidth = 32 }>>)
