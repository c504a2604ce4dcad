module attributes {gpu.container_module, transform.with_named_sequence} {
  gpu.module @kernels {
    gpu.func @kernel(%arg0: f32, %arg1: memref<4xf32>) workgroup(%arg2 : memref<32xf32, 3>) kernel {
      %0 = gpu.all_reduce add %arg0 uniform {
      } : (f32) -> f32
      %1 = gpu.subgroup_reduce add %arg0 : (f32) -> f32
      gpu.barrier memfence [#gpu.address_space<workgroup>]
      gpu.barrier
      gpu.return
    }
    gpu.func @plain() {
      gpu.return
    }
  }
  func.func @launch(%arg0: index, %arg1: memref<4xf32>, %arg2: f32) {
    gpu.launch blocks(%arg3, %arg4, %arg5) in (%arg9 = %arg0, %arg10 = %arg0, %arg11 = %arg0) threads(%arg6, %arg7, %arg8) in (%arg12 = %arg0, %arg13 = %arg0, %arg14 = %arg0) {
      gpu.terminator
    }
    gpu.launch_func  @kernels::@kernel blocks in (%arg0, %arg0, %arg0) threads in (%arg0, %arg0, %arg0)  args(%arg2 : f32, %arg1 : memref<4xf32>)
    return
  }
  func.func @numbers(%arg0: i8, %arg1: f32, %arg2: index, %arg3: vector<4xf32>, %arg4: vector<8xf32>) -> i32 {
    %0 = arith.extui %arg0 nneg : i8 to i32
    %1 = arith.addf %arg1, %arg1 downward : f32
    %2 = arith.addf %arg1, %arg1 fastmath<fast> : f32
    %3 = index.cmp slt(%arg2, %arg2)
    %4:3 = affine.delinearize_index %arg2 into (3, 5) : index, index, index
    %5 = affine.linearize_index disjoint [%4#0, %4#1, %4#2] by (2, 3, 5) : index
    %6 = math.fma %arg1, %arg1, %arg1 : f32
    %7 = vector.create_mask %arg2 : vector<4xi1>
    return %0 : i32
  }
  func.func @packed(%arg0: tensor<16x8x8x32xf32>, %arg1: tensor<128x256xf32>, %arg2: memref<128x256xf32>, %arg3: memref<16x8x8x32xf32>) -> tensor<16x8x8x32xf32> {
    %unpack = linalg.unpack %arg0 inner_dims_pos = [0, 1] inner_tiles = [8, 32] into %arg1 : tensor<16x8x8x32xf32> -> tensor<128x256xf32>
    %pack = linalg.pack %unpack inner_dims_pos = [0, 1] inner_tiles = [8, 32] into %arg0 : tensor<128x256xf32> -> tensor<16x8x8x32xf32>
    linalg.pack %arg2 inner_dims_pos = [0, 1] inner_tiles = [8, 32] into %arg3 : memref<128x256xf32> -> memref<16x8x8x32xf32>
    return %pack : tensor<16x8x8x32xf32>
  }
  func.func @copies(%arg0: memref<100xf32>, %arg1: memref<100xf32, 2>, %arg2: memref<1xi32>, %arg3: index, %arg4: index) {
    affine.for %arg5 = 0 to 10 {
      affine.dma_start %arg0[%arg5 + 7], %arg1[%arg5 + 11], %arg2[%arg3], %arg4 : memref<100xf32>, memref<100xf32, 2>, memref<1xi32>
      affine.dma_wait %arg2[%arg3], %arg4 : memref<1xi32>
    }
    return
  }
  func.func private @quantized() -> !quant.uniform<i8<-8:7>:f32, 9.987200e-01:127>
  func.func @pool(%arg0: tensor<1x32x32x8xf32>) -> tensor<1x32x32x8xf32> {
    %0 = tosa.const_shape  {values = dense<1> : tensor<2xindex>} : () -> !tosa.shape<2>
    %1 = tosa.const_shape  {values = dense<0> : tensor<4xindex>} : () -> !tosa.shape<4>
    %2 = tosa.max_pool2d_adaptive %arg0, %0, %0, %1 {nan_mode = IGNORE} : (tensor<1x32x32x8xf32>, !tosa.shape<2>, !tosa.shape<2>, !tosa.shape<4>) -> tensor<1x32x32x8xf32>
    return %2 : tensor<1x32x32x8xf32>
  }
  llvm.func @callee(i32) -> i32
  llvm.func @tasks(%arg0: !llvm.ptr, %arg1: i32) {
    %0 = llvm.call @callee(%arg1) : (i32) -> i32
    omp.task depend(taskdependin -> %arg0 : !llvm.ptr) {
      omp.terminator
    }
    nvvm.barrier id = %arg1 number_of_threads = %arg1
    llvm.return
  }
  spirv.module Logical GLSL450 {
    spirv.func @less(%arg0: i32, %arg1: i32) -> i1 "None" {
      %0 = spirv.SLessThan %arg0, %arg1 : i32
      spirv.ReturnValue %0 : i1
    }
  }
  transform.named_sequence @tile(%arg0: !transform.any_op) {
    %tiled_linalg_op, %loops = transform.structured.tile_using_for %arg0 tile_sizes [4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield 
  }
}

