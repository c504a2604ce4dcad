// releases: 22
// covers: the x86vector dialect, with its intrinsics in old releases.
func.func @x86vector(%f16: vector<16xf32>, %f8: vector<8xf32>, %i16: vector<16xi32>, %m16: vector<16xi1>, %b32: vector<32xbf16>, %i: i32, %s: i16, %c: i8, %i8: vector<8xi32>, %b: vector<32xi8>, %mem: memref<16xbf16>, %mem1: memref<1xbf16>) {
  x86vector.avx512.dot %f16, %b32, %b32 : vector<32xbf16> -> vector<16xf32>
  x86vector.avx512.cvt.packed.f32_to_bf16 %f16 : vector<16xf32> -> vector<16xbf16>
  x86vector.avx.dot.i8 %i8, %b, %b : vector<32xi8> -> vector<8xi32>
  x86vector.avx.cvt.packed.even.indexed_to_f32 %mem : memref<16xbf16> -> vector<8xf32>
  x86vector.avx.cvt.packed.odd.indexed_to_f32 %mem : memref<16xbf16> -> vector<8xf32>
  x86vector.avx.bcst_to_f32.packed %mem1 : memref<1xbf16> -> vector<8xf32>
  return
}
