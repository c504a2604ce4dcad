// releases: 16 19 22
// covers: regions closed by what they use and by trait, closed in open and open in closed, several levels each.
%outer = "t.def"() : () -> i32
"t.closed"() ({
  %0 = "t.def"() : () -> i32
  "t.open"() ({
    "t.use"(%0) : (i32) -> ()
    "t.closed"() ({
      %1 = "t.def"() : () -> f32
      "t.open"(%1) ({
        %2 = "t.both"(%1) ({
          "t.use"(%1) : (f32) -> ()
        }) : (f32) -> f32
      }) : (f32) -> ()
    }) : () -> ()
    "t.use"(%0) : (i32) -> ()
  }) : () -> ()
}) : () -> ()
"t.open"() ({
  "t.closed"() ({
    %3 = "t.def"() : () -> i8
    "t.use"(%3) : (i8) -> ()
  }, {
  }) : () -> ()
  "t.open"() ({
    "t.use"(%outer) : (i32) -> ()
  }, {
    %4 = "t.def"() : () -> i8
    "t.use"(%4) : (i8) -> ()
  }) : () -> ()
  builtin.module {
    %5 = "t.def"() : () -> i16
    "t.open"() ({
      "t.use"(%5) : (i16) -> ()
      builtin.module {
      }
    }) : () -> ()
  }
  func.func private @declared(i32) -> i32
  func.func @defined(%x: i32) -> i32 {
    "t.open"() ({
      "t.use"(%x, %x) : (i32, i32) -> ()
    }) : () -> ()
    return %x : i32
  }
}) : () -> ()
