// releases: 16 19 22
// covers: the x86vector dialect, with its intrinsics in old releases.
func.func @x86vector(%f16: vector<16xf32>, %f8: vector<8xf32>, %i16: vector<16xi32>, %m16: vector<16xi1>, %b32: vector<32xbf16>, %i: i32, %s: i16, %c: i8, %i8: vector<8xi32>, %b: vector<32xi8>, %mem: memref<16xbf16>, %mem1: memref<1xbf16>) {
  x86vector.avx512.mask.rndscale %f16, %i, %f16, %s, %i : vector<16xf32>
  x86vector.avx512.mask.scalef %f16, %f16, %f16, %s, %i : vector<16xf32>
  x86vector.avx512.vp2intersect %i16, %i16 : vector<16xi32>
  x86vector.avx512.mask.compress %m16, %f16 : vector<16xf32>
  x86vector.avx512.mask.compress %m16, %f16, %f16 : vector<16xf32>, vector<16xf32>
  x86vector.avx512.mask.compress %m16, %i16 {constant_src = dense<5> : vector<16xi32>} : vector<16xi32>
  x86vector.avx.rsqrt %f8 : vector<8xf32>
  x86vector.avx.intr.dot %f8, %f8 : vector<8xf32>
  return
}
