// releases: 19 22
// covers: the llvm dialect: globals, functions, pointers, structures that name themselves, intrinsics, switch, metadata-like attributes.
llvm.mlir.global internal constant @text("hello\00") {addr_space = 0 : i32}
llvm.mlir.global external @number(42 : i64) : i64
llvm.mlir.global private @pair() : !llvm.struct<"pair", (i32, ptr)> {
  %0 = llvm.mlir.undef : !llvm.struct<"pair", (i32, ptr)>
  llvm.return %0 : !llvm.struct<"pair", (i32, ptr)>
}
llvm.func @printf(!llvm.ptr, ...) -> i32
llvm.func internal @main(%n: i32, %p: !llvm.ptr<3>) -> i32 attributes {passthrough = ["noinline", ["key", "value"]]} {
  %0 = llvm.mlir.addressof @text : !llvm.ptr
  %1 = llvm.call @printf(%0, %n) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i32) -> i32
  %2 = llvm.alloca %n x !llvm.array<4 x vector<2xf32>> : (i32) -> !llvm.ptr
  %3 = llvm.mlir.constant(dense<[1, 2]> : vector<2xi32>) : vector<2xi32>
  %4 = llvm.intr.smax(%n, %1) : (i32, i32) -> i32
  llvm.switch %4 : i32, ^end(%4 : i32) [
    1: ^one,
    -5: ^end(%n : i32)
  ]
^one:
  llvm.br ^end(%1 : i32)
^end(%r: i32):
  llvm.return %r : i32
}
