func.func @k(%m: vector<4xi1>, %a: vector<4xf32>) -> vector<4xf32> {
  %0 = vector.mask %m { vector.yield %a : vector<4xf32> } : vector<4xi1> -> vector<4xf32>
  return %0 : vector<4xf32>
}
