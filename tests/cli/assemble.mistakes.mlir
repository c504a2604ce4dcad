func.func @f(%a: i32, %b: i32) -> i32 {
  %0 = arith.addi %a, %b
  %1 = std.subi %0, %b : i32
  return %1 : i32
}
