// releases: 16 19 22
// covers: the vector dialect: contractions, transfers with maps and masks, reductions, scalable vectors, prints.
func.func @vector(%v: vector<4xf32>, %f: f32, %i: index, %m: memref<?x?xf32>, %w: vector<2x4xf32>, %mask: vector<4xi1>, %iv: vector<4xi32>, %a: vector<2x3xf32>, %b: vector<3x4xf32>, %s: vector<[4]xf32>, %t: tensor<?x?xf32>, %big: vector<4x8x16xf32>, %st: memref<4x3xf32>, %m1: memref<?xf32>, %z: vector<f32>, %acc: vector<2xf32>, %a32: i32, %vix: vector<4xindex>) {
  vector.bitcast %v : vector<4xf32> to vector<8xi16>
  vector.broadcast %f : f32 to vector<2x4xf32>
  vector.broadcast %v : vector<4xf32> to vector<2x4xf32>
  vector.compressstore %m1[%i], %mask, %v : memref<?xf32>, vector<4xi1>, vector<4xf32>
  vector.expandload %m1[%i], %mask, %v : memref<?xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  vector.maskedload %m1[%i], %mask, %v : memref<?xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  vector.maskedstore %m1[%i], %mask, %v : memref<?xf32>, vector<4xi1>, vector<4xf32>
  vector.gather %m1[%i] [%iv], %mask, %v : memref<?xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  vector.scatter %m1[%i] [%iv], %mask, %v : memref<?xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32>
  vector.load %m[%i, %i] : memref<?x?xf32>, vector<8xf32>
  vector.load %m[%i, %i] {nontemporal = true} : memref<?x?xf32>, vector<8xf32>
  vector.load %m[%i, %i] {alignment = 16 : i64} : memref<?x?xf32>, vector<8xf32>
  vector.store %v, %m[%i, %i] : memref<?x?xf32>, vector<4xf32>
  vector.constant_mask [3] : vector<4xi1>
  vector.constant_mask [3, 2] : vector<4x4xi1>
  vector.create_mask %i, %i : vector<4x[4]xi1>
  vector.contract {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %a, %b, %w : vector<2x3xf32>, vector<3x4xf32> into vector<2x4xf32>
  vector.contract {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]} %v, %v, %f : vector<4xf32>, vector<4xf32> into f32
  vector.insert %f, %w[1, 2] : f32 into vector<2x4xf32>
  vector.extract_strided_slice %big {offsets = [0, 2], sizes = [2, 4], strides = [1, 1]} : vector<4x8x16xf32> to vector<2x4x16xf32>
  vector.insert_strided_slice %w, %big {offsets = [0, 1, 2], strides = [1, 1]} : vector<2x4xf32> into vector<4x8x16xf32>
  vector.fma %v, %v, %v : vector<4xf32>
  vector.mask %mask { vector.reduction <add>, %v : vector<4xf32> into f32 } : vector<4xi1> -> f32
  vector.mask %mask, %v { vector.transfer_read %t[%i, %i], %f : tensor<?x?xf32>, vector<4xf32> } : vector<4xi1> -> vector<4xf32>
  vector.mask %mask { vector.transfer_write %v, %m[%i, %i] : vector<4xf32>, memref<?x?xf32> } : vector<4xi1>
  vector.multi_reduction <add>, %w, %acc [1] : vector<2x4xf32> to vector<2xf32>
  vector.multi_reduction <mul>, %w, %f [0, 1] : vector<2x4xf32> to f32
  vector.outerproduct %v, %v : vector<4xf32>, vector<4xf32>
  vector.outerproduct %v, %f : vector<4xf32>, f32
  vector.outerproduct %acc, %v, %w {kind = #vector.kind<mul>} : vector<2xf32>, vector<4xf32>
  vector.print %v : vector<4xf32>
  vector.reduction <add>, %v : vector<4xf32> into f32
  vector.reduction <add>, %v, %f : vector<4xf32> into f32
  vector.reduction <xor>, %iv : vector<4xi32> into i32
  vector.reduction <minsi>, %iv, %a32 : vector<4xi32> into i32
  vector.scalable.extract %s[0] : vector<4xf32> from vector<[4]xf32>
  vector.scalable.insert %v, %s[4] : vector<4xf32> into vector<[4]xf32>
  vector.scan <add>, %w, %acc {inclusive = true, reduction_dim = 1 : i64} : vector<2x4xf32>, vector<2xf32>
  vector.shape_cast %w : vector<2x4xf32> to vector<8xf32>
  vector.shuffle %v, %v [0, 1, 4, 7] : vector<4xf32>, vector<4xf32>
  vector.vscale
  vector.transpose %w, [1, 0] : vector<2x4xf32> to vector<4x2xf32>
  vector.type_cast %st : memref<4x3xf32> to memref<vector<4x3xf32>>
  vector.transfer_read %m[%i, %i], %f : memref<?x?xf32>, vector<4xf32>
  vector.transfer_read %m[%i, %i], %f {in_bounds = [true, false], permutation_map = affine_map<(d0, d1) -> (d1, d0)>} : memref<?x?xf32>, vector<4x8xf32>
  vector.transfer_read %m[%i, %i], %f {in_bounds = [true], permutation_map = affine_map<(d0, d1) -> (0)>} : memref<?x?xf32>, vector<4xf32>
  vector.transfer_read %m[%i, %i], %f, %mask : memref<?x?xf32>, vector<4xf32>
  vector.transfer_write %v, %m[%i, %i] : vector<4xf32>, memref<?x?xf32>
  vector.transfer_write %v, %t[%i, %i], %mask {in_bounds = [true]} : vector<4xf32>, tensor<?x?xf32>
  func.call @vf(%v) : (vector<4xf32>) -> ()
  return
}
func.func private @vf(vector<4xf32>)
