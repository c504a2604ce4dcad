// releases: 22
// covers: more operations of the nvvm dialect, each once in generic form with the types and attributes it asks for.
"t.all"() ({
  "t.with"() ({
    ^bb0(%a0: i128):
      "nvvm.clusterlaunchcontrol.query.cancel"(%a0) {query_type = #nvvm<cluster_launch_control_query_type is_canceled>} : (i128) -> i1
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !llvm.ptr, %a1: !llvm.ptr<3>, %a2: i32):
      "nvvm.cp.async.bulk.tensor.reduce"(%a0, %a1, %a2) {redKind = #nvvm.tma_redux_kind<add>, operandSegmentSizes = array<i32: 1, 1, 1, 0>} : (!llvm.ptr, !llvm.ptr<3>, i32) -> ()
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<2xi16>, %a1: vector<4xi8>, %a2: i32):
      "nvvm.dot.accumulate.2way"(%a0, %a1, %a2) {a_type = #nvvm.dot_accumulate_type<signed>, b_hi = true, b_type = #nvvm.dot_accumulate_type<signed>} : (vector<2xi16>, vector<4xi8>, i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: vector<4xi8>, %a1: vector<4xi8>, %a2: i32):
      "nvvm.dot.accumulate.4way"(%a0, %a1, %a2) {a_type = #nvvm.dot_accumulate_type<signed>, b_type = #nvvm.dot_accumulate_type<signed>} : (vector<4xi8>, vector<4xi8>, i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !llvm.ptr, %a1: i32):
      "nvvm.fence.proxy.acquire"(%a0, %a1) {scope = #nvvm.mem_scope<cta>} : (!llvm.ptr, i32) -> ()
    }) : () -> ()
  "t.with"() ({
      "nvvm.fence.proxy.release"() {scope = #nvvm.mem_scope<cta>} : () -> ()
    }) : () -> ()
  "t.with"() ({
      "nvvm.griddepcontrol"() {kind = #nvvm<grid_dep_action wait>} : () -> ()
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32, %a1: i32):
      "nvvm.match.sync"(%a0, %a1) {kind = #nvvm<match_sync_kind any>} : (i32, i32) -> i32
    }) : () -> ()
  "t.with"() ({
      "nvvm.memory.barrier"() {scope = #nvvm.mem_scope<cta>} : () -> ()
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32, %a1: i32, %a2: i32):
      "nvvm.prmt"(%a0, %a1, %a2) {mode = #nvvm.permute_mode<default>} : (i32, i32, i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !llvm.ptr<6>, %a1: i64):
      "nvvm.tcgen05.cp"(%a0, %a1) {shape = #nvvm.tcgen05_cp_shape<shape_128x256b>} : (!llvm.ptr<6>, i64) -> ()
    }) : () -> ()
  "t.with"() ({
      "nvvm.tcgen05.fence"() {kind = #nvvm.tcgen05_fence<before>} : () -> ()
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !llvm.ptr<6>):
      "nvvm.tcgen05.ld"(%a0) {shape = #nvvm.tcgen05_ldst_shape<shape_16x64b>} : (!llvm.ptr<6>) -> vector<2xi32>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !llvm.ptr<6>, %a1: !llvm.ptr<6>, %a2: i64, %a3: i32, %a4: i1):
      "nvvm.tcgen05.mma"(%a0, %a1, %a2, %a3, %a4) {ctaGroup = #nvvm.cta_group<cta_1>, kind = #nvvm.tcgen05_mma_kind<f8f6f4>, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 0, 0>} : (!llvm.ptr<6>, !llvm.ptr<6>, i64, i32, i1) -> ()
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !llvm.ptr<6>, %a1: !llvm.ptr<6>, %a2: i64, %a3: i32, %a4: i1, %a5: !llvm.ptr<6>, %a6: !llvm.ptr<6>):
      "nvvm.tcgen05.mma.block_scale"(%a0, %a1, %a2, %a3, %a4, %a5, %a6) {ctaGroup = #nvvm.cta_group<cta_1>, kind = #nvvm.block_scale_kind<mxf8f6f4>} : (!llvm.ptr<6>, !llvm.ptr<6>, i64, i32, i1, !llvm.ptr<6>, !llvm.ptr<6>) -> ()
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !llvm.ptr<6>, %a1: !llvm.ptr<6>, %a2: i64, %a3: i32, %a4: i1, %a5: !llvm.ptr<6>):
      "nvvm.tcgen05.mma.sp"(%a0, %a1, %a2, %a3, %a4, %a5) {ctaGroup = #nvvm.cta_group<cta_1>, kind = #nvvm.tcgen05_mma_kind<f8f6f4>, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1, 0, 0>} : (!llvm.ptr<6>, !llvm.ptr<6>, i64, i32, i1, !llvm.ptr<6>) -> ()
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !llvm.ptr<6>, %a1: !llvm.ptr<6>, %a2: i64, %a3: i32, %a4: i1, %a5: !llvm.ptr<6>, %a6: !llvm.ptr<6>, %a7: !llvm.ptr<6>):
      "nvvm.tcgen05.mma.sp.block_scale"(%a0, %a1, %a2, %a3, %a4, %a5, %a6, %a7) {ctaGroup = #nvvm.cta_group<cta_1>, kind = #nvvm.block_scale_kind<mxf8f6f4>} : (!llvm.ptr<6>, !llvm.ptr<6>, i64, i32, i1, !llvm.ptr<6>, !llvm.ptr<6>, !llvm.ptr<6>) -> ()
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !llvm.ptr<6>, %a1: !llvm.ptr<6>, %a2: i64, %a3: i32, %a4: i1):
      "nvvm.tcgen05.mma.ws"(%a0, %a1, %a2, %a3, %a4) {kind = #nvvm.tcgen05_mma_kind<f8f6f4>} : (!llvm.ptr<6>, !llvm.ptr<6>, i64, i32, i1) -> ()
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !llvm.ptr<6>, %a1: !llvm.ptr<6>, %a2: i64, %a3: i32, %a4: i1, %a5: !llvm.ptr<6>):
      "nvvm.tcgen05.mma.ws.sp"(%a0, %a1, %a2, %a3, %a4, %a5) {kind = #nvvm.tcgen05_mma_kind<f8f6f4>} : (!llvm.ptr<6>, !llvm.ptr<6>, i64, i32, i1, !llvm.ptr<6>) -> ()
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !llvm.ptr<6>, %a1: vector<2xi32>):
      "nvvm.tcgen05.st"(%a0, %a1) {shape = #nvvm.tcgen05_ldst_shape<shape_16x64b>} : (!llvm.ptr<6>, vector<2xi32>) -> ()
    }) : () -> ()
  "t.with"() ({
      "nvvm.tcgen05.wait"() {kind = #nvvm.tcgen05_wait<load>} : () -> ()
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32, %a1: i1):
      "nvvm.vote.sync"(%a0, %a1) {kind = #nvvm<vote_sync_kind any>} : (i32, i1) -> i1
    }) : () -> ()
}) : () -> ()
