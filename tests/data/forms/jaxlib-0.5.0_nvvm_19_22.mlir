module {
  llvm.func @nvvm(%arg0: !llvm.ptr, %arg1: !llvm.ptr<1>, %arg2: !llvm.ptr<3>, %arg3: i32, %arg4: f32, %arg5: i64, %arg6: i1, %arg7: vector<2xf16>, %arg8: vector<4xf32>, %arg9: vector<2xi8>, %arg10: f64) {
    %0 = nvvm.read.ptx.sreg.clock64 : i64
    nvvm.barrier
    nvvm.barrier id = %arg3 number_of_threads = %arg3
    nvvm.barrier.arrive id = %arg3 number_of_threads = %arg3
    nvvm.cluster.arrive {aligned}
    nvvm.cluster.arrive.relaxed
    nvvm.cluster.wait
    nvvm.fence.sc.cluster
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<alias>}
    %1 = llvm.mlir.undef : !llvm.struct<(f32, f32, f32, f32)>
    %2 = nvvm.wgmma.mma_async %arg5, %arg5, %1, <m = 64, n = 8, k = 8>, D[<f32>, <zero>], A[<tf32>, <neg>, <row>], B[<tf32>, <one>, <col>] : !llvm.struct<(f32, f32, f32, f32)> -> !llvm.struct<(f32, f32, f32, f32)>
    nvvm.wgmma.fence.aligned
    nvvm.wgmma.commit.group.sync.aligned
    nvvm.wgmma.wait.group.sync.aligned 5
    nvvm.cp.async.shared.global %arg2, %arg1, 16, cache =  ca : !llvm.ptr<3>, !llvm.ptr<1>
    nvvm.cp.async.shared.global %arg2, %arg1, 16, cache =  cg, %arg3 : !llvm.ptr<3>, !llvm.ptr<1>, i32
    nvvm.cp.async.bulk.commit.group
    nvvm.cp.async.bulk.wait_group 1 {read}
    nvvm.mbarrier.init %arg0, %arg3 : !llvm.ptr, i32
    %3 = nvvm.mbarrier.arrive %arg0 : !llvm.ptr -> i64
    nvvm.setmaxregister  increase 232
    nvvm.setmaxregister  decrease 40
    %4 = nvvm.elect.sync -> i1
    "t.nvvm"() {a = #nvvm.target, b = #nvvm.target<O = 3, triple = "nvptx64", chip = "sm_90", features = "+ptx80", flags = {fast, ftz}, link = ["a.bc", "b.bc"]>, c = #nvvm.shape<m = 1, n = 2, k = 3>} : () -> ()
    llvm.return
  }
  llvm.func @kernel(%arg0: !llvm.ptr {llvm.byval = !llvm.struct<(i32)>, nvvm.grid_constant}) attributes {nvvm.cluster_dim = array<i32: 2, 1>, nvvm.kernel, nvvm.maxntid = array<i32: 1, 23, 32>, nvvm.minctasm = 16 : i32} {
    llvm.return
  }
}
