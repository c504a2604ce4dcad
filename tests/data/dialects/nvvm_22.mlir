// releases: 22
// covers: the nvvm dialect: matrix instructions with shapes and layouts, barriers, copies, conversions, targets, kernel attributes.
llvm.func @nvvm(%p: !llvm.ptr, %g: !llvm.ptr<1>, %s: !llvm.ptr<3>, %a: i32, %f: f32, %l: i64, %c: i1, %h2: vector<2xf16>, %v4: vector<4xf32>, %b2: vector<2xi8>, %d: f64) {
  nvvm.read.ptx.sreg.tid.y range <i32, 0, 64> : i32
  nvvm.fence.proxy.sync_restrict {order = #nvvm.mem_order<acquire>}
  nvvm.fence.sync_restrict {order = #nvvm.mem_order<release>}
  nvvm.vote.sync any %a, %c -> i1
  nvvm.redux.sync fmin %f, %a {abs = true, nan = true} : f32 -> f32
  nvvm.ldmatrix %s {num = 4 : i32, layout = #nvvm.mma_layout<col>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>, eltType = #nvvm.ld_st_matrix_elt_type<b16>} : (!llvm.ptr<3>) -> !llvm.struct<(i32, i32, i32, i32)>
  nvvm.stmatrix %s, %a, %a {layout = #nvvm.mma_layout<row>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>, eltType = #nvvm.ld_st_matrix_elt_type<b16>} : !llvm.ptr<3>, i32, i32
  nvvm.prefetch level = L1, %p : !llvm.ptr
  nvvm.prefetch level = L2, evict_priority = evict_last, %g : !llvm.ptr<1>
  nvvm.prefetch tensormap, %p : !llvm.ptr
  nvvm.pmevent mask = 15000
  nvvm.pmevent id = 10
  nvvm.convert.float.to.tf32 %f {rnd = #nvvm.fp_rnd_mode<rna>}
  nvvm.convert.float.to.tf32 %f {rnd = #nvvm.fp_rnd_mode<rn>, relu = true}
  nvvm.convert.f32x2.to.f8x2 %f, %f {rnd = #nvvm.fp_rnd_mode<rn>, sat = #nvvm.sat_mode<satfinite>} : i16 (f8E4M3FN)
  nvvm.convert.f32x2.to.f8x2 %f, %f {rnd = #nvvm.fp_rnd_mode<rz>, sat = #nvvm.sat_mode<satfinite>} : vector<2xi8> (f8E8M0FNU)
  nvvm.convert.f32x2.to.f6x2 %f, %f : vector<2xi8> (f6E3M2FN)
  nvvm.convert.f32x2.to.f4x2 %f, %f : i8 (f4E2M1FN)
  nvvm.convert.f32x4.to.f8x4 %v4, %a : vector<4xf32> -> vector<4xi8> (f8E5M2)
  nvvm.convert.f32x4.to.f6x4 %v4, %a : vector<4xf32> -> vector<4xi8> (f6E3M2FN)
  nvvm.convert.f32x4.to.f4x4 %v4, %a : vector<4xf32> -> i16 (f4E2M1FN)
  nvvm.convert.f8x2.to.f16x2 %b2 : vector<2xi8> (f8E4M3FN) -> vector<2xf16>
  nvvm.convert.f8x2.to.bf16x2 %b2 : vector<2xi8> (f8E8M0FNU) -> vector<2xbf16>
  nvvm.convert.f6x2.to.f16x2 %b2 : vector<2xi8> (f6E3M2FN) -> vector<2xf16>
  nvvm.convert.f16x2.to.f8x2 %h2 : vector<2xf16> -> i16 (f8E5M2)
  nvvm.convert.f32x2.to.f16x2 %f, %f {rnd = #nvvm.fp_rnd_mode<rn>} : vector<2xf16>
  nvvm.convert.f32x2.to.bf16x2 %f, %f {rnd = #nvvm.fp_rnd_mode<rz>, relu = true} : vector<2xbf16>
  nvvm.elect.sync %a -> i1
  nvvm.exit
  nvvm.breakpoint
  nvvm.griddepcontrol wait
  nvvm.mapa %p, %a : !llvm.ptr -> !llvm.ptr
  nvvm.match.sync any %a, %a : i32 -> i32
  nvvm.match.sync all %a, %l : i64 -> !llvm.struct<(i32, i1)>
  nvvm.st.bulk %p, size = %l : !llvm.ptr
  nvvm.inline_ptx "mov.b32 $0, $1;" ro (%a : i32) -> i32
  nvvm.inline_ptx "ex2.approx.ftz.f32 {$r0}, {$w0};" ro (%f : f32), predicate = %c -> f32
  "t.nvvm"() {a = #nvvm.target<verifyTarget = false>, b = #nvvm.ld_st_matrix_shape<m = 16, n = 8>} : () -> ()
  llvm.return
}
