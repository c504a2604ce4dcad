// releases: 16 19 22
// covers: the omp dialect: data environments with segments, loops, tasks, target maps, atomics, reductions, private declarations.
omp.critical.declare @mutex1 hint(uncontended, speculative)
omp.critical.declare @mutex2 hint(nonspeculative)
omp.critical.declare @mutex3
func.func @omp(%i: index, %a: i32, %l: i64, %c: i1, %p: !llvm.ptr, %q: !llvm.ptr, %m: memref<i32>, %f: f32) {
  omp.barrier
  omp.taskwait
  omp.taskyield
  omp.flush
  omp.flush(%m, %p : memref<i32>, !llvm.ptr)
  omp.master {
      omp.terminator
    }
  omp.critical {
      omp.terminator
    }
  omp.critical(@mutex1) {
      omp.terminator
    }
  omp.parallel {
      omp.barrier
      omp.terminator
    }
  omp.parallel allocate(%m : memref<i32> -> %m : memref<i32>) proc_bind(spread) {
      omp.terminator
    }
  omp.task {
      omp.terminator
    }
  omp.task allocate(%m : memref<i32> -> %m : memref<i32>) {
      omp.terminator
    }
  omp.taskgroup allocate(%m : memref<i32> -> %m : memref<i32>) {
      omp.terminator
    }
  omp.sections nowait {
      omp.section {
        omp.terminator
      }
      omp.terminator
    }
  omp.single nowait {
      omp.terminator
    }
  omp.single allocate(%m : memref<i32> -> %m : memref<i32>) {
      omp.terminator
    }
  omp.threadprivate %p : !llvm.ptr -> !llvm.ptr
  omp.target {
      omp.terminator
    }
  omp.target if(%c) nowait {
      omp.terminator
    }
  omp.target device(%a : i32) if(%c) thread_limit(%a : i32) nowait {
      omp.terminator
    }
  return
}
