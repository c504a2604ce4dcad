func.func @f(%a: tensor<?xf32>) -> tensor<?x4xf32> {
  %0 = tensor.expand_shape %a [[0, 1]] : tensor<?xf32> into tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}
