llvm.func @f(%n: i64, %p: !llvm.ptr<struct<(i32, ptr<i8>)>>, %q: !llvm.ptr<i8, 3>) -> !llvm.ptr<ptr<i8>> {
  %0 = llvm.alloca %n x f32 : (i64) -> !llvm.ptr<f32>
  %1 = llvm.alloca %n x !llvm.struct<(i32, ptr<i8>)> : (i64) -> !llvm.ptr<struct<(i32, ptr<i8>)>>
  %2 = llvm.getelementptr %p[%n, 1] : (!llvm.ptr<struct<(i32, ptr<i8>)>>, i64) -> !llvm.ptr<ptr<i8>>
  %3 = llvm.load %2 : !llvm.ptr<ptr<i8>>
  %4 = llvm.bitcast %3 : !llvm.ptr<i8> to !llvm.ptr<f32>
  %5 = llvm.load %4 : !llvm.ptr<f32>
  llvm.store %5, %0 : !llvm.ptr<f32>
  %6 = llvm.mlir.null : !llvm.ptr<i8>
  llvm.store %6, %2 : !llvm.ptr<ptr<i8>>
  llvm.br ^next(%2 : !llvm.ptr<ptr<i8>>)
^next(%r: !llvm.ptr<ptr<i8>>):
  %7 = llvm.getelementptr %r[%n] : (!llvm.ptr<ptr<i8>>, i64) -> !llvm.ptr<ptr<i8>>
  llvm.return %7 : !llvm.ptr<ptr<i8>>
}
llvm.mlir.global external @g() : !llvm.ptr<func<void (ptr<i32, 1>)>>
func.func @h(%x: memref<4xi32>, %y: !llvm.ptr<f32>, %v: memref<4xi32>, %w: !llvm.ptr<f32>) {
  omp.atomic.read %v = %x : memref<4xi32>
  omp.atomic.read %w = %y : !llvm.ptr<f32>
  return
}
