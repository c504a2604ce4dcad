// releases: 16
// covers: the llvm dialect: globals, functions with attributes, memory operations with metadata, control flow, exceptions, types.
llvm.mlir.global external @g() : i32
llvm.func @callee(i32) -> i32
llvm.func @varargs(i32, ...) -> i32
llvm.func @resolver() -> !llvm.ptr
llvm.func @ops(%a: i32, %l: i64, %f: f32, %d: f64, %p: !llvm.ptr, %v: vector<4xi32>, %w: vector<4xf32>, %c: i1, %s: !llvm.struct<(i32, array<2 x f32>)>, %sv: vector<[4]xi32>, %b: vector<4xi1>, %a8: i8) {
  llvm.mlir.null : !llvm.ptr
  "llvm.intr.ctlz"(%a, %c) : (i32, i1) -> i32
  "llvm.intr.memcpy"(%p, %p, %l, %c) : (!llvm.ptr, !llvm.ptr, i64, i1) -> ()
  "t.types"() {t = [!llvm.ptr<i32>, !llvm.ptr<ptr<f32>, 3>, !llvm.ptr<func<void ()>>, !llvm.ptr<struct<"rec", (ptr<struct<"rec">>)>>]} : () -> ()
  llvm.return
}

#loop16 = #llvm.loopopts<disable_unroll = true, disable_licm = true, interleave_count = 1, disable_pipeline = false, pipeline_initiation_interval = 2>
llvm.func @loops(%p: !llvm.ptr, %c: i1) {
  llvm.cond_br %c, ^a, ^b {llvm.loop = {parallel_access = [@metadata16::@group1, @metadata16::@group2], options = #loop16}}
^a:
  %0 = llvm.load %p {access_groups = [@metadata16::@group1], alias_scopes = [@metadata16::@scope], tbaa = [@metadata16::@tag]} : !llvm.ptr -> i32
  llvm.br ^b
^b:
  llvm.return
}
llvm.metadata @metadata16 attributes {test_attribute} {
  llvm.access_group @group1
  llvm.access_group @group2
  llvm.alias_scope_domain @domain {description = "The domain"}
  llvm.alias_scope @scope {domain = @domain, description = "scope"}
  llvm.tbaa_root @root {id = "root"}
  llvm.tbaa_type_desc @type {id = "char", members = {<@root, 0>}}
  llvm.tbaa_tag @tag {base_type = @type, access_type = @type, offset = 0}
}

llvm.func @typed_pointers(%p: !llvm.ptr<i32>, %i: i32, %q: !llvm.ptr<ptr<f32>, 3>, %s: !llvm.ptr<struct<"rec16", (i32, ptr<struct<"rec16">>)>>) {
  llvm.load %p : !llvm.ptr<i32>
  llvm.store %i, %p : !llvm.ptr<i32>
  llvm.getelementptr %s[%i, 1] : (!llvm.ptr<struct<"rec16", (i32, ptr<struct<"rec16">>)>>, i32) -> !llvm.ptr<ptr<struct<"rec16", (i32, ptr<struct<"rec16">>)>>>
  llvm.alloca %i x i32 : (i32) -> !llvm.ptr<i32>
  llvm.bitcast %p : !llvm.ptr<i32> to !llvm.ptr<i8>
  llvm.mlir.null : !llvm.ptr<i32>
  llvm.return
}

#file16 = #llvm.di_file<"a b.c" in "/src">
#int16 = #llvm.di_basic_type<tag = DW_TAG_base_type, name = "int", sizeInBits = 32, encoding = DW_ATE_signed>
#cu16 = #llvm.di_compile_unit<sourceLanguage = DW_LANG_C99, file = #file16, producer = "by hand", isOptimized = true, emissionKind = Full>
#sig16 = #llvm.di_subroutine_type<callingConvention = DW_CC_normal, types = #int16, #int16>
#sp16 = #llvm.di_subprogram<compileUnit = #cu16, scope = #file16, name = "f", linkageName = "_Zf", file = #file16, line = 3, scopeLine = 4, subprogramFlags = "Definition|Optimized", type = #sig16>
#var16 = #llvm.di_local_variable<scope = #sp16, name = "v", file = #file16, line = 5, arg = 1, alignInBits = 32, type = #int16>
llvm.func @debug16(%p: !llvm.ptr, %a: i32) {
  llvm.intr.dbg.declare #var16 = %p : !llvm.ptr
  llvm.intr.dbg.value #var16 = %a : i32
  llvm.intr.dbg.addr #var16 = %p : !llvm.ptr
  llvm.return
} loc(fused<#sp16>["a.c":3:1])
