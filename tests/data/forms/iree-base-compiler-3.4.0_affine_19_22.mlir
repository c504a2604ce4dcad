#map = affine_map<(d0)[s0] -> (d0 floordiv 4, -s0 + 3, d0 ceildiv 2 - 1)>
#map1 = affine_map<(d0) -> (d0, 10)>
#map2 = affine_map<(d0, d1)[s0] -> (d0 + s0 + d1 * 2 - s0 mod 7)>
#map3 = affine_map<(d0, d1)[s0] -> (d0 * s0 + d1)>
#map4 = affine_map<(d0) -> (d0, -d0, 3)>
#set = affine_set<(d0)[s0] : (d0 - 10 >= 0, -d0 + s0 - 1 >= 0, d0 mod 2 == 0)>
#set1 = affine_set<(d0, d1) : (d0 - d1 == 0)>
module {
  func.func @affine(%arg0: index, %arg1: memref<?x100xf32>, %arg2: memref<1xi32>, %arg3: memref<100x100xf32, 2>) -> f32 {
    %cst = arith.constant 0.000000e+00 : f32
    %0:2 = affine.for %arg4 = 0 to %arg0 step 3 iter_args(%arg5 = %cst, %arg6 = %cst) -> (f32, f32) {
      %6 = affine.for %arg7 = max #map(%arg4)[%arg0] to min #map1(%arg4) iter_args(%arg8 = %arg5) -> (f32) {
        %8 = affine.load %arg1[%arg4 + %arg0 * 2, %arg0 mod 5] : memref<?x100xf32>
        %9 = arith.addf %8, %arg8 : f32
        affine.store %9, %arg1[%arg7, %arg7 + 1] : memref<?x100xf32>
        affine.prefetch %arg1[%arg4, %arg7 + 5], read, locality<3>, data : memref<?x100xf32>
        affine.prefetch %arg1[%arg4, %arg7], write, locality<0>, instr : memref<?x100xf32>
        affine.yield %9 : f32
      }
      %7 = affine.if #set(%arg4)[%arg0] -> f32 {
        affine.yield %6 : f32
      } else {
        affine.yield %cst : f32
      }
      affine.if #set1(%arg4, %arg4) {
        affine.store %7, %arg1[%arg4, 0] : memref<?x100xf32>
      }
      affine.yield %7, %arg6 : f32, f32
    }
    %1 = affine.apply #map2(%arg0, %arg0)[%arg0]
    %2 = affine.apply #map3(%arg0, %arg0)[%arg0]
    %3 = affine.min #map(%arg0)[%arg0]
    %4 = affine.max #map4(%arg0)
    affine.parallel (%arg4, %arg5) = (0, 0) to (100, symbol(%arg0)) step (10, 1) {
      %6 = affine.vector_load %arg1[%arg4, %arg5] : memref<?x100xf32>, vector<8xf32>
      affine.vector_store %6, %arg1[%arg4 + 1, %arg5] : memref<?x100xf32>, vector<8xf32>
    }
    %5:2 = affine.parallel (%arg4) = (0) to (min(%arg0, 1000)) reduce ("addf", "maximumf") -> (f32, f32) {
      affine.yield %cst, %cst : f32, f32
    }
    affine.dma_start %arg1[%arg0, %1 + 1], %arg3[%arg0, 0], %arg2[0], %arg0 : memref<?x100xf32>, memref<100x100xf32, 2>, memref<1xi32>
    affine.dma_start %arg1[%arg0, %1], %arg3[%arg0, 0], %arg2[%3], %arg0, %arg0, %4 : memref<?x100xf32>, memref<100x100xf32, 2>, memref<1xi32>
    affine.dma_wait %arg2[symbol(%arg0) + 7], %arg0 : memref<1xi32>
    return %5#1 : f32
  }
}
