#map = affine_map<(d0)[s0] -> (d0 + s0)>
func.func @affine(%m: memref<16x16xf32>, %n: index, %z: f32) -> f32 {
  %0 = affine.for %i = 0 to 16 iter_args(%a = %z) -> (f32) {
    %1 = affine.apply #map(%i)[%n]
    %2 = affine.load %m[%i, %i + 1] : memref<16x16xf32>
    affine.store %2, %m[%i, %i] : memref<16x16xf32>
    %3 = affine.min affine_map<(d0) -> (d0, 4)>(%i)
    %4 = arith.addf %a, %2 : f32
    affine.yield %4 : f32
  }
  %5 = affine.parallel (%i, %j) = (0, 0) to (8, 8) reduce ("addf") -> f32 {
    %6 = affine.load %m[%i, %j] : memref<16x16xf32>
    affine.yield %6 : f32
  }
  %7 = affine.if affine_set<(d0) : (d0 - 1 >= 0)>(%n) -> f32 {
    affine.yield %0 : f32
  } else {
    affine.yield %5 : f32
  }
  return %7 : f32
}
