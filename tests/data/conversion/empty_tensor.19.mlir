func.func @f(%a: tensor<0xi32>) -> tensor<0xi32> {
  %0 = tosa.add %a, %a : (tensor<0xi32>, tensor<0xi32>) -> tensor<0xi32>
  return %0 : tensor<0xi32>
}
