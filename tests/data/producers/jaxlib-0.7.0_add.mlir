%0 = "llvm.mlir.undef"() : () -> i32
%1 = "llvm.add"(%0, %0) <{overflowFlags = 1 : i32}> : (i32, i32) -> i32
%2 = "llvm.add"(%1, %0) <{overflowFlags = 0 : i32}> : (i32, i32) -> i32
