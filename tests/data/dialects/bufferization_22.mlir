// releases: 22
// covers: the bufferization dialect: conversions, allocations, deallocation with segments.
func.func @bufferization(%t: tensor<?xf32>, %m: memref<?xf32>, %n: index, %c: i1, %u: memref<*xf32>, %l: memref<?xf32, strided<[?], offset: ?>>, %s: tensor<4xi32>) {
  bufferization.to_tensor %m : memref<?xf32> to tensor<?xf32>
  bufferization.to_tensor %m restrict writable : memref<?xf32> to tensor<?xf32>
  bufferization.to_tensor %u : memref<*xf32> to tensor<*xf32>
  bufferization.to_buffer %t : tensor<?xf32> to memref<?xf32>
  bufferization.to_buffer %t read_only : tensor<?xf32> to memref<?xf32, strided<[?], offset: ?>, "space">
  return
}
