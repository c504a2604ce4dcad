// releases: 22
// covers: more operations of the transform dialect, each once in generic form with the types and attributes it asks for.
"t.all"() ({
  "t.with"() ({
    ^bb0(%a0: !transform.any_op):
      "transform.affine.simplify_min_max_affine_ops"(%a0) : (!transform.any_op) -> ()
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !transform.any_op):
      "transform.func.deduplicate_func_args"(%a0) {function_name = @x} : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !transform.any_op):
      "transform.func.replace_func_signature"(%a0) {args_interchange = array<i32: 1>, function_name = @x, results_interchange = array<i32: 1>} : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !transform.any_op):
      "transform.loop.parallel_for_to_nested_fors"(%a0) : (!transform.any_op) -> !transform.any_op
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !transform.any_op):
      "transform.structured.decompose_winograd_op"(%a0) : (!transform.any_op) -> !transform.any_op
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !transform.any_op):
      "transform.structured.linalg_copy_to_memref"(%a0) : (!transform.any_op) -> !transform.any_op
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !transform.any_value):
      "transform.structured.promote_tensor"(%a0) : (!transform.any_value) -> !transform.any_value
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !transform.any_op):
      "transform.structured.winograd_conv2d"(%a0) {fmr = 1 : i32} : (!transform.any_op) -> !transform.any_op
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !transform.any_value):
      "transform.xegpu.get_desc_op"(%a0) : (!transform.any_value) -> !transform.any_op
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !transform.any_value, %a1: !transform.any_op):
      "transform.xegpu.insert_prefetch"(%a0, %a1) : (!transform.any_value, !transform.any_op) -> !transform.any_op
    }) : () -> ()
}) : () -> ()
