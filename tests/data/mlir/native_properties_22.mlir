// releases: 22
// covers: native properties that came after 19: no-wrap pointer arithmetic, disjoint or, exact shifts, non-negative extensions.
llvm.func @f(%a: i64, %b: i64, %p: !llvm.ptr) -> i64 {
  %0 = llvm.or disjoint %a, %b : i64
  %1 = llvm.lshr exact %0, %b : i64
  %2 = llvm.getelementptr inbounds|nuw %p[%1] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %3 = llvm.getelementptr nusw %2[3] : (!llvm.ptr) -> !llvm.ptr, i8
  %4 = llvm.zext nneg %a : i64 to i128
  %5 = llvm.trunc %4 overflow<nuw> : i128 to i64
  llvm.return %5 : i64
}
