module {
  func.func @f(%arg0: index, %arg1: memref<4xf32>, %arg2: tensor<4x4xf32>, %arg3: !llvm.ptr, %arg4: f32) {
    %alloc = memref.alloc(%arg0) alignment = 64 {foo = 1 : i32} : memref<?xf32>
    %alloc_0 = memref.alloc(%arg0) {foo} : memref<?xf32>
    %0 = memref.load %arg1[%arg0] nontemporal(true) : memref<4xf32>
    %1 = memref.load %arg1[%arg0] {foo} : memref<4xf32>
    %2 = llvm.fadd %arg4, %arg4 fastmath<fast> {foo} : f32
    %3 = math.isnan %arg4 fastmath<nnan> {foo} : f32
    return
  }
  util.global private @q <inlining_policy = #util.inline.never> : i32
  func.func @h() {
    call @h() <arg_attrs = [], no_inline> {x = 2 : i64} : () -> ()
    return
  }
  module attributes {transform.with_named_sequence} {
    transform.named_sequence @k(%arg0: !transform.any_op) {
      %0 = transform.structured.vectorize_children_and_apply_patterns %arg0 <fold_type_extensions_into_contract, vectorize_padding> {foo} : (!transform.any_op) -> !transform.any_op
      %1 = transform.get_parent_op %arg0 <isolated_from_above, op_name = "a\0Ab", nth_parent = 3> : (!transform.any_op) -> !transform.any_op
      transform.yield 
    }
  }
}

