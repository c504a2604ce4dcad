// releases: 22
// covers: the arith dialect: every operation, fast-math and overflow flags, rounding modes, default-valued attributes given and left out.
func.func @arith(%a: i32, %b: i32, %c: i1, %f: f32, %g: f32, %v: vector<4xi32>, %w: vector<4xf32>, %h: f16, %d: f64, %i: index, %t: tensor<?xf32>, %l: i64, %s: vector<[4]xi32>, %vi: vector<4xi1>) {
  arith.shrsi %a, %b exact : i32
  arith.divui %a, %b exact : i32
  arith.trunci %l overflow<nsw> : i64 to i32
  return
}

func.func @scaling(%f: f32, %fe: f8E8M0FNU, %f4: f4E2M1FN) {
  arith.scaling_extf %f4, %fe : f4E2M1FN, f8E8M0FNU to f32
  arith.scaling_truncf %f, %fe : f32, f8E8M0FNU to f4E2M1FN
  arith.scaling_truncf %f, %fe to_nearest_even fastmath<nnan> : f32, f8E8M0FNU to f4E2M1FN
  return
}
