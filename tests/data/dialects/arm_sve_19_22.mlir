// releases: 19 22
// covers: the arm_sve dialect: scalable vectors with masks, conversions, intrinsics.
func.func @arm_sve(%i: vector<[4]xi32>, %b: vector<[16]xi8>, %f: vector<[4]xf32>, %m: vector<[4]xi1>, %m16: vector<[16]xi1>, %x: index, %a: i32, %l: i64, %bf: vector<[8]xbf16>) {
  arm_sve.convert_from_svbool %m16 : vector<[4]xi1>
  arm_sve.convert_to_svbool %m : vector<[4]xi1>
  "arm_sve.intr.convert.from.svbool"(%m16) : (vector<[16]xi1>) -> vector<[4]xi1>
  "arm_sve.intr.convert.to.svbool"(%m) : (vector<[4]xi1>) -> vector<[16]xi1>
  arm_sve.zip.x2 %i, %i : vector<[4]xi32>
  arm_sve.zip.x4 %i, %i, %i, %i : vector<[4]xi32>
  "arm_sve.intr.zip.x2"(%i, %i) : (vector<[4]xi32>, vector<[4]xi32>) -> !llvm.struct<(vector<[4]xi32>, vector<[4]xi32>)>
  "arm_sve.intr.zip.x4"(%i, %i, %i, %i) : (vector<[4]xi32>, vector<[4]xi32>, vector<[4]xi32>, vector<[4]xi32>) -> !llvm.struct<(vector<[4]xi32>, vector<[4]xi32>, vector<[4]xi32>, vector<[4]xi32>)>
  arm_sve.psel %m, %m[%x] : vector<[4]xi1>, vector<[4]xi1>
  "arm_sve.intr.psel"(%m16, %m, %a) : (vector<[16]xi1>, vector<[4]xi1>, i32) -> vector<[16]xi1>
  "arm_sve.intr.whilelt"(%l, %l) : (i64, i64) -> vector<[4]xi1>
  return
}
