"builtin.module"() ({
  "func.func"() <{function_type = (index, memref<4xf32>, tensor<4x4xf32>, !llvm.ptr, f32) -> (), sym_name = "f"}> ({
  ^bb0(%arg1: index, %arg2: memref<4xf32>, %arg3: tensor<4x4xf32>, %arg4: !llvm.ptr, %arg5: f32):
    %2 = "memref.alloc"(%arg1) <{alignment = 64 : i64, operandSegmentSizes = array<i32: 1, 0>}> {foo = 1 : i32} : (index) -> memref<?xf32>
    %3 = "memref.alloc"(%arg1) <{operandSegmentSizes = array<i32: 1, 0>}> {foo} : (index) -> memref<?xf32>
    %4 = "memref.load"(%arg2, %arg1) <{nontemporal = true}> : (memref<4xf32>, index) -> f32
    %5 = "memref.load"(%arg2, %arg1) <{nontemporal = false}> {foo} : (memref<4xf32>, index) -> f32
    %6 = "llvm.fadd"(%arg5, %arg5) <{fastmathFlags = #llvm.fastmath<fast>}> {foo} : (f32, f32) -> f32
    %7 = "math.isnan"(%arg5) <{fastmath = #arith.fastmath<nnan>}> {foo} : (f32) -> i1
    "func.return"() : () -> ()
  }) : () -> ()
  "util.global"() <{inlining_policy = #util.inline.never, sym_name = "q", sym_visibility = "private", type = i32}> : () -> ()
  "func.func"() <{function_type = () -> (), sym_name = "h"}> ({
    "func.call"() <{arg_attrs = [], callee = @h, no_inline}> {x = 2 : i64} : () -> ()
    "func.return"() : () -> ()
  }) : () -> ()
  "builtin.module"() ({
    "transform.named_sequence"() <{function_type = (!transform.any_op) -> (), sym_name = "k"}> ({
    ^bb0(%arg0: !transform.any_op):
      %0 = "transform.structured.vectorize_children_and_apply_patterns"(%arg0) <{fold_type_extensions_into_contract, vectorize_padding}> {foo} : (!transform.any_op) -> !transform.any_op
      %1 = "transform.get_parent_op"(%arg0) <{isolated_from_above, nth_parent = 3 : i64, op_name = "a\0Ab"}> : (!transform.any_op) -> !transform.any_op
      "transform.yield"() : () -> ()
    }) : () -> ()
  }) {transform.with_named_sequence} : () -> ()
}) : () -> ()

