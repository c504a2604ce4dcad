// releases: 16
// covers: more operations of the omp dialect, each once in generic form with the types and attributes it asks for.
"t.all"() ({
  "t.with"() ({
    ^bb0(%a0: !llvm.ptr, %a1: !llvm.ptr):
      "omp.atomic.read"(%a0, %a1) : (!llvm.ptr, !llvm.ptr) -> ()
    }) : () -> ()
  "t.with"() ({
      "omp.ordered_region"() ({
    }) : () -> ()
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32, %a1: i32, %a2: i32):
      "omp.target_data"(%a0, %a1, %a2) ({
    }) {map_types = [1], operand_segment_sizes = array<i32: 0, 0, 1, 1, 1>} : (i32, i32, i32) -> ()
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "omp.target_enter_data"(%a0) {map_types = [1], operand_segment_sizes = array<i32: 0, 0, 1>} : (i32) -> ()
    }) : () -> ()
}) : () -> ()
