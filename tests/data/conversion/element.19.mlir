func.func @f(%v: vector<4xf32>, %i: index, %s: f32) -> (f32, vector<4xf32>) {
  %0 = vector.extractelement %v[%i : index] : vector<4xf32>
  %1 = vector.insertelement %s, %v[%i : index] : vector<4xf32>
  return %0, %1 : f32, vector<4xf32>
}
