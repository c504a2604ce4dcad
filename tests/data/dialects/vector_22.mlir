// releases: 22
// covers: the vector dialect: contractions, transfers with maps and masks, reductions, scalable vectors, prints.
func.func @vector(%v: vector<4xf32>, %f: f32, %i: index, %m: memref<?x?xf32>, %w: vector<2x4xf32>, %mask: vector<4xi1>, %iv: vector<4xi32>, %a: vector<2x3xf32>, %b: vector<3x4xf32>, %s: vector<[4]xf32>, %t: tensor<?x?xf32>, %big: vector<4x8x16xf32>, %st: memref<4x3xf32>, %m1: memref<?xf32>, %z: vector<f32>, %acc: vector<2xf32>, %a32: i32, %vix: vector<4xindex>) {
  vector.to_elements %v : vector<4xf32>
  vector.shuffle %v, %v [0, 1, 4, 7, -1] : vector<4xf32>, vector<4xf32>
  return
}
func.func private @vf(vector<4xf32>)

func.func private @vector_pointers(vector<4x!llvm.ptr>, vector<[4]x!llvm.ptr<3>>)
