// releases: 19 22
// covers: the llvm dialect: globals, functions with attributes, memory operations with metadata, control flow, exceptions, types.
llvm.mlir.global internal constant @text("hello\00\FF")
llvm.mlir.global external @number(42 : i64) {addr_space = 0 : i32} : i64
llvm.mlir.global private unnamed_addr constant @floating(3.5 : f32) {alignment = 16 : i64} : f32
llvm.mlir.global linkonce_odr local_unnamed_addr @elements(dense<[1, 2, 3]> : tensor<3xi32>) {section = ".mydata", addr_space = 3 : i32} : !llvm.array<3 x i32>
llvm.mlir.global weak thread_local @tls(0 : i32) : i32
llvm.mlir.global common @common(0 : i32) : i32
llvm.mlir.global appending @appending(dense<0> : tensor<2xi8>) : !llvm.array<2 x i8>
llvm.mlir.global extern_weak @extern_weak() : i64
llvm.mlir.global available_externally @avail(1 : i8) : i8
llvm.mlir.global external @dso() {dso_local} : i32
llvm.mlir.global internal @init() : !llvm.struct<"pair", (i32, ptr)> {
  %0 = llvm.mlir.undef : !llvm.struct<"pair", (i32, ptr)>
  llvm.return %0 : !llvm.struct<"pair", (i32, ptr)>
}
llvm.func @declared(i32, !llvm.ptr {llvm.noalias, llvm.align = 8 : i64}, ...) -> i64
llvm.func internal @local() attributes {dso_local, passthrough = ["noinline", ["alignstack", "4"], "odd\22"]} {
  llvm.return
}
llvm.func fastcc @cc(%a: i32 {llvm.signext}) -> (i32 {llvm.zeroext}) {
  llvm.return %a : i32
}
llvm.func @memory(%p: !llvm.ptr, %q: !llvm.ptr<3>, %i: i32, %l: i64, %f: f32, %v: vector<4xi32>) {
  %0 = llvm.alloca %i x i32 : (i32) -> !llvm.ptr
  %1 = llvm.alloca %i x !llvm.struct<(i32, f64)> {alignment = 16 : i64} : (i32) -> !llvm.ptr
  %2 = llvm.load %p : !llvm.ptr -> i32
  %3 = llvm.load volatile %p {alignment = 4 : i64} : !llvm.ptr -> f32
  llvm.store %i, %p : i32, !llvm.ptr
  llvm.store volatile %f, %p {alignment = 4 : i64, nontemporal} : f32, !llvm.ptr
  %4 = llvm.getelementptr %p[%i, 3] : (!llvm.ptr, i32) -> !llvm.ptr, !llvm.array<4 x i32>
  %5 = llvm.getelementptr inbounds %p[%l, 1, -2] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.struct<(i32, array<4 x i8>)>
  %6 = llvm.addrspacecast %q : !llvm.ptr<3> to !llvm.ptr
  %7 = llvm.ptrtoint %p : !llvm.ptr to i64
  %8 = llvm.inttoptr %7 : i64 to !llvm.ptr<1>
  %9 = llvm.mlir.addressof @number : !llvm.ptr
  %10 = llvm.mlir.addressof @local : !llvm.ptr
  %11 = llvm.atomicrmw add %p, %i monotonic : !llvm.ptr, i32
  %12 = llvm.atomicrmw volatile umax %p, %i syncscope("agent") seq_cst {alignment = 4 : i64} : !llvm.ptr, i32
  %13 = llvm.cmpxchg %p, %i, %i acq_rel monotonic : !llvm.ptr, i32
  %14 = llvm.cmpxchg weak volatile %p, %i, %i syncscope("x") seq_cst acquire {alignment = 4 : i64} : !llvm.ptr, i32
  llvm.fence seq_cst
  llvm.fence syncscope("agent") release
  %15 = llvm.load %p atomic acquire {alignment = 4 : i64} : !llvm.ptr -> i32
  llvm.store %i, %p atomic syncscope("y") release {alignment = 4 : i64} : i32, !llvm.ptr
  llvm.return
}

