// releases: 16 19 22
// covers: the builtin dialect: modules in modules with names, visibility and attributes; casts.
module @outer attributes {t.a, t.b = "x"} {
  module {
  }
  builtin.module @inner attributes {sym_visibility = "private"} {
    module @"in the \22quoted\22" attributes {builtin.x = 1 : i8} {
      %0 = builtin.unrealized_conversion_cast to i32
      %1:2 = builtin.unrealized_conversion_cast %0 : i32 to f32, !t.any
      %9 = builtin.unrealized_conversion_cast %1#0, %1#1 : f32, !t.any to none
      %2 = builtin.unrealized_conversion_cast %1#1, %0 : !t.any, i32 to tuple<i32, tuple<>> {note}
      %3 = unrealized_conversion_cast %2 : tuple<i32, tuple<>> to tuple<() -> ()>
    }
  }
}

%0 = unrealized_conversion_cast to i32
%1:3 = unrealized_conversion_cast %0 : i32 to i1, i2, i3
unrealized_conversion_cast %1#2 : i3 to i4
"builtin.unrealized_conversion_cast"(%1#0) : (i1) -> (() -> i1)
module attributes {} {
  "t.x"() : () -> ()
}
module @twice {
}
"builtin.module"() ({
^bb0:
}) {sym_name = "generic"} : () -> ()
