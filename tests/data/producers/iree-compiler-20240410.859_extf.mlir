func.func @wide(%arg0: f16) -> f32 {
  %0 = arith.extf %arg0 : f16 to f32
  %1 = arith.mulf %0, %0 : f32
  return %1 : f32
}
