module {
  llvm.mlir.global internal constant @text("hello\00") {addr_space = 0 : i32}
  llvm.mlir.global external @number(42 : i64) {addr_space = 0 : i32} : i64
  llvm.mlir.global private @pair() {addr_space = 0 : i32} : !llvm.struct<"pair", (i32, ptr)> {
    %0 = llvm.mlir.undef : !llvm.struct<"pair", (i32, ptr)>
    llvm.return %0 : !llvm.struct<"pair", (i32, ptr)>
  }
  llvm.func @printf(!llvm.ptr, ...) -> i32
  llvm.func internal @main(%arg0: i32, %arg1: !llvm.ptr<3>) -> i32 attributes {passthrough = ["noinline", ["key", "value"]]} {
    %0 = llvm.mlir.addressof @text : !llvm.ptr
    %1 = llvm.call @printf(%0, %arg0) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i32) -> i32
    %2 = llvm.alloca %arg0 x !llvm.array<4 x vector<2xf32>> : (i32) -> !llvm.ptr
    %3 = llvm.mlir.constant(dense<[1, 2]> : vector<2xi32>) : vector<2xi32>
    %4 = llvm.intr.smax(%arg0, %1) : (i32, i32) -> i32
    llvm.switch %4 : i32, ^bb2(%4 : i32) [
      1: ^bb1,
      -5: ^bb2(%arg0 : i32)
    ]
  ^bb1:  // pred: ^bb0
    llvm.br ^bb2(%1 : i32)
  ^bb2(%5: i32):  // 3 preds: ^bb0, ^bb0, ^bb1
    llvm.return %5 : i32
  }
}
