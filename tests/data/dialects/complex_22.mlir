// releases: 22
// covers: the complex dialect: every operation, constants, fast-math flags, the number attribute.
func.func @complex(%a: complex<f32>, %b: complex<f32>, %f: f32, %d: complex<f64>, %i: i32, %l: i64) {
  complex.powi %a, %i : complex<f32>, i32
  return
}
