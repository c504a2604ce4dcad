omp.declare_reduction @add : !llvm.ptr alloc { %c = llvm.mlir.constant(1 : i32) : i32
 %p = llvm.alloca %c x i32 : (i32) -> !llvm.ptr
 omp.yield(%p : !llvm.ptr) } init { ^bb0(%a: !llvm.ptr, %b: !llvm.ptr): omp.yield(%b : !llvm.ptr) } combiner { ^bb1(%a: !llvm.ptr, %b: !llvm.ptr): omp.yield(%a : !llvm.ptr) }
