#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
#set = affine_set<(d0) : (d0 - 2 >= 0)>
module {
  func.func @scf(%arg0: index, %arg1: index, %arg2: index, %arg3: memref<?xf32>) -> f32 {
    %cst = arith.constant 0.000000e+00 : f32
    %0 = scf.for %arg4 = %arg0 to %arg1 step %arg2 iter_args(%arg5 = %cst) -> (f32) {
      %4 = memref.load %arg3[%arg4] : memref<?xf32>
      %5 = arith.addf %arg5, %4 : f32
      scf.yield %5 : f32
    }
    %1 = arith.cmpf olt, %0, %cst : f32
    %2 = scf.if %1 -> (f32) {
      scf.yield %cst : f32
    } else {
      scf.yield %0 : f32
    }
    %3 = scf.while (%arg4 = %2) : (f32) -> f32 {
      scf.condition(%1) %arg4 : f32
    } do {
    ^bb0(%arg4: f32):
      scf.yield %arg4 : f32
    }
    return %3 : f32
  }
  func.func @affine(%arg0: memref<8x8xf32>) {
    affine.for %arg1 = 0 to 8 {
      affine.for %arg2 = #map(%arg1) to 8 step 2 {
        %0 = affine.load %arg0[%arg1, %arg2] : memref<8x8xf32>
        affine.if #set(%arg2) {
          affine.store %0, %arg0[%arg2, %arg1] : memref<8x8xf32>
        }
      }
    }
    return
  }
  func.func @linalg(%arg0: tensor<4x8xf32>, %arg1: tensor<8x4xf32>, %arg2: tensor<4x4xf32>) -> tensor<4x4xf32> {
    %0 = linalg.matmul ins(%arg0, %arg1 : tensor<4x8xf32>, tensor<8x4xf32>) outs(%arg2 : tensor<4x4xf32>) -> tensor<4x4xf32>
    %1 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%0 : tensor<4x4xf32>) outs(%arg2 : tensor<4x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %2 = math.exp %in : f32
      linalg.yield %2 : f32
    } -> tensor<4x4xf32>
    %c1 = arith.constant 1 : index
    %extracted = tensor.extract %1[%c1, %c1] : tensor<4x4xf32>
    %inserted = tensor.insert %extracted into %1[%c1, %c1] : tensor<4x4xf32>
    return %inserted : tensor<4x4xf32>
  }
  func.func @vector(%arg0: vector<4xf32>, %arg1: complex<f32>, %arg2: index) -> vector<4xf32> {
    %0 = vector.broadcast %arg0 : vector<4xf32> to vector<2x4xf32>
    %1 = vector.extract_strided_slice %0 {offsets = [0], sizes = [1], strides = [1]} : vector<2x4xf32> to vector<1x4xf32>
    %2 = vector.shape_cast %1 : vector<1x4xf32> to vector<4xf32>
    %3 = complex.re %arg1 : complex<f32>
    %4 = index.add %arg2, %arg2
    %5 = vector.fma %arg0, %2, %2 : vector<4xf32>
    return %5 : vector<4xf32>
  }
  gpu.module @kernels {
    gpu.func @kernel(%arg0: f32) kernel {
      %thread_id_x = gpu.thread_id  x
      gpu.return
    }
  }
}
