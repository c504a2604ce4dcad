// releases: 16 19 22
// covers: the cf dialect: branches, switches with cases of several widths, weights, assertions.
func.func @cf(%c: i1, %n: i32, %f: f32) -> f32 {
  cf.assert %c, "a message with \"quotes\", a \\ and \0A a line"
  cf.switch %n : i32, [
    default: ^a(%f : f32),
    42: ^b(%f, %n : f32, i32),
    -43: ^c
  ]
^a(%x: f32):
  cf.switch %n : i32, [
    default: ^c
  ]
^b(%y: f32, %i: i32):
  cf.cond_br %c, ^a(%y : f32), ^b(%y, %i : f32, i32)
^c:
  cf.br ^d(%f, %n : f32, i32)
^d(%z: f32, %j: i32):
  return %z : f32
}
