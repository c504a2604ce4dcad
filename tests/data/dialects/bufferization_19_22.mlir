// releases: 19 22
// covers: the bufferization dialect: conversions, allocations, deallocation with segments.
func.func @bufferization(%t: tensor<?xf32>, %m: memref<?xf32>, %n: index, %c: i1, %u: memref<*xf32>, %l: memref<?xf32, strided<[?], offset: ?>>, %s: tensor<4xi32>) {
  bufferization.materialize_in_destination %t in %t : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  bufferization.materialize_in_destination %t in restrict writable %m : (tensor<?xf32>, memref<?xf32>) -> ()
  bufferization.dealloc
  bufferization.dealloc (%m : memref<?xf32>) if (%c)
  bufferization.dealloc (%m, %l : memref<?xf32>, memref<?xf32, strided<[?], offset: ?>>) if (%c, %c) retain (%m, %u : memref<?xf32>, memref<*xf32>)
  return
}
