func.func @f(%a: tensor<1xf64>) -> tensor<1xf64> {
  %0 = tosa.identity %a : (tensor<1xf64>) -> tensor<1xf64>
  return %0 : tensor<1xf64>
}
