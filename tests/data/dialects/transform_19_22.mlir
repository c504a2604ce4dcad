// releases: 19 22
// covers: the transform dialect: sequences, matchers, patterns, tiling and loop transformations with sizes as attributes and parameters.
module @m_patterns attributes {transform.with_named_sequence} {
transform.named_sequence private @patterns(%m: !transform.any_op {transform.readonly}) {
  transform.apply_patterns to %m {
  transform.apply_patterns.canonicalization
  transform.apply_patterns.gpu.eliminate_barriers
  transform.apply_patterns.gpu.gpu_rewrite_patterns
  transform.apply_patterns.linalg.erase_unnecessary_inputs
  transform.apply_patterns.linalg.fold_unit_extent_dims_via_reshapes
  transform.apply_patterns.linalg.fold_unit_extent_dims_via_slices
  transform.apply_patterns.linalg.tiling_canonicalization
  transform.apply_patterns.memref.alloc_to_alloca
  transform.apply_patterns.memref.expand_ops
  transform.apply_patterns.memref.expand_strided_metadata
  transform.apply_patterns.memref.extract_address_computations
  transform.apply_patterns.memref.fold_memref_alias_ops
  transform.apply_patterns.memref.resolve_ranked_shaped_type_result_dims
  transform.apply_patterns.scf.for_loop_canonicalization
  transform.apply_patterns.tensor.decompose_concat
  transform.apply_patterns.tensor.drop_redundant_insert_slice_rank_expansion
  transform.apply_patterns.tensor.fold_into_pack_and_unpack
  transform.apply_patterns.tensor.fold_tensor_empty
  transform.apply_patterns.tensor.fold_tensor_subset_ops
  transform.apply_patterns.tensor.fold_tensor_subset_ops_into_vector_transfers
  transform.apply_patterns.tensor.merge_consecutive_insert_extract_slice
  transform.apply_patterns.tensor.reassociative_reshape_folding
  transform.apply_patterns.tensor.rewrite_as_constant
  transform.apply_patterns.transform.test_patterns
  transform.apply_patterns.vector.cast_away_vector_leading_one_dim
  transform.apply_patterns.vector.elementwise_to_vector
  transform.apply_patterns.vector.fold_arith_extension
  transform.apply_patterns.vector.interleave_to_shuffle
  transform.apply_patterns.vector.lower_bitcast
  transform.apply_patterns.vector.lower_broadcast
  transform.apply_patterns.vector.lower_contraction
  transform.apply_patterns.vector.lower_create_mask
  transform.apply_patterns.vector.lower_gather
  transform.apply_patterns.vector.lower_interleave
  transform.apply_patterns.vector.lower_masked_transfers
  transform.apply_patterns.vector.lower_masks
  transform.apply_patterns.vector.lower_multi_reduction
  transform.apply_patterns.vector.lower_outerproduct
  transform.apply_patterns.vector.lower_scan
  transform.apply_patterns.vector.lower_shape_cast
  transform.apply_patterns.vector.lower_transfer
  transform.apply_patterns.vector.lower_transpose
  transform.apply_patterns.vector.materialize_masks
  transform.apply_patterns.vector.rank_reducing_subview_patterns
  transform.apply_patterns.vector.reduction_to_contract
  transform.apply_patterns.vector.rewrite_narrow_types
  transform.apply_patterns.vector.split_transfer_full_partial
  transform.apply_patterns.vector.transfer_permutation_patterns
  transform.apply_patterns.vector.transfer_to_scf
  transform.apply_patterns.gpu.unroll_vectors_subgroup_mma [16, 16, 8]
  transform.apply_patterns.memref.alloc_to_alloca size_limit(32)
  transform.apply_patterns.tensor.rewrite_as_constant aggressive
  transform.apply_patterns.vector.lower_contraction lowering_strategy = "outerproduct"
  transform.apply_patterns.vector.lower_multi_reduction lowering_strategy = "innerreduction"
  transform.apply_patterns.vector.lower_transfer max_transfer_rank = 99
  transform.apply_patterns.vector.lower_transpose lowering_strategy = "eltwise" avx2_lowering_strategy = false
  transform.apply_patterns.vector.lower_transpose lowering_strategy = "shuffle_1d" avx2_lowering_strategy = true
  transform.apply_patterns.vector.split_transfer_full_partial split_transfer_strategy = "linalg-copy"
  transform.apply_patterns.vector.transfer_to_scf max_transfer_rank = 99 full_unroll = true
  } {apply_cse, max_iterations = 3 : i64} : !transform.any_op
  transform.yield
}
}

