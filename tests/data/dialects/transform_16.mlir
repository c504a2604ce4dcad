// releases: 16
// covers: the transform dialect: sequences, matchers, patterns, tiling and loop transformations with sizes as attributes and parameters.
transform.sequence failures(propagate) {
^bb0(%o: !pdl.operation):
  %l = transform.cast %o : !pdl.operation to !transform.op<"scf.for">
  transform.foreach %o : !pdl.operation {
    ^bb1(%x: !pdl.operation):
      transform.print %x : !pdl.operation
    }
  transform.get_closest_isolated_parent %o : (!pdl.operation) -> !pdl.operation
  transform.get_consumers_of_result %o[0] : (!pdl.operation) -> !pdl.operation
  transform.get_producer_of_operand %o[1] : (!pdl.operation) -> !pdl.operation
  transform.loop.get_parent_for %o {num_loops = 2, affine = true} : (!pdl.operation) -> !pdl.operation
  transform.loop.peel %l : (!transform.op<"scf.for">) -> !pdl.operation
  transform.loop.pipeline %l {iteration_interval = 2 : i64, read_latency = 5 : i64} : (!transform.op<"scf.for">) -> !pdl.operation
  transform.print %o {name = "x"} : !pdl.operation
  transform.print
  transform.structured.match ops{["linalg.matmul"]} in %o
  transform.structured.match interface{LinalgOp} attributes {a = 1 : i32} in %o
  transform.structured.multitile_sizes %o {dimension = 1, target_size = 3, divisor = 2} : (!pdl.operation) -> !pdl.operation
  transform.structured.multitile_sizes %o {dimension = 1, target_size = 3} : (!pdl.operation) -> !transform.param<i64>
  transform.bufferization.one_shot_bufferize %o {bufferize_function_boundaries = true}
}
