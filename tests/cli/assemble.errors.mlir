#map = affine_map<(d0) -> (d0)>
func.func @f(%value: i32, %b: f32) -> i32 {
  %0 = arith.adid %value, %value : i32
  %1 = arith.addi %0, %b : i32
  "t.a"() {map = #mpa} : () -> ()
  "t.a"(%1, %vlaue) : (i32, i32) -> ()
  cf.br ^exti
^exit:
  return %1 : i32
}
func.func private @g(indx)
