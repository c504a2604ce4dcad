// releases: 19 22
// covers: the test dialect that mlir-opt registers: properties, regions, dynamic dialects, odd types and attributes.
"t.all"() ({
  test.isolated_regions {
      "t.x"() : () -> ()
    }
  test.with_wrapped_properties <{prop = "content for properties"}>
  test.with_optional_properties
  test.using_property_in_custom [1, 4, 20]
  test.using_property_ref_in_custom 1 + 4 = 5
  "t.types"() {t = !test.test_rec_alias<x, !test.test_rec_alias<x>>, u = [!test.test_rec_alias<x, !test.test_rec_alias<x>>]} : () -> ()
}) : () -> ()
