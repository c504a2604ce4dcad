// releases: 22
// covers: the transform dialect: sequences, matchers, patterns, tiling and loop transformations with sizes as attributes and parameters.
module @m_patterns attributes {transform.with_named_sequence} {
transform.named_sequence private @patterns(%m: !transform.any_op {transform.readonly}) {
  transform.apply_patterns to %m {
  transform.apply_patterns.arm_neon.vector_contract_to_bfmmla
  transform.apply_patterns.arm_neon.vector_contract_to_bfmmla {note}
  transform.apply_patterns.arm_neon.vector_contract_to_i8mm
  transform.apply_patterns.arm_neon.vector_contract_to_i8mm {note}
  transform.apply_patterns.arm_sve.vector_contract_to_bfmmla
  transform.apply_patterns.arm_sve.vector_contract_to_i8mm
  transform.apply_patterns.gpu.gpu_shuffle_to_amdgpu
  transform.apply_patterns.linalg.decompose_pack_unpack
  transform.apply_patterns.linalg.decompose_pad
  transform.apply_patterns.linalg.fold_add_into_dest
  transform.apply_patterns.linalg.fold_pack_unpack_into_empty
  transform.apply_patterns.linalg.pad_vectorization
  transform.apply_patterns.tensor.bubble_up_extract_slice
  transform.apply_patterns.vector.drop_inner_most_unit_dims_from_xfer_ops
  transform.apply_patterns.vector.drop_unit_dims_with_shape_cast
  transform.apply_patterns.vector.sink_mem_ops
  transform.apply_patterns.vector.sink_ops
  transform.apply_patterns.vector.unroll_from_elements
  transform.apply_patterns.vector.unroll_to_elements
  transform.apply_patterns.x86vector.sink_vector_producer_ops
  transform.apply_patterns.x86vector.vector_contract_bf16_to_fma
  transform.apply_patterns.x86vector.vector_contract_to_fma
  transform.apply_patterns.x86vector.vector_contract_to_packed_type_dot_product
  transform.apply_patterns.gpu.gpu_shuffle_to_amdgpu chipset = "gfx950"
  } {apply_cse, max_iterations = 3 : i64} : !transform.any_op
  transform.yield
}
}

module @m_conv attributes {transform.with_named_sequence} {
transform.named_sequence @with_conversions(%m: !transform.any_op) {
  transform.apply_conversion_patterns to %m {
  transform.apply_conversion_patterns.gpu.gpu_to_rocdl chipset = "gfx942"
  } with type_converter {
    transform.apply_conversion_patterns.memref.memref_to_llvm_type_converter {index_bitwidth = 64}
  } {legal_dialects = ["llvm", "x"], partial_conversion} : !transform.any_op
  transform.yield
}
}

module @m_main attributes {transform.with_named_sequence} {
transform.named_sequence @match(%o: !transform.any_op {transform.readonly}) -> !transform.any_op {
  transform.yield %o : !transform.any_op
}
transform.named_sequence @act(%o: !transform.any_op {transform.readonly}) {
  transform.yield
}
transform.named_sequence @main(%o: !transform.any_op, %p: !transform.any_param, %q: !transform.param<i64>, %v: !transform.any_value, %l: !transform.op<"scf.for">, %a: !transform.op<"memref.alloc">) {
  transform.apply_registered_pass "canonicalize" with options = {"top-down" = false, "max-iterations" = %p} to %o : (!transform.any_op, !transform.any_param) -> !transform.any_op
  transform.structured.fuse %o tile_sizes [4, 0] interchange [1, 0] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.dlti.query ["a", "b", i32] at %o : (!transform.any_op) -> !transform.any_param
  transform.dlti.query ["a", "b"] at %o : (!transform.any_op) -> !transform.any_param
  transform.tune.knob<"coin"> = 3 : i8 from options = [true, false, 3 : i8] -> !transform.any_param
  transform.tune.knob<"coin"> options = [true, false] -> !transform.any_param
  transform.tune.alternatives<"x"> {
      transform.yield
    }, {
      transform.yield
    }
  transform.xegpu.set_desc_layout %o sg_layout = [8, 4] sg_data = [32, 32] inst_data = [8, 16] : (!transform.any_op) -> !transform.any_op
  transform.yield
}
}
