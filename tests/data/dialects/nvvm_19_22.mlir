// releases: 19 22
// covers: the nvvm dialect: matrix instructions with shapes and layouts, barriers, copies, conversions, targets, kernel attributes.
llvm.func @nvvm(%p: !llvm.ptr, %g: !llvm.ptr<1>, %s: !llvm.ptr<3>, %a: i32, %f: f32, %l: i64, %c: i1, %h2: vector<2xf16>, %v4: vector<4xf32>, %b2: vector<2xi8>, %d: f64) {
  nvvm.read.ptx.sreg.clock64 : i64
  nvvm.barrier
  nvvm.barrier id = %a number_of_threads = %a
  nvvm.barrier.arrive id = %a number_of_threads = %a
  nvvm.cluster.arrive {aligned}
  nvvm.cluster.arrive.relaxed
  nvvm.cluster.wait
  nvvm.fence.sc.cluster
  nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
  nvvm.fence.proxy {kind = #nvvm.proxy_kind<alias>}
  %st_38 = llvm.mlir.undef : !llvm.struct<(f32, f32, f32, f32)>
      nvvm.wgmma.mma_async %l, %l, %st_38, #nvvm.shape<m = 64, n = 8, k = 8>, D[<f32>, <zero>], A[<tf32>, <neg>, <row>], B[<tf32>, <one>, <col>] : !llvm.struct<(f32, f32, f32, f32)> -> !llvm.struct<(f32, f32, f32, f32)>
  nvvm.wgmma.fence.aligned
  nvvm.wgmma.commit.group.sync.aligned
  nvvm.wgmma.wait.group.sync.aligned 5
  nvvm.cp.async.shared.global %s, %g, 16, cache = ca : !llvm.ptr<3>, !llvm.ptr<1>
  nvvm.cp.async.shared.global %s, %g, 16, cache = cg, %a : !llvm.ptr<3>, !llvm.ptr<1>, i32
  nvvm.cp.async.bulk.commit.group
  nvvm.cp.async.bulk.wait_group 1 {read}
  nvvm.mbarrier.init %p, %a : !llvm.ptr, i32
  nvvm.mbarrier.arrive %p : !llvm.ptr -> i64
  nvvm.setmaxregister increase 232
  nvvm.setmaxregister decrease 40
  nvvm.elect.sync -> i1
  "t.nvvm"() {a = #nvvm.target, b = #nvvm.target<O = 3, triple = "nvptx64", chip = "sm_90", features = "+ptx80", flags = {fast, ftz}, link = ["a.bc", "b.bc"]>, c = #nvvm.shape<m = 1, n = 2, k = 3>} : () -> ()
  llvm.return
}

llvm.func @kernel(%p: !llvm.ptr {nvvm.grid_constant, llvm.byval = !llvm.struct<(i32)>}) attributes {nvvm.kernel, nvvm.maxntid = array<i32: 1, 23, 32>, nvvm.minctasm = 16 : i32, nvvm.cluster_dim = array<i32: 2, 1>} {
  llvm.return
}