module @m_conv attributes {transform.with_named_sequence} {
transform.named_sequence @with_conversions(%m: !transform.any_op) {
  transform.apply_conversion_patterns to %m {
  transform.apply_conversion_patterns.func.func_to_llvm
  transform.apply_conversion_patterns.gpu.gpu_subgroup_reduce_to_nvvm
  transform.apply_conversion_patterns.gpu.gpu_to_nvvm
  transform.apply_conversion_patterns.gpu.gpu_wmma_to_nvvm
  transform.apply_conversion_patterns.nvgpu.nvgpu_to_nvvm
  transform.apply_conversion_patterns.scf.scf_to_control_flow
  transform.apply_conversion_patterns.scf.structural_conversions
  transform.apply_conversion_patterns.transform.test_conversion_patterns
  transform.apply_conversion_patterns.vector.vector_to_llvm
  transform.apply_conversion_patterns.dialect_to_llvm "math"
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
  transform.annotate %o "name" : !transform.any_op
  transform.annotate %o "name" = %p : !transform.any_op, !transform.any_param
  transform.apply_cse to %o : !transform.any_op
  transform.apply_dce to %o : !transform.any_op
  transform.apply_licm to %o : !transform.any_op
  transform.apply_registered_pass "canonicalize" to %o : (!transform.any_op) -> !transform.any_op
  transform.bufferization.one_shot_bufferize layout{IdentityLayoutMap} %o {bufferize_function_boundaries = true} : (!transform.any_op) -> !transform.any_op
  transform.bufferization.one_shot_bufferize %o : (!transform.any_op) -> !transform.any_op
  transform.bufferization.eliminate_empty_tensors %o : !transform.any_op
  transform.cast %o : !transform.any_op to !transform.op<"linalg.matmul">
  transform.debug.emit_remark_at %o, "remark \"x\"" : !transform.any_op
  transform.debug.emit_param_as_remark %p, "msg" at %o : !transform.any_param, !transform.any_op
  transform.foreach %o : !transform.any_op {
    ^bb1(%x: !transform.any_op):
      transform.yield
    }
  transform.foreach %o, %o with_zip_shortest : !transform.any_op, !transform.any_op -> !transform.any_op {
    ^bb1(%x: !transform.any_op, %y: !transform.any_op):
      transform.yield %x : !transform.any_op
    }
  transform.foreach_match restrict_root in %o @match -> @act : (!transform.any_op) -> !transform.any_op
  transform.foreach_match flatten_results in %o @match -> @act : (!transform.any_op) -> !transform.any_op
  transform.collect_matching @match in %o : (!transform.any_op) -> !transform.any_op
  transform.include @act failures(propagate) (%o) : (!transform.any_op) -> ()
  transform.include @act failures(suppress) (%o) : (!transform.any_op) -> ()
  transform.get_consumers_of_result %o[0] : (!transform.any_op) -> !transform.any_op
  transform.get_defining_op %v : (!transform.any_value) -> !transform.any_op
  transform.get_operand %o[0] : (!transform.any_op) -> !transform.any_value
  transform.get_operand %o[all] : (!transform.any_op) -> !transform.any_value
  transform.get_operand %o[except(0, -1)] : (!transform.any_op) -> !transform.any_value
  transform.get_result %o[1, 2] : (!transform.any_op) -> !transform.any_value
  transform.get_result %o[1] : (!transform.any_op) -> !transform.any_value
  transform.get_parent_op %o {isolated_from_above, op_name = "func.func", deduplicate, nth_parent = 2} : (!transform.any_op) -> !transform.any_op
  transform.get_parent_op %o {isolated_from_above} : (!transform.any_op) -> !transform.any_op
  transform.get_producer_of_operand %o[1] : (!transform.any_op) -> !transform.any_op
  transform.get_type elemental %v : (!transform.any_value) -> !transform.type
  transform.gpu.map_forall_to_blocks %o generate_gpu_launch grid_dims = [7, 9, 1] : (!transform.any_op) -> !transform.any_op
  transform.gpu.map_nested_forall_to_threads %o block_dims = [32, 4, 1] sync_after_distribute = false warp_size = 64 : (!transform.any_op) -> !transform.any_op
  transform.loop.coalesce %o : (!transform.any_op) -> !transform.any_op
  transform.loop.fuse_sibling %o into %o : (!transform.any_op, !transform.any_op) -> !transform.any_op
  transform.loop.outline %o {func_name = "outlined"} : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.loop.peel %l : (!transform.op<"scf.for">) -> (!transform.any_op, !transform.any_op)
  transform.loop.peel %l {peel_front = true} : (!transform.op<"scf.for">) -> (!transform.any_op, !transform.any_op)
  transform.loop.pipeline %l {iteration_interval = 2 : i64, read_latency = 5 : i64} : (!transform.op<"scf.for">) -> !transform.any_op
  transform.loop.pipeline %l : (!transform.op<"scf.for">) -> !transform.any_op
  transform.loop.unroll %l {factor = 4} : !transform.op<"scf.for">
  transform.loop.unroll_and_jam %o {factor = 4} : !transform.any_op
  transform.match.operation_name %o ["linalg.matmul", "x.y"] : !transform.any_op
  transform.match.param.cmpi lt %q, %q : !transform.param<i64>
  transform.merge_handles deduplicate %o, %o : !transform.any_op
  transform.merge_handles %o, %o : !transform.any_op
  transform.num_associations %o : (!transform.any_op) -> !transform.param<i64>
  transform.param.constant 42 : i32 -> !transform.param<i32>
  transform.param.constant [1, "x", @y] -> !transform.any_param
  transform.print %o {name = "with \00 zero"} : !transform.any_op
  transform.print
  transform.replicate num(%o) %o : !transform.any_op, !transform.any_op
  transform.select "scf.for" in %o : (!transform.any_op) -> !transform.any_op
  transform.split_handle %o : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.split_handle %o {overflow_result = 0, pass_through_empty_handle = false, fail_on_payload_too_small = true} : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.structured.bufferize_to_allocation %o {memory_space = 3, emit_dealloc, bufferize_destination_only} : !transform.any_op
  transform.structured.bufferize_to_allocation %o : !transform.any_op
  transform.structured.fuse_into_containing_op %o into %o : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.structured.generalize %o : (!transform.any_op) -> !transform.any_op
  transform.structured.gpu.map_copy_to_threads %o total_num_threads = 32 desired_bit_alignment = 128 : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.structured.hoist_pad %o by 1 loops, transpose by [0, 1] : (!transform.any_op) -> !transform.any_op
  transform.structured.interchange %o iterator_interchange = [2, 1, 0] : (!transform.any_op) -> !transform.any_op
  transform.structured.match ops{["linalg.matmul", "x.y"]} in %o : (!transform.any_op) -> !transform.any_op
  transform.structured.match interface{LinalgOp} attributes {a = 1 : i32, b} in %o : (!transform.any_op) -> !transform.any_op
  transform.structured.match filter_result_type = f32 filter_operand_types = [i32, tensor<4xf32>] in %o : (!transform.any_op) -> !transform.any_op
  transform.structured.multitile_sizes %o {dimension = 1, target_size = 3, divisor = 2} : (!transform.any_op) -> !transform.param<i64>
  transform.structured.pack %o packed_sizes = [8, 0, 4] : (!transform.any_op) -> !transform.op<"linalg.generic">
  transform.structured.pack_greedily %o matmul_packed_sizes = [8, 16, 32] matmul_inner_dims_order = [1, 2, 0] : (!transform.any_op) -> !transform.op<"linalg.generic">
  transform.structured.pad %o {padding_values = [0.0 : f32, 0 : i32], padding_dimensions = [0, 1], nofold_flags = [1, 0]} : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
  transform.structured.pad %o pad_to_multiple_of [1, 2] {padding_values = [0.0 : f32], padding_dimensions = [0, 1], copy_back_op = "none"} : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
  transform.structured.promote %o {operands_to_promote = [0, 1], use_full_tile_buffers = [false, true], alignment = 32, mapping = [#gpu.memory_space<workgroup>]} : (!transform.any_op) -> !transform.any_op
  transform.structured.scalarize %o : (!transform.any_op) -> !transform.any_op
  transform.structured.split %o after 42 {dimension = 0} : !transform.any_op
  transform.structured.split %o after %q {dimension = 1} : !transform.any_op, !transform.param<i64>
  transform.structured.split_reduction %o {split_factor = 4, insert_split_dimension = 2, inner_parallel} : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
  transform.structured.tile_using_for %o tile_sizes [4, %q, [8]] interchange = [2, 1, 0] : (!transform.any_op, !transform.param<i64>) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
  transform.structured.tile_using_forall %o tile_sizes [10, %q] (mapping = [#gpu.thread<x>, #gpu.thread<y>]) : (!transform.any_op, !transform.param<i64>) -> (!transform.any_op, !transform.any_op)
  transform.structured.tile_using_forall %o num_threads [10] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.structured.tile_reduction_using_for %o by tile_sizes = [0, 5] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
  transform.structured.vectorize %o vector_sizes [8, [4], %q] {vectorize_nd_extract} : !transform.any_op, !transform.param<i64>
  transform.structured.vectorize %o : !transform.any_op
  transform.structured.vectorize_children_and_apply_patterns %o {vectorize_padding, disable_multi_reduction_to_contract_patterns} : (!transform.any_op) -> !transform.any_op
  transform.structured.convert_conv2d_to_img2col %o : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.structured.transpose_matmul %o <rhs> : (!transform.any_op) -> !transform.any_op
  transform.memref.multibuffer %a {factor = 2 : i64, skip_analysis} : (!transform.op<"memref.alloc">) -> !transform.any_op
  transform.nvgpu.pipeline_shared_memory_copies failures(propagate) %o {depth = 4} : (!transform.any_op) -> !transform.any_op
  transform.verify %o : !transform.any_op
  transform.alternatives %o : !transform.any_op {
    ^bb0(%x: !transform.any_op):
      transform.yield
    }, {
    ^bb0(%x: !transform.any_op):
      transform.yield
    }
  transform.sequence %o : !transform.any_op failures(suppress) {
    ^bb0(%x: !transform.any_op):
      %y_100 = transform.structured.match ops{["a.b"]} in %x : (!transform.any_op) -> !transform.any_op
    }
  transform.yield
}
}

module @m_old {
  transform.sequence failures(propagate) {
    ^bb0(%o: !transform.any_op):
      transform.apply_cse to %o : !transform.any_op
    }
  transform.sequence failures(propagate) {
    ^bb0(%o: !transform.any_op, %p: !transform.any_op, %q: !transform.param<i64>):
      transform.yield
    }
}

module @m_match attributes {transform.with_named_sequence} {
  transform.named_sequence @match_structured(%o: !transform.any_op {transform.readonly}) -> (!transform.any_op, !transform.param<i64>) {
    %d, %r = transform.match.structured failures(propagate) %o : (!transform.any_op) -> (!transform.any_op, !transform.param<i64>) {
    ^bb0(%s: !transform.any_op):
      %0 = transform.match.structured.rank %s : (!transform.any_op) -> !transform.param<i64>
      %1 = transform.match.structured.num_inputs %s : (!transform.any_op) -> !transform.param<i64>
      %2 = transform.match.structured.num_inits %s : (!transform.any_op) -> !transform.param<i64>
      %3 = transform.match.structured.dim %s[all] {parallel} : (!transform.any_op) -> !transform.param<i64>
      transform.match.structured.dim %s[-1] {reduction} : !transform.any_op
      transform.match.structured.dim %s[except(-1, 0)] {parallel} : !transform.any_op
      %4 = transform.match.structured.input %s[0] : (!transform.any_op) -> !transform.any_op
      transform.match.structured.input %s[all] {projected_permutation} : !transform.any_op
      %5 = transform.match.structured.init %s[0] : (!transform.any_op) -> !transform.any_op
      %6 = transform.match.structured.result %s[0] single : (!transform.any_op) -> !transform.any_op
      %v = transform.match.structured.input %s[0] : (!transform.any_op) -> !transform.any_value
      %7 = transform.match.structured.elemental_bitwidth %v : (!transform.any_value) -> !transform.param<i64>
      transform.match.structured.body %s {reduction_position = 0} : !transform.any_op
      transform.match.structured.body %s {contraction = ["arith.mulf", "arith.addf"]} : !transform.any_op
      %b, %m, %n, %k = transform.match.structured.classify_contraction_dims %s : (!transform.any_op) -> (!transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>)
      %c:8 = transform.match.structured.classify_convolution_dims %s : (!transform.any_op) -> (!transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>)
      transform.match.structured.yield %6, %0 : !transform.any_op, !transform.param<i64>
    }
    transform.match.operation_empty %d : !transform.any_op
    transform.yield %d, %r : !transform.any_op, !transform.param<i64>
  }
}

module @m_match2 attributes {transform.with_named_sequence} {
  transform.named_sequence @match_structured2(%o: !transform.any_op {transform.readonly}) -> (!transform.any_op, !transform.param<i64>) {
    %d, %r = transform.match.structured failures(propagate) %o : (!transform.any_op) -> (!transform.any_op, !transform.param<i64>) {
    ^bb0(%s: !transform.any_op):
      %0 = transform.match.structured.rank %s : (!transform.any_op) -> !transform.param<i64>
      %1 = transform.match.structured.num_inputs %s : (!transform.any_op) -> !transform.param<i64>
      %2 = transform.match.structured.num_inits %s : (!transform.any_op) -> !transform.param<i64>
      %3 = transform.match.structured.dim %s[all] {parallel} : (!transform.any_op) -> !transform.param<i64>
      transform.match.structured.dim %s[-1] {reduction} : !transform.any_op
      transform.match.structured.dim %s[except(-1, 0)] {parallel} : !transform.any_op
      %4 = transform.match.structured.input %s[0] : (!transform.any_op) -> !transform.any_op
      transform.match.structured.input %s[all] {projected_permutation} : !transform.any_op
      %5 = transform.match.structured.init %s[0] : (!transform.any_op) -> !transform.any_op
      %6 = transform.match.structured.result %s[0] single : (!transform.any_op) -> !transform.any_op
      %v = transform.match.structured.input %s[0] : (!transform.any_op) -> !transform.any_value
      %7 = transform.match.structured.elemental_bitwidth %v : (!transform.any_value) -> !transform.param<i64>
      transform.match.structured.body %s {reduction_position = 0} : !transform.any_op
      transform.match.structured.body %s {contraction = ["arith.mulf", "arith.addf"]} : !transform.any_op
      %b, %m, %n, %k = transform.match.structured.classify_contraction_dims %s : (!transform.any_op) -> (!transform.param<i64>, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>)
      transform.match.structured.yield %6, %0 : !transform.any_op, !transform.param<i64>
    }
    transform.match.operation_empty %d : !transform.any_op
    transform.yield %d, %r : !transform.any_op, !transform.param<i64>
  }
}
