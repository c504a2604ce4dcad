// releases: 22
// covers: the math dialect: every operation, fast-math flags.
func.func @math(%f: f32, %g: f32, %v: vector<4xf32>, %a: i32, %i: index, %t: tensor<?xf64>, %b: bf16, %c: i1) {
  math.erfc %f : f32
  math.isfinite %f : f32
  math.isinf %f : f32
  math.isnan %f : f32
  math.isnormal %f : f32
  math.sincos %f : f32
  math.clampf %f to [%f, %g] : f32
  math.clampf %f to [%f, %g] fastmath<ninf> : f32
  return
}
