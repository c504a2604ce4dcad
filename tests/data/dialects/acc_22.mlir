// releases: 22
// covers: the acc dialect: data clauses, bounds, compute constructs with device types and segments, loops, recipes, routines, atomics, declares.
func.func @acc(%p: memref<10xf32>, %i: index, %n: i64, %c: i1, %a: i32, %q: !llvm.ptr, %q2: !llvm.ptr) {
  %b_1 = acc.bounds extent(%n : i64) startIdx(%i : index) {strideInBytes = true}
      acc.get_lowerbound %b_1 : (!acc.data_bounds_ty) -> index
      acc.get_upperbound %b_1 : (!acc.data_bounds_ty) -> index
      acc.get_stride %b_1 : (!acc.data_bounds_ty) -> index
      acc.get_extent %b_1 : (!acc.data_bounds_ty) -> index
  %d_2 = acc.create varPtr(%p : memref<10xf32>) varType(tensor<10xf32>) -> memref<10xf32>
      acc.delete accPtr(%d_2 : memref<10xf32>)
  %d_16 = acc.copyin varPtr(%q : !llvm.ptr) varType(f32) -> !llvm.ptr
  %d_17 = acc.copyin varPtr(%p : memref<10xf32>) -> memref<10xf32> {dataClause = #acc<data_clause acc_copyin_readonly>, modifiers = #acc<data_clause_modifier readonly,always>}
      acc.enter_data async(%a : i32) wait_devnum(%n : i64) wait(%n, %i : i64, index) dataOperands(%d_17 : memref<10xf32>)
      acc.enter_data if(%c) dataOperands(%d_17 : memref<10xf32>)
      acc.enter_data dataOperands(%d_17 : memref<10xf32>) attributes {async, wait}
      acc.exit_data dataOperands(%d_17 : memref<10xf32>) attributes {async, finalize}
  acc.atomic.read %q2 = %q : !llvm.ptr, !llvm.ptr, i32
  acc.atomic.capture {
      acc.atomic.read %q2 = %q : !llvm.ptr, !llvm.ptr, i32
      acc.atomic.write %q = %a : !llvm.ptr, i32
    }
  acc.kernel_environment {
    }
  "t.acc"() {v = #acc.var_name<"x y">, a = #acc.declare_action<preAlloc = @pre, postDealloc = @post>, s = #acc.specialized_routine<@r, <gang_dim1>, "fn">, i = #acc.routine_info<[@r, @s]>, g = [#acc.gang_arg_type<Num>, #acc.gang_arg_type<Static>, #acc.gang_arg_type<Dim>]} : () -> ()
  "t.acc"() {o = [#acc.reduction_operator<none>, #acc.reduction_operator<add>]} : () -> ()
  return
}

acc.private.recipe @privatization : memref<10xf32> init {
^bb0(%x: memref<10xf32>):
  %0 = memref.alloca() : memref<10xf32>
  acc.yield %0 : memref<10xf32>
} destroy {
^bb0(%x: memref<10xf32>, %y: memref<10xf32>):
  acc.terminator
}
acc.firstprivate.recipe @firstprivatization : i32 init {
^bb0(%x: i32):
  %0 = arith.constant 0 : i32
  acc.yield %0 : i32
} copy {
^bb0(%x: i32, %y: i32):
  acc.terminator
}
acc.reduction.recipe @reduction_add : i64 reduction_operator<add> init {
^bb0(%x: i64):
  %0 = arith.constant 0 : i64
  acc.yield %0 : i64
} combiner {
^bb0(%x: i64, %y: i64):
  %0 = arith.addi %x, %y : i64
  acc.yield %0 : i64
}

acc.private.recipe @private_memref : memref<5xi32> init {
^bb0(%x: memref<5xi32>):
  %0 = memref.alloca() : memref<5xi32>
  acc.yield %0 : memref<5xi32>
}
acc.reduction.recipe @red_memref : memref<5xi32> reduction_operator<max> init {
^bb0(%x: memref<5xi32>):
  acc.yield %x : memref<5xi32>
} combiner {
^bb0(%x: memref<5xi32>, %y: memref<5xi32>):
  acc.yield %x : memref<5xi32>
}
func.func @recipes(%a: memref<5xi32>) {
  %0 = acc.private varPtr(%a : memref<5xi32>) recipe(@private_memref) -> memref<5xi32>
  %1 = acc.reduction varPtr(%a : memref<5xi32>) recipe(@red_memref) -> memref<5xi32> {name = "s"}
  acc.parallel private(%0 : memref<5xi32>) reduction(%1 : memref<5xi32>) {
    acc.yield
  }
  return
}

acc.routine @routine_symbol func(@callee2) bind(@other) seq
func.func @callee2() {
  return
}
func.func private @other()

llvm.mlir.global external @g() {acc.declare = #acc.declare<dataClause = acc_create>} : i32 {
  %0 = llvm.mlir.constant(0 : i32) : i32
  llvm.return %0 : i32
}
acc.global_ctor @g_ctor {
  %0 = llvm.mlir.addressof @g {acc.declare = #acc.declare<dataClause = acc_create>} : !llvm.ptr
  %1 = acc.create varPtr(%0 : !llvm.ptr) varType(i32) -> !llvm.ptr
  acc.declare_enter dataOperands(%1 : !llvm.ptr)
  acc.terminator
}
acc.global_dtor @g_dtor {
  %0 = llvm.mlir.addressof @g {acc.declare = #acc.declare<dataClause = acc_create>} : !llvm.ptr
  %1 = acc.getdeviceptr varPtr(%0 : !llvm.ptr) varType(i32) -> !llvm.ptr {dataClause = #acc<data_clause acc_create>}
  acc.declare_exit dataOperands(%1 : !llvm.ptr)
  acc.delete accPtr(%1 : !llvm.ptr)
  acc.terminator
}
