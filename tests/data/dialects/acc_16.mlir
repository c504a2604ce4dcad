// releases: 16
// covers: the acc dialect: data clauses, bounds, compute constructs with device types and segments, loops, recipes, routines, atomics, declares.
func.func @acc16(%p: memref<10xf32>, %i: index, %n: i64, %c: i1, %a: i32) {
  acc.parallel num_gangs(%n: i64) num_workers(%n: i64) vector_length(%n: i64) copyin(%p: memref<10xf32>) {
      acc.loop gang worker vector {
        acc.yield
      } attributes {collapse = 3 : i64}
      acc.yield
    } attributes {defaultAttr = #acc<defaultvalue none>}
  acc.parallel async(%a: i32) if(%c) {
      acc.yield
    } attributes {waitAttr}
  acc.loop gang(num=%n: i64, static=%n: i64) worker(%n: i64) vector(%a: i32) tile(%n: i64, %n: i64) {
      acc.yield
    }
  acc.loop {
      acc.yield
    } attributes {reductionOp = #acc<reduction_op redop_mul>}
  acc.data copyin(%p : memref<10xf32>) copyout_zero(%p : memref<10xf32>) {
    } attributes {defaultAttr = #acc<defaultvalue present>}
  acc.data if(%c) present(%p : memref<10xf32>) {
    }
  acc.enter_data async(%n : i64) wait_devnum(%n : i64) wait(%n : i64) copyin(%p : memref<10xf32>)
  acc.enter_data create(%p : memref<10xf32>) attributes {async, wait}
  acc.exit_data copyout(%p : memref<10xf32>) attributes {finalize}
  acc.update device_type(%a : i32) host(%p : memref<10xf32>) device(%p : memref<10xf32>)
  acc.update async(%a : i32) device(%p : memref<10xf32>) attributes {ifPresent}
  acc.init device_type(%a : i32)
  acc.shutdown device_type(%a : i32) device_num(%n : i64)
  return
}
