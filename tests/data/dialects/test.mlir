// releases: 16 19 22
// covers: the test dialect that mlir-opt registers: properties, regions, dynamic dialects, odd types and attributes.
"t.all"() ({
  "test.graph_region"() ({
      %v0_0 = "t.a"(%v1_0) : (i32) -> i32
      %v1_0 = "t.b"(%v0_0) : (i32) -> i32
    }) : () -> ()
  test.graph_region {
      %v0_1 = "t.a"(%v0_1) : (i32) -> i32
    }
  %v0_6:3, %v1_6, %v2_6:2 = test.string_attr_pretty_name
  "test.string_attr_pretty_name"() {names = ["a", "b"]} : () -> (i32, i32)
  test.format_optional_enum_attr case5
  test.format_optional_default_attrs "foo" @foo case10
  "test.i32_enum_attr"() {attr = 5 : i32} : () -> i32
  test.wrapping_region wraps "t.x"() : () -> ()
  "t.types"() {t = [!test.test_type, !test.int<unsigned, 3>, !test.struct<{field, !test.int<signed, 8>}>]} : () -> ()
  "t.types"() {t = [!test.test_type, !test.int<unsigned, 3>]} : () -> ()
  "t.types"() {t = [!test.dynamic_singleton, !test.dynamic_pair<i32, f64>, !test.dynamic_custom_assembly_format<f32:f64>]} : () -> ()
  "t.attrs"() {a = [#test.dynamic_singleton, #test.dynamic_pair<3 : i32, "x">, #test.dynamic_custom_assembly_format<4 : i8:5 : i8>]} : () -> ()
  "t.attrs"() {a = #test.cmpnd_a<1, !test.smpla, [5, 6]>, b = [#test.sub_elements_access<1, 2, 3>]} : () -> ()
  "t.attrs"() {a = #test.cmpnd_a<1, !test.smpla, [5, 6]>} : () -> ()
  "t.aliases"() {a = "alias_test:dot_in_name", b = "alias_test:trailing_digit", c = "alias_test:sanitize_conflict_a", d = "alias_test:sanitize_conflict_b", e = "alias_test:prefixed_digit", f = ["alias_test:dot_in_name"]} : () -> ()
  "t.aliases"() {a = "alias_test:large_tuple", t = tuple<f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32>} : () -> ()
  %t_54 = "t.tuple"() : () -> tuple<i1, i2, i3, i4, i5, i6, i7, i8, i9, i10, i11, i12, i13, i14, i15, i16, i17>
      "t.use"(%t_54) {a = "alias_test:dot_in_name"} : (tuple<i1, i2, i3, i4, i5, i6, i7, i8, i9, i10, i11, i12, i13, i14, i15, i16, i17>) -> ()
  "test.dynamic_generic"() : () -> ()
  "test.side_effect_op"() {effects = [{effect = "read", on_result}]} : () -> i32
  "test.format_literal_op"() : () -> ()
  "test.symbol"() {sym_name = "a b", sym_visibility = "private"} : () -> ()
  "test.symbol_scope"() ({
      "test.symbol"() {sym_name = "in"} : () -> ()
      "test.finish"() : () -> ()
    }) : () -> ()
}) : () -> ()
