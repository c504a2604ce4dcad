// releases: 16 19 22
// covers: the nvvm dialect: matrix instructions with shapes and layouts, barriers, copies, conversions, targets, kernel attributes.
llvm.func @nvvm(%p: !llvm.ptr, %g: !llvm.ptr<1>, %s: !llvm.ptr<3>, %a: i32, %f: f32, %l: i64, %c: i1, %h2: vector<2xf16>, %v4: vector<4xf32>, %b2: vector<2xi8>, %d: f64) {
  nvvm.read.ptx.sreg.tid.x : i32
  nvvm.read.ptx.sreg.ntid.z : i32
  nvvm.read.ptx.sreg.ctaid.x : i32
  nvvm.read.ptx.sreg.laneid : i32
  nvvm.read.ptx.sreg.warpsize : i32
  nvvm.barrier0
  nvvm.bar.warp.sync %a : i32
  nvvm.shfl.sync bfly %a, %f, %a, %a : f32 -> f32
  nvvm.shfl.sync idx %a, %a, %a, %a {return_value_and_is_valid} : i32 -> !llvm.struct<(i32, i1)>
  nvvm.rcp.approx.ftz.f %f : f32
  nvvm.redux.sync add %a, %a : i32 -> i32
  nvvm.mma.sync A[%h2, %h2] B[%h2] C[%h2, %h2] {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, shape = #nvvm.shape<m = 16, n = 8, k = 8>} : (vector<2xf16>, vector<2xf16>, vector<2xf16>) -> !llvm.struct<(vector<2xf16>, vector<2xf16>)>
  nvvm.mma.sync A[%h2, %h2] B[%h2, %h2] C[%f, %f, %f, %f, %f, %f, %f, %f] {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, shape = #nvvm.shape<m = 8, n = 8, k = 4>} : (vector<2xf16>, vector<2xf16>, f32) -> !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32)>
  nvvm.mma.sync A[%a, %a] B[%a] C[%a, %a, %a, %a] {intOverflowBehavior = #nvvm.mma_int_overflow<satfinite>, layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, multiplicandAPtxType = #nvvm.mma_type<s8>, multiplicandBPtxType = #nvvm.mma_type<u8>, shape = #nvvm.shape<m = 16, n = 8, k = 16>} : (i32, i32, i32) -> !llvm.struct<(i32, i32, i32, i32)>
  nvvm.mma.sync A[%a, %a, %a, %a] B[%a, %a] C[%a, %a, %a, %a] {b1Op = #nvvm.mma_b1op<xor_popc>, layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, multiplicandAPtxType = #nvvm.mma_type<b1>, multiplicandBPtxType = #nvvm.mma_type<b1>, shape = #nvvm.shape<m = 16, n = 8, k = 256>} : (i32, i32, i32) -> !llvm.struct<(i32, i32, i32, i32)>
  nvvm.wmma.load %p, %a {eltype = #nvvm.mma_type<f16>, frag = #nvvm.mma_frag<a>, k = 16 : i32, layout = #nvvm.mma_layout<row>, m = 16 : i32, n = 16 : i32} : (!llvm.ptr) -> !llvm.struct<(vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>)>
  nvvm.wmma.store %p, %a, %h2, %h2, %h2, %h2 {eltype = #nvvm.mma_type<f16>, k = 16 : i32, layout = #nvvm.mma_layout<row>, m = 16 : i32, n = 16 : i32} : !llvm.ptr, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>
  nvvm.wmma.mma %h2, %h2, %h2, %h2, %h2, %h2, %h2, %h2, %h2, %h2, %h2, %h2, %h2, %h2, %h2, %h2, %h2, %h2, %h2, %h2 {eltypeA = #nvvm.mma_type<f16>, eltypeB = #nvvm.mma_type<f16>, k = 16 : i32, layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<row>, m = 16 : i32, n = 16 : i32} : (vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>) -> !llvm.struct<(vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>)>
  nvvm.cp.async.commit.group
  nvvm.cp.async.wait.group 2
  "t.nvvm"() {c = #nvvm.shape<m = 1, n = 2, k = 3>, d = [#nvvm.mma_layout<row>, #nvvm.mma_type<tf32>]} : () -> ()
  llvm.return
}
