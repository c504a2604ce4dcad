// releases: 16 19 22
// covers: more operations of the test_irdl_to_cpp dialect, each once in generic form with the types and attributes it asks for.
"t.all"() ({
  "t.with"() ({
    ^bb0(%a0: i32):
      "test_irdl_to_cpp.bar"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "test_irdl_to_cpp.beef"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "test_irdl_to_cpp.hash"(%a0) : (i32) -> i32
    }) : () -> ()
}) : () -> ()
