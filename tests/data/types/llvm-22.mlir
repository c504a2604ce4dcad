module {
  func.func @is(%arg0: index, %arg1: i64, %arg2: i1, %arg3: vector<4xi1>, %arg4: vector<4xf32>, %arg5: vector<4xf32>) {
    %0 = arith.select %arg3, %arg4, %arg5 : vector<4xi1>, vector<4xf32>
    %1 = arith.select %arg2, %arg4, %arg5 : vector<4xf32>
    scf.for %arg6 = %arg0 to %arg0 step %arg0 {
    }
    scf.for %arg6 = %arg1 to %arg1 step %arg1  : i64 {
    }
    %2 = llvm.shufflevector %arg4, %arg5 [0, 1] : vector<4xf32> 
    return
  }
  func.func @dma(%arg0: memref<?x4xf32>, %arg1: memref<2x4xf32, 1>, %arg2: memref<1xi32>, %arg3: index) {
    memref.dma_start %arg0[%arg3, %arg3], %arg1[%arg3, %arg3], %arg3, %arg2[%arg3] : memref<?x4xf32>, memref<2x4xf32, 1>, memref<1xi32>
    return
  }
  llvm.mlir.global internal constant @g("abcd") {addr_space = 0 : i32}
  llvm.func @va(i32, !llvm.ptr<3>, !llvm.struct<(i32, ptr)>, ...) -> !llvm.array<2 x ptr>
  llvm.func @f(%arg0: !llvm.struct<(i32, ptr)>, %arg1: vector<2xf32>) -> vector<2xf32> {
    llvm.return %arg1 : vector<2xf32>
  }
  llvm.func @pers(...) -> i32
  llvm.func @lp(%arg0: !llvm.ptr) attributes {personality = @pers} {
    %0 = llvm.mlir.undef : !llvm.array<1 x ptr>
    %1 = llvm.mlir.zero : !llvm.ptr
    %2 = llvm.invoke %arg0() to ^bb1 unwind ^bb2 : !llvm.ptr, () -> i32
  ^bb1:  // pred: ^bb0
    llvm.return
  ^bb2:  // pred: ^bb0
    %3 = llvm.landingpad cleanup (catch %1 : !llvm.ptr) (filter %0 : !llvm.array<1 x ptr>) : !llvm.struct<(ptr, i32)>
    llvm.return
  }
  spirv.func @v() "None" {
    %0 = spirv.Variable : !spirv.ptr<!spirv.array<4 x f32>, Function>
    %1 = spirv.Variable : !spirv.ptr<!spirv.array<4 x f32>, Function>
    spirv.CopyMemory  "Function" %0,  "Function" %1,  : !spirv.array<4 x f32>
    %cst_vec_4xf32 = spirv.Constant dense<1.000000e+00> : vector<4xf32>
    %cst_vec_2xi64 = spirv.Constant dense<1> : vector<2xi64>
    %cst7_si16 = spirv.Constant 7 : si16
    %cst7_ui8 = spirv.Constant 7 : ui8
    %cst_bf16 = spirv.Constant 1.500000e+00 : bf16
    %cst_f16 = spirv.Constant 1.500000e+00 : f16
    %cst = spirv.Constant [1 : i32, 2 : i32] : !spirv.array<2 x i32>
    %cst_0 = spirv.Constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32> : !spirv.array<2 x f32>
    %2 = spirv.Variable : !spirv.ptr<i32, Function>
    %cst9_i32 = spirv.Constant 9 : i32
    %3 = spirv.AtomicIAdd <Device> <None> %2, %cst9_i32 : !spirv.ptr<i32, Function>
    spirv.Return
  }
}
// -----
module attributes {gpu.container_module} {
  func.func @mma(%arg0: vector<2xf16>, %arg1: i32, %arg2: f32, %arg3: f64) {
    %0 = nvvm.mma.sync A[%arg0, %arg0]  B[%arg0]  C[%arg0, %arg0]  {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, shape = #nvvm.shape<m = 16, n = 8, k = 8>} : (vector<2xf16>, vector<2xf16>, vector<2xf16>) -> !llvm.struct<(vector<2xf16>, vector<2xf16>)>
    %1 = nvvm.mma.sync A[%arg1, %arg1]  B[%arg1]  C[%arg2, %arg2, %arg2, %arg2]  {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, multiplicandAPtxType = #nvvm.mma_type<tf32>, multiplicandBPtxType = #nvvm.mma_type<tf32>, shape = #nvvm.shape<m = 16, n = 8, k = 4>} : (i32, i32, f32) -> !llvm.struct<(f32, f32, f32, f32)>
    %2 = nvvm.mma.sync A[%arg3]  B[%arg3]  C[%arg3, %arg3]  {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, shape = #nvvm.shape<m = 8, n = 8, k = 4>} : (f64, f64, f64) -> !llvm.struct<(f64, f64)>
    return
  }
  func.func @red(%arg0: tensor<2x3xf32>, %arg1: tensor<2xf32>, %arg2: tensor<2x2xf32>, %arg3: memref<2xvector<4xf32>>) {
    %reduced = linalg.reduce ins(%arg0 : tensor<2x3xf32>) outs(%arg1 : tensor<2xf32>) dimensions = [1] 
      (%in: f32, %init: f32) {
        %4 = arith.addf %in, %init : f32
        linalg.yield %4 : f32
      }
    %0 = linalg.matmul ins(%arg2, %arg2 : tensor<2x2xf32>, tensor<2x2xf32>) outs(%arg2 : tensor<2x2xf32>) -> tensor<2x2xf32>
    %1 = linalg.add ins(%arg1, %arg1 : tensor<2xf32>, tensor<2xf32>) outs(%arg1 : tensor<2xf32>) -> tensor<2xf32>
    %cst = arith.constant 1.000000e+00 : f32
    %2 = linalg.fill ins(%cst : f32) outs(%arg1 : tensor<2xf32>) -> tensor<2xf32>
    %3 = linalg.elementwise kind=#linalg.elementwise_kind<exp> ins(%arg0 : tensor<2x3xf32>) outs(%arg0 : tensor<2x3xf32>) -> tensor<2x3xf32>
    return
  }
  func.func @launch(%arg0: index, %arg1: i32) {
    gpu.launch_func  @k::@f blocks in (%arg0, %arg0, %arg0) threads in (%arg0, %arg0, %arg0)  args(%arg1 : i32)
    gpu.launch_func  @k::@f blocks in (%arg1, %arg1, %arg1) threads in (%arg1, %arg1, %arg1) : i32 args(%arg1 : i32)
    return
  }
  gpu.module @k {
    gpu.func @f(%arg0: i32) kernel {
      gpu.return
    }
  }
  func.func @smt() {
    smt.solver() : () -> () {
      %0 = smt.declare_fun : !smt.bv<4>
      %1 = smt.bv.repeat 3 times %0 : !smt.bv<4>
    }
    return
  }
  tosa.variable @a = dense<7> : tensor<3x2xi8>
  tosa.variable @b : tensor<?x2xi8>
  func.func @acc(%arg0: memref<4xf32>, %arg1: !llvm.ptr) {
    %0 = acc.copyin varPtr(%arg0 : memref<4xf32>) -> memref<4xf32>
    %1 = acc.copyin varPtr(%arg1 : !llvm.ptr) varType(f32) -> !llvm.ptr
    acc.copyout accPtr(%0 : memref<4xf32>) to varPtr(%arg0 : memref<4xf32>)
    return
  }
  func.func @em(%arg0: index, %arg1: i32) {
    emitc.for %arg2 = %arg0 to %arg0 step %arg0 {
    }
    emitc.for %arg2 = %arg1 to %arg1 step %arg1  : i32 {
    }
    return
  }
}
// -----
#sparse = #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : compressed, d1 : compressed) }>
module {
  func.func @sp(%arg0: tensor<4x8xf32, #sparse>, %arg1: index) -> index {
    %0 = sparse_tensor.extract_iteration_space %arg0 lvls = 0 : tensor<4x8xf32, #sparse> -> !sparse_tensor.iter_space<#sparse, lvls = 0>
    %1 = sparse_tensor.iterate %arg4 in %0 at(%arg3) iter_args(%arg2 = %arg1) : !sparse_tensor.iter_space<#sparse, lvls = 0>  -> index {
      %2 = arith.addi %arg3, %arg2 : index
      sparse_tensor.yield %2 : index
    }
    return %1 : index
  }
}
