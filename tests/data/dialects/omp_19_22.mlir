// releases: 19 22
// covers: the omp dialect: data environments with segments, loops, tasks, target maps, atomics, reductions, private declarations.
omp.critical.declare @mutex1 hint(uncontended, speculative)
omp.critical.declare @mutex2 hint(nonspeculative)
omp.critical.declare @mutex3
func.func @omp(%i: index, %a: i32, %l: i64, %c: i1, %p: !llvm.ptr, %q: !llvm.ptr, %m: memref<i32>, %f: f32) {
  omp.masked {
      omp.terminator
    }
  omp.masked filter(%a : i32) {
      omp.terminator
    }
  omp.parallel if(%c) num_threads(%a : i32) proc_bind(close) {
      omp.terminator
    }
  omp.parallel {
      omp.cancel cancellation_construct_type(parallel) if(%c)
      omp.cancellation_point cancellation_construct_type(parallel)
      omp.terminator
    }
  omp.teams {
      omp.terminator
    }
  omp.teams num_teams(%a : i32 to %a : i32) if(%c) thread_limit(%a : i32) {
      omp.terminator
    }
  omp.teams num_teams( to %a : i32) allocate(%m : memref<i32> -> %m : memref<i32>) {
      omp.terminator
    }
  omp.task if(%c) final(%c) untied mergeable priority(%a : i32) {
      omp.terminator
    }
  omp.task depend(taskdependin -> %p : !llvm.ptr, taskdependinout -> %q : !llvm.ptr) {
      omp.terminator
    }
  omp.ordered.region {
      omp.terminator
    }
  omp.atomic.write %p = %a : !llvm.ptr, i32
  omp.atomic.write %p = %a hint(speculative) memory_order(release) : !llvm.ptr, i32
  omp.atomic.update memory_order(relaxed) %p : !llvm.ptr {
    ^bb0(%x: i32):
      %y_59 = llvm.add %x, %a : i32
      omp.yield(%y_59 : i32)
    }
  omp.target depend(taskdependin -> %p : !llvm.ptr) is_device_ptr(%p : !llvm.ptr) {
      omp.terminator
    }
  %b_66 = omp.map.bounds lower_bound(%i : index) upper_bound(%i : index) extent(%i : index) stride(%i : index) start_idx(%i : index)
      %s_66 = omp.map.info var_ptr(%p : !llvm.ptr, !llvm.array<10 x i32>) map_clauses(tofrom) capture(ByRef) bounds(%b_66) -> !llvm.ptr {name = "array"}
      %t_66 = omp.map.info var_ptr(%q : !llvm.ptr, i32) map_clauses(exit_release_or_enter_alloc) capture(ByCopy) -> !llvm.ptr {name = ""}
      omp.target_enter_data map_entries(%t_66 : !llvm.ptr)
      omp.target_exit_data device(%a : i32) if(%c) nowait map_entries(%t_66 : !llvm.ptr)
      omp.target map_entries(%s_66 -> %x, %t_66 -> %y : !llvm.ptr, !llvm.ptr) {
        omp.terminator
      }
  %b_67 = omp.map.bounds lower_bound(%i : index) upper_bound(%i : index) {stride_in_bytes = true}
      %s_67 = omp.map.info var_ptr(%p : !llvm.ptr, !llvm.array<10 x i32>) map_clauses(tofrom, always) capture(ByRef) bounds(%b_67) -> !llvm.ptr {name = "array"}
      %t_67 = omp.map.info var_ptr(%q : !llvm.ptr, i32) map_clauses(to) capture(ByCopy) -> !llvm.ptr
      %u_67 = omp.map.info var_ptr(%p : !llvm.ptr, !llvm.struct<"s", (i32)>) map_clauses(always, tofrom) capture(ByRef) members(%t_67 : [0] : !llvm.ptr) -> !llvm.ptr {partial_map = true}
      omp.target_update map_entries(%t_67 : !llvm.ptr)
  %s_69 = omp.map.info var_ptr(%p : !llvm.ptr, i32) map_clauses(from) capture(ByRef) -> !llvm.ptr {name = "x"}
      omp.target_update map_entries(%s_69 : !llvm.ptr) depend(taskdependinout -> %p : !llvm.ptr) nowait
      omp.target_exit_data depend(taskdependin -> %p : !llvm.ptr) map_entries(%s_69 : !llvm.ptr)
  "t.omp"() {f = [#omp.flags<debug_kind = 1, assume_teams_oversubscription = true>, #omp.flags<>], v = #omp.version<version = 51>, d = #omp.declaretarget<device_type = (any), capture_clause = (to)>} : () -> ()
  return
}

module @offload attributes {omp.is_target_device = false, omp.flags = #omp.flags<assume_no_thread_state = true>, omp.version = #omp.version<version = 52>, omp.requires = #omp<clause_requires reverse_offload>} {
}
