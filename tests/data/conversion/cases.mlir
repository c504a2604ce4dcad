func.func @c(%v: vector<4xf32>, %a: f32) -> f32 {
  %0 = vector.reduction <minnumf>, %v : vector<4xf32> into f32
  %1 = gpu.all_reduce minnumf %a {} : (f32) -> f32
  return %0 : f32
}
