func.func @f(%p: !llvm.ptr) {
  %0 = omp.map.info var_ptr(%p : !llvm.ptr, i32) map_clauses(tofrom) capture(ByRef) -> !llvm.ptr {name = "x"}
  %1 = omp.map.info var_ptr(%p : !llvm.ptr, i32) map_clauses(always, delete) capture(ByCopy) -> !llvm.ptr {name = "y"}
  %2 = omp.map.info var_ptr(%p : !llvm.ptr, i32) map_clauses(implicit, close, present, to) capture(ByCopy) -> !llvm.ptr {name = "z"}
  return
}
