// releases: 16
// covers: the transform dialect: sequences, matchers, patterns, tiling and loop transformations with sizes as attributes and parameters.
"t.with"() ({
^bb0(%o: !pdl.operation, %l: !transform.op<"scf.for">, %p: !pdl.operation):
  transform.cast %o : !pdl.operation to !transform.any_op
  transform.foreach %o : !pdl.operation {
    ^bb1(%x: !pdl.operation):
      transform.print %x : !pdl.operation
    }
  transform.get_closest_isolated_parent %o : (!pdl.operation) -> !pdl.operation
  transform.get_consumers_of_result %o[0] : (!pdl.operation) -> !pdl.operation
  transform.get_producer_of_operand %o[1] : (!pdl.operation) -> !pdl.operation
  transform.gpu.map_foreach_to_blocks %o {generate_gpu_launch, gridDim = [1, 2, 3]}
  transform.gpu.map_nested_foreach_to_threads %o {blockDim = [32, 4, 1], syncAfterDistribute = false}
  transform.loop.coalesce %o : (!pdl.operation) -> !pdl.operation
  transform.loop.get_parent_for %o {num_loops = 2, affine = true} : (!pdl.operation) -> !pdl.operation
  transform.loop.outline %o {func_name = "outlined"} : (!pdl.operation) -> !pdl.operation
  transform.loop.peel %l : (!transform.op<"scf.for">) -> !pdl.operation
  transform.loop.pipeline %l {iteration_interval = 2 : i64, read_latency = 5 : i64} : (!transform.op<"scf.for">) -> !pdl.operation
  transform.loop.unroll %o {factor = 4} : !pdl.operation
  transform.memref.multibuffer %o {factor = 2 : i64}
  transform.merge_handles %o, %o : !pdl.operation
  transform.merge_handles %p, %o : !pdl.operation
  transform.print %o {name = "x"} : !pdl.operation
  transform.print
  transform.replicate num(%o) %p : !pdl.operation, !pdl.operation
  transform.split_handles %o in [2] : (!pdl.operation) -> (!pdl.operation, !pdl.operation)
  transform.structured.decompose %o
  transform.structured.fuse %o {tile_sizes = [4], tile_interchange = [0]}
  transform.structured.fuse_into_containing_op %o into %p
  transform.structured.generalize %o
  transform.structured.interchange %o iterator_interchange = [1, 0]
  transform.structured.match ops{["linalg.matmul"]} in %o
  transform.structured.match interface{LinalgOp} attributes {a = 1 : i32} in %o
  transform.structured.multitile_sizes %o {dimension = 1, target_size = 3, divisor = 2} : (!pdl.operation) -> !pdl.operation
  transform.structured.multitile_sizes %o {dimension = 1, target_size = 3} : (!pdl.operation) -> !transform.param<i64>
  transform.structured.pack %o packed_sizes = [8, 0, 4] : (!pdl.operation) -> !transform.op<"linalg.generic">
  transform.structured.pad %o {padding_values = [0.0 : f32], padding_dimensions = [0, 1], pack_paddings = [1, 1], hoist_paddings = [1, 0], transpose_paddings = [[1, 0], [0, 1]]}
  transform.structured.promote %o {operands_to_promote = [0], use_full_tile_buffers = [false, true], alignment = 32}
  transform.structured.scalarize %o
  transform.structured.split %o after 42 {dimension = 0} : !pdl.operation
  transform.structured.split_reduction %o {split_factor = 4, insert_split_dimension = 2, inner_parallel}
  transform.structured.tile %o [4, 8, 16] {interchange = [2, 1, 0]} : (!pdl.operation) -> (!pdl.operation, !pdl.operation, !pdl.operation, !pdl.operation)
  transform.structured.tile_reduction_using_scf %o by tile_sizes = [0, 5]
  transform.structured.tile_reduction_using_foreach_thread %o by num_threads = [0, 5], tile_sizes = []
  transform.structured.tile_to_foreach_thread_op %o num_threads [10, 20] (mapping = [#gpu.thread<y>, #gpu.thread<x>])
  transform.structured.tile_to_foreach_thread_op %o tile_sizes [10, 20]
  transform.structured.tile_to_scf_for %o [4, 8]
  transform.structured.vectorize %o {vectorize_padding}
  transform.structured.masked_vectorize %o vector_sizes [8, 16]
  transform.vector.lower_vectors %o contraction_lowering = outerproduct multireduction_lowering = innerreduction
  transform.bufferization.one_shot_bufferize %o {bufferize_function_boundaries = true}
  transform.bufferization.one_shot_bufferize layout{IdentityLayoutMap} %o {target_is_module = false}
  transform.affine.simplify_bounded_affine_ops %o with [%p] within [0] and [20]
  transform.alternatives %o : !pdl.operation {
    ^bb0(%x: !pdl.operation):
      transform.yield
    }, {
    ^bb0(%x: !pdl.operation):
    }
}) : () -> ()
