// releases: 19 22
// covers: more operations of the acc dialect, each once in generic form with the types and attributes it asks for.
"t.all"() ({
  "t.with"() ({
    ^bb0(%a0: !llvm.ptr, %a1: !llvm.ptr):
      "acc.atomic.read"(%a0, %a1) {element_type = i32} : (!llvm.ptr, !llvm.ptr) -> ()
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: index, %a1: !llvm.ptr):
      "acc.exit_data"(%a0, %a1) {operandSegmentSizes = array<i32: 0, 0, 0, 1, 1>} : (index, !llvm.ptr) -> ()
    }) : () -> ()
  "t.with"() ({
      "acc.global_ctor"() ({
    }) {sym_name = "x"} : () -> ()
    }) : () -> ()
  "t.with"() ({
      "acc.global_dtor"() ({
    }) {sym_name = "x"} : () -> ()
    }) : () -> ()
}) : () -> ()
