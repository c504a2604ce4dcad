// releases: 19
// covers: the omp dialect: data environments with segments, loops, tasks, target maps, atomics, reductions, private declarations.
omp.critical.declare @mutex1 hint(uncontended, speculative)
omp.critical.declare @mutex2 hint(nonspeculative)
omp.critical.declare @mutex3
func.func @omp(%i: index, %a: i32, %l: i64, %c: i1, %p: !llvm.ptr, %q: !llvm.ptr, %m: memref<i32>, %f: f32) {
  omp.wsloop schedule(static) {
      omp.loop_nest (%iv) : index = (%i) to (%i) step (%i) {
        omp.yield
      }
      omp.terminator
    }
  omp.simd aligned(%m : memref<i32> -> 8 : i64) safelen(8) simdlen(4) {
      omp.loop_nest (%iv) : index = (%i) to (%i) step (%i) {
        omp.yield
      }
      omp.terminator
    }
  omp.distribute dist_schedule_static chunk_size(%a : i32) {
      omp.loop_nest (%iv) : index = (%i) to (%i) step (%i) {
        omp.yield
      }
      omp.terminator
    }
  omp.taskloop num_tasks(%l : i64) {
      omp.loop_nest (%iv) : i32 = (%a) to (%a) step (%a) {
        omp.yield
      }
      omp.terminator
    }
  omp.atomic.read %p = %q : !llvm.ptr, i32
  omp.atomic.read %p = %q memory_order(acquire) : !llvm.ptr, i32
  omp.atomic.capture {
      omp.atomic.read %p = %q : !llvm.ptr, i32
      omp.atomic.write %q = %a : !llvm.ptr, i32
    }
  return
}

omp.private {type = private} @x19.privatizer : !llvm.ptr alloc {
^bb0(%arg0: !llvm.ptr):
  omp.yield(%arg0 : !llvm.ptr)
}
omp.private {type = firstprivate} @y19.privatizer : !llvm.ptr alloc {
^bb0(%arg0: !llvm.ptr):
  omp.yield(%arg0 : !llvm.ptr)
} copy {
^bb0(%arg0: !llvm.ptr, %arg1: !llvm.ptr):
  omp.yield(%arg0 : !llvm.ptr)
} dealloc {
^bb0(%arg0: !llvm.ptr):
  omp.yield
}
func.func @private19(%p: !llvm.ptr, %q: !llvm.ptr) {
  omp.parallel private(@x19.privatizer %p -> %a : !llvm.ptr, @y19.privatizer %q -> %b : !llvm.ptr) {
    omp.terminator
  }
  return
}
