// releases: 19 22
// covers: more operations of the spirv dialect, each once in generic form with the types and attributes it asks for.
"t.all"() ({
  "t.with"() ({
    ^bb0(%a0: !spirv.ptr<i32, StorageBuffer>, %a1: i8):
      "spirv.KHR.CooperativeMatrixLoad"(%a0, %a1) {matrix_layout = #spirv.coop_matrix_layout_khr<RowMajor>} : (!spirv.ptr<i32, StorageBuffer>, i8) -> !spirv.coopmatrix<8x16xi32, Subgroup, MatrixA>
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: !spirv.ptr<i32, StorageBuffer>, %a1: !spirv.coopmatrix<8x16xi32, Subgroup, MatrixA>, %a2: i8):
      "spirv.KHR.CooperativeMatrixStore"(%a0, %a1, %a2) {matrix_layout = #spirv.coop_matrix_layout_khr<RowMajor>} : (!spirv.ptr<i32, StorageBuffer>, !spirv.coopmatrix<8x16xi32, Subgroup, MatrixA>, i8) -> ()
    }) : () -> ()
}) : () -> ()
