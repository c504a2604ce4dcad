llvm.func @f() -> i32 {
  %0 = llvm.mlir.zero : i32
  llvm.return %0 : i32
}
