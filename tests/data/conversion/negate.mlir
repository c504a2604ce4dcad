func.func @n(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "tosa.negate"(%a) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
