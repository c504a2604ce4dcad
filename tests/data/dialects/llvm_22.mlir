// releases: 22
// covers: the llvm dialect: globals, functions with attributes, memory operations with metadata, control flow, exceptions, types.
llvm.mlir.global external @g() : i32
llvm.func @callee(i32) -> i32
llvm.func @varargs(i32, ...) -> i32
llvm.func @resolver() -> !llvm.ptr
llvm.func @ops(%a: i32, %l: i64, %f: f32, %d: f64, %p: !llvm.ptr, %v: vector<4xi32>, %w: vector<4xf32>, %c: i1, %s: !llvm.struct<(i32, array<2 x f32>)>, %sv: vector<[4]xi32>, %b: vector<4xi1>, %a8: i8) {
  llvm.udiv exact %a, %a : i32
  llvm.sdiv exact %a, %a : i32
  llvm.or disjoint %a, %a : i32
  llvm.lshr exact %a, %a : i32
  llvm.trunc %l overflow<nuw> : i64 to i32
  llvm.zext nneg %a : i32 to i64
  llvm.uitofp nneg %a : i32 to f32
  llvm.mlir.constant([1 : i32, 2.0 : f32]) : !llvm.struct<(i32, f32)>
  llvm.call @callee(%a) ["tag"(%a, %f : i32, f32), "empty"()] : (i32) -> i32
  llvm.call @callee(%a) {memory_effects = #llvm.memory_effects<other = none, argMem = readwrite, inaccessibleMem = write, errnoMem = none, targetMem0 = none, targetMem1 = none>} : (i32) -> i32
  llvm.call_intrinsic "llvm.my.intrinsic"() {fastmathFlags = #llvm.fastmath<reassoc>} : () -> ()
  llvm.va_arg %p : (!llvm.ptr) -> i32
  llvm.dso_local_equivalent @callee : !llvm.ptr
  %vp_125 = "t.make"() : () -> vector<4x!llvm.ptr>
      "llvm.intr.masked.gather"(%vp_125, %b) {alignment = 4 : i32} : (vector<4x!llvm.ptr>, vector<4xi1>) -> vector<4xf32>
      "llvm.intr.masked.scatter"(%w, %vp_125, %b) {alignment = 4 : i32} : (vector<4xf32>, vector<4x!llvm.ptr>, vector<4xi1>) -> ()
  llvm.intr.lifetime.end %p : !llvm.ptr
  llvm.intr.assume %c : i1
  llvm.intr.assume %c ["align"(%p, %l : !llvm.ptr, i64)] : i1
  llvm.intr.experimental.constrained.sitofp %a tonearest maytrap : i32 to f32
  llvm.intr.trap
  "t.llvm"() {a = #llvm.undef, b = #llvm.poison, c = #llvm.zero, d = #llvm.vscale_range<minRange = 1 : i32, maxRange = 16 : i32>, e = #llvm.target_features<["+sme", "+sve"]>, f = #llvm.constant_range<i32, 0, 12>, g = #llvm.constant_range<i8, -3, 7>} : () -> ()
  "t.llvm"() {a = #llvm.linkage<weak_odr>, b = #llvm.cconv<ccc>, c = #llvm.framePointerKind<all>, d = #llvm.vec_type_hint<hint = f32, is_signed = false>, e = #llvm.vec_type_hint<hint = i32, is_signed = true>} : () -> ()
  "t.llvm"() {a = #llvm.mmra_tag<"amdgpu-as" : "local">, b = #llvm.dependent_libraries<"a.so", "b c">, c = #llvm.address_space<5>, d = #llvm.target<triple = "x86_64", chip = "skylake", features = <["+avx"]>>} : () -> ()
  "t.llvm"() {a = #llvm.mmra_tag<"amdgpu-as" : "local">} : () -> ()
  "t.llvm"() {b = #llvm.dependent_libraries<"a.so", "b c">, c = #llvm.address_space<5>} : () -> ()
  "t.llvm"() {d = #llvm.target<triple = "x86_64", chip = "skylake", features = <["+avx"]>>, e = #llvm.tailcallkind<musttail>, u = #llvm.uwtableKind<sync>} : () -> ()
  "t.llvm"() {w = #llvm.mlir.workgroup_attribution<512 : i64, i32>, l = #llvm.blocktag<id = 3>, m = #llvm<dso_local_equivalent @callee>} : () -> ()
  "t.llvm"() {w = #llvm.mlir.workgroup_attribution<512 : i64, !llvm.ptr>} : () -> ()
  "t.llvm"() {f = #llvm.fastmath<nnan, nsz, arcp>, g = #llvm.fastmath<none>, h = #llvm.fastmath<fast>, d = #llvm.dereferenceable<bytes = 8, mayBeNull = true>, i = #llvm.dereferenceable<bytes = 16>} : () -> ()
  "t.types"() {t = [!llvm.x86_amx]} : () -> ()
  "t.types"() {t = [!llvm.struct<"a\22b", (i32)>, !llvm.struct<"", (i32)>, !llvm.struct<"with space", (struct<"in ner", (i1, f16, bf16, f80, f128)>)>]} : () -> ()
  llvm.return
}

llvm.func @attributes22() attributes {memory_effects = #llvm.memory_effects<other = none, argMem = read, inaccessibleMem = readwrite, errnoMem = none, targetMem0 = none, targetMem1 = none>, frame_pointer = #llvm.framePointerKind<"non-leaf">, vscale_range = #llvm.vscale_range<minRange = 1, maxRange = 2>, no_unwind, will_return, always_inline, instrument_function_entry = "x", uwtable_kind = #llvm.uwtableKind<async>, denormal_fp_math = "preserve-sign", no_infs_fp_math = true, hot} {
  llvm.return
}

llvm.func hidden @hidden_fn(%p: !llvm.ptr {llvm.byval = i32, llvm.dereferenceable = 4 : i64, llvm.nonnull, llvm.range = #llvm.constant_range<i32, 0, 5>}) attributes {vec_type_hint = #llvm.vec_type_hint<hint = i32>, reqd_work_group_size = array<i32: 1, 2, 3>, intel_reqd_sub_group_size = 16 : i32} {
  llvm.return
}

llvm.func @ctor() {
  llvm.return
}
llvm.mlir.global_ctors ctors = [@ctor], priorities = [65535 : i32], data = [#llvm.zero]
llvm.mlir.global_dtors dtors = [@ctor, @ctor], priorities = [0 : i32, 1 : i32], data = [#llvm.zero, @ctor]
llvm.mlir.alias external @alias_of_g : i32 {
  %0 = llvm.mlir.addressof @aliased : !llvm.ptr
  llvm.return %0 : !llvm.ptr
}
llvm.mlir.global external @aliased(1 : i32) : i32
llvm.module_flags [#llvm.mlir.module_flag<error, "wchar_size", 4 : i32>, #llvm.mlir.module_flag<min, "PIC Level", 2 : i32>, #llvm.mlir.module_flag<append, "CG Profile", [#llvm.cgprofile_entry<from = @ctor, to = @ctor, count = 222>, #llvm.cgprofile_entry<to = @ctor, count = 1>]>, #llvm.mlir.module_flag<override, "probe-stack", "inline-asm">]
llvm.func @ifunc_resolver() -> !llvm.ptr {
  %0 = llvm.mlir.addressof @ctor : !llvm.ptr
  llvm.return %0 : !llvm.ptr
}
llvm.mlir.ifunc external @ifunc : !llvm.func<void ()>, !llvm.ptr @ifunc_resolver {dso_local}
llvm.func @indirect(%p: !llvm.ptr) {
  %0 = llvm.blockaddress <function = @indirect, tag = <id = 1>> : !llvm.ptr
  llvm.indirectbr %0 : !llvm.ptr, [
    ^a,
    ^b(%p : !llvm.ptr)
  ]
^a:
  llvm.blocktag <id = 1>
  llvm.return
^b(%q: !llvm.ptr):
  llvm.return
}

#rfile = #llvm.di_file<"r.c" in "/src">
#self = #llvm.di_composite_type<tag = DW_TAG_null, recId = distinct[10]<>, isRecSelf = true>
#selfp = #llvm.di_derived_type<tag = DW_TAG_pointer_type, baseType = #self>
#field = #llvm.di_derived_type<tag = DW_TAG_member, name = "next", baseType = #selfp>
#list = #llvm.di_composite_type<tag = DW_TAG_class_type, recId = distinct[10]<>, name = "list", file = #rfile, line = 1, flags = FwdDecl, elements = #field>
"t.recursive"() {t = #list, u = [#list, #self]} : () -> ()

#rfile2 = #llvm.di_file<"r.c" in "/src">
#cu3 = #llvm.di_compile_unit<id = distinct[20]<>, sourceLanguage = DW_LANG_C99, file = #rfile2, isOptimized = false, emissionKind = DebugDirectivesOnly, nameTableKind = GNU, splitDebugFilename = "x.dwo">
#ann = #llvm.di_annotation<name = "foo", value = "bar">
#spself = #llvm.di_subprogram<recId = distinct[21]<>, isRecSelf = true>
#entity = #llvm.di_imported_entity<tag = DW_TAG_imported_module, scope = #spself, entity = #rfile2, file = #rfile2, line = 1, name = "e">
#sp3 = #llvm.di_subprogram<recId = distinct[21]<>, id = distinct[22]<>, compileUnit = #cu3, scope = #rfile2, name = "g", file = #rfile2, subprogramFlags = Definition, retainedNodes = #entity>
#sp4 = #llvm.di_subprogram<compileUnit = #cu3, scope = #rfile2, name = "h", annotations = #ann, #ann>
#str = #llvm.di_string_type<tag = DW_TAG_string_type, name = "character(*)", sizeInBits = 32, alignInBits = 8, encoding = DW_ATE_ASCII>
#cb = #llvm.di_common_block<scope = #sp3, name = "block", file = #rfile2, line = 3>
#gsub = #llvm.di_generic_subrange<count = #llvm.di_expression<[DW_OP_deref]>, lowerBound = #llvm.di_expression<[DW_OP_constu(1)]>, stride = #llvm.di_expression<[DW_OP_deref]>>
#dt = #llvm.di_derived_type<tag = DW_TAG_pointer_type, baseType = #str, dwarfAddressSpace = 3>
#lv = #llvm.di_local_variable<scope = #sp3, name = "v", flags = Artificial>
"t.new"() {a = #sp3, a4 = #sp4, b = #str, c = #cb, d = #gsub, e = #dt, f = #lv, g = #llvm.profile_summary<format = InstrProf, total_count = 263646, max_count = 86427, max_internal_count = 86427, max_function_count = 4691, num_counts = 3712, num_functions = 796, is_partial_profile = 0, partial_profile_ratio = 0.0, detailed_summary = <cut_off = 10000, min_count = 86427, num_counts = 1>>} : () -> ()
