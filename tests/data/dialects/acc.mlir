// releases: 16 19 22
// covers: the acc dialect: data clauses, bounds, compute constructs with device types and segments, loops, recipes, routines, atomics, declares.
func.func @acc(%p: memref<10xf32>, %i: index, %n: i64, %c: i1, %a: i32, %q: !llvm.ptr, %q2: !llvm.ptr) {
  acc.parallel {
      acc.yield
    }
  acc.init
  acc.init device_num(%a : i32) if(%c)
  acc.shutdown device_num(%a : i32) if(%c)
  acc.shutdown
  acc.wait
  acc.wait(%n : i64)
  acc.wait(%n : i64) async(%a : i32) wait_devnum(%a : i32) if(%c)
  acc.wait attributes {async}
  acc.data if(%c) {
      acc.terminator
    } attributes {defaultAttr = #acc<defaultvalue none>, async, wait}
  return
}
