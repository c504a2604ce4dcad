// releases: 16 19 22
// covers: numbering of values: groups of results, uses of one of many, nested and isolated regions, arguments, forward references.
%a_c0 = "t.one"() : () -> i32
%b_c0:2 = "t.two"() : () -> (i32, f32)
%c_c0:10 = "t.ten"() : () -> (i1, i2, i3, i4, i5, i6, i7, i8, i9, i10)
"t.none"() : () -> ()
%d_c0, %e_c0, %f_c0:2 = "t.four"() : () -> (i32, i32, f32, f64)
"t.use"(%a_c0, %b_c0#0, %b_c0#1, %b_c0#1, %c_c0#9, %c_c0#0, %d_c0, %e_c0, %f_c0#1) : (i32, i32, f32, f32, i10, i1, i32, i32, f64) -> ()
%g_c0 = "t.after"(%a_c0) ({
  %x_c0 = "t.inner"(%a_c0) : (i32) -> i8
  %y_c0:3 = "t.inner"(%x_c0, %g_c0) : (i8, i32) -> (i8, i8, i8)
  "t.deeper"(%y_c0#2) ({
    %z_c0 = "t.inmost"(%x_c0, %y_c0#1, %b_c0#0) : (i8, i8, i32) -> i16
    "t.end"(%z_c0) : (i16) -> ()
  }, {
    %z_c0 = "t.sibling"(%y_c0#0) : (i8) -> i16
    %z2_c0:2 = "t.sibling"(%z_c0) : (i16) -> (i16, i16)
    "t.end"(%z2_c0#1) : (i16) -> ()
  }, {
  }) : (i8) -> ()
  "t.end"() : () -> ()
}) : (i32) -> i32
%h_c0:2 = "t.last"(%g_c0) : (i32) -> (i1, i1)
"t.use"(%h_c0#0, %h_c0#1) : (i1, i1) -> ()

func.func @isolated(%arg0: i32, %arg1: f32) -> (i32, f32) {
  %v0_c1 = "t.a"(%arg0) : (i32) -> i32
  %v1_c1:2 = "t.b"(%v0_c1, %arg1) : (i32, f32) -> (i32, f32)
  "t.region"() ({
  ^bb0(%i: index, %j: index):
    %v2_c1 = "t.c"(%i, %v1_c1#0) : (index, i32) -> i32
    "t.nested"() ({
    ^bb0(%k: index):
      %v3_c1 = "t.d"(%k, %j, %v2_c1, %arg0) : (index, index, i32, i32) -> i32
    ^bb1(%l: i64):
      "t.e"(%l, %k, %v3_c1) : (i64, index, i32) -> ()
    }) : () -> ()
  }, {
  ^bb0(%i: i8):
    "t.f"(%i) : (i8) -> ()
  }) : () -> ()
  builtin.module {
    %v_c1 = "t.g"() : () -> i32
    func.func @inside(%x: i32) -> i32 {
      %w_c1 = "t.h"(%x) : (i32) -> i32
      return %w_c1 : i32
    }
    "t.i"(%v_c1) : (i32) -> ()
  }
  %v4_c1 = "t.after"() : () -> i32
  return %v4_c1, %v1_c1#1 : i32, f32
}
func.func @again(%arg0: i32) -> i32 {
  %v0_c1 = "t.a"(%arg0) : (i32) -> i32
  return %v0_c1 : i32
}

"t.graph"() ({
  %a_c2 = "t.x"(%b_c2#1, %c_c2) : (i8, i16) -> i32
  %b_c2:2 = "t.y"(%a_c2, %b_c2#0) : (i32, i8) -> (i8, i8)
  "t.z"(%c_c2, %d_c2) ({
    "t.inner"(%d_c2, %c_c2) : (i1, i16) -> ()
  }) : (i16, i1) -> ()
  %c_c2 = "t.w"() : () -> i16
  %d_c2 = "t.self"(%d_c2) : (i1) -> i1
}) : () -> ()
