llvm.func @f(%p: !llvm.ptr<i32>, %v: i32, %q: !llvm.ptr<ptr<i8>>, %w: !llvm.ptr<i8>, %fp: !llvm.ptr<f32>, %fv: f32) {
  %0 = llvm.atomicrmw add %p, %v monotonic : i32
  %1 = llvm.atomicrmw _and %p, %v acq_rel {a = 1 : i32} : i32
  %2 = llvm.atomicrmw fadd %fp, %fv seq_cst : f32
  %3 = llvm.cmpxchg %p, %v, %v acq_rel monotonic : i32
  %4 = llvm.cmpxchg %q, %w, %w acq_rel monotonic {b} : !llvm.ptr<i8>
  llvm.fence syncscope("agent") seq_cst
  llvm.fence release {c = 2 : i32}
  llvm.fence release
  llvm.return
}
// -----
func.func @omp_target_data (%if_cond : i1, %device : si32, %device_ptr: memref<i32>, %device_addr: memref<?xi32>, %map1: memref<?xi32>, %map2: memref<?xi32>) -> () {
    omp.target_data if(%if_cond : i1) device(%device : si32) map((always, from -> %map1 : memref<?xi32>)){}
    omp.target_data use_device_ptr(%device_ptr : memref<i32>) use_device_addr(%device_addr : memref<?xi32>) map((close, present, to -> %map1 : memref<?xi32>)){}
    omp.target_data map((tofrom -> %map1 : memref<?xi32>), (alloc -> %map2 : memref<?xi32>)){}
    omp.target_enter_data if(%if_cond : i1) device(%device : si32) nowait map((alloc -> %map1 : memref<?xi32>))
    omp.target_exit_data if(%if_cond : i1) device(%device : si32) nowait map((release -> %map2 : memref<?xi32>))
    omp.target_exit_data map((always, delete -> %map2 : memref<?xi32>))
    return
}
omp.reduction.declare @add_f32 : f32
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
^bb2(%arg2: !llvm.ptr<f32>, %arg3: !llvm.ptr<f32>):
  %2 = llvm.load %arg3 : !llvm.ptr<f32>
  llvm.atomicrmw fadd %arg2, %2 monotonic : f32
  omp.yield
}
// -----
func.func private @scalable(vector<2x[4x2]xf32>, vector<[2x2]xf64>)
ml_program.global public mutable @g : tensor<4xi32>
ml_program.func @load() -> tensor<4xi32> {
  %0 = ml_program.global_load @g : tensor<4xi32>
  ml_program.return %0 : tensor<4xi32>
}
func.func @bounds(%m: memref<4x3xf32>, %i: index, %f: f32) {
  %0 = vector.transfer_read %m[%i, %i], %f {in_bounds = [false]} : memref<4x3xf32>, vector<3xf32>
  return
}
transform.sequence failures(propagate) {
^bb0(%a: !pdl.operation):
  %0 = transform.structured.match ops{["linalg.generic"]} in %a
  %1, %2 = transform.structured.split %0 after %a {dimension = 0 : i64} : !pdl.operation, !pdl.operation
}
