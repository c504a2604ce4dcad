llvm.func @f(%n: i64) {
  %0 = llvm.alloca %n x i8 : (i64) -> !llvm.ptr
  llvm.intr.lifetime.start -1, %0 : !llvm.ptr
  llvm.intr.lifetime.end -1, %0 : !llvm.ptr
  llvm.return
}
