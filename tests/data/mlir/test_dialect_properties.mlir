// releases: 19 22
// covers: properties of the test dialect: integers, strings, arrays and flags that are no attributes, some with encodings of their own; the dialect stores its version.
"test.with_properties"() <{a = 32 : i64, b = "foo", c = "bar", flag = true, array = array<i64: 1, 2, 3, 4>, array32 = array<i32: 5, 6>}> : () -> ()
"test.with_wrapped_properties"() <{prop = "content for properties"}> : () -> ()
"test.using_property_in_custom"() <{prop = array<i64: 1, 4, 20>}> : () -> ()
"test.versionedA"() <{dims = 123 : i64, modifier = false}> : () -> ()
