// releases: 22
// covers: the omp dialect: data environments with segments, loops, tasks, target maps, atomics, reductions, private declarations.
omp.declare_reduction @add_f32 : f32
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
atomic {
^bb2(%p: !llvm.ptr, %q: !llvm.ptr):
  %2 = llvm.load %q : !llvm.ptr -> f32
  llvm.atomicrmw fadd %p, %2 monotonic : !llvm.ptr, f32
  omp.yield
}
func.func @reduction(%r: !llvm.ptr, %f: f32) {
  omp.parallel reduction(@add_f32 %r -> %prv : !llvm.ptr) {
    omp.terminator
  }
  omp.parallel reduction(byref @add_f32 %r -> %prv : !llvm.ptr) {
    omp.terminator
  }
  omp.sections reduction(@add_f32 %r -> %prv : !llvm.ptr) {
    omp.section {
    ^bb0(%x: !llvm.ptr):
      omp.terminator
    }
    omp.section {
    ^bb0(%x: !llvm.ptr):
      omp.terminator
    }
    omp.terminator
  }
  return
}

omp.critical.declare @mutex1 hint(uncontended, speculative)
omp.critical.declare @mutex2 hint(nonspeculative)
omp.critical.declare @mutex3
func.func @omp(%i: index, %a: i32, %l: i64, %c: i1, %p: !llvm.ptr, %q: !llvm.ptr, %m: memref<i32>, %f: f32) {
  omp.wsloop {
      omp.loop_nest (%iv, %jv) : index = (%i, %i) to (%i, %i) step (%i, %i) {
        omp.yield
      }
    }
  omp.wsloop schedule(dynamic = %a : i32, monotonic, simd) nowait ordered(1) order(concurrent) {
      omp.loop_nest (%iv) : i32 = (%a) to (%a) inclusive step (%a) {
        omp.yield
      }
    }
  omp.wsloop schedule(dynamic = %a : i32, nonmonotonic) ordered(0) order(reproducible:concurrent) {
      omp.simd aligned(%m : memref<i32> -> 8 : i64) safelen(8) simdlen(4) {
        omp.loop_nest (%iv) : index = (%i) to (%i) step (%i) {
          omp.yield
        }
      } {omp.composite}
    } {omp.composite}
  omp.simd if(%c) nontemporal(%m : memref<i32>) order(concurrent) {
      omp.loop_nest (%iv) : index = (%i) to (%i) step (%i) {
        omp.yield
      }
    }
  omp.distribute dist_schedule_static dist_schedule_chunk_size(%a : i32) order(unconstrained:concurrent) {
      omp.loop_nest (%iv) : index = (%i) to (%i) step (%i) {
        omp.yield
      }
    }
  omp.loop bind(thread) order(concurrent) {
      omp.loop_nest (%iv) : index = (%i) to (%i) step (%i) {
        omp.yield
      }
    }
  omp.taskloop grainsize(strict, %l : i64) if(%c) final(%c) untied mergeable priority(%a : i32) nogroup {
      omp.loop_nest (%iv) : i32 = (%a) to (%a) step (%a) {
        omp.yield
      }
    }
  omp.workshare nowait {
      omp.workshare.loop_wrapper {
        omp.loop_nest (%iv) : index = (%i) to (%i) step (%i) {
          omp.yield
        }
      }
      omp.terminator
    }
  omp.teams {
      omp.workdistribute {
        omp.terminator
      }
      omp.terminator
    }
  omp.ordered.region par_level_simd {
      omp.terminator
    }
  omp.atomic.read %p = %q : !llvm.ptr, !llvm.ptr, i32
  omp.atomic.read %p = %q memory_order(seq_cst) hint(none) : !llvm.ptr, !llvm.ptr, i32
  omp.atomic.read %p = %q hint(nonspeculative, contended) : !llvm.ptr, !llvm.ptr, i32
  omp.atomic.capture memory_order(acq_rel) hint(uncontended) {
      omp.atomic.read %p = %q : !llvm.ptr, !llvm.ptr, i32
      omp.atomic.write %q = %a : !llvm.ptr, i32
    }
  %s_68 = omp.map.info var_ptr(%p : !llvm.ptr, i32) map_clauses(to) capture(ByRef) -> !llvm.ptr {name = "x"}
      omp.target_data if(%c) device(%a : i32) map_entries(%s_68 : !llvm.ptr) {
        omp.terminator
      }
      omp.target_data map_entries(%s_68 : !llvm.ptr) use_device_addr(%s_68 -> %x : !llvm.ptr) use_device_ptr(%s_68 -> %y : !llvm.ptr) {
        omp.terminator
      }
  omp.canonical_loop %iv : i32 in range(%a) {
      omp.terminator
    }
  %cli_71 = omp.new_cli
      omp.canonical_loop(%cli_71) %iv : i32 in range(%a) {
        omp.terminator
      }
      omp.unroll_heuristic(%cli_71)
  %d_72 = omp.target_allocmem %a : i32, i64
      omp.target_freemem %a, %d_72 : i32, i64
  %d_73 = omp.target_allocmem %a : i32, !llvm.array<3 x f32> {uniq_name = "u"}
  omp.allocate_dir(%p : !llvm.ptr) align(64)
  "t.omp"() {d = #omp.declaretarget<device_type = (nohost), capture_clause = (link), automap = true>, r = #omp<clause_requires reverse_offload|unified_shared_memory>} : () -> ()
  return
}

omp.private {type = private} @x.privatizer : i32 init {
^bb0(%arg0: !llvm.ptr, %arg1: !llvm.ptr):
  omp.yield(%arg0 : !llvm.ptr)
} dealloc {
^bb0(%arg0: !llvm.ptr):
  omp.yield
}
omp.private {type = firstprivate} @y.privatizer : i32 copy {
^bb0(%arg0: !llvm.ptr, %arg1: !llvm.ptr):
  omp.yield(%arg0 : !llvm.ptr)
}
omp.private {type = private} @z.privatizer : f32
omp.declare_mapper @mapper : !llvm.struct<"t", (i32)> {
^bb0(%arg: !llvm.ptr):
  %0 = omp.map.info var_ptr(%arg : !llvm.ptr, i32) map_clauses(tofrom) capture(ByRef) -> !llvm.ptr {name = "m"}
  omp.declare_mapper.info map_entries(%0 : !llvm.ptr)
}
func.func @private(%p: !llvm.ptr, %q: !llvm.ptr) {
  omp.parallel private(@x.privatizer %p -> %a, @y.privatizer %q -> %b : !llvm.ptr, !llvm.ptr) {
    omp.terminator
  }
  %0 = omp.map.info var_ptr(%p : !llvm.ptr, !llvm.struct<"t", (i32)>) map_clauses(tofrom) capture(ByRef) mapper(@mapper) -> !llvm.ptr {name = "m"}
  omp.target map_entries(%0 -> %x : !llvm.ptr) private(@z.privatizer %q -> %y : !llvm.ptr) {
    omp.terminator
  }
  return
}
