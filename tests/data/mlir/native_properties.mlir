// releases: 19 22
// covers: properties that are no attributes: overflow and in-bounds flags of the llvm dialect.
llvm.func @f(%a: i64, %b: i64, %p: !llvm.ptr) -> i64 {
  %0 = llvm.add %a, %b overflow<nsw> : i64
  %1 = llvm.add %0, %b overflow<nsw, nuw> : i64
  %2 = llvm.mul %1, %b : i64
  %3 = llvm.getelementptr inbounds %p[%2, 1] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.struct<(i32, i64)>
  %4 = llvm.getelementptr %3[7] : (!llvm.ptr) -> !llvm.ptr, i8
  %5 = llvm.load %4 {alignment = 8 : i64} : !llvm.ptr -> i64
  llvm.store volatile %5, %p : i64, !llvm.ptr
  %6 = llvm.icmp "slt" %5, %b : i64
  llvm.cond_br %6, ^yes, ^no(%5 : i64)
^yes:
  llvm.return %0 : i64
^no(%r: i64):
  llvm.return %r : i64
}
