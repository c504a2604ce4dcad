// releases: 16 19 22
// covers: the arm_sve dialect: scalable vectors with masks, conversions, intrinsics.
func.func @arm_sve(%i: vector<[4]xi32>, %b: vector<[16]xi8>, %f: vector<[4]xf32>, %m: vector<[4]xi1>, %m16: vector<[16]xi1>, %x: index, %a: i32, %l: i64, %bf: vector<[8]xbf16>) {
  arm_sve.sdot %i, %b, %b : vector<[16]xi8> to vector<[4]xi32>
  "arm_sve.intr.sdot"(%i, %b, %b) : (vector<[4]xi32>, vector<[16]xi8>, vector<[16]xi8>) -> vector<[4]xi32>
  arm_sve.udot %i, %b, %b : vector<[16]xi8> to vector<[4]xi32>
  "arm_sve.intr.udot"(%i, %b, %b) : (vector<[4]xi32>, vector<[16]xi8>, vector<[16]xi8>) -> vector<[4]xi32>
  arm_sve.smmla %i, %b, %b : vector<[16]xi8> to vector<[4]xi32>
  "arm_sve.intr.smmla"(%i, %b, %b) : (vector<[4]xi32>, vector<[16]xi8>, vector<[16]xi8>) -> vector<[4]xi32>
  arm_sve.ummla %i, %b, %b : vector<[16]xi8> to vector<[4]xi32>
  "arm_sve.intr.ummla"(%i, %b, %b) : (vector<[4]xi32>, vector<[16]xi8>, vector<[16]xi8>) -> vector<[4]xi32>
  arm_sve.masked.addi %m, %i, %i : vector<[4]xi1>, vector<[4]xi32>
  arm_sve.masked.subi %m, %i, %i : vector<[4]xi1>, vector<[4]xi32>
  arm_sve.masked.muli %m, %i, %i : vector<[4]xi1>, vector<[4]xi32>
  arm_sve.masked.divi_signed %m, %i, %i : vector<[4]xi1>, vector<[4]xi32>
  arm_sve.masked.divi_unsigned %m, %i, %i : vector<[4]xi1>, vector<[4]xi32>
  arm_sve.masked.addf %m, %f, %f : vector<[4]xi1>, vector<[4]xf32>
  arm_sve.masked.subf %m, %f, %f : vector<[4]xi1>, vector<[4]xf32>
  arm_sve.masked.mulf %m, %f, %f : vector<[4]xi1>, vector<[4]xf32>
  arm_sve.masked.divf %m, %f, %f : vector<[4]xi1>, vector<[4]xf32>
  "arm_sve.intr.add"(%m, %i, %i) : (vector<[4]xi1>, vector<[4]xi32>, vector<[4]xi32>) -> vector<[4]xi32>
  "arm_sve.intr.sub"(%m, %i, %i) : (vector<[4]xi1>, vector<[4]xi32>, vector<[4]xi32>) -> vector<[4]xi32>
  "arm_sve.intr.mul"(%m, %i, %i) : (vector<[4]xi1>, vector<[4]xi32>, vector<[4]xi32>) -> vector<[4]xi32>
  "arm_sve.intr.sdiv"(%m, %i, %i) : (vector<[4]xi1>, vector<[4]xi32>, vector<[4]xi32>) -> vector<[4]xi32>
  "arm_sve.intr.udiv"(%m, %i, %i) : (vector<[4]xi1>, vector<[4]xi32>, vector<[4]xi32>) -> vector<[4]xi32>
  "arm_sve.intr.fadd"(%m, %f, %f) : (vector<[4]xi1>, vector<[4]xf32>, vector<[4]xf32>) -> vector<[4]xf32>
  "arm_sve.intr.fsub"(%m, %f, %f) : (vector<[4]xi1>, vector<[4]xf32>, vector<[4]xf32>) -> vector<[4]xf32>
  "arm_sve.intr.fmul"(%m, %f, %f) : (vector<[4]xi1>, vector<[4]xf32>, vector<[4]xf32>) -> vector<[4]xf32>
  "arm_sve.intr.fdiv"(%m, %f, %f) : (vector<[4]xi1>, vector<[4]xf32>, vector<[4]xf32>) -> vector<[4]xf32>
  return
}
