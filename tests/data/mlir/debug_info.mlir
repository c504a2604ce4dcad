// releases: 19 22
// covers: debug-info attributes of the llvm dialect in fused locations, textual in 19 and with a codec in 22.
#file = #llvm.di_file<"a.c" in "/src">
#void = #llvm.di_null_type
#int = #llvm.di_basic_type<tag = DW_TAG_base_type, name = "int", sizeInBits = 32, encoding = DW_ATE_signed>
#unit = #llvm.di_compile_unit<id = distinct[0]<>, sourceLanguage = DW_LANG_C99, file = #file, producer = "by hand", isOptimized = true, emissionKind = Full>
#signature = #llvm.di_subroutine_type<callingConvention = DW_CC_normal, types = #void, #int, #int>
#function = #llvm.di_subprogram<id = distinct[1]<>, compileUnit = #unit, scope = #file, name = "f", linkageName = "f", file = #file, line = 3, scopeLine = 4, subprogramFlags = "Definition|Optimized", type = #signature>
#variable = #llvm.di_local_variable<scope = #function, name = "v", file = #file, line = 5, arg = 1, alignInBits = 32, type = #int>
llvm.func @f(%a: i32) -> i32 {
  llvm.intr.dbg.value #variable = %a : i32 loc(fused<#function>["a.c":5:1])
  llvm.return %a : i32 loc("a.c":6:1)
} loc(fused<#function>["a.c":3:1])
