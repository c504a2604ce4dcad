// releases: 16
// covers: every case of every enumeration that is an attribute, in all dialects.
"t.enums"() ({
  "t.acc"() {v = [#acc<reduction_op redop_add>, #acc<reduction_op redop_mul>, #acc<reduction_op redop_max>, #acc<reduction_op redop_min>, #acc<reduction_op redop_and>, #acc<reduction_op redop_or>, #acc<reduction_op redop_xor>, #acc<reduction_op redop_leqv>]} : () -> ()
  "t.acc"() {v = [#acc<reduction_op redop_lneqv>, #acc<reduction_op redop_land>, #acc<reduction_op redop_lor>]} : () -> ()
  "t.gpu"() {v = [#gpu<all_reduce_op add>, #gpu<all_reduce_op and>, #gpu<all_reduce_op max>, #gpu<all_reduce_op min>, #gpu<all_reduce_op mul>, #gpu<all_reduce_op or>, #gpu<all_reduce_op xor>]} : () -> ()
  "t.sparse_tensor"() {v = [#sparse_tensor<kind dim_sz>, #sparse_tensor<kind ptr_mem_sz>, #sparse_tensor<kind idx_mem_sz>, #sparse_tensor<kind val_mem_sz>]} : () -> ()
  "t.spirv"() {v = [#spirv.capability<RayTracingProvisionalKHR>, #spirv.capability<CooperativeMatrixNV>, #spirv.capability<FragmentShaderSampleInterlockEXT>, #spirv.capability<FragmentShaderShadingRateInterlockEXT>, #spirv.capability<ShaderSMBuiltinsNV>, #spirv.capability<FragmentShaderPixelInterlockEXT>, #spirv.capability<DemoteToHelperInvocation>, #spirv.capability<IntegerFunctions2INTEL>]} : () -> ()
  "t.spirv"() {v = [#spirv.opcode<OpSUDotAccSat>, #spirv.opcode<OpTypeCooperativeMatrixNV>, #spirv.opcode<OpCooperativeMatrixLoadNV>, #spirv.opcode<OpCooperativeMatrixStoreNV>, #spirv.opcode<OpCooperativeMatrixMulAddNV>, #spirv.opcode<OpCooperativeMatrixLengthNV>, #spirv.opcode<OpSubgroupBlockReadINTEL>, #spirv.opcode<OpSubgroupBlockWriteINTEL>]} : () -> ()
  "t.vector"() {v = [#vector.kind<add>, #vector.kind<mul>, #vector.kind<minui>, #vector.kind<minsi>, #vector.kind<minf>, #vector.kind<maxui>, #vector.kind<maxsi>, #vector.kind<maxf>]} : () -> ()
}) : () -> ()
