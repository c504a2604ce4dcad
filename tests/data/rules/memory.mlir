memref.global "private" constant @weights : memref<2x3xf32> = dense<1.0>
func.func @memory(%m: memref<4x?xf32>, %i: index, %v: f32) -> f32 {
  %0 = memref.load %m[%i, %i] : memref<4x?xf32>
  memref.store %v, %m[%i, %i] : memref<4x?xf32>
  %1 = memref.alloc(%i) : memref<4x?xf32>
  memref.copy %m, %1 : memref<4x?xf32> to memref<4x?xf32>
  %2 = memref.get_global @weights : memref<2x3xf32>
  %3 = memref.load %2[%i, %i] : memref<2x3xf32>
  %4 = memref.subview %1[0, %i] [2, 2] [1, 1] : memref<4x?xf32> to memref<2x2xf32, strided<[?, 1], offset: ?>>
  %5 = memref.load %4[%i, %i] : memref<2x2xf32, strided<[?, 1], offset: ?>>
  %6 = memref.atomic_rmw addf %v, %m[%i, %i] : (f32, memref<4x?xf32>) -> f32
  %7 = memref.dim %m, %i : memref<4x?xf32>
  %8 = memref.cast %2 : memref<2x3xf32> to memref<?x3xf32>
  %9 = memref.alloca(%7) : memref<?xi8>
  memref.dealloc %1 : memref<4x?xf32>
  %10 = arith.addf %0, %3 : f32
  %11 = arith.addf %10, %5 : f32
  %12 = arith.addf %11, %6 : f32
  return %12 : f32
}
