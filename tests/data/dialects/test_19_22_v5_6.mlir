// releases: 19 22
// versions: 5 6
// covers: the test dialect that mlir-opt registers: properties, regions, dynamic dialects, odd types and attributes.
"t.all"() ({
  test.with_nice_properties "foo bar" is -3
}) : () -> ()
