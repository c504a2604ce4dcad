llvm.func @f(%a: !llvm.ptr) {
  %0 = omp.map.info var_ptr(%a : !llvm.ptr, !llvm.ptr) map_clauses(from) capture(ByRef) -> !llvm.ptr {name = ""}
  omp.target_data map_entries(%0 : !llvm.ptr) use_device_ptr(%a : !llvm.ptr) {
  ^bb0(%b: !llvm.ptr):
    omp.terminator
  }
  llvm.return
}
