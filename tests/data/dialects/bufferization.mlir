// releases: 16 19 22
// covers: the bufferization dialect: conversions, allocations, deallocation with segments.
func.func @bufferization(%t: tensor<?xf32>, %m: memref<?xf32>, %n: index, %c: i1, %u: memref<*xf32>, %l: memref<?xf32, strided<[?], offset: ?>>, %s: tensor<4xi32>) {
  bufferization.clone %m : memref<?xf32> to memref<?xf32, strided<[?], offset: ?>>
  bufferization.clone %u : memref<*xf32> to memref<*xf32>
  bufferization.alloc_tensor() : tensor<4xi8>
  bufferization.alloc_tensor(%n) : tensor<?xf32>
  bufferization.alloc_tensor() copy(%t) : tensor<?xf32>
  bufferization.alloc_tensor(%n) size_hint=%n : tensor<?xf32>
  bufferization.alloc_tensor(%n) {memory_space = 3 : i64} : tensor<?xf32>
  bufferization.dealloc_tensor %t : tensor<?xf32>
  return
}

func.func private @layout(tensor<?xf32> {bufferization.buffer_layout = affine_map<(d0) -> (d0)>, bufferization.access = "read"}) attributes {t.x}
