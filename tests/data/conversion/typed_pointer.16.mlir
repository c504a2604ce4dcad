llvm.func @p(!llvm.ptr<i32>, !llvm.ptr<3>)
