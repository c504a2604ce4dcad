module {
  spirv.module Logical Vulkan requires #spirv.vce<v1.5, [Shader, CooperativeMatrixKHR], [SPV_KHR_vulkan_memory_model]> {
    spirv.func @imported() "Pure" attributes {linkage_attributes = #spirv.linkage_attributes<linkage_name = "outside.fn", linkage_type = <Import>>}
    spirv.SpecConstant @m_8x16 = 4 : i32
    spirv.func @yielding(%arg0: i1, %arg1: i32) -> i32 "None" {
      %0 = spirv.mlir.selection -> i32 {
        spirv.BranchConditional %arg0, ^bb1, ^bb2(%arg1 : i32)
      ^bb1:  // pred: ^bb0
        spirv.Branch ^bb2(%arg1 : i32)
      ^bb2(%1: i32):  // 2 preds: ^bb0, ^bb1
        spirv.mlir.merge %1 : i32
      }
      spirv.ReturnValue %0 : i32
    }
  }
  func.func @spirv(%arg0: i32, %arg1: f32, %arg2: vector<4xi32>, %arg3: vector<4xf32>, %arg4: i1, %arg5: !spirv.ptr<i32, StorageBuffer>, %arg6: !spirv.ptr<f32, StorageBuffer>, %arg7: i64, %arg8: f16, %arg9: !spirv.ptr<i32, Function>, %arg10: !spirv.matrix<3 x vector<3xf32>>, %arg11: vector<3xf32>) {
    %0 = spirv.GroupNonUniformFAdd <Workgroup> <Reduce> %arg1 : f32 -> f32
    %cst4_i32 = spirv.Constant 4 : i32
    %1 = spirv.GroupNonUniformIAdd <Subgroup> <ClusteredReduce> %arg0 cluster_size(%cst4_i32) : i32, i32 -> i32
    "t.types"() {t = [!spirv.arm.tensor<2x3xi32>, !spirv.arm.tensor<?x?xf32>, !spirv.arm.tensor<*xi8>]} : () -> ()
    "t.types"() {t = [!spirv.struct<(i32 [0]), Block>, !spirv.struct<named2, (i32 [0]), Block>]} : () -> ()
    return
  }
}
