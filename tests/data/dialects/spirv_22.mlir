// releases: 22
// covers: the spirv dialect: modules with requirements, functions, structured control flow, specialization constants, every kind of type.
spirv.module Logical Vulkan requires #spirv.vce<v1.5, [Shader, CooperativeMatrixKHR], [SPV_KHR_vulkan_memory_model]> {
  spirv.func @imported() -> () "Pure" attributes {linkage_attributes = #spirv.linkage_attributes<linkage_name = "outside.fn", linkage_type = <Import>>}
  spirv.SpecConstant @m_8x16 = 4 : i32
  spirv.func @yielding(%c: i1, %a: i32) -> i32 "None" {
    %r = spirv.mlir.selection -> i32 {
      spirv.BranchConditional %c, ^then, ^merge(%a : i32)
    ^then:
      spirv.Branch ^merge(%a : i32)
    ^merge(%x: i32):
      spirv.mlir.merge %x : i32
    }
    spirv.ReturnValue %r : i32
  }
}

func.func @spirv(%a: i32, %f: f32, %v: vector<4xi32>, %w: vector<4xf32>, %c: i1, %p: !spirv.ptr<i32, StorageBuffer>, %pf: !spirv.ptr<f32, StorageBuffer>, %l: i64, %h: f16, %fn: !spirv.ptr<i32, Function>, %m: !spirv.matrix<3 x vector<3xf32>>, %v3: vector<3xf32>) {
  spirv.GroupNonUniformFAdd <Workgroup> <Reduce> %f : f32 -> f32
  %four_47 = spirv.Constant 4 : i32
      spirv.GroupNonUniformIAdd <Subgroup> <ClusteredReduce> %a cluster_size(%four_47) : i32, i32 -> i32
  "t.types"() {t = [!spirv.arm.tensor<2x3xi32>, !spirv.arm.tensor<?x?xf32>, !spirv.arm.tensor<*xi8>]} : () -> ()
  "t.types"() {t = [!spirv.struct<(i32 [0]), Block>, !spirv.struct<named2, (i32 [0]), Block>]} : () -> ()
  return
}
