func.func @f(%a: index, %s: memref<4xf32>, %t: tensor<4x4xf32>, %p: !llvm.ptr, %v: f32) {
  %m = "memref.alloc"(%a) <{alignment = 64 : i64, operandSegmentSizes = array<i32: 1, 0>}> {foo = 1 : i32} : (index) -> memref<?xf32>
  %m2 = memref.alloc(%a) {foo} : memref<?xf32>
  %0 = "memref.load"(%s, %a) <{nontemporal = true}> : (memref<4xf32>, index) -> f32
  %2 = "memref.load"(%s, %a) <{nontemporal = false}> {foo} : (memref<4xf32>, index) -> f32
  %5 = "llvm.fadd"(%v, %v) <{fastmathFlags = #llvm.fastmath<fast>}> {foo}: (f32, f32) -> f32
  %6 = "math.isnan"(%v) <{fastmath = #arith.fastmath<nnan>}> {foo}: (f32) -> i1
  return
}
util.global private @q <inlining_policy = #util.inline.never> : i32
"func.func"() <{sym_name = "h", function_type = () -> ()}> ({
  "func.call"() <{callee = @h, no_inline, arg_attrs = []}> {x = 2} : () -> ()
  "func.return"() : () -> ()
}) : () -> ()
module attributes {transform.with_named_sequence} {
transform.named_sequence @k(%0: !transform.any_op) {
  %1 = "transform.structured.vectorize_children_and_apply_patterns"(%0) <{fold_type_extensions_into_contract, vectorize_padding}> {foo} : (!transform.any_op) -> !transform.any_op
  %2 = "transform.get_parent_op"(%0) <{op_name = "a\0Ab", isolated_from_above, nth_parent = 3 : i64}> : (!transform.any_op) -> !transform.any_op
  transform.yield
}
}
