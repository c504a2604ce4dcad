func.func @f(%a: i32, %b: i32) -> i32 {
  %0 = arith.addi %a, %b : i32
}
func.func @f() {
  return
}
