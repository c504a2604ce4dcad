llvm.mlir.global internal constant @number(42 : i32) : i32
llvm.func @print(!llvm.ptr, ...) -> i32
llvm.func @helper(%a: i32, %b: f32) -> i32 {
  %0 = llvm.fptosi %b : f32 to i32
  %1 = llvm.add %a, %0 : i32
  llvm.return %1 : i32
}
llvm.func @main(%a: i32, %b: f32, %c: i1) -> i32 {
  %0 = llvm.mlir.addressof @number : !llvm.ptr
  %1 = llvm.load %0 : !llvm.ptr -> i32
  %2 = llvm.call @helper(%1, %b) : (i32, f32) -> i32
  %3 = llvm.call @print(%0, %2) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i32) -> i32
  %4 = llvm.mlir.constant(1 : i32) : i32
  %5 = llvm.alloca %4 x i32 : (i32) -> !llvm.ptr
  llvm.store %3, %5 : i32, !llvm.ptr
  %6 = llvm.getelementptr %5[%4] : (!llvm.ptr, i32) -> !llvm.ptr, i32
  llvm.cond_br %c, ^bb1(%2 : i32), ^bb2
^bb1(%x: i32):
  llvm.return %x : i32
^bb2:
  %7 = llvm.icmp "eq" %a, %4 : i32
  %8 = llvm.select %7, %a, %4 : i1, i32
  llvm.return %8 : i32
}
