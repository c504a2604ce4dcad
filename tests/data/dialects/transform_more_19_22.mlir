// releases: 19 22
// covers: more operations of the transform dialect, each once in generic form with the types and attributes it asks for.
"t.all"() ({
  "t.with"() ({
    ^bb0(%a0: !transform.any_op, %a1: !transform.any_op):
      "transform.affine.simplify_bounded_affine_ops"(%a0, %a1) {lower_bounds = array<i64: 1>, upper_bounds = array<i64: 1>} : (!transform.any_op, !transform.any_op) -> ()
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !transform.any_op):
      "transform.bufferization.buffer_loop_hoisting"(%a0) : (!transform.any_op) -> ()
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !transform.any_op, %a1: !transform.any_op):
      "transform.func.cast_and_call"(%a0, %a1) ({
    }) {operandSegmentSizes = array<i32: 1, 0, 0, 1>} : (!transform.any_op, !transform.any_op) -> !transform.any_op
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !transform.any_op):
      "transform.loop.forall_to_for"(%a0) : (!transform.any_op) -> !transform.any_op
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !transform.any_op):
      "transform.loop.forall_to_parallel"(%a0) : (!transform.any_op) -> !transform.any_op
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !transform.any_op):
      "transform.loop.hoist_loop_invariant_subsets"(%a0) : (!transform.any_op) -> ()
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !transform.any_op):
      "transform.loop.promote_if_one_iteration"(%a0) : (!transform.any_op) -> ()
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !transform.any_op):
      "transform.memref.erase_dead_alloc_and_stores"(%a0) : (!transform.any_op) -> ()
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !transform.any_op):
      "transform.memref.make_loop_independent"(%a0) {num_loops = 1 : i64} : (!transform.any_op) -> !transform.any_op
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !transform.any_op):
      "transform.nvgpu.create_async_groups"(%a0) : (!transform.any_op) -> !transform.any_op
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !transform.any_op):
      "transform.nvgpu.rewrite_copy_as_tma"(%a0) : (!transform.any_op) -> ()
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !transform.any_op):
      "transform.nvgpu.rewrite_matmul_as_mma_sync"(%a0) : (!transform.any_op) -> ()
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !transform.any_op):
      "transform.scf.take_assumed_branch"(%a0) : (!transform.any_op) -> ()
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !transform.any_op):
      "transform.sparse_tensor.match.sparse_inout"(%a0) : (!transform.any_op) -> !transform.any_op
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !transform.any_op):
      "transform.structured.continuous_tile_sizes"(%a0) {dimension = 1 : i64, target_size = 1 : i64} : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !transform.any_op):
      "transform.structured.convert_to_loops"(%a0) : (!transform.any_op) -> !transform.any_op
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !transform.any_op):
      "transform.structured.decompose"(%a0) : (!transform.any_op) -> !transform.any_op
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !transform.any_op):
      "transform.structured.decompose_interface"(%a0) : (!transform.any_op) -> !transform.any_op
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !transform.any_op):
      "transform.structured.eliminate_empty_tensors"(%a0) : (!transform.any_op) -> ()
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !transform.any_op):
      "transform.structured.flatten_elementwise"(%a0) : (!transform.any_op) -> !transform.any_op
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !transform.any_op, %a1: !transform.any_op):
      "transform.structured.hoist_pad.build_packing_loop_nest"(%a0, %a1) : (!transform.any_op, !transform.any_op) -> !transform.any_op
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !transform.any_op):
      "transform.structured.hoist_redundant_vector_broadcasts"(%a0) : (!transform.any_op) -> !transform.any_op
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !transform.any_op):
      "transform.structured.hoist_redundant_vector_transfers"(%a0) : (!transform.any_op) -> !transform.any_op
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !transform.any_op):
      "transform.structured.insert_slice_to_copy"(%a0) : (!transform.any_op) -> !transform.any_op
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !transform.any_op):
      "transform.structured.replace"(%a0) ({
      "t.end"() : () -> ()
    }) : (!transform.any_op) -> !transform.any_op
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !transform.any_op):
      "transform.structured.rewrite_in_destination_passing_style"(%a0) : (!transform.any_op) -> !transform.any_op
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !transform.any_op):
      "transform.structured.specialize"(%a0) : (!transform.any_op) -> !transform.any_op
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !transform.any_op):
      "transform.structured.tile_reduction_using_forall"(%a0) : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !transform.any_op):
      "transform.structured.transpose_conv2d"(%a0) : (!transform.any_op) -> !transform.any_op
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !transform.any_op):
      "transform.tensor.make_loop_independent"(%a0) {num_loops = 1 : i64} : (!transform.any_op) -> !transform.any_op
    }) : () -> ()
  "t.with"() ({
      "transform.type_conversion.tensor.cast_shape_dynamic_dims"() : () -> ()
    }) : () -> ()
}) : () -> ()
