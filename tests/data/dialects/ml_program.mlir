// releases: 16 19 22
// covers: the ml_program dialect: functions, subgraphs, globals of every kind, tokens, external values.
ml_program.func private @extern(i32 {t.x}) -> i32
ml_program.func @fn(%a: i32) -> (i32 {t.r}) {
  ml_program.return %a : i32
}
ml_program.subgraph private @sub_extern(i32) -> i32
ml_program.subgraph @sub(%a: tensor<4xi32>) -> tensor<4xi32> attributes {t.y} {
  %tok = ml_program.token
  %0, %t1 = ml_program.global_load_graph @mut ordering(() -> !ml_program.token) : tensor<4xi32>
  %2 = ml_program.global_store_graph @mut = %b ordering(%tok, %t1 -> !ml_program.token) : tensor<4xi32>
  %b, %t3 = ml_program.global_load_graph @mut ordering(%2 -> !ml_program.token) : tensor<4xi32>
  ml_program.output %b : tensor<4xi32>
}
ml_program.global private @imm(dense<[0, 1, 2, 3]> : tensor<4xi32>) : tensor<4xi32>
ml_program.global private mutable @mut(dense<4> : tensor<4xi32>) : tensor<4xi32>
ml_program.global public mutable @undef : tensor<?xi32>
ml_program.global public @ext(#ml_program.extern<i64>) : i64
ml_program.global private @ext2(#ml_program.extern : tensor<4xi32>) : tensor<?xi32>
ml_program.func @access() -> !ml_program.token {
  %0 = ml_program.global_load @mut : tensor<4xi32>
  ml_program.global_store @mut = %0 : tensor<4xi32>
  %1 = ml_program.global_load_const @imm : tensor<4xi32>
  %2 = ml_program.token
  ml_program.return %2 : !ml_program.token
}