llvm.mlir.global external @g() : i32
llvm.func @callee(i32) -> i32
llvm.func @varargs(i32, ...) -> i32
llvm.func @resolver() -> !llvm.ptr
llvm.func @ops(%a: i32, %l: i64, %f: f32, %d: f64, %p: !llvm.ptr, %v: vector<4xi32>, %w: vector<4xf32>, %c: i1, %s: !llvm.struct<(i32, array<2 x f32>)>, %sv: vector<[4]xi32>, %b: vector<4xi1>, %a8: i8) {
  llvm.add %a, %a overflow<nsw> : i32
  llvm.sub %a, %a overflow<nsw, nuw> : i32
  llvm.mul %v, %v overflow<nuw> : vector<4xi32>
  llvm.shl %a, %a overflow<nsw> : i32
  llvm.mlir.zero : !llvm.ptr
  llvm.mlir.zero : !llvm.struct<(i32, ptr)>
  llvm.mlir.poison : i32
  llvm.mlir.none : !llvm.token
  llvm.call fastcc @callee(%a) {fastmathFlags = #llvm.fastmath<none>} : (i32) -> i32
  llvm.call @varargs(%a, %f) vararg(!llvm.func<i32 (i32, ...)>) : (i32, f32) -> i32
  llvm.call tail @callee(%a) : (i32) -> i32
  llvm.call %p(%a) : !llvm.ptr, (i32) -> i32
  llvm.call @callee(%a) {branch_weights = array<i32: 1>} : (i32) -> i32
  "llvm.intr.abs"(%a) {is_int_min_poison = true} : (i32) -> i32
  "llvm.intr.ctlz"(%a) {is_zero_poison = true} : (i32) -> i32
  "llvm.intr.memcpy"(%p, %p, %l) {isVolatile = false} : (!llvm.ptr, !llvm.ptr, i64) -> ()
  "llvm.intr.memset"(%p, %a8, %l) {isVolatile = true} : (!llvm.ptr, i8, i64) -> ()
  "llvm.intr.memcpy.inline"(%p, %p) {isVolatile = false, len = 16 : i64} : (!llvm.ptr, !llvm.ptr) -> ()
  "llvm.intr.prefetch"(%p) {cache = 1 : i32, hint = 3 : i32, rw = 0 : i32} : (!llvm.ptr) -> ()
  "llvm.intr.is.fpclass"(%f) {bit = 3 : i32} : (f32) -> i1
  "llvm.intr.vector.insert"(%sv, %v) {pos = 4 : i64} : (vector<[4]xi32>, vector<4xi32>) -> vector<[4]xi32>
  llvm.intr.expect.with.probability %a, %a, 5.0e-01 : i32
  llvm.intr.invariant.start 4, %p : !llvm.ptr
  llvm.intr.experimental.constrained.fptrunc %d towardzero ignore : f64 to f32
  "t.types"() {t = [!llvm.target<"aarch64.svcount">, !llvm.target<"spirv.Image", f32, 0, 1>, !llvm.target<"x y", struct<()>, ptr, 4294967295>]} : () -> ()
  llvm.return
}

llvm.func @flow(%a: i32, %c: i1) -> i32 {
  llvm.cond_br %c, ^a(%a : i32), ^b
^a(%x: i32):
  llvm.switch %x : i32, ^b [
    1: ^c(%x : i32),
    -2: ^a(%a : i32)
  ]
^b:
  llvm.cond_br %c weights([5, 10]), ^d, ^a(%a : i32)
^c(%y: i32):
  llvm.br ^b
^d:
  llvm.unreachable
^e:
  llvm.switch %a : i32, ^b [
  ]
}

llvm.func @flow_weights(%a: i32) {
  llvm.switch %a : i32, ^b [1: ^b, 2: ^c] {branch_weights = array<i32: 7, 8, 9>}
^b:
  llvm.return
^c:
  llvm.return
}

llvm.comdat @__llvm_comdat {
  llvm.comdat_selector @any any
  llvm.comdat_selector @largest largest
  llvm.comdat_selector @exact exactmatch
  llvm.comdat_selector @nodup nodeduplicate
  llvm.comdat_selector @same samesize
}
llvm.mlir.global internal constant @in_comdat(1 : i64) comdat(@__llvm_comdat::@any) : i64
llvm.func @func_in_comdat() comdat(@__llvm_comdat::@exact) attributes {section = ".text.x", alignment = 16 : i64, garbageCollector = "gc"} {
  llvm.return
}
llvm.linker_options ["/DEFAULTLIB:", "libcmt"]

llvm.func @attributes2() attributes {frame_pointer = #llvm.framePointerKind<all>, target_cpu = "gfx90a", vscale_range = #llvm.vscale_range<minRange = 1 : i32, maxRange = 2 : i32>, arm_streaming, arm_new_za, no_inline, optimize_none, convergent, tune_cpu = "x"} {
  llvm.return
}

#domain = #llvm.alias_scope_domain<id = distinct[0]<>, description = "domain">
#scope0 = #llvm.alias_scope<id = distinct[1]<>, domain = #domain, description = "one">
#scope1 = #llvm.alias_scope<id = distinct[2]<>, domain = #domain>
#group = #llvm.access_group<id = distinct[3]<>>
#group2 = #llvm.access_group<id = distinct[4]<>>
#root = #llvm.tbaa_root<id = "root">
#root0 = #llvm.tbaa_root
#char = #llvm.tbaa_type_desc<id = "char", members = {<#root, 0>}>
#pair = #llvm.tbaa_type_desc<id = "pair \22x\22", members = {<#char, 0>, <#char, 8>}>
#tag = #llvm.tbaa_tag<base_type = #pair, access_type = #char, offset = 8>
#tagc = #llvm.tbaa_tag<base_type = #pair, access_type = #char, offset = 0, constant = true>
#vec = #llvm.loop_vectorize<disable = false, predicateEnable = true, scalableEnable = false, width = 16 : i32>
#inter = #llvm.loop_interleave<count = 8 : i32>
#unroll = #llvm.loop_unroll<disable = true, count = 4 : i32, runtimeDisable = false, full = false>
#unj = #llvm.loop_unroll_and_jam<disable = false, count = 2 : i32>
#licm = #llvm.loop_licm<disable = true, versioningDisable = true>
#dist = #llvm.loop_distribute<disable = true>
#pipe = #llvm.loop_pipeline<disable = false, initiationinterval = 2 : i32>
#peel = #llvm.loop_peeled<count = 3 : i32>
#unsw = #llvm.loop_unswitch<partialDisable = true>
#follow = #llvm.loop_annotation<disableNonforced = true>
#unroll2 = #llvm.loop_unroll<followupAll = #follow>
#loop = #llvm.loop_annotation<disableNonforced = false, vectorize = #vec, interleave = #inter, unroll = #unroll, unrollAndJam = #unj, licm = #licm, distribute = #dist, pipeline = #pipe, peeled = #peel, unswitch = #unsw, mustProgress = true, isVectorized = false, parallelAccesses = #group, #group2>
#loop2 = #llvm.loop_annotation<unroll = #unroll2, startLoc = loc(fused<"s">["x.c":1:2]), endLoc = loc(fused["x.c":3:4, "y"])>
llvm.func @metadata(%p: !llvm.ptr, %c: i1) {
  llvm.intr.experimental.noalias.scope.decl #scope0
  %0 = llvm.load %p {alias_scopes = [#scope0], noalias_scopes = [#scope1], access_groups = [#group, #group2], tbaa = [#tag, #tagc]} : !llvm.ptr -> i32
  llvm.store %0, %p {alias_scopes = [#scope1, #scope0], tbaa = [#tagc]} : i32, !llvm.ptr
  llvm.cond_br %c, ^a, ^b {loop_annotation = #loop}
^a:
  llvm.br ^b {loop_annotation = #loop2}
^b:
  "t.x"() {r = #root0} : () -> ()
  llvm.return
}

#file = #llvm.di_file<"a b.c" in "/src">
#nul = #llvm.di_null_type
#int = #llvm.di_basic_type<tag = DW_TAG_base_type, name = "int", sizeInBits = 32, encoding = DW_ATE_signed>
#float = #llvm.di_basic_type<tag = DW_TAG_base_type, name = "float">
#ptr = #llvm.di_derived_type<tag = DW_TAG_pointer_type, baseType = #int, sizeInBits = 64, alignInBits = 32, offsetInBits = 8>
#member = #llvm.di_derived_type<tag = DW_TAG_member, name = "m", baseType = #float, extraData = #int>
#arr = #llvm.di_composite_type<tag = DW_TAG_array_type, baseType = #int, sizeInBits = 64, elements = #llvm.di_subrange<count = 4 : i64>>
#struct = #llvm.di_composite_type<tag = DW_TAG_structure_type, name = "s", file = #file, line = 3, sizeInBits = 128, flags = "TypePassByReference|NonTrivial", elements = #member, #ptr>
#cu = #llvm.di_compile_unit<id = distinct[0]<>, sourceLanguage = DW_LANG_C99, file = #file, producer = "by hand", isOptimized = true, emissionKind = Full, nameTableKind = None>
#cu2 = #llvm.di_compile_unit<id = distinct[1]<>, sourceLanguage = DW_LANG_Fortran95, file = #file, isOptimized = false, emissionKind = LineTablesOnly>
#sig = #llvm.di_subroutine_type<callingConvention = DW_CC_normal, types = #nul, #int, #ptr>
#sig2 = #llvm.di_subroutine_type<>
#ns = #llvm.di_namespace<name = "ns", exportSymbols = true>
#ns2 = #llvm.di_namespace<name = "inner", scope = #ns, exportSymbols = false>
#mod = #llvm.di_module<file = #file, scope = #file, name = "module", configMacros = "M", includePath = "I", apinotes = "A", line = 5, isDecl = true>
#sp = #llvm.di_subprogram<id = distinct[2]<>, compileUnit = #cu, scope = #ns2, name = "f", linkageName = "_Zf", file = #file, line = 3, scopeLine = 4, subprogramFlags = "Definition|Optimized", type = #sig>
#sp2 = #llvm.di_subprogram<scope = #file, name = "decl", file = #file, subprogramFlags = LocalToUnit, type = #sig2>
#block = #llvm.di_lexical_block<scope = #sp, file = #file, line = 5, column = 6>
#blockf = #llvm.di_lexical_block_file<scope = #block, file = #file, discriminator = 7>
#var = #llvm.di_local_variable<scope = #blockf, name = "v", file = #file, line = 5, arg = 1, alignInBits = 32, type = #struct>
#var2 = #llvm.di_local_variable<scope = #sp, type = #arr>
#label = #llvm.di_label<scope = #block, name = "l", file = #file, line = 8>
#gv = #llvm.di_global_variable<scope = #cu2, name = "g", linkageName = "g", file = #file, line = 2, type = #int, isLocalToUnit = true, isDefined = true, alignInBits = 64>
#gve = #llvm.di_global_variable_expression<var = #gv, expr = <[DW_OP_push_object_address, DW_OP_deref]>>
#gve2 = #llvm.di_global_variable_expression<var = #gv, expr = <>>
llvm.mlir.global external @debugged() {dbg_expr = #gve} : i64
llvm.mlir.global external @debugged2() {alignment = 8 : i64, dbg_expr = #gve2} : i64
llvm.func @debug(%p: !llvm.ptr, %a: i32) {
  llvm.intr.dbg.declare #var = %p : !llvm.ptr
  llvm.intr.dbg.value #var2 #llvm.di_expression<[DW_OP_LLVM_fragment(16, 8), DW_OP_plus_uconst(2), DW_OP_LLVM_convert(16, DW_ATE_signed)]> = %a : i32
  llvm.intr.dbg.value #var2 #llvm.di_expression<> = %a : i32
  llvm.intr.dbg.label #label
  "t.di"() {m = #mod, s = #sp2} : () -> () loc(fused<#block>["x.c":1:2])
  llvm.return loc(callsite("x.c":5:6 at fused<#sp>["y.c":7:8]))
} loc(fused<#sp>["a.c":3:1])
