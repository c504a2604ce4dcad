// releases: 22
// covers: the arm_neon dialect.
func.func @arm_neon(%a: vector<8xi8>, %b: vector<16xi8>, %c: vector<4xi32>, %d: vector<2xi32>, %h: vector<4xi16>, %m: vector<4x4xi8>, %f: vector<4xf32>, %bf: vector<8xbf16>) {
  arm_neon.intr.bfmmla %f, %bf, %bf : vector<8xbf16> to vector<4xf32>
  return
}
