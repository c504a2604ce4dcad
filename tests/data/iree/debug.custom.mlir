#di_basic_type = #llvm.di_basic_type<tag = DW_TAG_base_type, name = "int", sizeInBits = 32, encoding = DW_ATE_signed>
#di_file = #llvm.di_file<"a.c" in "/src">
#di_null_type = #llvm.di_null_type
#loc = loc("a.c":4:1)
#loc1 = loc("a.c":9:2)
#loop_unroll = #llvm.loop_unroll<disable = true>
#di_compile_unit = #llvm.di_compile_unit<id = distinct[0]<>, sourceLanguage = DW_LANG_C_plus_plus_14, file = #di_file, producer = "p", isOptimized = true, emissionKind = Full, isDebugInfoForProfiling = true>
#di_compile_unit1 = #llvm.di_compile_unit<id = distinct[1]<>, sourceLanguage = DW_LANG_C11, file = #di_file, emissionKind = LineTablesOnly, nameTableKind = None>
#di_compile_unit2 = #llvm.di_compile_unit<id = distinct[2]<>, sourceLanguage = #llvm.di_source_language_name<language = DW_LANG_C, dialect = DW_LLVM_LANG_DIALECT_tile>, file = #di_file, isOptimized = true, emissionKind = Full>
#di_compile_unit3 = #llvm.di_compile_unit<id = distinct[3]<>, sourceLanguage = #llvm.di_source_language_name<name = DW_LNAME_C, version = 201112>, file = #di_file, isOptimized = true, emissionKind = Full>
#di_derived_type = #llvm.di_derived_type<tag = DW_TAG_member, name = "x", baseType = #di_basic_type, sizeInBits = 32, alignInBits = 32, offsetInBits = 8>
#di_derived_type1 = #llvm.di_derived_type<tag = DW_TAG_pointer_type, baseType = #di_basic_type, sizeInBits = 64>
#di_composite_type = #llvm.di_composite_type<tag = DW_TAG_structure_type, name = "s", file = #di_file, line = 3, sizeInBits = 64, elements = #di_derived_type, #di_derived_type1>
#di_subroutine_type = #llvm.di_subroutine_type<callingConvention = DW_CC_normal, types = #di_null_type, #di_composite_type>
#di_subprogram = #llvm.di_subprogram<id = distinct[4]<>, compileUnit = #di_compile_unit, scope = #di_file, name = "f", file = #di_file, line = 1, scopeLine = 2, subprogramFlags = "Definition|Optimized", type = #di_subroutine_type>
#loc2 = loc(fused<#di_subprogram>[#loc])
#loc3 = loc(fused<#di_subprogram>[#loc1])
#loop_annotation = #llvm.loop_annotation<disableNonforced = true, unroll = #loop_unroll, mustProgress = true, startLoc = #loc2, endLoc = #loc3>
module attributes {t.loop = #loop_annotation, t.scope = #di_subprogram, t.type = #di_composite_type, t.units = [#di_compile_unit1, #di_compile_unit, #di_compile_unit2, #di_compile_unit3], t.word = #llvm.di_source_language_name<language = DW_LANG_Rust>} {
}

