// Ops of other dialects between those of StableHLO.
// since other dialects
module @mixed {
  func.func @chain(%arg0: tensor<f32>) -> tensor<f32> {
    %0 = stablehlo.abs %arg0 : tensor<f32>
    %1 = arith.addf %0, %arg0 fastmath<fast> : tensor<f32>
    %2 = stablehlo.abs %1 : tensor<f32>
    %3 = math.sqrt %2 : tensor<f32>
    return %3 : tensor<f32>
  }
  func.func @attributes(%arg0: tensor<f32>) -> tensor<f32> attributes {a.map = affine_map<(d0) -> (d0)>, a.array = [affine_map<(d0) -> (d0)>, "x", [], 1 : i16], a.dict = {b = affine_map<(d0) -> (d0 + 1)>, c = "x"}} {
    return %arg0 : tensor<f32>
  }
}
