
util.global private mutable @g = dense<0.0> : tensor<4xf32>
func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {
  %w = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %g = util.global.load @g : tensor<4xf32>
  %x = arith.addf %a, %w : tensor<4xf32>
  %y = arith.addf %x, %g : tensor<4xf32>
  util.global.store %y, @g : tensor<4xf32>
  return %y : tensor<4xf32>
}
