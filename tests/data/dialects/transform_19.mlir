// releases: 19
// covers: the transform dialect: sequences, matchers, patterns, tiling and loop transformations with sizes as attributes and parameters.
module @m_patterns attributes {transform.with_named_sequence} {
transform.named_sequence private @patterns(%m: !transform.any_op {transform.readonly}) {
  transform.apply_patterns to %m {
  transform.apply_patterns.vector.lower_contraction lowering_strategy = matmulintrinsics
  } {apply_cse, max_iterations = 3 : i64} : !transform.any_op
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
  transform.apply_registered_pass "canonicalize" to %o {options = "top-down=false"} : (!transform.any_op) -> !transform.any_op
  transform.structured.fuse %o {tile_sizes = [4, 8], tile_interchange = [1, 0]} : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
  transform.yield
}
}
