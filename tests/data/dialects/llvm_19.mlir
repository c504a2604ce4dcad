// releases: 19
// covers: the llvm dialect: globals, functions with attributes, memory operations with metadata, control flow, exceptions, types.
llvm.func @attributes() attributes {memory_effects = #llvm.memory_effects<other = none, argMem = read, inaccessibleMem = readwrite>, frame_pointer = #llvm.framePointerKind<"non-leaf">, target_cpu = "gfx90a", target_features = #llvm.target_features<["+sme"]>, vscale_range = #llvm.vscale_range<minRange = 1, maxRange = 2>, no_unwind, will_return, always_inline, "unsafe-fp-math" = true} {
  llvm.return
}

#rfile9 = #llvm.di_file<"r.c" in "/src">
#self9 = #llvm.di_composite_type<tag = DW_TAG_null, recId = distinct[19]<>>
#self9p = #llvm.di_derived_type<tag = DW_TAG_pointer_type, baseType = #self9>
#field9 = #llvm.di_derived_type<tag = DW_TAG_member, name = "next", baseType = #self9p>
#list9 = #llvm.di_composite_type<tag = DW_TAG_class_type, recId = distinct[19]<>, name = "list", file = #rfile9, line = 1, flags = FwdDecl, elements = #field9>
"t.recursive"() {t = #list9, u = [#list9, #self9]} : () -> ()
