// releases: 16 19 22
// covers: registered dialects whose text all three releases share: func, arith, scf, cf, memref, affine, tensor, vector, linalg, math, complex, index, gpu.
#map = affine_map<(d0, d1) -> (d0, d1)>
#set = affine_set<(d0) : (d0 - 2 >= 0)>
func.func @scf(%lo: index, %hi: index, %st: index, %m: memref<?xf32>) -> f32 {
  %zero = arith.constant 0.0 : f32
  %sum = scf.for %i = %lo to %hi step %st iter_args(%acc = %zero) -> (f32) {
    %x = memref.load %m[%i] : memref<?xf32>
    %y = arith.addf %acc, %x : f32
    scf.yield %y : f32
  }
  %c = arith.cmpf olt, %sum, %zero : f32
  %r = scf.if %c -> (f32) {
    scf.yield %zero : f32
  } else {
    scf.yield %sum : f32
  }
  %w = scf.while (%a = %r) : (f32) -> f32 {
    scf.condition(%c) %a : f32
  } do {
  ^bb0(%b: f32):
    scf.yield %b : f32
  }
  return %w : f32
}
func.func @affine(%m: memref<8x8xf32>) {
  affine.for %i = 0 to 8 {
    affine.for %j = affine_map<(d0) -> (d0)>(%i) to 8 step 2 {
      %v = affine.load %m[%i, %j] : memref<8x8xf32>
      affine.if #set(%j) {
        affine.store %v, %m[%j, %i] : memref<8x8xf32>
      }
    }
  }
  return
}
func.func @linalg(%a: tensor<4x8xf32>, %b: tensor<8x4xf32>, %c: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x4xf32>) outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%0 : tensor<4x4xf32>) outs(%c : tensor<4x4xf32>) {
  ^bb0(%x: f32, %y: f32):
    %e = math.exp %x : f32
    linalg.yield %e : f32
  } -> tensor<4x4xf32>
  %i = arith.constant 1 : index
  %s = tensor.extract %1[%i, %i] : tensor<4x4xf32>
  %t = tensor.insert %s into %1[%i, %i] : tensor<4x4xf32>
  return %t : tensor<4x4xf32>
}
func.func @vector(%v: vector<4xf32>, %z: complex<f32>, %k: index) -> vector<4xf32> {
  %0 = vector.broadcast %v : vector<4xf32> to vector<2x4xf32>
  %1 = vector.extract_strided_slice %0 {offsets = [0], sizes = [1], strides = [1]} : vector<2x4xf32> to vector<1x4xf32>
  %2 = vector.shape_cast %1 : vector<1x4xf32> to vector<4xf32>
  %3 = complex.re %z : complex<f32>
  %4 = index.add %k, %k
  %5 = vector.fma %v, %2, %2 : vector<4xf32>
  return %5 : vector<4xf32>
}
gpu.module @kernels {
  gpu.func @kernel(%x: f32) kernel {
    %0 = gpu.thread_id x
    gpu.return
  }
}
