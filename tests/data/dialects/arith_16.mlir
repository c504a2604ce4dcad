// releases: 16
// covers: the arith dialect: every operation, fast-math and overflow flags, rounding modes, default-valued attributes given and left out.
func.func @arith(%a: i32, %b: i32, %c: i1, %f: f32, %g: f32, %v: vector<4xi32>, %w: vector<4xf32>, %h: f16, %d: f64, %i: index, %t: tensor<?xf32>, %l: i64, %s: vector<[4]xi32>, %vi: vector<4xi1>) {
  arith.maxf %f, %g : f32
  arith.minf %f, %g : f32
  return
}
