// releases: 19
// covers: the amdgpu dialect: buffer accesses, matrix multiplication, packed conversions, barriers, tensor descriptors.
func.func @amdgpu(%m: memref<64xi32>, %mf: memref<64xf32>, %a: i32, %f: f32, %d: f64, %v32: vector<32xf32>, %x: index, %l: i64, %h: vector<16xf16>, %f8: vector<8xf32>, %i8v: vector<16xi8>, %i8r: vector<8xi32>, %h4: vector<4xf16>, %h8: vector<8xf16>, %f4: vector<4xf32>, %idx: vector<4xi8>, %v2: vector<2xf32>, %q5: vector<4xf8E5M2>) {
  amdgpu.mfma %f * %f + %v32 {blocks = 2 : i32, k = 1 : i32, m = 32 : i32, n = 32 : i32, abid = 1 : i32, cbsz = 1 : i32} blgp = bcast_second_32 : f32, f32, vector<32xf32>
  amdgpu.mfma %d * %d + %d {blocks = 4 : i32, k = 4 : i32, m = 4 : i32, n = 4 : i32, negateA, negateB} blgp = none : f64, f64, f64
  amdgpu.wmma %h * %h + %f8 : vector<16xf16>, vector<16xf16>, vector<8xf32>
  return
}
