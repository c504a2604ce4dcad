// releases: 16 19
// covers: the bufferization dialect: conversions, allocations, deallocation with segments.
func.func @bufferization(%t: tensor<?xf32>, %m: memref<?xf32>, %n: index, %c: i1, %u: memref<*xf32>, %l: memref<?xf32, strided<[?], offset: ?>>, %s: tensor<4xi32>) {
  bufferization.to_tensor %m : memref<?xf32>
  bufferization.to_memref %t : memref<?xf32>
  bufferization.to_memref %t : memref<?xf32, strided<[?], offset: ?>>
  return
}
