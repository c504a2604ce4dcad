func.func @r(%a: tensor<4x4xi1>) -> tensor<1x4xi1> {
  %0 = "tosa.reduce_all"(%a) {axis = 0 : i32} : (tensor<4x4xi1>) -> tensor<1x4xi1>
  return %0 : tensor<1x4xi1>
}
