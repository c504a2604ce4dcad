// releases: 16 19 22
// flags: --strip-debuginfo
// covers: a module whose every location is unknown, so no block argument carries one.
func.func @f(%a: i32, %b: f32) -> i32 {
  cf.br ^next(%a, %b : i32, f32)
^next(%c: i32, %d: f32):
  "t.use"(%d) : (f32) -> ()
  return %c : i32
}
