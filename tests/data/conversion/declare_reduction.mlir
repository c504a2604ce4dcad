omp.declare_reduction @add : i32 init { ^bb0(%a: i32): %c = llvm.mlir.constant(0 : i32) : i32
 omp.yield(%c : i32) } combiner { ^bb1(%a: i32, %b: i32): %1 = llvm.add %a, %b : i32
 omp.yield(%1 : i32) }
