// releases: 22
// covers: the test dialect that mlir-opt registers: properties, regions, dynamic dialects, odd types and attributes.
"t.all"() ({
  test.with_properties a = 32, b = "foo", c = "bar", flag = true, array = [1, 2, 3, 4], array32 = [5, 6]
  test.with_default_valued_properties na {nothing}
  test.with_default_valued_properties 1 "x"
  test.with_default_valued_properties 0 "" -1 unit_absent
  test.with_array_properties ints = [1, 2] strings = ["a", "b"] nested = [[1, 2], [3, 4]] opt = [-1, -2] explicitOptions = [none, 0] explicitUnits = [unit, unit_absent]
  test.empty_properties
}) : () -> ()
