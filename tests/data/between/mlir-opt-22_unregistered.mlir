module {
  func.func @f(%a: vector<4xf32>, %l: i64) {
    %0 = "vcix.v.iv"(%a, %l) <{imm = 5 : i32, opcode = 3 : i64}> : (vector<4xf32>, i64) -> vector<4xf32>
    %1 = "foo.bar"() <{imm = 5 : i32}> {d = 1 : i32} : () -> i32
    return
  }
}
