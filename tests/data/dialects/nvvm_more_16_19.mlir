// releases: 16 19
// covers: more operations of the nvvm dialect, each once in generic form with the types and attributes it asks for.
"t.all"() ({
  "t.with"() ({
    ^bb0(%a0: !llvm.ptr, %a1: !llvm.ptr<3>, %a2: i32):
      "nvvm.cp.async.bulk.tensor.global.shared.cta"(%a0, %a1, %a2) {operandSegmentSizes = array<i32: 1, 1, 1, 0>} : (!llvm.ptr, !llvm.ptr<3>, i32) -> ()
    }) : () -> ()
}) : () -> ()
