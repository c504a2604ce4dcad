// releases: 16
// covers: the omp dialect: data environments with segments, loops, tasks, target maps, atomics, reductions, private declarations.
omp.reduction.declare @add16 : f32
init {
^bb0(%arg: f32):
  %0 = arith.constant 0.0 : f32
  omp.yield (%0 : f32)
}
combiner {
^bb1(%a: f32, %b: f32):
  %1 = arith.addf %a, %b : f32
  omp.yield (%1 : f32)
}
func.func @reduction16(%lb: index, %f: f32) {
  %r = memref.alloca() : memref<1xf32>
  omp.wsloop reduction(@add16 -> %r : memref<1xf32>) for (%iv) : index = (%lb) to (%lb) step (%lb) {
    omp.reduction %f, %r : memref<1xf32>
    omp.yield
  }
  omp.parallel reduction(@add16 -> %r : memref<1xf32>) {
    omp.terminator
  }
  return
}

omp.critical.declare @mutex1 hint(uncontended, speculative)
omp.critical.declare @mutex2 hint(nonspeculative)
omp.critical.declare @mutex3
func.func @omp(%i: index, %a: i32, %l: i64, %c: i1, %p: !llvm.ptr, %q: !llvm.ptr, %m: memref<i32>, %f: f32) {
  omp.parallel if(%c : i1) num_threads(%a : i32) {
      omp.terminator
    }
  omp.parallel {
      omp.cancel cancellation_construct_type(parallel)
      omp.cancellationpoint cancellation_construct_type(parallel)
      omp.terminator
    }
  omp.wsloop for (%iv, %jv) : index = (%i, %i) to (%i, %i) step (%i, %i) {
      omp.yield
    }
  omp.wsloop schedule(dynamic = %a : i32, nonmonotonic, simd) nowait ordered(1) order(concurrent) for (%iv) : index = (%i) to (%i) inclusive step (%i) {
      omp.yield
    }
  omp.wsloop linear(%m = %a : memref<i32>) schedule(runtime) for (%iv) : index = (%i) to (%i) step (%i) {
      omp.yield
    }
  omp.taskloop if(%c) final(%c) untied for (%iv) : i32 = (%a) to (%a) step (%a) {
      omp.terminator
    }
  omp.taskloop num_tasks(%l: i64) for (%iv) : i32 = (%a) to (%a) step (%a) {
      omp.terminator
    }
  return
}
