func.func @e(%a: vector<2x[4]xf32>) -> vector<[4]xf32> {
  %0 = vector.extract %a[1] : vector<[4]xf32> from vector<2x[4]xf32>
  return %0 : vector<[4]xf32>
}
