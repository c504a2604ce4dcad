func.func @vectors(%m: memref<8x8xf32>, %i: index, %z: f32, %k: vector<4xi1>) -> (f32, vector<2x4xf32>) {
  %0 = vector.load %m[%i, %i] : memref<8x8xf32>, vector<4xf32>
  vector.store %0, %m[%i, %i] : memref<8x8xf32>, vector<4xf32>
  %1 = vector.transfer_read %m[%i, %i], %z {in_bounds = [true, true]} : memref<8x8xf32>, vector<2x4xf32>
  vector.transfer_write %1, %m[%i, %i] {in_bounds = [true, true]} : vector<2x4xf32>, memref<8x8xf32>
  %2 = vector.maskedload %m[%i, %i], %k, %0 : memref<8x8xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  %3 = vector.reduction <add>, %2 : vector<4xf32> into f32
  %4 = vector.extract %1[1] : vector<4xf32> from vector<2x4xf32>
  %5 = vector.shape_cast %1 : vector<2x4xf32> to vector<8xf32>
  %6 = vector.extract_strided_slice %5 {offsets = [2], sizes = [4], strides = [1]} : vector<8xf32> to vector<4xf32>
  %7 = vector.fma %4, %6, %2 : vector<4xf32>
  %8 = vector.insert %7, %1 [0] : vector<4xf32> into vector<2x4xf32>
  %9 = vector.transpose %8, [1, 0] : vector<2x4xf32> to vector<4x2xf32>
  %10 = vector.transpose %9, [1, 0] : vector<4x2xf32> to vector<2x4xf32>
  return %3, %10 : f32, vector<2x4xf32>
}
