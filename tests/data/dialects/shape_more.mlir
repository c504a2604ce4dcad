// releases: 16 19 22
// covers: more operations of the shape dialect, each once in generic form with the types and attributes it asks for.
"t.all"() ({
  "t.with"() ({
    ^bb0(%a0: i32):
      "shape.function"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "shape.liH3"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "shape.lib"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "shape.shape"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "shape.size"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "shape.value_shape"(%a0) : (i32) -> i32
    }) : () -> ()
  "t.with"() ({
    ^bb0(%a0: i32):
      "shape.witness"(%a0) : (i32) -> i32
    }) : () -> ()
}) : () -> ()
