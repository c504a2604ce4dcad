// releases: 16 19 22
// covers: the amdgpu dialect: buffer accesses, matrix multiplication, packed conversions, barriers, tensor descriptors.
func.func @amdgpu(%m: memref<64xi32>, %mf: memref<64xf32>, %a: i32, %f: f32, %d: f64, %v32: vector<32xf32>, %x: index, %l: i64, %h: vector<16xf16>, %f8: vector<8xf32>, %i8v: vector<16xi8>, %i8r: vector<8xi32>, %h4: vector<4xf16>, %h8: vector<8xf16>, %f4: vector<4xf32>, %idx: vector<4xi8>, %v2: vector<2xf32>, %q5: vector<4xf8E5M2>) {
  amdgpu.raw_buffer_load {boundsCheck = true} %m[%a] : memref<64xi32>, i32 -> i32
  amdgpu.raw_buffer_load {boundsCheck = true} %m[%a] : memref<64xi32>, i32 -> vector<4xi32>
  amdgpu.raw_buffer_load {boundsCheck = false, indexOffset = 1 : i32} %m[%a] sgprOffset %a : memref<64xi32>, i32 -> i32
  amdgpu.raw_buffer_load %m[%a] : memref<64xi32>, i32 -> i32
  amdgpu.raw_buffer_store {boundsCheck = true} %a -> %m[%a] : i32 -> memref<64xi32>, i32
  amdgpu.raw_buffer_atomic_fadd {boundsCheck = true} %f -> %mf[%a] : f32 -> memref<64xf32>, i32
  amdgpu.lds_barrier
  return
}
