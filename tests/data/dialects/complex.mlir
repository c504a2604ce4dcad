// releases: 16 19 22
// covers: the complex dialect: every operation, constants, fast-math flags, the number attribute.
func.func @complex(%a: complex<f32>, %b: complex<f32>, %f: f32, %d: complex<f64>, %i: i32, %l: i64) {
  complex.constant [0.1, -1.0] : complex<f64>
  complex.constant [0x7FC00000 : f32, -0.0 : f32] : complex<f32>
  complex.constant [1.0 : f16, 2.0 : f16] : complex<f16>
  complex.create %f, %f : complex<f32>
  complex.re %a : complex<f32>
  complex.im %a : complex<f32>
  complex.add %a, %b : complex<f32>
  complex.sub %a, %b : complex<f32>
  complex.mul %a, %b : complex<f32>
  complex.div %a, %b : complex<f32>
  complex.eq %a, %b : complex<f32>
  complex.neq %a, %b : complex<f32>
  complex.abs %a : complex<f32>
  complex.abs %d : complex<f64>
  complex.neg %a : complex<f32>
  complex.exp %a : complex<f32>
  complex.expm1 %a : complex<f32>
  complex.log %a : complex<f32>
  complex.log1p %a : complex<f32>
  complex.sign %a : complex<f32>
  complex.sin %a : complex<f32>
  complex.cos %a : complex<f32>
  complex.tan %a : complex<f32>
  complex.tanh %a : complex<f32>
  complex.sqrt %a : complex<f32>
  complex.rsqrt %a : complex<f32>
  complex.pow %a, %b : complex<f32>
  complex.atan2 %a, %b : complex<f32>
  complex.angle %a : complex<f32>
  complex.conj %a : complex<f32>
  "t.complex"() {n = #complex.number<:f64 1.0, -2.5>, m = #complex.number<:f32 0x7F800000, -0.0>} : () -> ()
  "t.complex"() {n = #complex.number<:f64 0.1, 1.0e+30>} : () -> ()
  return
}
