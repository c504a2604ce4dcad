func.func private @external(i32, f32) -> f32
func.func @callee(%a: i32, %b: f32) -> (f32, i32) {
  %0 = call @external(%a, %b) : (i32, f32) -> f32
  return %0, %a : f32, i32
}
func.func @caller(%c: i1, %a: i32, %b: f32) -> f32 {
  %f = constant @callee : (i32, f32) -> (f32, i32)
  %0:2 = call_indirect %f(%a, %b) : (i32, f32) -> (f32, i32)
  %1:2 = call @callee(%0#1, %0#0) : (i32, f32) -> (f32, i32)
  cf.cond_br %c, ^bb1(%1#0 : f32), ^bb2(%1#1, %b : i32, f32)
^bb1(%x: f32):
  cf.br ^bb2(%a, %x : i32, f32)
^bb2(%y: i32, %z: f32):
  return %z : f32
}
