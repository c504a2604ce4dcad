// releases: 22
// covers: the arm_sve dialect: scalable vectors with masks, conversions, intrinsics.
func.func @arm_sve(%i: vector<[4]xi32>, %b: vector<[16]xi8>, %f: vector<[4]xf32>, %m: vector<[4]xi1>, %m16: vector<[16]xi1>, %x: index, %a: i32, %l: i64, %bf: vector<[8]xbf16>) {
  arm_sve.usmmla %i, %b, %b : vector<[16]xi8> to vector<[4]xi32>
  "arm_sve.intr.usmmla"(%i, %b, %b) : (vector<[4]xi32>, vector<[16]xi8>, vector<[16]xi8>) -> vector<[4]xi32>
  arm_sve.dupq_lane %b[3] : vector<[16]xi8>
  "arm_sve.intr.dupq_lane"(%b) <{lane = 3 : i64}> : (vector<[16]xi8>) -> vector<[16]xi8>
  "arm_sve.intr.bfmmla"(%f, %bf, %bf) : (vector<[4]xf32>, vector<[8]xbf16>, vector<[8]xbf16>) -> vector<[4]xf32>
  return
}
