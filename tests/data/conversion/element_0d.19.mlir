func.func @f(%v: vector<f32>) -> f32 {
  %0 = vector.extractelement %v[] : vector<f32>
  return %0 : f32
}
