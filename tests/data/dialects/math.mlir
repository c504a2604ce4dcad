// releases: 16 19 22
// covers: the math dialect: every operation, fast-math flags.
func.func @math(%f: f32, %g: f32, %v: vector<4xf32>, %a: i32, %i: index, %t: tensor<?xf64>, %b: bf16, %c: i1) {
  math.atan %f : f32
  math.cbrt %f : f32
  math.ceil %f : f32
  math.cos %f : f32
  math.erf %f : f32
  math.exp %f : f32
  math.exp2 %f : f32
  math.expm1 %f : f32
  math.floor %f : f32
  math.log %f : f32
  math.log10 %f : f32
  math.log1p %f : f32
  math.log2 %f : f32
  math.round %f : f32
  math.roundeven %f : f32
  math.rsqrt %f : f32
  math.sin %f : f32
  math.sqrt %f : f32
  math.tan %f : f32
  math.tanh %f : f32
  math.trunc %f : f32
  math.absf %f : f32
  math.atan2 %f, %g : f32
  math.atan2 %v, %v fastmath<nnan,afn> : vector<4xf32>
  math.copysign %f, %g : f32
  math.copysign %v, %v fastmath<nnan,afn> : vector<4xf32>
  math.powf %f, %g : f32
  math.powf %v, %v fastmath<nnan,afn> : vector<4xf32>
  math.absi %a : i32
  math.ctlz %a : i32
  math.ctpop %a : i32
  math.cttz %a : i32
  math.ipowi %a, %a : i32
  math.fpowi %f, %a : f32, i32
  math.fpowi %f, %a fastmath<fast> : f32, i32
  math.fma %f, %g, %f : f32
  math.fma %v, %v, %v fastmath<contract> : vector<4xf32>
  math.sqrt %t fastmath<reassoc> : tensor<?xf64>
  math.tanh %b : bf16
  return
}
