llvm.func @f(%p: !llvm.ptr, %i: i64) {
  %0 = llvm.getelementptr %p[%i, 0] : (!llvm.ptr, i64) -> !llvm.ptr, i32
  llvm.return
}
