// releases: 19
// covers: the amx dialect: tiles, as vectors in old releases and as a type of its own in new ones.
llvm.func @amx_vector_intrinsics(%r: i16, %c: i16, %p: !llvm.ptr, %s: i64) {
  %0 = "amx.tilezero"(%r, %c) : (i16, i16) -> vector<256xi32>
  %1 = "amx.tileloadd64"(%r, %c, %p, %s) : (i16, i16, !llvm.ptr, i64) -> vector<256xi32>
  "amx.tilestored64"(%r, %c, %p, %s, %0) : (i16, i16, !llvm.ptr, i64, vector<256xi32>) -> ()
  %2 = "amx.tdpbf16ps"(%r, %c, %c, %0, %0, %1) : (i16, i16, i16, vector<256xi32>, vector<256xi32>, vector<256xi32>) -> vector<256xi32>
  %3 = "amx.tdpbssd"(%r, %c, %c, %0, %0, %1) : (i16, i16, i16, vector<256xi32>, vector<256xi32>, vector<256xi32>) -> vector<256xi32>
  %4 = "amx.tdpbsud"(%r, %c, %c, %0, %0, %1) : (i16, i16, i16, vector<256xi32>, vector<256xi32>, vector<256xi32>) -> vector<256xi32>
  %5 = "amx.tdpbusd"(%r, %c, %c, %0, %0, %1) : (i16, i16, i16, vector<256xi32>, vector<256xi32>, vector<256xi32>) -> vector<256xi32>
  %6 = "amx.tdpbuud"(%r, %c, %c, %0, %0, %1) : (i16, i16, i16, vector<256xi32>, vector<256xi32>, vector<256xi32>) -> vector<256xi32>
  llvm.return
}
