// releases: 16 19
// covers: the x86vector dialect, with its intrinsics in old releases.
func.func @x86vector(%f16: vector<16xf32>, %f8: vector<8xf32>, %i16: vector<16xi32>, %m16: vector<16xi1>, %b32: vector<32xbf16>, %i: i32, %s: i16, %c: i8, %i8: vector<8xi32>, %b: vector<32xi8>, %mem: memref<16xbf16>, %mem1: memref<1xbf16>) {
  "x86vector.avx512.intr.mask.compress"(%f16, %f16, %m16) : (vector<16xf32>, vector<16xf32>, vector<16xi1>) -> vector<16xf32>
  "x86vector.avx512.intr.vp2intersect.d.512"(%i16, %i16) : (vector<16xi32>, vector<16xi32>) -> !llvm.struct<(vector<16xi1>, vector<16xi1>)>
  "x86vector.avx.intr.rsqrt.ps.256"(%f8) : (vector<8xf32>) -> vector<8xf32>
  "x86vector.avx.intr.dp.ps.256"(%f8, %f8, %c) : (vector<8xf32>, vector<8xf32>, i8) -> vector<8xf32>
  "x86vector.avx512.intr.mask.rndscale.ps.512"(%f16, %i, %f16, %s, %i) : (vector<16xf32>, i32, vector<16xf32>, i16, i32) -> vector<16xf32>
  "x86vector.avx512.intr.mask.scalef.ps.512"(%f16, %f16, %f16, %s, %i) : (vector<16xf32>, vector<16xf32>, vector<16xf32>, i16, i32) -> vector<16xf32>
  return
}
