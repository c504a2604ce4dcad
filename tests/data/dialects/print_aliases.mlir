// releases: 16 19 22
// covers: aliases of attributes: maps and sets shared and used once, in types, in arguments, in locations, several dialects with one base name, nested into each other.
#m0 = affine_map<(d0) -> (d0)>
#m1 = affine_map<(d0) -> (d0 + 1)>
#s0 = affine_set<(d0) : (d0 >= 0)>
"t.a"() {x = #m1, y = #s0, z = #m0} : () -> ()
"t.b"() {x = #m0, l = [#m1, #s0, affine_map<(d0, d1) -> (d1)>], d = {k = affine_set<(d0) : (d0 - 1 == 0)>}} : () -> ()
%v0_c0 = "t.c"() : () -> memref<4xf32, #m1>
"t.d"(%v0_c0) : (memref<4xf32, #m1>) -> memref<?xf32, affine_map<(d0)[s0] -> (d0 * s0)>>
"t.e"() ({
^bb0(%a: memref<2xf32, affine_map<(d0) -> (d0 mod 2)>>):
  "t.f"() {m = affine_map<(d0) -> (d0 mod 2)>} : () -> ()
}) : () -> ()
"t.g"() {t = (memref<4xf32, affine_map<(d0) -> (d0 floordiv 8)>>) -> (), only = affine_map<(d0, d1, d2) -> (d2)>} : () -> ()

"t.ub"() {p = #ub.poison, q = #spirv.vce<v1.0, [Shader], []>, r = #gpu.block<x>, s = [#vector.kind<add>]} : () -> ()

#a = affine_map<(d0) -> (d0 * 11)>
#b = affine_map<(d0) -> (d0 * 12)>
module @with attributes {t.map = #a} {
  func.func @f(%x: memref<8xf32, #b> {t.m = #a}) -> (i32 {t.n = affine_set<(d0) : (d0 - 11 >= 0)>}) attributes {t.o = #b} {
    %v0_c6 = "t.x"() {m = #a} : () -> i32 loc(fused<#b>["meta"])
    return %v0_c6 : i32 loc(fused<[affine_map<(d0) -> (d0 * 13)>]>["x":1:1])
  }
}
