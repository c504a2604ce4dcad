func.func @a(%m: memref<4xf32>) {
  %0 = memref.assume_alignment %m, 16 : memref<4xf32>
  return
}
