// releases: 16
// covers: the bufferization dialect: conversions, allocations, deallocation with segments.
func.func @bufferization(%t: tensor<?xf32>, %m: memref<?xf32>, %n: index, %c: i1, %u: memref<*xf32>, %l: memref<?xf32, strided<[?], offset: ?>>, %s: tensor<4xi32>) {
  bufferization.alloc_tensor() copy(%s) {bufferization.escape = [false]} : tensor<4xi32>
  return
}
