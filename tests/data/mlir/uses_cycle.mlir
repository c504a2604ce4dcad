// releases: 16 19 22
// flags: --cse
// covers: pair-form orders that are not their own inverse: three uses change places in a circle after equal operations were merged.
func.func @result() {
  %a = arith.constant 1 : i32
  %b = arith.constant 1 : i32
  "t.u0"(%a) : (i32) -> ()
  "t.u1"(%a) : (i32) -> ()
  "t.u2"(%a) : (i32) -> ()
  "t.u3"(%a) : (i32) -> ()
  "t.u4"(%a) : (i32) -> ()
  "t.u5"(%b) : (i32) -> ()
  "t.u6"(%a) : (i32) -> ()
  "t.u7"(%a) : (i32) -> ()
  return
}
func.func @short(%p: i32) {
  %a = arith.constant 2 : i32
  %b = arith.constant 2 : i32
  "t.u0"(%a) : (i32) -> ()
  "t.u1"(%b) : (i32) -> ()
  "t.u2"(%a) : (i32) -> ()
  "t.u3"(%a) : (i32) -> ()
  return
}
func.func @two_results(%p: i32, %q: i32) {
  %a:2 = "arith.mului_extended"(%p, %q) : (i32, i32) -> (i32, i32)
  %b:2 = "arith.mului_extended"(%p, %q) : (i32, i32) -> (i32, i32)
  "t.u0"(%a#0, %a#1) : (i32, i32) -> ()
  "t.u1"(%a#0, %a#1) : (i32, i32) -> ()
  "t.u2"(%a#0, %a#1) : (i32, i32) -> ()
  "t.u3"(%a#0, %a#1) : (i32, i32) -> ()
  "t.u4"(%a#0, %b#1) : (i32, i32) -> ()
  "t.u5"(%a#0, %a#1) : (i32, i32) -> ()
  "t.u6"(%a#0, %a#1) : (i32, i32) -> ()
  "t.u7"(%b#0, %a#1) : (i32, i32) -> ()
  "t.u8"(%a#0, %a#1) : (i32, i32) -> ()
  "t.u9"(%a#0, %a#1) : (i32, i32) -> ()
  return
}
