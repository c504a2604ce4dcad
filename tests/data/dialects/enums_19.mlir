// releases: 19
// covers: every case of every enumeration that is an attribute, in all dialects.
"t.enums"() ({
  "t.spirv"() {v = [#spirv.capability<IOPipesINTEL>, #spirv.capability<BlockingPipesINTEL>, #spirv.capability<FPGARegINTEL>, #spirv.capability<DotProductInputAll>, #spirv.capability<DotProductInput4x8BitPacked>, #spirv.capability<DotProduct>, #spirv.capability<RayCullMaskKHR>, #spirv.capability<CooperativeMatrixKHR>]} : () -> ()
  "t.spirv"() {v = [#spirv.ext<SPV_INTEL_debug_module>, #spirv.ext<SPV_INTEL_fp_fast_math_mode>, #spirv.ext<SPV_INTEL_memory_access_aliasing>, #spirv.ext<SPV_INTEL_split_barrier>, #spirv.ext<SPV_INTEL_joint_matrix>, #spirv.ext<SPV_INTEL_bfloat16_conversion>, #spirv.ext<SPV_NV_compute_shader_derivatives>, #spirv.ext<SPV_NV_cooperative_matrix>]} : () -> ()
  "t.spirv"() {v = [#spirv.opcode<OpJointMatrixMadINTEL>, #spirv.opcode<OpJointMatrixWorkItemLengthINTEL>, #spirv.opcode<OpConvertFToBF16INTEL>, #spirv.opcode<OpConvertBF16ToFINTEL>]} : () -> ()
}) : () -> ()
