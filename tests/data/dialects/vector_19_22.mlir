// releases: 19 22
// covers: the vector dialect: contractions, transfers with maps and masks, reductions, scalable vectors, prints.
func.func @vector(%v: vector<4xf32>, %f: f32, %i: index, %m: memref<?x?xf32>, %w: vector<2x4xf32>, %mask: vector<4xi1>, %iv: vector<4xi32>, %a: vector<2x3xf32>, %b: vector<3x4xf32>, %s: vector<[4]xf32>, %t: tensor<?x?xf32>, %big: vector<4x8x16xf32>, %st: memref<4x3xf32>, %m1: memref<?xf32>, %z: vector<f32>, %acc: vector<2xf32>, %a32: i32, %vix: vector<4xindex>) {
  vector.broadcast %f : f32 to vector<[4]x[4]xf32>
  vector.contract {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"], kind = #vector.kind<maxnumf>} %v, %v, %f : vector<4xf32>, vector<4xf32> into f32
  vector.extract %v[0] : f32 from vector<4xf32>
  vector.extract %w[%i, 2] : f32 from vector<2x4xf32>
  vector.extract %w[0] : vector<4xf32> from vector<2x4xf32>
  vector.extract %z[] : f32 from vector<f32>
  vector.insert %v, %w[%i] : vector<4xf32> into vector<2x4xf32>
  vector.from_elements %f, %f, %f, %f : vector<2x2xf32>
  vector.interleave %v, %v : vector<4xf32> -> vector<8xf32>
  vector.deinterleave %v : vector<4xf32> -> vector<2xf32>
  vector.outerproduct %acc, %v, %w {kind = #vector.kind<maxnumf>} : vector<2xf32>, vector<4xf32>
  vector.print %v : vector<4xf32> punctuation <no_punctuation>
  vector.print punctuation <newline>
  vector.print str "text \"quoted\""
  vector.print
  vector.reduction <add>, %v, %f fastmath<reassoc,nnan> : vector<4xf32> into f32
  vector.step : vector<[4]xindex>
  "t.vector"() {k = [#vector.kind<add>, #vector.kind<and>, #vector.kind<or>], i = [#vector.iterator_type<parallel>], p = #vector.punctuation<comma>} : () -> ()
  return
}
func.func private @vf(vector<4xf32>)

func.func private @vector_types(vector<f32>, vector<1xi1>, vector<[2]xf64>, vector<4x[2]x[1]xi8>, vector<2x3x4xindex>, vector<4xbf16>, vector<3xui8>, vector<3xsi64>)
