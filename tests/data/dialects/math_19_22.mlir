// releases: 19 22
// covers: the math dialect: every operation, fast-math flags.
func.func @math(%f: f32, %g: f32, %v: vector<4xf32>, %a: i32, %i: index, %t: tensor<?xf64>, %b: bf16, %c: i1) {
  math.acos %f : f32
  math.acosh %f : f32
  math.asin %f : f32
  math.asinh %f : f32
  math.atanh %f : f32
  math.cosh %f : f32
  math.sinh %f : f32
  return
}
