#file = #llvm.di_file<"a.c" in "/src">
#basic = #llvm.di_basic_type<tag = DW_TAG_base_type, name = "int", sizeInBits = 32, encoding = DW_ATE_signed>
#c = #llvm.di_compile_unit<id = distinct[0]<>, sourceLanguage = DW_LANG_C11, file = #file, isOptimized = false, emissionKind = LineTablesOnly, nameTableKind = None>
#cpp = #llvm.di_compile_unit<id = distinct[1]<>, sourceLanguage = DW_LANG_C_plus_plus_14, file = #file, producer = "p", isOptimized = true, emissionKind = Full, isDebugInfoForProfiling = true>
#tile = #llvm.di_compile_unit<id = distinct[2]<>, sourceLanguage = #llvm.di_source_language_name<language = DW_LANG_C, dialect = DW_LLVM_LANG_DIALECT_tile>, file = #file, isOptimized = true, emissionKind = Full>
#named = #llvm.di_compile_unit<id = distinct[3]<>, sourceLanguage = #llvm.di_source_language_name<name = DW_LNAME_C, version = 201112>, file = #file, isOptimized = true, emissionKind = Full>
#pointer = #llvm.di_derived_type<tag = DW_TAG_pointer_type, baseType = #basic, sizeInBits = 64>
#member = #llvm.di_derived_type<tag = DW_TAG_member, name = "x", baseType = #basic, sizeInBits = 32, alignInBits = 32, offsetInBits = 8>
#structure = #llvm.di_composite_type<tag = DW_TAG_structure_type, name = "s", file = #file, line = 3, sizeInBits = 64, elements = #member, #pointer>
#subroutine = #llvm.di_subroutine_type<callingConvention = DW_CC_normal, types = #llvm.di_null_type, #structure>
#f = #llvm.di_subprogram<id = distinct[4]<>, compileUnit = #cpp, scope = #file, name = "f", file = #file, line = 1, scopeLine = 2, subprogramFlags = "Definition|Optimized", type = #subroutine>
#start = loc(fused<#f>["a.c":4:1])
#end = loc(fused<#f>["a.c":9:2])
#loop = #llvm.loop_annotation<disableNonforced = true, unroll = <disable = true>, mustProgress = true, startLoc = #start, endLoc = #end>
module attributes {t.units = [#c, #cpp, #tile, #named], t.type = #structure, t.scope = #f, t.loop = #loop, t.word = #llvm.di_source_language_name<language = DW_LANG_Rust>} {
}
