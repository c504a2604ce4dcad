// releases: 19 22
// covers: the complex dialect: every operation, constants, fast-math flags, the number attribute.
func.func @complex(%a: complex<f32>, %b: complex<f32>, %f: f32, %d: complex<f64>, %i: i32, %l: i64) {
  complex.re %a fastmath<nnan> : complex<f32>
  complex.mul %a, %b fastmath<nnan,contract> : complex<f32>
  complex.div %a, %b fastmath<arcp> : complex<f32>
  complex.exp %a fastmath<fast> : complex<f32>
  complex.bitcast %a : complex<f32> to i64
  complex.bitcast %l : i64 to complex<f32>
  return
}
