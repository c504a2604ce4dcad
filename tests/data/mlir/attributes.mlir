// releases: 16 19 22
// covers: every kind of builtin attribute that is not made of elements.
"t.scalars"() {
  unit, yes = true, no = false,
  i1 = 1 : i1, i8 = -128 : i8, i9 = -1 : i9, i16 = -1 : i16, i32 = -2147483648 : i32, i64 = -1 : i64,
  si8 = -3 : si8, ui8 = 255 : ui8, si64 = -9 : si64, ui64 = 18446744073709551615 : ui64, idx = -7 : index,
  i65 = 0 : i65, i65n = -1 : i65, i128 = 85070591730234615865843651857942052864 : i128, i300 = 1 : i300,
  f16 = 1.5 : f16, bf16 = -2.0 : bf16, f32 = 3.25 : f32, f64 = 1.0e-300 : f64, f80 = 1.0 : f80, f128 = 0.5 : f128,
  nan = 0x7FC00001 : f32, inf = 0xFF800000 : f32, zero = -0.0 : f64
} : () -> ()
"t.strings"() {
  plain = "plain", empty = "", typed = "typed" : !t.kind, "quoted name" = "x", "dotted.name" = "y"
} : () -> ()
"t.containers"() {
  array = [], mixed = [1, "two", 3.0, [4 : i8, []], {five = 5 : i8}], nested = {a = {b = {c = {}}}}, nothing = {},
  types = [i32, f32, (i32) -> (), tuple<>, none]
} : () -> ()
"t.symbols"() {
  flat = @flat, nested = @a::@b::@c, quoted = @"with space"::@"\22"
} : () -> ()
"t.maps"() {
  identity = affine_map<(d0, d1) -> (d0, d1)>, symbols = affine_map<(d0)[s0, s1] -> (d0 * s0 + 3, s1 floordiv 4, d0 mod 7, s0 ceildiv 2)>,
  empty = affine_map<() -> ()>, set = affine_set<(d0, d1)[s0] : (d0 - 1 >= 0, d1 - s0 == 0, -d0 + 100 >= 0)>
} : () -> ()
"t.arrays"() {
  bools = array<i1: true, false>, i8s = array<i8: -1, 2>, i16s = array<i16: 3>, i32s = array<i32: 1, 2, 3>,
  i64s = array<i64: -9223372036854775808>, f32s = array<f32: 1.0, 0x7F800000>, f64s = array<f64: 2.0>, none = array<i32>
} : () -> ()
"t.strided"() {
  layout = strided<[1, 2, 3], offset: 4>, dynamic = strided<[?, 1], offset: ?>, flat = strided<[]>
} : () -> ()
"t.opaque"() {
  unknown = #t.attr, body = #t.attr<1, [2, "three"], (i32) -> f32>, typed = #t.attr<a> : i7, raw = #other<"any } text">
} : () -> ()
