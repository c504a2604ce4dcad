func.func @f(%n: i32, %p: !llvm.ptr) {
  omp.parallel num_threads(%n : i32) {
    omp.terminator
  }
  %0 = omp.map.info var_ptr(%p : !llvm.ptr, i32) map_clauses(from) capture(ByRef) -> !llvm.ptr {name = ""}
  omp.target_data map_entries(%0 : !llvm.ptr) {
    omp.terminator
  }
  return
}
