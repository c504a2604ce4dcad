// releases: 16 19 22
// covers: use-list orders of one result: the full form, in graph regions whose uses come before the definition.
"t.two_forward"() ({
  "t.u0"(%a) : (i32) -> ()
  "t.u1"(%a) : (i32) -> ()
  %a = "t.def"() : () -> i32
}) : () -> ()
"t.three"() ({
  "t.u0"(%a) : (i32) -> ()
  "t.u1"(%a) : (i32) -> ()
  %a = "t.def"() : () -> i32
  "t.u2"(%a) : (i32) -> ()
}) : () -> ()
"t.in_order"() ({
  %a = "t.def"() : () -> i32
  "t.u0"(%a) : (i32) -> ()
  "t.u1"(%a) : (i32) -> ()
}) : () -> ()
"t.one_use"() ({
  "t.u0"(%a) : (i32) -> ()
  %a = "t.def"() : () -> i32
}) : () -> ()
"t.same_user"() ({
  "t.u0"(%a, %a) : (i32, i32) -> ()
  "t.u1"(%a, %a, %a) : (i32, i32, i32) -> ()
  %a = "t.def"(%a) : (i32) -> i32
  "t.u2"(%a, %a) : (i32, i32) -> ()
}) : () -> ()
"t.nested"() ({
  "t.r"(%a) ({
    "t.u0"(%a) : (i32) -> ()
    "t.r"() ({
      "t.u1"(%a) : (i32) -> ()
    }) : () -> ()
  }) : (i32) -> ()
  %a = "t.def"() : () -> i32
  "t.r"(%a) ({
    "t.u2"(%a) : (i32) -> ()
  }, {
    "t.u3"(%a) : (i32) -> ()
  }) : (i32) -> ()
}) : () -> ()
