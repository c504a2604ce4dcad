// releases: 16 19 22
// covers: value numbers of nested regions, which come after all values of the regions around them, later ones included.
"t.graph"() ({
  %0 = "t.def"() : () -> i1
  "t.r"() ({
    %a = "t.def"() : () -> i8
    "t.u"(%a, %1, %0) : (i8, i16, i1) -> ()
    "t.r"() ({
      %b = "t.def"() : () -> i32
      "t.u"(%b, %a, %c, %1) : (i32, i8, i64, i16) -> ()
      "t.r"() ({
      ^bb0(%d: f16):
        "t.u"(%d, %c, %b, %a, %1, %0) : (f16, i64, i32, i8, i16, i1) -> ()
      }) : () -> ()
    }, {
      %e = "t.def"() : () -> f32
      "t.u"(%e, %c) : (f32, i64) -> ()
    }) : () -> ()
    %c = "t.def"() : () -> i64
  }, {
    %a = "t.def"() : () -> f64
    "t.u"(%a, %1) : (f64, i16) -> ()
  }) : () -> ()
  %1 = "t.def"() : () -> i16
  "t.r"() ({
  ^bb0(%f: bf16, %g: index):
    "t.u"(%g, %f, %1, %0) : (index, bf16, i16, i1) -> ()
  }) : () -> ()
}) : () -> ()
