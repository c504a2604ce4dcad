// releases: 16 19 22
// covers: the llvm dialect: globals, functions with attributes, memory operations with metadata, control flow, exceptions, types.
llvm.mlir.global external @g() : i32
llvm.func @callee(i32) -> i32
llvm.func @varargs(i32, ...) -> i32
llvm.func @resolver() -> !llvm.ptr
llvm.func @ops(%a: i32, %l: i64, %f: f32, %d: f64, %p: !llvm.ptr, %v: vector<4xi32>, %w: vector<4xf32>, %c: i1, %s: !llvm.struct<(i32, array<2 x f32>)>, %sv: vector<[4]xi32>, %b: vector<4xi1>, %a8: i8) {
  llvm.add %a, %a : i32
  llvm.sub %a, %a : i32
  llvm.mul %v, %v : vector<4xi32>
  llvm.shl %a, %a : i32
  llvm.udiv %a, %a : i32
  llvm.sdiv %a, %a : i32
  llvm.urem %a, %a : i32
  llvm.srem %a, %a : i32
  llvm.and %a, %a : i32
  llvm.or %a, %a : i32
  llvm.xor %sv, %sv : vector<[4]xi32>
  llvm.lshr %a, %a : i32
  llvm.ashr %a, %a : i32
  llvm.fadd %f, %f : f32
  llvm.fadd %f, %f {fastmathFlags = #llvm.fastmath<fast>} : f32
  llvm.fsub %f, %f {fastmathFlags = #llvm.fastmath<nnan, contract>} : f32
  llvm.fmul %w, %w {fastmathFlags = #llvm.fastmath<none>} : vector<4xf32>
  llvm.fdiv %f, %f : f32
  llvm.frem %d, %d : f64
  llvm.fneg %f : f32
  llvm.icmp "eq" %a, %a : i32
  llvm.icmp "ne" %p, %p : !llvm.ptr
  llvm.icmp "slt" %v, %v : vector<4xi32>
  llvm.icmp "sle" %a, %a : i32
  llvm.icmp "sgt" %a, %a : i32
  llvm.icmp "sge" %a, %a : i32
  llvm.icmp "ult" %a, %a : i32
  llvm.icmp "ule" %a, %a : i32
  llvm.icmp "ugt" %a, %a : i32
  llvm.icmp "uge" %a, %a : i32
  llvm.fcmp "oeq" %f, %f : f32
  llvm.fcmp "_false" %f, %f : f32
  llvm.fcmp "_true" %f, %f : f32
  llvm.fcmp "uno" %f, %f {fastmathFlags = #llvm.fastmath<ninf>} : f32
  llvm.select %c, %a, %a : i1, i32
  llvm.select %c, %f, %f {fastmathFlags = #llvm.fastmath<nsz>} : i1, f32
  llvm.trunc %l : i64 to i32
  llvm.zext %a : i32 to i64
  llvm.sext %v : vector<4xi32> to vector<4xi64>
  llvm.fptrunc %d : f64 to f32
  llvm.fpext %f : f32 to f64
  llvm.fptosi %f : f32 to i32
  llvm.fptoui %f : f32 to i32
  llvm.sitofp %a : i32 to f32
  llvm.uitofp %a : i32 to f32
  llvm.bitcast %f : f32 to i32
  llvm.freeze %a : i32
  llvm.mlir.constant(42 : i32) : i32
  llvm.mlir.constant(-1 : i64) : i64
  llvm.mlir.constant(1.5 : f32) : f32
  llvm.mlir.constant(dense<[1, 2]> : vector<2xi32>) : vector<2xi32>
  llvm.mlir.constant(dense<0.0> : tensor<2x3xf32>) : !llvm.array<2 x array<3 x f32>>
  llvm.mlir.constant("text\00") : !llvm.array<5 x i8>
  llvm.mlir.constant(true) : i1
  llvm.mlir.constant([1.0 : f32, -2.0 : f32]) : !llvm.struct<(f32, f32)>
  llvm.mlir.undef : i32
  llvm.extractvalue %s[0] : !llvm.struct<(i32, array<2 x f32>)>
  llvm.extractvalue %s[1, 1] : !llvm.struct<(i32, array<2 x f32>)>
  llvm.insertvalue %f, %s[1, 0] : !llvm.struct<(i32, array<2 x f32>)>
  llvm.extractelement %v[%a : i32] : vector<4xi32>
  llvm.insertelement %a, %v[%l : i64] : vector<4xi32>
  llvm.shufflevector %v, %v [0, 4, -1, 2, 7] : vector<4xi32>
  llvm.call @callee(%a) : (i32) -> i32
  llvm.call @callee(%a) {no_unwind, convergent, will_return} : (i32) -> i32
  llvm.call_intrinsic "llvm.abs.i32"(%a, %c) : (i32, i1) -> i32
  llvm.inline_asm "mov $0, $1", "=r,r" %a : (i32) -> i32
  llvm.inline_asm has_side_effects is_align_stack asm_dialect = intel operand_attrs = [{elementtype = i32}] "foo", "=r,*m" %p : (!llvm.ptr) -> i8
  llvm.inline_asm has_side_effects asm_dialect = att "bar \22$0\22", "r" %a : (i32) -> ()
  llvm.intr.sqrt(%f) : (f32) -> f32
  llvm.intr.sqrt(%f) {fastmathFlags = #llvm.fastmath<afn>} : (f32) -> f32
  "llvm.intr.memset.inline"(%p, %a8) {isVolatile = false, len = 10 : i64} : (!llvm.ptr, i8) -> ()
  "llvm.intr.vector.extract"(%sv) {pos = 0 : i64} : (vector<[4]xi32>) -> vector<4xi32>
  llvm.intr.vector.extract %sv[0] : vector<4xi32> from vector<[4]xi32>
  llvm.intr.vector.insert %v, %sv[0] : vector<4xi32> into vector<[4]xi32>
  "llvm.intr.vector.reduce.add"(%v) : (vector<4xi32>) -> i32
  "llvm.intr.vector.reduce.fadd"(%f, %w) {reassoc = true} : (f32, vector<4xf32>) -> f32
  "llvm.intr.vector.reduce.fadd"(%f, %w) {fastmathFlags = #llvm.fastmath<reassoc>} : (f32, vector<4xf32>) -> f32
  "llvm.intr.vector.reduce.fadd"(%f, %w) : (f32, vector<4xf32>) -> f32
  "llvm.intr.matrix.multiply"(%w, %w) {lhs_columns = 2 : i32, lhs_rows = 2 : i32, rhs_columns = 2 : i32} : (vector<4xf32>, vector<4xf32>) -> vector<4xf32>
  "llvm.intr.matrix.transpose"(%w) {columns = 2 : i32, rows = 2 : i32} : (vector<4xf32>) -> vector<4xf32>
  "llvm.intr.matrix.column.major.load"(%p, %l) {columns = 2 : i32, isVolatile = 0 : i1, rows = 2 : i32} : (!llvm.ptr, i64) -> vector<4xf32>
  "llvm.intr.matrix.column.major.store"(%w, %p, %l) {columns = 2 : i32, isVolatile = 0 : i1, rows = 2 : i32} : (vector<4xf32>, !llvm.ptr, i64) -> ()
  "llvm.intr.masked.load"(%p, %b, %w) {alignment = 4 : i32} : (!llvm.ptr, vector<4xi1>, vector<4xf32>) -> vector<4xf32>
  "llvm.intr.masked.load"(%p, %b) {alignment = 4 : i32} : (!llvm.ptr, vector<4xi1>) -> vector<4xf32>
  "llvm.intr.masked.store"(%w, %p, %b) {alignment = 4 : i32} : (vector<4xf32>, !llvm.ptr, vector<4xi1>) -> ()
  llvm.intr.masked.load %p, %b, %w {alignment = 1 : i32} : (!llvm.ptr, vector<4xi1>, vector<4xf32>) -> vector<4xf32>
  "llvm.intr.threadlocal.address"(%p) : (!llvm.ptr) -> !llvm.ptr
  "llvm.intr.sadd.with.overflow"(%a, %a) : (i32, i32) -> !llvm.struct<(i32, i1)>
  "llvm.intr.get.active.lane.mask"(%l, %l) : (i64, i64) -> vector<4xi1>
  "llvm.intr.vp.add"(%v, %v, %b, %a) : (vector<4xi32>, vector<4xi32>, vector<4xi1>, i32) -> vector<4xi32>
  "llvm.intr.vp.load"(%p, %b, %a) : (!llvm.ptr, vector<4xi1>, i32) -> vector<4xi32>
  "llvm.intr.coro.id"(%a, %p, %p, %p) : (i32, !llvm.ptr, !llvm.ptr, !llvm.ptr) -> !llvm.token
  llvm.intr.coro.size : i64
  "llvm.intr.trap"() : () -> ()
  "llvm.intr.debugtrap"() : () -> ()
  "llvm.intr.ubsantrap"() {failureKind = 5 : i8} : () -> ()
  "llvm.intr.vscale"() : () -> i64
  "llvm.intr.stepvector"() : () -> vector<4xi32>
  "llvm.intr.stacksave"() : () -> !llvm.ptr
  "llvm.intr.stackrestore"(%p) : (!llvm.ptr) -> ()
  "t.llvm"() {a = #llvm.cconv<cc_10>, b = #llvm.cconv<cc_10>} : () -> ()
  "t.llvm"() {f = #llvm.fastmath<nnan, nsz, arcp>, g = #llvm.fastmath<none>, h = #llvm.fastmath<fast>} : () -> ()
  "t.types"() {t = [!llvm.ptr, !llvm.ptr<1>, !llvm.void, !llvm.token, !llvm.label, !llvm.metadata, !llvm.array<4 x i32>, !llvm.array<2 x array<3 x ptr>>, !llvm.func<void ()>, !llvm.func<i32 (i8, ...)>, !llvm.func<void (...)>, !llvm.struct<()>, !llvm.struct<packed (i8, i32)>, !llvm.struct<"named", (i32)>, !llvm.struct<"named packed", packed (i8)>, !llvm.struct<"opaque", opaque>, !llvm.ppc_fp128]} : () -> ()
  llvm.return
}

llvm.func @__gxx_personality_v0(...) -> i32
llvm.func @may_throw(i32) -> i32
llvm.mlir.global external constant @typeinfo() : !llvm.ptr
llvm.func @exceptions(%a: i32, %p: !llvm.ptr) -> i32 attributes {personality = @__gxx_personality_v0} {
  %0 = llvm.mlir.addressof @typeinfo : !llvm.ptr
  %1 = llvm.invoke @may_throw(%a) to ^ok unwind ^bad : (i32) -> i32
^ok:
  llvm.return %1 : i32
^bad:
  %2 = llvm.landingpad cleanup (catch %0 : !llvm.ptr) (filter %0 : !llvm.ptr) : !llvm.struct<(ptr, i32)>
  %3 = llvm.landingpad (catch %0 : !llvm.ptr) : !llvm.struct<(ptr, i32)>
  llvm.resume %2 : !llvm.struct<(ptr, i32)>
}

llvm.func @__gxx_personality_v1(...) -> i32
llvm.func @may_throw1(i32) -> i32
llvm.func @exceptions1(%a: i32, %p: !llvm.ptr) -> i32 attributes {personality = @__gxx_personality_v1} {
  %1 = llvm.invoke @may_throw1(%a) to ^ok unwind ^bad : (i32) -> i32
^ok:
  llvm.return %1 : i32
^bad:
  %2 = llvm.landingpad cleanup : !llvm.struct<(ptr, i32)>
  llvm.resume %2 : !llvm.struct<(ptr, i32)>
}
