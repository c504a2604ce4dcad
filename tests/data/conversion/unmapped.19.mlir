llvm.func @f(%a: !llvm.ptr) {
  omp.target_data use_device_ptr(%a : !llvm.ptr) {
  ^bb0(%b: !llvm.ptr):
    omp.terminator
  }
  llvm.return
}
