// releases: 16 19
// covers: the spirv dialect: modules with requirements, functions, structured control flow, specialization constants, every kind of type.
func.func @spirv(%a: i32, %f: f32, %v: vector<4xi32>, %w: vector<4xf32>, %c: i1, %p: !spirv.ptr<i32, StorageBuffer>, %pf: !spirv.ptr<f32, StorageBuffer>, %l: i64, %h: f16, %fn: !spirv.ptr<i32, Function>, %m: !spirv.matrix<3 x vector<3xf32>>, %v3: vector<3xf32>) {
  %arr_0 = "t.arr"() : () -> !spirv.ptr<!spirv.array<16 x f32>, Function>
      spirv.AccessChain %arr_0[%a] : !spirv.ptr<!spirv.array<16 x f32>, Function>, i32
  "t.attrs"() {a = #spirv.vce<v1.6, [Shader, Linkage], [SPV_KHR_16bit_storage, SPV_NV_mesh_shader]>, b = #spirv.target_env<#spirv.vce<v1.0, [], []>, #spirv.resource_limits<>>, c = #spirv.entry_point_abi<>, d = #spirv.interface_var_abi<(0, 1), StorageBuffer>, e = #spirv.interface_var_abi<(2, 3)>, f = #spirv.resource_limits<max_compute_shared_memory_size = 16384, cooperative_matrix_properties_nv = []>} : () -> ()
  return
}
