// releases: 16 19
// read-back: no
// covers: the llvm dialect: globals, functions with attributes, memory operations with metadata, control flow, exceptions, types.
llvm.mlir.global external @g() : i32
llvm.func @callee(i32) -> i32
llvm.func @varargs(i32, ...) -> i32
llvm.func @resolver() -> !llvm.ptr
llvm.func @ops(%a: i32, %l: i64, %f: f32, %d: f64, %p: !llvm.ptr, %v: vector<4xi32>, %w: vector<4xf32>, %c: i1, %s: !llvm.struct<(i32, array<2 x f32>)>, %sv: vector<[4]xi32>, %b: vector<4xi1>, %a8: i8) {
  "t.types"() {t = [!llvm.struct<"a\22b", (i32)>, !llvm.struct<"", (i32)>, !llvm.struct<"with space", (struct<"in ner", (i1, f16, bf16, f80, f128)>)>]} : () -> ()
  llvm.return
}
