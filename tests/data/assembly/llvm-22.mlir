llvm.func @ib0(%dest : !llvm.ptr, %arg0 : i32, %arg1 : i32) -> i32 {
  llvm.indirectbr %dest : !llvm.ptr, [
  ^head(%arg0 : i32),
  ^tail(%arg1, %arg0 : i32, i32)
  ] {a = 1 : i32}
^head(%r0 : i32):
  llvm.return %r0 : i32
^tail(%r1 : i32, %r2 : i32):
  %r = llvm.add %r1, %r2 : i32
  llvm.return %r : i32
}
llvm.func @ib1(%dest : !llvm.ptr) {
  llvm.indirectbr %dest : !llvm.ptr, []
}
llvm.func @ib2(%dest : !llvm.ptr) {
  llvm.indirectbr %dest : !llvm.ptr, [^a, ^b]
^a:
  llvm.return
^b:
  llvm.return
}
emitc.class @C {
  emitc.field @f0 : !emitc.array<2xf32> = dense<0.0>
  emitc.field @f1 : i32 = 5
  emitc.field @f2 : !emitc.opaque<"T"> = #emitc.opaque<"x">
  emitc.field @f3 : !emitc.ptr<i32> {a}
  emitc.func @e() { return }
}
