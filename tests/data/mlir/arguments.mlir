// releases: 16 19 22
// covers: blocks with no, one and many arguments, with and without locations, used and unused, in entry and later blocks.
"t.none"() ({
  "t.stop"() : () -> ()
}) : () -> ()
"t.one"() ({
^bb0(%a: i32 loc(unknown)):
  "t.stop"(%a) : (i32) -> ()
}) : () -> ()
"t.many"() ({
^bb0(%0: i1 loc("zero"), %1: i2 loc(unknown), %2: i3, %3: i4 loc("zero"), %4: i5 loc(unknown), %5: i6, %6: i7, %7: i8, %8: i9):
  "t.jump"(%8, %0)[^next, ^last] : (i9, i1) -> ()
^next(%9: i10 loc(unknown), %10: i11):
  "t.jump"(%9, %2, %10)[^last] : (i10, i3, i11) -> ()
^last(%11: f32):
  "t.stop"(%11) : (f32) -> ()
}) : () -> ()
