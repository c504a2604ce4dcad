llvm.func @f(i32 {llvm.alignstack = 8 : i64})
