// releases: 19 22
// covers: the amdgpu dialect: buffer accesses, matrix multiplication, packed conversions, barriers, tensor descriptors.
func.func @amdgpu(%m: memref<64xi32>, %mf: memref<64xf32>, %a: i32, %f: f32, %d: f64, %v32: vector<32xf32>, %x: index, %l: i64, %h: vector<16xf16>, %f8: vector<8xf32>, %i8v: vector<16xi8>, %i8r: vector<8xi32>, %h4: vector<4xf16>, %h8: vector<8xf16>, %f4: vector<4xf32>, %idx: vector<4xi8>, %v2: vector<2xf32>, %q5: vector<4xf8E5M2>) {
  amdgpu.raw_buffer_atomic_fmax %f -> %mf[%a] : f32 -> memref<64xf32>, i32
  amdgpu.raw_buffer_atomic_smax %a -> %m[%a] : i32 -> memref<64xi32>, i32
  amdgpu.raw_buffer_atomic_umin %a -> %m[%a] : i32 -> memref<64xi32>, i32
  amdgpu.raw_buffer_atomic_cmpswap %a, %a -> %m[%a] : i32 -> memref<64xi32>, i32
  amdgpu.packed_trunc_2xfp8 %f, undef into undef[word 0] : f32 to vector<4xf8E5M2FNUZ>
  amdgpu.packed_stoch_round_fp8 %f + %a into undef[2] : f32 to vector<4xf8E5M2FNUZ>
  return
}

func.func @amdgpu_fp8(%q: vector<4xf8E5M2FNUZ>, %f: f32, %a: i32) {
  amdgpu.ext_packed_fp8 %q[1] : vector<4xf8E5M2FNUZ> to f32
  amdgpu.packed_trunc_2xfp8 %f, %f into %q[word 1] : f32 to vector<4xf8E5M2FNUZ> into vector<4xf8E5M2FNUZ>
  amdgpu.packed_stoch_round_fp8 %f + %a into %q[3] : f32 to vector<4xf8E5M2FNUZ> into vector<4xf8E5M2FNUZ>
  return
}
