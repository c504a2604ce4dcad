// releases: 16
// covers: the spirv dialect: modules with requirements, functions, structured control flow, specialization constants, every kind of type.
func.func @spirv(%a: i32, %f: f32, %v: vector<4xi32>, %w: vector<4xf32>, %c: i1, %p: !spirv.ptr<i32, StorageBuffer>, %pf: !spirv.ptr<f32, StorageBuffer>, %l: i64, %h: f16, %fn: !spirv.ptr<i32, Function>, %m: !spirv.matrix<3 x vector<3xf32>>, %v3: vector<3xf32>) {
  "t.types"() {t = !spirv.coopmatrix<8x16xi32, Subgroup>} : () -> ()
  return
}
