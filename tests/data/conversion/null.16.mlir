llvm.func @f() -> !llvm.ptr {
  %0 = llvm.mlir.null : !llvm.ptr
  llvm.return %0 : !llvm.ptr
}
