// releases: 16
// covers: the memref dialect: allocation, views, casts, globals, atomics, DMA, layouts and memory spaces.
func.func @memref(%i: index, %m: memref<?x?xf32>, %s: memref<4x5xf32>, %f: f32, %u: memref<*xf32>, %by: memref<2048xi8>, %sh: memref<2xindex>, %tag: memref<1xi32>, %a: i32, %im: memref<4xi32>, %one: memref<1x4x1xf32>, %p: memref<8x16x4xf32, strided<[64, 4, 1], offset: 0>>, %sp: memref<4xf32, 1>) {
  memref.expand_shape %s [[0], [1, 2]] : memref<4x5xf32> into memref<4x5x1xf32>
  return
}
