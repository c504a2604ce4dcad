// releases: 22
// covers: the amdgpu dialect: buffer accesses, matrix multiplication, packed conversions, barriers, tensor descriptors.
func.func @amdgpu(%m: memref<64xi32>, %mf: memref<64xf32>, %a: i32, %f: f32, %d: f64, %v32: vector<32xf32>, %x: index, %l: i64, %h: vector<16xf16>, %f8: vector<8xf32>, %i8v: vector<16xi8>, %i8r: vector<8xi32>, %h4: vector<4xf16>, %h8: vector<8xf16>, %f4: vector<4xf32>, %idx: vector<4xi8>, %v2: vector<2xf32>, %q5: vector<4xf8E5M2>) {
  amdgpu.sched_barrier allow = <none>
  amdgpu.sched_barrier allow = <valu|all_vmem>
  amdgpu.memory_counter_wait load(1) store(2) ds(3) exp(4)
  amdgpu.memory_counter_wait
  amdgpu.mfma 32x32x1 %f * %f + %v32 {abid = 1 : i32, cbsz = 1 : i32, blocks = 2 : i32} blgp = bcast_second_32 : f32, f32, vector<32xf32>
  amdgpu.mfma 4x4x4 %d * %d + %d {blocks = 4 : i32, negateA, negateC} blgp = none : f64, f64, f64
  amdgpu.wmma 16x16x16 %h * %h + %f8 : vector<16xf16>, vector<16xf16>, vector<8xf32>
  amdgpu.wmma 16x16x16 %i8v * %i8v + %i8r {unsignedA, clamp} : vector<16xi8>, vector<16xi8>, vector<8xi32>
  amdgpu.sparse_mfma 16x16x32 %h4 * %h8 + %f4 sparse(%idx : vector<4xi8>) : vector<4xf16>, vector<8xf16>, vector<4xf32>
  amdgpu.packed_scaled_trunc %v2 into undef[0], %f : vector<2xf32> to vector<4xf8E5M2>
  amdgpu.scaled_ext_packed %q5[0], %f : vector<4xf8E5M2> to vector<2xf32>
  amdgpu.dpp %a %a quad_perm([0, 1, 2, 3]) : i32
  amdgpu.dpp %a %a quad_perm([0 : i32, 1 : i32, 2 : i32, 3 : i32]) {row_mask = 15 : i32, bank_mask = 1 : i32, bound_ctrl = true} : i32
  amdgpu.dpp %a %a row_shl(1 : i32) : i32
  amdgpu.dpp %a %a row_mirror(unit) : i32
  amdgpu.dpp %a %a row_bcast_15 : i32
  amdgpu.swizzle_bitmode %a 1 2 4 : i32
  amdgpu.permlane_swap %a 16 : i32
  amdgpu.permlane_swap %a 32 {fetch_inactive = true, bound_ctrl = true} : i32
  return
}

func.func @amdgpu_fp8(%q: vector<4xf8E5M2FNUZ>, %f: f32, %a: i32) {
  amdgpu.ext_packed_fp8 %q[1] : vector<4xf8E5M2FNUZ> to vector<2xf32>
  return
}

func.func @amdgpu_new(%sc: vector<4xf8E8M0FNU>, %fp4: vector<32xf4E2M1FN>, %f4: vector<4xf32>, %mg: memref<8xi32, #gpu.address_space<global>>, %ml: memref<8xi32, #gpu.address_space<workgroup>>, %mh: memref<128x256xf16, #gpu.address_space<workgroup>>, %x: index, %a: i32, %l: i64, %s14: i14, %g16: vector<13xi16>) {
  amdgpu.scaled_mfma 16x16x128 (%sc[0] * %fp4) * (%sc[1] * %fp4) + %f4 : vector<4xf8E8M0FNU>, vector<32xf4E2M1FN>, vector<4xf8E8M0FNU>, vector<32xf4E2M1FN>, vector<4xf32>
  amdgpu.fat_raw_buffer_cast %mg : memref<8xi32, #gpu.address_space<global>> to memref<8xi32, #amdgpu.address_space<fat_raw_buffer>>
  amdgpu.fat_raw_buffer_cast %mg validBytes(%l) cacheSwizzleStride(%s14) boundsCheck(false) resetOffset : memref<8xi32, #gpu.address_space<global>> to memref<8xi32, #amdgpu.address_space<fat_raw_buffer>>
  amdgpu.gather_to_lds %mg[%x], %ml[%x] : i32, memref<8xi32, #gpu.address_space<global>>, memref<8xi32, #gpu.address_space<workgroup>>
  amdgpu.transpose_load %mh[%x, %x] : memref<128x256xf16, #gpu.address_space<workgroup>> -> vector<4xf16>
  %b_5 = amdgpu.make_dma_base %mg[%x], %ml[%x] : memref<8xi32, #gpu.address_space<global>>, memref<8xi32, #gpu.address_space<workgroup>> -> !amdgpu.tdm_base<i32>
      %dd_5 = amdgpu.make_dma_descriptor %b_5 globalSize [64] globalStride [1] sharedSize [64] : !amdgpu.tdm_base<i32> -> !amdgpu.tdm_descriptor
      amdgpu.tensor_load_to_lds %dd_5 : !amdgpu.tdm_descriptor
      amdgpu.tensor_store_from_lds %dd_5 : !amdgpu.tdm_descriptor
  %b_6 = amdgpu.make_dma_base %mg[%x], %ml[%x] : memref<8xi32, #gpu.address_space<global>>, memref<8xi32, #gpu.address_space<workgroup>> -> !amdgpu.tdm_base<i32>
      %dd_6 = amdgpu.make_dma_descriptor %b_6 globalSize [%x, 64] globalStride [64, 1] sharedSize [64, %x] padShared(%a every %a) : !amdgpu.tdm_base<i32> -> !amdgpu.tdm_descriptor
  %b_7 = amdgpu.make_gather_dma_base %mg[%x], %ml[%x] : memref<8xi32, #gpu.address_space<global>>, memref<8xi32, #gpu.address_space<workgroup>> -> !amdgpu.tdm_gather_base<i32, i16>
      %dd_7 = amdgpu.make_gather_dma_descriptor %b_7[%g16] globalSize [64, 64] globalStride [64, 1] sharedSize [64, 64] : !amdgpu.tdm_gather_base<i32, i16>, vector<13xi16> -> !amdgpu.tdm_descriptor
  return
}
