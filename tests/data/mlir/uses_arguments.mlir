// releases: 16 19 22
// flags: --canonicalize
// covers: use-list orders of one and of many block arguments, full and pair form, left behind by folded additions of zero.
func.func @one(%p: i32) {
  %z = arith.constant 0 : i32
  %q = arith.addi %p, %z : i32
  "t.u0"(%p) : (i32) -> ()
  "t.u1"(%q) : (i32) -> ()
  "t.u2"(%p) : (i32) -> ()
  return
}
func.func @one_cycle(%p: i32) {
  %z = arith.constant 0 : i32
  %q = arith.addi %p, %z : i32
  "t.u0"(%p) : (i32) -> ()
  "t.u1"(%p) : (i32) -> ()
  "t.u2"(%p) : (i32) -> ()
  "t.u3"(%p) : (i32) -> ()
  "t.u4"(%p) : (i32) -> ()
  "t.u5"(%q) : (i32) -> ()
  "t.u6"(%p) : (i32) -> ()
  "t.u7"(%p) : (i32) -> ()
  return
}
func.func @many(%a: i32, %b: i32, %c: i32, %d: i32, %e: i32, %f: i32) {
  %z = arith.constant 0 : i32
  %a1 = arith.addi %a, %z : i32
  %b1 = arith.addi %b, %z : i32
  %d1 = arith.addi %d, %z : i32
  %e1 = arith.addi %e, %z : i32
  "t.u0"(%a1, %b, %c, %d, %e1, %f) : (i32, i32, i32, i32, i32, i32) -> ()
  "t.u1"(%a, %b1, %c, %d, %e1, %f) : (i32, i32, i32, i32, i32, i32) -> ()
  "t.u2"(%a1, %b, %c, %d1, %e, %f) : (i32, i32, i32, i32, i32, i32) -> ()
  "t.u3"(%a, %b, %c, %d1, %e, %f) : (i32, i32, i32, i32, i32, i32) -> ()
  "t.u4"(%a, %b) : (i32, i32) -> ()
  "t.u5"(%a, %b) : (i32, i32) -> ()
  "t.u6"(%b, %b) : (i32, i32) -> ()
  "t.u7"(%b) : (i32) -> ()
  return
}
