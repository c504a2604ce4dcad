func.func @m(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %0 = linalg.map ins(%a : tensor<4xf32>) outs(%b : tensor<4xf32>) (%x: f32) {
    linalg.yield %x : f32
  }
  return %0 : tensor<4xf32>
}
