// A misspelled operation.
func.func @f(%a: i32) -> i32 {
  %0 = arith.adid %a, %a : i32
  return %0 : i32
}
// -----
// A misspelled dialect.
func.func @f(%a: i32) -> i32 {
  %0 = aritth.addi %a, %a : i32
  return %0 : i32
}
// -----
// A dialect of another project.
func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = hw.constant 1 : i32
  return %a : tensor<4xf32>
}
// -----
// A dialect that was renamed.
func.func @f(%a: i32) -> i32 {
  %0 = std.addi %a, %a : i32
  return %0 : i32
}
// -----
// A misspelled value.
func.func @f(%value: i32) -> i32 {
  return %vlaue : i32
}
// -----
// A value of another type.
func.func @f(%a: i32, %b: f32) -> i32 {
  %0 = arith.addi %a, %b : i32
  return %0 : i32
}
// -----
// A value that is defined twice.
func.func @f(%a: i32) -> i32 {
  %0 = arith.addi %a, %a : i32
  %0 = arith.muli %a, %a : i32
  return %0 : i32
}
// -----
// A missing type.
func.func @f(%a: i32) -> i32 {
  %0 = arith.addi %a, %a
  return %0 : i32
}
// -----
// A missing operand.
func.func @f(%a: i32) -> i32 {
  %0 = arith.addi %a : i32
  return %0 : i32
}
// -----
// A missing brace.
func.func @f(%a: i32) -> i32 {
  %0 = arith.addi %a, %a : i32
  return %0 : i32
// -----
// A brace too many.
func.func @f(%a: i32) -> i32 {
  return %a : i32
}
}
// -----
// A misspelled type.
func.func @f(%a: tensr<4xf32>) {
  return
}
// -----
// A misspelled element type.
func.func @f(%a: tensor<4xfloat>) {
  return
}
// -----
// Dimensions with commas.
func.func @f(%a: tensor<4, 4, f32>) {
  return
}
// -----
// A number without its point.
func.func @f() -> f32 {
  %0 = arith.constant 1e-5 : f32
  return %0 : f32
}
// -----
// An integer as a float.
func.func @f() -> f32 {
  %0 = arith.constant 1 : f32
  return %0 : f32
}
// -----
// Elements of another length.
func.func @f() -> tensor<4xi32> {
  %0 = arith.constant dense<[1, 2, 3]> : tensor<4xi32>
  return %0 : tensor<4xi32>
}
// -----
// Lists of two lengths.
func.func @f() -> tensor<2x2xi32> {
  %0 = arith.constant dense<[[1, 2], [3]]> : tensor<2x2xi32>
  return %0 : tensor<2x2xi32>
}
// -----
// A number that does not fit.
func.func @f() -> i8 {
  %0 = arith.constant 300 : i8
  return %0 : i8
}
// -----
// A misspelled block.
func.func @f() {
  cf.br ^exti
^exit:
  return
}
// -----
// An alias that is not defined.
func.func @f(%m: memref<4xf32, #mpa>) {
  return
}
// -----
// A string without its end.
func.func @f() attributes {doc = "text} {
  return
}
// -----
// A misspelled keyword.
func.func @f(%n: index) {
  %c0 = arith.constant 0 : index
  scf.for %i = %c0 too %n step %n {
  }
  return
}
// -----
// An unknown predicate.
func.func @f(%a: i32) -> i1 {
  %0 = arith.cmpi less, %a, %a : i32
  return %0 : i1
}
// -----
// A comma too many.
func.func @f(%a: i32, %b: i32,) {
  return
}
// -----
// Results of another number.
func.func @f(%a: i32) -> i32 {
  %0:2 = arith.addi %a, %a : i32
  return %0#0 : i32
}
// -----
// A function type without its arrow.
func.func @f(%a: i32) i32 {
  return %a : i32
}
// -----
// A symbol without its sign.
func.func @g() {
  return
}
func.func @f() {
  call g() : () -> ()
  return
}
// -----
// An attribute without its value.
func.func @f() {
  "test.op"() {axis = } : () -> ()
  return
}
// -----
// A dense array without its element type.
func.func @f() {
  "test.op"() {axis = array<1, 2>} : () -> ()
  return
}
