func.func @f(%v: vector<4xf32>, %i: i32) -> f32 {
  %0 = vector.extractelement %v[%i : i32] : vector<4xf32>
  return %0 : f32
}
