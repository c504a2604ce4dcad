#map = affine_map<(d0)[s0] -> (d0 + s0)>
#map1 = affine_map<(d0) -> (d0, 4)>
#set = affine_set<(d0) : (d0 - 1 >= 0)>
module {
  func.func @loops(%arg0: memref<4x8xf32>, %arg1: index, %arg2: i1, %arg3: !shape.witness) -> i32 {
    %0 = affine.apply #map(%arg1)[%arg1]
    %1 = affine.max #map1(%arg1)
    %2 = affine.if #set(%arg1) -> f32 {
      %17 = affine.load %arg0[%arg1 + 1, %arg1] {note} : memref<4x8xf32>
      affine.yield %17 : f32
    } else {
      %17 = affine.load %arg0[0, %arg1 * 2] : memref<4x8xf32>
      affine.yield %17 : f32
    }
    affine.if #set(%arg1) {
      affine.store %2, %arg0[%arg1, %arg1] : memref<4x8xf32>
    }
    affine.prefetch %arg0[%arg1, 0], write, locality<2>, instr : memref<4x8xf32>
    memref.prefetch %arg0[%arg1, %arg1], read, locality<3>, data : memref<4x8xf32>
    %transpose = memref.transpose %arg0 (d0, d1) -> (d1, d0) {note} : memref<4x8xf32> to memref<8x4xf32, strided<[1, 8]>>
    %3 = memref.generic_atomic_rmw %arg0[%arg1, %arg1] : memref<4x8xf32> {
    ^bb0(%arg4: f32):
      memref.atomic_yield %arg4 : f32
    }
    %4 = scf.execute_region -> i32 no_inline {
      %c1_i32 = arith.constant 1 : i32
      scf.yield %c1_i32 : i32
    }
    %5:2 = scf.if %arg2 -> (i32, f32) {
      scf.yield %4, %2 : i32, f32
    } else {
      scf.yield %4, %3 : i32, f32
    } {note}
    %6 = scf.while (%arg4 = %4) : (i32) -> i32 {
      scf.condition(%arg2) %arg4 : i32
    } do {
    ^bb0(%arg4: i32):
      scf.yield %arg4 : i32
    } attributes {note}
    scf.parallel (%arg4, %arg5) = (%arg1, %arg1) to (%0, %1) step (%arg1, %arg1) {
      scf.reduce 
    }
    %7 = scf.parallel (%arg4) = (%arg1) to (%0) step (%arg1) init (%2) -> f32 {
      scf.reduce(%3 : f32) {
      ^bb0(%arg5: f32, %arg6: f32):
        scf.reduce.return %arg5 : f32
      }
    }
    memref.alloca_scope  {
    }
    %8 = memref.alloca_scope  -> (i32) {
      memref.alloca_scope.return %4 : i32
    }
    %9 = shape.assuming %arg3 -> (i32) {
      shape.assuming_yield %4 : i32
    }
    %10 = arith.select %arg2, %4, %6 {note} : i32
    %cst = arith.constant dense<true> : vector<2xi1>
    %cst_0 = arith.constant dense<1> : vector<2xi32>
    %11 = arith.select %cst, %cst_0, %cst_0 : vector<2xi1>, vector<2xi32>
    %12 = tensor.empty() : tensor<4xf32>
    %13 = bufferization.alloc_tensor() copy(%12) size_hint=%arg1 {note} : tensor<4xf32>
    %14 = llvm.icmp "slt" %4, %6 : i32
    %15 = llvm.fcmp "olt" %2, %3 {fastmathFlags = #llvm.fastmath<nnan>} : f32
    %16 = gpu.warp_execute_on_lane_0(%arg1)[32] args(%cst_0 : vector<2xi32>) -> (f32) {
    ^bb0(%arg4: vector<64xi32>):
      gpu.yield %2 : f32
    }
    return %10 : i32
  }
  spirv.module @named Logical GLSL450 requires #spirv.vce<v1.0, [Shader], []> {
    spirv.SpecConstant @sc spec_id(5) = true
    spirv.SpecConstant @sd = 1 : i32
    spirv.SpecConstantComposite @comp (@sd, @sd) : !spirv.array<2 x i32>
    spirv.func @f(%arg0: !spirv.ptr<f32, Function>, %arg1: i1, %arg2: !spirv.struct<(f32, i32)>) "None" {
      %0 = spirv.Load "Function" %arg0 ["Aligned", 4] : f32
      spirv.Store "Function" %arg0, %0 ["Volatile"] : f32
      %1 = spirv.CompositeExtract %arg2[1 : i32] : !spirv.struct<(f32, i32)>
      %2 = spirv.CompositeInsert %0, %arg2[0 : i32] : f32 into !spirv.struct<(f32, i32)>
      spirv.mlir.selection control(Flatten) {
        spirv.BranchConditional %arg1 [1, 2], ^bb1(%0 : f32), ^bb2
      ^bb1(%3: f32):  // pred: ^bb0
        spirv.Branch ^bb2
      ^bb2:  // 2 preds: ^bb0, ^bb1
        spirv.mlir.merge
      }
      spirv.Return
    }
    spirv.GlobalVariable @gv : !spirv.ptr<f32, Private>
    spirv.EntryPoint "GLCompute" @f, @gv
    spirv.ExecutionMode @f "LocalSize", 1, 2, 3
  }
  func.func @ptr_accesses(%arg0: !ptr.ptr<#ptr.generic_space>, %arg1: f32) {
    %0 = ptr.load %arg0 : !ptr.ptr<#ptr.generic_space> -> f32
    %1 = ptr.load volatile %arg0 atomic syncscope("workgroup") acquire nontemporal alignment = 4 : !ptr.ptr<#ptr.generic_space> -> i32
    %2 = ptr.load %arg0 invariant invariant_group : !ptr.ptr<#ptr.generic_space> -> f32
    ptr.store %arg1, %arg0 : f32, !ptr.ptr<#ptr.generic_space>
    ptr.store volatile %arg1, %arg0 atomic release nontemporal alignment = 8 : f32, !ptr.ptr<#ptr.generic_space>
    return
  }
  smt.solver() : () -> () {
    %0 = smt.declare_fun : !smt.bv<8>
    %1 = smt.bv.repeat 3 times %0 : !smt.bv<8>
    %2 = smt.eq %0, %0, %0 {smt.note} : !smt.bv<8>
  }
}

