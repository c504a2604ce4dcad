llvm.func @a(%p: !llvm.ptr, %i: i32) {
  %0 = llvm.atomicrmw usub_cond %p, %i monotonic : !llvm.ptr, i32
  llvm.return
}
