// releases: 16 19 22
// covers: operand and result segments, sparse and dense, on registered operations.
func.func @alloc(%a: index, %b: index, %c: index) {
  %0 = memref.alloc() : memref<4xf32>
  %1 = memref.alloc(%a, %b) : memref<?x?xf32>
  %2 = memref.alloc(%a)[%c] {alignment = 64 : i64} : memref<?xf32, affine_map<(d0)[s0] -> (d0 + s0)>>
  %3 = memref.subview %1[%a, 0] [2, %b] [1, 1] : memref<?x?xf32> to memref<2x?xf32, strided<[?, 1], offset: ?>>
  %t = async.execute {
    async.yield
  }
  %u, %v = async.execute [%t] -> !async.value<f32> {
    %f = arith.constant 1.0 : f32
    async.yield %f : f32
  }
  return
}
func.func @branches(%x: i1, %y: i32) {
  cf.cond_br %x, ^a(%y, %y : i32, i32), ^b
^a(%p: i32, %q: i32):
  cf.cond_br %x, ^b, ^c(%q : i32)
^b:
  return
^c(%r: i32):
  cf.cond_br %x, ^b, ^b
}
func.func @launch(%n: index) {
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %n, %gy = %n, %gz = %n) threads(%tx, %ty, %tz) in (%sx = %n, %sy = %n, %sz = %n) {
    gpu.terminator
  }
  return
}
