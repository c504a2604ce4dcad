// releases: 16 19 22
// covers: the arm_neon dialect.
func.func @arm_neon(%a: vector<8xi8>, %b: vector<16xi8>, %c: vector<4xi32>, %d: vector<2xi32>, %h: vector<4xi16>, %m: vector<4x4xi8>, %f: vector<4xf32>, %bf: vector<8xbf16>) {
  arm_neon.intr.smull %a, %a : vector<8xi8> to vector<8xi16>
  arm_neon.intr.smull %h, %h : vector<4xi16> to vector<4xi32>
  arm_neon.intr.sdot %c, %b, %b : vector<16xi8>, vector<16xi8> to vector<4xi32>
  arm_neon.intr.sdot %d, %a, %a : vector<8xi8>, vector<8xi8> to vector<2xi32>
  arm_neon.2d.sdot %c, %m, %m : vector<4x4xi8>, vector<4x4xi8> to vector<4xi32>
  return
}
