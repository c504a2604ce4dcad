func.func @twice(%arg0: tensor<5x4xf32>, %arg1: tensor<4x5xf32>, %arg2: tensor<5x4xf32>) -> tensor<5x4xf32> {
  %0 = linalg.transpose ins(%arg0 : tensor<5x4xf32>) outs(%arg1 : tensor<4x5xf32>) permutation = [1, 0] loc(#loc1)
  %1 = linalg.transpose ins(%0 : tensor<4x5xf32>) outs(%arg2 : tensor<5x4xf32>) permutation = [1, 0] loc(#loc2)
  return %1 : tensor<5x4xf32>
}
#loc1 = loc("a.py":3:1)
#loc2 = loc("b.py":4:1)
