// releases: 19
// covers: the spirv dialect: modules with requirements, functions, structured control flow, specialization constants, every kind of type.
func.func @spirv(%a: i32, %f: f32, %v: vector<4xi32>, %w: vector<4xf32>, %c: i1, %p: !spirv.ptr<i32, StorageBuffer>, %pf: !spirv.ptr<f32, StorageBuffer>, %l: i64, %h: f16, %fn: !spirv.ptr<i32, Function>, %m: !spirv.matrix<3 x vector<3xf32>>, %v3: vector<3xf32>) {
  "t.attrs"() {a = #spirv.vce<v1.6, [Shader, Linkage], [SPV_KHR_16bit_storage, SPV_NV_mesh_shader]>, b = #spirv.target_env<#spirv.vce<v1.0, [], []>, api=Vulkan, AMD:IntegratedGPU, #spirv.resource_limits<min_subgroup_size = 8, max_subgroup_size = 64>>, c = #spirv.entry_point_abi<workgroup_size = [1, 2, 3], subgroup_size = 4, target_width = 32>} : () -> ()
  return
}
