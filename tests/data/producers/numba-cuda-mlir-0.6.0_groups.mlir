llvm.func @data(%p: !llvm.ptr, %c: i1) {
  %0 = omp.map.info var_ptr(%p : !llvm.ptr, !llvm.ptr) map_clauses(from) capture(ByRef) -> !llvm.ptr {name = ""}
  %1 = omp.map.info var_ptr(%p : !llvm.ptr, !llvm.ptr) map_clauses(from) capture(ByRef) -> !llvm.ptr {name = ""}
  omp.target_data if(%c) map_entries(%0 : !llvm.ptr) use_device_ptr(%1 -> %arg0 : !llvm.ptr) {
    omp.terminator
  }
  llvm.return
}
