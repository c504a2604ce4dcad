func.func @f(%m: memref<?x?xf32>) {
  %0 = memref.subview %m[0, 0] [3, 4] [1, 1] : memref<?x?xf32> to memref<3x4xf32, strided<[?, 1]>>
  return
}
