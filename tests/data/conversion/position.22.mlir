func.func @f(%v: vector<2x4xf32>) -> vector<4xf32> {
  %0 = vector.extract %v[-1] : vector<4xf32> from vector<2x4xf32>
  return %0 : vector<4xf32>
}
