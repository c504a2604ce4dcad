// releases: 16 19
// covers: the llvm dialect: globals, functions with attributes, memory operations with metadata, control flow, exceptions, types.
llvm.mlir.global external @g() : i32
llvm.func @callee(i32) -> i32
llvm.func @varargs(i32, ...) -> i32
llvm.func @resolver() -> !llvm.ptr
llvm.func @ops(%a: i32, %l: i64, %f: f32, %d: f64, %p: !llvm.ptr, %v: vector<4xi32>, %w: vector<4xf32>, %c: i1, %s: !llvm.struct<(i32, array<2 x f32>)>, %sv: vector<[4]xi32>, %b: vector<4xi1>, %a8: i8) {
  %vp_126 = "t.make"() : () -> !llvm.vec<4 x ptr>
      "llvm.intr.masked.gather"(%vp_126, %b) {alignment = 4 : i32} : (!llvm.vec<4 x ptr>, vector<4xi1>) -> vector<4xf32>
      "llvm.intr.masked.scatter"(%w, %vp_126, %b) {alignment = 4 : i32} : (vector<4xf32>, !llvm.vec<4 x ptr>, vector<4xi1>) -> ()
  llvm.intr.lifetime.start 16, %p : !llvm.ptr
  "t.types"() {t = [!llvm.vec<4 x ptr>, !llvm.vec<? x 4 x ptr>, !llvm.x86_mmx]} : () -> ()
  llvm.return
}

llvm.mlir.global_ctors {ctors = [@ctor_old], priorities = [0 : i32]}
llvm.mlir.global_dtors {dtors = [@ctor_old], priorities = [10 : i32]}
llvm.func @ctor_old() {
  llvm.return
}
