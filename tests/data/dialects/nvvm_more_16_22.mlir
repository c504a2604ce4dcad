// releases: 16 22
// covers: more operations of the nvvm dialect, each once in generic form with the types and attributes it asks for.
"t.all"() ({
  "t.with"() ({
    ^bb0(%a0: !llvm.ptr, %a1: !llvm.ptr<3>, %a2: i32):
      "nvvm.cp.async.bulk.tensor.global.shared.cta"(%a0, %a1, %a2) {operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>} : (!llvm.ptr, !llvm.ptr<3>, i32) -> ()
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !llvm.ptr):
      "nvvm.mbarrier.arrive"(%a0) : (!llvm.ptr) -> ()
    }) : () -> ()
  "t.with"() ({
      "nvvm.wgmma.wait.group.sync.aligned"() {group = 1 : i64} : () -> ()
    }) : () -> ()
}) : () -> ()
