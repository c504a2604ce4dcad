// releases: 16 19 22
// covers: more operations of the nvvm dialect, each once in generic form with the types and attributes it asks for.
"t.all"() ({
  "t.with"() ({
    ^bb0(%a0: i32):
      "nvvm.action"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "nvvm.annotations"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "nvvm.bar.warp.sync"(%a0) : (i32) -> ()
    }) : () -> ()
  "t.with"() ({
      "nvvm.barrier"() {operandSegmentSizes = array<i32: 0, 0, 0>} : () -> ()
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "nvvm.barrier.arrive"(%a0) : (i32) -> ()
    }) : () -> ()
  "t.with"() ({
      "nvvm.barrier0"() : () -> ()
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "nvvm.block_scale_format"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "nvvm.block_scale_kind"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "nvvm.blocksareclusters"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
      "nvvm.breakpoint"() : () -> ()
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "nvvm.cache_eviction_priority"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
      "nvvm.cluster.arrive"() : () -> ()
    }) : () -> ()
  "t.with"() ({
      "nvvm.cluster.arrive.relaxed"() : () -> ()
    }) : () -> ()
  "t.with"() ({
      "nvvm.cluster.wait"() : () -> ()
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "nvvm.cluster_dim"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "nvvm.cluster_dimload_cache_modifld_st_matrix_eltstore_cache_contMPI_ERR_RMA_CONFOR"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "nvvm.cluster_launch_control_query_type"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "nvvm.cluster_max"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !llvm.ptr<3>, %a1: !llvm.ptr<3>):
      "nvvm.clusterlaunchcontrol.try.cancel"(%a0, %a1) : (!llvm.ptr<3>, !llvm.ptr<3>) -> ()
    }) : () -> ()
  "t.with"() ({
      "nvvm.cp.async.bulk.commit.group"() : () -> ()
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !llvm.ptr<1>, %a1: !llvm.ptr<3>, %a2: i32):
      "nvvm.cp.async.bulk.global.shared.cta"(%a0, %a1, %a2) {operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>} : (!llvm.ptr<1>, !llvm.ptr<3>, i32) -> ()
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !llvm.ptr<1>, %a1: i32):
      "nvvm.cp.async.bulk.prefetch"(%a0, %a1) : (!llvm.ptr<1>, i32) -> ()
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !llvm.ptr<3>, %a1: !llvm.ptr<1>, %a2: !llvm.ptr<3>, %a3: i32):
      "nvvm.cp.async.bulk.shared.cluster.global"(%a0, %a1, %a2, %a3) {operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0>} : (!llvm.ptr<3>, !llvm.ptr<1>, !llvm.ptr<3>, i32) -> ()
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !llvm.ptr<7>, %a1: !llvm.ptr<3>, %a2: !llvm.ptr<3>, %a3: i32):
      "nvvm.cp.async.bulk.shared.cluster.shared.cta"(%a0, %a1, %a2, %a3) : (!llvm.ptr<7>, !llvm.ptr<3>, !llvm.ptr<3>, i32) -> ()
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !llvm.ptr, %a1: i32):
      "nvvm.cp.async.bulk.tensor.prefetch"(%a0, %a1) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!llvm.ptr, i32) -> ()
    }) : () -> ()
  "t.with"() ({
      "nvvm.cp.async.bulk.wait_group"() {group = 1 : i32} : () -> ()
    }) : () -> ()
  "t.with"() ({
      "nvvm.cp.async.commit.group"() : () -> ()
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !llvm.ptr):
      "nvvm.cp.async.mbarrier.arrive"(%a0) : (!llvm.ptr) -> ()
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !llvm.ptr<3>):
      "nvvm.cp.async.mbarrier.arrive.shared"(%a0) : (!llvm.ptr<3>) -> ()
    }) : () -> ()
  "t.with"() ({
      "nvvm.cp.async.wait.group"() {n = 1 : i32} : () -> ()
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "nvvm.cta_group"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "nvvm.dot_accumulate_type"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
      "nvvm.elect.sync"() : () -> i1
    }) : () -> ()
  "t.with"() ({
      "nvvm.exit"() : () -> ()
    }) : () -> ()
  "t.with"() ({
      "nvvm.fence.mbarrier.init"() : () -> ()
    }) : () -> ()
  "t.with"() ({
      "nvvm.fence.sc.cluster"() : () -> ()
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "nvvm.fp_rnd_mode"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "nvvm.grid_constaType"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "nvvm.grid_constant"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "nvvm.grid_dep_action"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32, %a1: i32):
      "nvvm.inline_ptx"(%a0, %a1) {ptxCode = "x", operandSegmentSizes = array<i32: 1, 1, 0>} : (i32, i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "nvvm.kerH3"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "nvvm.kernel"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "nvvm.ld_st_matrix_elt_type"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "nvvm.ld_st_matrix_shape"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "nvvm.load_cache_modifier"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !llvm.ptr, %a1: i32):
      "nvvm.mapa"(%a0, %a1) : (!llvm.ptr, i32) -> !llvm.ptr
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "nvvm.match_sync_kind"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "nvvm.maxH3"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "nvvm.maxclusterrank"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "nvvm.maxnreg"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "nvvm.maxntid"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !llvm.ptr, %a1: i32):
      "nvvm.mbarrier.arrive.expect_tx"(%a0, %a1) : (!llvm.ptr, i32) -> ()
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !llvm.ptr<3>, %a1: i32):
      "nvvm.mbarrier.arrive.expect_tx.shared"(%a0, %a1) : (!llvm.ptr<3>, i32) -> ()
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !llvm.ptr, %a1: i32):
      "nvvm.mbarrier.arrive.nocomplete"(%a0, %a1) : (!llvm.ptr, i32) -> i64
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !llvm.ptr<3>, %a1: i32):
      "nvvm.mbarrier.arrive.nocomplete.shared"(%a0, %a1) : (!llvm.ptr<3>, i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !llvm.ptr<3>):
      "nvvm.mbarrier.arrive.shared"(%a0) : (!llvm.ptr<3>) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !llvm.ptr):
      "nvvm.mbarrier.arrive_drop"(%a0) : (!llvm.ptr) -> ()
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !llvm.ptr, %a1: i32):
      "nvvm.mbarrier.arrive_drop.expect_tx"(%a0, %a1) : (!llvm.ptr, i32) -> ()
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !llvm.ptr, %a1: i32):
      "nvvm.mbarrier.arrive_drop.nocomplete"(%a0, %a1) : (!llvm.ptr, i32) -> i64
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !llvm.ptr<3>, %a1: i32):
      "nvvm.mbarrier.complete_tx"(%a0, %a1) : (!llvm.ptr<3>, i32) -> ()
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !llvm.ptr<3>, %a1: i32):
      "nvvm.mbarrier.expect_tx"(%a0, %a1) : (!llvm.ptr<3>, i32) -> ()
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !llvm.ptr, %a1: i32):
      "nvvm.mbarrier.init"(%a0, %a1) : (!llvm.ptr, i32) -> ()
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !llvm.ptr):
      "nvvm.mbarrier.inval"(%a0) : (!llvm.ptr) -> ()
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !llvm.ptr<3>):
      "nvvm.mbarrier.inval.shared"(%a0) : (!llvm.ptr<3>) -> ()
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !llvm.ptr, %a1: i64):
      "nvvm.mbarrier.test.wait"(%a0, %a1) : (!llvm.ptr, i64) -> i1
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !llvm.ptr<3>, %a1: i32):
      "nvvm.mbarrier.test.wait.shared"(%a0, %a1) : (!llvm.ptr<3>, i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !llvm.ptr, %a1: i64):
      "nvvm.mbarrier.try_wait"(%a0, %a1) : (!llvm.ptr, i64) -> i1
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !llvm.ptr, %a1: i32, %a2: i32):
      "nvvm.mbarrier.try_wait.parity"(%a0, %a1, %a2) : (!llvm.ptr, i32, i32) -> ()
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "nvvm.mem_order"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "nvvm.mem_scope"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "nvvm.memory_space"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "nvvm.minH3"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "nvvm.minctasm"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "nvvm.mma_b1op"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "nvvm.mma_frag"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "nvvm.mma_int_overflow"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "nvvm.mma_kind"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "nvvm.mma_layout"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "nvvm.mma_type"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "nvvm.nanosleep"(%a0) : (i32) -> ()
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "nvvm.permute_mode"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "nvvm.prefetch_cache_level"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "nvvm.proxy_kind"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: f32):
      "nvvm.rcp.approx.ftz.f"(%a0) : (f32) -> f32
    }) : () -> ()
  "t.with"() ({
      "nvvm.read.ptx.sreg.aggr.smem.size"() : () -> i32
    }) : () -> ()
  "t.with"() ({
      "nvvm.read.ptx.sreg.clock"() : () -> i32
    }) : () -> ()
  "t.with"() ({
      "nvvm.read.ptx.sreg.clock64"() : () -> i32
    }) : () -> ()
  "t.with"() ({
      "nvvm.read.ptx.sreg.cluster.ctaid.x"() : () -> i32
    }) : () -> ()
  "t.with"() ({
      "nvvm.read.ptx.sreg.cluster.ctaid.y"() : () -> i32
    }) : () -> ()
  "t.with"() ({
      "nvvm.read.ptx.sreg.cluster.ctaid.z"() : () -> i32
    }) : () -> ()
  "t.with"() ({
      "nvvm.read.ptx.sreg.cluster.ctarank"() : () -> i32
    }) : () -> ()
  "t.with"() ({
      "nvvm.read.ptx.sreg.cluster.nctaid.x"() : () -> i32
    }) : () -> ()
  "t.with"() ({
      "nvvm.read.ptx.sreg.cluster.nctaid.y"() : () -> i32
    }) : () -> ()
  "t.with"() ({
      "nvvm.read.ptx.sreg.cluster.nctaid.z"() : () -> i32
    }) : () -> ()
  "t.with"() ({
      "nvvm.read.ptx.sreg.cluster.nctarank"() : () -> i32
    }) : () -> ()
  "t.with"() ({
      "nvvm.read.ptx.sreg.clusterid.x"() : () -> i32
    }) : () -> ()
  "t.with"() ({
      "nvvm.read.ptx.sreg.clusterid.y"() : () -> i32
    }) : () -> ()
  "t.with"() ({
      "nvvm.read.ptx.sreg.clusterid.z"() : () -> i32
    }) : () -> ()
  "t.with"() ({
      "nvvm.read.ptx.sreg.ctaid.x"() : () -> i32
    }) : () -> ()
  "t.with"() ({
      "nvvm.read.ptx.sreg.ctaid.y"() : () -> i32
    }) : () -> ()
  "t.with"() ({
      "nvvm.read.ptx.sreg.ctaid.z"() : () -> i32
    }) : () -> ()
  "t.with"() ({
      "nvvm.read.ptx.sreg.dynamic.smem.size"() : () -> i32
    }) : () -> ()
  "t.with"() ({
      "nvvm.read.ptx.sreg.envreg0"() : () -> i32
    }) : () -> ()
  "t.with"() ({
      "nvvm.read.ptx.sreg.envreg1"() : () -> i32
    }) : () -> ()
  "t.with"() ({
      "nvvm.read.ptx.sreg.envreg10"() : () -> i32
    }) : () -> ()
  "t.with"() ({
      "nvvm.read.ptx.sreg.envreg11"() : () -> i32
    }) : () -> ()
  "t.with"() ({
      "nvvm.read.ptx.sreg.envreg12"() : () -> i32
    }) : () -> ()
  "t.with"() ({
      "nvvm.read.ptx.sreg.envreg13"() : () -> i32
    }) : () -> ()
  "t.with"() ({
      "nvvm.read.ptx.sreg.envreg14"() : () -> i32
    }) : () -> ()
  "t.with"() ({
      "nvvm.read.ptx.sreg.envreg15"() : () -> i32
    }) : () -> ()
  "t.with"() ({
      "nvvm.read.ptx.sreg.envreg16"() : () -> i32
    }) : () -> ()
  "t.with"() ({
      "nvvm.read.ptx.sreg.envreg17"() : () -> i32
    }) : () -> ()
  "t.with"() ({
      "nvvm.read.ptx.sreg.envreg18"() : () -> i32
    }) : () -> ()
  "t.with"() ({
      "nvvm.read.ptx.sreg.envreg19"() : () -> i32
    }) : () -> ()
  "t.with"() ({
      "nvvm.read.ptx.sreg.envreg2"() : () -> i32
    }) : () -> ()
  "t.with"() ({
      "nvvm.read.ptx.sreg.envreg20"() : () -> i32
    }) : () -> ()
  "t.with"() ({
      "nvvm.read.ptx.sreg.envreg21"() : () -> i32
    }) : () -> ()
  "t.with"() ({
      "nvvm.read.ptx.sreg.envreg22"() : () -> i32
    }) : () -> ()
  "t.with"() ({
      "nvvm.read.ptx.sreg.envreg23"() : () -> i32
    }) : () -> ()
  "t.with"() ({
      "nvvm.read.ptx.sreg.envreg24"() : () -> i32
    }) : () -> ()
  "t.with"() ({
      "nvvm.read.ptx.sreg.envreg25"() : () -> i32
    }) : () -> ()
  "t.with"() ({
      "nvvm.read.ptx.sreg.envreg26"() : () -> i32
    }) : () -> ()
  "t.with"() ({
      "nvvm.read.ptx.sreg.envreg27"() : () -> i32
    }) : () -> ()
  "t.with"() ({
      "nvvm.read.ptx.sreg.envreg28"() : () -> i32
    }) : () -> ()
  "t.with"() ({
      "nvvm.read.ptx.sreg.envreg29"() : () -> i32
    }) : () -> ()
  "t.with"() ({
      "nvvm.read.ptx.sreg.envreg3"() : () -> i32
    }) : () -> ()
  "t.with"() ({
      "nvvm.read.ptx.sreg.envreg30"() : () -> i32
    }) : () -> ()
  "t.with"() ({
      "nvvm.read.ptx.sreg.envreg31"() : () -> i32
    }) : () -> ()
  "t.with"() ({
      "nvvm.read.ptx.sreg.envreg4"() : () -> i32
    }) : () -> ()
  "t.with"() ({
      "nvvm.read.ptx.sreg.envreg5"() : () -> i32
    }) : () -> ()
  "t.with"() ({
      "nvvm.read.ptx.sreg.envreg6"() : () -> i32
    }) : () -> ()
  "t.with"() ({
      "nvvm.read.ptx.sreg.envreg7"() : () -> i32
    }) : () -> ()
  "t.with"() ({
      "nvvm.read.ptx.sreg.envreg8"() : () -> i32
    }) : () -> ()
  "t.with"() ({
      "nvvm.read.ptx.sreg.envreg9"() : () -> i32
    }) : () -> ()
  "t.with"() ({
      "nvvm.read.ptx.sreg.globaltimer"() : () -> i32
    }) : () -> ()
  "t.with"() ({
      "nvvm.read.ptx.sreg.globaltimer.lo"() : () -> i32
    }) : () -> ()
  "t.with"() ({
      "nvvm.read.ptx.sreg.gridid"() : () -> i32
    }) : () -> ()
  "t.with"() ({
      "nvvm.read.ptx.sreg.laneid"() : () -> i32
    }) : () -> ()
  "t.with"() ({
      "nvvm.read.ptx.sreg.lanemask.eq"() : () -> i32
    }) : () -> ()
  "t.with"() ({
      "nvvm.read.ptx.sreg.lanemask.ge"() : () -> i32
    }) : () -> ()
  "t.with"() ({
      "nvvm.read.ptx.sreg.lanemask.gt"() : () -> i32
    }) : () -> ()
  "t.with"() ({
      "nvvm.read.ptx.sreg.lanemask.le"() : () -> i32
    }) : () -> ()
  "t.with"() ({
      "nvvm.read.ptx.sreg.lanemask.lt"() : () -> i32
    }) : () -> ()
  "t.with"() ({
      "nvvm.read.ptx.sreg.nclusterid.x"() : () -> i32
    }) : () -> ()
  "t.with"() ({
      "nvvm.read.ptx.sreg.nclusterid.y"() : () -> i32
    }) : () -> ()
  "t.with"() ({
      "nvvm.read.ptx.sreg.nclusterid.z"() : () -> i32
    }) : () -> ()
  "t.with"() ({
      "nvvm.read.ptx.sreg.nctaid.x"() : () -> i32
    }) : () -> ()
  "t.with"() ({
      "nvvm.read.ptx.sreg.nctaid.y"() : () -> i32
    }) : () -> ()
  "t.with"() ({
      "nvvm.read.ptx.sreg.nctaid.z"() : () -> i32
    }) : () -> ()
  "t.with"() ({
      "nvvm.read.ptx.sreg.nsmid"() : () -> i32
    }) : () -> ()
  "t.with"() ({
      "nvvm.read.ptx.sreg.ntid.x"() : () -> i32
    }) : () -> ()
  "t.with"() ({
      "nvvm.read.ptx.sreg.ntid.y"() : () -> i32
    }) : () -> ()
  "t.with"() ({
      "nvvm.read.ptx.sreg.ntid.z"() : () -> i32
    }) : () -> ()
  "t.with"() ({
      "nvvm.read.ptx.sreg.nwarpid"() : () -> i32
    }) : () -> ()
  "t.with"() ({
      "nvvm.read.ptx.sreg.smid"() : () -> i32
    }) : () -> ()
  "t.with"() ({
      "nvvm.read.ptx.sreg.tid.x"() : () -> i32
    }) : () -> ()
  "t.with"() ({
      "nvvm.read.ptx.sreg.tid.y"() : () -> i32
    }) : () -> ()
  "t.with"() ({
      "nvvm.read.ptx.sreg.tid.z"() : () -> i32
    }) : () -> ()
  "t.with"() ({
      "nvvm.read.ptx.sreg.total.smem.size"() : () -> i32
    }) : () -> ()
  "t.with"() ({
      "nvvm.read.ptx.sreg.warpid"() : () -> i32
    }) : () -> ()
  "t.with"() ({
      "nvvm.read.ptx.sreg.warpsize"() : () -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "nvvm.reduction"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32, %a1: i32):
      "nvvm.redux.sync"(%a0, %a1) {kind = #nvvm<redux_kind add>} : (i32, i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "nvvm.redux_kind"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "nvvm.reqH3"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "nvvm.reqntid"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "nvvm.sat_mode"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "nvvm.scale_vec_size"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "nvvm.shape"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "nvvm.shared_space"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32, %a1: i32, %a2: i32, %a3: i32):
      "nvvm.shfl.sync"(%a0, %a1, %a2, %a3) {kind = #nvvm<shfl_kind bfly>} : (i32, i32, i32, i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "nvvm.shfl_kind"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !llvm.ptr, %a1: i64):
      "nvvm.st.bulk"(%a0, %a1) : (!llvm.ptr, i64) -> ()
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "nvvm.target"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !llvm.ptr, %a1: i32):
      "nvvm.tcgen05.alloc"(%a0, %a1) : (!llvm.ptr, i32) -> ()
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !llvm.ptr):
      "nvvm.tcgen05.commit"(%a0) : (!llvm.ptr) -> ()
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !llvm.ptr<6>, %a1: i32):
      "nvvm.tcgen05.dealloc"(%a0, %a1) : (!llvm.ptr<6>, i32) -> ()
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32, %a1: i32, %a2: i32, %a3: i8, %a4: i1, %a5: i8):
      "nvvm.tcgen05.mma_smem_desc"(%a0, %a1, %a2, %a3, %a4, %a5) : (i32, i32, i32, i8, i1, i8) -> i64
    }) : () -> ()
  "t.with"() ({
      "nvvm.tcgen05.relinquish_alloc_permit"() : () -> ()
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !llvm.ptr<6>):
      "nvvm.tcgen05.shift"(%a0) : (!llvm.ptr<6>) -> ()
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "nvvm.tcgen05_cp_multicast"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "nvvm.tcgen05_cp_shape"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "nvvm.tcgen05_cp_src_fmt"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "nvvm.tcgen05_fence"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "nvvm.tcgen05_ldst_shape"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "nvvm.tcgen05_mma_block_scale"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "nvvm.tcgen05_mma_collectorb"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "nvvm.tcgen05_mma_collectorop"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "nvvm.tcgen05_mma_kind"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "nvvm.tcgen05_wait"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "nvvm.tma_load_mode"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "nvvm.tma_redux_kind"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "nvvm.tma_store_mode"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "nvvm.vote_sync_kind"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
      "nvvm.wgmma.commit.group.sync.aligned"() : () -> ()
    }) : () -> ()
  "t.with"() ({
      "nvvm.wgmma.fence.aligned"() : () -> ()
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "nvvm.wgmma_scale_in"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "nvvm.wgmma_scale_out"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "nvvm.wgmma_type"(%a0) : (i32) -> i32
    }) : () -> ()
}) : () -> ()
