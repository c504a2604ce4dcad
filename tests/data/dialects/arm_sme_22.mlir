// releases: 22
// covers: the arm_sme dialect: tiles, slices, outer products, intrinsics with tile numbers.
func.func @arm_sme(%t: vector<[4]x[4]xf32>, %m: memref<?x?xf32>, %x: index, %pad: f32, %mask: vector<[4]x[4]xi1>, %mk: vector<[4]xi1>, %m8: vector<[8]xi1>, %m16: vector<[16]xi1>, %m2: vector<[2]xi1>, %m1: vector<[1]xi1>, %v: vector<[4]xf32>, %h: vector<[8]xf16>, %s: vector<[8]xi16>, %b: vector<[16]xi8>, %a: i32, %p: !llvm.ptr) {
  arm_sme.insert_tile_slice %v, %t[%x] : vector<[4]xf32> into vector<[4]x[4]xf32>
  arm_sme.extract_tile_slice %t[%x] layout<vertical> : vector<[4]xf32> from vector<[4]x[4]xf32>
  return
}
