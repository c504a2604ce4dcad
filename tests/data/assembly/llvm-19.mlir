irdl.dialect @d {
  irdl.type @t
  irdl.operation @op {
    %0 = irdl.any
    %1 = irdl.is i32
    irdl.operands(%0, optional %1, variadic %0)
    irdl.results(single %0, variadic %1)
  }
  irdl.operation @op2 {
    %0 = irdl.any
    irdl.results(%0)
  }
}
// -----
func.func @omp_map_with_members(%arg0: !llvm.ptr, %arg1: !llvm.ptr, %arg2: !llvm.ptr, %arg3: !llvm.ptr, %arg4: !llvm.ptr, %arg5: !llvm.ptr) -> () {
  %mapv1 = omp.map.info var_ptr(%arg0 : !llvm.ptr, i32)   map_clauses(to) capture(ByRef) -> !llvm.ptr {name = ""}
  %mapv2 = omp.map.info var_ptr(%arg1 : !llvm.ptr, f32)   map_clauses(to) capture(ByRef) -> !llvm.ptr {name = ""}
  %mapv3 = omp.map.info var_ptr(%arg2 : !llvm.ptr, !llvm.struct<(i32, f32)>)   map_clauses(to) capture(ByRef) members(%mapv1, %mapv2 : [0], [1] : !llvm.ptr, !llvm.ptr) -> !llvm.ptr {name = "", partial_map = true}
  %mapv4 = omp.map.info var_ptr(%arg2 : !llvm.ptr, !llvm.struct<(i32, f32)>)   map_clauses(always, close, tofrom, foo) capture(ByCopy) members(%mapv1 : [0] : !llvm.ptr) -> !llvm.ptr {name = ""}
  %mapv5 = omp.map.info var_ptr(%arg2 : !llvm.ptr, !llvm.struct<(i32, f32)>)   map_clauses(exit_release_or_enter_alloc) capture(ByCopy) members(%mapv1, %mapv2 : [0,1], [0,1] : !llvm.ptr, !llvm.ptr) -> !llvm.ptr {name = ""}
  %mapv6 = omp.map.info var_ptr(%arg2 : !llvm.ptr, !llvm.struct<(i32, f32)>)   map_clauses(delete) capture(ByCopy) members(%mapv1, %mapv2 : [0], [0] : !llvm.ptr, !llvm.ptr) -> !llvm.ptr {name = ""}
  return
}
omp.declare_reduction @add_f32 : f32
init {
^bb0(%arg: f32):
  %0 = arith.constant 0.0 : f32
  omp.yield (%0 : f32)
}
combiner {
^bb1(%arg0: f32, %arg1: f32):
  %1 = arith.addf %arg0, %arg1 : f32
  omp.yield (%1 : f32)
}
atomic {
^bb2(%arg2: !llvm.ptr, %arg3: !llvm.ptr):
  %2 = llvm.load %arg3 : !llvm.ptr -> f32
  llvm.atomicrmw fadd %arg2, %2 monotonic : !llvm.ptr, f32
  omp.yield
}
cleanup {
^bb0(%arg: f32):
  omp.yield
}
// -----
llvm.func @shuffle(%a: !llvm.vec<2 x ptr>) {
  %0 = llvm.shufflevector %a, %a [1, 0, 1] : !llvm.vec<2 x ptr>
  llvm.return
}
spirv.func @copy() "None" {
  %0 = spirv.Variable : !spirv.ptr<f32, Function>
  %1 = spirv.Variable : !spirv.ptr<f32, Function>
  spirv.CopyMemory "Function" %0, "Function" %1 ["Volatile"] : f32
  "spirv.CopyMemory"(%0, %1) <{alignment = 4 : i32, memory_access = #spirv.memory_access<Aligned>}> : (!spirv.ptr<f32, Function>, !spirv.ptr<f32, Function>) -> ()
  spirv.Return
}
