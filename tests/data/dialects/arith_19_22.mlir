// releases: 19 22
// covers: the arith dialect: every operation, fast-math and overflow flags, rounding modes, default-valued attributes given and left out.
func.func @arith(%a: i32, %b: i32, %c: i1, %f: f32, %g: f32, %v: vector<4xi32>, %w: vector<4xf32>, %h: f16, %d: f64, %i: index, %t: tensor<?xf32>, %l: i64, %s: vector<[4]xi32>, %vi: vector<4xi1>) {
  arith.addi %a, %b overflow<nsw> : i32
  arith.addi %a, %b overflow<nsw, nuw> : i32
  arith.subi %v, %v overflow<nuw> : vector<4xi32>
  arith.muli %a, %b overflow<none> : i32
  arith.shli %a, %b overflow<nuw> : i32
  arith.maximumf %f, %g : f32
  arith.minimumf %f, %g fastmath<reassoc> : f32
  arith.maxnumf %f, %g : f32
  arith.minnumf %t, %t : tensor<?xf32>
  arith.extf %h fastmath<contract> : f16 to f32
  arith.truncf %d downward : f64 to f32
  arith.truncf %d toward_zero fastmath<fast> : f64 to f32
  arith.truncf %d to_nearest_away : f64 to f16
  arith.truncf %d upward : f64 to bf16
  arith.cmpf olt, %f, %g fastmath<nnan> : f32
  arith.cmpf une, %f, %g fastmath<ninf> : f32
  return
}
