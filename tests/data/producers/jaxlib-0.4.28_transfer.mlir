func.func @load(%from: tensor<?xf32>, %at: index, %else: f32) -> vector<5xf32> {
  %0 = vector.transfer_read %from[%at], %else : tensor<?xf32>, vector<5xf32>
  return %0 : vector<5xf32>
}
