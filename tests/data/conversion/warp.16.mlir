func.func @f(%lane: index) -> vector<4xf32> {
  %0 = vector.warp_execute_on_lane_0(%lane)[32] -> (vector<4xf32>) {
    %1 = arith.constant dense<0.0> : vector<128xf32>
    vector.yield %1 : vector<128xf32>
  }
  return %0 : vector<4xf32>
}
